//! A two-axle robot that drives against an obstacle (Gonzalez et al., section 4).
//!
//! Five free coordinates: x, y of the chassis' mass centre, its angle θ, the angles of the front
//! and the rear wheel. The axles lie h_G below the mass centre, b₁ in front of it and b₂ behind.
//! The contact normal (−sin β, cos β) goes through the front wheel's centre and points from the
//! obstacle to the wheel.

use crate::linear;

/// Table 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheeledRobot {
    /// m_b.
    pub chassis_mass: f64,
    /// I_zb.
    pub chassis_inertia: f64,
    /// m_w, of each of the two wheels.
    pub wheel_mass: f64,
    /// I_zw.
    pub wheel_inertia: f64,
    /// h_G, of the chassis' mass centre above the axles.
    pub height: f64,
    /// b₁, b₂.
    pub axles: [f64; 2],
    /// r_w.
    pub wheel_radius: f64,
}

impl WheeledRobot {
    /// The numbers of table 2.
    pub const PAPER: Self = Self {
        chassis_mass: 280.0,
        chassis_inertia: 26.716,
        wheel_mass: 20.0,
        wheel_inertia: 0.7812,
        height: 0.261,
        axles: [0.4175, 0.4175],
        wheel_radius: 0.2795,
    };

    /// M in ẋ, ẏ, θ̇, θ̇₁, θ̇₂ (absolute wheel angles).
    pub fn mass_matrix(&self) -> [[f64; 5]; 5] {
        let [b1, b2] = self.axles;
        let (m_w, h) = (self.wheel_mass, self.height);
        let m = self.chassis_mass + 2.0 * m_w;
        // Wheel centres at (b₁, −h) and (−b₂, −h): their velocities are (ẋ + h θ̇, ẏ ± b θ̇).
        let across = 2.0 * m_w * h;
        let along = m_w * (b1 - b2);
        let about = self.chassis_inertia + m_w * (b1 * b1 + b2 * b2 + 2.0 * h * h);
        [
            [m, 0.0, across, 0.0, 0.0],
            [0.0, m, along, 0.0, 0.0],
            [across, along, about, 0.0, 0.0],
            [0.0, 0.0, 0.0, self.wheel_inertia, 0.0],
            [0.0, 0.0, 0.0, 0.0, self.wheel_inertia],
        ]
    }

    /// A: the velocity of the front wheel's centre along the normal.
    pub fn impact_jacobian(&self, beta: f64) -> [f64; 5] {
        let (s, c) = beta.sin_cos();
        [-s, c, self.axles[0] * c - self.height * s, 0.0, 0.0]
    }

    /// m_eff = 1/(A M⁻¹ Aᵀ).
    pub fn effective_mass(&self, beta: f64) -> f64 {
        linear::effective_mass(&self.mass_matrix(), &self.impact_jacobian(beta))
    }

    /// The same as a rigid body hit off its mass centre: chassis and wheel *masses* move as one
    /// body, the wheels' rotation takes no part. 1/m_eff = 1/m + (r × n)²/I_G.
    pub fn effective_mass_in_closed_form(&self, beta: f64) -> f64 {
        let [b1, b2] = self.axles;
        let (s, c) = beta.sin_cos();
        let m = self.chassis_mass + 2.0 * self.wheel_mass;
        let share = self.wheel_mass / m;
        let center = [share * (b1 - b2), -2.0 * share * self.height];
        let wheel = |x: f64| (x - center[0]).powi(2) + (self.height + center[1]).powi(2);
        let inertia = self.chassis_inertia
            + self.chassis_mass * (center[0] * center[0] + center[1] * center[1])
            + self.wheel_mass * (wheel(b1) + wheel(-b2));
        let lever = (b1 - center[0]) * c - (self.height + center[1]) * s;
        1.0 / (1.0 / m + lever * lever / inertia)
    }

    /// T_c = ½ m_eff (ẋ sin β)² while driving at ẋ.
    pub fn effective_energy(&self, beta: f64, speed: f64) -> f64 {
        let u = speed * beta.sin();
        0.5 * self.effective_mass(beta) * u * u
    }

    /// T with both wheels rolling at ẋ: they turn at −ẋ/r_w.
    pub fn kinetic_energy(&self, speed: f64) -> f64 {
        let spin = -speed / self.wheel_radius;
        linear::kinetic_energy(&self.mass_matrix(), &[speed, 0.0, 0.0, spin, spin])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: WheeledRobot = WheeledRobot::PAPER;

    #[test]
    fn on_the_grid_of_the_paper_the_effective_energy_is_greatest_at_seventy_degrees() {
        let T_c = |degrees: i32| PAPER.effective_energy(f64::from(degrees).to_radians(), 1.0);
        let greatest = (1..=9).map(|k| 10 * k).max_by(|a, b| T_c(*a).total_cmp(&T_c(*b)));
        assert_eq!(greatest, Some(70));
    }

    #[test]
    fn both_routes_give_one_mass_for_unequal_axles_too() {
        let robots = [PAPER, WheeledRobot { axles: [0.5, 0.3], ..PAPER }];
        for robot in robots {
            for degrees in 1..=90 {
                let beta = f64::from(degrees).to_radians();
                let difference =
                    robot.effective_mass(beta) - robot.effective_mass_in_closed_form(beta);
                assert!(difference.abs() < 1e-10, "{degrees}°: {difference:e}");
            }
        }
    }

    #[test]
    fn the_total_energy_is_translation_and_spin() {
        let T = 0.5 * 320.0 + 0.7812 / (0.2795 * 0.2795);
        assert!((PAPER.kinetic_energy(1.0) - T).abs() < 1e-10);
        assert!((T - 170.0).abs() < 0.01);
    }

    #[test]
    fn an_elastic_impact_at_seventy_degrees_peaks_near_132_kilonewtons() {
        // F = K (5 T_c / 2K)^{3/5} with K = 1e9, assumed as for the pendulum.
        let T_c = PAPER.effective_energy(70.0_f64.to_radians(), 1.0);
        let F = 1e9 * (2.5 * T_c / 1e9_f64).powf(0.6);
        assert!((F / 1e3 - 132.0).abs() < 2.0, "{F}");
    }
}
