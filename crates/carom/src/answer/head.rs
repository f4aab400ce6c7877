//! What every answer about a model begins with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::components;
use crate::dynamics::report::Mobility;
use crate::file::Opened;
use crate::kinematics::State;
use crate::model::Model;

/// Which program, which file, with which edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    /// The version of carom.
    pub carom: String,
    /// The model file, as it was named.
    pub file: String,
    /// Its title.
    pub title: String,
    /// `planar` or `spatial`.
    pub space: String,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: [f64; 3],
    /// The edits of the file, `path=value`.
    pub set: Vec<String>,
}

impl Head {
    /// Of an opened file.
    pub fn new(opened: &Opened, sets: &[(String, String)]) -> Self {
        let model = opened.model();
        Self {
            carom: env!("CARGO_PKG_VERSION").to_owned(),
            file: opened.loaded.source.name().to_owned(),
            title: model.title.clone(),
            space: if model.is_planar() { "planar" } else { "spatial" }.to_owned(),
            gravity: components(&model.gravity),
            set: sets.iter().map(|(path, value)| format!("{path}={value}")).collect(),
        }
    }
}

/// Time, positions and velocities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateAnswer {
    /// Time \[s\].
    pub t: f64,
    /// Positions \[m or rad\].
    pub q: Vec<f64>,
    /// Velocities \[m/s or rad/s\].
    pub v: Vec<f64>,
    /// `joint.coordinate` of every velocity.
    pub velocities: Vec<String>,
    /// The unit of every velocity.
    pub velocity_units: Vec<String>,
}

impl StateAnswer {
    /// Of a state of a model.
    pub fn new(model: &Model, state: &State) -> Self {
        Self {
            t: state.t,
            q: state.q.iter().copied().collect(),
            v: state.v.iter().copied().collect(),
            velocities: model.coordinate_names(),
            velocity_units: model.velocity_units().map(str::to_owned).collect(),
        }
    }
}

/// Degrees of freedom and redundancy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Constraints {
    /// Velocities that may move.
    pub free_velocities: usize,
    /// Closure rows.
    pub rows: usize,
    /// How many of them are independent in this pose.
    pub rank: usize,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Coordinates along which nothing with inertia moves; they are held.
    pub without_inertia: Vec<String>,
    /// Degrees of freedom in the poses beside this one: fewer in a singular pose.
    pub degrees_of_freedom_beside: usize,
    /// Closures with a row that depends on others in this pose and beside it.
    pub redundant: Vec<String>,
    /// Closures with a row that depends on others in this pose only: the pose is singular.
    pub singular: Vec<String>,
    /// Singular closures whose rank the pose does not decide within round-off.
    pub rank_undecided: Vec<String>,
    /// Joints and closures whose reaction is not unique.
    pub reactions_not_unique: Vec<String>,
    /// Condition number of D M⁻¹ Dᵀ; `null` where it was not computed or is infinite.
    pub condition_number: Option<f64>,
}

impl Constraints {
    /// Of the constraints of a posture.
    pub fn new(found: &Mobility) -> Self {
        Self {
            free_velocities: found.velocities,
            rows: found.rows,
            rank: found.rank,
            degrees_of_freedom: found.freedom,
            without_inertia: found.inert.clone(),
            degrees_of_freedom_beside: found.freedom_beside,
            redundant: found.redundant.clone(),
            singular: found.singular.clone(),
            rank_undecided: found.undecided.clone(),
            reactions_not_unique: found.not_unique.clone(),
            condition_number: found.condition,
        }
    }
}
