//! What a user must know to trust a run.

use super::super::{Caution, CautionCode};
use super::{Energies, Ran, RunLedger};
use crate::file::Opened;
use crate::maths::digits::{percent, ten};
use crate::simulate::{ImpactRecord, Ledger, Outcome};

/// An energy below this part of V is the round-off of a machine at rest.
const AT_REST: f64 = 1e-12;
/// From this part on an impact is not short.
const LONG: f64 = 0.05;

/// Where the energy was and went.
pub(super) fn ledger(out: &Outcome) -> RunLedger {
    let ledgers = || out.samples.iter().map(|s| &s.ledger);
    let least = ledgers().map(|l| l.potential).fold(f64::INFINITY, f64::min);
    let energy = |l: &Ledger| l.kinetic + (l.potential - least) + l.contact_elastic;
    let largest = ledgers().map(energy).fold(0.0, f64::max);
    let held = ledgers().map(|l| l.potential.abs()).fold(0.0, f64::max);
    let largest_energy = if largest > AT_REST * held { largest } else { held };
    RunLedger {
        begin: ledgers().next().map(Energies::new),
        end: ledgers().next_back().map(Energies::new),
        drift: out.drift,
        largest_energy,
        relative_drift: if largest_energy > 0.0 { out.drift / largest_energy } else { 0.0 },
    }
}

/// What the rest of the machine does during an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meanwhile {
    /// |u̇| of the onset without the contact, times the duration, divided by the approach speed.
    pub speed: f64,
    /// |m_eff⁺ / m_eff⁻ − 1|, of impacts that are over.
    pub mass: Option<f64>,
}

impl Meanwhile {
    /// Of an impact under a law; one that still touches lasts until `end`.
    pub fn of(impact: &ImpactRecord, end: f64) -> Option<Self> {
        if impact.impulse.is_some() {
            return None;
        }
        let duration = impact.duration().unwrap_or(end - impact.onset);
        let change = impact.free_acceleration.abs() * duration;
        // A pair that comes without speed is moved by other forces alone.
        let speed = if change > 0.0 { change / impact.approach_speed } else { 0.0 };
        let mass = impact.parting_mass.map(|mass| (mass / impact.effective_mass - 1.0).abs());
        Some(Self { speed, mass })
    }

    /// Whether the impact is short.
    pub fn is_short(self) -> bool {
        self.speed <= LONG && self.mass.is_none_or(|mass| mass <= LONG)
    }
}

/// The cautions of one run.
pub(super) fn of_run(opened: &Opened, ran: &Ran) -> Vec<Caution> {
    let model = opened.model();
    let end = ran.outcome.state.t;
    let mut out = Vec::new();
    for (k, contact) in model.contacts.iter().enumerate() {
        let long = |i: &&ImpactRecord| {
            let long = Meanwhile::of(i, end).is_some_and(|m| !m.is_short());
            i.spot.contact == k && !i.stood() && long
        };
        let mut all = ran.outcome.impacts.iter().filter(long);
        let Some(first) = all.next() else { continue };
        let count = 1 + all.count();
        let Some(meanwhile) = Meanwhile::of(first, end) else { continue };
        let why = if meanwhile.speed > LONG {
            let part = if meanwhile.speed > 10.0 {
                "more than 1000 %".to_owned()
            } else {
                percent(meanwhile.speed)
            };
            format!("other forces change its speed by {part} of the approach speed")
        } else {
            format!("m_eff changes by {}", meanwhile.mass.map_or_else(String::new, percent))
        };
        let them =
            if count == 1 { "1 impact is".to_owned() } else { format!("{count} impacts are") };
        let message = format!(
            "{them} not short against the motion, so that m_eff and T_c of the onset mislead; at t = {} s {why}",
            ten(first.onset)
        );
        out.push(Caution::warning(
            CautionCode::NotShort,
            format!("contacts.{}", contact.name),
            message,
        ));
    }
    let law = ran.law.as_deref();
    out.into_iter().map(|c| law.map_or(c.clone(), |law| c.of_law(law))).collect()
}
