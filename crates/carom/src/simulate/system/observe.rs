//! Observation of states beside the integrator.

use crate::contact::{POSE, machine_size};
use crate::dynamics::Posture;
use crate::impact::check_count;
use crate::maths::Twist;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::system::{Motion, MotionError};

/// Refuses more points that touch at once than are solved together. A run may state far more: memory follows what touches.
pub(super) fn check_touching(
    at: &Posture<'_>,
    spots: &[(Spot, Status)],
) -> Result<(), MotionError> {
    if check_count(spots.len()).is_ok() {
        return Ok(());
    }
    let closed = POSE * machine_size(at);
    let mut touching = 0;
    for (spot, _) in spots.iter().filter(|(spot, _)| spot.point == 0) {
        let touch = at.touch(spot.contact)?;
        touching += touch.points().iter().filter(|point| point.gap <= closed).count();
    }
    Ok(check_count(touching)?)
}

impl Motion<'_> {
    /// What is seen of every spot at (t, y).
    pub fn observe(&mut self, t: f64, y: &[f64]) -> Result<&[Observation], MotionError> {
        self.place(t, y);
        self.evaluate(true)?;
        self.evaluate_user_events()?;
        Ok(&self.seen)
    }

    /// What was seen last.
    pub fn seen(&self) -> &[Observation] {
        &self.seen
    }

    /// The shortest time \[s\] in which friction ends the motion of a joint, at the last look.
    pub fn stopping_time(&mut self) -> Result<f64, MotionError> {
        if self.joint_frictions.is_empty() {
            return Ok(f64::INFINITY);
        }
        let at = self.mechanism.at(&self.state)?;
        Ok(self.joint_frictions.stopping_time(&at, &self.transmitted, &self.resolution))
    }

    /// Accelerations of the bodies at the last look.
    pub fn accelerations(&self) -> &[Twist] {
        &self.accelerations
    }

    /// T, V at the state placed last.
    pub fn energies(&mut self) -> Result<[f64; 2], MotionError> {
        let at = self.posture()?;
        Ok([at.kinetic_energy(), at.potential_energy()])
    }
}
