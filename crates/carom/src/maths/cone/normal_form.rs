//! The contact problem without units: every cone the same Lorentz cone, every diagonal block of W of norm 1, the largest entry of c 1.
//!
//! With p = T p̂ and û = T ũ, T = a diag(1/μ, 1, 1), the coefficient μ disappears: p̂ lies in {|p̂_t| ≤ p̂_n} and ũ̂ = û + |û_t| n.

use super::problem::{Admissible, ContactProblem};
use crate::maths::dot::dot;

/// Coefficients above this are solved as sticking first: the normal form loses digits with μ².
pub(super) const LARGE_FRICTION: f64 = 1e3;
/// W is used through a factor W = H Hᵀ if that has at most one column for this many rows.
const LOW_RANK: usize = 3;
/// Fewest rows for which a factor of W pays.
const MANY: usize = 24;
/// Remaining diagonal entries of W below this, of 1, are round-off: the factor H is complete.
const COMPLETE: f64 = 1e-15;

/// What the unknowns of a block may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One unknown, not negative.
    Ray,
    /// |p̂_t| ≤ p̂_n.
    Cone,
    /// p̂_n ≥ 0, p̂_t free.
    Stick,
}

/// Unknowns that are projected together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub kind: Kind,
    /// Its first unknown.
    pub at: usize,
    /// How many there are.
    pub dim: usize,
    /// The contact point; none for the multiplier of a least impulse.
    pub point: Option<usize>,
}

/// The problem in normal form.
#[derive(Clone, Debug, Default)]
pub(super) struct NormalForm {
    pub blocks: Vec<Block>,
    /// How many unknowns there are.
    pub n: usize,
    /// Ŵ without the friction of points that slide, by rows.
    pub W: Vec<f64>,
    /// ĉ.
    pub c: Vec<f64>,
    /// Columns that friction of points that slide adds to Ŵ: the unknown, and n entries each.
    pub sliding: Vec<usize>,
    pub sliding_columns: Vec<f64>,
    /// T of each unknown, zero for multipliers.
    pub T: Vec<f64>,
    /// The row of the given problem of each unknown; `usize::MAX` for multipliers.
    pub row: Vec<usize>,
    /// What impulses and velocities are divided by beside T.
    pub size: f64,
    /// Added to û by a unit of softness: T² relative to the largest.
    pub soft: Vec<f64>,
    /// H of Ŵ = H Hᵀ, by rows of `rank`, if it is small.
    pub H: Vec<f64>,
    pub rank: usize,
    /// Whether all blocks are rays and sticking: the problem is monotone, and velocities are unique.
    pub monotone: bool,
    order: Vec<usize>,
}

impl NormalForm {
    /// Takes a problem up, with the kinds of points decided by `admissible`. The error is a
    /// point that closes and cannot move.
    pub fn set(
        &mut self,
        problem: &ContactProblem<'_>,
        admissible: impl Fn(usize) -> Admissible,
    ) -> Result<(), usize> {
        self.lay_out(problem, admissible)?;
        self.scale(problem);
        self.fill(problem);
        self.factorise();
        Ok(())
    }

    fn lay_out(
        &mut self,
        problem: &ContactProblem<'_>,
        admissible: impl Fn(usize) -> Admissible,
    ) -> Result<(), usize> {
        for list in [&mut self.T, &mut self.sliding_columns] {
            list.clear();
        }
        self.blocks.clear();
        self.row.clear();
        self.sliding.clear();
        let mut row = 0;
        for (k, point) in problem.points.iter().enumerate() {
            let at = row;
            row += point.rows();
            if problem.w(at, at) <= 0.0 {
                // The normal cannot move whatever acts.
                if problem.c[at] < -problem.round_off {
                    return Err(k);
                }
                continue;
            }
            let admissible = admissible(k);
            // Tangents that cannot move and do not slip take no impulse.
            let moves = |x: &usize| problem.w(at + x, at + x) > 0.0 || problem.c[at + x] != 0.0;
            let tangents = (1..=point.tangents).filter(moves).count();
            let (kind, dim, normal) = match admissible {
                Admissible::Coulomb(mu) if mu > 0.0 && tangents > 0 => {
                    (Kind::Cone, 1 + tangents, 1.0 / mu)
                }
                Admissible::Stick if tangents > 0 => (Kind::Stick, 1 + tangents, 1.0),
                _ => (Kind::Ray, 1, 1.0),
            };
            let first = self.T.len();
            self.blocks.push(Block { kind, at: first, dim, point: Some(k) });
            self.T.push(normal);
            self.row.push(at);
            if dim > 1 {
                for x in (1..=point.tangents).filter(moves) {
                    self.T.push(1.0);
                    self.row.push(at + x);
                }
            }
            if matches!(admissible, Admissible::Sliding { mu, .. } if mu > 0.0 && point.tangents > 0)
            {
                self.sliding.push(first);
            }
            if kind == Kind::Cone && point.least > 0.0 {
                let at = self.T.len();
                self.blocks.push(Block { kind: Kind::Ray, at, dim: 1, point: None });
                self.T.push(0.0);
                self.row.push(usize::MAX);
            }
        }
        self.n = self.T.len();
        self.monotone = self.sliding.is_empty() && self.blocks.iter().all(|b| b.kind != Kind::Cone);
        Ok(())
    }

    /// T ← T divided by the root of its block's norm, so that diagonal blocks have norm 1.
    fn scale(&mut self, problem: &ContactProblem<'_>) {
        for block in &self.blocks {
            if block.point.is_none() {
                continue;
            }
            let own = block.at..block.at + block.dim;
            let mut norm = 0.0_f64;
            for i in own.clone() {
                let sum: f64 = own
                    .clone()
                    .map(|j| (problem.w(self.row[i], self.row[j]) * self.T[i] * self.T[j]).powi(2))
                    .sum();
                norm += sum;
            }
            let norm = norm.sqrt();
            if norm > 0.0 {
                own.for_each(|i| self.T[i] /= norm.sqrt());
            }
        }
    }

    fn fill(&mut self, problem: &ContactProblem<'_>) {
        let n = self.n;
        self.W.clear();
        self.W.resize(n * n, 0.0);
        self.c.clear();
        self.c.resize(n, 0.0);
        let Self { W, c, T, row, blocks, .. } = self;
        for i in 0..n {
            let x = row[i];
            if x == usize::MAX {
                continue;
            }
            for j in 0..=i {
                let y = row[j];
                if y != usize::MAX {
                    let w = 0.5 * (problem.w(x, y) + problem.w(y, x)) * T[i] * T[j];
                    (W[i * n + j], W[j * n + i]) = (w, w);
                }
            }
            c[i] = problem.c[x] * T[i];
        }
        // Least impulses: a ray or a sticking point is shifted, a cone gets the multiplier λ of p_n ≥ b with ũ_n − λ ⟂ p.
        for (k, block) in blocks.iter().enumerate() {
            let Some(point) = block.point else { continue };
            let least = problem.points[point].least;
            if least == 0.0 {
                continue;
            }
            if block.kind == Kind::Cone {
                let multiplier = blocks[k + 1].at;
                W[block.at * n + multiplier] = -1.0;
                W[multiplier * n + block.at] = 1.0;
                c[multiplier] = -least / T[block.at];
            } else {
                let share = least / T[block.at];
                for i in 0..n {
                    c[i] += W[i * n + block.at] * share;
                }
            }
        }
        self.fill_sliding(problem);
        let largest = self.c.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
        self.size = if largest > 0.0 { largest } else { 1.0 };
        self.c.iter_mut().for_each(|c| *c /= self.size);
        let most = self.T.iter().fold(0.0_f64, |m, t| m.max(t * t));
        self.soft.clear();
        self.soft.extend(self.T.iter().map(|t| t * t / most));
    }

    /// The friction of points that slide in a known direction.
    fn fill_sliding(&mut self, problem: &ContactProblem<'_>) {
        let n = self.n;
        for k in 0..self.sliding.len() {
            let own = self.sliding[k];
            let point = self.blocks.iter().find(|b| b.at == own).and_then(|b| b.point);
            let Some(point) = point.map(|p| &problem.points[p]) else { continue };
            let Admissible::Sliding { mu, along } = point.admissible else { continue };
            for i in 0..n {
                let x = self.row[i];
                let column = if x == usize::MAX {
                    0.0
                } else {
                    let tangents = 0..point.tangents;
                    let w: f64 =
                        tangents.map(|t| problem.w(x, self.row[own] + 1 + t) * along[t]).sum();
                    -mu * w * self.T[i] * self.T[own]
                };
                self.sliding_columns.push(column);
                self.c[i] += column * point.least / self.T[own];
            }
        }
    }

    /// H ← a factor of Ŵ by Cholesky's method with diagonal pivoting, unless it has many columns.
    fn factorise(&mut self) {
        let n = self.n;
        self.rank = 0;
        self.H.clear();
        let multipliers = self.blocks.iter().any(|b| b.point.is_none());
        if n < MANY || !self.sliding.is_empty() || multipliers {
            return;
        }
        let most = n / LOW_RANK;
        self.H.resize(n * most, 0.0);
        self.order.clear();
        self.order.extend(0..n);
        let mut left: f64;
        let mut rank = 0;
        loop {
            let mut best = (0, 0.0);
            left = 0.0;
            for i in 0..n {
                let own = &self.H[i * most..i * most + rank];
                let rest = self.W[i * n + i] - dot(own, own);
                left = left.max(rest);
                if rest > best.1 {
                    best = (i, rest);
                }
            }
            if left <= COMPLETE * n as f64 {
                break;
            }
            if rank == most {
                self.H.clear();
                return;
            }
            let (pivot, root) = (best.0, best.1.sqrt());
            for i in 0..n {
                let sum = dot(
                    &self.H[i * most..i * most + rank],
                    &self.H[pivot * most..pivot * most + rank],
                );
                self.H[i * most + rank] = (self.W[i * n + pivot] - sum) / root;
            }
            rank += 1;
        }
        for i in 0..n {
            self.H.copy_within(i * most..i * most + rank, i * rank);
        }
        self.H.truncate(n * rank);
        self.rank = rank;
    }

    /// out ← Ŵ(g) p, with the friction of sliding points by the part g.
    pub fn multiply(&self, g: f64, p: &[f64], out: &mut [f64]) {
        let n = self.n;
        for (x, row) in out.iter_mut().zip(self.W.chunks_exact(n.max(1))) {
            *x = dot(row, p);
        }
        for (k, &own) in self.sliding.iter().enumerate() {
            let share = g * p[own];
            let column = &self.sliding_columns[k * n..(k + 1) * n];
            out.iter_mut().zip(column).for_each(|(x, w)| *x += share * w);
        }
    }

    /// p ← the least impulses of cones, with the friction and the multipliers that the velocities `u` they lead to ask for; zero
    /// elsewhere. It is where Newton's method begins: with p_n = 0 < b both conditions of a point would change at once.
    pub fn begin(&self, p: &mut [f64], u: &mut Vec<f64>) {
        p.fill(0.0);
        let bounds = || self.blocks.windows(2).filter(|pair| pair[1].point.is_none());
        if bounds().next().is_none() {
            return;
        }
        for pair in bounds() {
            p[pair[0].at] = -self.c[pair[1].at];
        }
        u.resize(self.n, 0.0);
        self.multiply(1.0, p, u);
        u.iter_mut().zip(&self.c).for_each(|(u, c)| *u += c);
        for pair in bounds() {
            let (own, multiplier) = (&pair[0], pair[1].at);
            let tangents = own.at + 1..own.at + own.dim;
            let slip = u[tangents.clone()].iter().fold(0.0_f64, |s, u| s.hypot(*u));
            let share = if slip > p[own.at] { p[own.at] / slip } else { 1.0 };
            tangents.for_each(|i| p[i] = -share * u[i]);
            p[multiplier] = u[own.at].max(0.0);
        }
    }

    /// p of the given problem.
    pub fn given(&self, problem: &ContactProblem<'_>, p: &[f64], out: &mut [f64]) {
        let mut row = 0;
        for point in problem.points {
            out[row] = 0.0;
            out[row + 1..row + point.rows()].fill(0.0);
            row += point.rows();
        }
        for (i, &row) in self.row.iter().enumerate() {
            if row != usize::MAX {
                out[row] = p[i] * self.T[i] * self.size;
            }
        }
        for block in self.blocks.iter().filter(|b| b.kind != Kind::Cone) {
            let Some(point) = block.point.map(|k| &problem.points[k]) else { continue };
            let at = self.row[block.at];
            out[at] += point.least;
            if let (Admissible::Sliding { mu, along }, Kind::Ray) = (point.admissible, block.kind) {
                for x in 0..point.tangents {
                    out[at + 1 + x] = -mu * out[at] * along[x];
                }
            }
        }
    }
}
