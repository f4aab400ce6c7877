//! Gonthier's approximation: F = K δⁿ (1 + b δ̇/δ̇⁻), b = (1 − e²)/e.
//!
//! Source: Gonthier, McPhee, Lange, Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209–233: d ≈ 1 − e² in Gonzalez et al. eq. 24, b = d/e.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. Good for e below 0.4; near e = 1 it loses a third more than asked for.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "gonthier-approximate",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = (1−e²)/e",
    source: "Gonthier et al. 2004 (Multibody Syst. Dyn. 11, 209), d ≈ 1 − e²",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "an explicit formula for soft contacts, e below 0.4; near e = 1 it loses a third too much",
};

/// b = (1 − e²)/e.
pub fn ratio(e: f64) -> f64 {
    (1.0 - e) * (1.0 + e) / e
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_nears_the_exact_damping_for_small_restitution() {
        assert_eq!(ratio(1.0), 0.0);
        let exact = super::super::exact::ratio(0.05);
        assert!((ratio(0.05) / exact - 1.0).abs() < 3e-3);
    }
}
