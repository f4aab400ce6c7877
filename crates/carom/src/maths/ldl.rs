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
            exchange(a, n, step, best);
        }
        // Only the lower triangle is kept; the pivot's column stands in its row too, where it lies together.
        let (above, below) = a.split_at_mut((step + 1) * n);
        let pivot = &mut above[step * n + step..];
        for (x, row) in pivot[1..].iter_mut().zip(below.chunks_exact(n)) {
            *x = row[step];
        }
        let inverse = 1.0 / pivot[0];
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            let l = row[step] * inverse;
            row[step] = l;
            for (x, y) in row[step + 1..step + i + 2].iter_mut().zip(&pivot[1..]) {
                *x -= l * y;
            }
        }
    }
    n
}

/// Exchanges two rows and columns, first < second, of a lower triangle.
fn exchange(a: &mut [f64], n: usize, first: usize, second: usize) {
    for k in 0..first {
        a.swap(first * n + k, second * n + k);
    }
    a.swap(first * n + first, second * n + second);
    for k in first + 1..second {
        a.swap(k * n + first, second * n + k);
    }
    for k in second + 1..n {
        a.swap(k * n + first, k * n + second);
    }
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
