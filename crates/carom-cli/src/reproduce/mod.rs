//! The papers: what they claim, and what the engine says to it.
//!
//! One folder a paper: `claims.rs` lists its numbers and statements, `figures.rs` its figures. Only published values and
//! their places are written there; everything else is computed from the files of `models/`, with settings as `--set` has.

#![allow(non_snake_case, reason = "letters of the papers: K, I, T_c")]

pub(crate) mod chart;
pub(crate) mod claim;
pub(crate) mod lab;
mod models;
mod seed_000;
mod seed_001;
mod seed_002;
mod seed_003;
mod seed_004;

use chart::Drawing;
use claim::Claim;
use lab::{Answer, Lab};

/// A figure: its name as a file, and how it is made.
pub(crate) struct Figure {
    /// The name of its files.
    pub name: &'static str,
    /// Computes it.
    pub make: fn(&Lab) -> Answer<Drawing>,
}

/// A paper.
pub(crate) struct Paper {
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
pub(crate) const PAPERS: [Paper; 5] =
    [seed_000::PAPER, seed_001::PAPER, seed_002::PAPER, seed_003::PAPER, seed_004::PAPER];
