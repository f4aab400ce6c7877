//! Two shafts joined by a universal (Hooke's, Cardan) joint.
//!
//! Shaft 1 is the z axis, shaft 2 leans from it by the angle β in the x-z plane: s₂ = (sin β, 0, cos β).
//! The arm of the cross on shaft 1 is c₁ = (cos θ₁, sin θ₁, 0), that on shaft 2 is
//! c₂ = −sin θ₂ (cos β, 0, −sin β) + cos θ₂ (0, 1, 0), and c₁ · c₂ = 0.

use crate::space::{Vector, add, scale};

/// θ₂ with tan θ₂ = tan θ₁ / cos β, in the quadrant of θ₁.
pub fn output_angle(beta: f64, theta1: f64) -> f64 {
    theta1.sin().atan2(theta1.cos() * beta.cos())
}

/// ω₂/ω₁ = cos β / (1 − sin²β cos²θ₁).
pub fn speed_ratio(beta: f64, theta1: f64) -> f64 {
    beta.cos() / (1.0 - (beta.sin() * theta1.cos()).powi(2))
}

/// The direction of shaft 2.
pub fn output_axis(beta: f64) -> Vector {
    [beta.sin(), 0.0, beta.cos()]
}

/// c₂, the arm of the cross on shaft 2.
pub fn output_arm(beta: f64, theta1: f64) -> Vector {
    let (s, c) = output_angle(beta, theta1).sin_cos();
    add(scale(-s, [beta.cos(), 0.0, -beta.sin()]), [0.0, c, 0.0])
}

/// The angles of the joint itself: about c₁, then about c₂:
/// tan u₁ = tan β sin θ₁, sin u₂ = sin β cos θ₁.
pub fn cross_angles(beta: f64, theta1: f64) -> [f64; 2] {
    [(beta.tan() * theta1.sin()).atan(), (beta.sin() * theta1.cos()).asin()]
}

/// m_eff of a lever of length `arm` on shaft 2 hit across: (I₁ + k² I₂)/(k arm)², k = ω₂/ω₁.
///
/// I₁, I₂ about the shafts; the cross has no mass.
pub fn effective_mass(inertia: [f64; 2], beta: f64, theta1: f64, arm: f64) -> f64 {
    let k = speed_ratio(beta, theta1);
    (inertia[0] + k * k * inertia[1]) / (k * arm).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{about_x, about_y, about_z, apply, dot, norm, sub};

    #[test]
    fn the_arms_of_the_cross_stay_perpendicular() {
        let beta = 0.6;
        for k in 0..24 {
            let theta1 = 0.3 * f64::from(k);
            let c1 = [theta1.cos(), theta1.sin(), 0.0];
            let c2 = output_arm(beta, theta1);
            assert!(dot(c1, c2).abs() < 1e-15 && dot(c2, output_axis(beta)).abs() < 1e-15);
        }
    }

    #[test]
    fn the_ratio_is_the_slope_and_lies_between_cosine_and_its_inverse() {
        let (beta, step) = (0.6_f64, 1e-6);
        for theta1 in [0.0, 0.4, 1.2, 1.5] {
            let slope = (output_angle(beta, theta1 + step) - output_angle(beta, theta1 - step))
                / (2.0 * step);
            assert!((slope - speed_ratio(beta, theta1)).abs() < 1e-9);
        }
        assert!((speed_ratio(beta, 0.0) - 1.0 / beta.cos()).abs() < 1e-14);
        let quarter = std::f64::consts::FRAC_PI_2;
        assert!((speed_ratio(beta, quarter) - beta.cos()).abs() < 1e-14);
    }

    #[test]
    fn the_cross_angles_carry_shaft_1_into_shaft_2() {
        let (beta, theta1) = (0.6, 0.7);
        let [u1, u2] = cross_angles(beta, theta1);
        let turned = |x| apply(&about_z(theta1), apply(&about_x(u1), apply(&about_y(u2), x)));
        assert!(norm(sub(turned([0.0, 0.0, 1.0]), output_axis(beta))) < 1e-15);
        assert!(norm(sub(turned([0.0, 1.0, 0.0]), output_arm(beta, theta1))) < 1e-15);
    }
}
