//! The exact law: F = K δⁿ (1 + b δ̇/δ̇⁻), b the root of eq. (5.6), b (1+e) = ln((1+b)/(1−b e)).
//!
//! Source: the relation holds for every law of this form whatever n, m, K, δ̇⁻; it is Gonzalez et al. eq. 24 with b = d/e.
//! Symbols: K \[N/mⁿ\], δ \[m\], δ̇ \[m/s\], χ = b K/δ̇⁻ \[N s/mⁿ⁺¹\]; e, b, n without unit. Sign: δ̇ > 0 in compression, F > 0 pushes apart.
//! Range: 0 < e ≤ 1. Delivers e exactly.

use super::{Bounds, Entry, Form, Parameter, Parting};
use crate::contact::impact1d::exact_damping;

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "exact",
    form: Form::Hysteresis(ratio),
    formula: "F = K δⁿ (1 + b δ̇/δ̇⁻), b(1+e) = ln((1+b)/(1−be))",
    source: "the root of the relation that every such law obeys; Gonzalez et al. eq. 24 with b = d/e",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "whenever a restitution is known: it delivers exactly what is asked for",
};

/// b that delivers e.
pub fn ratio(e: f64) -> f64 {
    exact_damping(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_24_has_the_printed_root() {
        assert_eq!(ratio(1.0), 0.0);
        // d = b e (issue 3 names the digits).
        assert!((0.5 * ratio(0.5) - 0.716_375_266_636).abs() < 1e-12);
        for e in [1e-3, 0.05, 0.3, 0.59, 0.61, 0.9] {
            let d = e * ratio(e);
            // (1 + d/e)/(1 − d) = exp(d (1 + 1/e)), in logarithms; 1 − d is lost below e = 0.03.
            if e >= 0.05 {
                let residual = (d / e).ln_1p() - (-d).ln_1p() - d * (1.0 + 1.0 / e);
                assert!(residual.abs() < 1e-7 * d / e, "{e}: {residual}");
            }
            assert!(d > 0.0 && d <= 1.0, "{e}: {d}");
        }
    }
}
