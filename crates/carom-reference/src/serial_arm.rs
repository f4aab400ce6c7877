//! A serial arm of revolute joints in Denavit–Hartenberg parameters.
//!
//! Link k's frame follows from the one before by Rz(θ_k) Tz(d_k) Tx(a_k) Rx(α_k). The mass matrix is
//! the textbook sum Σ m Jᵥᵀ Jᵥ + J_ωᵀ J J_ω over the mass centres: a route that no recursive engine takes.

use crate::linear;
use crate::space::{Frame, Matrix, Vector, apply, cross, dot, sub, turned};

/// One link, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// d.
    pub offset: f64,
    /// a.
    pub length: f64,
    /// α.
    pub twist: f64,
    /// Mass.
    pub mass: f64,
    /// Mass centre.
    pub center: Vector,
    /// Inertia about the mass centre.
    pub inertia: Matrix,
}

/// The arm; its base frame is the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SerialArm<const N: usize> {
    /// From the base outwards.
    pub links: [Link; N],
    /// Reflected rotor inertia of each joint: its own term of the diagonal of M.
    pub rotor: [f64; N],
}

impl<const N: usize> SerialArm<N> {
    /// The frames of all links.
    pub fn frames(&self, theta: &[f64; N]) -> [Frame; N] {
        let mut frame = Frame::WORLD;
        std::array::from_fn(|k| {
            let link = &self.links[k];
            let step = Frame::denavit_hartenberg(theta[k], link.offset, link.length, link.twist);
            frame = frame.then(&step);
            frame
        })
    }

    /// Angular and linear velocity columns of link `k` at the world point `at`.
    fn columns(&self, theta: &[f64; N], k: usize, at: Vector) -> [(Vector, Vector); N] {
        let frames = self.frames(theta);
        std::array::from_fn(|j| {
            if j > k {
                return ([0.0; 3], [0.0; 3]);
            }
            let base = if j == 0 { Frame::WORLD } else { frames[j - 1] };
            (base.z(), cross(base.z(), sub(at, base.origin)))
        })
    }

    /// M.
    pub fn mass_matrix(&self, theta: &[f64; N]) -> [[f64; N]; N] {
        let frames = self.frames(theta);
        let mut M = [[0.0; N]; N];
        for (k, rotor) in self.rotor.iter().enumerate() {
            M[k][k] = *rotor;
        }
        for (k, link) in self.links.iter().enumerate() {
            let columns = self.columns(theta, k, frames[k].point(link.center));
            let J = turned(&frames[k].rotation, &link.inertia);
            for i in 0..N {
                for j in 0..N {
                    let ((w_i, v_i), (w_j, v_j)) = (columns[i], columns[j]);
                    M[i][j] += link.mass * dot(v_i, v_j) + dot(w_i, apply(&J, w_j));
                }
            }
        }
        M
    }

    /// World position of a point of the last link.
    pub fn tip(&self, theta: &[f64; N], point: Vector) -> Vector {
        self.frames(theta).last().map_or(point, |frame| frame.point(point))
    }

    /// The row of the velocity along `n` of a point of the last link.
    pub fn jacobian(&self, theta: &[f64; N], point: Vector, n: Vector) -> [f64; N] {
        let at = self.tip(theta, point);
        self.columns(theta, N.saturating_sub(1), at).map(|(_, v)| dot(n, v))
    }

    /// m_eff along `n` of a point of the last link.
    pub fn effective_mass(&self, theta: &[f64; N], point: Vector, n: Vector) -> f64 {
        linear::effective_mass(&self.mass_matrix(theta), &self.jacobian(theta, point, n))
    }
}

/// An arm of the size of a UR5: the maker's published Denavit–Hartenberg lengths, masses and mass
/// centres; inertias estimated from the links' outer size; no rotors.
pub fn ur5_like() -> SerialArm<6> {
    use std::f64::consts::FRAC_PI_2;
    let link = |d, a, twist, mass, center, [x, y, z]: Vector| Link {
        offset: d,
        length: a,
        twist,
        mass,
        center,
        inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
    };
    SerialArm {
        rotor: [0.0; 6],
        links: [
            link(
                0.089_159,
                0.0,
                FRAC_PI_2,
                3.7,
                [0.0, -0.025_61, 0.001_93],
                [0.0102, 0.0066, 0.0102],
            ),
            link(0.0, -0.425, 0.0, 8.393, [0.2125, 0.0, 0.113_36], [0.0151, 0.2269, 0.2269]),
            link(0.0, -0.392_25, 0.0, 2.33, [0.15, 0.0, 0.0265], [0.0041, 0.0494, 0.0494]),
            link(
                0.109_15,
                0.0,
                FRAC_PI_2,
                1.219,
                [0.0, -0.0018, 0.016_34],
                [0.0022, 0.0018, 0.0022],
            ),
            link(
                0.094_65,
                0.0,
                -FRAC_PI_2,
                1.219,
                [0.0, 0.0018, 0.016_34],
                [0.0022, 0.0018, 0.0022],
            ),
            link(0.0823, 0.0, 0.0, 0.1879, [0.0, 0.0, -0.001_159], [0.0001, 0.0001, 0.0001]),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_planar_arm_of_two_links_is_the_double_pendulum() {
        use crate::physical_double_pendulum::{self as planar, Link as Planar};
        let rod = |mass: f64, length: f64| Link {
            offset: 0.0,
            length,
            twist: 0.0,
            mass,
            center: [-0.5 * length, 0.0, 0.0],
            inertia: [[0.0; 3], [0.0; 3], [0.0, 0.0, mass * length * length / 12.0]],
        };
        let arm = SerialArm { links: [rod(1.0, 0.6), rod(0.7, 0.4)], rotor: [0.0; 2] };
        let ours = arm.effective_mass(&[0.3, 0.8], [0.0; 3], [0.6, 0.8, 0.0]);
        let (first, second) = (Planar::rod(1.0, 0.6), Planar::rod(0.7, 0.4));
        let theirs = planar::effective_mass(&first, &second, [0.3, 1.1], [0.6, 0.8]);
        assert!((ours - theirs).abs() < 1e-13);
    }

    #[test]
    fn the_row_is_the_slope_of_the_tip() {
        let mut random = Random::new(3);
        let arm = ur5_like();
        let theta = std::array::from_fn(|_| random.within(-2.0, 2.0));
        let n = random.unit_vector();
        let row = arm.jacobian(&theta, [0.0, 0.0, 0.1], n);
        let step = 1e-6;
        for k in 0..6 {
            let moved = |sign: f64| {
                let mut theta = theta;
                theta[k] += sign * step;
                dot(n, arm.tip(&theta, [0.0, 0.0, 0.1]))
            };
            assert!(((moved(1.0) - moved(-1.0)) / (2.0 * step) - row[k]).abs() < 1e-9);
        }
    }

    #[test]
    fn a_stretched_arm_is_heaviest_along_itself() {
        let arm = ur5_like();
        let theta = [0.0, -0.3, 0.9, -0.6, -1.5, 0.2];
        let mass = |n| arm.effective_mass(&theta, [0.0; 3], n);
        assert!(mass([1.0, 0.0, 0.0]) > 0.1 && mass([0.0, 0.0, 1.0]) < 18.0);
    }
}
