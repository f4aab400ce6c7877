//! Whether linear equations have a solution that is not negative: the first phase of the simplex method.

/// Numbers below this part of the largest are zero.
const ZERO: f64 = 1e-9;

/// x ≥ 0 with A x = b, A by rows; `None` if there is none. Bland's rule: it always ends.
pub fn feasible(A: &[Vec<f64>], b: &[f64]) -> Option<Vec<f64>> {
    let (m, n) = (A.len(), A.first().map_or(0, Vec::len));
    let size = b.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    // Rows with an artificial variable each; all of b positive.
    let mut rows: Vec<Vec<f64>> = A
        .iter()
        .zip(b)
        .enumerate()
        .map(|(i, (row, b))| {
            let sign = if *b < 0.0 { -1.0 } else { 1.0 };
            let largest = row.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
            let mut out: Vec<f64> = row.iter().map(|x| sign * x / largest).collect();
            out.extend((0..m).map(|j| f64::from(u8::from(i == j))));
            out.push(sign * b / largest);
            out
        })
        .collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    let last = n + m;
    for _ in 0..10_000 {
        // What the sum of the artificial variables loses by each column.
        let gain = |j: usize| -> f64 {
            rows.iter().zip(&basis).filter(|(_, k)| **k >= n).map(|(r, _)| r[j]).sum()
        };
        let Some(enter) = (0..n).find(|j| !basis.contains(j) && gain(*j) > ZERO) else { break };
        let mut leave: Option<(f64, usize)> = None;
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[enter] > ZERO) {
            let ratio = row[last] / row[enter];
            let better = leave.is_none_or(|(least, k)| {
                ratio < least - ZERO * size || (ratio <= least + ZERO * size && basis[i] < basis[k])
            });
            if better {
                leave = Some((ratio, i));
            }
        }
        let (_, leave) = leave?;
        let pivot = rows[leave][enter];
        rows[leave].iter_mut().for_each(|x| *x /= pivot);
        let own = rows[leave].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != leave) {
            let share = row[enter];
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= share * y);
        }
        basis[leave] = enter;
    }
    let left: f64 = rows.iter().zip(&basis).filter(|(_, k)| **k >= n).map(|(r, _)| r[last]).sum();
    (left <= ZERO * size).then(|| {
        let mut x = vec![0.0; n];
        for (row, &k) in rows.iter().zip(&basis).filter(|(_, k)| **k < n) {
            x[k] = row[last].max(0.0);
        }
        x
    })
}

#[cfg(test)]
mod tests {
    use super::feasible;

    #[test]
    fn a_point_of_a_simplex_is_found_and_one_outside_is_refused() {
        // x + y = 1, x − y = ½: (¾, ¼)
        let A = [vec![1.0, 1.0], vec![1.0, -1.0]];
        let x = feasible(&A, &[1.0, 0.5]).unwrap();
        assert!((x[0] - 0.75).abs() < 1e-12 && (x[1] - 0.25).abs() < 1e-12);
        assert_eq!(feasible(&A, &[1.0, 2.0]), None);
    }
}
