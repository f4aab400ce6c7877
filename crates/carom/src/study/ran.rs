//! What a study takes from a run: its first impact, and what speaks of all.

use super::evaluate::Lack;
use super::measure::{Measured, energies};
use super::standing::standing_at;
use crate::contact::{Standing, TouchPoint};
use crate::dynamics::Posture;
use crate::maths::digits::six;
use crate::simulate::{Blow, ImpactRecord, Outcome};

/// What a run leaves behind.
pub(super) fn ran(at: &Posture<'_>, contact: usize, outcome: &Outcome, until: f64) -> Measured {
    let mut out = Measured::new(at.model(), at.state().v.as_slice());
    let own = || outcome.impacts.iter().filter(|i| i.spot.contact == contact);
    // Points that are struck together are one impact, and what stands from the start is none, as in the answer of `run`.
    let standing = standing_at(at, outcome, until);
    let is_own = |k: &usize| outcome.impacts[*k].spot.contact == contact && !standing.contains(k);
    let blows = || outcome.blows.iter().filter(|blow| blow.impacts.iter().any(is_own));
    out.put("impacts", blows().count() as f64);
    out.put("drift", outcome.drift);
    out.put("final_kinetic_energy", outcome.samples.last().map(|s| s.ledger.kinetic));
    out.put("total_energy_lost", own().map(|i| i.energy_lost).sum::<f64>());
    out.put("largest_force", blows().filter_map(|blow| blow.peak_force).reduce(f64::max));
    let struck = blows().next().and_then(|blow| {
        let first = blow.impacts.iter().find(|k| is_own(k))?;
        Some((&outcome.impacts[*first], blow))
    });
    let Some((first, blow)) = struck else {
        let stated = &at.model().contacts[contact];
        let (name, unit) = (&stated.name, stated.units().gap);
        let stays =
            own().next().is_some() || outcome.stays.iter().any(|stay| stay.spot.contact == contact);
        let closed = |p: &TouchPoint| Standing::of(at, contact, p) != Standing::Open;
        let touches = stays
            || outcome.least_gap.is_some_and(|g| g.spot.contact == contact && g.gap <= 0.0)
            || at.touch(contact).is_ok_and(|touch| touch.points().iter().any(closed));
        let gap = outcome.least_gap.filter(|g| g.spot.contact == contact && !touches);
        out.least_gap = gap.map_or(f64::NAN, |g| g.gap);
        (out.lack, out.why) = if touches {
            let why = format!(
                "contacts.{name} is not struck within {until} s: it touches without closing"
            );
            (Lack::Contact, why)
        } else {
            let least = gap.map_or_else(String::new, |g| {
                format!("; the least gap is {} {unit} at t = {} s", six(g.gap), six(g.t))
            });
            (Lack::Touch, format!("contacts.{name} does not touch within {until} s{least}"))
        };
        return out;
    };
    "the first impact has none".clone_into(&mut out.why);
    record(&mut out, first);
    out.put("impact_energy", blow.impact_energy);
    if blow.impacts.len() > 1 {
        together(&mut out, blow, &outcome.impacts);
    }
    let sample = outcome.samples.iter().find(|s| s.event && s.state.t == blow.onset);
    if let Some(sample) = sample {
        out.driven = Measured::new(at.model(), sample.state.v.as_slice()).driven;
        energies(&mut out, sample.ledger.kinetic, blow.impact_energy);
    }
    out
}

/// What several points that are struck together have in common; m_eff stays that of the first point.
fn together(out: &mut Measured, blow: &Blow, impacts: &[ImpactRecord]) {
    let sum =
        |of: fn(&ImpactRecord) -> f64| blow.impacts.iter().map(|k| of(&impacts[*k])).sum::<f64>();
    out.put("onset", blow.onset);
    out.put("approach_speed", blow.approach_speed);
    out.put("peak_force", blow.peak_force);
    out.put("time_of_peak", blow.time_of_peak);
    out.put("duration", blow.parting.map(|t| t - blow.onset));
    out.put("impulse", blow.impulse);
    out.put("energy_lost", blow.energy_lost);
    out.put("energetic_restitution", blow.energetic_restitution());
    if blow.impulse.is_none() {
        // The forces of all points make the velocity with which one of them separates.
        out.put("restitution", None);
    }
    out.put("compression_work", sum(|i| i.compression_work));
}

fn record(out: &mut Measured, i: &ImpactRecord) {
    out.put("onset", i.onset);
    out.put("effective_mass", i.effective_mass);
    out.put("approach_speed", i.approach_speed);
    out.put("impact_energy", i.impact_energy);
    out.put("peak_force", i.peak_force);
    out.put("time_of_peak", i.time_of_peak);
    out.put("max_indentation", i.max_indentation);
    out.put("time_of_max_indentation", i.time_of_max_indentation);
    out.put("duration", i.duration());
    out.put("separation_speed", i.separation_speed);
    out.put("restitution", i.restitution());
    out.put("energetic_restitution", i.energetic_restitution());
    out.put("parting_mass", i.parting_mass);
    out.put("impulse", i.impulse);
    out.put("energy_lost", i.energy_lost);
    out.put("compression_work", i.compression_work);
    out.put("free_acceleration", i.free_acceleration);
}
