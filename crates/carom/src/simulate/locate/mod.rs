//! Where the events of a step lie, and how the step is made to end at the first of them.

pub(in crate::simulate) mod broad_phase;
pub(in crate::simulate) mod course;
pub(in crate::simulate) mod features;
pub(in crate::simulate) mod land;
pub(in crate::simulate) mod singular_pose;
pub(in crate::simulate) mod sliding_mode;
pub(in crate::simulate) mod switch;
pub(in crate::simulate) mod user_event;

use crate::simulate::locate::broad_phase::BroadPhase;
use crate::simulate::locate::switch::Schedule;
use crate::simulate::trajectory::Trajectory;

/// Finds the first event of the last step, and cuts the step there.
pub(in crate::simulate) struct Locator<'a, 'm> {
    pub path: &'a mut Trajectory<'m>,
    pub schedule: &'a mut Schedule,
    pub broad_phase: &'a mut BroadPhase,
    /// Gaps up to this are followed, whether they close or not; none before any is known \[m\].
    pub least_gap: Option<f64>,
}
