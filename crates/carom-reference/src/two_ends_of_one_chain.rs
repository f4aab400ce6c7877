//! A free chain of three rods whose two ends hit each other (after Nikravesh-Poursina, fig. 5).
//!
//! The middle rod lies in the plane with its centre at (x, y) and angle θ₀; an arm is pinned to
//! each of its ends, at absolute angles θ_l and θ_r measured from +x, counted from the pin
//! outwards. The two sides of this contact are not two subsystems: an impulse at one end moves
//! the other, so eq. 2 with apparent masses is wrong and the coupling W_ij is needed.

use crate::linear;

/// Slender rods: the middle one and the two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// Mass of the middle rod.
    pub middle_mass: f64,
    /// Length of the middle rod.
    pub middle_length: f64,
    /// Masses of the left and the right arm.
    pub arm_mass: [f64; 2],
    /// Lengths of the left and the right arm.
    pub arm_length: [f64; 2],
}

/// A contact between two places that need not belong to separate subsystems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// m_eff.
    pub effective_mass: f64,
    /// m_app of the left and the right end, 1/(A_k Y A_kᵀ).
    pub apparent_mass: [f64; 2],
    /// W_ij = A_i Y A_jᵀ: zero only between separate subsystems.
    pub coupling: f64,
}

impl Chain {
    /// Rates of x and y of a point at the distance `along` from the pin of arm `k`, in the
    /// coordinates x, y, θ₀, θ_l, θ_r.
    fn point_rates(&self, k: usize, along: f64, middle: f64, arm: f64) -> [[f64; 5]; 2] {
        let sign = if k == 0 { -0.5 } else { 0.5 };
        let (s0, c0) = middle.sin_cos();
        let (s, c) = arm.sin_cos();
        let reach = sign * self.middle_length;
        let mut x = [1.0, 0.0, -reach * s0, 0.0, 0.0];
        let mut y = [0.0, 1.0, reach * c0, 0.0, 0.0];
        x[3 + k] = -along * s;
        y[3 + k] = along * c;
        [x, y]
    }

    /// The mass matrix in ẋ, ẏ, θ̇₀, θ̇_l, θ̇_r: Σ m Jᵀ J over the mass centres plus m L²/12.
    pub fn mass_matrix(&self, middle: f64, arms: [f64; 2]) -> [[f64; 5]; 5] {
        let mut M = [[0.0; 5]; 5];
        let m0 = self.middle_mass;
        M[0][0] = m0;
        M[1][1] = m0;
        M[2][2] = m0 * self.middle_length * self.middle_length / 12.0;
        for (k, arm) in arms.into_iter().enumerate() {
            let (m, length) = (self.arm_mass[k], self.arm_length[k]);
            let rates = self.point_rates(k, 0.5 * length, middle, arm);
            for i in 0..5 {
                for j in 0..5 {
                    M[i][j] += m * (rates[0][i] * rates[0][j] + rates[1][i] * rates[1][j]);
                }
            }
            M[3 + k][3 + k] += m * length * length / 12.0;
        }
        M
    }

    /// The contact of the two tips; `normal` points from the left tip to the right one.
    pub fn contact(&self, middle: f64, arms: [f64; 2], normal: [f64; 2]) -> Contact {
        let M = self.mass_matrix(middle, arms);
        // The gap's rate is n · (v_right − v_left).
        let row = |k: usize, sign: f64| -> [f64; 5] {
            let [x, y] = self.point_rates(k, self.arm_length[k], middle, arms[k]);
            std::array::from_fn(|i| sign * (normal[0] * x[i] + normal[1] * y[i]))
        };
        let (left, right) = (row(0, -1.0), row(1, 1.0));
        let both = std::array::from_fn(|i| left[i] + right[i]);
        Contact {
            effective_mass: linear::effective_mass(&M, &both),
            apparent_mass: [linear::effective_mass(&M, &left), linear::effective_mass(&M, &right)],
            coupling: linear::mobility(&M, &left, &right),
        }
    }
}

/// m_eff of equal arms that meet on the chain's line of symmetry, the normal along the middle rod.
///
/// The impact is symmetric, so the middle rod only moves along the line of symmetry and the two
/// arms turn as mirror images:
/// m_eff = (2 m L²/3 − (m L cos φ)²/(m₀ + 2 m)) / (2 L sin φ)², φ being the right arm's angle.
pub fn symmetric_effective_mass(
    middle_mass: f64,
    arm_mass: f64,
    arm_length: f64,
    right_angle: f64,
) -> f64 {
    let (s, c) = right_angle.sin_cos();
    let (m, length) = (arm_mass, arm_length);
    let first = m * length * c;
    let inertia = 2.0 * m * length * length / 3.0 - first * first / (middle_mass + 2.0 * m);
    inertia / (2.0 * length * s).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn symmetric_arms_follow_the_two_coordinate_formula() {
        let chain = Chain {
            middle_mass: 2.0,
            middle_length: 1.0,
            arm_mass: [0.8; 2],
            arm_length: [0.9; 2],
        };
        for degrees in [100.0_f64, 123.0, 150.0] {
            let phi = degrees.to_radians();
            let contact = chain.contact(0.0, [PI - phi, phi], [1.0, 0.0]);
            let expected = symmetric_effective_mass(2.0, 0.8, 0.9, phi);
            assert!((contact.effective_mass - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn the_coupling_makes_up_for_what_equation_2_misses() {
        let chain = Chain {
            middle_mass: 1.0,
            middle_length: 1.2,
            arm_mass: [0.5, 0.7],
            arm_length: [0.9, 1.1],
        };
        let contact = chain.contact(0.0, [0.3, 2.8], [0.0, 1.0]);
        let [i, j] = contact.apparent_mass;
        let inverse = 1.0 / i + 1.0 / j + 2.0 * contact.coupling;
        assert!((inverse * contact.effective_mass - 1.0).abs() < 1e-13);
        assert!(contact.coupling.abs() > 0.01, "not separate: {contact:?}");
    }

    #[test]
    fn the_answer_turns_with_the_chain() {
        let chain = Chain {
            middle_mass: 1.0,
            middle_length: 1.2,
            arm_mass: [0.5, 0.7],
            arm_length: [0.9, 1.1],
        };
        let turn = 0.9_f64;
        let (s, c) = turn.sin_cos();
        let a = chain.contact(0.3, [1.0, 2.4], [0.8, 0.6]).effective_mass;
        let n = [0.8 * c - 0.6 * s, 0.8 * s + 0.6 * c];
        let b = chain.contact(0.3 + turn, [1.0 + turn, 2.4 + turn], n).effective_mass;
        assert!((a - b).abs() < 1e-14);
    }
}
