//! Impacts that are not short against the motion, so that m_eff and T_c of their onset mislead.
//!
//! While a contact is compressed and gives way again, other forces (gravity, springs, loads, drives) go on accelerating the pair, and the
//! pose changes m_eff. An impact is short if both stay below a twentieth. Three kinds of contact are no impacts in this sense and are not
//! judged: those that are *pressed* together, where the approach speed is less than a twentieth of what other forces make of it, so that
//! the pair would rest or be loaded in the same way without it; and *rebounds*, the later bounces of a pair that is left to itself, which approach no faster than the
//! impact before them parted: they become ever slower until the pair rests, and were announced by the first impact. Nor is a contact
//! that rests at the end of the run: it is a load, not a blow.

use crate::simulate::record::blow::Blow;
use crate::simulate::record::outcome::{ImpactRecord, Outcome};

/// From this part on an impact is not short.
pub const LONG: f64 = 0.05;

/// What the rest of the machine does during an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meanwhile {
    /// What other forces change the speed by, divided by the approach speed.
    pub speed: f64,
    /// |m_eff / m_eff⁻ − 1|, with m_eff where the indentation first stops growing; none before. The greatest of its points.
    pub mass: Option<f64>,
}

impl Meanwhile {
    /// Whether the impact is short.
    pub fn is_short(self) -> bool {
        self.speed <= LONG && self.mass.is_none_or(|mass| mass <= LONG)
    }

    /// Whether the approach speed is less than a twentieth of what other forces change it by: the pair is pressed together. (A weight on a
    /// spring then differs by less than a thirtieth in its peak force from one that begins at rest.)
    pub fn is_pressed(self) -> bool {
        self.speed * LONG >= 1.0
    }
}

/// Other forces during an impact: |u̇| of the onset without the contact, times the duration, divided by the approach speed; and what
/// m_eff becomes.
///
/// The duration is twice that of the compression, or that of the contact if it is shorter: what a pair does that stays together
/// afterwards is no part of its impact.
fn meanwhile(
    leading: &ImpactRecord,
    touched: f64,
    compression: f64,
    mass: Option<f64>,
) -> Meanwhile {
    let change = leading.free_acceleration.abs() * touched.min(2.0 * compression);
    let speed = if change > 0.0 { change / leading.approach_speed } else { 0.0 };
    Meanwhile { speed, mass }
}

impl ImpactRecord {
    /// What the rest of the machine did while this point touched, in a run that ended at `end` \[s\]; none of an impulse.
    fn meanwhile(&self, end: f64) -> Option<Meanwhile> {
        if self.impulse.is_some() {
            return None;
        }
        let touched = self.parting.unwrap_or(end) - self.onset;
        let compression = self.first_turn.map_or(touched, |(t, _)| t - self.onset);
        Some(meanwhile(self, touched, compression, self.change_of_mass()))
    }

    /// |m_eff / m_eff⁻ − 1|, with m_eff where the indentation first stops growing; none before.
    fn change_of_mass(&self) -> Option<f64> {
        self.first_turn.map(|(_, mass)| (mass / self.effective_mass - 1.0).abs())
    }

    /// Whether the pair was pressed together by other forces rather than struck, in a run that ended at `end` \[s\].
    pub fn is_pressed(&self, end: f64) -> bool {
        self.stood() || self.meanwhile(end).is_some_and(Meanwhile::is_pressed)
    }

    /// Whether it is the bounce after `before`, of the same point and left to itself.
    fn is_rebound_of(&self, before: &Self) -> bool {
        let left = before.separation_speed.unwrap_or(0.0);
        self.approach_speed <= (1.0 + LONG) * left && self.approach_speed < before.approach_speed
    }
}

impl Outcome {
    /// What the rest of the machine did during an impact by a force law; none of impulses.
    ///
    /// Of an impact at several points, the forces of its own points are no other forces: a point that is reached later is pushed by
    /// those that touch already. The acceleration is therefore that of its onset, of the point with most energy then.
    pub fn meanwhile(&self, blow: &Blow) -> Option<Meanwhile> {
        let points = || blow.impacts.iter().map(|i| &self.impacts[*i]);
        let leading = self.leading(blow)?;
        if leading.impulse.is_some() {
            return None;
        }
        let touched = blow.parting.unwrap_or(self.state.t) - blow.onset;
        let turned = points().filter_map(|i| i.first_turn).map(|(t, _)| t - blow.onset);
        let compression = turned.reduce(f64::max).unwrap_or(touched);
        let mass = points().filter_map(ImpactRecord::change_of_mass).reduce(f64::max);
        Some(meanwhile(leading, touched, compression, mass))
    }

    /// Of the points that an impact began with, the one with most energy.
    fn leading(&self, blow: &Blow) -> Option<&ImpactRecord> {
        let first = blow.impacts.iter().map(|i| &self.impacts[*i]);
        let first = first.filter(|i| i.onset == blow.onset);
        first.reduce(|a, b| if b.shared_energy > a.shared_energy { b } else { a })
    }

    /// Impacts that are not short against the motion, as positions in [`Outcome::blows`].
    pub fn long_blows(&self) -> Vec<usize> {
        let judged = |(k, blow): (usize, &Blow)| {
            let leading = self.leading(blow)?;
            let long = self.meanwhile(blow).is_some_and(|m| !m.is_short() && !m.is_pressed());
            let mut earlier = self.impacts.iter();
            let before = |i: &&ImpactRecord| i.spot == leading.spot && i.onset < leading.onset;
            let earlier = earlier.rfind(before);
            let rebound = earlier.is_some_and(|before| leading.is_rebound_of(before));
            let judged = long && !leading.stood() && !rebound && !self.rests(blow, leading);
            judged.then_some(k)
        };
        self.blows.iter().enumerate().filter_map(judged).collect()
    }

    /// Whether the bodies of an impact stayed together until the end of the run and rest there: the indentation then changes by less
    /// than a twentieth of the approach speed.
    fn rests(&self, blow: &Blow, leading: &ImpactRecord) -> bool {
        let last = self.contacts.iter().rfind(|c| c.spot == leading.spot);
        blow.parting.is_none()
            && last.is_some_and(|c| c.delta_dot.abs() <= LONG * leading.approach_speed)
    }
}
