//! A run in columns: the motion over time, and every contact point while it touches.

use std::collections::HashMap;

use nalgebra::{Rotation3, UnitQuaternion};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Ran, RunOptions, spot_name};
use crate::dynamics::{DynamicsError, Mechanism, Posture};
use crate::maths::Vec3;
use crate::model::{ContactUnits, Model};
use crate::simulate::{ContactSample, Ledger, Outcome, Sample, Spot};

/// One quantity over time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Column {
    /// Its name, such as `q.pivot.angle`.
    pub name: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// Its values; `null` where it has none.
    #[schemars(with = "Vec<Option<f64>>")]
    pub values: Vec<f64>,
}

/// The motion over time: one entry per moment in every column.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunColumns {
    /// The moments \[s\]: even in time, at all events, and inside impacts.
    pub t: Vec<f64>,
    /// Whether an event lies there.
    pub event: Vec<bool>,
    /// Positions of the joints.
    pub q: Vec<Column>,
    /// Velocities of the joints.
    pub v: Vec<Column>,
    /// Where the energy is and went.
    pub energies: Vec<Column>,
    /// T_c of each contact point alone, ½ m_eff u², and T_a = T − T_c (without a value while a drive moves).
    pub impact_energies: Vec<Column>,
    /// Poses of the bodies' own frames, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub poses: Vec<Column>,
    /// Force and moment that each joint and closure transmits to its (second) body at its point there, in world axes, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Column>,
    /// Each contact point while it touches, at moments of its own.
    pub contacts: Vec<ContactColumns>,
}

/// A contact point while it touches or stays.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContactColumns {
    /// The name of the point: that of the contact, with a number where it has several points.
    pub name: String,
    /// The contact.
    pub contact: String,
    /// Which of its points, from 1.
    pub point: usize,
    /// What the contact measures in.
    pub units: ContactUnits,
    /// The moments \[s\].
    pub t: Vec<f64>,
    /// Gap, its rate, normal force; friction force, slip and contact point in world axes; T_c and T_a.
    pub columns: Vec<Column>,
}

/// A name with its unit in brackets, apart.
fn named(text: &str) -> (String, String) {
    let parts = text.strip_suffix(']').and_then(|t| t.split_once(" ["));
    parts
        .map_or((text.to_owned(), String::new()), |(name, unit)| (name.to_owned(), unit.to_owned()))
}

impl Column {
    fn new(name: impl Into<String>, unit: &str, values: Vec<f64>) -> Self {
        Self { name: name.into(), unit: unit.to_owned(), values }
    }

    /// The name with its unit in brackets, as it stands in the heading of a table.
    pub fn heading(&self) -> String {
        let Self { name, unit, .. } = self;
        if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") }
    }
}

impl RunColumns {
    pub(super) fn new(
        model: &Model,
        ran: &Ran,
        options: &RunOptions,
    ) -> Result<Self, DynamicsError> {
        let out = &ran.outcome;
        let column = |heading: &str, of: &dyn Fn(&Sample) -> f64| {
            let (name, unit) = named(heading);
            Column { name, unit, values: out.samples.iter().map(of).collect() }
        };
        let q = model.position_names();
        let v = model.velocity_names();
        let mut energies: Vec<Column> = Vec::new();
        for (k, name) in Ledger::NAMES.iter().enumerate() {
            energies.push(column(&format!("{name} [J]"), &|s| s.ledger.lines()[k]));
        }
        energies.push(column("balance [J]", &|s| s.ledger.balance()));
        let mut along = Vec::new();
        let along_all = out.samples.iter().all(|s| s.impact_energies.len() == out.spots.len());
        for (k, spot) in out.spots.iter().enumerate().filter(|_| along_all) {
            let name = spot_name(model, &out.spots, *spot);
            along.push(column(&format!("T_c.{name} [J]"), &|s| s.impact_energies[k]));
            along.push(column(&format!("T_a.{name} [J]"), &|s| {
                s.admissible_energy(model, k).unwrap_or(f64::NAN)
            }));
        }
        Ok(Self {
            t: out.samples.iter().map(|s| s.state.t).collect(),
            event: out.samples.iter().map(|s| s.event).collect(),
            q: q.iter().enumerate().map(|(k, n)| column(n, &|s| s.state.q[k])).collect(),
            v: v.iter().enumerate().map(|(k, n)| column(n, &|s| s.state.v[k])).collect(),
            energies,
            impact_energies: along,
            poses: if options.poses { poses(model, out)? } else { Vec::new() },
            reactions: if options.reactions { reactions(model, out) } else { Vec::new() },
            contacts: contacts(model, out, along_all),
        })
    }

    /// All columns of the motion, in the order of a table.
    pub fn all(&self) -> impl Iterator<Item = &Column> {
        let Self { q, v, energies, impact_energies, poses, reactions, .. } = self;
        [q, v, energies, impact_energies, poses, reactions].into_iter().flatten()
    }
}

/// The records of all contact points, or of those that have touched where a machine has very many.
fn contacts(model: &Model, out: &Outcome, all: bool) -> Vec<ContactColumns> {
    let mut touched = vec![all; out.spots.len()];
    if !all {
        let places: HashMap<Spot, usize> =
            out.spots.iter().enumerate().map(|(k, s)| (*s, k)).collect();
        out.contacts.iter().filter_map(|c| places.get(&c.spot)).for_each(|k| touched[*k] = true);
    }
    let spots = out.spots.iter().zip(touched).filter(|(_, touched)| *touched);
    spots.map(|(spot, _)| contact(model, out, *spot)).collect()
}

fn contact(model: &Model, out: &Outcome, spot: Spot) -> ContactColumns {
    let samples: Vec<&ContactSample> = out.contacts.iter().filter(|c| c.spot == spot).collect();
    let units = model.contacts[spot.contact].units();
    let column = |name: &str, unit: &str, of: &dyn Fn(&ContactSample) -> f64| {
        Column::new(name, unit, samples.iter().map(|c| of(c)).collect())
    };
    let axes: &[&str] = if model.is_planar() { &["x", "y"] } else { &["x", "y", "z"] };
    let vector = |name: &str, unit: &str, of: fn(&ContactSample) -> Vec3| {
        let axes = axes.iter().enumerate();
        axes.map(|(k, axis)| column(&format!("{name}.{axis}"), unit, &|c| of(c)[k]))
            .collect::<Vec<_>>()
    };
    let mut columns = vec![
        column("gap", units.gap, &|c| c.gap),
        column("gap_rate", units.velocity, &|c| -c.delta_dot),
        column("normal_force", units.force, &|c| c.force),
    ];
    columns.extend(vector("friction_force", "N", |c| c.friction));
    columns.extend(vector("slip", "m/s", |c| c.slip));
    columns.extend(vector("point", "m", |c| c.point));
    columns.push(column("T_c", "J", &|c| c.impact_energy));
    columns.push(column("T_a", "J", &|c| c.admissible_energy.unwrap_or(f64::NAN)));
    ContactColumns {
        name: spot_name(model, &out.spots, spot),
        contact: model.contacts[spot.contact].name.clone(),
        point: spot.point + 1,
        units,
        t: samples.iter().map(|c| c.t).collect(),
        columns,
    }
}

/// Force and moment of each joint, then of each closure: in the plane two forces and one moment.
fn reactions(model: &Model, out: &Outcome) -> Vec<Column> {
    const PARTS: [(&str, &str); 6] = [
        ("force.x", "N"),
        ("force.y", "N"),
        ("force.z", "N"),
        ("moment.x", "N m"),
        ("moment.y", "N m"),
        ("moment.z", "N m"),
    ];
    let in_plane = [0, 1, 5];
    let mut columns = Vec::new();
    for (k, path) in model.joint_paths().iter().enumerate() {
        for (part, (name, unit)) in PARTS.iter().enumerate() {
            if model.is_planar() && !in_plane.contains(&part) {
                continue;
            }
            let entry = |s: &Sample| s.reactions.get(6 * k + part).copied().unwrap_or(f64::NAN);
            let values = out.samples.iter().map(entry).collect();
            columns.push(Column::new(format!("{path}.{name}"), unit, values));
        }
    }
    columns
}

/// Poses of the bodies' own frames: x, y and the angle in the plane; x, y, z and the quaternion w, x, y, z in space.
fn poses(model: &Model, out: &Outcome) -> Result<Vec<Column>, DynamicsError> {
    const PLANE: [(&str, &str); 3] = [("x", "m"), ("y", "m"), ("angle", "rad")];
    const SPACE: [(&str, &str); 7] =
        [("x", "m"), ("y", "m"), ("z", "m"), ("qw", ""), ("qx", ""), ("qy", ""), ("qz", "")];
    let parts: &[(&str, &str)] = if model.is_planar() { &PLANE } else { &SPACE };
    let mut columns: Vec<Column> = Vec::new();
    for body in &model.bodies {
        for (part, unit) in parts {
            columns.push(Column::new(format!("pose.{}.{part}", body.name), unit, Vec::new()));
        }
    }
    let mut mechanism = Mechanism::new(model);
    for sample in &out.samples {
        let at = mechanism.at(&sample.state)?;
        let row = (0..model.bodies.len()).flat_map(|k| pose(&at, k));
        for (column, x) in columns.iter_mut().zip(row) {
            column.values.push(x);
        }
    }
    Ok(columns)
}

fn pose(at: &Posture<'_>, body: usize) -> Vec<f64> {
    let model = at.model();
    let pose = at.pose(model.body_at(body)).then(&model.bodies[body].frame);
    let (p, R) = (pose.position, pose.rotation);
    if model.is_planar() {
        return vec![p.x, p.y, R.m21.atan2(R.m11)];
    }
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R));
    vec![p.x, p.y, p.z, q.w, q.i, q.j, q.k]
}
