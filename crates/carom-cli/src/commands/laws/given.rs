//! What the options of `carom laws` say: values with units, for an impact under a law.

use carom::answer::laws::{LawImpact, LawImpactOptions, Sampling};
use carom::contact::law::{Entry, ForceExpression, LawError, Parameter, Settings};
use carom::maths::units::Dimension;

use super::quantity::{number, quantity};
use super::stiffness::{Elasticity, elasticity};
use crate::args::{Impact, PartingRule};

/// N s/m.
const DAMPING: Dimension = Dimension::new(1.0, 0.0, -1.0);

/// Reads the options and asks for the impact.
pub(super) fn impact(
    entry: &Entry,
    given: &Impact,
    sampling: Sampling,
) -> Result<LawImpact, String> {
    let elasticity = elasticity(given)?;
    let settings = settings(given, &elasticity)?;
    let (mass, speed) = mass_and_speed(entry, given)?;
    let (pair, force) = (elasticity.pair, given.force.clone());
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
pub(super) fn options(entry: &Entry) -> String {
    let words: Vec<String> = entry.parameters.iter().map(|p| option(*p)).collect();
    words.join(", ")
}

fn settings(given: &Impact, elasticity: &Elasticity) -> Result<Settings, String> {
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
        parting: given.parting.map(PartingRule::rule),
    })
}

fn mass_and_speed(entry: &Entry, given: &Impact) -> Result<(f64, f64), String> {
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
