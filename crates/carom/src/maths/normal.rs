//! The normal distribution and Student's: what random samples and their confidence intervals are made of.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

/// From here on the continued fraction of the complementary error function is used: below, 1 − erf loses no digit that counts.
const FRACTION: f64 = 1.0;
/// Levels of that fraction: its error at [`FRACTION`] is exp(−2 √(2 · 200)) ≈ 1e-17.
const LEVELS: u32 = 200;
/// Halvings of an interval until it has no number inside.
const HALVINGS: usize = 60;

/// erfc x = 2/√π ∫ₓ^∞ exp(−t²) dt, with full relative accuracy in the upper tail (DLMF 7.6.2 and 7.9.1).
pub fn erfc(x: f64) -> f64 {
    if x < FRACTION {
        return if x < -FRACTION { 2.0 - erfc(-x) } else { 1.0 - erf_by_series(x) };
    }
    // erfc x = exp(−x²)/√π / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …))))
    let below = (1..=LEVELS).rev().fold(x, |below, k| x + 0.5 * f64::from(k) / below);
    0.5 * FRAC_2_SQRT_PI * (-x * x).exp() / below
}

/// erf x = 2/√π exp(−x²) Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!!
fn erf_by_series(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    let mut odd = 1.0;
    while term.abs() > f64::EPSILON * 0.1 * sum.abs() {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// Φ(x): the probability that a standard normal number is below x.
pub fn normal_below(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// Φ⁻¹(p), for 0 < p < 1.
///
/// A rational approximation (Abramowitz, Stegun 26.2.23, error below 4.5e-4) and steps of Halley on Φ.
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let t = (-2.0 * p.ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = above / below - t;
    for _ in 0..3 {
        // Newton's step of Φ(x) = p, and the curvature Φ'' = −x Φ'.
        let step = (normal_below(x) - p) * (2.0 * PI).sqrt() * (0.5 * x * x).exp();
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

/// The half-width of the interval with this probability of Student's distribution with so many degrees of freedom, in standard errors.
///
/// The probability within ±t is a finite sum in θ = atan(t/√ν) (Abramowitz, Stegun 26.7.3 and 26.7.4).
pub fn student_half_width(probability: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    let within = |theta: f64| {
        let (sine, cosine) = (theta.sin(), theta.cos());
        let odd = !freedom.is_multiple_of(2);
        let (mut term, mut sum) = if odd { (cosine, 0.0) } else { (1.0, 0.0) };
        // Terms with cos^k for k = 1, 3, … ν − 2 (odd) or 0, 2, … ν − 2 (even).
        let mut k = usize::from(odd);
        while k + 2 <= freedom {
            sum += term;
            term *= cosine * cosine * (k + 1) as f64 / (k + 2) as f64;
            k += 2;
        }
        if odd { (theta + sine * sum) * 2.0 / PI } else { sine * sum }
    };
    let (mut low, mut high) = (0.0, 0.5 * PI);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if within(middle) < probability { low = middle } else { high = middle }
    }
    (0.5 * (low + high)).tan() * (freedom as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums and the fraction end at round-off; some units in the last place are lost on the way.
    const ROUND_OFF: f64 = 2e-14;
    /// Tables print as many digits.
    const PRINTED: f64 = 6e-5;

    #[test]
    fn erfc_has_the_digits_of_scipy() {
        // scipy.special.erfc
        let known = [
            (-2.0, 1.995_322_265_018_952_7),
            (-0.3, 1.328_626_759_459_127_4),
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (3.0, 2.209_049_699_858_544e-5),
            (10.0, 2.088_487_583_762_545e-45),
        ];
        for (x, wanted) in known {
            let found = erfc(x);
            assert!((found / wanted - 1.0).abs() < ROUND_OFF, "{x}: {found} {wanted}");
        }
    }

    #[test]
    fn quantiles_invert_the_distribution_far_into_the_tails() {
        for p in [1e-300, 1e-16, 1e-9, 0.001, 0.05, 0.3, 0.5, 0.7, 0.95, 1.0 - 1e-12] {
            let x = normal_quantile(p);
            // Relative in the lower tail; p itself has a round-off of 1e-16 in the upper.
            assert!((normal_below(x) / p - 1.0).abs() < 1e-11, "{p}: {x}");
        }
        // scipy.stats.norm.ppf
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < ROUND_OFF);
        assert!((normal_quantile(1e-10) + 6.361_340_902_404_056).abs() < 1e-12);
    }

    #[test]
    fn students_half_widths_are_those_of_the_tables() {
        let known = [(1, 12.7062), (2, 4.3027), (5, 2.5706), (15, 2.1314), (30, 2.0423)];
        for (freedom, wanted) in known {
            let found = student_half_width(0.95, freedom);
            assert!((found - wanted).abs() < PRINTED, "{freedom}: {found}");
        }
        assert!((student_half_width(0.95, 100_000) - 1.959_96).abs() < PRINTED);
        assert_eq!(student_half_width(0.95, 0), f64::INFINITY);
    }
}
