//! Newton's method on the equations of the contacts' stands: Alart and Curnier's way to the last digits.
//!
//! Unknown are the impulses of a contact that sticks, the normal impulse of one that slides and, in space, the angle θ of its
//! slip: p_t = −μ p_n d(θ) hangs on them. The velocities that go with them vanish: u, or u_n and u_t across d.

use super::conditions::length;
use super::coulomb::{Cones, Coulomb, MET};
use super::eliminate::eliminate;
use super::local::Stand;
use super::problem::TANGENTS;

/// Newton's steps on one set of stands.
const STEPS: usize = 12;
/// Steps that may bring nothing, one after the other.
const IDLE: usize = 3;
/// Velocities that were added to u one by one, in parts of the largest, from which on it is summed up anew.
const LOUD: f64 = 100.0;
/// Most rows of a contact.
const ROWS: usize = 1 + TANGENTS;
/// The least impulse that a slip's angle is measured by, in parts of what stops the largest velocity.
const LEAST_REACH: f64 = 1e-6;

/// One unknown of a contact, and the velocity that must vanish with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    contact: usize,
    /// The row of the contact's normal.
    at: usize,
    /// The one row it pushes, unless the contact slides.
    alone: Option<usize>,
    /// What it adds to the impulses of the contact's rows.
    push: [f64; ROWS],
    /// The velocity, by the contact's rows.
    watch: [f64; ROWS],
    /// How that velocity changes because its direction turns.
    own: f64,
    /// The impulse that turns a slip by one radian; zero for the others.
    reach: f64,
}

impl Coulomb {
    /// Newton's method from the stands there are; they follow the impulses from step to step. Keeps the answer only if it meets
    /// every condition.
    pub(super) fn polish(&mut self, asked: &Cones<'_>) -> bool {
        self.trial.copy_from_slice(&self.p);
        self.before.copy_from_slice(&self.stands);
        let mut ranked = false;
        let (mut missed, mut least, mut idle) = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..STEPS {
            if !(missed > 1e-4 * MET * asked.size) || idle == IDLE {
                break;
            }
            self.step(asked);
            // 0 · x is 0 for finite numbers and NaN for others.
            if self.p.iter().map(|p| 0.0 * p).sum::<f64>() != 0.0 {
                missed = f64::INFINITY;
                break;
            }
            self.update_u(asked);
            ranked = !self.stand_again(asked);
            // Large impulses taken back one by one leave their round-off.
            if self.moved > LOUD * asked.size {
                self.update_u(asked);
            }
            missed = self.violation(asked);
            idle = if missed < 0.5 * least { 0 } else { idle + 1 };
            least = least.min(missed);
        }
        if missed <= self.tolerance(asked) {
            if !ranked {
                self.linearise(asked);
                let m = self.unknowns.len();
                let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
                self.dependent = rank < m;
            }
            self.trim(asked);
            self.residual = missed;
            return true;
        }
        self.p.copy_from_slice(&self.trial);
        self.stands.copy_from_slice(&self.before);
        self.update_u(asked);
        false
    }

    /// One step: x ← −J⁻¹ F, and the impulses that go with it.
    fn step(&mut self, asked: &Cones<'_>) {
        self.linearise(asked);
        let m = self.unknowns.len();
        let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
        self.dependent = rank < m;
        for (unknown, x) in self.unknowns.iter().zip(&self.F) {
            if unknown.reach == 0.0 {
                for (p, push) in self.p[unknown.at..].iter_mut().zip(unknown.push) {
                    *p -= push * x;
                }
                continue;
            }
            // A slip turns; the normal's unknown stands before it, if there is one.
            let (t, [_, x, y]) = (x / unknown.reach, unknown.watch);
            let scale = asked.impact.contacts()[unknown.contact].mu() * self.p[unknown.at]
                / 1.0_f64.hypot(t);
            // d = (y, −x), turned by −t towards (x, y)
            self.p[unknown.at + 1] = -scale * (y - t * x);
            self.p[unknown.at + 2] = -scale * (-x - t * y);
        }
    }

    /// The stand each contact's impulse and velocity point to: where p − u/W lies. Whether some stand is of another kind.
    pub(super) fn stand_again(&mut self, asked: &Cones<'_>) -> bool {
        let impact = asked.impact;
        let mut changed = false;
        for (i, contact) in impact.contacts().iter().enumerate() {
            let (at, bound) = (asked.first[i], asked.bound[i]);
            let struck = impact.w(at, at) * (self.p[at] - bound) > self.u[at];
            if !struck {
                self.put(asked, at, bound);
            }
            let mu = contact.mu();
            if mu == 0.0 || (!struck && bound == 0.0) {
                (at + 1..at + contact.rows()).for_each(|row| self.put(asked, row, 0.0));
                let stand = if struck { Stand::Slides([0.0; 2]) } else { Stand::Open };
                changed |= stand != self.stands[i];
                self.stands[i] = stand;
                continue;
            }
            let unit: f64 = (at + 1..at + contact.rows()).map(|row| impact.w(row, row)).sum();
            let mut aim = [0.0; 2];
            for (x, aim) in aim.iter_mut().enumerate().take(contact.tangents) {
                *aim = self.p[at + 1 + x] - self.u[at + 1 + x] / unit.max(f64::MIN_POSITIVE);
            }
            let s = length(&aim[..contact.tangents]);
            let slides = s > mu * self.p[at].max(0.0) && s > 0.0;
            let d = if slides { [-aim[0] / s, -aim[1] / s] } else { [0.0; 2] };
            let stand = match (struck, slides) {
                (true, true) => Stand::Slides(d),
                (true, false) => Stand::Sticks,
                (false, true) => Stand::BoundSlides(d),
                (false, false) => Stand::BoundSticks,
            };
            changed |= std::mem::discriminant(&stand) != std::mem::discriminant(&self.stands[i]);
            self.stands[i] = stand;
        }
        changed
    }

    /// The unknowns of the stands there are. A contact that slides is put on its side of the cone.
    fn choose(&mut self, asked: &Cones<'_>) {
        self.unknowns.clear();
        for (i, contact) in asked.impact.contacts().iter().enumerate() {
            let (at, mu) = (asked.first[i], contact.mu());
            let one = |row: usize| {
                let mut unit = [0.0; ROWS];
                unit[row] = 1.0;
                let alone = Some(at + row);
                Unknown { contact: i, at, alone, push: unit, watch: unit, own: 0.0, reach: 0.0 }
            };
            let (struck, slides) = match self.stands[i] {
                Stand::Open => continue,
                Stand::BoundSticks => (false, None),
                Stand::BoundSlides(d) => (false, Some(d)),
                Stand::Sticks => (true, None),
                Stand::Slides(d) => (true, Some(d)),
            };
            let tangents = if mu > 0.0 { contact.tangents } else { 0 };
            let Some(d) = slides.filter(|_| tangents > 0) else {
                self.unknowns.extend((usize::from(!struck)..=tangents).map(one));
                continue;
            };
            for (x, d) in d.iter().enumerate().take(tangents) {
                self.put(asked, at + 1 + x, -mu * self.p[at] * d);
            }
            if struck {
                let push = [1.0, -mu * d[0], -mu * d[1]];
                self.unknowns.push(Unknown { push, alone: None, ..one(0) });
            }
            if tangents == 2 {
                // p_t = −μ p_n d(θ) and u_t along d, with an impulse of that size for θ
                let unit = asked.impact.w(at + 1, at + 1) + asked.impact.w(at + 2, at + 2);
                let least = LEAST_REACH * asked.size / unit.max(f64::MIN_POSITIVE);
                let reach = (mu * self.p[at]).max(least);
                let share = mu * self.p[at] / reach;
                let push = [0.0, share * d[1], -share * d[0]];
                let along = d[0] * self.u[at + 1] + d[1] * self.u[at + 2];
                let watch = [0.0, -d[1], d[0]];
                let own = -along / reach;
                self.unknowns.push(Unknown { push, watch, own, reach, alone: None, ..one(1) });
            }
        }
    }

    /// F, the velocities that must vanish, and its derivative by the unknowns.
    fn linearise(&mut self, asked: &Cones<'_>) {
        self.choose(asked);
        let (m, n) = (self.unknowns.len(), self.u.len());
        self.J.resize((m * m).max(self.J.len()), 0.0);
        self.F.resize(m.max(self.F.len()), 0.0);
        self.row.resize(n, 0.0);
        let W = asked.impact.W();
        for (a, own) in self.unknowns.iter().enumerate() {
            let of = |x: usize| &W[(own.at + x) * n..(own.at + x + 1) * n];
            let row = if own.reach == 0.0 {
                let x = own.watch.iter().position(|x| *x != 0.0).unwrap_or(0);
                self.F[a] = self.u[own.at + x];
                of(x)
            } else {
                let [_, x, y] = own.watch;
                self.F[a] = x * self.u[own.at + 1] + y * self.u[own.at + 2];
                let pairs = self.row.iter_mut().zip(of(1).iter().zip(of(2)));
                pairs.for_each(|(sum, (v, w))| *sum = x * v + y * w);
                &self.row
            };
            let entries = self.J[a * m..(a + 1) * m].iter_mut();
            for (entry, other) in entries.zip(&self.unknowns) {
                *entry = if let Some(alone) = other.alone {
                    row[alone]
                } else {
                    other.push.iter().zip(&row[other.at..]).map(|(push, w)| push * w).sum()
                };
            }
            self.J[a * m + a] += own.own;
        }
    }
}
