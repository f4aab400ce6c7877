//! Contacts that slide and depend on each other: where velocities are not unique, those of contacts that give way alike.
//!
//! How such contacts share the normal impulse decides the moment of their friction, and so how the bodies move on. With each contact
//! an equally soft spring, W + ε, the share is one; what is taken is its limit for ε → 0. Three ε give it, free of ε and ε²,
//! and proximal steps (Rockafellar 1976) the last digits: W p + c + ε (p − p_last) = 0.

use super::coulomb::{Cones, Coulomb};
use super::local::Stand;
use crate::maths::ldl;

/// The largest ε, in parts of the largest entry of W.
const SOFT: f64 = 1e-4;
/// Parts of it that are solved for, and their shares in the limit.
const PARTS: [(f64, f64); 3] = [(1.0, 1.0 / 3.0), (0.5, -2.0), (0.25, 8.0 / 3.0)];

/// Most steps from there to an answer for W itself.
const STEPS: usize = 8;

/// What is left of the conditions' tolerance when no more steps are taken.
const LAST_DIGITS: f64 = 1e-4;
/// A contact that parts slower than this part of the largest velocity stays closed.
const AT_REST: f64 = 1e-10;

/// Memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Giving {
    W: Vec<f64>,
    c: Vec<f64>,
    /// Normals that are closed at the end, and for the factors of their W.
    closed: Vec<usize>,
    scale: Vec<f64>,
    order: Vec<u32>,
    /// The limit, and the answer there was with its stands.
    limit: Vec<f64>,
    kept: Vec<f64>,
    stands: Vec<Stand>,
}

impl Coulomb {
    /// Whether normals of contacts that are closed at the end depend on each other, struck or not.
    pub fn could_share(&mut self, asked: &Cones<'_>) -> bool {
        let Giving { W, scale, order, closed, .. } = &mut self.giving;
        let still = (AT_REST * asked.size).max(asked.impact.round_off());
        let u = &self.u;
        closed.clear();
        closed.extend(asked.first.iter().filter(|row| u[**row].abs() <= still));
        let m = closed.len();
        W.clear();
        for &row in closed.iter() {
            W.extend(closed.iter().map(|&other| asked.impact.w(row, other)));
        }
        scale.clear();
        scale.extend(closed.iter().map(|&row| asked.impact.w(row, row)));
        order.clear();
        order.resize(m, 0);
        ldl::factorise(W, m, scale, order) < m
    }

    /// Whether some contact that is struck could slide against friction: where all stick there may be other answers.
    pub fn rubs(&self, asked: &Cones<'_>) -> bool {
        let mut contacts = self.stands.iter().zip(asked.impact.contacts());
        contacts.any(|(stand, contact)| *stand != Stand::Open && contact.mu() > 0.0)
    }

    /// Moves an answer of contacts that share to the limit; where there is none it stays.
    pub fn give_way(&mut self, asked: &Cones<'_>) {
        self.giving.kept.clone_from(&self.p);
        self.giving.stands.clone_from(&self.stands);
        let residual = self.residual;
        if !self.soften(asked) {
            self.p.clone_from(&self.giving.kept);
            self.stands.clone_from(&self.giving.stands);
            self.residual = residual;
            self.update_u(asked);
        }
        self.dependent = true;
    }

    /// p ← the limit, with its stands; whether there is one.
    pub fn soften(&mut self, asked: &Cones<'_>) -> bool {
        let mut giving = std::mem::take(&mut self.giving);
        let found = self.soft_limit(asked, &mut giving);
        self.giving = giving;
        self.dependent = true;
        found
    }

    /// p ← the limit; whether there is one that meets all conditions.
    fn soft_limit(&mut self, asked: &Cones<'_>, giving: &mut Giving) -> bool {
        let n = asked.c.len();
        let most = SOFT * (0..n).map(|i| asked.impact.w(i, i)).fold(0.0, f64::max);
        giving.limit.clear();
        giving.limit.resize(n, 0.0);
        giving.c.clear();
        giving.c.extend_from_slice(asked.c);
        for (part, share) in PARTS {
            if !self.solve_soft(asked, giving, part * most) {
                return false;
            }
            giving.limit.iter_mut().zip(&self.p).for_each(|(sum, p)| *sum += share * p);
        }
        self.p.copy_from_slice(&giving.limit);
        let mut least = f64::INFINITY;
        for step in 0..STEPS {
            self.trim(asked);
            self.update_u(asked);
            self.residual = self.violation(asked);
            let idle = self.residual > 0.5 * least || step + 1 == STEPS;
            if self.residual <= self.tolerance(asked) * if idle { 1.0 } else { LAST_DIGITS } {
                return true;
            }
            least = least.min(self.residual);
            // Springs that are at rest under these impulses: what moves nothing stays as it is.
            for ((c, free), p) in giving.c.iter_mut().zip(asked.c).zip(&self.p) {
                *c = free - most * p;
            }
            if !self.solve_soft(asked, giving, most) {
                return false;
            }
        }
        false
    }

    /// Solves with W + ε from `giving.c`.
    fn solve_soft(&mut self, asked: &Cones<'_>, giving: &mut Giving, epsilon: f64) -> bool {
        let n = asked.c.len();
        giving.W.clear();
        giving.W.extend_from_slice(asked.impact.W());
        (0..n).for_each(|i| giving.W[i * n + i] += epsilon);
        let soft = asked.impact.with(&giving.W);
        self.find(&Cones { impact: &soft, c: &giving.c, ..*asked }).is_ok()
    }
}
