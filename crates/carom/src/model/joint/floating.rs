//! Free motion: position (x, y, z) of M in F and a unit quaternion (w, x, y, z); velocity of M's
//! origin and angular velocity, both expressed in F.

use super::{Column, spherical};
use crate::maths::{Pose, Vec3};

pub(super) const COLUMNS: [Column; 6] = [
    Column { axis: Vec3::new(1.0, 0.0, 0.0), angular: false },
    Column { axis: Vec3::new(0.0, 1.0, 0.0), angular: false },
    Column { axis: Vec3::new(0.0, 0.0, 1.0), angular: false },
    spherical::COLUMNS[0],
    spherical::COLUMNS[1],
    spherical::COLUMNS[2],
];

pub(super) fn place(q: &[f64]) -> Pose {
    Pose {
        rotation: spherical::quaternion_rotation(&q[3..7]),
        position: Vec3::new(q[0], q[1], q[2]),
    }
}
