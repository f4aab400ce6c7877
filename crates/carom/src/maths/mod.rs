//! Numbers without mechanics: vectors, rotations, symmetric inertias, expressions.

pub mod expression;
pub mod inertia;
pub mod ldl;
pub mod spatial;

pub use inertia::ArticulatedInertia;
pub use spatial::{Mat3, Pose, Twist, Vec3, Wrench};
