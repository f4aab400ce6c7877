//! The periodic cubic spline through given values: C², with the cyclic tridiagonal system solved by the Sherman–Morrison formula.
//!
//! On the interval [u_k, u_{k+1}] of length h with second derivatives m (C. de Boor, *A Practical Guide to Splines*, 1978, chapter IV):
//!
//! h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 (Δ_k − Δ_{k−1}),  Δ_k = (y_{k+1} − y_k)/h_k

/// A value with its first two derivatives.
pub type Jet = [f64; 3];

/// A periodic function of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodicSpline {
    /// Where the values stand, ascending; the last is the end of the period, whose value is the first.
    knots: Vec<f64>,
    values: Vec<f64>,
    seconds: Vec<f64>,
    /// Equally spaced knots are found by a division.
    uniform: bool,
}

impl PeriodicSpline {
    /// Through `values` at `knots`, which ascend; one knot more than values ends the period. At least three values.
    pub fn new(knots: &[f64], values: &[f64]) -> Option<Self> {
        let n = values.len();
        if n < 3 || knots.len() != n + 1 || knots.windows(2).any(|w| w[1] <= w[0]) {
            return None;
        }
        let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
        let slope = |k: usize| (values[(k + 1) % n] - values[k]) / h[k];
        let before = |k: usize| (k + n - 1) % n;
        let right: Vec<f64> = (0..n).map(|k| 6.0 * (slope(k) - slope(before(k)))).collect();
        let mut diagonal: Vec<f64> = (0..n).map(|k| 2.0 * (h[before(k)] + h[k])).collect();
        // A = T + g (1, 0, …, c/g)ᵀ-like corner: T is tridiagonal.
        let corner = h[n - 1];
        let g = -diagonal[0];
        diagonal[0] -= g;
        diagonal[n - 1] -= corner * corner / g;
        let mut u = vec![0.0; n];
        (u[0], u[n - 1]) = (g, corner);
        let x = tridiagonal(&h, &diagonal, &right);
        let z = tridiagonal(&h, &diagonal, &u);
        let factor = (x[0] + corner * x[n - 1] / g) / (1.0 + z[0] + corner * z[n - 1] / g);
        let seconds: Vec<f64> = x.iter().zip(&z).map(|(x, z)| x - factor * z).collect();
        let mean = (knots[n] - knots[0]) / n as f64;
        let uniform = h.iter().all(|h| (h - mean).abs() <= 1e-12 * mean);
        let finite = seconds.iter().all(|m| m.is_finite());
        finite.then(|| Self { knots: knots.to_vec(), values: values.to_vec(), seconds, uniform })
    }

    /// Value, first and second derivative at u within the period.
    pub fn at(&self, u: f64) -> Jet {
        let n = self.values.len();
        let k = self.interval(u);
        let (start, end) = (self.knots[k], self.knots[k + 1]);
        let next = (k + 1) % n;
        let (h, a, b) = (end - start, end - u, u - start);
        let (m, m_next) = (self.seconds[k], self.seconds[next]);
        let (y, y_next) = (self.values[k], self.values[next]);
        let (low, high) = (y / h - m * h / 6.0, y_next / h - m_next * h / 6.0);
        [
            (m * a * a * a + m_next * b * b * b) / (6.0 * h) + low * a + high * b,
            (m_next * b * b - m * a * a) / (2.0 * h) - low + high,
            (m * a + m_next * b) / h,
        ]
    }

    /// The same at any u.
    pub fn periodic(&self, u: f64) -> Jet {
        let (start, period) = (self.knots[0], self.knots[self.values.len()] - self.knots[0]);
        self.at(u - period * ((u - start) / period).floor())
    }

    fn interval(&self, u: f64) -> usize {
        let n = self.values.len();
        if self.uniform {
            let part = (u - self.knots[0]) / (self.knots[n] - self.knots[0]) * n as f64;
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a place in the period is not negative and below n + 1"
            )]
            let k = part.max(0.0) as usize;
            return k.min(n - 1);
        }
        self.knots.partition_point(|k| *k <= u).saturating_sub(1).min(n - 1)
    }
}

/// Solves the symmetric tridiagonal system whose off-diagonal entry between k and k + 1 is h_k; diagonally dominant, so without pivots.
fn tridiagonal(h: &[f64], diagonal: &[f64], right: &[f64]) -> Vec<f64> {
    let n = diagonal.len();
    let (mut d, mut x) = (diagonal.to_vec(), right.to_vec());
    for k in 1..n {
        let w = h[k - 1] / d[k - 1];
        d[k] -= w * h[k - 1];
        x[k] -= w * x[k - 1];
    }
    x[n - 1] /= d[n - 1];
    for k in (0..n - 1).rev() {
        x[k] = (x[k] - h[k] * x[k + 1]) / d[k];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knots that are not equally spaced.
    fn knots(n: usize) -> Vec<f64> {
        let place = |k: usize| k as f64 / n as f64 * std::f64::consts::TAU;
        (0..=n).map(|k| place(k) + 0.3 * place(k).sin()).collect()
    }

    #[test]
    fn it_passes_through_the_values_and_is_smooth_across_every_knot() {
        let knots = knots(9);
        let values: Vec<f64> = knots[..9].iter().map(|u| (2.0 * u).sin() + u.cos()).collect();
        let spline = PeriodicSpline::new(&knots, &values).unwrap();
        for k in 0..9 {
            assert!((spline.at(knots[k])[0] - values[k]).abs() < 1e-14);
            let end = if k == 0 { knots[9] } else { knots[k] };
            // From the left: the polynomial of the interval before, at its end.
            let left = spline.at(end * (1.0 - 1e-15));
            let right = spline.at(knots[k]);
            for (l, r) in left.iter().zip(&right) {
                assert!((l - r).abs() < 1e-12, "knot {k}: {l} {r}");
            }
        }
    }

    /// SciPy 1.17.1: CubicSpline([0, 1, 2.5, 4, 5], [1, 3, 2, 4, 1], bc_type="periodic"): value, first and second derivative at 0.5, 3, 4.9.
    #[test]
    fn it_is_the_spline_of_scipy() {
        let spline =
            PeriodicSpline::new(&[0.0, 1.0, 2.5, 4.0, 5.0], &[1.0, 3.0, 2.0, 4.0]).unwrap();
        for (u, expected) in SCIPY {
            for (found, expected) in spline.at(u).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-13, "at {u}: {found} {expected}");
            }
        }
    }

    const SCIPY: [(f64, Jet); 3] = [
        (0.5, [1.73125, 2.795_833_333_333_333_4, 2.15]),
        (3.0, [2.85, 2.383_333_333_333_333_7, 1.0]),
        (4.9, [1.121_65, -1.731_166_666_666_666_7, 9.59]),
    ];

    #[test]
    fn it_converges_with_the_fourth_power() {
        let error = |n: usize| {
            let values: Vec<f64> = knots(n)[..n].iter().map(|u| u.cos()).collect();
            let spline = PeriodicSpline::new(&knots(n), &values).unwrap();
            let off =
                |k: u32| (spline.at(f64::from(k) * 0.001)[0] - (f64::from(k) * 0.001).cos()).abs();
            (0..6283).map(off).fold(0.0, f64::max)
        };
        let ratio = error(40) / error(80);
        assert!((14.0..18.0).contains(&ratio), "{ratio}");
    }
}
