//! Forces that are not unique: how contacts that depend on each other share a load.
//!
//! All p with W p + c = 0 are p₀ + N z, N the null vectors of W: they move nothing. Rows give way in parts of their forces,
//! W p + c + g D p = 0 with g → 0: with the null vectors L of Wᵀ that is Lᵀ D p = 0, and where no contact slides, so that W is
//! symmetric, the least Σ D p². Normals share as equal springs do, D = 1. Contacts that stick share so that the greatest |F_T| / (μ_s F_N) is the least: only when there is no other way to
//! hold does one of them slip. That is the least of Σ λ (F_T / μ_s F_N)², with λ that follow the ratios (Lawson's algorithm).

use super::staying::Held;
use crate::maths::pivoted::Pivoted;

/// A pivot below this part of the largest, rows in parts of their own mobility, tells that a row depends on others.
const DEPENDS: f64 = 1e-9;
/// Most rounds, and the change of a ratio that ends them.
const ROUNDS: usize = 400;
const SETTLED: f64 = 1e-13;
/// The least λ, in parts of the largest.
const LEAST: f64 = 1e-9;
/// A limit that is missed by this part of the largest force is kept.
const HOLDS: f64 = 1e-11;
/// Of more rows than these, normals would jump from one contact to another with what friction needs.
const FEW: usize = 9;
/// A normal with less than this part of the largest force hardly carries.
const CARRIES: f64 = 1e-6;
/// μ_s that stands for a contact that cannot slip: it takes the load.
const STICK: f64 = 1e3;

/// Memory for rows up to a number.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    pivoted: Pivoted,
    small: Pivoted,
    scale: Vec<f64>,
    scaled: Vec<f64>,
    /// Null vectors of W and of Wᵀ, one after the other, and how many.
    null: Vec<f64>,
    left: Vec<f64>,
    nullity: usize,
    particular: Vec<f64>,
    /// What a force costs, by row.
    cost: Vec<f64>,
    lambda: Vec<f64>,
    matrix: Vec<f64>,
    side: Vec<f64>,
    z: Vec<f64>,
}

impl Sharing {
    pub fn new(rows: usize) -> Self {
        let list = || vec![0.0; rows];
        let square = || vec![0.0; rows * rows];
        Self {
            pivoted: Pivoted::new(rows),
            small: Pivoted::new(rows),
            scale: list(),
            scaled: square(),
            null: square(),
            left: square(),
            nullity: 0,
            particular: list(),
            cost: list(),
            lambda: list(),
            matrix: square(),
            side: list(),
            z: list(),
        }
    }

    /// W p + c = 0, one of all p; returns how many rows depend on others.
    pub fn solve(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> usize {
        let m = c.len();
        for i in 0..m {
            let own = W[i * m + i].abs().sqrt();
            self.scale[i] = if own > 0.0 { own.recip() } else { 1.0 };
            self.side[i] = self.scale[i] * c[i];
        }
        let scale = &self.scale[..m];
        let scaled = |i: usize, j: usize| scale[i] * W[i * m + j] * scale[j];
        fill(&mut self.scaled, m, &scaled);
        let (A, b) = (&self.scaled[..m * m], &self.side[..m]);
        self.nullity = m - self.pivoted.solve_within(A, b, p, DEPENDS);
        p.iter_mut().zip(scale).for_each(|(p, s)| *p *= s);
        self.particular[..m].copy_from_slice(p);
        if self.nullity > 0 {
            keep_null(&self.pivoted, scale, self.nullity, &mut self.null);
            fill(&mut self.scaled, m, &|i, j| scaled(j, i));
            let unused = &mut self.z[..m];
            self.pivoted.solve_within(&self.scaled[..m * m], &self.side[..m], unused, DEPENDS);
            keep_null(&self.pivoted, scale, self.nullity, &mut self.left);
        }
        self.nullity
    }

    /// Of all p those of equal springs, after [`Sharing::solve`].
    pub fn spring(&mut self, p: &mut [f64]) {
        self.cost[..p.len()].fill(1.0);
        self.cheapest(p);
    }

    /// Of all p those that keep contacts from slipping, after [`Sharing::spring`]. Normals that depend on tangents, as those of a ball
    /// in a groove, follow their springs if that holds; else they follow what friction needs.
    pub fn keep(&mut self, held: &[Held], limit: &dyn Fn(usize) -> f64, p: &mut [f64]) {
        if held.iter().all(|h| h.part == 0) {
            return;
        }
        let springs = p.to_vec();
        self.least(held, limit, p, false);
        // Normals at zero would let go.
        if held.len() <= FEW && !holds(held, limit, p, CARRIES) {
            let first = p.to_vec();
            p.copy_from_slice(&springs);
            self.least(held, limit, p, true);
            if !holds(held, limit, p, CARRIES) {
                p.copy_from_slice(&first);
            }
        }
    }

    /// Of all p those with the least of the greatest |F_T| / (μ_s F_N).
    fn least(
        &mut self,
        held: &[Held],
        limit: &dyn Fn(usize) -> f64,
        p: &mut [f64],
        friction_first: bool,
    ) {
        let m = held.len();
        // λ = μ F_N: tangents that are parallel carry in parts of their limits at once.
        let bound = |p: &[f64], i: usize| limit(held[i].spot).min(STICK) * normal(held, p, i);
        let most = (0..m).map(|i| bound(p, i)).fold(f64::MIN_POSITIVE, f64::max);
        for i in 0..m {
            self.lambda[i] = (bound(p, i) / most).max(LEAST);
        }
        let mut worst = f64::INFINITY;
        for _ in 0..ROUNDS {
            for i in (0..m).filter(|i| held[*i].part > 0) {
                let bound = (bound(p, i) / most).max(LEAST);
                self.cost[i] = self.lambda[i] / (bound * bound);
            }
            if friction_first {
                self.kept(held, p);
            } else {
                self.cheapest(p);
            }
            let ratio = |p: &[f64], i: usize| {
                let own = held.iter().zip(p).filter(|(h, _)| h.part > 0 && h.spot == held[i].spot);
                own.fold(0.0_f64, |sum, (_, p)| sum.hypot(*p)) / bound(p, i).max(LEAST * most)
            };
            let tangents = (0..m).filter(|i| held[*i].part > 0);
            let greatest = tangents.clone().map(|i| ratio(p, i)).fold(0.0, f64::max);
            if !((greatest - worst).abs() > SETTLED * greatest) {
                break;
            }
            worst = greatest;
            for i in tangents {
                self.lambda[i] = (self.lambda[i] * ratio(p, i) / greatest).max(LEAST);
            }
        }
    }

    /// p ← p₀ + N z with the tangents' part of Lᵀ D p = 0; what that leaves open, the normals' springs decide.
    fn kept(&mut self, held: &[Held], p: &mut [f64]) {
        let (m, n) = (p.len(), self.nullity);
        for (cost, held) in self.cost.iter_mut().zip(held) {
            *cost = if held.part > 0 { *cost } else { 0.0 };
        }
        self.weigh(m);
        let (M, side, z) = (&self.matrix[..n * n], &self.side[..n], &mut self.z[..n]);
        let rank = self.small.solve_within(M, side, z, DEPENDS);
        self.combine(p);
        // Directions N y that no tangent feels.
        let open = n - rank;
        let mut ways = vec![0.0; open * m];
        for (which, way) in ways.chunks_mut(m).enumerate() {
            self.small.null_vector(which, &mut self.z[..n]);
            for (k, y) in self.z[..n].iter().enumerate() {
                let null = &self.null[k * m..(k + 1) * m];
                way.iter_mut().zip(null).for_each(|(way, x)| *way += y * x);
            }
        }
        let normals = |a: &[f64], b: &[f64]| -> f64 {
            let rows = a.iter().zip(b).zip(held).filter(|(_, held)| held.part == 0);
            rows.map(|((a, b), _)| a * b).sum()
        };
        for (a, way) in ways.chunks(m).enumerate() {
            for (b, other) in ways.chunks(m).enumerate() {
                self.matrix[a * open + b] = normals(way, other);
            }
            self.side[a] = normals(way, p);
        }
        let M = &self.matrix[..open * open];
        self.small.solve(M, &self.side[..open], &mut self.z[..open]);
        for (way, z) in ways.chunks(m).zip(&self.z) {
            p.iter_mut().zip(way).for_each(|(p, x)| *p += z * x);
        }
    }

    /// p ← p₀ + N z with Lᵀ D p = 0.
    fn cheapest(&mut self, p: &mut [f64]) {
        let (m, n) = (p.len(), self.nullity);
        self.weigh(m);
        self.small.solve(&self.matrix[..n * n], &self.side[..n], &mut self.z[..n]);
        self.combine(p);
    }

    /// Lᵀ D N and Lᵀ D p₀.
    fn weigh(&mut self, m: usize) {
        let n = self.nullity;
        let vector = |k: usize| &self.null[k * m..(k + 1) * m];
        for a in 0..n {
            let left = &self.left[a * m..(a + 1) * m];
            let weighed = |x: &[f64]| -> f64 {
                left.iter().zip(x).zip(&self.cost).map(|((a, x), cost)| a * cost * x).sum()
            };
            for b in 0..n {
                self.matrix[a * n + b] = weighed(vector(b));
            }
            self.side[a] = weighed(&self.particular[..m]);
        }
    }

    /// p ← p₀ + N z.
    fn combine(&self, p: &mut [f64]) {
        let (m, n) = (p.len(), self.nullity);
        p.copy_from_slice(&self.particular[..m]);
        for (k, z) in self.z[..n].iter().enumerate() {
            let null = &self.null[k * m..(k + 1) * m];
            p.iter_mut().zip(null).for_each(|(p, x)| *p += z * x);
        }
    }
}

/// Whether contacts that stick keep their limits, and normals push with a part of the largest force.
fn holds(held: &[Held], limit: &dyn Fn(usize) -> f64, p: &[f64], part: f64) -> bool {
    let strongest = p.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    held.iter().zip(p).enumerate().all(|(i, (row, force))| {
        let own = held.iter().zip(p).filter(|(h, _)| h.part > 0 && h.spot == row.spot);
        let size = own.fold(0.0_f64, |sum, (_, p)| sum.hypot(*p));
        let bound = limit(row.spot) * normal(held, p, i);
        if row.part == 0 { *force >= part * strongest } else { size <= bound + HOLDS * strongest }
    })
}

/// Writes a square matrix by rows.
fn fill(A: &mut [f64], m: usize, of: &dyn Fn(usize, usize) -> f64) {
    for (place, entry) in A[..m * m].iter_mut().enumerate() {
        *entry = of(place / m, place % m);
    }
}

/// The null vectors of the matrix solved last, in the units before it was scaled.
fn keep_null(pivoted: &Pivoted, scale: &[f64], nullity: usize, out: &mut [f64]) {
    for (which, x) in out.chunks_mut(scale.len()).take(nullity).enumerate() {
        pivoted.null_vector(which, x);
        x.iter_mut().zip(scale).for_each(|(x, s)| *x *= s);
    }
}

/// F_N of a row's spot, not below zero.
fn normal(held: &[Held], p: &[f64], i: usize) -> f64 {
    let own = held.iter().zip(p).find(|(h, _)| h.part == 0 && h.spot == held[i].spot);
    own.map_or(0.0, |(_, p)| p.max(0.0))
}
