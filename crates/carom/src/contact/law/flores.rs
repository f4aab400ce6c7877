//! Flores: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 8 (1 − e)/(5 e).
//!
//! Source: Flores, Machado, Silva, Martins, Multibody Syst. Dyn. 25 (2011) 357–375; Nikravesh-Poursina eq. 11, Moreira et al. eqs. 16, 17.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. For hard and soft contacts; it loses a little too much, 1/15 of the loss near e = 1.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "flores",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 8(1−e)/(5e)",
    source: "Flores et al. 2011 (Multibody Syst. Dyn. 25, 357); Moreira et al. eq. 17",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "hard and soft contacts alike, if an explicit formula is wanted; it loses a little too much",
};

/// b = 8 (1 − e)/(5 e).
pub fn ratio(e: f64) -> f64 {
    1.6 * (1.0 - e) / e
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_formula() {
        assert_eq!(ratio(1.0), 0.0);
        assert_eq!(ratio(0.5), 1.6);
        assert!((ratio(0.2) - 6.4).abs() < 1e-14);
    }
}
