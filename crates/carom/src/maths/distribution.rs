//! Student's t and the χ² distribution: what intervals and tests of a fit need.
//!
//! Incomplete beta and gamma functions by series and continued fractions (Abramowitz, Stegun 1964, 6.5.29, 6.5.31 and 26.5.8, evaluated
//! by Lentz's method), the logarithm of Γ by Stirling's series.

use super::root::{Width, bracketed};

/// Terms of a series or a continued fraction; those in use converge in some hundred.
const MOST_TERMS: usize = 10_000;
/// A factor of a continued fraction that is 1 to this is the last one.
const ROUND_OFF: f64 = 1e-16;
/// Stands for a zero denominator in Lentz's method.
const TINY: f64 = 1e-300;

/// ln Γ(x) for x > 0: Stirling's series beyond 15, the recurrence below.
pub fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// Lentz's method for b₀ + a₁/(b₁ + a₂/(b₂ + …)) with (aₖ, bₖ) from `term`.
fn continued_fraction(first: f64, mut term: impl FnMut(f64) -> (f64, f64)) -> f64 {
    let whole = |x: f64| if x == 0.0 { TINY } else { x };
    let mut value = whole(first);
    let (mut c, mut d) = (value, 0.0);
    for k in 1..MOST_TERMS {
        let (a, b) = term(k as f64);
        d = 1.0 / whole(b + a * d);
        c = whole(b + a / c);
        value *= c * d;
        if (c * d - 1.0).abs() <= ROUND_OFF {
            break;
        }
    }
    value
}

/// I_x(a, b), the regularised incomplete beta function.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    let term = |k: f64| {
        let m = ((k - 1.0) / 2.0).floor();
        let d = if k == 1.0 {
            1.0
        } else if k % 2.0 == 0.0 {
            let m = k / 2.0 - 1.0;
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        } else {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        };
        (d, 1.0)
    };
    front.exp() * continued_fraction(0.0, term) / a
}

/// Q(a, x) = Γ(a, x)/Γ(a), the regularised upper incomplete gamma function.
pub fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for k in 1..MOST_TERMS {
            term *= x / (a + k as f64);
            sum += term;
            if term <= ROUND_OFF * sum {
                break;
            }
        }
        return 1.0 - front * sum;
    }
    let fraction = continued_fraction(x + 1.0 - a, |k| (-k * (k - a), x + 2.0 * k + 1.0 - a));
    front / fraction
}

/// The probability that χ² with so many degrees of freedom exceeds a value.
pub fn chi_square_beyond(value: f64, degrees: f64) -> f64 {
    upper_gamma(0.5 * degrees, 0.5 * value)
}

/// The probability that |t| of Student's distribution exceeds t ≥ 0.
pub fn student_beyond(t: f64, degrees: f64) -> f64 {
    incomplete_beta(0.5 * degrees, 0.5, degrees / (degrees + t * t))
}

/// The t that |t| of Student's distribution exceeds with probability 1 − `level`; that of the normal distribution for infinite `degrees`.
pub fn student_two_sided(level: f64, degrees: f64) -> f64 {
    let beyond = |t: f64| {
        if degrees.is_infinite() {
            upper_gamma(0.5, 0.5 * t * t)
        } else {
            student_beyond(t, degrees)
        }
    };
    let mut high = 2.0;
    while beyond(high) > 1.0 - level && high < 1e9 {
        high *= 2.0;
    }
    let width = Width { absolute: 0.0, relative: 4.0 * f64::EPSILON };
    bracketed(|t| beyond(t) - (1.0 - level), 0.0, high, width).map_or(high, |root| root.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed digits of the tables.
    const PRINTED: f64 = 5e-4;
    /// Round-off of series of some hundred terms.
    const ROUND: f64 = 1e-12;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (degrees, t) in
            [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (10.0, 2.228), (120.0, 1.980)]
        {
            assert!((student_two_sided(0.95, degrees) - t).abs() < PRINTED, "{degrees}");
        }
        let normal = student_two_sided(0.95, f64::INFINITY);
        assert!((normal - 1.959_963_984_540_054).abs() < ROUND, "{normal}");
        for (value, degrees) in [(3.841, 1.0), (5.991, 2.0), (18.307, 10.0), (124.342, 100.0)] {
            assert!((chi_square_beyond(value, degrees) - 0.05).abs() < PRINTED, "{degrees}");
        }
    }

    #[test]
    fn closed_forms_are_met() {
        // χ² with two degrees is exponential; t with one is Cauchy's, with two algebraic; Γ(½) = √π.
        for x in [0.01, 0.7, 3.0, 40.0] {
            assert!((chi_square_beyond(x, 2.0) / (-0.5 * x).exp() - 1.0).abs() < ROUND, "{x}");
            let cauchy = 1.0 - 2.0 * x.atan() / std::f64::consts::PI;
            assert!((student_beyond(x, 1.0) - cauchy).abs() < ROUND, "{x}");
            let second = 1.0 - x / (2.0 + x * x).sqrt();
            assert!((student_beyond(x, 2.0) - second).abs() < ROUND, "{x}");
        }
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < ROUND);
    }
}
