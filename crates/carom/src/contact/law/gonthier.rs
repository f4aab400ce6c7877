//! Gonthier: F = K δⁿ (1 + b δ̇/δ̇⁻), b = d/e with (1 + d/e)/(1 − d) = exp(d (1 + 1/e)).
//!
//! Source: Gonthier, McPhee, Lange, Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209–233; Gonzalez et al. eqs. 22–24.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. The exact law under the name of the first who published it.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "gonthier",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b = d/e, (1+d/e)/(1−d) = exp(d(1+1/e))",
    source: "Gonthier et al. 2004 (Multibody Syst. Dyn. 11, 209); Gonzalez et al. eqs. 22–24",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "the same as exact, by the name of its paper",
};

/// b = d/e.
pub fn ratio(e: f64) -> f64 {
    super::exact::ratio(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves_its_own_equation() {
        assert_eq!(ratio(1.0), 0.0);
        let e = 0.7;
        let d = e * ratio(e);
        let sides = ((1.0 + d / e) / (1.0 - d), (d * (1.0 + 1.0 / e)).exp());
        assert!((sides.0 / sides.1 - 1.0).abs() < 1e-13, "{sides:?}");
    }
}
