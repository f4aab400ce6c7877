//! The end of a run that is asked for the first impact of a contact alone.

use crate::contact::{Approach, Standing};
use crate::dynamics::Posture;
use crate::maths::digits::ROUND_OFF;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::record::Observer;
use crate::simulate::record::outcome::ImpactRecord;

impl ImpactRecord {
    /// Whether it is no impact but a point under a force law that touches without closing where the run begins, at the posture `at`.
    /// `until` is the end that the run was to have.
    pub(crate) fn stands_at_start(&self, at: &Posture<'_>, until: f64) -> bool {
        let start = at.state().t;
        // An onset is located to the round-off of the run's times.
        if self.onset > start + ROUND_OFF * (until - start) || self.impulse.is_some() {
            return false;
        }
        let contact = self.spot.contact;
        let touch = at.touch(contact).ok();
        let point = touch.as_ref().and_then(|touch| touch.points().get(self.spot.point));
        point.is_some_and(|point| {
            Standing::of(at, contact, point) != Standing::Open
                && Approach::of(at, contact, point) == Approach::Resting
        })
    }
}

impl Observer<'_, '_> {
    /// Whether nothing is left to be computed: the run was asked for the first impact of a contact, and nothing can change it any more.
    /// All its points have come apart, and time has passed since.
    pub fn is_complete(&mut self) -> Result<bool, SimulateError> {
        let Some(contact) = self.path.scenario.first_of else { return Ok(false) };
        let t = self.path.step.time;
        for blow in 0..self.record.out.blows.len() {
            let out = &self.record.out;
            let impacts = &out.blows[blow].impacts;
            let own = |k: &&usize| out.impacts[**k].spot.contact == contact;
            let Some(first) = impacts.iter().find(own) else { continue };
            let apart = |k: &usize| out.impacts[*k].parting.is_some_and(|parting| parting < t);
            let under_way = self.record.current.iter().flatten().any(|k| impacts.contains(k));
            if under_way || !impacts.iter().all(apart) {
                return Ok(false);
            }
            let Some(start) = out.samples.first().map(|sample| &sample.state) else {
                return Ok(false);
            };
            let at = self.path.watch.mechanism.at(start);
            let at = at.at_time(t)?;
            if !out.impacts[*first].stands_at_start(&at, self.path.scenario.until) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
