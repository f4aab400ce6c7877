//! The inverse of what a linear damper delivers.

use super::{Factors, Oscillator};
use crate::contact::law::{LawError, Parting, unit_impact};
use crate::maths::root::{Width, bracketed};

/// The law that errors name.
const LAW: &str = "exact-linear";

/// κ of F = K δⁿ + c δ̇, c = κ (K (δ̇⁻)ⁿ⁻¹ mⁿ)^{1/(n+1)} of eq. (5.7), that delivers the restitution e with that rule of parting.
///
/// 1e-9 ≤ e ≤ 1 and n > 0; found by integration to the last digits, so it takes some milliseconds for n ≠ 1.
pub fn linear_ratio(e: f64, n: f64, parting: Parting) -> Result<f64, LawError> {
    // Below, the speed after the impact drowns in the errors of the integration.
    if !(1e-9..=1.0).contains(&e) {
        let (what, expected) = ("restitution", "in the range 1e-9 ≤ e ≤ 1");
        return Err(LawError::OutOfRange { law: LAW, what, found: e, expected });
    }
    if !(n > 0.0 && n.is_finite()) {
        let (what, expected) = ("exponent", "a positive finite exponent");
        return Err(LawError::OutOfRange { law: LAW, what, found: n, expected });
    }
    if e == 1.0 {
        return Ok(0.0);
    }
    // What κ delivers falls from 1 at κ = 0 to 0.
    let mut high = 1.0;
    while restitution(high, n, parting)? > e {
        high *= 2.0;
    }
    let mut failed = None;
    let width = Width { absolute: 0.0, relative: 4.0 * f64::EPSILON };
    let surplus = |kappa: f64| match restitution(kappa, n, parting) {
        Ok(found) => found - e,
        Err(error) => {
            failed = Some(error);
            f64::NAN
        }
    };
    let low = if high > 1.0 { 0.5 * high } else { 0.0 };
    match bracketed(surplus, low, high, width) {
        Ok(root) => Ok(root.x),
        Err(_) => Err(failed.unwrap_or(LawError::OutOfRange {
            law: LAW,
            what: "restitution",
            found: e,
            expected: "a restitution that some damping delivers",
        })),
    }
}

/// e delivered by κ.
fn restitution(kappa: f64, n: f64, parting: Parting) -> Result<f64, LawError> {
    let of = |factors: &Factors| factors.restitution;
    if kappa == 0.0 {
        return Ok(1.0);
    }
    if n == 1.0 {
        return Ok(of(Oscillator::new(0.5 * kappa, parting).factors()));
    }
    Ok(of(unit_impact(LAW, kappa, n, parting)?.factors()))
}
