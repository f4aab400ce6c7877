//! A strictly convex quadratic program by the dual active-set method.
//!
//! min ½ pᵀ B p + gᵀ p subject to aᵢᵀ p ≥ bᵢ (Goldfarb, Idnani, Math. Program. 27 (1983) 1-33). The problems have a few dozen variables and
//! are solved once a step, so the factors are made anew for each change of the active set.
#![allow(non_snake_case, reason = "matrices have capitals, as on the page")]

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// A row a and its right-hand side b of aᵀ p ≥ b.
pub(super) type Row = (DVector<f64>, f64);

/// A residual below this share of the sizes of its terms is round-off: some ten operations of 1e-16 each.
const ROUND_OFF: f64 = 1e-14;
/// Changes of the active set for each row; the method ends after finitely many, and fewer than the rows are usual.
const CHANGES: usize = 50;

/// The minimiser and a multiplier for each row; nothing if the rows contradict each other or B is not positive definite.
pub(super) fn quadratic(
    B: &DMatrix<f64>,
    g: &DVector<f64>,
    rows: &[Row],
) -> Option<(DVector<f64>, Vec<f64>)> {
    let factors = Cholesky::new(B.clone())?;
    let mut p = -factors.solve(g);
    let mut active: Vec<usize> = Vec::new();
    let mut u: Vec<f64> = Vec::new();
    let residual = |p: &DVector<f64>, k: usize| {
        let (a, b) = &rows[k];
        let size = a.iter().zip(p.iter()).map(|(a, p)| (a * p).abs()).sum::<f64>() + b.abs();
        let s = a.dot(p) - b;
        if s.abs() <= ROUND_OFF * size { 0.0 } else { s }
    };
    for _ in 0..=CHANGES * rows.len() {
        let open = (0..rows.len()).filter(|k| !active.contains(k));
        let worst = open.map(|k| (k, residual(&p, k))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((new, mut s)) = worst.filter(|(_, s)| *s < 0.0) else {
            let mut all = vec![0.0; rows.len()];
            active.iter().zip(&u).for_each(|(k, u)| all[*k] = *u);
            return Some((p, all));
        };
        let mut multiplier = 0.0;
        loop {
            let (z, r) = directions(&factors, rows, &active, new)?;
            // The longest step that keeps the multipliers positive, and the one that fulfils the row.
            let blocking = (0..active.len()).filter(|j| r[*j] > 0.0).map(|j| (j, u[j] / r[j]));
            let blocking = blocking.min_by(|a, b| a.1.total_cmp(&b.1));
            let slope = z.dot(&rows[new].0);
            let size = rows[new].0.norm_squared() * z.norm().max(f64::MIN_POSITIVE);
            let full = (slope > ROUND_OFF * size).then(|| -s / slope);
            let t = match (blocking, full) {
                (None, None) => return None,
                (Some((_, a)), Some(b)) => a.min(b),
                (Some((_, a)), None) => a,
                (None, Some(b)) => b,
            };
            u.iter_mut().zip(&r).for_each(|(u, r)| *u -= t * r);
            multiplier += t;
            if full.is_some() {
                p += t * &z;
            }
            match (blocking, full) {
                (Some((j, a)), _) if full.is_none_or(|b| a < b) => {
                    active.remove(j);
                    u.remove(j);
                    s = rows[new].0.dot(&p) - rows[new].1;
                }
                _ => break,
            }
        }
        active.push(new);
        u.push(multiplier);
    }
    None
}

/// The step z = H a in the null space of the active rows, and r, by which their multipliers fall.
fn directions(
    factors: &Cholesky<f64, Dyn>,
    rows: &[Row],
    active: &[usize],
    new: usize,
) -> Option<(DVector<f64>, Vec<f64>)> {
    let a = &rows[new].0;
    if active.is_empty() {
        return Some((factors.solve(a), Vec::new()));
    }
    let columns: Vec<DVector<f64>> = active.iter().map(|k| rows[*k].0.clone()).collect();
    let N = DMatrix::from_columns(&columns);
    let solved = factors.solve(&N);
    let r = (N.transpose() * &solved).lu().solve(&(solved.transpose() * a))?;
    Some((factors.solve(&(a - N * &r)), r.iter().copied().collect()))
}

#[cfg(test)]
mod tests {
    use super::super::super::chance;
    use super::*;

    /// Two residuals of numbers of size one, each with a few dozen operations.
    const TOLERANCE: f64 = 1e-9;

    #[test]
    fn random_programs_fulfil_the_conditions_of_karush_kuhn_and_tucker() {
        let mut drawn = 0;
        let mut draw = || {
            drawn += 1;
            2.0 * chance::unit(chance::bits(7, 1, drawn)) - 1.0
        };
        for case in 0..300 {
            let (n, m) = (1 + case % 6, case % 9);
            let root = DMatrix::from_fn(n, n, |_, _| draw());
            let B = root.transpose() * &root + 0.1 * DMatrix::identity(n, n);
            let g = DVector::from_fn(n, |_, _| 3.0 * draw());
            // A point that fulfils all rows exists: the rows are placed around it.
            let inside = DVector::from_fn(n, |_, _| draw());
            let rows: Vec<Row> = (0..m)
                .map(|_| {
                    let a = DVector::from_fn(n, |_, _| draw());
                    let b = a.dot(&inside) - draw().abs();
                    (a, b)
                })
                .collect();
            let (p, u) = quadratic(&B, &g, &rows).unwrap();
            let mut gradient = &B * &p + &g;
            for ((a, b), u) in rows.iter().zip(&u) {
                let s = a.dot(&p) - b;
                assert!(*u >= 0.0 && s > -TOLERANCE && (u * s).abs() < TOLERANCE, "{case}");
                gradient -= *u * a;
            }
            assert!(gradient.amax() < TOLERANCE, "{case}: {gradient}");
        }
    }

    #[test]
    fn rows_that_contradict_each_other_have_no_answer() {
        let (B, g) = (DMatrix::identity(1, 1), DVector::zeros(1));
        let rows = [(DVector::from_element(1, 1.0), 1.0), (DVector::from_element(1, -1.0), 0.0)];
        assert_eq!(quadratic(&B, &g, &rows), None);
    }
}
