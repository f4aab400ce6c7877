//! What happens at an event: velocities after an impact, the modes of all contacts, and the onset of slip.

pub(in crate::simulate) mod accumulate;
pub(in crate::simulate) mod equilibrium;
pub(in crate::simulate) mod force_law;
pub(in crate::simulate) mod friction_mode;
pub(in crate::simulate) mod impact;
pub(in crate::simulate) mod moreau;
pub(in crate::simulate) mod rest;
pub(in crate::simulate) mod slip_onset;
