//! Singular poses of closed loops, through which closures do not decide how the motion goes on.

use crate::maths::digits::prefixed;
use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::trajectory::Trajectory;

/// A projection onto closures corrects the error of one step. One that changes the energy by this many times the tolerance, in parts of the
/// largest kinetic energy so far, has moved along a direction that the closures do not fix.
const UNDECIDED: f64 = 1e4;

/// Names the pose that lets steps become too short, if it is singular.
pub(in crate::simulate) fn explain_pose(
    path: &mut Trajectory<'_>,
    error: SimulateError,
) -> SimulateError {
    let SimulateError::StepTooSmall { t, h } = error else { return error };
    let why = format!("steps of {} still miss the tolerance there", prefixed(h, "s"));
    singular_pose(path, t, why).unwrap_or(error)
}

/// Refuses a projection that takes or gives far more energy \[J\] than the error of a step.
pub(in crate::simulate) fn require_decided(
    path: &mut Trajectory<'_>,
    t: f64,
    change: f64,
    largest_kinetic: f64,
) -> Result<(), SimulateError> {
    // The same where the tolerance is finer than the ranks of nearly singular closures are known to.
    let allowed = (UNDECIDED * path.scenario.tolerance).max(zero::INTEGRATED) * largest_kinetic;
    if change.abs() <= allowed {
        return Ok(());
    }
    let why = format!("bringing it back onto them takes {}", prefixed(change, "J"));
    singular_pose(path, t, why).map_or(Ok(()), Err)
}

fn singular_pose(path: &mut Trajectory<'_>, t: f64, why: String) -> Option<SimulateError> {
    if path.model.closures.is_empty() {
        return None;
    }
    let singular = path.watch.posture().ok()?.constraint_report().singular;
    let closures = singular.iter().map(|name| format!("closures.{name}"));
    let closures = closures.collect::<Vec<_>>().join(", ");
    (!singular.is_empty()).then_some(SimulateError::SingularPose { t, closures, why })
}
