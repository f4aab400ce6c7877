//! Friction that acts faster than anything moves. It turns the direction of a slip in space within v / (μ F_N W_tt), which falls to
//! nothing where a slip begins, and ends the motion of a joint that hardly moves. Explicit steps are no longer than that; implicit
//! ones do not see it.

use super::SimulateError;
use super::rub::SLOWEST;
use super::run::Runner;
use super::spot::{Grip, Status};

/// Steps are implicit where that time \[s\] is below the first, and explicit again where it is above the second.
const CREEPS: f64 = 0.01;
const SLIDES: f64 = 0.04;
/// The first implicit step \[s\]; its error corrects it.
const FIRST: f64 = 1e-4;

/// A step towards the end of a slide goes this part of the way.
const NEARER: f64 = 0.8;
/// Over this way \[m\] the work of a force counts.
const LENGTH: f64 = 1e-3;

impl Runner<'_> {
    /// The shortest time \[s\] in which friction turns a slip in space or ends the motion of a joint, at the last look.
    fn turning_time(&mut self, t: f64) -> Result<f64, SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let mut shortest = self.watch.stopping_time().map_err(wrong)?;
        if self.model.is_planar() {
            return Ok(shortest);
        }
        for k in 0..self.watch.spots.len() {
            let (spot, Status::Staying(Grip::Slides(_))) = self.watch.spots[k] else { continue };
            let (Some(rub), Some(dry)) = (self.watch.rubs[k], self.watch.dry[spot.contact]) else {
                continue;
            };
            let friction = dry.coefficient(rub.speed()) * self.before[k].force;
            let at = self.watch.posture().map_err(wrong)?;
            let mobility = rub.rows.iter().map(|row| at.mobility(row)).fold(0.0, f64::max);
            shortest = shortest.min(rub.speed() / (friction * mobility).max(f64::MIN_POSITIVE));
        }
        Ok(shortest)
    }

    /// Whether friction is so fast that steps have to be implicit; the first of them.
    pub fn creeps(&mut self, t: f64) -> Result<Option<f64>, SimulateError> {
        Ok((self.turning_time(t)? < CREEPS).then_some(FIRST))
    }

    /// Implicit steps that hardly feel the friction would miss its work: the ledger's integrals keep the tolerance, too.
    pub fn watch_works(&self, absolute: &mut [f64]) {
        let contacts = self.before.iter().map(|s| s.force.abs());
        let joints = self.watch.transmitted.joints.iter().map(|w| w.force.norm());
        let strongest = contacts.chain(joints).fold(f64::MIN_POSITIVE, f64::max);
        absolute[self.watch.works_at()..].fill(self.scenario.tolerance * strongest * LENGTH);
    }

    /// How far a step may go towards the end of a slide in space: the nearer, the faster its direction turns.
    pub fn limit_of_slides(&self) -> f64 {
        let t = self.method.t();
        let mut limit = f64::INFINITY;
        if !self.model.is_planar() {
            for ((_, status), see) in self.watch.spots.iter().zip(&self.before) {
                let slides = matches!(status, Status::Staying(Grip::Slides(_)));
                if slides && see.slip > SLOWEST && see.slip_rate < 0.0 {
                    limit = limit.min(t + NEARER * see.slip / -see.slip_rate);
                }
            }
        }
        limit
    }

    /// Whether the other method should go on.
    pub fn creeps_otherwise(&mut self, t: f64) -> Result<bool, SimulateError> {
        if self.has_lasting(t) {
            return Ok(false);
        }
        let time = self.turning_time(t)?;
        Ok(if self.method.is_stiff() { time > SLIDES } else { time < CREEPS })
    }
}
