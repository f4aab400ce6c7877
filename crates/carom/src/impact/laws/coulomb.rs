//! Friction at several contacts at once: a true cone at each, velocities at the end.
//!
//! With u = c + W p, c the velocities the law aims from and b the least normal impulses:
//!
//! ```text
//! 0 ≤ p_n − b ⟂ u_n ≥ 0      p_t in the disc μ p_n, and of all in it the one with the least p_tᵀ u_t
//! ```
//!
//! Contacts are solved one after the other (block Gauss and Seidel, Jean and Moreau's way). From what a sweep leaves, Newton's
//! method on the equations of the contacts' stands (Alart and Curnier's) goes for the last digits, after 1, 2, 4, … sweeps; an
//! answer counts only if it meets all conditions. Where that finds none, the path of complementary bases is followed
//! ([`follow`](Coulomb::follow)), and sweeps go on from its end.

use super::eliminate::eliminate;
use super::local::{Local, Stand};
use super::problem::ImpactProblem;

/// A condition may be missed by this part of the largest velocity.
const MET: f64 = 1e-11;
/// The same for impulses that nearly cancel.
const MOST: f64 = 1e-10;
/// How slowly contacts follow each other, in parts of their own W, and for how many sweeps. Where the plain way goes round in
/// circles, a slow one often ends.
const STAGES: [(f64, usize); 2] = [(0.0, 300), (0.3, 300)];
/// Paths of complementary bases that are tried.
const PATHS: usize = 4;
/// Newton's steps on one set of stands.
const NEWTON: usize = 12;

/// Memory; it grows to the largest problem seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Coulomb {
    pub p: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub stands: Vec<Stand>,
    before: Vec<Stand>,
    pub(super) trial: Vec<f64>,
    pub(super) rows: Vec<usize>,
    J: Vec<f64>,
    F: Vec<f64>,
    pivots: Vec<usize>,
    /// For shortening: B, B Bᵀ, B p and y.
    pub(super) short: [Vec<f64>; 4],
    /// Whether the rows of the answer depend on each other.
    pub dependent: bool,
    /// The largest violation of the conditions.
    pub residual: f64,
}

impl Coulomb {
    /// Solves; the error is the largest violation of the conditions. `fastest` is a velocity of the impact: c alone, what an
    /// earlier phase left, may be round-off.
    pub fn solve(
        &mut self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        (c, fastest): (&[f64], f64),
        bound: &[f64],
    ) -> Result<(), f64> {
        let (n, k) = (impact.rows(), impact.contacts().len());
        self.dependent = false;
        for list in [&mut self.p, &mut self.trial, &mut self.u] {
            list.clear();
            list.resize(n, 0.0);
        }
        for list in [&mut self.stands, &mut self.before] {
            list.clear();
            list.resize(k, Stand::Open);
        }
        let size = c.iter().fold(fastest, |m, x| m.max(x.abs()));
        let mut missed = f64::INFINITY;
        for stage in STAGES {
            self.p.fill(0.0);
            for (&row, b) in first.iter().zip(bound) {
                self.p[row] = *b;
            }
            self.stands.fill(Stand::Open);
            if self.sweep(impact, first, (c, bound, size), stage) {
                return Ok(());
            }
            missed = missed.min(self.residual);
        }
        for path in 0..PATHS {
            if !self.follow(impact, first, (c, bound, size), path) {
                continue;
            }
            if self.settle(impact, first, (c, bound, size))
                || self.sweep(impact, first, (c, bound, size), STAGES[1])
            {
                return Ok(());
            }
        }
        Err(missed)
    }

    /// Sweeps from the impulses and stands there are; whether they end at an answer.
    fn sweep(
        &mut self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        (c, bound, size): (&[f64], &[f64], f64),
        (slowness, sweeps): (f64, usize),
    ) -> bool {
        let k = first.len();
        self.update_u(impact, c);
        let mut next_try = 1;
        for sweep in 1..=sweeps {
            let mut moved = 0.0_f64;
            for i in 0..k {
                let i = if sweep % 2 == 1 { i } else { k - 1 - i };
                moved = moved.max(self.improve(impact, first, i, (bound[i], slowness)));
            }
            let still = moved <= 1e-15 * size;
            if sweep >= next_try || still {
                next_try = 2 * sweep;
                if self.polish(impact, first, c, bound, size) {
                    self.residual = self.violation(impact, first, bound);
                    return true;
                }
                if still {
                    break;
                }
            }
            if sweep % 32 == 0 {
                self.update_u(impact, c);
            }
        }
        self.update_u(impact, c);
        self.residual = self.violation(impact, first, bound);
        self.residual <= self.tolerance(impact, size)
    }

    /// Whether the impulses at the end of a path meet every condition, as they are or with the last digits of Newton's method.
    fn settle(
        &mut self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        (c, bound, size): (&[f64], &[f64], f64),
    ) -> bool {
        self.update_u(impact, c);
        self.stand_again(impact, first, bound);
        if !self.polish(impact, first, c, bound, size) {
            if !(self.violation(impact, first, bound) <= self.tolerance(impact, size)) {
                return false;
            }
            self.trim(impact, first, bound);
            self.dependent = true;
        }
        self.update_u(impact, c);
        self.residual = self.violation(impact, first, bound);
        true
    }

    /// u ← c + W p.
    pub(super) fn update_u(&mut self, impact: &ImpactProblem<'_>, c: &[f64]) {
        let n = c.len();
        for (row, u) in self.u.iter_mut().enumerate() {
            let W = &impact.W()[row * n..(row + 1) * n];
            *u = c[row] + W.iter().zip(&self.p).map(|(w, p)| w * p).sum::<f64>();
        }
    }

    /// Solves contact i with the others as they are; returns how far its velocity moved.
    fn improve(
        &mut self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        i: usize,
        (bound, slowness): (f64, f64),
    ) -> f64 {
        let (at, rows) = (first[i], impact.contacts()[i].rows());
        let mut local = Local {
            W: [[0.0; 3]; 3],
            a: [0.0; 3],
            mu: impact.contacts()[i].mu(),
            bound,
            tangents: rows - 1,
        };
        for x in 0..rows {
            local.a[x] = self.u[at + x];
            for y in 0..rows {
                local.W[x][y] = impact.w(at + x, at + y);
                local.a[x] -= local.W[x][y] * self.p[at + y];
            }
        }
        // The impulse is held near its last value: W + ρ, a − ρ p.
        for x in 0..rows {
            let rho = slowness * local.W[x][x];
            local.W[x][x] += rho;
            local.a[x] -= rho * self.p[at + x];
        }
        let hint = match self.stands[i] {
            Stand::Slides(d) if d != [0.0; 2] => Some(d),
            _ => None,
        };
        let Some((p, stand)) = local.solve(hint) else { return f64::INFINITY };
        self.stands[i] = stand;
        let mut moved = 0.0_f64;
        for (x, p) in p.iter().enumerate().take(rows) {
            let change = p - self.p[at + x];
            if change == 0.0 {
                continue;
            }
            self.p[at + x] = *p;
            moved = moved.max(change.abs() * local.W[x][x]);
            // W is symmetric: its row is its column, and lies together.
            let n = self.u.len();
            let column = &impact.W()[(at + x) * n..(at + x + 1) * n];
            self.u.iter_mut().zip(column).for_each(|(u, w)| *u += w * change);
        }
        moved
    }

    /// Newton's method on the equations of the stands, which follow the impulses from step to step; keeps the answer only if
    /// it meets every condition.
    fn polish(
        &mut self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        c: &[f64],
        bound: &[f64],
        size: f64,
    ) -> bool {
        self.trial.copy_from_slice(&self.p);
        self.before.copy_from_slice(&self.stands);
        let mut ranked = false;
        self.update_u(impact, c);
        for _ in 0..NEWTON {
            if !(self.violation(impact, first, bound) > 1e-4 * MET * size) {
                break;
            }
            self.linearise(impact, first);
            let m = self.rows.len();
            let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
            self.dependent = rank < m;
            for (x, &row) in self.F.iter().zip(&self.rows) {
                self.p[row] -= x;
            }
            self.update_u(impact, c);
            ranked = !self.stand_again(impact, first, bound);
            if !ranked {
                self.update_u(impact, c);
            }
        }
        if self.violation(impact, first, bound) <= self.tolerance(impact, size) {
            self.trim(impact, first, bound);
            if !ranked {
                self.linearise(impact, first);
                let m = self.rows.len();
                let rank = eliminate(&mut self.J[..m * m], &mut self.F[..m], &mut self.pivots);
                self.dependent = rank < m;
            }
            return true;
        }
        self.p.copy_from_slice(&self.trial);
        self.stands.copy_from_slice(&self.before);
        self.update_u(impact, c);
        false
    }

    /// Impulses of round-off below their bound are at it, those outside of their cone on it.
    pub(super) fn trim(&mut self, impact: &ImpactProblem<'_>, first: &[usize], bound: &[f64]) {
        for (i, contact) in impact.contacts().iter().enumerate() {
            let at = first[i];
            self.p[at] = self.p[at].max(bound[i]);
            let tangents = at + 1..at + contact.rows();
            let limit = contact.mu() * self.p[at];
            let s = self.p[tangents.clone()].iter().fold(0.0_f64, |s, x| s.hypot(*x));
            if s > limit {
                self.p[tangents].iter_mut().for_each(|p| *p *= limit / s);
            }
        }
    }

    /// The stand each contact's impulse and velocity point to: where p − u/W lies. Whether some stand is of another kind.
    fn stand_again(&mut self, impact: &ImpactProblem<'_>, first: &[usize], bound: &[f64]) -> bool {
        let mut changed = false;
        for (i, contact) in impact.contacts().iter().enumerate() {
            let at = first[i];
            let struck = impact.w(at, at) * (self.p[at] - bound[i]) > self.u[at];
            if !struck {
                self.p[at] = bound[i];
            }
            let mu = contact.mu();
            if mu == 0.0 || (!struck && bound[i] == 0.0) {
                self.p[at + 1..at + contact.rows()].fill(0.0);
                let stand = if struck { Stand::Slides([0.0; 2]) } else { Stand::Open };
                changed |= stand != self.stands[i];
                self.stands[i] = stand;
                continue;
            }
            let unit: f64 = (1..contact.rows()).map(|x| impact.w(at + x, at + x)).sum();
            let mut aim = [0.0; 2];
            for (x, aim) in aim.iter_mut().enumerate().take(contact.rows() - 1) {
                *aim = self.p[at + 1 + x] - self.u[at + 1 + x] / unit.max(f64::MIN_POSITIVE);
            }
            let length = aim[0].hypot(aim[1]);
            let slides = length > mu * self.p[at].max(0.0) && length > 0.0;
            let d = if slides { [-aim[0] / length, -aim[1] / length] } else { [0.0; 2] };
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

    /// What a violation may be: large impulses that nearly cancel have larger round-off.
    pub(super) fn tolerance(&self, impact: &ImpactProblem<'_>, size: f64) -> f64 {
        let moved = self.p.iter().enumerate().map(|(row, p)| (impact.w(row, row) * p).abs());
        (MET * size + 1e-12 * moved.fold(0.0, f64::max)).min(MOST * size)
    }

    /// F and its derivative by p over the rows in force: u_n, u_t where it sticks, p_t + μ p_n u_t/|u_t| where it slides.
    fn linearise(&mut self, impact: &ImpactProblem<'_>, first: &[usize]) {
        self.rows.clear();
        for (i, contact) in impact.contacts().iter().enumerate() {
            let from = match self.stands[i] {
                Stand::Open => continue,
                Stand::BoundSticks | Stand::BoundSlides(_) => 1,
                Stand::Sticks | Stand::Slides(_) => 0,
            };
            let to = if contact.mu() > 0.0 { contact.rows() } else { 1 };
            self.rows.extend(first[i] + from..first[i] + to);
        }
        let m = self.rows.len();
        self.J.resize((m * m).max(self.J.len()), 0.0);
        self.F.resize(m.max(self.F.len()), 0.0);
        let mut place = 0;
        while place < m {
            let row = self.rows[place];
            let i = first.partition_point(|f| *f <= row) - 1;
            let at = first[i];
            let slides = match self.stands[i] {
                Stand::Slides(d) | Stand::BoundSlides(d) => Some(d),
                _ => None,
            };
            let (Some(d), true) = (slides, row > at) else {
                // u of this row
                self.F[place] = self.u[row];
                let n = self.u.len();
                let W = &impact.W()[row * n..(row + 1) * n];
                for (entry, &other) in self.J[place * m..].iter_mut().zip(&self.rows) {
                    *entry = W[other];
                }
                place += 1;
                continue;
            };
            let (mu, p_n) = (impact.contacts()[i].mu(), self.p[at]);
            let tangents = impact.contacts()[i].rows() - 1;
            let u_t = [self.u[at + 1], if tangents == 2 { self.u[at + 2] } else { 0.0 }];
            let s = u_t[0].hypot(u_t[1]);
            let turns = tangents == 2 && s > 0.0;
            let d = if turns { [u_t[0] / s, u_t[1] / s] } else { d };
            for x in 0..tangents {
                // In velocities, so that rows compare.
                let unit = impact.w(at + 1 + x, at + 1 + x);
                self.F[place] = unit * (self.p[at + 1 + x] + mu * p_n * d[x]);
                for (y, &other) in self.rows.iter().enumerate() {
                    let mut value = 0.0;
                    if other == at + 1 + x {
                        value += 1.0;
                    }
                    if other == at {
                        value += mu * d[x];
                    }
                    if turns {
                        // (I − d dᵀ)/|u_t| W_t
                        let w = [impact.w(at + 1, other), impact.w(at + 2, other)];
                        let along = d[0] * w[0] + d[1] * w[1];
                        value += mu * p_n / s * (w[x] - d[x] * along);
                    }
                    self.J[place * m + y] = unit * value;
                }
                place += 1;
            }
        }
    }

    /// The largest violation of all conditions, in velocities.
    pub(super) fn violation(
        &self,
        impact: &ImpactProblem<'_>,
        first: &[usize],
        bound: &[f64],
    ) -> f64 {
        let mut worst = 0.0_f64;
        for (i, contact) in impact.contacts().iter().enumerate() {
            let at = first[i];
            let w = impact.w(at, at);
            let (p_n, u_n) = (self.p[at], self.u[at]);
            worst = worst.max((w * (p_n - bound[i])).min(u_n).abs());
            let mu = contact.mu();
            if mu == 0.0 {
                continue;
            }
            // p_t = the point of the disc nearest to p_t − ρ u_t, for any ρ > 0
            let tangents = contact.rows() - 1;
            let unit: f64 = (1..=tangents).map(|x| impact.w(at + x, at + x)).sum();
            if unit <= 0.0 {
                continue;
            }
            let mut aim = [0.0; 2];
            for (x, aim) in aim.iter_mut().enumerate().take(tangents) {
                *aim = self.p[at + 1 + x] - self.u[at + 1 + x] / unit;
            }
            let (length, limit) = (aim[0].hypot(aim[1]), mu * p_n.max(0.0));
            let shrink = if length > limit { limit / length } else { 1.0 };
            for (x, aim) in aim.iter().enumerate().take(tangents) {
                worst = worst.max(unit * (self.p[at + 1 + x] - shrink * aim).abs());
            }
        }
        worst
    }
}
