//! The answers of `laws`: the catalogue, one law, the impact of two bodies under one.

mod elasticity;
mod impact;
pub(super) mod quantity;
mod question;
mod sheet;
mod stiffness;

pub use impact::{
    CurvePoint, ElasticImpact, LawImpact, LawOutcome, LawSettings, OtherParting, Sampling,
    StiffnessFrom,
};
pub use question::{LawQuestion, LawsError};
pub use sheet::{LawGroup, LawSheet};

use schemars::JsonSchema;
use serde::Serialize;

use crate::contact::catalogue::{Delivered, LAWS};
use crate::contact::law::{Bounds, Entry, Form, LawError, Parameter};

/// The restitutions that the catalogue shows.
pub const ASKED: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// The page of a law asks for so many restitutions, in equal steps up to 1.
const STEPS: u32 = 20;
/// Relative error of the restitution \[-\] that the integration of a contact law delivers.
const RESTITUTION_ERROR: f64 = 1e-9;

/// Whether a pair that parts with this restitution has more energy than it came with, beyond the error of the integration.
pub(crate) fn creates_energy(restitution: f64) -> bool {
    restitution > 1.0 + RESTITUTION_ERROR
}

/// Whether two numbers of an impact differ beyond the error of the integration, relative to `size`.
fn differ(a: f64, b: f64, size: f64) -> bool {
    // Two infinite durations are equal, and their difference is no number.
    a != b && !((a - b).abs() <= RESTITUTION_ERROR * size)
}

/// What `laws` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LawsAnswer {
    /// All laws.
    Catalogue(LawCatalogue),
    /// An impact under a law.
    Impact(Box<LawImpact>),
    /// One law.
    Law(Box<LawPage>),
}

/// All laws.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LawCatalogue {
    /// The version of carom.
    pub carom: String,
    /// The laws.
    pub laws: Vec<Law>,
}

/// A law and what it delivers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Law {
    /// Its name in files and on the command line.
    pub name: String,
    /// `elastic`, `linear damping`, `hysteresis` or `own`.
    pub form: String,
    /// The formula.
    pub formula: String,
    /// Where it comes from.
    pub source: String,
    /// When to choose it.
    pub choose: String,
    /// What it takes.
    pub parameters: Vec<LawParameter>,
    /// The restitutions it is valid for; `null` if it takes none.
    pub restitution: Option<Range>,
    /// Where the restitution of a law that takes none comes from.
    pub restitution_instead: Option<String>,
    /// The exponents it is valid for; `null` for a law without a power.
    pub exponent: Option<ExponentRange>,
    /// The rule of parting for which its formula was derived.
    pub parting: String,
    /// Whether the rule of parting changes the restitution.
    pub parting_rules_differ: bool,
    /// One entry for each restitution asked for; `null` if it takes none.
    pub delivered: Option<Vec<Delivery>>,
}

/// A number, or an expression, that a law takes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LawParameter {
    /// The word of model files.
    pub name: String,
    /// The letter of the formulas.
    pub symbol: String,
    /// Its SI unit.
    pub unit: String,
    /// What it is.
    pub doc: String,
    /// Whether the law needs it.
    pub required: bool,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// Whether the least itself is inside.
    pub low_inside: bool,
    /// The greatest; it is inside.
    pub high: f64,
}

/// A range of exponents.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ExponentRange {
    /// The range.
    #[serde(flatten)]
    pub range: Range,
    /// The exponent that is taken if none is given.
    pub default: f64,
    /// Whether the law itself restricts the exponent, beyond what every spring asks for.
    pub restricted: bool,
}

/// What is asked of a law and what it delivers, whatever mass, stiffness and speed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Delivery {
    /// e asked for.
    pub asked: f64,
    /// e delivered by the rule of parting for which the law was derived.
    pub restitution: f64,
    /// e on parting at zero force.
    pub at_zero_force: f64,
    /// e on parting at zero indentation.
    pub at_zero_indentation: f64,
    /// The peak force divided by that of the impact without loss.
    pub peak_by_elastic: f64,
    /// The greatest indentation divided by that of the impact without loss.
    pub indentation_by_elastic: f64,
    /// The duration divided by that of the impact without loss; `null` if the pair never parts.
    #[schemars(with = "Option<f64>")]
    pub duration_by_elastic: f64,
}

/// One law with everything there is to say.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LawPage {
    /// The version of carom.
    pub carom: String,
    /// The law.
    #[serde(flatten)]
    pub law: Law,
    /// n in force; `null` for a law without a power.
    pub exponent_in_force: Option<f64>,
    /// What an uncertain stiffness does to the peak force; `null` for a law without a power.
    pub peak_by_stiffness: Option<PeakByStiffness>,
}

/// How the peak force grows with the stiffness.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PeakByStiffness {
    /// 1/(n + 1): the peak force grows with this power of the stiffness.
    pub power: f64,
    /// The factor of the peak force if the stiffness doubles.
    pub stiffness_by_2: f64,
    /// The factor of the peak force if the stiffness is ten times as large.
    pub stiffness_by_10: f64,
    /// Whether this holds for the elastic part of the force only.
    pub elastic_part_only: bool,
}

impl LawCatalogue {
    /// Every law at the restitutions [`ASKED`].
    pub fn new() -> Result<Self, LawError> {
        let laws = LAWS.iter().map(|entry| Law::new(entry, ASKED.into_iter(), None));
        Ok(Self { carom: super::version(), laws: laws.collect::<Result<_, _>>()? })
    }
}

impl Law {
    fn new(
        entry: &Entry,
        asked: impl Iterator<Item = f64>,
        exponent: Option<f64>,
    ) -> Result<Self, LawError> {
        let delivered = entry.restitution.map(|bounds| {
            asked
                .filter(|&e| bounds.contain(e))
                .filter_map(|e| Some((e, entry.delivered(e, exponent)?)))
                .map(|(asked, found)| found.map(|found| Delivery::new(asked, &found)))
                .collect::<Result<Vec<_>, _>>()
        });
        let delivered = delivered.transpose()?.filter(|list| !list.is_empty());
        let differs = |d: &Delivery| differ(d.at_zero_force, d.at_zero_indentation, 1.0);
        Ok(Self {
            name: entry.name.to_owned(),
            form: entry.form.name().to_owned(),
            formula: entry.formula.to_owned(),
            source: entry.source.to_owned(),
            choose: entry.choose.to_owned(),
            parameters: entry.parameters.iter().copied().map(LawParameter::new).collect(),
            restitution: entry.restitution.map(Range::from),
            restitution_instead: entry
                .restitution
                .is_none()
                .then(|| instead_of_restitution(entry).to_owned()),
            exponent: entry.exponent.map(|(bounds, default)| ExponentRange {
                range: bounds.into(),
                default,
                restricted: bounds != Bounds::ANY_EXPONENT,
            }),
            parting: entry.parting.name().to_owned(),
            parting_rules_differ: delivered.iter().flatten().any(differs),
            delivered,
        })
    }

    /// What it delivers at a restitution of the catalogue.
    pub fn at(&self, asked: f64) -> Option<&Delivery> {
        self.delivered.iter().flatten().find(|d| d.asked == asked)
    }
}

/// Where the restitution of a law that takes none comes from.
fn instead_of_restitution(entry: &Entry) -> &'static str {
    match entry.form {
        Form::Elastic => "1: nothing is lost",
        Form::Viscous | Form::LinearDamping(_) => "by its c",
        Form::Hysteresis(_) | Form::Own(_) => "by the parameters",
    }
}

impl LawParameter {
    fn new(parameter: Parameter) -> Self {
        Self {
            name: parameter.name().to_owned(),
            symbol: parameter.symbol().to_owned(),
            unit: parameter.unit().to_owned(),
            doc: parameter.doc().to_owned(),
            required: parameter != Parameter::Exponent,
        }
    }
}

impl From<Bounds> for Range {
    fn from(bounds: Bounds) -> Self {
        Self { low: bounds.low, low_inside: bounds.low_inside, high: bounds.high }
    }
}

impl Delivery {
    fn new(asked: f64, found: &Delivered) -> Self {
        Self {
            asked,
            restitution: found.restitution,
            at_zero_force: found.at_zero_force,
            at_zero_indentation: found.at_zero_indentation,
            peak_by_elastic: found.peak_force,
            indentation_by_elastic: found.max_indentation,
            duration_by_elastic: found.duration,
        }
    }
}

impl LawPage {
    /// The law with an exponent of its range, or its own.
    fn new(entry: &Entry, exponent: Option<f64>) -> Result<Self, LawError> {
        if let Some(found) = exponent {
            let law = entry.name;
            let Some((bounds, _)) = entry.exponent else {
                let takes: Vec<&str> = entry.parameters.iter().map(|p| p.name()).collect();
                let (parameter, takes) = (Parameter::Exponent, takes.join(", "));
                return Err(LawError::Surplus { law, parameter, takes });
            };
            if !bounds.contain(found) {
                let (what, expected) = (Parameter::Exponent.name(), bounds.text);
                return Err(LawError::OutOfRange { law, what, found, expected });
            }
        }
        let asked = (1..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
        let exponent_in_force = exponent.or(entry.exponent.map(|x| x.1));
        let elastic_part_only = matches!(entry.form, Form::Viscous | Form::Own(_));
        Ok(Self {
            carom: super::version(),
            law: Law::new(entry, asked, exponent)?,
            exponent_in_force,
            peak_by_stiffness: exponent_in_force.map(|n| {
                let power = 1.0 / (n + 1.0);
                PeakByStiffness {
                    power,
                    stiffness_by_2: 2_f64.powf(power),
                    stiffness_by_10: 10_f64.powf(power),
                    elastic_part_only,
                }
            }),
        })
    }
}
