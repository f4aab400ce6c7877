//! Two rigid links in the plane with any mass distribution: the two-joint robot arm.
//!
//! Angles are absolute, from +x: link 1 from the origin, link 2 from the end of link 1.

use crate::linear;

/// A link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Mass.
    pub mass: f64,
    /// From its proximal joint to the next joint or to its tip.
    pub length: f64,
    /// From its proximal joint to its mass centre, on the same line.
    pub center: f64,
    /// About its mass centre.
    pub inertia: f64,
}

impl Link {
    /// A slender rod.
    pub fn rod(mass: f64, length: f64) -> Self {
        Self { mass, length, center: 0.5 * length, inertia: mass * length * length / 12.0 }
    }

    /// About the proximal joint.
    fn proximal_inertia(&self) -> f64 {
        self.inertia + self.mass * self.center * self.center
    }
}

/// M in θ̇₁, θ̇₂:
/// M₁₁ = I₁ + m₁ c₁² + m₂ l₁², M₁₂ = m₂ l₁ c₂ cos(θ₂ − θ₁), M₂₂ = I₂ + m₂ c₂².
pub fn mass_matrix(first: &Link, second: &Link, theta: [f64; 2]) -> [[f64; 2]; 2] {
    let off = second.mass * first.length * second.center * (theta[1] - theta[0]).cos();
    [
        [first.proximal_inertia() + second.mass * first.length * first.length, off],
        [off, second.proximal_inertia()],
    ]
}

/// m_eff of the tip along `n`, in closed form:
/// 1/m_eff = (M₂₂ A₁² − 2 M₁₂ A₁ A₂ + M₁₁ A₂²) / (M₁₁ M₂₂ − M₁₂²), A_k = l_k n · (−sin θ_k, cos θ_k).
pub fn effective_mass(first: &Link, second: &Link, theta: [f64; 2], n: [f64; 2]) -> f64 {
    let [[m11, m12], [_, m22]] = mass_matrix(first, second, theta);
    let row = |link: &Link, angle: f64| link.length * (-angle.sin() * n[0] + angle.cos() * n[1]);
    let (a1, a2) = (row(first, theta[0]), row(second, theta[1]));
    (m11 * m22 - m12 * m12) / (m22 * a1 * a1 - 2.0 * m12 * a1 * a2 + m11 * a2 * a2)
}

/// m_eff of a point at the distance `along` from the second link's proximal joint.
pub fn effective_mass_at(
    first: &Link,
    second: &Link,
    along: f64,
    theta: [f64; 2],
    n: [f64; 2],
) -> f64 {
    let M = mass_matrix(first, second, theta);
    let row = |length: f64, angle: f64| length * (-angle.sin() * n[0] + angle.cos() * n[1]);
    linear::effective_mass(&M, &[row(first.length, theta[0]), row(along, theta[1])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_masses_give_the_double_pendulum_of_gonzalez() {
        let point = |mass, length| Link { mass, length, center: length, inertia: 0.0 };
        let phi = [0.4, -1.1];
        // There angles are from −y, and the second is relative.
        let turn = -std::f64::consts::FRAC_PI_2;
        let theta = [phi[0] + turn, phi[0] + phi[1] + turn];
        let ours = effective_mass(&point(5.0, 0.5), &point(2.0, 0.25), theta, [0.0, 1.0]);
        let theirs = crate::double_pendulum::DoublePendulum::PAPER.effective_mass(phi);
        assert!((ours - theirs).abs() < 1e-12);
    }

    #[test]
    fn rods_give_the_double_pendulum_of_nikravesh_poursina() {
        let system = crate::double_pendulum_strikes_pendulum::System::PAPER;
        let (t1, t2) = (0.5, 1.0);
        let (t3, _) = system.contact(t1, t2);
        let turn = -std::f64::consts::FRAC_PI_2;
        let n = [t3.cos(), t3.sin()];
        let (first, second) = (Link::rod(1.0, 1.0), Link::rod(1.4, 1.4));
        let ours = effective_mass(&first, &second, [t1 + turn, t2 + turn], n);
        assert!((ours - system.apparent_masses(t1, t2)[0]).abs() < 1e-13);
        let at_tip = effective_mass_at(&first, &second, 1.4, [t1 + turn, t2 + turn], n);
        assert!((ours - at_tip).abs() < 1e-13);
    }

    #[test]
    fn a_stretched_arm_is_a_wall_along_itself() {
        let (first, second) = (Link::rod(1.0, 1.0), Link::rod(1.0, 0.7));
        assert!(effective_mass(&first, &second, [0.0, 0.0], [1.0, 0.0]) > 1e30);
    }
}
