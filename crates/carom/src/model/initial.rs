//! Pose and velocity asked for in space.

use super::Anchor;
use crate::maths::expression::Tape;

/// A point's wanted position and velocity; a missing component is free.
#[derive(Clone, Debug, PartialEq)]
pub struct PointTarget {
    /// The name of the marker.
    pub name: String,
    /// The point.
    pub anchor: Anchor,
    /// Wanted world position \[m\].
    pub at: [Option<f64>; 3],
    /// Wanted world velocity \[m/s\].
    pub velocity: [Option<f64>; 3],
}

/// A condition `expression > 0` on the joint positions, to choose among solutions.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The text of the file.
    pub text: String,
    /// Left side minus right side, turned so that positive means satisfied.
    pub margin: Tape,
}

/// What the file's `[initial]` asks for.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Initial {
    /// Points with targets.
    pub points: Vec<PointTarget>,
    /// Which of several solutions is wanted.
    pub branch: Vec<Condition>,
    /// Scale all velocities so that T has this value \[J\].
    pub kinetic_energy: Option<f64>,
}
