//! Impacts that are not short against the motion, so that the m_eff of their onset misleads.

use carom::model::Model;
use carom::simulate::ImpactRecord;

use super::Ran;
use crate::number::{percent, ten};

/// From this part on an impact is not short.
pub(crate) const LONG: f64 = 0.05;

/// What the rest of the machine does during an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meanwhile {
    /// |u̇| of the onset without the contact, times the duration, by the approach speed.
    pub speed: f64,
    /// |m_eff⁺ / m_eff⁻ − 1|, of impacts that are over.
    pub mass: Option<f64>,
}

impl Meanwhile {
    /// Of an impact under a law; one that still touches lasts until `end`.
    pub(crate) fn of(impact: &ImpactRecord, end: f64) -> Option<Self> {
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
    pub(crate) fn is_short(self) -> bool {
        self.speed <= LONG && self.mass.is_none_or(|mass| mass <= LONG)
    }
}

/// One warning for each contact with impacts that are not short.
pub(crate) fn warnings(model: &Model, ran: &Ran) -> Vec<String> {
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
            format!("other forces change its speed by {} of", part(meanwhile.speed))
                + " the approach speed"
        } else {
            let change = meanwhile.mass.map_or_else(String::new, percent);
            format!("m_eff changes by {change}")
        };
        let law = ran.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
        let name = &contact.name;
        let them =
            if count == 1 { "1 impact is".to_owned() } else { format!("{count} impacts are") };
        out.push(format!(
            "warning: {law}contacts.{name}: {them} not short against the motion, so that m_eff and T_c of \
             the onset mislead; at t = {} s {why}",
            ten(first.onset)
        ));
    }
    out
}

/// A share; more than tenfold is not told in numbers.
pub(crate) fn part(share: f64) -> String {
    if share > 10.0 { "more than 1000 %".to_owned() } else { percent(share) }
}
