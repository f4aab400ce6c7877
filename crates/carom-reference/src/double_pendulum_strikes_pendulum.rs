//! The tip of a double pendulum strikes the side of a pendulum (Nikravesh-Poursina, example 3).
//!
//! The figure is lost. P₂ lies on link 3 with the printed θ₃ = 18.12° and d = 1.65 exactly if the
//! pivot C of link 3 is at the height of the double pendulum's pivot and a distance a towards +x,
//! angles being counted from the downward vertical, counter-clockwise. Since θ₃ and d follow from
//! θ₁, θ₂ they are computed, not typed in: with the rounded values m_eff is 0.4527, with the
//! geometric ones 0.4533, both the 0.45 of the paper. Link 3 lies on the +x side of the tip, and
//! n = u₃ = (cos θ₃, sin θ₃) points from the tip into link 3.

use crate::linear;

/// Slender rods 1, 2 (double pendulum) and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// Masses m₁, m₂, m₃.
    pub mass: [f64; 3],
    /// Lengths L₁, L₂, L₃.
    pub length: [f64; 3],
    /// a, from the pivot of link 1 to that of link 3.
    pub distance: f64,
}

impl System {
    /// The data of the example.
    pub const PAPER: Self = Self { mass: [1.0, 1.4, 2.0], length: [1.0, 1.4, 2.0], distance: 1.2 };

    /// θ₃ and d, from P₂ on link 3.
    pub fn contact(&self, theta1: f64, theta2: f64) -> (f64, f64) {
        let [l1, l2, _] = self.length;
        let x = l1 * theta1.sin() + l2 * theta2.sin() - self.distance;
        let depth = l1 * theta1.cos() + l2 * theta2.cos();
        (x.atan2(depth), x.hypot(depth))
    }

    /// M_dof of the example in θ̇₁, θ̇₂, θ̇₃.
    pub fn mass_matrix(&self, theta1: f64, theta2: f64) -> [[f64; 3]; 3] {
        let [m1, m2, m3] = self.mass;
        let [l1, l2, l3] = self.length;
        let coupling = 0.5 * m2 * l1 * l2 * (theta2 - theta1).cos();
        [
            [(m1 / 3.0 + m2) * l1 * l1, coupling, 0.0],
            [coupling, m2 * l2 * l2 / 3.0, 0.0],
            [0.0, 0.0, m3 * l3 * l3 / 3.0],
        ]
    }

    /// b of the example: δ̇ = b · θ̇ is positive when the tip approaches link 3.
    pub fn jacobian(&self, theta1: f64, theta2: f64) -> [f64; 3] {
        let [l1, l2, _] = self.length;
        let (theta3, d) = self.contact(theta1, theta2);
        [l1 * (theta1 - theta3).cos(), l2 * (theta2 - theta3).cos(), -d]
    }

    /// m_eff by eq. 39.
    pub fn effective_mass(&self, theta1: f64, theta2: f64) -> f64 {
        linear::effective_mass(&self.mass_matrix(theta1, theta2), &self.jacobian(theta1, theta2))
    }

    /// m_eff as the solution of eq. 38, the unknowns being Δθ̇⁽ˢ⁾ and m_eff.
    pub fn effective_mass_by_bordered_system(&self, theta1: f64, theta2: f64) -> f64 {
        let M = self.mass_matrix(theta1, theta2);
        let b = self.jacobian(theta1, theta2);
        let mut K = [[0.0; 4]; 4];
        for i in 0..3 {
            K[i][..3].copy_from_slice(&M[i]);
            K[i][3] = -b[i];
            K[3][i] = b[i];
        }
        linear::solve(K, [0.0, 0.0, 0.0, 1.0])[3]
    }

    /// Apparent masses of the double pendulum at its tip and of pendulum 3 at the struck point,
    /// m₃ L₃² / (3 d²).
    pub fn apparent_masses(&self, theta1: f64, theta2: f64) -> [f64; 2] {
        let M = self.mass_matrix(theta1, theta2);
        let [b1, b2, b3] = self.jacobian(theta1, theta2);
        [linear::effective_mass(&M, &[b1, b2, 0.0]), linear::effective_mass(&M, &[0.0, 0.0, b3])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: (f64, f64) = (std::f64::consts::FRAC_PI_6, std::f64::consts::FRAC_PI_3);

    #[test]
    fn the_printed_angle_and_distance_follow_from_the_geometry() {
        let (theta3, d) = System::PAPER.contact(AT.0, AT.1);
        assert!((theta3.to_degrees() - 18.12).abs() < 0.005, "{}", theta3.to_degrees());
        assert!((d - 1.65).abs() < 0.005, "{d}");
    }

    #[test]
    fn the_effective_mass_is_the_printed_one() {
        let m_eff = System::PAPER.effective_mass(AT.0, AT.1);
        assert!((m_eff - 0.4533).abs() < 5e-5, "{m_eff}");
        let bordered = System::PAPER.effective_mass_by_bordered_system(AT.0, AT.1);
        assert!((m_eff - bordered).abs() < 1e-14);
    }

    #[test]
    fn the_two_sides_add_as_two_spheres_do() {
        let [i, j] = System::PAPER.apparent_masses(AT.0, AT.1);
        let m_eff = System::PAPER.effective_mass(AT.0, AT.1);
        assert!((m_eff - i * j / (i + j)).abs() < 1e-14);
        let (_, d) = System::PAPER.contact(AT.0, AT.1);
        assert!((j - 2.0 * 4.0 / (3.0 * d * d)).abs() < 1e-14);
    }
}
