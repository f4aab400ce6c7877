//! Lee–Wang: F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3 (1 − e)/4.
//!
//! Source: Lee, Wang, J. Mech. Transm. Autom. Des. 105 (1983) 534–540.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 ≤ e ≤ 1. Half the damping of Hunt and Crossley: it loses half of what is asked for even near e = 1.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "lee-wang",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = 3(1−e)/4",
    source: "Lee, Wang 1983 (J. Mech. Transm. Autom. Des. 105, 534)",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "only to compare with work that used it; it loses about half of the energy asked for, also near e = 1",
};

/// b = 3 (1 − e)/4.
pub fn ratio(e: f64) -> f64 {
    0.75 * (1.0 - e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_half_of_hunt_and_crossley() {
        assert_eq!(ratio(1.0), 0.0);
        assert_eq!(2.0 * ratio(0.3), super::super::hunt_crossley::ratio(0.3));
    }
}
