//! Keys of `[study]` and of `[uncertainty]`.

use super::{Kind, Section, may, must};
use crate::maths::units::Dimension;
use crate::model::study::{Action, Sampling};
use crate::model::uncertain::DistributionShape;

/// What a study may do at a point.
pub const ACTIONS: [&str; 3] = [Action::Assess.name(), Action::Run.name(), Action::Impact.name()];

/// How a study may choose its points.
pub const SAMPLINGS: [&str; 6] = [
    Sampling::Grid.name(),
    Sampling::LatinHypercube.name(),
    Sampling::Sobol.name(),
    Sampling::Saltelli.name(),
    Sampling::MonteCarlo.name(),
    Sampling::Morris.name(),
];

/// How an uncertainty may choose its points, and in the same order what they are.
pub const UNCERTAIN_SAMPLINGS: [&str; 4] =
    [UNCERTAIN[0].name(), UNCERTAIN[1].name(), UNCERTAIN[2].name(), UNCERTAIN[3].name()];
/// The samplings of inputs by chance.
pub const UNCERTAIN: [Sampling; 4] =
    [Sampling::Sobol, Sampling::LatinHypercube, Sampling::MonteCarlo, Sampling::Saltelli];

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

/// `[uncertainty]`
pub const UNCERTAINTY: Section = Section {
    what: "the uncertainty",
    types: &[],
    keys: &[
        may(
            "action",
            Kind::Choice(&ACTIONS),
            "What is done at a point; that of the study, or assess.",
        ),
        may("contact", Kind::Text, "The contact that is measured; the only one if missing."),
        may(
            "sampling",
            Kind::Choice(&UNCERTAIN_SAMPLINGS),
            "How points are drawn; sobol if missing.",
        ),
        may(
            "points",
            Kind::Quantity(Dimension::NONE),
            "How many, a multiple of 16; 1024 if missing.",
        ),
        may("seed", Kind::Quantity(Dimension::NONE), "Of the sample; 0 if missing."),
        may("inputs", Kind::Named(&[UNCERTAIN_INPUT]), "The numbers that are not known exactly."),
        may(
            "laws",
            Kind::Texts,
            "Contact laws that every point is computed with, one after the other.",
        ),
        may("measures", Kind::Measures, "What is kept of a point: names, or names to expressions."),
    ],
};

/// `[uncertainty.inputs.NAME]`
pub const UNCERTAIN_INPUT: Section = Section {
    what: "an uncertain number",
    types: &[],
    keys: &[
        may("path", Kind::Text, "What it sets, as of --set; parameters.NAME if missing."),
        must("distribution", Kind::Choice(&DistributionShape::WORDS), "How it is distributed."),
        may("mean", Kind::Varied, "Of normal and lognormal; the file's own value if missing."),
        may("deviation", Kind::Varied, "The standard deviation of normal and lognormal."),
        may(
            "relative",
            Kind::Quantity(Dimension::NONE),
            "Instead: deviation divided by the mean, or half the width of uniform and triangular divided by the file's value.",
        ),
        may(
            "low",
            Kind::Varied,
            "The lower end; of normal and lognormal where they are truncated.",
        ),
        may("high", Kind::Varied, "The upper end."),
        may(
            "mode",
            Kind::Varied,
            "The most probable value of triangular; the file's own if missing.",
        ),
        may("values", Kind::Levels, "Of a table: values or words."),
        may(
            "weights",
            Kind::Quantities,
            "Of a table: how probable each is beside the others; all alike if missing.",
        ),
    ],
};
