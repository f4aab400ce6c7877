//! A rigid body that turns about a fixed axis or a fixed point: the compound pendulum in space.

use crate::linear;
use crate::space::{Matrix, Vector, apply, cross, dot};

/// J_O = J + m (c² 1 − c cᵀ): the inertia about a point, `c` from there to the mass centre
/// (Huygens–Steiner).
pub fn inertia_about(m: f64, J: &Matrix, c: Vector) -> Matrix {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let unit = if i == j { dot(c, c) } else { 0.0 };
            J[i][j] + m * (unit - c[i] * c[j])
        })
    })
}

/// m_eff = (aᵀ J_O a) / (a · (r × n))² about a fixed axis: `a` its unit vector, `r` from a point O of
/// the axis to the struck point, `J_O` about O.
///
/// Infinite where the normal meets the axis or is parallel to it.
pub fn about_axis(J_O: &Matrix, a: Vector, r: Vector, n: Vector) -> f64 {
    dot(a, apply(J_O, a)) / dot(a, cross(r, n)).powi(2)
}

/// 1/m_eff = (r × n)ᵀ J_O⁻¹ (r × n) about a fixed point O (a spherical joint).
pub fn about_point(J_O: &Matrix, r: Vector, n: Vector) -> f64 {
    linear::effective_mass(J_O, &cross(r, n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_hinge_adds_to_the_mass_that_a_ball_joint_leaves() {
        let mut random = Random::new(11);
        for _ in 0..50 {
            let J_O = inertia_about(1.5, &random.inertia(1.5, 0.4), random.vector(0.4));
            let (a, r, n) = (random.unit_vector(), random.vector(0.5), random.unit_vector());
            assert!(about_axis(&J_O, a, r, n) >= about_point(&J_O, r, n) * (1.0 - 1e-12));
        }
    }

    #[test]
    fn the_rod_on_a_wall_is_a_special_case() {
        let (m, length, theta) = (2.0, 1.5, 0.4_f64);
        let J = m * length * length / 12.0;
        let J = [[0.0, 0.0, 0.0], [0.0, J, 0.0], [0.0, 0.0, J]];
        // In the rod's axes: x along it, the wall's normal at the angle θ from y.
        let J_O = inertia_about(m, &J, [0.5 * length, 0.0, 0.0]);
        let n = [theta.sin(), theta.cos(), 0.0];
        let m_eff = about_axis(&J_O, [0.0, 0.0, 1.0], [length, 0.0, 0.0], n);
        assert!((m_eff - crate::rod_on_wall::effective_mass(m, theta)).abs() < 1e-14);
    }

    #[test]
    fn a_blow_at_the_centre_of_percussion_would_move_a_free_pivot_point_not_at_all() {
        // There the hinged and the free body answer alike: m_eff is the same.
        let (m, length) = (1.2, 0.9);
        let center = 2.0 / 3.0 * length;
        let hinged = m * length * length / (3.0 * center * center);
        let free = crate::free_body::rod(m, length, center - 0.5 * length);
        assert!((hinged - free).abs() < 1e-14);
    }
}
