//! Friction at several contacts at once: a true cone at each, velocities at the end.
//!
//! With u = c + W p, c the velocities the law aims from and b the least normal impulses:
//!
//! ```text
//! 0 ≤ p_n − b ⟂ u_n ≥ 0      p_t in the disc μ p_n, and of all in it the one with the least p_tᵀ u_t
//! ```
//!
//! Contacts are solved one after the other (block Gauss and Seidel, Jean and Moreau's way). From what a sweep leaves, Newton's
//! method on the equations of the contacts' stands ([`polish`](Coulomb::polish)) goes for the last digits, after 1, 2, 4, …
//! sweeps; an answer counts only if it meets all conditions. Where that finds none, the path of complementary bases is followed
//! ([`follow`](Coulomb::follow)), and sweeps go on from its end.

use super::local::{Local, Stand};
use super::problem::ImpactProblem;

/// A condition may be missed by this part of the largest velocity.
pub(super) const MET: f64 = 1e-11;
/// How slowly contacts follow each other, in parts of their own W, and for how many sweeps. Where the plain way goes round in
/// circles, a slow one often ends.
const STAGES: [(f64, usize); 2] = [(0.0, 300), (0.3, 300)];
/// Paths of complementary bases that are tried.
const PATHS: usize = 4;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cones<'a> {
    pub impact: &'a ImpactProblem<'a>,
    /// The row of each contact's normal.
    pub first: &'a [usize],
    /// The velocities aimed from.
    pub c: &'a [f64],
    /// The least normal impulses.
    pub bound: &'a [f64],
    /// The largest velocity.
    pub size: f64,
}

/// Memory; it grows to the largest problem seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Coulomb {
    pub p: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub stands: Vec<Stand>,
    pub(super) before: Vec<Stand>,
    pub(super) trial: Vec<f64>,
    /// The rows whose impulses are unknown, and μ d of those whose tangent hangs on them.
    pub(super) rows: Vec<usize>,
    pub(super) edges: Vec<f64>,
    pub(super) J: Vec<f64>,
    pub(super) F: Vec<f64>,
    pub(super) pivots: Vec<usize>,
    /// For shortening: B, B Bᵀ, B p and y.
    pub(super) short: [Vec<f64>; 4],
    /// Whether the rows of the answer depend on each other.
    pub dependent: bool,
    /// The largest violation of the conditions.
    pub residual: f64,
}

impl Coulomb {
    /// Solves; the error is the largest violation of the conditions.
    pub fn solve(&mut self, asked: &Cones<'_>) -> Result<(), f64> {
        let (n, k) = (asked.c.len(), asked.first.len());
        self.dependent = false;
        for list in [&mut self.p, &mut self.trial, &mut self.u] {
            list.clear();
            list.resize(n, 0.0);
        }
        for list in [&mut self.stands, &mut self.before] {
            list.clear();
            list.resize(k, Stand::Open);
        }
        let mut missed = f64::INFINITY;
        for stage in STAGES {
            self.start(asked);
            self.stands.fill(Stand::Open);
            if self.sweep(asked, stage) {
                return Ok(());
            }
            missed = missed.min(self.residual);
        }
        for path in 0..PATHS {
            if !self.follow(asked, path) {
                continue;
            }
            if self.settle(asked) || self.sweep(asked, STAGES[1]) {
                return Ok(());
            }
        }
        Err(missed)
    }

    /// p ← the least impulses.
    pub(super) fn start(&mut self, asked: &Cones<'_>) {
        self.p.fill(0.0);
        for (&row, b) in asked.first.iter().zip(asked.bound) {
            self.p[row] = *b;
        }
    }

    /// Sweeps from the impulses and stands there are; whether they end at an answer.
    fn sweep(&mut self, asked: &Cones<'_>, (slowness, sweeps): (f64, usize)) -> bool {
        let k = asked.first.len();
        self.update_u(asked);
        let mut next_try = 1;
        for sweep in 1..=sweeps {
            let mut moved = 0.0_f64;
            for i in 0..k {
                let i = if sweep % 2 == 1 { i } else { k - 1 - i };
                moved = moved.max(self.improve(asked, i, slowness));
            }
            let still = moved <= 1e-15 * asked.size;
            if sweep >= next_try || still {
                next_try = 2 * sweep;
                if self.polish(asked) {
                    return true;
                }
                if still {
                    break;
                }
            }
            if sweep % 32 == 0 {
                self.update_u(asked);
            }
        }
        self.update_u(asked);
        self.residual = self.violation(asked);
        self.residual <= self.tolerance(asked)
    }

    /// Whether the impulses at the end of a path meet every condition, as they are or with the last digits of Newton's method.
    fn settle(&mut self, asked: &Cones<'_>) -> bool {
        self.update_u(asked);
        self.stand_again(asked);
        if !self.polish(asked) {
            if !(self.violation(asked) <= self.tolerance(asked)) {
                return false;
            }
            self.trim(asked);
            self.dependent = true;
            self.update_u(asked);
            self.residual = self.violation(asked);
        }
        true
    }

    /// Solves contact i with the others as they are; returns how far its velocity moved.
    fn improve(&mut self, asked: &Cones<'_>, i: usize, slowness: f64) -> f64 {
        let (impact, at) = (asked.impact, asked.first[i]);
        let contact = &impact.contacts()[i];
        let rows = contact.rows();
        let (mu, bound, tangents) = (contact.mu(), asked.bound[i], contact.tangents);
        let mut local = Local { W: [[0.0; 3]; 3], a: [0.0; 3], mu, bound, tangents };
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
}
