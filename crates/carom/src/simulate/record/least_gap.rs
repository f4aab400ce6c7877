//! The least gap of a run without contact, and how far contacts creep within the regularisation band of their friction.

use crate::contact::gap_resolution;
use crate::simulate::SimulateError;
use crate::simulate::mode::{Spot, Status};
use crate::simulate::record::Observer;

use serde::{Deserialize, Serialize};

/// The least gap of a run in which nothing has touched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeastGap {
    /// g \[m\].
    pub gap: f64,
    /// When \[s\].
    pub t: f64,
    /// Where.
    pub spot: Spot,
}

/// How far a contact point crept: friction laws without an internal state do not hold a load at rest, but let it slip at a speed within
/// the band in which they are regularised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Creep {
    /// Where.
    pub spot: Spot,
    /// ∫ |slip| dt while the slip was within the band \[m\].
    pub distance: f64,
    /// For how long it was \[s\].
    pub time: f64,
}

impl Observer<'_, '_> {
    /// The least gap so far, before anything has touched; minima inside the last step are located.
    pub fn record_least_gap(&mut self) -> Result<(), SimulateError> {
        if !self.record.out.events.is_empty() {
            self.record.out.least_gap = None;
            return Ok(());
        }
        let span = [self.path.method.t_old(), self.path.method.t()];
        for k in 0..self.path.watch.spots.len() {
            let (spot, status) = self.path.watch.spots[k];
            let vacant = self.path.step.before[k].vacant || self.path.step.after[k].vacant;
            if status != Status::Open || self.path.watch.far[k] || vacant {
                continue;
            }
            let (a, b) = (self.path.step.before[k], self.path.step.after[k]);
            let least = self.record.out.least_gap.map_or(f64::INFINITY, |l| l.gap);
            let mut nearer = |gap: f64, t: f64| {
                if self.record.out.least_gap.is_none_or(|l| gap < l.gap) {
                    self.record.out.least_gap = Some(LeastGap { gap, t, spot });
                }
            };
            nearer(a.gap, span[0]);
            nearer(b.gap, span[1]);
            // Lower bound of the gap inside the step, from the change of its rate.
            let reach = (b.rate - a.rate).abs() * (span[1] - span[0]);
            if a.rate < 0.0 && b.rate > 0.0 && a.gap.min(b.gap) - reach < least {
                let t = self.path.time_of(span, |seen| seen[k].rate)?;
                let gap = self.path.observe_inside(t)?[k].gap;
                if self.record.out.least_gap.is_none_or(|l| gap < l.gap) {
                    self.record.out.least_gap = Some(LeastGap { gap, t, spot });
                }
            }
        }
        Ok(())
    }

    /// A least gap that is closed within the resolution of poses is 0, at the end of a run.
    pub fn round_least_gap(&mut self) {
        let (Some(least), Ok(at)) = (&mut self.record.out.least_gap, self.path.watch.posture())
        else {
            return;
        };
        let Ok(touch) = at.touch(least.spot.contact) else { return };
        let Some(point) = touch.points().get(least.spot.point) else { return };
        if least.gap.abs() <= gap_resolution(&at, least.spot.contact, point) {
            least.gap = 0.0;
        }
    }

    /// Adds what the last step crept.
    pub fn record_creep(&mut self) {
        let h = self.path.method.t() - self.path.method.t_old();
        for k in 0..self.path.watch.spots.len() {
            let (spot, Status::Touching(_)) = self.path.watch.spots[k] else { continue };
            let Some(law) = &self.path.watch.frictions[spot.contact] else { continue };
            // Bristles hold a load at rest.
            let Some(band) = law.corner().filter(|_| law.states(2) == 0) else { continue };
            let (a, b) = (&self.path.step.before[k], &self.path.step.after[k]);
            let [slip_a, slip_b] = [a.slip.abs(), b.slip.abs()];
            if slip_a.max(slip_b) > band || !(a.force > 0.0 && b.force > 0.0) {
                continue;
            }
            let distance = 0.5 * (slip_a + slip_b) * h;
            match self.record.out.creep.iter_mut().find(|c| c.spot == spot) {
                Some(creep) => {
                    creep.distance += distance;
                    creep.time += h;
                }
                None => self.record.out.creep.push(Creep { spot, distance, time: h }),
            }
        }
    }
}
