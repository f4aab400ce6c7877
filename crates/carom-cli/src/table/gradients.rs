//! What would change the effective mass: exact derivatives, and the effect of one per cent.

use std::fmt::Write as _;

use carom::dynamics::Posture;
use carom::impact::{EffectiveMass, Gradients};

use super::Grid;
use super::check::{MOST_LISTED, own_inertia};
use crate::json::coordinate_names;
use crate::number::{percent, six};

/// dm_eff and dT_c by one joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope {
    /// dm_eff.
    pub mass: f64,
    /// dT_c, with velocities that stay consistent with the closures.
    pub energy: f64,
    /// dT_c, with velocities held as numbers.
    pub fixed_energy: f64,
}

/// By every coordinate; with closures along the motion in which the others follow, `None` for a
/// coordinate that cannot move.
pub(crate) fn by_coordinate(at: &Posture<'_>, found: &Gradients) -> Vec<Option<Slope>> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum();
    (0..at.model().nv)
        .map(|column| {
            if at.model().closures.is_empty() {
                let mass = found.mass_by_position[column];
                let energy = found.energy_by_position[column];
                return Some(Slope { mass, energy, fixed_energy: energy });
            }
            let direction = Gradients::direction(at, column)?;
            Some(Slope {
                mass: dot(&direction, &found.mass_by_position),
                energy: dot(&direction, &found.consistent_energy_by_position),
                fixed_energy: dot(&direction, &found.energy_by_position),
            })
        })
        .collect()
}

/// A derivative below this part of the largest of its kind is round-off.
const ROUND_OFF: f64 = 1e-13;

/// An inertial parameter, its value and dm_eff by it.
struct Parameter {
    name: String,
    unit: &'static str,
    value: f64,
    slope: f64,
}

impl Parameter {
    /// Change of m_eff, as a part of it, when the parameter grows by one per cent.
    fn effect(&self, m: f64) -> f64 {
        0.01 * self.value * self.slope / m
    }
}

/// Both tables.
pub(crate) fn text(
    at: &Posture<'_>,
    (effective, mass_unit): (&EffectiveMass, &str),
    found: &Gradients,
) -> String {
    let m = effective.mass;
    let mut all = parameters(at, found);
    all.sort_by(|x, y| {
        let effects = y.effect(m).abs().total_cmp(&x.effect(m).abs());
        effects.then(y.slope.abs().total_cmp(&x.slope.abs()))
    });
    let mut out = String::from(
        "    by inertial parameters, the most effective first (a part's mass at fixed centre and inertia)\n",
    );
    let mut grid =
        Grid::new(&["parameter", "value", "dm_eff", "dT_c", "1 % more changes m_eff by"]);
    for p in all.iter().take(MOST_LISTED) {
        grid.row(vec![
            p.name.clone(),
            format!("{} {}", six(p.value), p.unit),
            per(p.slope, mass_unit, p.unit),
            per(found.energy_per_mass * p.slope, "J", p.unit),
            if p.value == 0.0 { String::new() } else { percent(p.effect(m)) },
        ]);
    }
    out += &grid.text(6);
    if all.len() > MOST_LISTED {
        let _ = writeln!(out, "      and {} more (--format json)", all.len() - MOST_LISTED);
    }
    out + &positions(at, mass_unit, found)
}

/// By joint coordinates and by the rotors on them.
fn positions(at: &Posture<'_>, mass_unit: &str, found: &Gradients) -> String {
    let mut out = String::from(if at.model().closures.is_empty() {
        "    by joint coordinates, at fixed velocities, and by rotors on them\n"
    } else {
        "    by joint coordinates, the other joints and all velocities following the closures, and by rotors on them\n"
    });
    let names = coordinate_names(at.model());
    let angular = at.model().bodies.iter().flat_map(|body| {
        let kind = body.joint.kind;
        (0..kind.velocities()).map(move |c| kind.is_angular(c))
    });
    let slopes = by_coordinate(at, found);
    let of = |pick: fn(&Slope) -> f64| slopes.iter().flatten().map(move |s| pick(s).abs());
    let mass_least = ROUND_OFF * of(|s| s.mass).fold(0.0, f64::max);
    let energy_least = ROUND_OFF * of(|s| s.energy).fold(0.0, f64::max);
    let clean = |x: f64, least: f64| if x.abs() <= least { 0.0 } else { x };
    let mut grid = Grid::new(&["coordinate", "dm_eff", "dT_c", "dm_eff by its rotor"]);
    for (((name, turns), slope), rotor) in
        names.iter().zip(angular).zip(&slopes).zip(&found.mass_by_rotor).take(MOST_LISTED)
    {
        let (unit, inertia) = if turns { ("rad", "kg m²") } else { ("m", "kg") };
        let (mass, energy) = slope.map_or_else(
            || ("cannot move".to_owned(), String::new()),
            |s| {
                let mass = per(clean(s.mass, mass_least), mass_unit, unit);
                (mass, per(clean(s.energy, energy_least), "J", unit))
            },
        );
        grid.row(vec![name.clone(), mass, energy, per(*rotor, mass_unit, inertia)]);
    }
    out += &grid.text(6);
    if names.len() > MOST_LISTED {
        let _ = writeln!(out, "      and {} more (--format json)", names.len() - MOST_LISTED);
    }
    out
}

/// `0.25 kg/kg`.
fn per(x: f64, of: &str, by: &str) -> String {
    let by = if by.contains(' ') { format!("({by})") } else { by.to_owned() };
    format!("{} {of}/{by}", six(x))
}

/// Masses, centres and inertias that have an effect.
fn parameters(at: &Posture<'_>, found: &Gradients) -> Vec<Parameter> {
    let model = at.model();
    let mut out = Vec::new();
    for (body, g) in model.bodies.iter().zip(&found.mass_by_body) {
        let mut push = |what: &str, unit, value, slope| {
            if slope != 0.0 {
                out.push(Parameter { name: format!("{}.{what}", body.name), unit, value, slope });
            }
        };
        push("mass", "kg", body.inertia.mass, g.mass);
        let center = body.frame.inverse().point(&body.inertia.center);
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            push(&format!("center.{axis}"), "m", clean(center[k]), g.center[k]);
        }
        let inertia = own_inertia(body);
        for (k, axes) in ["Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"].into_iter().enumerate() {
            push(axes, "kg m²", inertia[k], g.inertia[k]);
        }
    }
    // A derivative far below the largest of its kind is round-off.
    let largest = |unit: &str| {
        let slopes = out.iter().filter(|p| p.unit == unit).map(|p| p.slope.abs());
        slopes.fold(0.0, f64::max)
    };
    let least = ["kg", "m", "kg m²"].map(|unit| (unit, ROUND_OFF * largest(unit)));
    out.retain(|p| least.iter().all(|(unit, x)| p.unit != *unit || p.slope.abs() > *x));
    out
}

/// Coordinates of a mass centre come back through the joint's frame: what cancels is round-off.
fn clean(x: f64) -> f64 {
    if x.abs() < 1e-15 { 0.0 } else { x }
}
