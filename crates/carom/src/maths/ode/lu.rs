//! L U of a small dense matrix with partial pivoting, real or complex, in memory that is taken once.

use nalgebra::ComplexField;

/// The factors of shift · 1 − h J.
#[derive(Clone, Debug)]
pub(super) struct Lu<T> {
    n: usize,
    /// By rows: U, and below its diagonal the factors of the elimination.
    a: Vec<T>,
    /// The row that changed places with each row.
    pivot: Vec<usize>,
    /// What one counts as in each row.
    sizes: Vec<f64>,
}

impl<T: ComplexField<RealField = f64> + Copy> Lu<T> {
    pub fn new(n: usize) -> Self {
        Self { n, a: vec![T::zero(); n * n], pivot: vec![0; n], sizes: vec![1.0; n] }
    }

    /// Factorises shift · 1 − h J, with J by rows; false if that is singular or not finite. Entries of a column are compared in parts of the
    /// sizes of their components: the order of pivots does not depend on units.
    pub fn factorise(&mut self, shift: T, h: f64, J: &[f64], sizes: &[f64]) -> bool {
        let n = self.n;
        self.sizes.copy_from_slice(sizes);
        for (k, (a, J)) in self.a.iter_mut().zip(J).enumerate() {
            let shift = if k / n == k % n { shift } else { T::zero() };
            *a = shift - T::from_real(h * J);
        }
        for k in 0..n {
            let size = |i: usize| self.a[i * n + k].norm1() / self.sizes[i];
            let best = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            // A NaN fails as well.
            if !(size(best) > 0.0 && size(best).is_finite()) {
                return false;
            }
            self.pivot[k] = best;
            self.sizes.swap(k, best);
            for j in 0..n {
                self.a.swap(k * n + j, best * n + j);
            }
            for i in k + 1..n {
                let l = self.a[i * n + k] / self.a[k * n + k];
                self.a[i * n + k] = l;
                for j in k + 1..n {
                    let u = self.a[k * n + j];
                    self.a[i * n + j] -= l * u;
                }
            }
        }
        true
    }

    /// b ← (shift · 1 − h J)⁻¹ b
    pub fn solve(&self, b: &mut [T]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivot[k]);
        }
        for i in 0..n {
            for j in 0..i {
                let y = b[j];
                b[i] -= self.a[i * n + j] * y;
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let x = b[j];
                b[i] -= self.a[i * n + j] * x;
            }
            b[i] /= self.a[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Complex;

    /// Rows that need to change places: the first pivot without shift is zero.
    const J: [f64; 9] = [0.0, 2.0, -1.0, 3.0, 0.5, 4.0, 1e-9, -2.0, 0.0];

    #[test]
    fn the_equation_holds_at_the_solution() {
        let (shift, h) = (Complex::new(0.0, 1e-12), 0.7);
        let mut lu = Lu::new(3);
        assert!(lu.factorise(shift, h, &J, &[1.0; 3]));
        let b = [Complex::new(1.0, 2.0), Complex::new(-3.0, 0.5), Complex::new(0.0, 1.0)];
        let mut x = b;
        lu.solve(&mut x);
        for i in 0..3 {
            let again: Complex<f64> =
                shift * x[i] - (0..3).map(|j| x[j] * (h * J[i * 3 + j])).sum::<Complex<f64>>();
            // The solution is of size 1e1, its matrix of size 3.
            assert!((again - b[i]).norm1() < 1e-14, "row {i}: {again} against {}", b[i]);
        }
    }

    #[test]
    fn a_singular_matrix_and_one_that_is_not_finite_are_refused() {
        let mut lu = Lu::new(2);
        assert!(!lu.factorise(1.0, 1.0, &[1.0, 0.0, 5.0, 1.0], &[1.0; 2]));
        assert!(!lu.factorise(1.0, 1.0, &[f64::NAN, 0.0, 0.0, 0.0], &[1.0; 2]));
        assert!(!lu.factorise(1.0, 1e300, &[1e300, 0.0, 0.0, 0.0], &[1.0; 2]));
        assert!(lu.factorise(1.0, 1.0, &[0.0; 4], &[1.0; 2]));
    }
}
