//! Kelvin–Voigt: F = K δ + c δ̇.
//!
//! Source: Moreira et al. eq. 6. Symbols: K \[N/m\], c \[N s/m\], δ \[m\], δ̇ \[m/s\]. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: K > 0, c ≥ 0; n is 1. With ζ = c/(2√(K m_eff)) it delivers e = exp(−2ζ acos ζ/√(1−ζ²)) on parting at zero force and
//! exp(−πζ/√(1−ζ²)) at zero indentation, which is how Moreira et al. fig. 3 is drawn and never comes for ζ ≥ 1. The force jumps to
//! c δ̇⁻ at the onset. Choose it where spring and damper are real parts.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "kelvin-voigt",
    form: Form::Viscous,
    formula: "F = K δ + c δ̇",
    source: "Kelvin, Voigt; Moreira et al. eq. 6",
    parameters: &[Parameter::Stiffness, Parameter::Exponent, Parameter::Damping],
    restitution: None,
    exponent: Some((Bounds::only(1.0, "1: the law is linear"), 1.0)),
    parting: Parting::ZeroForce,
    choose: "a buffer whose spring and damper are real parts; the force jumps at the onset",
};
