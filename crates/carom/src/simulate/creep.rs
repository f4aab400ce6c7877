//! Slow slides in space: friction turns the direction of a slip within v / (μ F_N W_tt), which falls to nothing where a slip begins.
//! Explicit steps are no longer than that; implicit ones do not see it.

use super::SimulateError;
use super::run::Runner;
use super::spot::{Grip, Status};

/// Steps are implicit where that time \[s\] is below the first, and explicit again where it is above the second.
const CREEPS: f64 = 0.01;
const SLIDES: f64 = 0.04;
/// The first implicit step \[s\]; its error corrects it.
const FIRST: f64 = 1e-4;

/// Over this way \[m\] the work of a force counts.
const LENGTH: f64 = 1e-3;

impl Runner<'_> {
    /// The shortest time \[s\] in which friction turns a slip in space, at the last look.
    fn turning_time(&mut self, t: f64) -> Result<f64, SimulateError> {
        let mut shortest = f64::INFINITY;
        if self.model.is_planar() {
            return Ok(shortest);
        }
        for k in 0..self.watch.spots.len() {
            let (spot, Status::Staying(Grip::Slides(_))) = self.watch.spots[k] else { continue };
            let (Some(rub), Some(dry)) = (self.watch.rubs[k], self.watch.dry[spot.contact]) else {
                continue;
            };
            let friction = dry.coefficient(rub.speed()) * self.before[k].force;
            let wrong = |error| SimulateError::Motion { t, error };
            let at = self.watch.posture().map_err(wrong)?;
            let mobility = rub.rows.iter().map(|row| at.mobility(row)).fold(0.0, f64::max);
            shortest = shortest.min(rub.speed() / (friction * mobility).max(f64::MIN_POSITIVE));
        }
        Ok(shortest)
    }

    /// Whether a slide in space is so slow that its steps have to be implicit; the first of them.
    pub fn creeps(&mut self, t: f64) -> Result<Option<f64>, SimulateError> {
        Ok((self.turning_time(t)? < CREEPS).then_some(FIRST))
    }

    /// Implicit steps that hardly feel the friction would miss its work: the ledger's integrals keep the tolerance, too.
    pub fn watch_works(&self, absolute: &mut [f64]) {
        let strongest = self.before.iter().map(|s| s.force.abs()).fold(f64::MIN_POSITIVE, f64::max);
        absolute[self.watch.works_at()..].fill(self.scenario.tolerance * strongest * LENGTH);
    }

    /// Whether the other method should go on with a slide in space.
    pub fn creeps_otherwise(&mut self, t: f64) -> Result<bool, SimulateError> {
        if self.has_lasting(t) {
            return Ok(false);
        }
        let time = self.turning_time(t)?;
        Ok(if self.method.is_stiff() { time > SLIDES } else { time < CREEPS })
    }
}
