//! Contacts that stand when a run begins: under a force law their forces act from the start, but nothing strikes.

use crate::contact::{Approach, Standing};
use crate::dynamics::Mechanism;
use crate::maths::digits::ROUND_OFF;
use crate::model::Model;
use crate::simulate::{ImpactRecord, Outcome};

/// The positions of the records in [`Outcome::impacts`] of points under a force law that touch without closing when a run begins, and are
/// pressed from then on. `until` is the end that the run was to have.
pub(crate) fn standing(model: &Model, out: &Outcome, until: f64) -> Vec<usize> {
    let Some(first) = out.samples.first() else { return Vec::new() };
    let mut mechanism = Mechanism::new(model);
    // A state of the run that had a posture then has one now.
    let Ok(at) = mechanism.at(&first.state) else { return Vec::new() };
    // An onset is located to the round-off of the run's times.
    let begin = first.state.t + ROUND_OFF * (until - first.state.t);
    let stands = |record: &ImpactRecord| {
        let contact = record.spot.contact;
        let touch = at.touch(contact).ok();
        let point = touch.as_ref().and_then(|touch| touch.points().get(record.spot.point));
        record.onset <= begin
            && record.impulse.is_none()
            && point.is_some_and(|point| {
                Standing::of(&at, contact, point) != Standing::Open
                    && Approach::of(&at, contact, point) == Approach::Resting
            })
    };
    (0..out.impacts.len()).filter(|k| stands(&out.impacts[*k])).collect()
}
