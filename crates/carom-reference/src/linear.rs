//! Small dense systems: what a hand calculation with a 2×2, 3×3 or 7×7 matrix needs.

/// Solves `A x = b` by Gaussian elimination with partial pivoting.
///
/// The entries of the answer are not finite where the matrix is singular.
pub fn solve<const N: usize>(mut A: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for k in 0..N {
        let mut pivot = k;
        for row in k + 1..N {
            if A[row][k].abs() > A[pivot][k].abs() {
                pivot = row;
            }
        }
        A.swap(k, pivot);
        b.swap(k, pivot);
        let from = A[k];
        for row in k + 1..N {
            let factor = A[row][k] / from[k];
            for (entry, above) in A[row].iter_mut().zip(&from).skip(k) {
                *entry -= factor * above;
            }
            b[row] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        let known: f64 = (k + 1..N).map(|j| A[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / A[k][k];
    }
    b
}

/// xᵀ y.
pub fn dot<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// xᵀ M y.
pub fn form<const N: usize>(x: &[f64; N], M: &[[f64; N]; N], y: &[f64; N]) -> f64 {
    x.iter().zip(M).map(|(x, row)| x * dot(row, y)).sum()
}

/// W = a M⁻¹ bᵀ: the velocity along `a` caused by a unit impulse along `b`.
pub fn mobility<const N: usize>(M: &[[f64; N]; N], a: &[f64; N], b: &[f64; N]) -> f64 {
    dot(a, &solve(*M, *b))
}

/// m_eff = 1/(A M⁻¹ Aᵀ) (Nikravesh-Poursina eq. 39, Gonzalez et al. below eq. 16); infinite for A = 0.
pub fn effective_mass<const N: usize>(M: &[[f64; N]; N], A: &[f64; N]) -> f64 {
    1.0 / mobility(M, A, A)
}

/// T = ½ vᵀ M v.
pub fn kinetic_energy<const N: usize>(M: &[[f64; N]; N], v: &[f64; N]) -> f64 {
    0.5 * form(v, M, v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_satisfies_its_equations_with_a_zero_on_the_diagonal() {
        let A = [[0.0, 2.0, 1.0], [1.0, -1.0, 3.0], [4.0, 0.5, -2.0]];
        let b = [1.0, -2.0, 0.25];
        let x = solve(A, b);
        for (row, b) in A.iter().zip(b) {
            assert!((dot(row, &x) - b).abs() < 1e-14);
        }
    }
}
