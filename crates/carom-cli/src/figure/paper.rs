//! The figures of seed 001: two equal steel spheres under six laws, and what three of them deliver.

use std::f64::consts::PI;

use carom::contact::catalogue;
use carom::contact::impact1d::{Impact1D, Sample};
use carom::contact::law::{LawError, Parting, Settings};

use super::axis::Axis;
use super::history::Track;
use super::legend::Entry;
use super::look::{GUIDE, PLAIN, look};
use super::panel::Curve;

/// R \[m\] of each sphere.
const RADIUS: f64 = 0.05;
/// \[kg/m³\]; the paper has none (SEEDS 001.4).
const DENSITY: f64 = 7850.0;
/// \[m/s\], the other sphere is at rest.
const SPEED: f64 = 0.5;
/// K \[N/m\] of figs. 1 and 3.
const LINEAR: f64 = 2.4e9;
/// K \[N/m^1.5\] of figs. 2 and 4.
const HERTZ: f64 = 2.4e10;
/// D \[N s/m\] of fig. 3.
const DAMPER: f64 = 3000.0;
/// c_r of fig. 4.
const RESTITUTION: f64 = 0.8;
/// Moments of a curve.
const SAMPLES: usize = 241;
/// Points of a curve over the restitution.
pub(super) const POINTS: u32 = 50;

/// The laws of figs. 4 and 7d.
pub(super) const THREE: [&str; 3] = ["hunt-crossley", "lankarani-nikravesh", "flores"];

/// m_eff \[kg\] of the two spheres: half of one.
fn effective_mass() -> f64 {
    0.5 * DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3)
}

fn samples(name: &str, settings: &Settings) -> Result<Vec<Sample>, LawError> {
    let law = catalogue::find(name)?.make(settings)?;
    Ok(Impact1D::new(law.as_ref(), effective_mass(), SPEED)?.curve(SAMPLES))
}

/// Fig. 1.
pub(super) fn hooke() -> Result<Vec<Track>, LawError> {
    let settings = Settings { stiffness: Some(LINEAR), ..Settings::default() };
    Ok(vec![Track { samples: samples("hooke", &settings)?, look: PLAIN }])
}

/// Fig. 2.
pub(super) fn hertz() -> Result<Vec<Track>, LawError> {
    let settings = Settings { stiffness: Some(HERTZ), ..Settings::default() };
    Ok(vec![Track { samples: samples("hertz", &settings)?, look: PLAIN }])
}

/// Fig. 3, drawn to zero indentation as there.
pub(super) fn kelvin_voigt() -> Result<Vec<Track>, LawError> {
    let settings = Settings {
        stiffness: Some(LINEAR),
        damping: Some(DAMPER),
        parting: Some(Parting::ZeroIndentation),
        ..Settings::default()
    };
    Ok(vec![Track { samples: samples("kelvin-voigt", &settings)?, look: PLAIN }])
}

/// Fig. 4.
pub(super) fn damped() -> Result<Vec<Track>, LawError> {
    let settings =
        Settings { stiffness: Some(HERTZ), restitution: Some(RESTITUTION), ..Settings::default() };
    let track =
        |(k, name): (usize, &&str)| Ok(Track { samples: samples(name, &settings)?, look: look(k) });
    THREE.iter().enumerate().map(track).collect()
}

/// What a law delivers over the restitutions that it takes.
pub(super) fn delivered(name: &str) -> Result<Vec<(f64, f64)>, LawError> {
    let entry = catalogue::find(name)?;
    (1..=POINTS)
        .map(|k| f64::from(k) / f64::from(POINTS))
        .filter_map(|e| Some((e, entry.delivered(e, None)?)))
        .map(|(e, found)| Ok((e, found?.restitution)))
        .collect()
}

/// The line on which a law delivers what is asked for.
pub(super) fn diagonal() -> Curve {
    Curve { points: vec![(0.0, 0.0), (1.0, 1.0)], look: GUIDE }
}

/// The axes of restitutions.
pub(super) fn restitutions() -> [Axis; 2] {
    [Axis::plain("restitution asked for", 0.0, 1.0), Axis::plain("restitution delivered", 0.0, 1.0)]
}

/// Fig. 7d and its legend.
pub(super) fn figure_7d() -> Result<(Vec<Curve>, Vec<Entry>), LawError> {
    let mut curves = vec![diagonal()];
    for (k, name) in THREE.iter().enumerate() {
        curves.push(Curve { points: delivered(name)?, look: look(k) });
    }
    let mut legend = three();
    legend.push((GUIDE, "delivered as asked".to_owned()));
    Ok((curves, legend))
}

/// The legend of the three laws.
pub(super) fn three() -> Vec<Entry> {
    THREE.iter().enumerate().map(|(k, name)| (look(k), (*name).to_owned())).collect()
}

/// What the figures show, for the sheet.
pub(super) fn notes() -> Vec<String> {
    vec![
        "Figures 1 to 4 and 7d after Moreira, Flores, Claro, Lankarani".to_owned(),
        "(seed 001): two equal steel spheres of 50 mm radius and".to_owned(),
        "7850 kg/m³, one at 0.5 m/s, the other at rest:".to_owned(),
        format!("m_eff = m/2 = {:.4} kg.", effective_mass()),
        String::new(),
        "1: Hooke, K = 2.4e9 N/m".to_owned(),
        "2: Hertz, K = 2.4e10 N/m^1.5".to_owned(),
        "3: Kelvin-Voigt, K = 2.4e9 N/m, D = 3000 N s/m,".to_owned(),
        "to zero indentation: the force pulls at the end".to_owned(),
        "4: three laws with hysteresis at c_r = 0.8, K as in 2".to_owned(),
        "7d: restitution delivered against restitution asked for".to_owned(),
        String::new(),
        "δ_el and F_el are indentation and peak force of the impact".to_owned(),
        "without loss. Each law parts by its own rule.".to_owned(),
    ]
}
