//! The stiffness of an impact and the exponent that goes with it.
//!
//! Here is the place for further sources of a stiffness, such as two materials and two radii.

use carom::maths::units::{Dimension, Measure};

use super::quantity::{measured, number};
use crate::args::Impact;

/// Digits of an exponent that a unit keeps: 1 − (1 − 1.2) is 1.2 to round-off.
const UNIT_DIGITS: f64 = 1e12;

/// K and n as far as they are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elasticity {
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n, as given or as the unit of K says.
    pub exponent: Option<f64>,
}

/// Reads `--stiffness` and `--exponent`; the unit of the one fixes the other.
pub(super) fn elasticity(given: &Impact) -> Result<Elasticity, String> {
    let exponent = given.exponent.as_deref().map(|text| number("--exponent", text)).transpose()?;
    let Some(text) = given.stiffness.as_deref() else {
        return Ok(Elasticity { stiffness: None, exponent });
    };
    let (stiffness, measure) = measured("--stiffness", text)?;
    let Measure::Known(found) = measure else {
        return Ok(Elasticity { stiffness: Some(stiffness), exponent });
    };
    // kg m^(1 − n) s⁻²
    let n = ((1.0 - found.length) * UNIT_DIGITS).round() / UNIT_DIGITS;
    if found.check(Dimension::FORCE.per(Dimension::LENGTH.power(n))).is_err() || !(n > 0.0) {
        return Err(format!(
            "--stiffness \"{text}\": a value in [{found}] stands where a stiffness is expected, in N/m^n"
        ));
    }
    if let Some(written) = exponent
        && (written - n).abs() > 1e-9
    {
        return Err(format!(
            "--stiffness \"{text}\" is in N/m^{n} and so has the exponent {n}; --exponent says {written}"
        ));
    }
    Ok(Elasticity { stiffness: Some(stiffness), exponent: exponent.or(Some(n)) })
}
