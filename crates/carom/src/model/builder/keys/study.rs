//! Keys of `[study]`.

use super::{Kind, Section, may};
use crate::maths::units::Dimension;
use crate::model::study::{Action, Sampling};

/// What a study may do at a point.
pub const ACTIONS: [&str; 3] = [Action::Assess.name(), Action::Run.name(), Action::Impact.name()];

/// How a study may choose its points.
pub const SAMPLINGS: [&str; 4] = [
    Sampling::Grid.name(),
    Sampling::LatinHypercube.name(),
    Sampling::Sobol.name(),
    Sampling::Saltelli.name(),
];

/// How a range may be divided.
pub const SCALES: [&str; 2] = ["linear", "log"];

/// `[study]`
pub const STUDY: Section = Section {
    what: "the study",
    types: &[],
    keys: &[
        may("action", Kind::Choice(&ACTIONS), "What is done at a point; assess if missing."),
        may("contact", Kind::Text, "The contact that is measured; the only one if missing."),
        may("sampling", Kind::Choice(&SAMPLINGS), "How points are chosen; grid if missing."),
        may(
            "points",
            Kind::Quantity(Dimension::NONE),
            "How many; not of a grid, which counts its own.",
        ),
        may("seed", Kind::Quantity(Dimension::NONE), "Of samplings by chance; 0 if missing."),
        may("variables", Kind::Named(&[VARIABLE]), "What changes from point to point."),
        may("measures", Kind::Measures, "What is kept of a point: names, or names to expressions."),
        may("minimise", Kind::Text, "Of `optimise`: an expression of measures and variables."),
        may("maximise", Kind::Text, "The same, to be made large."),
        may("constraints", Kind::Conditions, "Of `optimise`: conditions such as \"gap > 0\"."),
    ],
};

/// `[study.variables.NAME]`
pub const VARIABLE: Section = Section {
    what: "a variable",
    types: &[],
    keys: &[
        may("path", Kind::Text, "What it sets, as of --set; parameters.NAME if missing."),
        may("range", Kind::Levels, "From where to where."),
        may("count", Kind::Quantity(Dimension::NONE), "Of a grid: how many values of the range."),
        may("scale", Kind::Choice(&SCALES), "How the range is divided; linear if missing."),
        may("values", Kind::Levels, "The values instead of a range; words too."),
        may("along", Kind::Text, "Of a grid: the variable it steps along with."),
        may("expression", Kind::Text, "Its value as an expression of other variables."),
    ],
};
