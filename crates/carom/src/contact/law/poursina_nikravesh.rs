//! Poursina–Nikravesh: F = K δ^{3/2} + c δ̇ with c = 1.95 (e^{−0.3} − 1) K^{0.4} (δ̇⁻)^{0.2} m_eff^{0.6}.
//!
//! Source: Poursina, Nikravesh 2020, as Nikravesh-Poursina eqs. 6, 12 (whose (−δ̇) is δ̇⁻). Symbols: K \[N/m^{3/2}\], c \[N s/m\], δ̇⁻ \[m/s\],
//! m_eff \[kg\]. Sign: δ̇ > 0 in compression, F > 0 pushes apart. Range: 0 < e ≤ 1, n = 3/2. Fitted for parting at zero
//! force while δ > 0. Choose it where bodies are seen to part before the dent is gone, as they do in experiments (Nikravesh-Poursina, 2).

use super::{Bounds, Entry, Form, LawError, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "poursina-nikravesh",
    form: Form::LinearDamping(ratio),
    formula: "F = K δ^1.5 + c δ̇, c = 1.95 (e^−0.3 − 1) K^0.4 (δ̇⁻)^0.2 m_eff^0.6",
    source: "Poursina, Nikravesh 2020 (J. Comput. Nonlinear Dyn. 15); Nikravesh-Poursina eqs. 6, 12",
    parameters: Parameter::DAMPED,
    restitution: Some(Bounds::POSITIVE_RESTITUTION),
    exponent: Some((Bounds::only(1.5, "1.5: the formula was fitted for it"), 1.5)),
    parting: Parting::ZeroForce,
    choose: "bodies that part before the dent is gone; the force jumps at the onset",
};

/// κ of Nikravesh-Poursina eq. 12: the powers of K, δ̇⁻ and m_eff are those of every such law at n = 3/2.
pub fn ratio(e: f64, _n: f64) -> Result<f64, LawError> {
    // e^{−0.3} − 1 without cancellation near e = 1.
    Ok(1.95 * (-0.3 * e.ln()).exp_m1())
}

#[cfg(test)]
mod tests {
    use crate::contact::law::Settings;

    #[test]
    fn the_coefficient_is_that_of_equation_12() {
        let (K, e, v, m) = (2.4e10_f64, 0.8_f64, 0.5_f64, 2.0_f64);
        let settings = Settings { stiffness: Some(K), restitution: Some(e), ..Settings::default() };
        let law = super::ENTRY.make(&settings).unwrap();
        let printed = 1.95 * (e.powf(-0.3) - 1.0) * K.powf(0.4) * v.powf(0.2) * m.powf(0.6);
        assert!((law.onset(m, v).unwrap().damping / printed - 1.0).abs() < 1e-13);
    }
}
