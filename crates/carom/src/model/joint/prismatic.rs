//! A prismatic joint: M slides by q along z of F.

use super::Column;
use crate::maths::{Pose, Vec3};

pub(super) const COLUMN: Column = Column { axis: Vec3::new(0.0, 0.0, 1.0), angular: false };

pub(super) fn place(slide: f64) -> Pose {
    Pose::translation(Vec3::new(0.0, 0.0, slide))
}
