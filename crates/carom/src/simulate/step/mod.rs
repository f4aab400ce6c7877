//! The integrator: method and tolerances, the variable that steps are taken in, and what makes steps stiff.

pub(in crate::simulate) mod approach;
pub(in crate::simulate) mod clock;
pub(in crate::simulate) mod integrator;
pub(in crate::simulate) mod stiff_friction;
pub(in crate::simulate) mod stiffness;
