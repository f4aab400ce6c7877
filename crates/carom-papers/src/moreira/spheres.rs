//! Two equal steel spheres.

use carom::contact::impact1d::{ImpactOutcome, Sample};
use carom::contact::law::{Parting, Settings};

use super::super::lab::{Answer, Lab};

const FILE: &str = "001/two-spheres.toml";
/// Moments of a curve.
const SAMPLES: usize = 241;

/// K of eqs. 3 and 4 \[N/m^1.5\].
pub(super) fn stiffness(lab: &Lab) -> Answer<f64> {
    let found = lab.assess(FILE, &[])?.stiffness;
    found.map(|s| s.stiffness).ok_or_else(|| "the spheres have no stiffness".to_owned())
}

/// m_eff \[kg\] and the approach speed \[m/s\].
pub(super) fn blow(lab: &Lab) -> Answer<(f64, f64)> {
    let row = lab.normal(FILE, &[])?;
    Ok((row.effective.mass, -row.effective.rate))
}

/// Figs. 1 to 4: the law and its published settings.
pub(super) fn settings(law: &str) -> Settings {
    match law {
        "hooke" => Settings { stiffness: Some(2.4e9), ..Settings::default() },
        "kelvin-voigt" => Settings {
            stiffness: Some(2.4e9),
            damping: Some(3000.0),
            // As the paper draws it: to the end of the indentation.
            parting: Some(Parting::ZeroIndentation),
            ..Settings::default()
        },
        "hertz" => Settings { stiffness: Some(2.4e10), ..Settings::default() },
        _ => Settings { stiffness: Some(2.4e10), restitution: Some(0.8), ..Settings::default() },
    }
}

/// The impact under a law with settings.
pub(super) fn outcome(lab: &Lab, law: &str, settings: &Settings) -> Answer<ImpactOutcome> {
    lab.impact(law, settings, blow(lab)?, |impact| *impact.outcome())
}

/// The same over time.
pub(super) fn curve(lab: &Lab, law: &str) -> Answer<Vec<Sample>> {
    lab.impact(law, &settings(law), blow(lab)?, |impact| impact.curve(SAMPLES))
}
