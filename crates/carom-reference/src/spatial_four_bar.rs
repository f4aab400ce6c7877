//! A spatial four-bar: crank and rocker on skew axes, joined by a slender coupler (RSSR, RSUR).
//!
//! The crank turns about z at the origin, its end at A = r (cos θ, sin θ, 0). The rocker turns about an
//! axis along y through C, its end at B = C + R (cos φ, 0, −sin φ). The coupler keeps |B − A| = L. A slender
//! coupler has no inertia about its own line, so whether its spin is free (two spherical joints) or
//! held (a universal one) makes no difference.

use crate::space::{Vector, add, cross, dot, norm, scale, sub};

/// Slender crank, coupler and rocker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialFourBar {
    /// r, L, R.
    pub length: [f64; 3],
    /// Masses of crank, coupler, rocker.
    pub mass: [f64; 3],
    /// C, on the rocker's axis.
    pub pivot: Vector,
}

impl SpatialFourBar {
    /// A.
    pub fn crank_end(&self, theta: f64) -> Vector {
        let (s, c) = theta.sin_cos();
        [self.length[0] * c, self.length[0] * s, 0.0]
    }

    /// B.
    pub fn rocker_end(&self, phi: f64) -> Vector {
        let (s, c) = phi.sin_cos();
        add(self.pivot, scale(self.length[2], [c, 0.0, -s]))
    }

    /// φ from |B − A|² = L²: 2R (D_x cos φ − D_z sin φ) = L² − R² − D², D = C − A. `upper` picks one of the
    /// two solutions; none where the loop does not close.
    pub fn rocker_angle(&self, theta: f64, upper: bool) -> Option<f64> {
        let [_, length, R] = self.length;
        let D = sub(self.pivot, self.crank_end(theta));
        let (P, Q) = (2.0 * R * D[0], -2.0 * R * D[2]);
        let cosine = (length * length - R * R - dot(D, D)) / P.hypot(Q);
        if cosine.abs() > 1.0 {
            return None;
        }
        Some(Q.atan2(P) + if upper { cosine.acos() } else { -cosine.acos() })
    }

    /// Velocities of A and B and the rate φ̇, for θ̇ = 1: (B − A) · (Ḃ − Ȧ) = 0.
    pub fn velocities(&self, theta: f64, phi: f64) -> (Vector, Vector, f64) {
        let (A, B) = (self.crank_end(theta), self.rocker_end(phi));
        let rod = sub(B, A);
        let A_dot = cross([0.0, 0.0, 1.0], A);
        let B_phi = cross([0.0, 1.0, 0.0], sub(B, self.pivot));
        let rate = dot(rod, A_dot) / dot(rod, B_phi);
        (A_dot, scale(rate, B_phi), rate)
    }

    /// 2 T / θ̇².
    pub fn reduced_inertia(&self, theta: f64, phi: f64) -> f64 {
        let [r, _, R] = self.length;
        let [m2, m3, m4] = self.mass;
        let (a, b, rate) = self.velocities(theta, phi);
        m2 * r * r / 3.0
            + m3 * (dot(a, a) + dot(a, b) + dot(b, b)) / 3.0
            + m4 * R * R / 3.0 * rate * rate
    }

    /// m_eff along `n` of the point at the fraction `s` of the coupler, from A to B.
    pub fn effective_mass(&self, theta: f64, phi: f64, s: f64, n: Vector) -> f64 {
        let (a, b, _) = self.velocities(theta, phi);
        let v = add(scale(1.0 - s, a), scale(s, b));
        self.reduced_inertia(theta, phi) / dot(n, v).powi(2)
    }

    /// Azimuth about z and elevation about the new y of the coupler as the crank's universal joint
    /// sees it: (B − A)/L = Rz(θ + q₁) Ry(q₂) x.
    pub fn universal_angles(&self, theta: f64, phi: f64) -> [f64; 2] {
        let rod = sub(self.rocker_end(phi), self.crank_end(theta));
        let azimuth = rod[1].atan2(rod[0]) - theta;
        [azimuth, (-rod[2] / norm(rod)).asin()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKAGE: SpatialFourBar =
        SpatialFourBar { length: [0.2, 0.8, 0.5], mass: [0.4, 0.9, 0.7], pivot: [0.6, 0.3, -0.1] };

    #[test]
    fn the_coupler_keeps_its_length_and_the_ratio_is_the_slope() {
        let step = 1e-6;
        for upper in [true, false] {
            for theta in [0.2, 1.0, 2.5, 4.0] {
                let at = |theta| LINKAGE.rocker_angle(theta, upper).expect("a crank");
                let phi = at(theta);
                let rod = sub(LINKAGE.rocker_end(phi), LINKAGE.crank_end(theta));
                assert!((norm(rod) - 0.8).abs() < 1e-14);
                let slope = (at(theta + step) - at(theta - step)) / (2.0 * step);
                let (_, _, rate) = LINKAGE.velocities(theta, phi);
                assert!((slope - rate).abs() < 1e-7, "{slope} {rate}");
            }
        }
    }

    #[test]
    fn the_universal_angles_point_the_coupler() {
        use crate::space::{about_y, about_z, apply};
        let (theta, phi) = (1.0, LINKAGE.rocker_angle(1.0, false).expect("a crank"));
        let [q1, q2] = LINKAGE.universal_angles(theta, phi);
        let along = apply(&about_z(theta + q1), apply(&about_y(q2), [0.8, 0.0, 0.0]));
        let B = add(LINKAGE.crank_end(theta), along);
        assert!(norm(sub(B, LINKAGE.rocker_end(phi))) < 1e-14);
    }
}
