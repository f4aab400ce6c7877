//! Sobol's indices: which part of a measure's variance each variable has.
//!
//! From Saltelli's samples A, B and A with column i of B: first order by Saltelli et al., Comput. Phys. Commun. 181 (2010)
//! 259-270, table 2 (b); total by Jansen's form, table 2 (f).

/// The indices of one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indices {
    /// S_i: by this variable alone.
    pub first: f64,
    /// S_Ti: by this variable and whatever it does together with others.
    pub total: f64,
    /// Standard errors of both.
    pub errors: (f64, f64),
}

/// Values of a measure row by row: A, A with each column of B, B; `None` if nothing varies.
pub fn indices(rows: &[Vec<f64>]) -> Option<Vec<Indices>> {
    let d = rows.first()?.len().checked_sub(2)?;
    let n = rows.len() as f64;
    let ends = rows.iter().flat_map(|row| [row[0], row[d + 1]]);
    let mean = ends.clone().sum::<f64>() / (2.0 * n);
    let variance = ends.map(|f| (f - mean).powi(2)).sum::<f64>() / (2.0 * n);
    if !(variance > 1e-28 * mean * mean) {
        return None;
    }
    let of = |i: usize| {
        // V_i = mean of f(B) (f(AB_i) − f(A)); V_Ti = half the mean of (f(A) − f(AB_i))²
        let first: Vec<f64> =
            rows.iter().map(|r| (r[d + 1] - mean) * (r[i + 1] - r[0]) / variance).collect();
        let total: Vec<f64> =
            rows.iter().map(|r| 0.5 * (r[0] - r[i + 1]).powi(2) / variance).collect();
        let ((first, e1), (total, e2)) = (average(&first), average(&total));
        Indices { first, total, errors: (e1, e2) }
    };
    Some((0..d).map(of).collect())
}

/// Mean and its standard error.
fn average(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::sobol::Sobol;
    use super::*;

    /// By Sobol points the error falls almost like 1/n; this leaves room.
    const SAMPLING: f64 = 0.01;

    #[test]
    fn the_function_of_ishigami_has_its_known_indices() {
        // f = sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ on (−π, π)³ (Ishigami, Homma 1990).
        use std::f64::consts::PI;
        let f = |x: [f64; 3]| {
            let [a, b, c] = x.map(|u| PI * (2.0 * u - 1.0));
            a.sin() + 7.0 * b.sin().powi(2) + 0.1 * c.powi(4) * a.sin()
        };
        let sobol = Sobol::new(6, Some(3)).unwrap();
        let rows: Vec<Vec<f64>> = (0..8192)
            .map(|k| {
                let x: Vec<f64> = (0..6).map(|d| sobol.coordinate(k, d)).collect();
                let (a, b) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
                let mixed = |i: usize| {
                    let mut y = a;
                    y[i] = b[i];
                    f(y)
                };
                vec![f(a), mixed(0), mixed(1), mixed(2), f(b)]
            })
            .collect();
        let found = indices(&rows).unwrap();
        // V = a²/8 + b π⁴/5 + b² π⁸/18 + ½ and its parts, with a = 7 and b = 0.1.
        let b = 0.1;
        let v1 = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
        let v2 = 49.0 / 8.0;
        let v13 = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let v = v1 + v2 + v13;
        let wanted = [(v1 / v, (v1 + v13) / v), (v2 / v, v2 / v), (0.0, v13 / v)];
        for (found, (first, total)) in found.iter().zip(wanted) {
            assert!((found.first - first).abs() < SAMPLING, "{found:?} {first}");
            assert!((found.total - total).abs() < SAMPLING, "{found:?} {total}");
        }
        assert_eq!(indices(&[vec![1.0; 3], vec![1.0; 3]]), None);
    }
}
