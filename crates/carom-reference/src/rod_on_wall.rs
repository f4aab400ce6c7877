//! A slender pendulum whose tip hits a vertical wall (Nikravesh-Poursina, example 1).

/// m_eff = m / (3 cos²θ) (Nikravesh-Poursina eq. 40).
///
/// `theta` is the angle of the rod from the vertical, so that the tip moves along the wall's
/// normal at θ = 0. At θ = 90° the tip cannot move along the normal and the mass is infinite.
pub fn effective_mass(m: f64, theta: f64) -> f64 {
    let c = theta.cos();
    m / (3.0 * c * c)
}

/// T_c = ½ m_eff (L θ̇ cos θ)² = ½ (m L²/3) θ̇²: with one degree of freedom all of T is in the impact.
pub fn effective_energy(m: f64, length: f64, theta: f64, theta_dot: f64) -> f64 {
    let u = length * theta_dot * theta.cos();
    0.5 * effective_mass(m, theta) * u * u
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertical_rod_counts_a_third_and_a_horizontal_one_without_bound() {
        assert!((effective_mass(2.0, 0.0) - 2.0 / 3.0).abs() < 1e-15);
        assert!(effective_mass(2.0, std::f64::consts::FRAC_PI_2) > 1e30);
    }

    #[test]
    fn the_effective_energy_is_the_kinetic_energy() {
        let (m, length, rate) = (2.0, 1.5, 0.7);
        let T = 0.5 * (m * length * length / 3.0) * rate * rate;
        assert!((effective_energy(m, length, 0.4, rate) - T).abs() < 1e-14);
    }
}
