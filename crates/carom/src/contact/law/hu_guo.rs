//! Hu–Guo: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3 (1 − e)/(2 e).
//!
//! Source: Hu, Guo, Multibody Syst. Dyn. 35 (2015) 131–151; Nikravesh-Poursina eq. 10.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. Right to first order at e = 1, and within 0.035 everywhere.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "hu-guo",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3(1−e)/(2e)",
    source: "Hu, Guo 2015 (Multibody Syst. Dyn. 35, 131); Nikravesh-Poursina eq. 10",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "a simple formula for the whole range of e, best above 0.6; within 0.035 of what is asked for",
};

/// b = 3 (1 − e)/(2 e).
pub fn ratio(e: f64) -> f64 {
    1.5 * (1.0 - e) / e
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exact_damping_to_first_order() {
        assert_eq!(ratio(1.0), 0.0);
        let exact = super::super::exact::ratio(0.999);
        assert!((ratio(0.999) / exact - 1.0).abs() < 2e-3);
        assert_eq!(ratio(0.5), 1.5);
    }
}
