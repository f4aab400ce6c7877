//! Lankarani–Nikravesh: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3 (1 − e²)/4.
//!
//! Source: Lankarani, Nikravesh, J. Mech. Des. 112 (1990) 369–376; Nikravesh-Poursina eq. 9, Moreira et al. eqs. 11, 12, Gonzalez et al. eq. 27.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 ≤ e ≤ 1. Derived for e near 1; it never returns less than 0.66.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "lankarani-nikravesh",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3(1−e²)/4",
    source: "Lankarani, Nikravesh 1990 (J. Mech. Des. 112, 369); Nikravesh-Poursina eq. 9",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "e above 0.9, the most widely used law for metals; it returns too much below",
};

/// b = 3 (1 − e²)/4.
pub fn ratio(e: f64) -> f64 {
    0.75 * (1.0 - e) * (1.0 + e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_formula() {
        assert_eq!(ratio(1.0), 0.0);
        assert_eq!(ratio(0.0), 0.75);
        assert_eq!(ratio(0.5), 0.5625);
    }
}
