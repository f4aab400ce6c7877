//! `[study]` and `[uncertainty]` as the file states them: what changes, what is done, what is kept.

use super::uncertain::Distribution;

/// What is done at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Effective mass, energies, and the impact predicted for the frozen pose.
    Assess,
    /// A simulation.
    Run,
    /// The velocities after an impact of the closed contacts, by the file's law of impulses.
    Impact,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Assess, Self::Run, Self::Impact];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assess => "assess",
            Self::Run => "run",
            Self::Impact => "impact",
        }
    }
}

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Every value of each variable with every value of the others.
    Grid,
    /// Every variable once in each of n equal slices, in an order drawn by the seed.
    LatinHypercube,
    /// Sobol's sequence, shifted by the seed.
    Sobol,
    /// Saltelli's two samples and their mixtures, for Sobol's indices.
    Saltelli,
    /// Each point by itself, drawn by the seed.
    MonteCarlo,
    /// Morris' trajectories: from a drawn place on a coarse grid every variable takes one step, in a drawn order.
    Morris,
}

impl Sampling {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Grid,
        Self::LatinHypercube,
        Self::Sobol,
        Self::Saltelli,
        Self::MonteCarlo,
        Self::Morris,
    ];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::LatinHypercube => "latin-hypercube",
            Self::Sobol => "sobol",
            Self::Saltelli => "saltelli",
            Self::MonteCarlo => "monte-carlo",
            Self::Morris => "morris",
        }
    }
}

/// A unit in which a variable is written and shown.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableUnit {
    /// As in the file; empty for plain numbers.
    pub text: String,
    /// One of it in SI units.
    pub factor: f64,
}

/// A value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Level {
    /// A number in the variable's unit.
    Number(f64),
    /// A word, such as the name of a law.
    Word(String),
}

/// The values that a variable may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// From where to where, in the variable's unit.
    Range {
        /// The first value.
        low: f64,
        /// The last value.
        high: f64,
        /// How many values of a grid.
        count: Option<usize>,
        /// Whether equal steps are equal ratios.
        log: bool,
    },
    /// These.
    Values(Vec<Level>),
    /// An expression of other variables, in SI units.
    Expression(String),
    /// A number, or word, by chance.
    Uncertain(Distribution),
    /// Each of these with every point of the sample.
    Crossed(Vec<Level>),
}

/// What changes from point to point.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyVariable {
    /// Its name.
    pub name: String,
    /// What it sets.
    pub path: String,
    /// How it is written.
    pub unit: VariableUnit,
    /// Its values.
    pub domain: Domain,
    /// Of a grid: the variable it steps along with.
    pub along: Option<String>,
}

/// What `optimise` is to reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The expression.
    pub expression: String,
    /// Whether it is to be large.
    pub maximise: bool,
}

/// Independent samples of the same size that a sample is made of, point by point in turn: their scatter gives confidence intervals of whatever
/// is computed from all of them together (sectioning: Asmussen, Glynn, Stochastic Simulation, 2007, III.5a).
pub const SECTIONS: usize = 16;

/// Which part of the file a plan stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanPart {
    /// `[study]`
    Study,
    /// `[uncertainty]`
    Uncertainty,
}

impl PlanPart {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Study, Self::Uncertainty];

    /// The key of the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Study => "study",
            Self::Uncertainty => "uncertainty",
        }
    }

    /// The path of a variable, or of all of them.
    pub fn variable(self, name: Option<&str>) -> String {
        let all = match self {
            Self::Study => "study.variables",
            Self::Uncertainty => "uncertainty.inputs",
        };
        name.map_or_else(|| all.to_owned(), |name| format!("{all}.{name}"))
    }
}

/// A study as the file states it.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPlan {
    /// What is done at a point.
    pub action: Action,
    /// The contact that is measured.
    pub contact: Option<String>,
    /// How points are chosen.
    pub sampling: Sampling,
    /// How many, except of a grid.
    pub points: Option<usize>,
    /// Of samplings by chance.
    pub seed: u64,
    /// What changes, in the order of the file.
    pub variables: Vec<StudyVariable>,
    /// Names and expressions of what is kept; empty for the action's own.
    pub measures: Vec<(String, String)>,
    /// What `optimise` is to reach.
    pub goal: Option<Goal>,
    /// Conditions of `optimise`.
    pub constraints: Vec<String>,
    /// Where it stands.
    pub part: PlanPart,
}
