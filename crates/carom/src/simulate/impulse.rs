//! Rigid contacts: impulses at onsets, contacts that stay, and their release.

use super::SimulateError;
use super::guard::Guard;
use super::motion::{Motion, MotionError};
use super::record::{EventKind, ImpactRecord};
use super::run::Runner;
use super::spot::Status;
use crate::maths::Wrench;

/// A gap below this \[m\], in parts of 1 m, is closed.
const CLOSED: f64 = 1e-10;
/// A contact speed below this part of those before the impulse is rest.
const AT_REST: f64 = 1e-12;
/// An approach slower than this \[m/s\] is no impact: the speed is taken away, and nothing is noted.
const NO_IMPACT: f64 = 1e-10;
/// A contact whose force passes zero opens, unless it would at once accelerate \[m/s²\] back by this.
const RELEASED: f64 = 1e-8;
/// Impacts that would all happen within this time \[s\], in parts of the time passed, have happened.
const ACCUMULATED: f64 = 1e-7;

impl Motion<'_> {
    /// m_eff and the approach speed of a spot at the state looked at last.
    pub fn effective(&mut self, k: usize) -> Result<(f64, f64), MotionError> {
        let row = self.rows[k];
        let at = self.posture()?;
        let effective = at.settled_mass(&row);
        Ok((effective.mass, -effective.rate))
    }

    /// 0 ≤ p ⟂ u⁻ + W p + e u⁻ ≥ 0 over the chosen spots: velocities jump. None if no impulse parts them.
    fn strike(
        &mut self,
        chosen: &[bool],
        restitution: &dyn Fn(usize) -> f64,
    ) -> Result<Option<Vec<f64>>, MotionError> {
        let Self { mechanism, state, staying, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        let c = |k: usize| {
            let u = seen[k].rate;
            if u < 0.0 { (1.0 + restitution(k)) * u } else { u }
        };
        if !staying.complementary(&at, rows, &|k| chosen[k], &c) {
            return Ok(None);
        }
        let impulses = (0..chosen.len()).map(|k| staying.force(k)).collect();
        staying.add_change(state.v.as_mut_slice());
        Ok(Some(impulses))
    }

    /// Impulses along the rows of the spots, as wrenches on the bodies.
    fn pushes(&self, impulses: &[f64]) -> Vec<Wrench> {
        let mut out = vec![Wrench::zero(); self.model.bodies.len()];
        self.rows.iter().zip(impulses).for_each(|(row, p)| row.add_to(&mut out, *p));
        out
    }

    /// Takes the speed along the chosen rows away: v ← v − Y Aᵀ W⁺ u.
    fn halt(&mut self, chosen: &[bool]) -> Result<(), MotionError> {
        let Self { mechanism, state, staying, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        staying.still(&at, rows, &|k| chosen[k], &|k| seen[k].rate);
        staying.add_change(state.v.as_mut_slice());
        Ok(())
    }

    /// Back onto closed gaps, q ← q ⊖ Y Aᵀ W⁺ g, and to rest along them.
    pub fn settle(&mut self, t: f64, y: &mut [f64], chosen: &[bool]) -> Result<(), MotionError> {
        let (nq, nv) = (self.model.nq, self.model.nv);
        self.observe(t, y)?;
        let Self { model, mechanism, state, staying, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        staying.still(&at, rows, &|k| chosen[k], &|k| seen[k].gap);
        let mut step = vec![0.0; nv];
        staying.add_change(&mut step);
        state.advance(model, &step);
        for ((y, q), origin) in y[..nq].iter_mut().zip(state.q.iter()).zip(&self.origin) {
            *y = q - origin;
        }
        self.observe(t, y)?;
        self.halt(chosen)?;
        y[nq..nq + nv].copy_from_slice(self.state.v.as_slice());
        Ok(())
    }

    /// 0 ≤ F_N ⟂ u̇ ≥ 0 over the chosen spots: which of them stay.
    fn stay(&mut self, chosen: &[bool]) -> Result<Option<Vec<bool>>, MotionError> {
        let Self { mechanism, state, staying, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        let solved = staying.complementary(&at, rows, &|k| chosen[k], &|k| seen[k].acceleration);
        Ok(solved.then(|| (0..chosen.len()).map(|k| staying.force(k) > 0.0).collect()))
    }
}

impl Runner<'_> {
    /// Closed rigid contacts: impulses where bodies approach, then which contacts stay.
    pub fn meet_rigidly(&mut self, t: f64, fired: &[(usize, Guard)]) -> Result<(), SimulateError> {
        let stayed: Vec<bool> =
            self.watch.spots.iter().map(|s| matches!(s.1, Status::Staying)).collect();
        self.watch.spots.iter_mut().for_each(|s| s.1 = Status::Open);
        self.look_again(t)?;
        let closed: Vec<bool> = (0..stayed.len())
            .map(|k| {
                self.before[k].gap <= CLOSED
                    || stayed[k]
                    || fired.iter().any(|f| f.0 == k && f.1 == Guard::Closes)
            })
            .collect();
        let scale = self.before.iter().map(|s| s.rate.abs()).fold(1e-3, f64::max);
        if (0..closed.len()).any(|k| closed[k] && self.before[k].rate < -NO_IMPACT) {
            self.impulse(t, &closed)?;
        }
        let slow: Vec<bool> = (0..closed.len())
            .map(|k| closed[k] && self.before[k].rate < 0.0 && self.before[k].rate >= -NO_IMPACT)
            .collect();
        if slow.contains(&true) {
            self.rest(t, &slow)?;
        }
        self.look_again(t)?;
        let gone = self.accumulate(t, &closed);
        if gone.iter().any(Option::is_some) {
            let stop: Vec<bool> = gone.iter().map(Option::is_some).collect();
            self.rest(t, &stop)?;
            self.look_again(t)?;
        }
        let resting: Vec<bool> = (0..closed.len())
            .map(|k| closed[k] && self.before[k].rate <= AT_REST * scale)
            .collect();
        if !resting.contains(&true) {
            self.note_releases(t, &stayed);
            return Ok(());
        }
        let wrong = |error| SimulateError::Motion { t, error };
        let Some(stays) = self.watch.stay(&resting).map_err(wrong)? else {
            return Err(self.blocked(t, &resting));
        };
        for k in 0..stays.len() {
            // Where a force has fallen to zero its last digits do not hold a contact.
            let released = fired.contains(&(k, Guard::Releases));
            let held = self.watch.staying.force(k) / self.watch.effective(k).map_err(wrong)?.0;
            if stays[k] && !(released && held < RELEASED) {
                self.watch.spots[k].1 = Status::Staying;
                if !stayed[k] {
                    self.note(t, k, EventKind::Stays);
                    if let Some(event) = self.out.events.last_mut() {
                        event.accumulation = gone[k];
                    }
                }
            }
        }
        self.note_releases(t, &stayed);
        Ok(())
    }

    fn note_releases(&mut self, t: f64, stayed: &[bool]) {
        for (k, stayed) in stayed.iter().enumerate() {
            if *stayed && !matches!(self.watch.spots[k].1, Status::Staying) {
                self.note(t, k, EventKind::Release);
            }
        }
    }

    pub fn blocked(&self, t: f64, chosen: &[bool]) -> SimulateError {
        let k = chosen.iter().position(|c| *c).unwrap_or(0);
        SimulateError::Blocked { t, contact: self.name_of(k) }
    }

    /// The name of a spot's contact.
    pub fn name_of(&self, k: usize) -> String {
        self.model.contacts[self.watch.spots[k].0.contact].name.clone()
    }

    /// Newton's restitution at all closed spots that approach, each with its own e.
    fn impulse(&mut self, t: f64, closed: &[bool]) -> Result<(), SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let before: Vec<f64> = self.before.iter().map(|s| s.rate).collect();
        let free: Vec<f64> = self.before.iter().map(|s| s.acceleration).collect();
        let plans = &self.scenario.contacts;
        let spots: Vec<usize> = self.watch.spots.iter().map(|s| s.0.contact).collect();
        let e = |k: usize| plans[spots[k]].restitution.unwrap_or(0.0);
        let masses: Vec<(f64, f64)> = (0..closed.len())
            .map(|k| if closed[k] { self.watch.effective(k) } else { Ok((0.0, 0.0)) })
            .collect::<Result<_, _>>()
            .map_err(wrong)?;
        let T_minus = self.watch.energies().map_err(wrong)?[0];
        let Some(impulses) = self.watch.strike(closed, &e).map_err(wrong)? else {
            return Err(self.blocked(t, closed));
        };
        let nq = self.model.nq;
        let nv = self.model.nv;
        self.y[nq..nq + nv].copy_from_slice(self.watch.state.v.as_slice());
        self.look_again(t)?;
        let before_all = self.impulse_loss;
        let impacts_before = self.out.impacts.len();
        for (k, p) in impulses.iter().enumerate() {
            if !(*p > 0.0) {
                continue;
            }
            let (u_minus, u_plus) = (before[k], self.before[k].rate);
            let lost = -0.5 * p * (u_minus + u_plus);
            self.impulse_loss += lost;
            if u_minus >= 0.0 {
                continue;
            }
            let (mass, speed) = masses[k];
            self.bounces[k] = (self.bounces[k].0.max(speed), t);
            self.out.impacts.push(ImpactRecord {
                spot: self.watch.spots[k].0,
                onset: t,
                effective_mass: mass,
                approach_speed: speed,
                impact_energy: 0.5 * mass * speed * speed,
                peak_force: None,
                time_of_peak: t,
                max_indentation: 0.0,
                time_of_max_indentation: t,
                parting: Some(t),
                separation_speed: Some(u_plus),
                impulse: Some(*p),
                energy_lost: lost,
                compression_work: 0.0,
                free_acceleration: free[k],
                parting_mass: Some(mass),
                account: 0.0,
            });
            self.note(t, k, EventKind::Impulse);
        }
        self.note_impulses(t, &self.watch.pushes(&impulses), impacts_before)?;
        let lost = self.impulse_loss - before_all;
        self.book_drives(T_minus, lost).map_err(wrong)
    }

    /// What an impulse changed of T beside its loss, the drives gave: they hold their bodies against it.
    fn book_drives(&mut self, T_minus: f64, lost: f64) -> Result<(), MotionError> {
        if !self.model.drives.is_empty() {
            let T_plus = self.watch.energies()?[0];
            let drives = self.watch.works_at() + self.watch.spots.len() + 2;
            self.y[drives] += T_plus - T_minus + lost;
        }
        Ok(())
    }

    /// Takes the last bit of speed along closed rows away: p = −W⁺ u.
    fn rest(&mut self, t: f64, closed: &[bool]) -> Result<(), SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let u: Vec<f64> = self.before.iter().map(|s| s.rate).collect();
        let T_minus = self.watch.energies().map_err(wrong)?[0];
        self.watch.halt(closed).map_err(wrong)?;
        let (nq, nv) = (self.model.nq, self.model.nv);
        self.y[nq..nq + nv].copy_from_slice(self.watch.state.v.as_slice());
        // −½ p u⁻, with u⁺ = 0.
        let lost: f64 =
            u.iter().enumerate().map(|(k, u)| -0.5 * self.watch.staying.force(k) * u).sum();
        self.impulse_loss += lost;
        self.book_drives(T_minus, lost).map_err(wrong)?;
        Ok(())
    }

    /// Spots whose bounces have become so small that all that would follow happen now: when the last would be over.
    fn accumulate(&self, t: f64, closed: &[bool]) -> Vec<Option<f64>> {
        let mut gone = vec![None; closed.len()];
        for (k, gone) in gone.iter_mut().enumerate() {
            let see = &self.before[k];
            let contact = self.watch.spots[k].0.contact;
            let e = self.scenario.contacts[contact].restitution.unwrap_or(0.0);
            if !(closed[k] && see.rate > 0.0 && see.acceleration < 0.0 && 0.0 < e && e < 1.0) {
                continue;
            }
            // Flights of 2u/|u̇|, each e times the one before.
            let left = 2.0 * see.rate / (-see.acceleration * (1.0 - e));
            if left <= ACCUMULATED * (1.0 + t) {
                *gone = Some(t + left);
            }
        }
        gone
    }
}
