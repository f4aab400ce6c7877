//! The pages of answers, for front ends beside the command: the text of one HTML file that needs nothing beside it.

use carom::answer::robot::TipAnswer;
use carom::answer::{AssessAnswer, ImpactAnswer};
use carom::{Machine, Runs};

use crate::{figure, report};

/// The page of runs: the motion, every impact, and where the energy went.
pub fn run(machine: &Machine, runs: &Runs) -> Result<String, String> {
    report::run::html(machine, runs, None)
}

/// The page of an assessment: the pose, and how heavy every contact feels.
pub fn assess(machine: &Machine, answer: &AssessAnswer) -> Result<String, String> {
    report::assess::html(machine, answer, None)
}

/// The page of an impact: the pose, and the impact laws side by side.
pub fn impact(machine: &Machine, answer: &ImpactAnswer) -> Result<String, String> {
    report::impact::html(machine, answer, None)
}

/// The page of a tip: the pose, and how heavy the tip is in every direction. The machine stands in that pose.
pub fn tip(posed: &Machine, answer: &TipAnswer) -> Result<String, String> {
    let drawn = report::tip::Drawn { directions: figure::tip::draw(answer)?, reach: None };
    report::tip::html(posed, answer, drawn, None)
}
