//! What would change the effective mass: exact derivatives, and the effect of one per cent.

use std::fmt::Write as _;

use carom::answer::GradientsAnswer;
use carom::answer::digits::clean;

use super::Grid;
use super::check::MOST_LISTED;
use crate::number::{percent, six};

/// Both tables as text.
pub(crate) fn text(found: &GradientsAnswer, mass_unit: &str) -> String {
    let mut out = format!("    {}\n", by_parameters());
    out += &parameters(found, mass_unit).text(6);
    out += &more(found.parameters.len());
    let _ = writeln!(out, "    {}", by_coordinates(found));
    out += &coordinates(found, mass_unit).text(6);
    out + &more(found.coordinates.len())
}

fn more(count: usize) -> String {
    match count.checked_sub(MOST_LISTED) {
        None | Some(0) => String::new(),
        Some(rest) => format!("      and {rest} more (--format json)\n"),
    }
}

/// What the first table is about.
pub(crate) fn by_parameters() -> &'static str {
    "by inertial parameters, the most effective first (a part's mass at fixed centre and inertia)"
}

/// What the second table is about.
pub(crate) fn by_coordinates(found: &GradientsAnswer) -> &'static str {
    if found.along_closures {
        "by joint coordinates, the other joints and all velocities following the closures, and by rotors on them"
    } else {
        "by joint coordinates, at fixed velocities, and by rotors on them"
    }
}

/// By inertial parameters.
pub(crate) fn parameters(found: &GradientsAnswer, mass_unit: &str) -> Grid {
    let mut grid =
        Grid::new(&["parameter", "value", "dm_eff", "dT_c", "1 % more changes m_eff by"]);
    for p in found.parameters.iter().take(MOST_LISTED) {
        grid.row(vec![
            p.name.clone(),
            format!("{} {}", six(p.value), p.unit),
            per(p.effective_mass, mass_unit, &p.unit),
            per(p.constrained_energy, "J", &p.unit),
            if p.value == 0.0 { String::new() } else { percent(p.effect_of_one_per_cent) },
        ]);
    }
    grid
}

/// By joint coordinates and by the rotors on them.
pub(crate) fn coordinates(found: &GradientsAnswer, mass_unit: &str) -> Grid {
    let all = &found.coordinates;
    let largest = |list: &mut dyn Iterator<Item = Option<f64>>| {
        list.flatten().fold(0.0_f64, |m, x| m.max(x.abs()))
    };
    let mass_size = largest(&mut all.iter().map(|c| c.effective_mass));
    let energy_size = largest(&mut all.iter().map(|c| c.constrained_energy));
    let mut grid = Grid::new(&["coordinate", "dm_eff", "dT_c", "dm_eff by its rotor"]);
    for (c, rotor) in all.iter().zip(&found.rotors).take(MOST_LISTED) {
        let mass = c.effective_mass.map_or_else(
            || "cannot move".to_owned(),
            |x| per(clean(x, mass_size), mass_unit, &c.unit),
        );
        let energy = c
            .constrained_energy
            .map_or_else(String::new, |x| per(clean(x, energy_size), "J", &c.unit));
        let inertia = if c.unit == "rad" { "kg m²" } else { "kg" };
        let rotor = per(rotor.effective_mass, mass_unit, inertia);
        grid.row(vec![c.coordinate.clone(), mass, energy, rotor]);
    }
    grid
}

/// `0.25 kg/kg`.
fn per(x: f64, of: &str, by: &str) -> String {
    let by = if by.contains(' ') { format!("({by})") } else { by.to_owned() };
    format!("{} {of}/{by}", six(x))
}
