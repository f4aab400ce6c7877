//! Ye, as Nikravesh-Poursina prints it: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 8 (1 − e)/(5 e).
//!
//! Source: Ye, Li, Zhu, Earthquake Eng. Struct. Dyn. 38 (2009) 1135–1142; Nikravesh-Poursina eq. 11, where it stands with Flores.
//! Another law of Ye, on a linear spring, has b = 3 (1 − e)/(2 e): take `hu-guo` with `exponent = 1` for it.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. The number of Flores under its own name.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "ye",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 8(1−e)/(5e)",
    source: "Ye, Li, Zhu 2009 (Earthq. Eng. Struct. Dyn. 38, 1135); Nikravesh-Poursina eq. 11",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "where a paper says Ye for pounding of structures; the same number as flores",
};

/// b = 8 (1 − e)/(5 e).
pub fn ratio(e: f64) -> f64 {
    super::flores::ratio(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_number_of_flores() {
        assert_eq!(ratio(1.0), 0.0);
        assert!((ratio(0.5) - 1.6).abs() < 1e-15);
    }
}
