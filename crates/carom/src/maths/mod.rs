//! Numbers without mechanics: vectors, rotations, symmetric inertias, units, expressions, roots,
//! differential equations.

pub mod cone;
pub mod digits;
pub mod distribution;
pub(crate) mod dot;
pub mod elliptic;
pub(crate) mod exact;
pub mod expression;
pub mod inertia;
pub(crate) mod ldl;
pub mod least_squares;
pub mod maximum;
pub mod mesh;
pub mod nearest;
pub mod normal;
pub mod ode;
pub mod plane;
pub mod polytope;
pub mod profile;
pub mod quadrature;
pub mod register;
pub mod root;
pub mod solids;
pub mod spatial;
pub mod trigonometry;
pub mod units;
pub(crate) mod zero;

pub use inertia::ArticulatedInertia;
pub use spatial::{Mat3, Pose, Twist, Vec3, Wrench};
