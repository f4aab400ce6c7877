//! Numbers without mechanics: vectors, rotations, symmetric inertias, expressions.

pub mod expression;
pub mod spatial;

pub use spatial::{Mat3, Pose, Twist, Vec3, Wrench};
