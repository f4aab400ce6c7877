//! A planar joint: M moves by (q₁, q₂) along x and y of F and turns by q₃ about z.

use super::{Column, revolute};
use crate::maths::{Pose, Vec3};

pub(super) const COLUMNS: [Column; 3] = [
    Column { axis: Vec3::new(1.0, 0.0, 0.0), angular: false },
    Column { axis: Vec3::new(0.0, 1.0, 0.0), angular: false },
    revolute::COLUMN,
];

pub(super) fn place(q: &[f64]) -> Pose {
    Pose { rotation: revolute::about_z(q[2]), position: Vec3::new(q[0], q[1], 0.0) }
}
