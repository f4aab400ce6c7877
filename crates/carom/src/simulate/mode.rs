//! The points at which a mechanism may touch, their modes, and what is observed of them.

use crate::contact::law::Onset;
use serde::{Deserialize, Serialize};

/// A contact point: a contact of the model and the number of its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spot {
    /// Position in [`crate::model::Model::contacts`].
    pub contact: usize,
    /// Which of the contact's points.
    pub point: usize,
}

/// The mode of a contact point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// Nothing touches.
    Open,
    /// The law acts, since that onset.
    Touching(Onset),
    /// Still indented, but the law would pull: no force until it pushes again.
    Parted(Onset),
    /// Rigid contact that stays: a constraint with a force F_N ≥ 0.
    Staying(Grip),
}

impl Status {
    /// Whether it is a rigid contact that stays.
    pub fn stays(&self) -> bool {
        matches!(self, Self::Staying(_))
    }

    /// Whether the force law of the contact is evaluated.
    pub fn acts_by_law(&self) -> bool {
        matches!(self, Self::Touching(_) | Self::Parted(_))
    }
}

/// What friction does at a rigid contact that stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Grip {
    /// The contact is frictionless.
    Smooth,
    /// Grazing: closed without a force. Others hold it, or nothing presses it, and its acceleration is zero.
    Idle,
    /// It holds the tangents at rest, with |F_T| ≤ μ F_N.
    Sticks,
    /// F_T = μ F_N against the slip; the direction along the tangents in which it began.
    Slides([f64; 2]),
    /// The same in space, too slow to have a direction of its own: friction is against the one in which the slip will grow.
    Breaks([f64; 2]),
}

/// What is seen of a spot at one state.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Observation {
    /// Whether its place is not in use: the contact has fewer points now. The gap is that of a point out of reach.
    #[serde(default)]
    pub vacant: bool,
    /// g \[m\].
    #[serde(with = "crate::maths::exact")]
    pub gap: f64,
    /// u = ġ \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub rate: f64,
    /// F of the law, or F_N of a contact that stays \[N\]; zero where nothing touches.
    #[serde(with = "crate::maths::exact")]
    pub force: f64,
    /// dF/dt of the law \[N/s\].
    #[serde(with = "crate::maths::exact")]
    pub force_rate: f64,
    /// u̇ \[m/s²\] with all forces that act.
    #[serde(with = "crate::maths::exact")]
    pub acceleration: f64,
    /// Slip along the direction in which a contact that stays began to slide \[m/s\]; of one with a law along the tangent in the plane, its
    /// speed in space.
    #[serde(with = "crate::maths::exact")]
    pub slip: f64,
    /// Its rate \[m/s²\].
    #[serde(with = "crate::maths::exact")]
    pub slip_rate: f64,
    /// μ F_N − |F_T| of a contact that sticks \[N\].
    #[serde(with = "crate::maths::exact")]
    pub margin: f64,
}
