//! A slider-crank whose slider hits another slider (Nikravesh-Poursina, example 4).
//!
//! Coordinates θ₁ (crank), x₂ (slider), θ₃ (connecting rod, from the slider to the crank pin,
//! obtuse), x₄ (the struck slider), with the loop L₁ cos θ₁ − x₂ − L₃ cos θ₃ = 0,
//! L₁ sin θ₁ − L₃ sin θ₃ = 0.

use crate::linear;

/// Crank 1, slider 2, connecting rod 3, struck slider 4; 1 and 3 are slender rods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliderCrank {
    /// L₁.
    pub crank: f64,
    /// L₃.
    pub rod: f64,
    /// m₁, m₂, m₃, m₄.
    pub mass: [f64; 4],
}

impl SliderCrank {
    /// The data of the example.
    pub const PAPER: Self = Self { crank: 1.0, rod: 2.0, mass: [1.0, 1.0, 2.0, 1.0] };

    /// θ₃ = π − asin(L₁ sin θ₁ / L₃).
    pub fn rod_angle(&self, theta1: f64) -> f64 {
        std::f64::consts::PI - (self.crank * theta1.sin() / self.rod).asin()
    }

    /// sin θ₃ and cos θ₃, exact at the dead centres.
    fn rod_direction(&self, theta1: f64) -> (f64, f64) {
        let s = self.crank * theta1.sin() / self.rod;
        (s, -(1.0 - s * s).sqrt())
    }

    /// x₂ = L₁ cos θ₁ − L₃ cos θ₃.
    pub fn slider_position(&self, theta1: f64) -> f64 {
        self.crank * theta1.cos() - self.rod * self.rod_direction(theta1).1
    }

    /// M as printed.
    pub fn mass_matrix(&self, theta1: f64) -> [[f64; 4]; 4] {
        let [m1, m2, m3, m4] = self.mass;
        let coupling = -0.5 * m3 * self.rod * self.rod_direction(theta1).0;
        [
            [m1 * self.crank * self.crank / 3.0, 0.0, 0.0, 0.0],
            [0.0, m2 + m3, coupling, 0.0],
            [0.0, coupling, m3 * self.rod * self.rod / 3.0, 0.0],
            [0.0, 0.0, 0.0, m4],
        ]
    }

    /// D as printed: the rates of the two loop equations.
    pub fn closure_jacobian(&self, theta1: f64) -> [[f64; 4]; 2] {
        let (s1, c1) = theta1.sin_cos();
        let (s3, c3) = self.rod_direction(theta1);
        [[-self.crank * s1, -1.0, self.rod * s3, 0.0], [self.crank * c1, 0.0, -self.rod * c3, 0.0]]
    }

    /// d as printed: δ̇ = ẋ₂ − ẋ₄.
    pub const CONTACT: [f64; 4] = [0.0, 1.0, 0.0, -1.0];

    /// m_eff as the solution of eq. 28, the unknowns being Δv⁽ˢ⁾, Δσ⁽ˢ⁾, m_eff.
    pub fn effective_mass(&self, theta1: f64) -> f64 {
        let M = self.mass_matrix(theta1);
        let D = self.closure_jacobian(theta1);
        let mut K = [[0.0; 7]; 7];
        for i in 0..4 {
            K[i][..4].copy_from_slice(&M[i]);
            for (k, row) in D.iter().enumerate() {
                K[i][4 + k] = -row[i];
                K[4 + k][i] = row[i];
            }
            K[i][6] = -Self::CONTACT[i];
            K[6][i] = Self::CONTACT[i];
        }
        linear::solve(K, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])[6]
    }

    /// ẋ₂ and θ̇₃ for θ̇₁ = 1.
    pub fn velocity_ratios(&self, theta1: f64) -> (f64, f64) {
        let (s1, c1) = theta1.sin_cos();
        let (s3, c3) = self.rod_direction(theta1);
        let theta3_dot = self.crank * c1 / (self.rod * c3);
        (-self.crank * s1 + self.rod * s3 * theta3_dot, theta3_dot)
    }

    /// Apparent mass of the slider in closed form: the crank's reduced inertia over (dx₂/dθ₁)².
    ///
    /// Infinite at the dead centres. It has a minimum between them (fig. 10b is not monotone).
    pub fn apparent_mass(&self, theta1: f64) -> f64 {
        let (x_dot, theta3_dot) = self.velocity_ratios(theta1);
        let v = [1.0, x_dot, theta3_dot, 0.0];
        linear::form(&v, &self.mass_matrix(theta1), &v) / (x_dot * x_dot)
    }

    /// m_eff in closed form: the apparent mass against m₄ (eq. 2).
    pub fn effective_mass_in_closed_form(&self, theta1: f64) -> f64 {
        1.0 / (1.0 / self.apparent_mass(theta1) + 1.0 / self.mass[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: SliderCrank = SliderCrank::PAPER;

    #[test]
    fn the_printed_numbers_at_thirty_degrees_come_out() {
        let at = 30.0_f64.to_radians();
        assert!((PAPER.rod_angle(at).to_degrees() - 165.52).abs() < 0.005);
        assert!((PAPER.effective_mass(at) - 0.801_48).abs() < 5e-6);
        assert!((PAPER.apparent_mass(at) - 4.0372).abs() < 5e-5);
    }

    #[test]
    fn at_the_dead_centre_the_slider_is_a_wall() {
        assert!((PAPER.effective_mass(0.0) - 1.0).abs() < 1e-12);
        assert!(PAPER.apparent_mass(0.0) == f64::INFINITY);
        assert!((PAPER.effective_mass_in_closed_form(0.0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn both_routes_agree_over_the_range_of_figure_10() {
        for degrees in 0..=90 {
            let at = f64::from(degrees).to_radians();
            let difference = PAPER.effective_mass(at) - PAPER.effective_mass_in_closed_form(at);
            assert!(difference.abs() < 1e-12, "{degrees}°: {difference:e}");
        }
    }

    #[test]
    fn the_apparent_mass_has_a_minimum_before_ninety_degrees() {
        let at = |degrees: i32| PAPER.apparent_mass(f64::from(degrees).to_radians());
        let lowest = (1..=90).min_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap_or(0);
        assert!(lowest > 45 && lowest < 90, "{lowest}°");
    }
}
