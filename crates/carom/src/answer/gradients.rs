//! What would change the effective mass: exact derivatives, and the effect of one per cent.

use schemars::JsonSchema;
use serde::Serialize;

use super::body::{own_center, own_inertia};
use super::components;
use crate::dynamics::Posture;
use crate::impact::{BodyGradient, Gradients};
use crate::maths::digits::ROUND_OFF;

/// dm_eff and dT_c by every parameter, in body frames and the contact's unit of mass.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GradientsAnswer {
    /// dT_c = this factor · dm_eff for every inertial parameter: ½ u².
    pub constrained_energy_per_effective_mass: f64,
    /// By the inertial parameters of every body.
    pub bodies: Vec<BodyGradientAnswer>,
    /// By the rotor inertia on every coordinate.
    pub rotors: Vec<RotorGradient>,
    /// Whether the derivatives by coordinates are along motions in which all other joints and all velocities follow the closures.
    pub along_closures: bool,
    /// By every joint coordinate.
    pub coordinates: Vec<CoordinateGradient>,
    /// The inertial parameters that have an effect, the most effective first.
    pub parameters: Vec<ParameterGradient>,
}

/// Derivatives by the inertial parameters of a body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BodyGradientAnswer {
    /// The body.
    pub body: String,
    /// Of m_eff.
    pub effective_mass: InertialGradient,
    /// Of T_c.
    pub constrained_energy: InertialGradient,
}

/// Derivatives of one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InertialGradient {
    /// By the mass, at fixed centre and central inertia.
    pub mass: f64,
    /// By the coordinates of the mass centre.
    pub center: [f64; 3],
    /// By Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the mass centre.
    pub inertia: [f64; 6],
}

impl InertialGradient {
    fn new(g: &BodyGradient, factor: f64) -> Self {
        Self {
            mass: factor * g.mass,
            center: components(&(g.center * factor)),
            inertia: g.inertia.map(|x| factor * x),
        }
    }
}

/// Derivatives by a rotor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RotorGradient {
    /// `joint.coordinate`.
    pub coordinate: String,
    /// dm_eff.
    pub effective_mass: f64,
    /// dT_c.
    pub constrained_energy: f64,
}

/// Derivatives by a joint coordinate; `null` for one that cannot move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CoordinateGradient {
    /// `joint.coordinate`.
    pub coordinate: String,
    /// `m` or `rad`.
    pub unit: String,
    /// dm_eff.
    pub effective_mass: Option<f64>,
    /// dT_c, velocities following the closures.
    pub constrained_energy: Option<f64>,
    /// dT_c, velocities held as numbers.
    pub constrained_energy_at_fixed_v: Option<f64>,
}

/// The effect of one inertial parameter.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ParameterGradient {
    /// `body.mass`, `body.center.x`, `body.Izz`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value.
    pub value: f64,
    /// dm_eff.
    pub effective_mass: f64,
    /// dT_c.
    pub constrained_energy: f64,
    /// The relative change of m_eff when the parameter grows by one per cent.
    pub effect_of_one_per_cent: f64,
}

impl GradientsAnswer {
    /// Of a row with this m_eff.
    pub(super) fn new(at: &Posture<'_>, found: &Gradients, mass: f64) -> Self {
        let model = at.model();
        let names = model.coordinate_names();
        let per_mass = found.energy_per_mass;
        let bodies =
            model.bodies.iter().zip(&found.mass_by_body).map(|(body, g)| BodyGradientAnswer {
                body: body.name.clone(),
                effective_mass: InertialGradient::new(g, 1.0),
                constrained_energy: InertialGradient::new(g, per_mass),
            });
        let rotors = names.iter().zip(&found.mass_by_rotor).map(|(name, dm)| RotorGradient {
            coordinate: name.clone(),
            effective_mass: *dm,
            constrained_energy: per_mass * dm,
        });
        Self {
            constrained_energy_per_effective_mass: per_mass,
            bodies: bodies.collect(),
            rotors: rotors.collect(),
            along_closures: !model.closures.is_empty(),
            coordinates: coordinates(at, found, &names),
            parameters: parameters(at, found, mass),
        }
    }
}

/// By every coordinate; with closures along the motion in which the other joints follow.
fn coordinates(at: &Posture<'_>, found: &Gradients, names: &[String]) -> Vec<CoordinateGradient> {
    let model = at.model();
    let angular = model.bodies.iter().flat_map(|body| {
        let kind = body.joint.kind;
        (0..kind.velocities()).map(move |c| kind.is_angular(c))
    });
    let one = |(column, (name, turns)): (usize, (&String, bool))| {
        let slopes = found.by_coordinate(at, column);
        CoordinateGradient {
            coordinate: name.clone(),
            unit: if turns { "rad" } else { "m" }.to_owned(),
            effective_mass: slopes.map(|s| s[0]),
            constrained_energy: slopes.map(|s| s[1]),
            constrained_energy_at_fixed_v: slopes.map(|s| s[2]),
        }
    };
    names.iter().zip(angular).enumerate().map(one).collect()
}

/// Masses, centres and inertias that have an effect; derivatives within round-off of the largest of their kind have none.
fn parameters(at: &Posture<'_>, found: &Gradients, mass: f64) -> Vec<ParameterGradient> {
    let mut out = Vec::new();
    for (body, g) in at.model().bodies.iter().zip(&found.mass_by_body) {
        let mut push = |what: &str, unit: &str, value: f64, slope: f64| {
            out.push(ParameterGradient {
                name: format!("{}.{what}", body.name),
                unit: unit.to_owned(),
                value,
                effective_mass: slope,
                constrained_energy: found.energy_per_mass * slope,
                effect_of_one_per_cent: 0.01 * value * slope / mass,
            });
        };
        push("mass", "kg", body.inertia.mass, g.mass);
        let center = own_center(body);
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            push(&format!("center.{axis}"), "m", center[k], g.center[k]);
        }
        let inertia = own_inertia(body);
        for (k, axes) in ["Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"].into_iter().enumerate() {
            push(axes, "kg m²", inertia[k], g.inertia[k]);
        }
    }
    let largest = |unit: &str| {
        let slopes = out.iter().filter(|p| p.unit == unit).map(|p| p.effective_mass.abs());
        slopes.fold(0.0, f64::max)
    };
    let least = ["kg", "m", "kg m²"].map(|unit| (unit, ROUND_OFF * largest(unit)));
    out.retain(|p| least.iter().all(|(unit, x)| p.unit != *unit || p.effective_mass.abs() > *x));
    out.sort_by(|x, y| {
        let effects = y.effect_of_one_per_cent.abs().total_cmp(&x.effect_of_one_per_cent.abs());
        effects.then(y.effective_mass.abs().total_cmp(&x.effective_mass.abs()))
    });
    out
}
