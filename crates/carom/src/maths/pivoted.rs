//! Small square systems that may be singular or lopsided: Gauss's elimination with complete pivoting.

/// A pivot below this part of the largest is none: its unknown is zero.
const NOTHING: f64 = 1e-13;

/// Memory for systems up to a size.
#[derive(Clone, Debug)]
pub struct Pivoted {
    A: Vec<f64>,
    b: Vec<f64>,
    columns: Vec<usize>,
    size: usize,
    rank: usize,
}

impl Pivoted {
    /// Memory for that many unknowns.
    pub fn new(most: usize) -> Self {
        let (A, b, columns) = (vec![0.0; most * most], vec![0.0; most], vec![0; most]);
        Self { A, b, columns, size: 0, rank: 0 }
    }

    /// A x = −c with the n × n matrix A stored by rows; unknowns that depend on others are zero. Returns the rank.
    pub fn solve(&mut self, A: &[f64], c: &[f64], x: &mut [f64]) -> usize {
        self.solve_within(A, c, x, NOTHING)
    }

    /// The same, with pivots below another part of the largest taken for none.
    pub fn solve_within(&mut self, A: &[f64], c: &[f64], x: &mut [f64], nothing: f64) -> usize {
        let n = c.len();
        let (M, b, columns) = (&mut self.A[..n * n], &mut self.b[..n], &mut self.columns[..n]);
        M.copy_from_slice(A);
        for (i, (b, c)) in b.iter_mut().zip(c).enumerate() {
            (*b, columns[i]) = (-c, i);
        }
        let mut rank = n;
        let mut largest = 0.0;
        for k in 0..n {
            let (mut row, mut column, mut most) = (k, k, 0.0);
            for i in k..n {
                for j in k..n {
                    if M[i * n + j].abs() > most {
                        (row, column, most) = (i, j, M[i * n + j].abs());
                    }
                }
            }
            largest = f64::max(largest, most);
            if most <= nothing * largest {
                rank = k;
                break;
            }
            for j in 0..n {
                M.swap(k * n + j, row * n + j);
            }
            b.swap(k, row);
            for i in 0..n {
                M.swap(i * n + k, i * n + column);
            }
            columns.swap(k, column);
            for i in k + 1..n {
                let factor = M[i * n + k] / M[k * n + k];
                for j in k..n {
                    M[i * n + j] -= factor * M[k * n + j];
                }
                b[i] -= factor * b[k];
            }
        }
        x.fill(0.0);
        for k in (0..rank).rev() {
            let mut value = b[k];
            for j in k + 1..rank {
                value -= M[k * n + j] * x[columns[j]];
            }
            x[columns[k]] = value / M[k * n + k];
        }
        (self.size, self.rank) = (n, rank);
        rank
    }

    /// One of the n − rank independent x with A x = 0, of the matrix solved last.
    pub fn null_vector(&self, which: usize, x: &mut [f64]) {
        let (n, rank) = (self.size, self.rank);
        let free = rank + which;
        x.fill(0.0);
        x[self.columns[free]] = 1.0;
        for k in (0..rank).rev() {
            let row = &self.A[k * n..(k + 1) * n];
            let mut value = -row[free];
            for j in k + 1..rank {
                value -= row[j] * x[self.columns[j]];
            }
            x[self.columns[k]] = value / row[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_vectors_of_a_lopsided_matrix_are_null_and_independent() {
        // Of rank 2: the third row is the first less the second, the fourth column any mixture.
        let A = [
            1.0, 2.0, -1.0, 0.5, //
            0.0, 3.0, 4.0, -2.0, //
            1.0, -1.0, -5.0, 2.5, //
            2.0, 7.0, 2.0, -1.0,
        ];
        let mut pivoted = Pivoted::new(4);
        assert_eq!(pivoted.solve(&A, &[0.0; 4], &mut [0.0; 4]), 2);
        let mut null = [[0.0; 4]; 2];
        for (which, x) in null.iter_mut().enumerate() {
            pivoted.null_vector(which, x);
            for row in A.chunks(4) {
                let sum: f64 = row.iter().zip(x.iter()).map(|(a, x)| a * x).sum();
                assert!(sum.abs() < 1e-15, "{sum}");
            }
        }
        let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let cosine =
            dot(&null[0], &null[1]) / (dot(&null[0], &null[0]) * dot(&null[1], &null[1])).sqrt();
        assert!(cosine.abs() < 0.99);
    }

    #[test]
    fn a_lopsided_system_is_solved() {
        let A = [0.0, 2.0, 1.0, -3.0, 1.0, 0.5, 4.0, 0.0, 1.0];
        let x_0 = [1.5, -2.0, 0.25];
        let c: Vec<f64> =
            (0..3).map(|i| -(0..3).map(|j| A[3 * i + j] * x_0[j]).sum::<f64>()).collect();
        let mut x = [0.0; 3];
        assert_eq!(Pivoted::new(3).solve(&A, &c, &mut x), 3);
        assert!(x.iter().zip(x_0).all(|(x, y)| (x - y).abs() < 1e-14), "{x:?}");
    }

    #[test]
    fn of_equal_rows_one_carries_all() {
        let mut x = [0.0; 2];
        assert_eq!(Pivoted::new(2).solve(&[2.0; 4], &[-3.0; 2], &mut x), 1);
        assert!((x[0] + x[1] - 1.5).abs() < 1e-15 && x[0] * x[1] == 0.0);
    }
}
