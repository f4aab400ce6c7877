//! L D Lᵀ of a small symmetric positive semidefinite matrix, with pivoting that reveals its rank.
//!
//! A row whose remaining pivot falls below [`TOLERANCE`] times the row's own scale depends on the
//! rows taken before it; it is left out, and its unknown is zero in solutions.

/// A pivot below this part of its row's scale counts as zero.
///
/// Dependent rows leave a pivot of round-off, about 1e-16 of the scale; an independent one this
/// small belongs to a condition number near 1e12, where hardly a digit can be trusted.
pub const TOLERANCE: f64 = 1e-12;

/// Factorises in place the n × n matrix stored by rows in `a` and returns its rank.
///
/// `scale[r]` is the size that row r's diagonal has when nothing holds it. Rows are permuted:
/// `order[i]` is the original row that stands at place i, and the first `rank` of them count.
pub fn factorise(a: &mut [f64], n: usize, scale: &[f64], order: &mut [u32]) -> usize {
    for (k, place) in (0_u32..).zip(order.iter_mut()) {
        *place = k;
    }
    for step in 0..n {
        let mut best = step;
        let mut best_ratio = -1.0;
        for i in step..n {
            let natural = scale[order[i] as usize];
            let ratio = if natural > 0.0 { a[i * n + i] / natural } else { 0.0 };
            if ratio > best_ratio {
                best = i;
                best_ratio = ratio;
            }
        }
        // A NaN never is the best and leaves a ratio of −1.
        if best_ratio <= TOLERANCE {
            return step;
        }
        if best != step {
            order.swap(step, best);
            for k in 0..n {
                a.swap(step * n + k, best * n + k);
            }
            for k in 0..n {
                a.swap(k * n + step, k * n + best);
            }
        }
        let inverse = 1.0 / a[step * n + step];
        for i in step + 1..n {
            let l = a[i * n + step] * inverse;
            for j in step + 1..=i {
                a[i * n + j] -= l * a[j * n + step];
                a[j * n + i] = a[i * n + j];
            }
        }
        for i in step + 1..n {
            a[i * n + step] *= inverse;
        }
    }
    n
}

/// Solves with the factors of [`factorise`]: b ← A⁺ b (dependent rows get zero), `work` holds n.
pub fn solve(a: &[f64], n: usize, rank: usize, order: &[u32], b: &mut [f64], work: &mut [f64]) {
    for i in 0..rank {
        let mut x = b[order[i] as usize];
        for j in 0..i {
            x -= a[i * n + j] * work[j];
        }
        work[i] = x;
    }
    for i in 0..rank {
        work[i] /= a[i * n + i];
    }
    for i in (0..rank).rev() {
        for j in i + 1..rank {
            work[i] -= a[j * n + i] * work[j];
        }
    }
    for i in 0..n {
        b[order[i] as usize] = if i < rank { work[i] } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G Gᵀ of three vectors in the plane: rank 2.
    fn gram() -> [f64; 9] {
        let g = [[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]];
        let mut a = [0.0; 9];
        for i in 0..3 {
            for j in 0..3 {
                a[i * 3 + j] = g[i][0] * g[j][0] + g[i][1] * g[j][1];
            }
        }
        a
    }

    #[test]
    fn a_dependent_row_lowers_the_rank_and_the_equation_still_holds() {
        let a = gram();
        let mut factor = a;
        let mut order = [0; 3];
        let rank = factorise(&mut factor, 3, &[a[0], a[4], a[8]], &mut order);
        assert_eq!(rank, 2);
        // A right-hand side in the range: A (1, 2, 3).
        let x = [1.0, 2.0, 3.0];
        let rhs: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[i * 3 + j] * x[j]).sum()).collect();
        let mut b = rhs.clone();
        solve(&factor, 3, rank, &order, &mut b, &mut [0.0; 3]);
        for i in 0..3 {
            let again: f64 = (0..3).map(|j| a[i * 3 + j] * b[j]).sum();
            assert!((again - rhs[i]).abs() < 1e-13, "row {i}: {again} against {}", rhs[i]);
        }
    }

    #[test]
    fn a_regular_matrix_is_solved_to_round_off() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 5.0];
        let mut factor = a;
        let mut order = [0; 3];
        assert_eq!(factorise(&mut factor, 3, &[4.0, 3.0, 5.0], &mut order), 3);
        let mut b = [1.0, -2.0, 0.7];
        let rhs = b;
        solve(&factor, 3, 3, &order, &mut b, &mut [0.0; 3]);
        for i in 0..3 {
            let again: f64 = (0..3).map(|j| a[i * 3 + j] * b[j]).sum();
            assert!((again - rhs[i]).abs() < 1e-14);
        }
    }
}
