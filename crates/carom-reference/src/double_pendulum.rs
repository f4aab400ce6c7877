//! A double pendulum of two point masses whose tip hits the ground (Gonzalez et al., section 3).
//!
//! φ₁ is the angle of link 1 from the downward vertical, φ₂ that of link 2 relative to link 1,
//! both counter-clockwise: x₂ = l₁ sin φ₁ + l₂ sin(φ₁+φ₂), y₂ = −l₁ cos φ₁ − l₂ cos(φ₁+φ₂).
//! u_c = ẏ₂, negative on approach.

use crate::linear;

/// Point masses at the ends of massless links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoublePendulum {
    /// m₁, m₂.
    pub mass: [f64; 2],
    /// l₁, l₂.
    pub length: [f64; 2],
}

impl DoublePendulum {
    /// Table 1.
    pub const PAPER: Self = Self { mass: [5.0, 2.0], length: [0.5, 0.25] };
    /// h: the ground is at y = −h.
    pub const PAPER_HEIGHT: f64 = 0.6;

    /// φ₁, φ₂ that put the tip at (x, y), on the branch φ₂ > 0 or φ₂ < 0; none out of reach.
    pub fn configuration(&self, x: f64, y: f64, elbow_positive: bool) -> Option<[f64; 2]> {
        let [l1, l2] = self.length;
        let cosine = (x * x + y * y - l1 * l1 - l2 * l2) / (2.0 * l1 * l2);
        if cosine.abs() > 1.0 {
            return None;
        }
        let phi2 = if elbow_positive { cosine.acos() } else { -cosine.acos() };
        // The tip's direction is φ₁ plus the angle of l₁ + l₂ e^{iφ₂}.
        let phi1 = x.atan2(-y) - (l2 * phi2.sin()).atan2(l1 + l2 * phi2.cos());
        Some([phi1, phi2])
    }

    /// (x₂, y₂).
    pub fn tip(&self, phi: [f64; 2]) -> [f64; 2] {
        let [l1, l2] = self.length;
        let (s1, c1) = phi[0].sin_cos();
        let (s12, c12) = (phi[0] + phi[1]).sin_cos();
        [l1 * s1 + l2 * s12, -l1 * c1 - l2 * c12]
    }

    /// A of eq. 21: ẏ₂ = A φ̇.
    pub fn impact_jacobian(&self, phi: [f64; 2]) -> [f64; 2] {
        let [l1, l2] = self.length;
        let s12 = (phi[0] + phi[1]).sin();
        [l1 * phi[0].sin() + l2 * s12, l2 * s12]
    }

    /// The row of ẋ₂.
    pub fn tangential_jacobian(&self, phi: [f64; 2]) -> [f64; 2] {
        let [l1, l2] = self.length;
        let c12 = (phi[0] + phi[1]).cos();
        [l1 * phi[0].cos() + l2 * c12, l2 * c12]
    }

    /// M in φ̇₁, φ̇₂.
    pub fn mass_matrix(&self, phi: [f64; 2]) -> [[f64; 2]; 2] {
        let [m1, m2] = self.mass;
        let [l1, l2] = self.length;
        let c2 = phi[1].cos();
        let off = m2 * l2 * (l2 + l1 * c2);
        [[(m1 + m2) * l1 * l1 + m2 * l2 * (l2 + 2.0 * l1 * c2), off], [off, m2 * l2 * l2]]
    }

    /// c of eq. 10: Coriolis and centrifugal terms.
    pub fn coriolis(&self, phi: [f64; 2], rate: [f64; 2]) -> [f64; 2] {
        let k = self.mass[1] * self.length[0] * self.length[1] * phi[1].sin();
        [-k * (2.0 * rate[0] * rate[1] + rate[1] * rate[1]), k * rate[0] * rate[0]]
    }

    /// φ̇ that gives the tip the velocity (ẋ₂, ẏ₂); not finite where the links are aligned.
    pub fn rates(&self, phi: [f64; 2], tip_velocity: [f64; 2]) -> [f64; 2] {
        linear::solve([self.tangential_jacobian(phi), self.impact_jacobian(phi)], tip_velocity)
    }

    /// m_eff = 1/(A M⁻¹ Aᵀ).
    pub fn effective_mass(&self, phi: [f64; 2]) -> f64 {
        linear::effective_mass(&self.mass_matrix(phi), &self.impact_jacobian(phi))
    }

    /// The same without a matrix. An impulse on P₂ across link 2 leaves P₁ at rest and meets m₂;
    /// one along link 2 also moves P₁ on its circle and meets m₂ + m₁/sin²φ₂:
    /// 1/m_eff = sin²(φ₁+φ₂)/m₂ + cos²(φ₁+φ₂)/(m₂ + m₁/sin²φ₂).
    pub fn effective_mass_in_closed_form(&self, phi: [f64; 2]) -> f64 {
        let [m1, m2] = self.mass;
        let (s, c) = (phi[0] + phi[1]).sin_cos();
        let s2 = phi[1].sin();
        1.0 / (s * s / m2 + c * c * s2 * s2 / (m2 * s2 * s2 + m1))
    }

    /// T_c = ½ m_eff ẏ₂² (eq. 20): independent of ẋ₂.
    pub fn effective_energy(&self, phi: [f64; 2], y_dot: f64) -> f64 {
        0.5 * self.effective_mass(phi) * y_dot * y_dot
    }

    /// T for a given velocity of the tip.
    pub fn kinetic_energy(&self, phi: [f64; 2], tip_velocity: [f64; 2]) -> f64 {
        linear::kinetic_energy(&self.mass_matrix(phi), &self.rates(phi, tip_velocity))
    }

    /// z_c = m_eff (A M⁻¹ c − Ȧ v) (eq. 13): what inertia alone adds to the impact's equation.
    pub fn velocity_term(&self, phi: [f64; 2], rate: [f64; 2]) -> f64 {
        let [l1, l2] = self.length;
        let A = self.impact_jacobian(phi);
        let M = self.mass_matrix(phi);
        let turn = rate[0] + rate[1];
        let A_dot_v =
            l1 * phi[0].cos() * rate[0] * rate[0] + l2 * (phi[0] + phi[1]).cos() * turn * turn;
        let along = linear::mobility(&M, &A, &self.coriolis(phi, rate));
        linear::effective_mass(&M, &A) * (along - A_dot_v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: DoublePendulum = DoublePendulum::PAPER;
    const H: f64 = DoublePendulum::PAPER_HEIGHT;

    fn each_pose(mut see: impl FnMut(f64, [f64; 2])) {
        for k in -19..=19 {
            let x = 0.02 * f64::from(k);
            for positive in [false, true] {
                see(x, PAPER.configuration(x, -H, positive).expect("within reach"));
            }
        }
    }

    #[test]
    fn both_configurations_reach_the_point_and_are_told_apart_by_their_sign() {
        each_pose(|x, phi| {
            let tip = PAPER.tip(phi);
            assert!((tip[0] - x).abs() < 1e-14 && (tip[1] + H).abs() < 1e-14);
        });
        assert!(PAPER.configuration(0.1, -H, true).expect("within reach")[1] > 0.0);
        assert!(PAPER.configuration(0.1, -H, false).expect("within reach")[1] < 0.0);
        assert!(PAPER.configuration(0.6, -H, true).is_none());
    }

    #[test]
    fn the_matrix_and_the_impulse_argument_give_one_mass() {
        each_pose(|_, phi| {
            let difference = PAPER.effective_mass(phi) - PAPER.effective_mass_in_closed_form(phi);
            assert!(difference.abs() < 1e-12);
        });
    }

    #[test]
    fn the_tangential_velocity_changes_the_energy_but_not_its_effective_part() {
        each_pose(|_, phi| {
            let M = PAPER.mass_matrix(phi);
            let A = PAPER.impact_jacobian(phi);
            let mut seen = Vec::new();
            for x_dot in [0.0, 1.0, 2.5] {
                let v = PAPER.rates(phi, [x_dot, -1.0]);
                let T = PAPER.kinetic_energy(phi, [x_dot, -1.0]);
                let T_c = 0.5 * linear::effective_mass(&M, &A) * linear::dot(&A, &v).powi(2);
                assert!((T_c - PAPER.effective_energy(phi, -1.0)).abs() < 1e-12);
                assert!(T_c <= T + 1e-12);
                seen.push(T);
            }
            assert!(seen[0] != seen[2]);
        });
    }

    #[test]
    fn mirror_configurations_are_equivalent_without_tangential_velocity() {
        let left = PAPER.configuration(-0.2, -H, true).expect("within reach");
        let right = PAPER.configuration(0.2, -H, false).expect("within reach");
        let T = |phi| PAPER.kinetic_energy(phi, [0.0, -1.0]);
        assert!((T(left) - T(right)).abs() < 1e-12);
        let T = |phi| PAPER.kinetic_energy(phi, [1.0, -1.0]);
        assert!((T(left) - T(right)).abs() > 0.1, "figs. 5 and 6 differ");
    }

    #[test]
    fn the_velocity_term_is_the_acceleration_of_free_flight() {
        // Without forces m_eff ü_c + z_c = 0, so y₂(t) has the curvature −z_c/m_eff.
        let phi = PAPER.configuration(0.1, -H, false).expect("within reach");
        let rate = PAPER.rates(phi, [1.0, -1.0]);
        let after = |dt: f64| {
            let c = PAPER.coriolis(phi, rate);
            let acceleration = linear::solve(PAPER.mass_matrix(phi), c.map(|c| -c));
            let moved: [f64; 2] =
                std::array::from_fn(|i| phi[i] + rate[i] * dt + 0.5 * acceleration[i] * dt * dt);
            PAPER.tip(moved)[1]
        };
        let dt = 1e-4;
        let curvature = (after(dt) - 2.0 * after(0.0) + after(-dt)) / (dt * dt);
        let expected = -PAPER.velocity_term(phi, rate) / PAPER.effective_mass(phi);
        assert!((curvature - expected).abs() < 1e-4 * expected.abs(), "{curvature} {expected}");
    }

    #[test]
    fn the_coriolis_terms_conserve_the_energy() {
        // d/dt (½ vᵀ M v) = vᵀ (M a + ½ Ṁ v) vanishes with M a = −c.
        let phi = [0.4, -0.9];
        let rate = [1.3, -0.8];
        let dt = 1e-6;
        let along = |s: f64| -> [f64; 2] { std::array::from_fn(|i| phi[i] + s * dt * rate[i]) };
        let T = |s| linear::kinetic_energy(&PAPER.mass_matrix(along(s)), &rate);
        let half_M_dot = (T(1.0) - T(-1.0)) / (2.0 * dt);
        let power = linear::dot(&rate, &PAPER.coriolis(phi, rate));
        assert!((half_M_dot - power).abs() < 1e-7 * power.abs().max(1.0));
    }
}
