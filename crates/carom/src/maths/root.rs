//! The root of a function of one variable, between two places where its signs differ.

use thiserror::Error;

/// Why there is no root to search.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RootError {
    /// The function has one sign at both ends.
    #[error(
        "no root is enclosed: the function is {at_low} at {low} and {at_high} at {high}, opposite signs were expected"
    )]
    NoSignChange {
        /// One end.
        low: f64,
        /// The other.
        high: f64,
        /// The function at `low`.
        at_low: f64,
        /// The function at `high`.
        at_high: f64,
    },
    /// An end that is not finite, or a value that is not a number.
    #[error("the function is {value} at {x}; a number at a finite place was expected")]
    NotANumber {
        /// The place.
        x: f64,
        /// The function there.
        value: f64,
    },
}

/// How narrow a bracket has to be: at most absolute + relative |x|.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Width {
    /// In the unit of x.
    pub absolute: f64,
    /// In parts of |x|.
    pub relative: f64,
}

impl Width {
    /// Two neighbouring floating-point numbers.
    pub const FINEST: Self = Self { absolute: 0.0, relative: 0.0 };
}

/// A narrow bracket around a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The end where the function is smaller in size.
    pub x: f64,
    /// The function there.
    pub value: f64,
    /// The other end, on the other side of the root; `x` itself if the function is zero there.
    pub other: f64,
}

/// A root of `f` between `low` and `high`, in any order, to the given width.
///
/// Inverse quadratic interpolation where it can be trusted, else bisection: T. R. Chandrupatla,
/// Advances in Engineering Software 28 (1997) 145–149. In addition a bracket that three steps did
/// not halve is bisected, so that the number of steps is at most four times that of bisection.
///
/// ```
/// use carom::maths::root::{Width, bracketed};
/// let root = bracketed(|x| x * x - 2.0, 0.0, 2.0, Width::FINEST)?;
/// assert!((root.x - 2.0_f64.sqrt()).abs() <= f64::EPSILON);
/// # Ok::<(), carom::maths::root::RootError>(())
/// ```
pub fn bracketed(
    mut f: impl FnMut(f64) -> f64,
    low: f64,
    high: f64,
    width: Width,
) -> Result<Root, RootError> {
    let (low, high) = ((low, f(low)), (high, f(high)));
    refine(f, low, high, width)
}

/// As [`bracketed`], with the function's values at the two ends already known: (x, f(x)).
pub fn refine(
    mut f: impl FnMut(f64) -> f64,
    low: (f64, f64),
    high: (f64, f64),
    width: Width,
) -> Result<Root, RootError> {
    for (x, value) in [low, high] {
        if !x.is_finite() || value.is_nan() {
            return Err(RootError::NotANumber { x, value });
        }
    }
    // a: the newest point, b: the end across the root, c: the point that was dropped.
    let ((mut b, mut fb), (mut a, mut fa)) = (low, high);
    if fa != 0.0 && fb != 0.0 && (fa > 0.0) == (fb > 0.0) {
        return Err(RootError::NoSignChange { low: b, high: a, at_low: fb, at_high: fa });
    }
    let mut fraction = 0.5;
    let mut watched = (f64::INFINITY, 0);
    loop {
        let (x, value, other) = if fa.abs() <= fb.abs() { (a, fa, b) } else { (b, fb, a) };
        if value == 0.0 {
            return Ok(Root { x, value, other: x });
        }
        // Halves, since the difference of two numbers near ±MAX would overflow.
        let half = (0.5 * b - 0.5 * a).abs();
        if half <= 0.5 * (width.absolute + width.relative * x.abs()) {
            return Ok(Root { x, value, other });
        }
        let next = match between(a, b, fraction) {
            Some(next) => next,
            None => match between(a, b, 0.5) {
                Some(middle) => middle,
                None => return Ok(Root { x, value, other }),
            },
        };
        let f_next = f(next);
        if f_next.is_nan() {
            return Err(RootError::NotANumber { x: next, value: f_next });
        }
        let (c, fc);
        if (f_next > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (next, f_next);

        let half = (0.5 * b - 0.5 * a).abs();
        if half <= 0.5 * watched.0 {
            watched = (half, 0);
        } else {
            watched.1 += 1;
        }
        fraction = if watched.1 >= 3 { 0.5 } else { interpolated((a, fa), (b, fb), (c, fc)) };
        // A step of at least half the wanted width lands across a root that is nearer than that.
        let least = 0.5 * (width.absolute + width.relative * a.abs());
        let least = (0.5 * least.max(f64::EPSILON * a.abs()) / half).min(0.5);
        fraction = fraction.clamp(least, 1.0 - least);
    }
}

/// The number at a fraction of the way from a to b, if it differs from both.
fn between(a: f64, b: f64, fraction: f64) -> Option<f64> {
    let x = a * (1.0 - fraction) + b * fraction;
    (x != a && x != b && (x > a) == (b > a)).then_some(x)
}

/// Where the inverse quadratic through three points puts the root, as a fraction from a to b;
/// one half where it is not monotone between them.
fn interpolated(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let ξ = (a.0 - b.0) / (c.0 - b.0);
    let φ = (a.1 - b.1) / (c.1 - b.1);
    // Both fail for a NaN, which infinite values of f bring.
    if φ * φ < ξ && (1.0 - φ) * (1.0 - φ) < 1.0 - ξ {
        let ratio = (c.0 - a.0) / (b.0 - a.0);
        let fraction =
            a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1) + ratio * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
        if fraction.is_finite() { fraction } else { 0.5 }
    } else {
        0.5
    }
}

#[cfg(test)]
#[path = "root_tests.rs"]
mod tests;
