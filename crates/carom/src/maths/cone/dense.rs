//! Dense linear algebra of the contact problem: a fast L U for regular matrices, and one rank-revealing factorisation for all others.

use crate::maths::dot::dot;

/// A pivot below this fraction of the largest ends an L U: no digit is left.
const LOST: f64 = 1e-15;

/// L U with partial pivoting.
///
/// Rows whose multiplier is zero are skipped, so a matrix with many zeros costs less.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    n: usize,
    a: Vec<f64>,
    pivot: Vec<usize>,
    /// One past the last nonzero entry of each row: a banded matrix costs by its band.
    end: Vec<usize>,
    /// Smallest pivot divided by the largest: about the reciprocal of the condition number.
    pub spread: f64,
}

impl Lu {
    /// Memory for the n × n matrix that is to be factorised, by rows; the caller fills it.
    pub fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.a.resize(n * n, 0.0);
        self.pivot.resize(n, 0);
        &mut self.a[..n * n]
    }

    /// Factorises the matrix; false if a pivot is nearly zero or not finite.
    pub fn factorise(&mut self) -> bool {
        let n = self.n;
        let a = &mut self.a[..n * n];
        self.end.clear();
        self.end.extend(
            a.chunks_exact(n.max(1))
                .map(|row| row.iter().rposition(|x| *x != 0.0).map_or(0, |last| last + 1)),
        );
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        self.spread = 1.0;
        for k in 0..n {
            let mut best = (k, a[k * n + k].abs());
            for i in k + 1..n {
                let size = a[i * n + k].abs();
                if size > best.1 {
                    best = (i, size);
                }
            }
            // A NaN fails as well.
            if !(best.1 > 0.0 && best.1.is_finite()) {
                self.spread = 0.0;
                return false;
            }
            (least, most) = (least.min(best.1), most.max(best.1));
            self.spread = least / most;
            if self.spread < LOST {
                return false;
            }
            self.pivot[k] = best.0;
            if best.0 != k {
                let (above, below) = a.split_at_mut(best.0 * n);
                above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
                self.end.swap(k, best.0);
            }
            let end = self.end[k];
            let (above, below) = a.split_at_mut((k + 1) * n);
            let pivot = &above[k * n..];
            let inverse = 1.0 / pivot[k];
            for (row, row_end) in below.chunks_exact_mut(n).zip(&mut self.end[k + 1..]) {
                let l = row[k];
                if l == 0.0 {
                    continue;
                }
                let l = l * inverse;
                row[k] = l;
                *row_end = (*row_end).max(end);
                for (x, y) in row[k + 1..end].iter_mut().zip(&pivot[k + 1..end]) {
                    *x -= l * y;
                }
            }
        }
        true
    }

    /// b ← A⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivot[k]);
        }
        for i in 1..n {
            b[i] -= dot(&self.a[i * n..i * n + i], &b[..i]);
        }
        for i in (0..n).rev() {
            let end = self.end[i];
            let row = &self.a[i * n..(i + 1) * n];
            let sum = if end > i + 1 { dot(&row[i + 1..end], &b[i + 1..end]) } else { 0.0 };
            b[i] = (b[i] - sum) / row[i];
        }
    }
}

/// Q R with column pivoting (Golub and Van Loan, section 5.4.2): A Π = Q R with falling diagonal entries of R, of which those
/// below a fraction of the first count as zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct RankRevealing {
    n: usize,
    /// By columns: R, and below its diagonal the Householder vectors.
    a: Vec<f64>,
    beta: Vec<f64>,
    norms: Vec<f64>,
    columns: Vec<usize>,
    work: Vec<f64>,
    /// Orthonormal basis of the null space or of the row space, whichever is smaller, by vectors.
    basis: Vec<f64>,
    /// The rank.
    pub rank: usize,
    /// The last diagonal entry of R that counts divided by the first that does not; infinite if all or none count.
    pub gap: f64,
}

/// Columns whose remaining norm is below this fraction of the largest end the factorisation.
const ZERO: f64 = 1e-15;

impl RankRevealing {
    /// Factorises the n × n matrix A stored by rows; entries of R below `relative` times the first are zero.
    pub fn factorise(&mut self, A: &[f64], n: usize, relative: f64) -> usize {
        self.n = n;
        self.a.resize(n * n, 0.0);
        for (i, row) in A.chunks_exact(n.max(1)).enumerate() {
            for (j, x) in row.iter().enumerate() {
                self.a[j * n + i] = *x;
            }
        }
        self.columns.clear();
        self.columns.extend(0..n);
        self.beta.clear();
        self.beta.resize(n, 0.0);
        self.norms.clear();
        self.norms.extend(self.a[..n * n].chunks_exact(n.max(1)).map(|c| dot(c, c)));
        let mut first = 0.0;
        (self.rank, self.gap) = (n, f64::INFINITY);
        for k in 0..n {
            let mut best = (k, self.norms[k]);
            for (j, norm) in self.norms.iter().enumerate().skip(k + 1) {
                if *norm > best.1 {
                    best = (j, *norm);
                }
            }
            // Downdated norms lose digits: the chosen column's is summed anew.
            let column = &self.a[best.0 * n + k..(best.0 + 1) * n];
            let norm = dot(column, column).sqrt();
            if k == 0 {
                first = norm;
            }
            if !(norm > relative * first) {
                self.rank = k;
                let last = if k > 0 { self.a[(k - 1) * n + k - 1].abs() } else { f64::INFINITY };
                self.gap = last / norm.max(ZERO * first);
                break;
            }
            if best.0 != k {
                let (above, below) = self.a.split_at_mut(best.0 * n);
                above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
                self.columns.swap(k, best.0);
                self.norms.swap(k, best.0);
            }
            self.reflect(k, norm);
        }
        if self.rank == n {
            // A regular matrix: the gap is how far its last entry is above round-off.
            let last = if n > 0 { self.a[(n - 1) * n + n - 1].abs() } else { 1.0 };
            self.gap = if n > 0 { last / (ZERO * first) } else { f64::INFINITY };
        }
        self.rank
    }

    /// The k-th Householder reflection, applied to the columns behind it.
    fn reflect(&mut self, k: usize, norm: f64) {
        let n = self.n;
        let (above, below) = self.a.split_at_mut((k + 1) * n);
        let v = &mut above[k * n + k..(k + 1) * n];
        let alpha = if v[0] > 0.0 { -norm } else { norm };
        let head = v[0] - alpha;
        v[1..].iter_mut().for_each(|x| *x /= head);
        // β = 2/(vᵀv) with v₀ = 1
        let beta = -head / alpha;
        self.beta[k] = beta;
        v[0] = alpha;
        for (column, norm) in below.chunks_exact_mut(n).zip(&mut self.norms[k + 1..]) {
            let share = beta * (column[k] + dot(&v[1..], &column[k + 1..]));
            if share != 0.0 {
                column[k] -= share;
                column[k + 1..].iter_mut().zip(&v[1..]).for_each(|(x, v)| *x -= share * v);
            }
            *norm -= column[k] * column[k];
            // Once most of a norm has gone, what is left of the difference is round-off.
            if *norm < 1e-8 * column[k] * column[k] {
                *norm = dot(&column[k + 1..], &column[k + 1..]);
            }
        }
    }

    /// work ← Qᵀ b.
    fn rotate(&mut self, b: &[f64]) {
        let n = self.n;
        self.work.clear();
        self.work.extend_from_slice(b);
        for k in 0..self.rank {
            let v = &self.a[k * n + k + 1..(k + 1) * n];
            let share = self.beta[k] * (self.work[k] + dot(v, &self.work[k + 1..]));
            self.work[k] -= share;
            self.work[k + 1..].iter_mut().zip(v).for_each(|(x, v)| *x -= share * v);
        }
    }

    /// work[..rank] ← R₁₁⁻¹ work[..rank].
    fn back_substitute(&mut self) {
        let n = self.n;
        for k in (0..self.rank).rev() {
            let x = self.work[k] / self.a[k * n + k];
            self.work[k] = x;
            let (above, column) = (&mut self.work[..k], &self.a[k * n..k * n + k]);
            above.iter_mut().zip(column).for_each(|(w, r)| *w -= r * x);
        }
    }

    /// A basis of the null space (`null`) or of the row space: vectors of n entries in `basis`.
    fn span(&mut self, null: bool) -> usize {
        let (n, rank) = (self.n, self.rank);
        self.basis.clear();
        let count = if null { n - rank } else { rank };
        for which in 0..count {
            let from = self.basis.len();
            self.basis.resize(from + n, 0.0);
            if null {
                // Π (−R₁₁⁻¹ r, 1)
                let column = rank + which;
                self.work.clear();
                self.work.extend((0..rank).map(|i| -self.a[column * n + i]));
                self.back_substitute();
                for i in 0..rank {
                    self.basis[from + self.columns[i]] = self.work[i];
                }
                self.basis[from + self.columns[column]] = 1.0;
            } else {
                for j in which..n {
                    self.basis[from + self.columns[j]] = self.a[j * n + which];
                }
            }
        }
        count
    }

    /// An orthonormal basis of the null space, vector after vector.
    pub fn null_space(&mut self) -> &[f64] {
        self.span(true);
        orthonormalise(&mut self.basis, self.n);
        &self.basis
    }

    /// A basis of the null space, vector after vector, as the factors give it: for a rank it is as good as an orthonormal one.
    pub fn null_vectors(&mut self) -> &[f64] {
        self.span(true);
        &self.basis
    }

    /// An orthonormal basis of the left null space, into a list of vectors: the last columns of Q.
    pub fn left_null_space(&mut self, out: &mut Vec<f64>) {
        let (n, rank) = (self.n, self.rank);
        out.clear();
        for which in rank..n {
            self.work.clear();
            self.work.resize(n, 0.0);
            self.work[which] = 1.0;
            for k in (0..rank).rev() {
                let v = &self.a[k * n + k + 1..(k + 1) * n];
                let share = self.beta[k] * (self.work[k] + dot(v, &self.work[k + 1..]));
                self.work[k] -= share;
                self.work[k + 1..].iter_mut().zip(v).for_each(|(x, v)| *x -= share * v);
            }
            out.extend_from_slice(&self.work);
        }
    }

    /// b ← the shortest x with the least |A x − b|.
    pub fn solve(&mut self, b: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        self.rotate(b);
        self.back_substitute();
        b.fill(0.0);
        for k in 0..rank {
            b[self.columns[k]] = self.work[k];
        }
        if rank == n {
            return;
        }
        // The basic solution less its part in the null space.
        let null = n - rank <= rank;
        self.span(null);
        orthonormalise(&mut self.basis, n);
        self.work.clear();
        self.work.extend_from_slice(b);
        if !null {
            b.fill(0.0);
        }
        let sign = if null { -1.0 } else { 1.0 };
        for vector in self.basis.chunks_exact(n) {
            let share = sign * dot(vector, &self.work);
            b.iter_mut().zip(vector).for_each(|(x, v)| *x += share * v);
        }
    }
}

/// Modified Gram and Schmidt, twice.
pub(super) fn orthonormalise(vectors: &mut [f64], n: usize) {
    let count = vectors.len() / n.max(1);
    for k in 0..count {
        let (done, rest) = vectors.split_at_mut(k * n);
        let own = &mut rest[..n];
        for _ in 0..2 {
            for other in done.chunks_exact(n) {
                let share = dot(other, own);
                own.iter_mut().zip(other).for_each(|(x, y)| *x -= share * y);
            }
        }
        let norm = dot(own, own).sqrt();
        if norm > 0.0 {
            for x in own.iter_mut() {
                *x /= norm;
            }
        }
    }
}
