//! Friction at several contacts at once: a true cone at each, velocities at the end.
//!
//! With u = c + W p, c the velocities the law aims from and b the least normal impulses:
//!
//! ```text
//! 0 ≤ p_n − b ⟂ u_n ≥ 0      p_t in the disc μ p_n, and of all in it the one with the least p_tᵀ u_t
//! ```
//!
//! Contacts are solved one after the other (block Gauss and Seidel, Jean and Moreau's way). From what a sweep leaves, Newton's
//! method on the equations of the contacts' stands ([`polish`](Coulomb::polish)) goes for the last digits, once the stands
//! have settled; an answer counts only if it meets all conditions. Where that finds none, the path of complementary bases is followed
//! ([`follow`](Coulomb::follow)), and sweeps go on from its end; at last Newton's method starts from other stands.

use super::giving::Giving;
use super::local::{Local, Stand};
use super::polish::Unknown;
use super::problem::ImpactProblem;

/// A condition may be missed by this part of the largest velocity.
pub(super) const MET: f64 = 1e-11;
/// How slowly contacts follow each other, in parts of their own W, and for how many sweeps. Where the plain way goes round in
/// circles, a slow one often ends.
const STAGES: [(f64, usize); 2] = [(0.0, 300), (0.3, 300)];
/// Sweeps after which Newton's method is tried whether or not the stands have settled.
const PATIENCE: usize = 8;
/// Paths of complementary bases that are tried.
const PATHS: usize = 4;
/// Guesses of stands that Newton's method is tried from at last, and the most contacts for which they are.
const GUESSES: u32 = 160;
const FEW: usize = 12;

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
    /// Whether some normals depend on others.
    pub dependent: bool,
}

/// Memory; it grows to the largest problem seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Coulomb {
    pub p: Vec<f64>,
    pub(super) u: Vec<f64>,
    /// The largest velocity added to u since it was summed up.
    pub(super) moved: f64,
    pub stands: Vec<Stand>,
    pub(super) before: Vec<Stand>,
    pub(super) trial: Vec<f64>,
    /// For Newton's method.
    pub(super) unknowns: Vec<Unknown>,
    pub(super) row: Vec<f64>,
    pub(super) J: Vec<f64>,
    pub(super) F: Vec<f64>,
    pub(super) pivots: Vec<usize>,
    /// For shortening: rows in force, and B, B Bᵀ, B p and y.
    pub(super) rows: Vec<usize>,
    pub(super) short: [Vec<f64>; 4],
    pub(super) giving: Giving,
    /// Whether the rows of the answer depend on each other.
    pub dependent: bool,
    /// The largest violation of the conditions.
    pub residual: f64,
}

impl Coulomb {
    /// Solves; the error is the largest violation of the conditions.
    pub fn solve(&mut self, asked: &Cones<'_>) -> Result<(), f64> {
        let found = self.find(asked);
        if found.is_err() {
            // Where contacts depend on each other, Newton's method may not end.
            return if self.soften(asked) { Ok(()) } else { found };
        }
        let dependent = self.dependent || asked.dependent && self.could_share(asked);
        if dependent && self.rubs(asked) {
            self.give_way(asked);
        }
        Ok(())
    }

    /// Solves; which of several answers is found may be chance.
    pub(super) fn find(&mut self, asked: &Cones<'_>) -> Result<(), f64> {
        let (n, k) = (asked.c.len(), asked.first.len());
        // A second phase goes on as the first ended: expansion with the same stands, its tangents with its normals.
        let again = self.p.len() == n && asked.bound.iter().any(|b| *b > 0.0);
        self.dependent = false;
        for list in [&mut self.p, &mut self.trial, &mut self.u] {
            list.resize(n, 0.0);
        }
        for list in [&mut self.stands, &mut self.before] {
            list.resize(k, Stand::Open);
        }
        let mut missed = f64::INFINITY;
        for (nth, stage) in STAGES.into_iter().enumerate() {
            if again && nth == 0 {
                self.go_on(asked);
            } else {
                self.start(asked);
                self.stands.fill(Stand::Open);
            }
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
        if k <= FEW {
            for nth in 0..GUESSES {
                self.guess(asked, nth);
                if self.polish(asked) {
                    return Ok(());
                }
            }
        }
        Err(missed)
    }

    /// Stands drawn from a number, with impulses of the size that stops the largest velocity, or with the least.
    fn guess(&mut self, asked: &Cones<'_>, nth: u32) {
        self.start(asked);
        let mut seed = nth;
        for (i, contact) in asked.impact.contacts().iter().enumerate() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let d = if contact.tangents == 2 {
                let (s, c) = f64::from(seed >> 16 & 0xff).sin_cos();
                [c, s]
            } else {
                [if seed >> 30 & 1 == 0 { 1.0 } else { -1.0 }, 0.0]
            };
            self.stands[i] = match seed >> 28 & 3 {
                0 if asked.bound[i] == 0.0 => Stand::Open,
                0 => Stand::BoundSticks,
                1 => Stand::Sticks,
                _ => Stand::Slides(d),
            };
            let at = asked.first[i];
            let w = asked.impact.w(at, at);
            let struck = matches!(self.stands[i], Stand::Sticks | Stand::Slides(_));
            if struck && w > 0.0 && nth % 2 == 1 {
                self.p[at] = self.p[at].max(asked.size / w);
            }
        }
        self.update_u(asked);
    }

    /// p ← the least impulses.
    pub(super) fn start(&mut self, asked: &Cones<'_>) {
        self.p.fill(0.0);
        for (&row, b) in asked.first.iter().zip(asked.bound) {
            self.p[row] = *b;
        }
    }

    /// p ← the least impulses, with the last tangents in proportion; stands at the bound.
    fn go_on(&mut self, asked: &Cones<'_>) {
        for (i, (&at, &b)) in asked.first.iter().zip(asked.bound).enumerate() {
            let share = if self.p[at] > 0.0 { b / self.p[at] } else { 0.0 };
            let rows = at + 1..at + asked.impact.contacts()[i].rows();
            self.p[at] = b;
            self.p[rows].iter_mut().for_each(|p| *p *= share);
            self.stands[i] = match self.stands[i] {
                _ if asked.impact.contacts()[i].mu() * b == 0.0 => Stand::Open,
                Stand::Slides(d) | Stand::BoundSlides(d) => Stand::BoundSlides(d),
                Stand::Sticks | Stand::BoundSticks | Stand::Open => Stand::BoundSticks,
            };
        }
    }

    /// Sweeps from the impulses and stands there are; whether they end at an answer.
    fn sweep(&mut self, asked: &Cones<'_>, (slowness, sweeps): (f64, usize)) -> bool {
        let k = asked.first.len();
        self.update_u(asked);
        let mut next_try = 1;
        for sweep in 1..=sweeps {
            let (mut moved, mut settled) = (0.0_f64, true);
            for i in 0..k {
                let i = if sweep % 2 == 1 { i } else { k - 1 - i };
                let before = self.stands[i];
                moved = moved.max(self.improve(asked, i, slowness));
                settled &= before.is_like(self.stands[i]);
            }
            let still = moved <= 1e-15 * asked.size;
            // A step of Newton's costs as much as many sweeps: it waits for stands that last.
            if still || (sweep >= next_try && (settled || sweep >= PATIENCE)) {
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
        if slowness > 0.0 {
            for x in 0..rows {
                let rho = slowness * local.W[x][x];
                local.W[x][x] += rho;
                local.a[x] -= rho * self.p[at + x];
            }
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
            moved = moved.max(change.abs() * local.W[x][x]);
            self.put(asked, at + x, *p);
        }
        moved
    }
}
