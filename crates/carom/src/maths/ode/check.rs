//! What every integrator demands of its arguments, and how a step fits before its limit.

use super::{OdeError, Tolerance};

/// A step that comes this near to the limit is stretched to it, lest a sliver remain.
const STRETCH: f64 = 1.01;

pub(super) fn same_size<E>(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), OdeError<E>> {
    if found == expected { Ok(()) } else { Err(OdeError::WrongSize { what, found, expected }) }
}

pub(super) fn demand<E>(
    what: &'static str,
    found: f64,
    holds: bool,
    expected: &'static str,
) -> Result<(), OdeError<E>> {
    if holds { Ok(()) } else { Err(OdeError::OutOfRange { what, found, expected }) }
}

/// The arguments of a start, for n components.
pub(super) fn start(
    n: usize,
    t: f64,
    y: &[f64],
    first_step: f64,
    tolerance: Tolerance<'_>,
) -> Result<(), OdeError> {
    state(n, y)?;
    same_size("the absolute tolerance", tolerance.absolute.len(), n)?;
    demand("the time", t, t.is_finite(), "a finite one")?;
    let usable = first_step.is_finite() && first_step != 0.0;
    demand("the first step", first_step, usable, "a finite one other than zero")?;
    let relative = tolerance.relative;
    let usable = relative.is_finite() && relative >= 0.0;
    demand("the relative tolerance", relative, usable, "a finite one, not negative")?;
    for &a in tolerance.absolute {
        demand("an absolute tolerance", a, a.is_finite() && a > 0.0, "a finite positive one")?;
    }
    Ok(())
}

/// A state of n components.
pub(super) fn state<E>(n: usize, y: &[f64]) -> Result<(), OdeError<E>> {
    same_size("the state", y.len(), n)?;
    for &y in y {
        demand("an entry of the state", y, y.is_finite(), "a finite one")?;
    }
    Ok(())
}

/// How far the limit is; the next step is zero before the start.
pub(super) fn room<E>(next: f64, t: f64, limit: f64) -> Result<f64, OdeError<E>> {
    if next == 0.0 {
        return Err(OdeError::NotReady { missing: "start" });
    }
    let room = limit - t;
    let ahead = room.is_finite() && room != 0.0 && (room > 0.0) == (next > 0.0);
    demand("the limit of a step", limit, ahead, "a finite time ahead")?;
    Ok(room)
}

/// The length and the end of a step of wanted length h; none if time cannot resolve it.
pub(super) fn fit(t: f64, h: f64, room: f64, limit: f64) -> Option<(f64, f64)> {
    if STRETCH * h.abs() >= room.abs() {
        return Some((room, limit));
    }
    (t + 0.1 * h != t && h.is_normal()).then_some((h, t + h))
}

/// The length of a step that is taken again.
pub(super) fn length<E>(h: f64) -> Result<(), OdeError<E>> {
    let usable = h.is_finite() && h != 0.0;
    demand("the length of a step", h, usable, "a finite one other than zero")
}

/// Where a time lies in the step from t_old to t_end of length h, from 0 to 1.
pub(super) fn fraction<E>(t: f64, t_old: f64, t_end: f64, h: f64) -> Result<f64, OdeError<E>> {
    let inside = t_old.min(t_end) <= t && t <= t_old.max(t_end);
    demand("the time of an interpolation", t, inside, "a time within the last step")?;
    // The end may differ from t_old + h by rounding.
    Ok(if t == t_end { 1.0 } else { (t - t_old) / h })
}
