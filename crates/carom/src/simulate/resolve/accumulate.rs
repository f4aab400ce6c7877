//! Bounces that become ever smaller: when all that would follow happen at once.

use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Observation, Status};
use crate::simulate::resolve::Resolver;
use crate::simulate::resolve::rest::Resting;

/// Flights that shrink at least by this part of e from one to the next are a series.
const EVEN: f64 = 0.5;

impl Resolver<'_, '_> {
    /// Spots whose bounces have become so small that all that would follow happen now: when the last would be over.
    pub fn accumulate(
        &mut self,
        t: f64,
        [closed, rests]: [&[bool]; 2],
        closes_again: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Option<f64>>, SimulateError> {
        let mut gone = vec![None; closed.len()];
        let mut held = rests.to_vec();
        let bounces = |k: usize| closed[k] && self.seen[k].rate > 0.0;
        let some = (0..closed.len()).any(bounces);
        // Points that have come to rest support others, whose bounces may then be over, too.
        for _ in 0..closed.len() {
            if some && held.contains(&true) {
                self.close_resting(t, &held)?;
            }
            let mut more = false;
            for (k, gone) in gone.iter_mut().enumerate().filter(|x| x.1.is_none()) {
                *gone = self.end_of_bounces(t, k).filter(|_| closed[k]);
                held[k] |= gone.is_some();
                more |= gone.is_some();
            }
            if !more {
                break;
            }
        }
        if some && held.contains(&true) {
            self.open_all()?;
        }
        // A contact that closes again before its gap has opened measurably: friction may press it where normal forces alone do not.
        for (k, gone) in gone.iter_mut().enumerate().filter(|x| !rests[x.0] && closes_again(x.0)) {
            if (0.0..self.watch.unit(k).bounce()).contains(&self.seen[k].rate) {
                *gone = gone.or(Some(t));
            }
        }
        Ok(gone)
    }

    /// When the bounces of a spot will be over, if that is now.
    fn end_of_bounces(&self, t: f64, k: usize) -> Option<f64> {
        let see = &self.seen[k];
        let contact = self.watch.spots[k].0.contact;
        let e = self.scenario.contacts[contact].restitution.unwrap_or(0.0);
        if !(see.rate > 0.0 && see.acceleration < 0.0 && 0.0 < e && e < 1.0) {
            return None;
        }
        // Flights of 2u/|u̇|, each e times the one before; after three impacts, the last two flights give the ratio; those of a
        // body that rattles on several points may have none.
        let [before, flight, _] = self.out.bounces[k];
        let (own, ratio) = (2.0 * see.rate / (-see.acceleration * (1.0 - e)), flight / before);
        let told = before.is_finite() && ratio < 1.0;
        let left = if told { flight * ratio / (1.0 - ratio) } else { own };
        let unit = self.watch.unit(k);
        let over = |left: f64| left <= unit.accumulated(t);
        let even = told && (EVEN * e..1.0).contains(&ratio);
        // A height that gaps do not resolve.
        let low = see.rate * see.rate <= -2.0 * see.acceleration * unit.lowest();
        // What friction does to u̇ is not in its own estimate: an even series may be over ten times sooner.
        (low || over(left) && (over(own) || even && over(0.1 * own))).then(|| t + left.min(own))
    }

    /// Spots that are low and move with those that rest do rest: a corner that the others keep from coming down the last bit.
    pub fn add_supported(
        &mut self,
        t: f64,
        resting: &mut [bool],
        low: &dyn Fn(usize, &Observation) -> bool,
    ) -> Result<(), SimulateError> {
        let floats = resting.iter().zip(&self.seen).enumerate();
        let floats: Vec<bool> = floats.map(|(k, (rests, see))| !rests && low(k, see)).collect();
        if !(floats.contains(&true) && resting.contains(&true)) {
            return Ok(());
        }
        let free: Vec<f64> = self.seen.iter().map(|see| see.acceleration).collect();
        self.close_resting(t, resting)?;
        for (k, rests) in resting.iter_mut().enumerate() {
            // A point that is supported by others keeps next to nothing of its acceleration.
            *rests |= floats[k] && self.seen[k].acceleration.abs() <= zero::MODES * free[k].abs();
        }
        self.open_all()
    }

    /// Observes the state with the contacts that rest closed.
    fn close_resting(&mut self, t: f64, rests: &[bool]) -> Result<(), SimulateError> {
        self.open_all()?;
        let none = vec![false; rests.len()];
        let resting = Resting { spots: rests, released: &none, at_limit: &none };
        let grips = self.watch.modes_at_rest(&resting).at_time(t)?;
        for (spot, grip) in self.watch.spots.iter_mut().zip(grips.unwrap_or_default()) {
            spot.1 = grip.map_or(Status::Open, Status::Staying);
        }
        self.observe()
    }

    /// Observes the state with all contacts open.
    pub fn open_all(&mut self) -> Result<(), SimulateError> {
        self.watch.spots.iter_mut().for_each(|s| s.1 = Status::Open);
        self.observe()
    }
}
