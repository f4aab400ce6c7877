//! Herbert–McWhannell: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 6 (1 − e)/((2e − 1)² + 3).
//!
//! Source: Herbert, McWhannell, J. Eng. Ind. 99 (1977) 513–518.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 ≤ e ≤ 1. It never returns less than 0.48.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "herbert-mcwhannell",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 6(1−e)/((2e−1)²+3)",
    source: "Herbert, McWhannell 1977 (J. Eng. Ind. 99, 513)",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "only to compare with work that used it; it returns too much below e = 0.8",
};

/// b = 6 (1 − e)/((2e − 1)² + 3).
pub fn ratio(e: f64) -> f64 {
    6.0 * (1.0 - e) / ((2.0 * e - 1.0).powi(2) + 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_formula() {
        assert_eq!(ratio(1.0), 0.0);
        assert_eq!(ratio(0.0), 1.5);
        assert_eq!(ratio(0.5), 1.0);
    }
}
