//! The conditions of Coulomb's cones: by how much impulses miss them, and what round-off may leave.

use super::coulomb::{Cones, Coulomb, MET};
use super::problem::ImpactProblem;
use crate::maths::dot::dot;

/// What impulses that nearly cancel may miss the conditions by, in parts of the largest velocity.
const MOST: f64 = 1e-10;

impl Coulomb {
    /// u ← c + W p.
    pub(super) fn update_u(&mut self, asked: &Cones<'_>) {
        self.moved = 0.0;
        if self.p.iter().all(|p| *p == 0.0) {
            self.u.copy_from_slice(asked.c);
            return;
        }
        let W = asked.impact.W().chunks_exact(asked.c.len().max(1));
        for ((u, c), W) in self.u.iter_mut().zip(asked.c).zip(W) {
            *u = c + dot(W, &self.p);
        }
    }

    /// Gives one row another impulse.
    pub(super) fn put(&mut self, asked: &Cones<'_>, row: usize, p: f64) {
        let change = p - self.p[row];
        if change != 0.0 {
            self.p[row] = p;
            // W is symmetric: its row is its column, and lies together.
            let n = self.u.len();
            let W = &asked.impact.W()[row * n..(row + 1) * n];
            self.moved = self.moved.max((change * W[row]).abs());
            self.u.iter_mut().zip(W).for_each(|(u, w)| *u += w * change);
        }
    }

    /// Impulses of round-off below their bound are at it, those outside of their cone on it.
    pub(super) fn trim(&mut self, asked: &Cones<'_>) {
        for (i, contact) in asked.impact.contacts().iter().enumerate() {
            let at = asked.first[i];
            self.p[at] = self.p[at].max(asked.bound[i]);
            let tangents = &mut self.p[at..at + contact.rows()];
            let limit = contact.mu() * tangents[0];
            let s = length(&tangents[1..]);
            if s > limit {
                tangents[1..].iter_mut().for_each(|p| *p *= limit / s);
            }
        }
    }

    /// What a violation may be: large impulses that nearly cancel have larger round-off.
    pub(super) fn tolerance(&self, asked: &Cones<'_>) -> f64 {
        self.round_off(asked.impact, asked.size)
    }

    /// The same, of the impulses found last, beside velocities of a size.
    pub(super) fn round_off(&self, impact: &ImpactProblem<'_>, size: f64) -> f64 {
        let moved = self.p.iter().enumerate().map(|(row, p)| (impact.w(row, row) * p).abs());
        let own = (MET * size + 1e-12 * moved.fold(0.0, f64::max)).min(MOST * size);
        own.max(impact.round_off())
    }

    /// The largest violation of all conditions, in velocities.
    pub(super) fn violation(&self, asked: &Cones<'_>) -> f64 {
        let impact = asked.impact;
        let mut worst = 0.0_f64;
        for (i, contact) in impact.contacts().iter().enumerate() {
            let at = asked.first[i];
            let (p_n, u_n) = (self.p[at], self.u[at]);
            let normal = impact.w(at, at) * (p_n - asked.bound[i]);
            worst = larger(worst, (if normal < u_n { normal } else { u_n }).abs());
            let mu = contact.mu();
            if mu == 0.0 {
                continue;
            }
            // p_t = the point of the disc nearest to p_t − ρ u_t, for any ρ > 0
            let unit: f64 = (at + 1..at + contact.rows()).map(|row| impact.w(row, row)).sum();
            if unit <= 0.0 {
                continue;
            }
            let mut aim = [0.0; 2];
            for (x, aim) in aim.iter_mut().enumerate().take(contact.tangents) {
                *aim = self.p[at + 1 + x] - self.u[at + 1 + x] / unit;
            }
            let (s, limit) = (length(&aim[..contact.tangents]), mu * p_n.max(0.0));
            let shrink = if s > limit { limit / s } else { 1.0 };
            for (x, aim) in aim.iter().enumerate().take(contact.tangents) {
                worst = larger(worst, unit * (self.p[at + 1 + x] - shrink * aim).abs());
            }
        }
        worst
    }
}

/// The larger number; what is none stays so, where `f64::max` would drop it.
fn larger(x: f64, y: f64) -> f64 {
    if x.is_nan() || y <= x { x } else { y }
}

/// The length of a tangential vector in the plane or in space.
pub(super) fn length(t: &[f64]) -> f64 {
    match t {
        [x] => x.abs(),
        [x, y] => x.hypot(*y),
        _ => 0.0,
    }
}
