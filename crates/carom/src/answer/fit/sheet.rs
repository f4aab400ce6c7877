//! The structs of the answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Caution, Head};
use crate::maths::digits::three;

/// What `fit` answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContactFit {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// The contact.
    pub contact: String,
    /// The file of the measurements.
    pub data: String,
    /// `impacts` or `force over time`.
    pub kind: String,
    /// The answer in sentences.
    pub verdict: String,
    /// A `[contacts]` table with the best law, to paste into the model file; `null` if a parameter that the law needs is not identified.
    pub block: Option<String>,
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// Confidence of the intervals.
    pub level: f64,
    /// Whether outliers count linearly (Huber) instead of by their squares.
    pub robust: bool,
    /// Numbers measured, of all quantities.
    pub measurements: usize,
    /// Impacts, or signals.
    pub cases: Vec<FitCase>,
    /// The laws, the best first.
    pub laws: Vec<LawFit>,
    /// Laws that were not fitted, and why.
    pub not_fitted: Vec<(String, String)>,
    /// Every measurement beside what the best law gives.
    pub points: Vec<FitPoint>,
}

/// A measured impact, or a signal: what the machine says of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FitCase {
    /// Its line in the file, of a signal its first one; from 1.
    pub line: usize,
    /// The signal's name; empty for an impact.
    pub name: String,
    /// m_eff.
    pub effective_mass: f64,
    /// The approach speed.
    pub approach_speed: f64,
    /// ½ m_eff times the square of the approach speed.
    pub impact_energy: f64,
    /// When the signal's impact begins, by the best law; `null` for an impact.
    pub onset: Option<f64>,
}

/// A law with its best parameters.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LawFit {
    /// Its name.
    pub law: String,
    /// The laws of which the data see the same curve; they differ in what they call e.
    pub same_curve: Vec<String>,
    /// Its parameters.
    pub parameters: Vec<FittedParameter>,
    /// The restitution that the law delivers at the median approach speed; `null` where the data do not say it.
    pub restitution_delivered: Option<f64>,
    /// Σ (residual / standard deviation)², or Huber's sum.
    pub chi_square: f64,
    /// Measurements minus parameters that the data see.
    pub degrees_of_freedom: usize,
    /// The probability of a χ² as large as this if the law holds and the stated standard deviations are right; `null` if some were estimated.
    pub probability: Option<f64>,
    /// Standard deviations that were estimated, with their quantity and its unit.
    pub estimated_deviations: Vec<(String, f64, String)>,
    /// Akaike's criterion with the correction for few data; `null` if there are too few for it.
    pub aicc: Option<f64>,
    /// The same minus that of the best law.
    pub aicc_difference: Option<f64>,
}

/// A parameter of a law.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FittedParameter {
    /// The word of the model file; `restitution_loss` and `restitution_power` where e depends on the speed.
    pub name: String,
    /// The letter of the formulas.
    pub symbol: String,
    /// Its SI unit.
    pub unit: String,
    /// The best value; `null` if the data do not identify it.
    pub estimate: Option<f64>,
    /// The lower end of the profile likelihood interval; `null` if it is open.
    pub low: Option<f64>,
    /// The upper end; `null` if it is open.
    pub high: Option<f64>,
    /// Whether the data identify it.
    pub identified: bool,
    /// Whether it was held: given, or the only value of the law.
    pub given: bool,
}

/// A measurement beside what the best law gives.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FitPoint {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What was measured.
    pub quantity: String,
    /// The SI unit of it.
    pub unit: String,
    /// The approach speed, or the time of a sample.
    pub at: f64,
    /// What was measured.
    pub observed: f64,
    /// What the law gives.
    pub predicted: f64,
    /// The standard deviation, stated or estimated.
    pub deviation: f64,
}

impl LawFit {
    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&FittedParameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

impl FittedParameter {
    /// The value with its interval: `1.5 (1.45 to 1.55)`.
    pub fn text(&self) -> String {
        if !self.identified {
            return "not identified".to_owned();
        }
        let x = self.estimate.map_or_else(|| "-".to_owned(), three);
        match (self.given, self.low, self.high) {
            (true, ..) => format!("{x} held"),
            (_, Some(a), Some(b)) => format!("{x} ({} to {})", three(a), three(b)),
            (_, Some(a), None) => format!("{x} (at least {})", three(a)),
            (_, None, Some(b)) => format!("{x} (at most {})", three(b)),
            (_, None, None) => x,
        }
    }

    /// The unit behind a space; nothing for a plain number, and nothing where there is no value.
    pub fn behind(&self) -> String {
        if self.unit == "-" || !self.identified { String::new() } else { format!(" {}", self.unit) }
    }
}
