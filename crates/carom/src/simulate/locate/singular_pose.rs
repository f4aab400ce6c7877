//! Singular poses of closed loops, through which closures do not decide how the motion goes on.

use crate::maths::digits::prefixed;
use crate::simulate::SimulateError;
use crate::simulate::run::Runner;

/// A projection onto closures corrects the error of one step. One that changes the energy by this many times the tolerance, in parts of the
/// largest kinetic energy so far, has moved along a direction that the closures do not fix.
const UNDECIDED: f64 = 1e4;
/// The same where the tolerance is finer than the ranks of nearly singular closures are known to.
const LEAST: f64 = 1e-9;

impl Runner<'_> {
    /// Names the pose that lets steps become too short, if it is singular.
    pub fn explain_pose(&mut self, error: SimulateError) -> SimulateError {
        match error {
            SimulateError::StepTooSmall { t, h } => {
                let why = format!("steps of {} still miss the tolerance there", prefixed(h, "s"));
                self.singular_pose(t, why).unwrap_or(error)
            }
            other => other,
        }
    }

    /// Refuses a projection that takes or gives far more energy than the error of a step.
    pub fn require_decided(
        &mut self,
        t: f64,
        change: f64,
        kinetic: f64,
    ) -> Result<(), SimulateError> {
        let energy = &mut self.record.energy;
        energy.largest_kinetic = energy.largest_kinetic.max(kinetic);
        let allowed =
            (UNDECIDED * self.path.scenario.tolerance).max(LEAST) * energy.largest_kinetic;
        if change.abs() <= allowed {
            return Ok(());
        }
        let why = format!("bringing it back onto them takes {}", prefixed(change, "J"));
        self.singular_pose(t, why).map_or(Ok(()), Err)
    }

    fn singular_pose(&mut self, t: f64, why: String) -> Option<SimulateError> {
        if self.path.model.closures.is_empty() {
            return None;
        }
        let singular = self.path.watch.posture().ok()?.constraint_report().singular;
        let closures = singular.iter().map(|name| format!("closures.{name}"));
        let closures = closures.collect::<Vec<_>>().join(", ");
        (!singular.is_empty()).then_some(SimulateError::SingularPose { t, closures, why })
    }
}
