//! Poursina–Nikravesh for other exponents: F = K δⁿ + c δ̇ with c = α (e^β − 1) (K (δ̇⁻)ⁿ⁻¹ m_effⁿ)^{1/(n+1)}.
//!
//! α = 0.3331 n⁴ − 1.49 n³ + 3.077 n² − 2.306 n + 1.794, β = 1.285 n^{0.2533} − 1.725.
//!
//! Source: Poursina, Nikravesh 2020 (Multibody Syst. Dyn. 50, 169–188), as Nikravesh-Poursina eqs. 6, 13 print it (whose m is m_eff and (−δ̇) is δ̇⁻).
//! Symbols and sign as in [`super::poursina_nikravesh`]. Range: 0 < e ≤ 1, 1 ≤ n ≤ 2: the polynomial is useless beyond. At
//! n = 3/2 it gives α = 1.9158, not the 1.95 of eq. 12: take `poursina-nikravesh` there. Fitted for parting at zero force.

use super::{Bounds, Entry, Form, LawError, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "poursina-nikravesh-general",
    form: Form::LinearDamping(ratio),
    formula: "F = K δⁿ + c δ̇, c = α (e^β − 1) (K (δ̇⁻)ⁿ⁻¹ m_effⁿ)^(1/(n+1)), α(n), β(n)",
    source: "Poursina, Nikravesh 2020 (Multibody Syst. Dyn. 50, 169); Nikravesh-Poursina eqs. 6, 13",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((
        Bounds { low: 1.0, low_inside: true, high: 2.0, text: "in the law's range 1 ≤ n ≤ 2" },
        1.5,
    )),
    parting: Parting::ZeroForce,
    choose: "as poursina-nikravesh with 1 ≤ n ≤ 2; exact-linear delivers e more closely",
};

/// κ = α (e^β − 1) of Nikravesh-Poursina eq. 13.
pub fn ratio(e: f64, n: f64) -> Result<f64, LawError> {
    let alpha = (((0.3331 * n - 1.49) * n + 3.077) * n - 2.306) * n + 1.794;
    let beta = 1.285 * n.powf(0.2533) - 1.725;
    Ok(alpha * (beta * e.ln()).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_three_halves_it_has_the_numbers_of_the_printed_polynomials() {
        // α = 1.9158, β = −0.3010.
        let (alpha, beta) = (1.9158, -301.0e-3);
        let kappa = ratio(0.5, 1.5).unwrap();
        assert!((kappa - alpha * (0.5_f64.powf(beta) - 1.0)).abs() < 1e-4, "{kappa}");
    }
}
