//! Forces that are not unique: how contacts that depend on each other share a load.
//!
//! All p with W p + c = 0 are p₀ + N z, N the null vectors of W: they move nothing. Rows give way in parts of their forces,
//! W p + c + g p = 0 with g → 0, as equal springs do: with the null vectors L of Wᵀ that is Lᵀ p = 0, and where no contact slides, so
//! that W is symmetric, the least |p|. So normals share. Contacts that stick share so that all have room to their
//! limits ([`super::centre`]): only when there is no other way to hold does one of them slip.

use super::centre::Centre;
use super::staying::Held;
use crate::maths::pivoted::Pivoted;

/// A pivot below this part of the largest, rows in parts of their own mobility, tells that a row depends on others.
const DEPENDS: f64 = 1e-9;
/// A square of entries below this part of the largest is none.
const FEELS: f64 = 1e-12;

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
    /// Combinations of normals that springs decide.
    normals: Vec<f64>,
    centre: Centre,
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
            normals: square(),
            centre: Centre::new(rows),
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
            self.scale[i] = if own > 0.0 { power_of_two(own).recip() } else { 1.0 };
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

    /// Of all p those of equal springs, p₀ + N z with Lᵀ p = 0, after [`Sharing::solve`].
    pub fn spring(&mut self, p: &mut [f64]) {
        let (m, n) = (p.len(), self.nullity);
        let Self { null, left, particular, matrix, side, z, small, .. } = self;
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        for (a, left) in left.chunks(m).take(n).enumerate() {
            for (b, null) in null.chunks(m).take(n).enumerate() {
                matrix[a * n + b] = dot(left, null);
            }
            side[a] = dot(left, &particular[..m]);
        }
        small.solve(&matrix[..n * n], &side[..n], &mut z[..n]);
        combine(p, null, &z[..n]);
        p.iter_mut().zip(&*particular).for_each(|(p, own)| *p += own);
    }

    /// Of all p those in the middle of what keeps contacts from slipping, after [`Sharing::spring`]. What tangents do not feel, and what
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
        let Self { null, left, matrix, side, z, small, normals, centre, .. } = self;
        let [null, left] = [null, left].map(|list| &list[..n * m]);
        side[..n].fill(0.0);
        // L y without tangents.
        square(matrix, n, m, left, &|i| held[i].part > 0);
        hush(&mut matrix[..n * n], left, m);
        let decided = n - small.solve_within(&matrix[..n * n], &side[..n], &mut z[..n], FEELS);
        for (which, row) in normals.chunks_mut(m).take(decided).enumerate() {
            small.null_vector(which, &mut z[..n]);
            combine(row, left, &z[..n]);
        }
        // z with those across N z, and nothing that slides: least squares, whose null vectors they are.
        square(matrix, n, m, null, &|i| held[i].slides);
        for row in normals.chunks(m).take(decided) {
            let along = |k: usize| -> f64 {
                null[k * m..(k + 1) * m].iter().zip(row).map(|(x, y)| x * y).sum()
            };
            for a in 0..n {
                for b in 0..n {
                    matrix[a * n + b] += along(a) * along(b);
                }
            }
        }
        hush(&mut matrix[..n * n], null, m);
        let open = n - small.solve_within(&matrix[..n * n], &side[..n], &mut z[..n], FEELS);
        for (which, way) in centre.ways.chunks_mut(m).take(open).enumerate() {
            small.null_vector(which, &mut z[..n]);
            combine(way, null, &z[..n]);
        }
        open
    }
}

/// The greatest power of two that is not above a positive number: scaling by it changes no digit, whatever the unit of mass.
pub(super) fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

/// A ← Σ x_i x_iᵀ over some entries of vectors of length m.
fn square(A: &mut [f64], n: usize, m: usize, vectors: &[f64], some: &dyn Fn(usize) -> bool) {
    for a in 0..n {
        for b in 0..n {
            let pairs = (0..m).filter(|i| some(*i));
            A[a * n + b] = pairs.map(|i| vectors[a * m + i] * vectors[b * m + i]).sum();
        }
    }
}

/// Entries of A that are round-off beside the squares of vectors of length m are zero.
fn hush(A: &mut [f64], vectors: &[f64], m: usize) {
    let squares = vectors.chunks(m).map(|x| x.iter().map(|x| x * x).sum::<f64>());
    let most = squares.fold(0.0, f64::max);
    A.iter_mut().filter(|a| a.abs() <= FEELS * most).for_each(|a| *a = 0.0);
}

/// out ← Σ z_k x_k.
fn combine(out: &mut [f64], vectors: &[f64], z: &[f64]) {
    out.fill(0.0);
    for (x, z) in vectors.chunks(out.len()).zip(z) {
        out.iter_mut().zip(x).for_each(|(out, x)| *out += z * x);
    }
}

/// Writes a square matrix by rows.
fn fill(A: &mut [f64], m: usize, of: &dyn Fn(usize, usize) -> f64) {
    for (place, entry) in A[..m * m].iter_mut().enumerate() {
        *entry = of(place / m, place % m);
    }
}

/// The null vectors of the matrix solved last, in proportion to rows before they were scaled; their largest entries are of order one.
fn keep_null(pivoted: &Pivoted, scale: &[f64], nullity: usize, out: &mut [f64]) {
    for (which, x) in out.chunks_mut(scale.len()).take(nullity).enumerate() {
        pivoted.null_vector(which, x);
        x.iter_mut().zip(scale).for_each(|(x, s)| *x *= s);
        let largest = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let unit = if largest > 0.0 { power_of_two(largest).recip() } else { 1.0 };
        for x in x.iter_mut() {
            *x *= unit;
        }
    }
}
