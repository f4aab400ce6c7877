//! Anagnostopoulos: F = K δ + c δ̇ with c = 2ζ√(K m_eff), ζ = −ln e/√(π² + ln² e).
//!
//! Source: Anagnostopoulos, Earthquake Eng. Struct. Dyn. 16 (1988) 443–456. Symbols: K \[N/m\], c \[N s/m\], e, ζ without
//! unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart. Range: 0 < e ≤ 1; n is 1. The formula is that of a damped half
//! wave: it delivers e on parting at zero indentation, and so pulls at the end. Parted at zero force it returns more. Choose it
//! to compare with studies of pounding buildings.

use super::{Bounds, Entry, Form, LawError, Parameter, Parting};
use crate::contact::impact1d::oscillator::ratio_by_indentation;

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "anagnostopoulos",
    form: Form::LinearDamping(ratio),
    formula: "F = K δ + c δ̇, c = 2ζ√(K m_eff), ζ = −ln e/√(π²+ln²e)",
    source: "Anagnostopoulos 1988 (Earthq. Eng. Struct. Dyn. 16, 443)",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::only(1.0, "1: the law is linear"), 1.0)),
    parting: Parting::ZeroIndentation,
    choose: "pounding of buildings, where the linear law is customary; it pulls before it parts",
};

/// κ = 2ζ: c = κ √(K m_eff).
pub fn ratio(e: f64, _n: f64) -> Result<f64, LawError> {
    Ok(2.0 * ratio_by_indentation(e))
}
