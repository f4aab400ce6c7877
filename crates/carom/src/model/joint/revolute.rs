//! A revolute joint: M turns by q about z of F.

use super::Column;
use crate::maths::{Mat3, Pose, Vec3};

pub(super) const COLUMN: Column = Column { axis: Vec3::new(0.0, 0.0, 1.0), angular: true };

/// Rotation by `angle` about z.
pub(super) fn about_z(angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

pub(super) fn place(angle: f64) -> Pose {
    Pose { rotation: about_z(angle), position: Vec3::zeros() }
}
