//! Newton's method on the equations of the contacts' stands: Alart and Curnier's way to the last digits.
//!
//! A contact that slides in the plane has one unknown, or none at its bound: p_t = −μ p_n d goes into the normal's column.

use super::conditions::length;
use super::coulomb::{Cones, Coulomb, MET};
use super::eliminate::eliminate;
use super::local::Stand;

/// Newton's steps on one set of stands.
const STEPS: usize = 12;

impl Coulomb {
    /// Newton's method from the stands there are; they follow the impulses from step to step. Keeps the answer only if it meets
    /// every condition.
    pub(super) fn polish(&mut self, asked: &Cones<'_>) -> bool {
        self.trial.copy_from_slice(&self.p);
        self.before.copy_from_slice(&self.stands);
        let mut ranked = false;
        self.update_u(asked);
        let mut missed = self.violation(asked);
        for _ in 0..STEPS {
            if !(missed > 1e-4 * MET * asked.size) {
                break;
            }
            self.step(asked);
            self.update_u(asked);
            ranked = !self.stand_again(asked);
            if !ranked {
                self.update_u(asked);
            }
            missed = self.violation(asked);
        }
        if missed <= self.tolerance(asked) {
            if !ranked {
                self.linearise(asked);
                let m = self.rows.len();
                let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
                self.dependent = rank < m;
            }
            self.trim(asked);
            self.residual = self.violation(asked);
            return true;
        }
        self.p.copy_from_slice(&self.trial);
        self.stands.copy_from_slice(&self.before);
        self.update_u(asked);
        false
    }

    /// One step: p ← p − J⁻¹ F.
    fn step(&mut self, asked: &Cones<'_>) {
        self.linearise(asked);
        let m = self.rows.len();
        let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
        self.dependent = rank < m;
        for ((x, &row), edge) in self.F.iter().zip(&self.rows).zip(&self.edges) {
            self.p[row] -= x;
            if *edge != 0.0 {
                self.p[row + 1] = -edge * self.p[row];
            }
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
                self.p[at] = bound;
            }
            let mu = contact.mu();
            if mu == 0.0 || (!struck && bound == 0.0) {
                self.p[at + 1..at + contact.rows()].fill(0.0);
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

    /// The rows whose impulses are unknown. A planar contact that slides is put on its side of the cone.
    fn choose(&mut self, asked: &Cones<'_>) {
        self.rows.clear();
        self.edges.clear();
        let n = self.u.len();
        for (i, contact) in asked.impact.contacts().iter().enumerate() {
            let (at, mu) = (asked.first[i], contact.mu());
            let (from, slides) = match self.stands[i] {
                Stand::Open => continue,
                Stand::BoundSticks => (1, None),
                Stand::BoundSlides(d) => (1, Some(d)),
                Stand::Sticks => (0, None),
                Stand::Slides(d) => (0, Some(d)),
            };
            let mut to = if mu > 0.0 { contact.rows() } else { 1 };
            let mut edge = 0.0;
            if let (Some(d), 2) = (slides, to) {
                (edge, to) = (mu * d[0], 1);
                let change = -edge * self.p[at] - self.p[at + 1];
                if change != 0.0 {
                    self.p[at + 1] += change;
                    let W = &asked.impact.W()[(at + 1) * n..(at + 2) * n];
                    self.u.iter_mut().zip(W).for_each(|(u, w)| *u += w * change);
                }
            }
            self.rows.extend(at + from..at + to);
            self.edges.extend((from..to).map(|x| if x == 0 { edge } else { 0.0 }));
        }
    }

    /// F and its derivative by the unknown p: u_n, u_t where it sticks, p_t + μ p_n u_t/|u_t| where it slides in space.
    fn linearise(&mut self, asked: &Cones<'_>) {
        self.choose(asked);
        let (m, n) = (self.rows.len(), self.u.len());
        self.J.resize((m * m).max(self.J.len()), 0.0);
        self.F.resize(m.max(self.F.len()), 0.0);
        let mut place = 0;
        while place < m {
            let row = self.rows[place];
            let i = asked.first.partition_point(|f| *f <= row) - 1;
            let slides = matches!(self.stands[i], Stand::Slides(_) | Stand::BoundSlides(_));
            if slides && row > asked.first[i] {
                place = self.linearise_slip(asked, i, place);
                continue;
            }
            // u of this row
            self.F[place] = self.u[row];
            let W = &asked.impact.W()[row * n..(row + 1) * n];
            let columns = self.rows.iter().zip(&self.edges);
            for (entry, (&other, edge)) in self.J[place * m..].iter_mut().zip(columns) {
                *entry = W[other];
                if *edge != 0.0 {
                    *entry -= edge * W[other + 1];
                }
            }
            place += 1;
        }
    }

    /// The two equations of contact i, which slides in space, from a place on; returns the place behind them.
    fn linearise_slip(&mut self, asked: &Cones<'_>, i: usize, place: usize) -> usize {
        let (impact, at, m) = (asked.impact, asked.first[i], self.rows.len());
        let (Stand::Slides(d) | Stand::BoundSlides(d)) = self.stands[i] else { return place + 1 };
        let (mu, p_n) = (impact.contacts()[i].mu(), self.p[at]);
        let u_t = [self.u[at + 1], self.u[at + 2]];
        let s = u_t[0].hypot(u_t[1]);
        let turns = s > 0.0;
        let d = if turns { [u_t[0] / s, u_t[1] / s] } else { d };
        for x in 0..2 {
            // In velocities, so that rows compare.
            let unit = impact.w(at + 1 + x, at + 1 + x);
            self.F[place + x] = unit * (self.p[at + 1 + x] + mu * p_n * d[x]);
            for (y, (&other, edge)) in self.rows.iter().zip(&self.edges).enumerate() {
                let mut value = 0.0;
                if other == at + 1 + x {
                    value += 1.0;
                }
                if other == at {
                    value += mu * d[x];
                }
                if turns {
                    // (I − d dᵀ)/|u_t| W_t
                    let mut w = [impact.w(at + 1, other), impact.w(at + 2, other)];
                    if *edge != 0.0 {
                        w[0] -= edge * impact.w(at + 1, other + 1);
                        w[1] -= edge * impact.w(at + 2, other + 1);
                    }
                    let along = d[0] * w[0] + d[1] * w[1];
                    value += mu * p_n / s * (w[x] - d[x] * along);
                }
                self.J[(place + x) * m + y] = unit * value;
            }
        }
        place + 2
    }
}
