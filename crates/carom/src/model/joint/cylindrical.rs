//! A cylindrical joint: M turns by q₁ about and slides by q₂ along z of F.

use super::{Column, prismatic, revolute};
use crate::maths::{Pose, Vec3};

pub(super) const COLUMNS: [Column; 2] = [revolute::COLUMN, prismatic::COLUMN];

pub(super) fn place(angle: f64, slide: f64) -> Pose {
    Pose { rotation: revolute::about_z(angle), position: Vec3::new(0.0, 0.0, slide) }
}
