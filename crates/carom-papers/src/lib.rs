//! The papers: what they claim, and what the engine says to it.
//!
//! One folder a paper: `claims.rs` lists its numbers and statements, `figures.rs` its figures. Only published values and
//! their places are written there; everything else is computed from the files of `models/`, with settings as `--set` has.

#![allow(non_snake_case, reason = "letters of the papers: K, I, T_c")]

pub mod chart;
pub mod claim;
mod fenili;
mod gonzalez;
pub mod lab;
mod modarres;
mod models;
mod moreira;
mod nikravesh_poursina;

use chart::Drawing;
use claim::{Claim, Finding, Sort, Verdict};
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
    /// Its number: the folder of its models, and what `carom reproduce` takes.
    pub number: &'static str,
    /// Its name in this repository: its authors.
    pub name: &'static str,
    /// What it is about.
    pub topic: &'static str,
    /// Authors, title and what else its copy tells of where it appeared. The copies that carom was written from carry no DOI.
    pub citation: &'static str,
    /// What it claims.
    pub claims: fn() -> Vec<Claim>,
    /// Its figures.
    pub figures: &'static [Figure],
}

/// All papers.
pub const PAPERS: [Paper; 5] =
    [nikravesh_poursina::PAPER, moreira::PAPER, gonzalez::PAPER, modarres::PAPER, fenili::PAPER];

/// A paper, compared.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Compared {
    /// Its number: the folder of its models, and what `carom reproduce` takes.
    pub number: &'static str,
    /// Its name in this repository: its authors.
    pub name: &'static str,
    /// What it is about.
    pub topic: &'static str,
    /// Authors, title and what else its copy tells of where it appeared.
    pub citation: &'static str,
    /// Its claims.
    pub findings: Vec<Finding>,
}

impl Paper {
    /// Computes every claim of the paper.
    pub fn compare(&self, lab: &Lab) -> Answer<Compared> {
        let mut findings = Vec::new();
        for claim in (self.claims)() {
            let place = || format!("{}, {}: {}", self.name, claim.place, claim.what);
            findings.push(claim.compare(lab).map_err(|why| format!("{}: {why}", place()))?);
        }
        let Self { number, name, topic, citation, .. } = *self;
        Ok(Compared { number, name, topic, citation, findings })
    }
}

impl Compared {
    /// Name and topic.
    pub fn title(&self) -> String {
        format!("{}: {}", self.name, self.topic)
    }
}

/// How many claims of which sort came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Printed numbers that are ours to the last printed digit.
    pub numbers: usize,
    /// Printed formulas that are ours to 1e-9.
    pub formulas: usize,
    /// Statements that hold.
    pub statements: usize,
    /// Claims that do not hold, for a known reason.
    pub differ: usize,
    /// Quantities that are ours alone.
    pub unprinted: usize,
    /// Claims that should agree and do not.
    pub broken: usize,
}

impl Tally {
    /// Counts the claims of some papers.
    pub fn of(compared: &[Compared]) -> Self {
        let mut tally = Self::default();
        for finding in compared.iter().flat_map(|paper| &paper.findings) {
            let place = match (finding.verdict, finding.sort) {
                (Verdict::Broken, _) => &mut tally.broken,
                (Verdict::Differs, _) => &mut tally.differ,
                (Verdict::NotStated, _) | (_, Sort::Unprinted) => &mut tally.unprinted,
                (Verdict::Agrees, Sort::Number) => &mut tally.numbers,
                (Verdict::Agrees, Sort::Formula) => &mut tally.formulas,
                (Verdict::Agrees, Sort::Statement) => &mut tally.statements,
            };
            *place += 1;
        }
        tally
    }

    /// The result in a sentence.
    pub fn sentence(&self) -> String {
        let many = |n: usize, one: &str, more: &str| {
            if n == 1 { format!("1 {one}") } else { format!("{n} {more}") }
        };
        let broken = match self.broken {
            0 => String::new(),
            n => format!(
                " {} and {} not.",
                many(n, "more claim should hold", "more claims should hold"),
                if n == 1 { "does" } else { "do" }
            ),
        };
        format!(
            "{} to the last printed digit, {} to 1e-9, {}, {}.{broken}",
            many(self.numbers, "printed number matches", "printed numbers match"),
            many(self.formulas, "printed formula", "printed formulas"),
            many(self.statements, "statement holds", "statements hold"),
            many(self.differ, "claim does not hold as printed", "claims do not hold as printed"),
        )
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
            vec![Compared { number: "000", name: "A", topic: "b", citation: "c", findings }]
        };
        assert!(sound(&compared(2.04)));
        assert!(!sound(&compared(2.06)));
        let told = |ours: f64| Tally::of(&compared(ours)).sentence();
        let none =
            "0 printed formulas to 1e-9, 0 statements hold, 0 claims do not hold as printed.";
        assert_eq!(
            told(2.04),
            format!("1 printed number matches to the last printed digit, {none}")
        );
        let broken = "1 more claim should hold and does not.";
        assert_eq!(
            told(2.06),
            format!("0 printed numbers match to the last printed digit, {none} {broken}")
        );
    }
}
