//! A free rigid body that is hit off its mass centre.

use crate::linear;
use crate::space::{Matrix, Vector, cross};

/// 1/m_eff = 1/m + (r × n)ᵀ J⁻¹ (r × n): impulse and momentum of one body.
///
/// `r` from the mass centre to the point, `n` a unit vector, `J` about the mass centre, all in
/// the same axes.
pub fn effective_mass(m: f64, J: &Matrix, r: Vector, n: Vector) -> f64 {
    let moment = cross(r, n);
    1.0 / (1.0 / m + linear::mobility(J, &moment, &moment))
}

/// A slender rod hit across its length at the distance `d` from its middle:
/// m_eff = m / (1 + 12 d²/L²), a quarter of m at an end.
pub fn rod(m: f64, length: f64, d: f64) -> f64 {
    m / (1.0 + 12.0 * d * d / (length * length))
}

/// A homogeneous ball struck along its surface: m_eff = 2 m / 7, whatever its radius.
///
/// The tangential mass of a ball that meets a rough wall; across the surface it is m.
pub fn ball_tangential(m: f64) -> f64 {
    2.0 * m / 7.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::space::{apply, turned};

    #[test]
    fn a_rod_hit_at_its_end_counts_a_quarter() {
        let (m, length) = (3.0, 1.6);
        assert!((rod(m, length, 0.5 * length) - m / 4.0).abs() < 1e-15);
        let J = m * length * length / 12.0;
        let J = [[1e-3, 0.0, 0.0], [0.0, J, 0.0], [0.0, 0.0, J]];
        let m_eff = effective_mass(m, &J, [0.3, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert!((m_eff - rod(m, length, 0.3)).abs() < 1e-14);
    }

    #[test]
    fn a_ball_has_its_own_mass_across_and_two_sevenths_along_its_surface() {
        let (m, R) = (2.0, 0.3);
        let J = 0.4 * m * R * R;
        let J = [[J, 0.0, 0.0], [0.0, J, 0.0], [0.0, 0.0, J]];
        let r = [0.0, 0.0, R];
        assert!((effective_mass(m, &J, r, [0.0, 0.0, 1.0]) - m).abs() < 1e-14);
        let along = effective_mass(m, &J, r, [0.6, 0.8, 0.0]);
        assert!((along - ball_tangential(m)).abs() < 1e-14);
    }

    #[test]
    fn the_answer_does_not_depend_on_the_axes() {
        let mut random = Random::new(7);
        for _ in 0..20 {
            let J = random.inertia(2.0, 0.5);
            let (r, n, R) = (random.vector(0.5), random.unit_vector(), random.rotation());
            let here = effective_mass(2.0, &J, r, n);
            let there = effective_mass(2.0, &turned(&R, &J), apply(&R, r), apply(&R, n));
            assert!((here - there).abs() < 1e-13);
            assert!(here <= 2.0);
        }
    }
}
