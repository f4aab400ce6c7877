//! The figures of Moreira et al.: two equal steel spheres under six laws, and what three of them deliver.

use carom::answer::laws::LawGroup;

use super::axis::Axis;
use super::legend::Entry;
use super::look::{GUIDE, look};
use super::panel::Curve;

/// The line on which a law delivers what is asked for.
pub(super) fn diagonal() -> Curve {
    Curve { points: vec![(0.0, 0.0), (1.0, 1.0)], look: GUIDE }
}

/// The axes of restitutions.
pub(super) fn restitutions() -> [Axis; 2] {
    [Axis::plain("restitution asked for", 0.0, 1.0), Axis::plain("restitution delivered", 0.0, 1.0)]
}

/// Fig. 7d and its legend.
pub(super) fn figure_7d(laws: &[LawGroup]) -> (Vec<Curve>, Vec<Entry>) {
    let curve = |(k, law): (usize, &LawGroup)| Curve { points: law.points.clone(), look: look(k) };
    let mut curves = vec![diagonal()];
    curves.extend(laws.iter().enumerate().map(curve));
    let mut legend = names(laws);
    legend.push((GUIDE, "delivered as asked".to_owned()));
    (curves, legend)
}

/// The legend of laws.
pub(super) fn names(laws: &[LawGroup]) -> Vec<Entry> {
    laws.iter().enumerate().map(|(k, law)| (look(k), law.names.join(" = "))).collect()
}

/// What the figures show, for the sheet.
pub(super) fn notes(effective_mass: f64) -> Vec<String> {
    vec![
        "Figures 1 to 4 and 7d after Moreira, Flores, Claro, Lankarani".to_owned(),
        "(Moreira et al.): two equal steel spheres of 50 mm radius and".to_owned(),
        "7850 kg/m³, one at 0.5 m/s, the other at rest:".to_owned(),
        format!("m_eff = m/2 = {effective_mass:.4} kg."),
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
