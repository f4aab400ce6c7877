//! The pages of answers, for front ends beside the command: the text of one HTML file that needs nothing beside it.

use carom::answer::fit::ContactFit;
use carom::answer::robot::TipAnswer;
use carom::answer::study::UncertaintyReading;
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

/// The page of a fit: the laws, the measurements beside the best one, the contact to paste.
pub fn fit(machine: &Machine, answer: &ContactFit) -> Result<String, String> {
    report::fit::html(machine, answer, None)
}

/// The page of a sample of uncertain numbers: every measure with its interval, and which number matters.
pub fn uncertainty(reading: &UncertaintyReading) -> Result<String, String> {
    report::uncertainty::html(reading, &reading.answer(), None)
}

/// The page of a tip: the pose, and how heavy the tip is in every direction. The machine stands in that pose.
pub fn tip(posed: &Machine, answer: &TipAnswer) -> Result<String, String> {
    let drawn = report::tip::Drawn { directions: figure::tip::draw(answer)?, reach: None };
    report::tip::html(posed, answer, drawn, None)
}
