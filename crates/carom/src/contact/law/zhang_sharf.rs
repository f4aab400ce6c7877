//! Zhang–Sharf: F = K δⁿ (1 + b δ̇/δ̇⁻), b the root of b (1+e) = ln((1+b)/(1−b e)).
//!
//! Source: Zhang, Sharf, J. Appl. Mech. 76 (2009) 051002: the same root by another way.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. The exact law under another name of the literature.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "zhang-sharf",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b(1+e) = ln((1+b)/(1−be))",
    source: "Zhang, Sharf 2009 (J. Appl. Mech. 76, 051002)",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "the same as exact, by the name of its paper",
};

/// b that delivers e.
pub fn ratio(e: f64) -> f64 {
    super::exact::ratio(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves_the_relation() {
        assert_eq!(ratio(1.0), 0.0);
        let (e, b) = (0.4, ratio(0.4));
        assert!((b * (1.0 + e) - ((1.0 + b) / (1.0 - b * e)).ln()).abs() < 1e-13);
    }
}
