//! A universal joint: M turns by q₁ about z of F, then by q₂ about its own x.

use super::{Column, revolute};
use crate::maths::{Mat3, Pose, Vec3};

pub(super) fn place(first: f64, second: f64) -> Pose {
    let (s, c) = second.sin_cos();
    let about_x = Mat3::new(1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c);
    Pose { rotation: revolute::about_z(first) * about_x, position: Vec3::zeros() }
}

pub(super) fn columns(first: f64) -> [Column; 2] {
    let (s, c) = first.sin_cos();
    [revolute::COLUMN, Column { axis: Vec3::new(c, s, 0.0), angular: true }]
}
