//! Least squares: polynomials and power laws.

use nalgebra::{DMatrix, DVector};

/// A curve through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// c₀, c₁, … of Σ c_k xᵏ; of a power law a and b of a xᵇ.
    pub coefficients: Vec<f64>,
    /// R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)².
    pub determination: f64,
}

/// The polynomial of that degree nearest to the points; `None` if they do not determine one.
pub fn polynomial(x: &[f64], y: &[f64], degree: usize) -> Option<Fit> {
    let scale = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if x.len() <= degree || scale == 0.0 || !scale.is_finite() {
        return None;
    }
    // In parts of the largest x, so that powers keep their digits.
    let A = DMatrix::from_fn(x.len(), degree + 1, |i, k| (x[i] / scale).powi(power(k)));
    let b = DVector::from_column_slice(y);
    let qr = A.clone().qr();
    let R = qr.r();
    let largest = R.diagonal().amax();
    if R.diagonal().iter().any(|d| d.abs() <= 1e-12 * largest) {
        return None;
    }
    let c = R.solve_upper_triangular(&(qr.q().transpose() * &b))?;
    let found = &A * &c;
    let coefficients = c.iter().enumerate().map(|(k, c)| c / scale.powi(power(k))).collect();
    Some(Fit { coefficients, determination: determination(y, found.as_slice()) })
}

/// y = a xᵇ, fitted where both are positive in logarithms; R² is of y itself.
pub fn power_law(x: &[f64], y: &[f64]) -> Option<Fit> {
    if x.iter().chain(y).any(|v| !(*v > 0.0)) {
        return None;
    }
    let logs = |v: &[f64]| v.iter().map(|v| v.ln()).collect::<Vec<_>>();
    let line = polynomial(&logs(x), &logs(y), 1)?;
    let (a, b) = (line.coefficients[0].exp(), line.coefficients[1]);
    let found: Vec<f64> = x.iter().map(|x| a * x.powf(b)).collect();
    Some(Fit { coefficients: vec![a, b], determination: determination(y, &found) })
}

fn power(k: usize) -> i32 {
    i32::try_from(k).unwrap_or(i32::MAX)
}

fn determination(y: &[f64], found: &[f64]) -> f64 {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let left: f64 = y.iter().zip(found).map(|(y, f)| (y - f).powi(2)).sum();
    let all: f64 = y.iter().map(|y| (y - mean).powi(2)).sum();
    if all > 0.0 { 1.0 - left / all } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_points_of_gonzalez_have_their_parabola() {
        // Table 5: T_c [mJ] and mean peak force [N]; the normal equations solved by hand in exact fractions agree.
        let x = [9.82, 9.68, 8.54, 6.68, 4.46];
        let y = [33.5, 31.9, 29.9, 25.8, 20.0];
        let fit = polynomial(&x, &y, 2).unwrap();
        // The residual is perpendicular to 1, x and x²: the normal equations.
        for k in 0..3 {
            let dot: f64 = x
                .iter()
                .zip(y)
                .map(|(x, y)| {
                    let c = &fit.coefficients;
                    (y - c[0] - c[1] * x - c[2] * x * x) * x.powi(k)
                })
                .sum();
            assert!(dot.abs() < 1e-9, "{k}: {dot}");
        }
        assert!(fit.determination > 0.98, "{fit:?}");
    }

    #[test]
    fn a_power_law_gives_its_exponent_back() {
        let x: Vec<f64> = (1..20).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| 7.0 * x.powf(0.6)).collect();
        let fit = power_law(&x, &y).unwrap();
        assert!(
            (fit.coefficients[0] - 7.0).abs() < 1e-12 && (fit.coefficients[1] - 0.6).abs() < 1e-14
        );
        assert!((fit.determination - 1.0).abs() < 1e-14);
        assert_eq!(power_law(&[1.0, -1.0], &[1.0, 1.0]), None);
        assert_eq!(polynomial(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0], 1), None);
    }
}
