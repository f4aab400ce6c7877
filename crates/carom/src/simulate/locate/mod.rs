//! Where the events of a step lie, and how the step is made to end at the first of them.

pub(in crate::simulate) mod broad_phase;
pub(in crate::simulate) mod course;
pub(in crate::simulate) mod features;
pub(in crate::simulate) mod land;
pub(in crate::simulate) mod singular_pose;
pub(in crate::simulate) mod switch;
pub(in crate::simulate) mod user_event;
