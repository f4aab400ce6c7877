//! Contacts that stand when a run begins: under a force law their forces act from the start, but nothing strikes.

use crate::dynamics::{Mechanism, Posture};
use crate::model::Model;
use crate::simulate::Outcome;

/// The positions of the records in [`Outcome::impacts`] of points under a force law that touch without closing when a run begins, and are
/// pressed from then on. `until` is the end that the run was to have.
pub(crate) fn standing(model: &Model, out: &Outcome, until: f64) -> Vec<usize> {
    let Some(first) = out.samples.first() else { return Vec::new() };
    let mut mechanism = Mechanism::new(model);
    // A state of the run that had a posture then has one now.
    mechanism.at(&first.state).map_or_else(|_| Vec::new(), |at| standing_at(&at, out, until))
}

/// The same of a run that began at a posture.
pub(super) fn standing_at(at: &Posture<'_>, out: &Outcome, until: f64) -> Vec<usize> {
    (0..out.impacts.len()).filter(|k| out.impacts[*k].stands_at_start(at, until)).collect()
}
