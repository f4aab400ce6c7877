//! Hunt–Crossley: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3 (1 − e)/2.
//!
//! Source: Hunt, Crossley, J. Appl. Mech. 42 (1975) 440–445; Moreira et al. eqs. 9, 10, Gonzalez et al. eq. 26.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 ≤ e ≤ 1. Derived for e near 1, where it is right to first order; it returns too much below.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "hunt-crossley",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3(1−e)/2",
    source: "Hunt, Crossley 1975 (J. Appl. Mech. 42, 440); Moreira et al. eq. 10",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "e above 0.9, or to compare with older work: it was derived for little loss and returns too much below",
};

/// b = 3 (1 − e)/2.
pub fn ratio(e: f64) -> f64 {
    1.5 * (1.0 - e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exact_damping_to_first_order() {
        assert_eq!(ratio(1.0), 0.0);
        // b = 3/2 (1 − e) + …: the exact law departs from it with the square of 1 − e.
        let exact = super::super::exact::ratio(0.999);
        assert!((ratio(0.999) / exact - 1.0).abs() < 2e-3);
    }
}
