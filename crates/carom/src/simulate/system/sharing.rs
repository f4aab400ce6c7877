//! Forces that are not unique: how contacts that depend on each other share a load.
//!
//! All p with W p + c = 0 are p₀ + N z, N the null vectors of W: they move nothing. Rows give way in parts of their forces,
//! W p + c + g p = 0 with g → 0, as equal springs do: with the null vectors L of Wᵀ that is Lᵀ p = 0, and where no contact slides, so
//! that W is symmetric, the least |p|. So normals share. Contacts that stick share so that all have room to their
//! limits ([`crate::simulate::system::centre`]): only when there is no other way to hold does one of them slip.

use crate::maths::cone::RankRevealing;
use crate::maths::dot::dot;
use crate::maths::ldl;
use crate::maths::zero;
use crate::simulate::system::centre::Centre;
use crate::simulate::system::constraint::Held;

/// Memory, which grows to the most rows seen.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Sharing {
    ranked: RankRevealing,
    /// Equilibration: powers of two by which rows and columns of W are multiplied.
    by_row: Vec<f64>,
    by_column: Vec<f64>,
    scaled: Vec<f64>,
    /// Null vectors of W and of Wᵀ, one after the other, and how many.
    null: Vec<f64>,
    left: Vec<f64>,
    nullity: usize,
    /// Combinations of normals that springs decide.
    normals: Vec<f64>,
    centre: Centre,
    matrix: Vec<f64>,
    z: Vec<f64>,
}

impl Sharing {
    pub fn new(rows: usize) -> Self {
        Self {
            ranked: RankRevealing::default(),
            by_row: vec![0.0; rows],
            by_column: vec![0.0; rows],
            scaled: Vec::new(),
            null: Vec::new(),
            left: Vec::new(),
            nullity: 0,
            normals: Vec::new(),
            centre: Centre::new(rows),
            matrix: Vec::new(),
            z: Vec::new(),
        }
    }

    /// W p + c = 0, of all p those of equal springs: p₀ + N z with Lᵀ p = 0. Returns how many rows depend on others.
    pub fn solve(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> usize {
        let m = c.len();
        self.equilibrate(W, m);
        let Self { by_row, by_column, scaled, ranked, null, left, matrix, z, .. } = self;
        scaled.clear();
        for (row, scale) in W.chunks(m).zip(&*by_row) {
            scaled.extend(row.iter().zip(&*by_column).map(|(w, column)| scale * w * column));
        }
        for ((p, c), scale) in p.iter_mut().zip(c).zip(&*by_row) {
            *p = -scale * c;
        }
        // A pivot of the equilibrated matrix below this level marks a row that depends on others.
        self.nullity = m - ranked.factorise(scaled, m, zero::INTEGRATED);
        ranked.solve(p);
        p.iter_mut().zip(&*by_column).for_each(|(p, s)| *p *= s);
        if self.nullity == 0 {
            return 0;
        }
        null.clear();
        null.extend_from_slice(ranked.null_space());
        ranked.left_null_space(left);
        for (vectors, scale) in [(&mut *null, &*by_column), (left, by_row)] {
            vectors.chunks_mut(m).for_each(|x| in_units(x, scale));
        }
        matrix.clear();
        z.clear();
        for left in left.chunks(m) {
            matrix.extend(null.chunks(m).map(|null| dot(left, null)));
            z.push(-dot(left, p));
        }
        ranked.factorise(matrix, self.nullity, ldl::TOLERANCE);
        ranked.solve(z);
        add_combination(p, null, z);
        self.nullity
    }

    /// Scales rows and columns so that the rank of W does not depend on units: by the root of W_ii. Where W is symmetric no entry exceeds its
    /// diagonal then (Cauchy and Schwarz). A contact that slides pushes with friction, too: its W_ii may be far smaller than the rest of its
    /// column (all but zero near Painlevé's paradox) or larger than the rest of its row, so that these are scaled by their largest entries.
    fn equilibrate(&mut self, W: &[f64], m: usize) {
        /// No entry of a symmetric matrix exceeds this: a power of two misses √W_ii by a factor of less than two.
        const SYMMETRIC: f64 = 4.0;
        let Self { by_row, by_column, .. } = self;
        for i in 0..m {
            let own = W[i * m + i].abs().sqrt();
            by_row[i] = if own > 0.0 { power_of_two(own).recip() } else { 1.0 };
            by_column[i] = by_row[i];
        }
        let entry = |by_row: &[f64], by_column: &[f64], i: usize, j: usize| {
            (by_row[i] * W[i * m + j] * by_column[j]).abs()
        };
        for j in 0..m {
            let most = (0..m).map(|i| entry(by_row, by_column, i, j)).fold(0.0, f64::max);
            if most > SYMMETRIC {
                by_column[j] /= power_of_two(most);
            }
        }
        for i in 0..m {
            let most = (0..m).map(|j| entry(by_row, by_column, i, j)).fold(0.0, f64::max);
            if most > 0.0 && !(1.0 / SYMMETRIC..=SYMMETRIC).contains(&most) {
                by_row[i] /= power_of_two(most);
            }
        }
    }

    /// Of one row, or none, nothing is shared.
    pub fn clear(&mut self) {
        self.nullity = 0;
    }

    /// Whether the force of a row is not unique: some forces that move nothing have a part in it.
    pub fn is_open(&self, row: usize, rows: usize) -> bool {
        let vectors = self.null.chunks(rows.max(1)).take(self.nullity);
        // Other rows may have been chosen since the null space was found: what it does not have, it does not feel.
        // Entries below this level of the largest are round-off.
        vectors.into_iter().any(|x| x.get(row).is_some_and(|part| part.abs() > zero::SOLVED))
    }

    /// Of all p those in the middle of what keeps contacts from slipping, after [`Sharing::solve`]. What tangents do not feel, and what
    /// moves something, the springs have decided: y with Lᵀ p = 0 and no tangent in L y, and contacts that slide.
    pub fn keep(&mut self, held: &[Held], limit: &dyn Fn(usize) -> f64, p: &mut [f64]) {
        if held.iter().all(|h| h.part == 0) {
            return;
        }
        let ways = self.open_ways(held);
        self.centre.find(held, limit, p, ways);
    }

    /// N z that springs have not decided, into the centre's memory; how many.
    fn open_ways(&mut self, held: &[Held]) -> usize {
        let (m, n) = (held.len(), self.nullity);
        let Self { null, left, matrix, ranked, normals, centre, .. } = self;
        // L y without tangents.
        gram(matrix, m, left, &|i| held[i].part > 0);
        let decided = n - ranked.factorise(matrix, n, zero::SOLVED);
        normals.clear();
        normals.resize(decided * m, 0.0);
        for (row, y) in normals.chunks_mut(m).zip(ranked.null_vectors().chunks(n)) {
            add_combination(row, left, y);
        }
        // z with those across N z, and nothing that slides: least squares, whose null vectors they are.
        gram(matrix, m, null, &|i| held[i].slides);
        for row in normals.chunks(m) {
            for (a, first) in null.chunks(m).enumerate() {
                for (b, second) in null.chunks(m).enumerate() {
                    matrix[a * n + b] += dot(first, row) * dot(second, row);
                }
            }
        }
        zero_round_off(matrix, m, null);
        let open = n - ranked.factorise(matrix, n, zero::SOLVED);
        for (way, z) in centre.ways.chunks_mut(m).zip(ranked.null_vectors().chunks(n)) {
            way.fill(0.0);
            add_combination(way, null, z);
        }
        open
    }
}

/// The greatest power of two that is not above a positive number: scaling by it changes no digit, whatever the unit of mass.
pub(in crate::simulate) fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

/// A ← Σ x_i x_iᵀ over some entries of vectors of length m.
fn gram(A: &mut Vec<f64>, m: usize, vectors: &[f64], some: &dyn Fn(usize) -> bool) {
    A.clear();
    for x in vectors.chunks(m) {
        A.extend(
            vectors
                .chunks(m)
                .map(|y| (0..m).filter(|i| some(*i)).map(|i| x[i] * y[i]).sum::<f64>()),
        );
    }
    zero_round_off(A, m, vectors);
}

/// Entries of A that are round-off beside the squares of vectors of length m are zero.
fn zero_round_off(A: &mut [f64], m: usize, vectors: &[f64]) {
    let most = vectors.chunks(m).map(|x| dot(x, x)).fold(0.0, f64::max);
    A.iter_mut().filter(|a| a.abs() <= zero::SOLVED * most).for_each(|a| *a = 0.0);
}

/// out ← out + Σ z_k x_k.
fn add_combination(out: &mut [f64], vectors: &[f64], z: &[f64]) {
    for (x, z) in vectors.chunks(out.len()).zip(z) {
        for (out, x) in out.iter_mut().zip(x) {
            *out += z * x;
        }
    }
}

/// A null vector of the equilibrated matrix as one of W; its largest entry is of order one.
fn in_units(x: &mut [f64], scale: &[f64]) {
    for (x, scale) in x.iter_mut().zip(scale) {
        *x *= scale;
    }
    let largest = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let unit = if largest > 0.0 { power_of_two(largest).recip() } else { 1.0 };
    for x in x {
        *x *= unit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sliding_contact_near_the_paradox_is_not_taken_for_a_dependent_one() {
        // A contact that sticks (two rows) and one that slides with μ = 1e7: the last column is that of its friction, and W_33 = W_nn − μ W_nt is
        // all but zero. The determinant is that of a regular matrix.
        for own in [1.0, 1e-3, -1e-5, 1e-7, 0.0] {
            let W = [0.3, 0.05, 2.0e6, 0.05, 0.2, -1.5e6, 0.1, -0.04, own];
            let c = [-9.81, 0.4, -11.1];
            let mut p = [0.0; 3];
            let mut sharing = Sharing::new(3);
            assert_eq!(sharing.solve(&W, &c, &mut p), 0, "{own}");
            for (row, c) in W.chunks(3).zip(c) {
                let terms: Vec<f64> = row.iter().zip(&p).map(|(w, p)| w * p).collect();
                let size: f64 = terms.iter().map(|x| x.abs()).sum();
                assert!((terms.iter().sum::<f64>() + c).abs() < 1e-13 * size, "{own}: {p:?}");
            }
        }
    }
}
