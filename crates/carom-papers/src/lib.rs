//! The papers: what they claim, and what the engine says to it.
//!
//! One folder a paper: `claims.rs` lists its numbers and statements, `figures.rs` its figures. Only published values and
//! their places are written there; everything else is computed from the files of `models/`, with settings as `--set` has.

#![allow(non_snake_case, reason = "letters of the papers: K, I, T_c")]

pub mod chart;
pub mod claim;
pub mod lab;
mod models;
mod seed_000;
mod seed_001;
mod seed_002;
mod seed_003;
mod seed_004;

use chart::Drawing;
use claim::{Claim, Finding, Verdict};
use lab::{Answer, Lab};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

/// A figure: its name as a file, and how it is made.
pub struct Figure {
    /// The name of its files.
    pub name: &'static str,
    /// Computes it.
    pub make: fn(&Lab) -> Answer<Drawing>,
}

/// A paper.
pub struct Paper {
    /// Its number.
    pub number: &'static str,
    /// Its authors and title.
    pub title: &'static str,
    /// What it claims.
    pub claims: fn() -> Vec<Claim>,
    /// Its figures.
    pub figures: &'static [Figure],
}

/// All papers.
pub const PAPERS: [Paper; 5] =
    [seed_000::PAPER, seed_001::PAPER, seed_002::PAPER, seed_003::PAPER, seed_004::PAPER];

/// A paper, compared.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Compared {
    /// Its number.
    pub number: &'static str,
    /// Its authors and title.
    pub title: &'static str,
    /// Its claims.
    pub findings: Vec<Finding>,
}

impl Paper {
    /// Computes every claim of the paper.
    pub fn compare(&self, lab: &Lab) -> Answer<Compared> {
        let mut findings = Vec::new();
        for claim in (self.claims)() {
            let place = || format!("seed {}, {}: {}", self.number, claim.place, claim.what);
            findings.push(claim.compare(lab).map_err(|why| format!("{}: {why}", place()))?);
        }
        Ok(Compared { number: self.number, title: self.title, findings })
    }
}

/// Whether all that should agree does.
pub fn sound(compared: &[Compared]) -> bool {
    compared.iter().flat_map(|paper| &paper.findings).all(|f| f.verdict != Verdict::Broken)
}

/// What `reproduce` answers: every claim of the papers beside what the engine computes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReproduceAnswer<'a> {
    /// The version of carom.
    pub carom: &'static str,
    /// The papers, in the order of their numbers.
    pub papers: &'a [Compared],
    /// Whether all that should agree does.
    pub sound: bool,
}

impl<'a> ReproduceAnswer<'a> {
    /// Of papers that were compared.
    pub fn new(papers: &'a [Compared]) -> Self {
        Self { carom: env!("CARGO_PKG_VERSION"), papers, sound: sound(papers) }
    }

    /// The JSON Schema of this answer.
    pub fn schema() -> Schema {
        schema_for!(ReproduceAnswer<'static>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
    fn one_number_that_should_agree_and_does_not_spoils_the_whole() {
        let compared = |ours: f64| {
            let claim = Claim::printed("eq. 1", "x", ("2.0", "kg"), move |_| Ok(ours));
            let findings = vec![claim.compare(&Lab::new(1)).unwrap()];
            vec![Compared { number: "000", title: "a paper", findings }]
        };
        assert!(sound(&compared(2.04)));
        assert!(!sound(&compared(2.06)));
    }
}
