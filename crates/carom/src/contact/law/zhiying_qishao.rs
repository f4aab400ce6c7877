//! Zhiying–Qishao: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3 (1 − e²) exp(2 (1 − e))/4.
//!
//! Source: Qin Zhiying, Lu Qishao, J. Dyn. Control 4 (2006) 294–298.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 ≤ e ≤ 1. Close for e above 0.4; it never returns less than 0.18.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "zhiying-qishao",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3(1−e²)·exp(2(1−e))/4",
    source: "Zhiying, Qishao 2006 (J. Dyn. Control 4, 294)",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "an explicit formula for e above 0.4; exact is as easy and right everywhere",
};

/// b = 3 (1 − e²) exp(2 (1 − e))/4.
pub fn ratio(e: f64) -> f64 {
    0.75 * (1.0 - e) * (1.0 + e) * (2.0 * (1.0 - e)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_formula() {
        assert_eq!(ratio(1.0), 0.0);
        assert_eq!(ratio(0.0), 0.75 * 2.0_f64.exp());
        assert!((ratio(0.5) - 0.5625 * std::f64::consts::E).abs() < 1e-15);
    }
}
