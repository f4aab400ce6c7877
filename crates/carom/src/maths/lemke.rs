//! Linear complementarity with any square matrix: 0 ≤ z ⟂ M z + q ≥ 0, by Lemke's method.
//!
//! It follows one path of bases from w = q + d z₀ to z₀ = 0. For a copositive M the path ends at a solution wherever
//! qᵀ z ≥ 0 for all z ≥ 0 with M z ≥ 0 and zᵀ M z = 0 (Cottle, Pang and Stone 1992, theorem 4.4.12). Ties are broken in the
//! order of the lexicon, so that no basis comes twice.

/// An entry of a column below this part of its largest does not limit a step.
const LIMITS: f64 = 1e-11;
/// Ratios that differ by less than this part of the largest entry of q are equal.
const TIE: f64 = 1e-13;

/// A solution z; `None` if the path ends in a ray. `cover` is d > 0, which chooses the path.
pub fn lemke(M: &[f64], q: &[f64], cover: impl Fn(usize) -> f64) -> Option<Vec<f64>> {
    let n = q.len();
    let mut z = vec![0.0; n];
    let size = q.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    if q.iter().all(|q| *q >= 0.0) {
        return Some(z);
    }
    let mut path = Path::new(M, q, cover);
    let wide = path.wide;
    let start = |i: usize| -q[i] / -path.rows[i * wide + 2 * n];
    let mut row = (0..n).max_by(|i, j| start(*i).total_cmp(&start(*j)))?;
    let mut entering = 2 * n;
    for _ in 0..50 * (n + 4) {
        let leaving = path.pivot(row, entering);
        if leaving == 2 * n {
            for (i, &column) in path.basis.iter().enumerate() {
                if (n..2 * n).contains(&column) {
                    z[column - n] = path.rows[i * wide + wide - 1].max(0.0);
                }
            }
            return Some(z);
        }
        entering = if leaving < n { leaving + n } else { leaving - n };
        row = path.ratio(entering, size)?;
    }
    None
}

/// The equations w − M z − d z₀ = q, solved for the variables of a basis: columns w, z, z₀, q.
struct Path {
    n: usize,
    wide: usize,
    rows: Vec<f64>,
    basis: Vec<usize>,
}

impl Path {
    fn new(M: &[f64], q: &[f64], cover: impl Fn(usize) -> f64) -> Self {
        let n = q.len();
        let wide = 2 * n + 2;
        let mut rows = vec![0.0; n * wide];
        for i in 0..n {
            let row = &mut rows[i * wide..(i + 1) * wide];
            row[i] = 1.0;
            for (x, m) in row[n..2 * n].iter_mut().zip(&M[i * n..(i + 1) * n]) {
                *x = -m;
            }
            row[2 * n] = -cover(i);
            row[wide - 1] = q[i];
        }
        Self { n, wide, rows, basis: (0..n).collect() }
    }

    /// Puts a column in the basis at a row; returns the one that leaves.
    fn pivot(&mut self, row: usize, column: usize) -> usize {
        let wide = self.wide;
        let scale = self.rows[row * wide + column].recip();
        self.rows[row * wide..(row + 1) * wide].iter_mut().for_each(|x| *x *= scale);
        let own = self.rows[row * wide..(row + 1) * wide].to_vec();
        for other in (0..self.n).filter(|other| *other != row) {
            let target = &mut self.rows[other * wide..(other + 1) * wide];
            let share = target[column];
            if share != 0.0 {
                target.iter_mut().zip(&own).for_each(|(x, y)| *x -= share * y);
                target[column] = 0.0;
            }
        }
        std::mem::replace(&mut self.basis[row], column)
    }

    /// The row that limits a step along a column; z₀ first, then the least in the order of the lexicon.
    fn ratio(&self, column: usize, size: f64) -> Option<usize> {
        let (n, wide) = (self.n, self.wide);
        let entry = |i: usize| self.rows[i * wide + column];
        let most = (0..n).fold(0.0_f64, |m, i| m.max(entry(i).abs()));
        let able = |i: &usize| entry(*i) > LIMITS * most.max(1.0);
        let least = (0..n)
            .filter(able)
            .map(|i| self.rows[i * wide + wide - 1].max(0.0) / entry(i))
            .fold(f64::INFINITY, f64::min);
        let tied = |i: &usize| {
            self.rows[i * wide + wide - 1] <= least * entry(*i) + TIE * size * entry(*i).max(1.0)
        };
        let mut ties: Vec<usize> = (0..n).filter(able).filter(tied).collect();
        if let Some(end) = ties.iter().find(|i| self.basis[**i] == 2 * n) {
            return Some(*end);
        }
        for k in 0..n {
            if ties.len() < 2 {
                break;
            }
            let value = |i: usize| self.rows[i * wide + k] / entry(i);
            let least = ties.iter().map(|i| value(*i)).fold(f64::INFINITY, f64::min);
            ties.retain(|i| value(*i) <= least + TIE * least.abs().max(1.0));
        }
        ties.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::lemke;

    /// Round-off of a few rows.
    const ROUND_OFF: f64 = 1e-12;

    #[test]
    fn a_positive_matrix_has_its_one_solution() {
        // By hand: z = (4/3, 7/3), w = 0.
        let z = lemke(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], |_| 1.0).unwrap();
        assert!((z[0] - 4.0 / 3.0).abs() < ROUND_OFF && (z[1] - 7.0 / 3.0).abs() < ROUND_OFF);
    }

    #[test]
    fn a_matrix_that_is_not_symmetric_is_solved() {
        // By hand: z = (1, 0) leaves w = (0, 2).
        let z = lemke(&[1.0, -1.0, 1.0, 1.0], &[-1.0, 1.0], |_| 1.0).unwrap();
        assert!((z[0] - 1.0).abs() < ROUND_OFF && z[1] == 0.0);
    }

    #[test]
    fn what_has_no_solution_ends_in_a_ray() {
        assert_eq!(lemke(&[-1.0], &[-1.0], |_| 1.0), None);
        assert_eq!(lemke(&[1.0, -1.0, -1.0, 1.0], &[-2.0, 1.0], |_| 1.0), None);
    }
}
