//! An impact under a law as it is asked for: quantities in texts with units, as in model files and behind `carom laws`.

use thiserror::Error;

use super::impact::{LawImpact, LawImpactOptions, Sampling};
use super::quantity::{number, quantity};
use super::stiffness::{Elasticity, elasticity};
use super::{Law, LawPage};
use crate::contact::catalogue;
use crate::contact::law::{Entry, ForceExpression, LawError, Parameter, Parting, Settings};
use crate::maths::units::Dimension;

/// Why a question about a law has no answer.
#[derive(Debug, Error)]
pub enum LawsError {
    /// The law itself refuses, or there is none of that name.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A value of the question is missing or cannot be meant.
    #[error("{0}")]
    Question(String),
}

/// What is asked of a law. The values are texts with units, such as `1.8 km/h`; the law says which it needs.
#[derive(Clone, Debug, Default)]
pub struct LawQuestion {
    /// m_eff \[kg\].
    pub mass: Option<String>,
    /// The approach speed \[m/s\].
    pub speed: Option<String>,
    /// K \[N/mⁿ\]; its unit, if written, fixes n.
    pub stiffness: Option<String>,
    /// Two materials instead of a stiffness: `steel,aluminium`, or `E=210 GPa,nu=0.3` in the place of a name.
    pub materials: Option<String>,
    /// Their two radii \[m\]: negative for a hollow, `inf` for a plane.
    pub radii: Option<String>,
    /// n; the law's own if it is not given.
    pub exponent: Option<String>,
    /// The restitution asked for.
    pub restitution: Option<String>,
    /// c \[N s/m\] of `kelvin-voigt`.
    pub damping: Option<String>,
    /// The greatest damping \[N s/m\] of `impact`.
    pub max_damping: Option<String>,
    /// The indentation \[m\] at which the damping of `impact` is full.
    pub damping_depth: Option<String>,
    /// The force \[N\] of `expression`.
    pub force: Option<String>,
    /// When the pair parts; the law's own rule if it is not given.
    pub parting: Option<Parting>,
    /// The moments that are wanted.
    pub sampling: Sampling,
}

impl LawImpact {
    /// The impact of two bodies under the law of that name.
    pub fn asked(name: &str, question: &LawQuestion) -> Result<Self, LawsError> {
        impact(catalogue::find(name)?, question).map_err(LawsError::Question)
    }
}

impl LawPage {
    /// The law of that name with an exponent of its range, or its own.
    pub fn named(name: &str, exponent: Option<&str>) -> Result<Self, LawsError> {
        let entry = catalogue::find(name)?;
        let exponent = exponent.map(|text| number("--exponent", text)).transpose();
        Ok(Self::new(entry, exponent.map_err(LawsError::Question)?)?)
    }
}

impl Law {
    /// The parameters it takes, as options of the command.
    pub fn options(&self) -> String {
        let words = self.parameters.iter().map(|p| format!("--{}", p.name.replace('_', "-")));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// N s/m.
const DAMPING: Dimension = Dimension::new(1.0, 0.0, -1.0);

/// Reads the question and asks for the impact.
fn impact(entry: &Entry, given: &LawQuestion) -> Result<LawImpact, String> {
    let elasticity = elasticity(given)?;
    let settings = settings(given, &elasticity)?;
    let (mass, speed) = mass_and_speed(entry, given)?;
    let (pair, force) = (elasticity.pair, given.force.clone());
    let sampling = given.sampling;
    let options = LawImpactOptions { mass, speed, settings, pair, force, sampling };
    LawImpact::new(entry, &options).map_err(|error| match error {
        LawError::Missing { parameter, .. } => format!("{error}; give {}", option(parameter)),
        LawError::OutOfRange { what, .. }
            if what == Parameter::Exponent.name() && given.exponent.is_none() =>
        {
            let materials = given.materials.is_some();
            let source = if materials { "--materials" } else { "the unit of --stiffness" };
            format!("{error}; the exponent follows from {source}")
        }
        other => other.to_string(),
    })
}

/// The word on the command line.
fn option(parameter: Parameter) -> String {
    format!("--{}", parameter.name().replace('_', "-"))
}

/// The options a law takes.
fn options(entry: &Entry) -> String {
    let words: Vec<String> = entry.parameters.iter().map(|p| option(*p)).collect();
    words.join(", ")
}

fn settings(given: &LawQuestion, elasticity: &Elasticity) -> Result<Settings, String> {
    let read = |word: &str, text: &Option<String>, dimension| {
        text.as_deref().map(|text| quantity(word, text, dimension)).transpose()
    };
    let force = given.force.as_deref().map(|text| {
        ForceExpression::parse(text).map_err(|error| format!("--force \"{text}\": {error}"))
    });
    Ok(Settings {
        stiffness: elasticity.stiffness,
        exponent: elasticity.exponent,
        restitution: given
            .restitution
            .as_deref()
            .map(|text| number("--restitution", text))
            .transpose()?,
        damping: read("--damping", &given.damping, DAMPING)?,
        max_damping: read("--max-damping", &given.max_damping, DAMPING)?,
        damping_depth: read("--damping-depth", &given.damping_depth, Dimension::LENGTH)?,
        force: force.transpose()?,
        parting: given.parting,
    })
}

fn mass_and_speed(entry: &Entry, given: &LawQuestion) -> Result<(f64, f64), String> {
    match (given.mass.as_deref(), given.speed.as_deref()) {
        (Some(mass), Some(speed)) => {
            let mass = quantity("--mass", mass, Dimension::MASS)?;
            Ok((mass, quantity("--speed", speed, Dimension::VELOCITY)?))
        }
        (mass, speed) => {
            let missing: Vec<&str> = [("--mass", mass), ("--speed", speed)]
                .into_iter()
                .filter_map(|(word, text)| text.is_none().then_some(word))
                .collect();
            Err(format!(
                "{}: {} missing: an impact needs --mass (the effective mass [kg]), --speed (the \
                 approach [m/s]) and the parameters of the law ({})",
                entry.name,
                missing.join(" and ") + if missing.len() == 1 { " is" } else { " are" },
                options(entry)
            ))
        }
    }
}
