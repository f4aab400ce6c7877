//! The greatest value of a smooth function on an interval.

/// Nowhere on an interval does a smooth function of one hump ask for more evaluations.
const MOST_EVALUATIONS: usize = 60;
/// The smaller part of the golden section.
const GOLDEN: f64 = 0.381_966_011_250_105_1;
/// Places between the ends at which a polynomial is tried.
const TRIED: u32 = 32;

/// Where a function of one hump is greatest between `low` and `high`, and its value there.
///
/// Parabolas through the three best places, golden sections where these do not help (R. P. Brent, *Algorithms for Minimization
/// without Derivatives*, 1973, chapter 5). It ends when the place is known to `width`; the value is then known to its square.
pub fn maximum(mut f: impl FnMut(f64) -> f64, [low, high]: [f64; 2], width: f64) -> (f64, f64) {
    let (mut a, mut b) = (low.min(high), low.max(high));
    let mut x = a + GOLDEN * (b - a);
    let mut fx = f(x);
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let (mut step, mut last): (f64, f64) = (0.0, 0.0);
    for _ in 1..MOST_EVALUATIONS {
        let middle = 0.5 * (a + b);
        let least = width.abs().max(f64::EPSILON * x.abs());
        if (x - middle).abs() <= 2.0 * least - 0.5 * (b - a) {
            break;
        }
        let before = last;
        last = step;
        match vertex([(x, fx), (w, fw), (v, fv)]) {
            // A parabola is trusted while its steps shrink by half every second time.
            Some(to) if to > a && to < b && (to - x).abs() < 0.5 * before.abs() => {
                step = to - x;
                if to - a < 2.0 * least || b - to < 2.0 * least {
                    step = least.copysign(middle - x);
                }
            }
            _ => {
                last = if x < middle { b - x } else { a - x };
                step = GOLDEN * last;
            }
        }
        let u = x + if step.abs() >= least { step } else { least.copysign(step) };
        let fu = f(u);
        if fu >= fx {
            if u < x {
                b = x;
            } else {
                a = x;
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu >= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu >= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    (x, fx)
}

/// The vertex of the parabola through three points.
fn vertex([(x, fx), (w, fw), (v, fv)]: [(f64, f64); 3]) -> Option<f64> {
    let r = (x - w) * (fx - fv);
    let q = (x - v) * (fx - fw);
    let (top, bottom) = ((x - v) * q - (x - w) * r, 2.0 * (q - r));
    let to = x - top / bottom;
    to.is_finite().then_some(to)
}

/// Where the polynomial through values at 0, ¼, ½, ¾, 1 is greatest on that interval, and its value there.
pub fn summit(values: &[f64; 5]) -> (f64, f64) {
    let differences = differences(values);
    let at = |x: f64| quartic(&differences, x);
    let mut best = (0.0, values[0]);
    for k in 1..=TRIED {
        let x = f64::from(k) / f64::from(TRIED);
        let value = at(x);
        if value > best.1 {
            best = (x, value);
        }
    }
    if best.0 == 0.0 || best.0 == 1.0 {
        return best;
    }
    let beside = 1.0 / f64::from(TRIED);
    let found = maximum(at, [best.0 - beside, best.0 + beside], 1e-6);
    if found.1 > best.1 { found } else { best }
}

/// Newton's forward differences of equidistant values.
fn differences(values: &[f64; 5]) -> [f64; 5] {
    let mut out = *values;
    for order in 1..5 {
        for k in (order..5).rev() {
            out[k] -= out[k - 1];
        }
    }
    out
}

/// The polynomial of these differences, from 0 to 1.
fn quartic([a, b, c, d, e]: &[f64; 5], x: f64) -> f64 {
    let s = 4.0 * x;
    a + s * (b + (s - 1.0) / 2.0 * (c + (s - 2.0) / 3.0 * (d + (s - 3.0) / 4.0 * e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place to 1e-7 gives the value to its square.
    const WIDTH: f64 = 1e-7;

    #[test]
    fn the_top_of_a_sine_is_found_in_a_few_evaluations() {
        let mut count = 0;
        let f = |x: f64| {
            count += 1;
            x.sin()
        };
        let (x, top) = maximum(f, [1.0, 2.3], WIDTH);
        assert!((x - std::f64::consts::FRAC_PI_2).abs() < 2.0 * WIDTH, "{x}");
        assert!((top - 1.0).abs() < 1e-13, "{top}");
        assert!(count < 15, "{count}");
    }

    #[test]
    fn a_function_that_rises_is_greatest_at_the_end() {
        let (x, top) = maximum(f64::exp, [0.0, 1.0], WIDTH);
        assert!((x - 1.0).abs() < 4.0 * WIDTH && (top - 1.0_f64.exp()).abs() < 2e-6, "{x} {top}");
    }

    #[test]
    fn a_function_that_is_no_number_ends() {
        let (_, top) = maximum(|_| f64::NAN, [0.0, 1.0], WIDTH);
        assert!(top.is_nan());
    }

    #[test]
    fn a_quartic_is_followed_exactly() {
        // −(x − 0.3)² (1 + x²): greatest at 0.3, where it is zero.
        let f = |x: f64| -(x - 0.3) * (x - 0.3) * (1.0 + x * x);
        let (x, top) = summit(&[0.0, 0.25, 0.5, 0.75, 1.0].map(f));
        assert!((x - 0.3).abs() < 1e-5 && top.abs() < 1e-9, "{x} {top}");
        let rising = [0.0, 0.1, 0.4, 0.9, 1.6];
        assert_eq!(summit(&rising), (1.0, 1.6));
        assert_eq!(summit(&[2.0, 1.0, 0.5, 0.2, 0.1]).0, 0.0);
    }
}
