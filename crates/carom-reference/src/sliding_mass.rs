//! Two spheres, one of which carries a sliding mass (Nikravesh-Poursina, example 2).

use crate::linear;

/// m_eff = m₁ m₂ (m₂+m₃) / (m₂ (m₂+m₃) + m₁ (m₂ + m₃ cos²θ)) (Nikravesh-Poursina eq. 41).
///
/// Masses 1 and 2 collide; 3 slides on 2 along a line at the angle `theta` to the normal.
pub fn effective_mass(m1: f64, m2: f64, m3: f64, theta: f64) -> f64 {
    let c = theta.cos();
    m1 * m2 * (m2 + m3) / (m2 * (m2 + m3) + m1 * (m2 + m3 * c * c))
}

/// Apparent mass of body 2 with its slider: m₂ (m₂+m₃) / (m₂ + m₃ cos²θ), eq. 41 for m₁ → ∞.
pub fn apparent_mass(m2: f64, m3: f64, theta: f64) -> f64 {
    let c = theta.cos();
    m2 * (m2 + m3) / (m2 + m3 * c * c)
}

/// The same through eq. 39 with M_dof and b as the example writes them (ṙ₁, ṙ₂, ḋ; n = x).
pub fn effective_mass_by_matrix(m1: f64, m2: f64, m3: f64, theta: f64) -> f64 {
    let (s, c) = theta.sin_cos();
    let m = m2 + m3;
    let M = [
        [m1, 0.0, 0.0, 0.0, 0.0],
        [0.0, m1, 0.0, 0.0, 0.0],
        [0.0, 0.0, m, 0.0, m3 * c],
        [0.0, 0.0, 0.0, m, m3 * s],
        [0.0, 0.0, m3 * c, m3 * s, m3],
    ];
    linear::effective_mass(&M, &[1.0, 0.0, -1.0, 0.0, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn the_limits_of_the_example_come_out() {
        let (m1, m2, m3) = (1.3, 0.7, 2.1);
        let all = m1 * (m2 + m3) / (m1 + m2 + m3);
        assert!((effective_mass(m1, m2, m3, FRAC_PI_2) - all).abs() < 1e-15);
        assert!((effective_mass(m1, m2, m3, 0.0) - m1 * m2 / (m1 + m2)).abs() < 1e-15);
    }

    #[test]
    fn closed_form_matrix_and_apparent_mass_agree() {
        let (m1, m2, m3) = (1.3, 0.7, 2.1);
        for k in 0..=18 {
            let theta = f64::from(k) * FRAC_PI_2 / 9.0;
            let m_eff = effective_mass(m1, m2, m3, theta);
            assert!((m_eff - effective_mass_by_matrix(m1, m2, m3, theta)).abs() < 1e-14);
            let app = apparent_mass(m2, m3, theta);
            assert!((m_eff - m1 * app / (m1 + app)).abs() < 1e-14);
        }
    }
}
