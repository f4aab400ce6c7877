//! A bar pivoted on one sliding mass strikes another (Fenili et al.).
//!
//! m_s and m_w slide along y; the bar turns by θ on m_s from +x. The gap between its free end
//! and the wall m_w is d − y_s + y_w − ℓ sin θ (eq. 2.2). Coordinates y_s, θ, y_w.

use crate::linear;

/// The masses and lengths of the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstrainedBar {
    /// m_b, the bar.
    pub bar_mass: f64,
    /// m_s, the mass the bar is pivoted on.
    pub support_mass: f64,
    /// m_w, the wall.
    pub wall_mass: f64,
    /// ℓ.
    pub length: f64,
    /// a = d_Acmb, from the pivot to the bar's mass centre.
    pub center: f64,
    /// I_b,cm.
    pub inertia: f64,
    /// d, from the pivot to the wall at rest.
    pub distance: f64,
}

/// Velocities after a plastic impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct After {
    /// v_sy⁺.
    pub support: f64,
    /// ω_b⁺.
    pub bar: f64,
    /// v_wy⁺ (eq. 4.26).
    pub wall: f64,
}

impl ConstrainedBar {
    /// Table 1.
    pub const TABLE_1: Self = Self {
        bar_mass: 2.0,
        support_mass: 5.0,
        wall_mass: 10.0,
        length: 1.0,
        center: 0.5,
        inertia: 0.1667,
        distance: 0.6,
    };
    /// Table 2.
    pub const TABLE_2: Self = Self { support_mass: 1.0, wall_mass: 1.0, ..Self::TABLE_1 };

    /// θ at first contact with both masses at rest: asin(d/ℓ).
    pub fn onset_angle(&self) -> f64 {
        (self.distance / self.length).asin()
    }

    /// Velocities after a plastic impact, by eqs. 4.32 and 4.33.
    ///
    /// `before` is v_sy⁻, ω_b⁻, v_wy⁻.
    pub fn plastic(&self, theta: f64, before: [f64; 3]) -> After {
        let [v_s, omega, v_w] = before;
        let (s, c) = theta.sin_cos();
        let (m_b, m_s, m_w) = (self.bar_mass, self.support_mass, self.wall_mass);
        let (a, length) = (self.center, self.length);
        let m_tot = m_s + m_b + m_w;
        let turning = self.inertia + m_b * a * a * s * s;
        let I_tot = turning + m_w * length * (length - a) * c * c;
        let r1 = (m_s + m_b) * v_s + m_w * v_w + m_b * omega * a * c;
        let r2 = -m_s * v_s * a * c + m_w * v_w * (length - a) * c + turning * omega;
        let alpha1 = (m_b * a + m_w * length) * c;
        let alpha2 = (m_s * a - m_w * (length - a)) * c;
        let denominator = alpha1 * alpha2 + m_tot * I_tot;
        let support = (r1 * I_tot - r2 * alpha1) / denominator;
        let bar = (r1 * alpha2 + r2 * m_tot) / denominator;
        After { support, bar, wall: support + bar * length * c }
    }

    /// Velocities after an impact with restitution e: v⁺(e) = v⁺₄.₃₃ + e (v⁺₄.₃₃ − v⁻).
    pub fn with_restitution(&self, theta: f64, before: [f64; 3], e: f64) -> After {
        let plastic = self.plastic(theta, before);
        After {
            support: plastic.support + e * (plastic.support - before[0]),
            bar: plastic.bar + e * (plastic.bar - before[1]),
            wall: plastic.wall + e * (plastic.wall - before[2]),
        }
    }

    /// Rate of the gap: −ẏ_s − ℓ cos θ θ̇ + ẏ_w.
    pub fn gap_rate(&self, theta: f64, v: [f64; 3]) -> f64 {
        linear::dot(&self.impact_jacobian(theta), &v)
    }

    /// The m_eff that eq. 4.33 implies: impulse P̂_y = m_w (v_w⁺ − v_w⁻) (eq. 4.29) over the change
    /// of the gap's rate. Any approaching velocity gives the same.
    pub fn implied_effective_mass(&self, theta: f64, before: [f64; 3]) -> f64 {
        let after = self.plastic(theta, before);
        let impulse = self.wall_mass * (after.wall - before[2]);
        let change = self.gap_rate(theta, [after.support, after.bar, after.wall])
            - self.gap_rate(theta, before);
        impulse / change
    }

    /// M in ẏ_s, θ̇, ẏ_w.
    pub fn mass_matrix(&self, theta: f64) -> [[f64; 3]; 3] {
        let first = self.bar_mass * self.center;
        let coupling = first * theta.cos();
        [
            [self.bar_mass + self.support_mass, coupling, 0.0],
            [coupling, self.inertia + first * self.center, 0.0],
            [0.0, 0.0, self.wall_mass],
        ]
    }

    /// A: the rate of the gap.
    pub fn impact_jacobian(&self, theta: f64) -> [f64; 3] {
        [-1.0, -self.length * theta.cos(), 1.0]
    }

    /// m_eff = 1/(A M⁻¹ Aᵀ), the 2×2 block inverted by hand:
    /// 1/m_eff = 1/m_w + (J − 2 m_b a ℓ c² + (m_b+m_s) ℓ² c²) / ((m_b+m_s) J − (m_b a c)²),
    /// with J = I + m_b a² and c = cos θ.
    pub fn effective_mass(&self, theta: f64) -> f64 {
        let c2 = theta.cos().powi(2);
        let moving = self.bar_mass + self.support_mass;
        let first = self.bar_mass * self.center;
        let J = self.inertia + first * self.center;
        let top = J - 2.0 * first * self.length * c2 + moving * self.length * self.length * c2;
        let bottom = moving * J - first * first * c2;
        1.0 / (1.0 / self.wall_mass + top / bottom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARS: [ConstrainedBar; 2] = [ConstrainedBar::TABLE_1, ConstrainedBar::TABLE_2];

    #[test]
    fn a_plastic_impact_satisfies_its_two_equations() {
        for bar in BARS {
            let theta = bar.onset_angle();
            let before = [-0.2, 3.0, 0.1];
            let after = bar.plastic(theta, before);
            let after = [after.support, after.bar, after.wall];
            assert!(bar.gap_rate(theta, after).abs() < 1e-14, "A v⁺ = 0");
            let A = bar.impact_jacobian(theta);
            let M = bar.mass_matrix(theta);
            let p = -bar.effective_mass(theta) * bar.gap_rate(theta, before);
            for i in 0..3 {
                let gained: f64 = (0..3).map(|j| M[i][j] * (after[j] - before[j])).sum();
                assert!((gained - p * A[i]).abs() < 1e-13, "M (v⁺ − v⁻) = Aᵀ p, row {i}");
            }
        }
    }

    #[test]
    fn the_printed_formula_implies_the_same_mass_as_the_matrix() {
        for bar in BARS {
            for degrees in [0.0_f64, 20.0, 36.87, 60.0, 89.0] {
                let theta = degrees.to_radians();
                let by_hand = bar.effective_mass(theta);
                let matrix = bar.mass_matrix(theta);
                let A = bar.impact_jacobian(theta);
                assert!((by_hand - linear::effective_mass(&matrix, &A)).abs() < 1e-12);
                for before in [[0.0, 3.0, 0.0], [0.5, 1.0, -0.3]] {
                    let implied = bar.implied_effective_mass(theta, before);
                    assert!((by_hand - implied).abs() < 1e-11, "{degrees}°: {implied}");
                }
            }
        }
    }

    #[test]
    fn an_upright_bar_is_a_collision_of_two_masses() {
        let bar = ConstrainedBar::TABLE_1;
        let theta = std::f64::consts::FRAC_PI_2;
        assert!((bar.effective_mass(theta) - 7.0 * 10.0 / 17.0).abs() < 1e-12, "eq. 4.35");
        let after = bar.plastic(theta, [1.0, 2.0, 0.0]);
        assert!((after.support - 7.0 / 17.0).abs() < 1e-12 && (after.bar - 2.0).abs() < 1e-12);
    }

    #[test]
    fn restitution_returns_its_share_of_the_approach() {
        let bar = ConstrainedBar::TABLE_2;
        let theta = bar.onset_angle();
        let before = [0.0, 3.0, 0.0];
        let after = bar.with_restitution(theta, before, 0.6);
        let rate = bar.gap_rate(theta, [after.support, after.bar, after.wall]);
        assert!((rate + 0.6 * bar.gap_rate(theta, before)).abs() < 1e-13);
    }
}
