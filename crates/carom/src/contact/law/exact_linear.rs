//! Exact with a linear damper: F = K δⁿ + c δ̇ with the c that delivers e on parting at zero force.
//!
//! Source: eqs. (5.3) and (5.7), Nikravesh-Poursina eq. 6; c = κ (K (δ̇⁻)ⁿ⁻¹ m_effⁿ)^{1/(n+1)} with κ(e, n) solved, not fitted as in eqs. 12, 13. At n = 1 it is
//! 2ζ acos ζ/√(1−ζ²) = −ln e with κ = 2ζ. Symbols: K \[N/mⁿ\], c \[N s/m\]. Sign: δ̇ > 0 in compression, F > 0 pushes apart. Range:
//! 1e-6 ≤ e ≤ 1, 0 < n ≤ 20. Choose it for a linear damper with a known restitution.

use super::{Bounds, Entry, Form, LawError, Parameter, Parting};
use crate::contact::impact1d::linear_ratio;

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "exact-linear",
    form: Form::LinearDamping(ratio),
    formula: "F = K δⁿ + c δ̇, c = κ (K (δ̇⁻)ⁿ⁻¹ m_effⁿ)^(1/(n+1)), κ(e, n) solved",
    source: "Nikravesh-Poursina eq. 6 with the κ that delivers e at zero force, solved by integration",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds {
        low: 1e-6,
        low_inside: true,
        high: 1.0,
        text: "in the law's range 1e-6 ≤ e ≤ 1",
    }),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "a linear damper with a known restitution: it delivers exactly what is asked for",
};

/// κ that delivers e.
pub fn ratio(e: f64, n: f64) -> Result<f64, LawError> {
    linear_ratio(e, n, Parting::ZeroForce)
}
