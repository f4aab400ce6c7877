//! The points at which a mechanism may touch, and how each of them stands.

use crate::contact::law::Onset;

/// A contact point: a contact of the model and the number of its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Position in [`crate::model::Model::contacts`].
    pub contact: usize,
    /// Which of the contact's points.
    pub point: usize,
}

/// How a spot stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// Nothing touches.
    Open,
    /// The law acts, since that onset.
    Touching(Onset),
    /// Still indented, but the law would pull: no force until it pushes again (SEEDS 000.5).
    Parted(Onset),
    /// Rigid contact that stays: a constraint with a force F_N ≥ 0.
    Staying,
}

/// What is seen of a spot at one state.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Observation {
    /// g \[m\].
    pub gap: f64,
    /// u = ġ \[m/s\].
    pub rate: f64,
    /// F of the law, or F_N of a contact that stays \[N\]; zero where nothing touches.
    pub force: f64,
    /// dF/dt of the law \[N/s\].
    pub force_rate: f64,
    /// u̇ \[m/s²\] with all forces that act.
    pub acceleration: f64,
}
