//! Sensitivity to the direction of the contact: extremes of m_eff and T_c in a cone about the
//! normal (Gonzalez et al., end of section 2.2).
//!
//! All rows through one pair of points share the 3 × 3 mobility Λ and the relative velocity w of the
//! points: m_eff(n) = 1 / nᵀ Λ n and T_c(n) = ½ (n · w)² / nᵀ Λ n, eq. (3.4).

use nalgebra::Matrix3;

use crate::contact::{POSE, natural_speed};
use crate::dynamics::{Posture, RowWork, RowWrench};
use crate::maths::{Mat3, Vec3, spatial::tangents};
use crate::model::Place;

/// A direction is immobile if nᵀ Λ n is below this fraction of the largest mobility on free bodies, the round-off of Λ's entries.
const ENTRIES_ZERO: f64 = 1e-14;
/// Directions sampled on the rim before each extreme is refined.
const RIM: usize = 720;

/// Λ and w of two contact points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMobility {
    /// Λ: relative velocity of the points per impulse between them \[1/kg\].
    pub mobility: Mat3,
    /// Relative velocity of point b against point a \[m/s\].
    pub velocity: Vec3,
    /// Natural size of mobilities \[1/kg\].
    natural: f64,
    /// Closing speeds of an immobile direction above this are those of a drive \[m/s\]; ∞ without drives.
    driven_speed: f64,
    planar: bool,
}

/// Smallest and largest value, with the angle from the normal where each is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Smallest value.
    pub least: f64,
    /// Angle from the normal \[rad\].
    pub least_at: f64,
    /// Largest value.
    pub most: f64,
    /// Angle from the normal \[rad\].
    pub most_at: f64,
}

/// Extremes over a cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Half angle \[rad\].
    pub half_angle: f64,
    /// m_eff \[kg\].
    pub mass: Extremes,
    /// T_c \[J\].
    pub energy: Extremes,
}

impl PointMobility {
    /// Of two points at a posture.
    pub fn new(at: &Posture<'_>, a: (Place, Vec3), b: (Place, Vec3)) -> Self {
        Self::of(at, a, b, |row| at.settled_mobility(row))
    }

    /// Of a point of a body against ground, without allocating.
    pub fn of_point(at: &Posture<'_>, body: Place, point: Vec3, work: &mut RowWork) -> Self {
        Self::of(at, (None, point), (body, point), |row| at.settled_mobility_in(row, work))
    }

    fn of(
        at: &Posture<'_>,
        a: (Place, Vec3),
        b: (Place, Vec3),
        mut settled: impl FnMut(&RowWrench) -> f64,
    ) -> Self {
        let row = |n: &Vec3| RowWrench::of_normal(at.frames(), a, b, n);
        let mut mobility = Mat3::zeros();
        let mut velocity = Vec3::zeros();
        let mut natural = 0.0_f64;
        for k in 0..3 {
            let e = Vec3::ith(k, 1.0);
            let own = row(&e);
            velocity[k] = at.rate(&own);
            natural = natural.max(own.free_mobility(at.model(), at.frames()));
            mobility[(k, k)] = settled(&own);
            for j in 0..k {
                // Λ_jk from the diagonal of (e_j + e_k): (Λ_jj + Λ_kk + 2 Λ_jk).
                let both = row(&(e + Vec3::ith(j, 1.0)));
                let cross = 0.5 * (settled(&both) - mobility[(k, k)] - mobility[(j, j)]);
                mobility[(j, k)] = cross;
                mobility[(k, j)] = cross;
            }
        }
        // Without a drive |u| ≤ √(2 T W) is below this bound in every immobile direction.
        let driven_speed = if at.model().drives.is_empty() {
            f64::INFINITY
        } else {
            POSE * natural_speed(natural, at.kinetic_energy())
        };
        Self { mobility, velocity, natural, driven_speed, planar: at.model().is_planar() }
    }

    /// m_eff along a direction.
    pub fn mass(&self, n: &Vec3) -> f64 {
        let W = n.dot(&(self.mobility * n));
        if W <= ENTRIES_ZERO * self.natural { f64::INFINITY } else { 1.0 / W }
    }

    /// T_c along a direction. Where it is immobile: ∞ if a drive closes the contact, otherwise zero.
    pub fn energy(&self, n: &Vec3) -> f64 {
        let (m, u) = (self.mass(n), n.dot(&self.velocity));
        if m.is_finite() {
            0.5 * m * u * u
        } else if u < -self.driven_speed {
            f64::INFINITY
        } else {
            0.0
        }
    }

    /// Extremes of m_eff and T_c over all directions within `half_angle` of `normal`.
    pub fn cone(&self, normal: &Vec3, half_angle: f64) -> Cone {
        let mass = |n: &Vec3| self.mass(n);
        let energy = |n: &Vec3| self.energy(n);
        Cone {
            half_angle,
            mass: self.extremes(&mass, normal, half_angle, &self.principal_directions()),
            energy: self.extremes(&energy, normal, half_angle, &self.energy_directions(normal)),
        }
    }

    /// Eigenvectors of Λ: where m_eff is stationary.
    pub fn principal_directions(&self) -> Vec<Vec3> {
        if self.planar {
            let L = &self.mobility;
            let angle = 0.5 * (2.0 * L[(0, 1)]).atan2(L[(0, 0)] - L[(1, 1)]);
            let (s, c) = angle.sin_cos();
            return vec![Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0)];
        }
        let eigen = self.mobility.symmetric_eigen();
        eigen.eigenvectors.column_iter().map(nalgebra::Matrix::into_owned).collect()
    }

    /// Where T_c is stationary: n ∝ Λ⁻¹ w (largest), and n ⟂ w (zero), the one nearest `normal`.
    fn energy_directions(&self, normal: &Vec3) -> Vec<Vec3> {
        let w = &self.velocity;
        let mut L: Matrix3<f64> = self.mobility;
        if self.planar {
            L[(2, 2)] = self.natural;
        }
        let mut out = Vec::new();
        let stationary = L.try_inverse().map(|inverse| inverse * w);
        if let Some(x) = stationary.filter(|x| x.norm() > 0.0 && x.norm().is_finite()) {
            out.push(x.normalize());
        }
        if w.norm() > 0.0 {
            let rest = normal - w * (normal.dot(w) / w.norm_squared());
            if rest.norm() > 1e-12 {
                out.push(rest.normalize());
            }
        }
        out
    }

    fn extremes(
        &self,
        value: &dyn Fn(&Vec3) -> f64,
        normal: &Vec3,
        half_angle: f64,
        stationary: &[Vec3],
    ) -> Extremes {
        let start = value(normal);
        let mut out = Extremes { least: start, least_at: 0.0, most: start, most_at: 0.0 };
        let mut consider = |n: &Vec3| {
            let x = value(n);
            let angle = normal.cross(n).norm().atan2(normal.dot(n));
            if x < out.least {
                (out.least, out.least_at) = (x, angle);
            }
            if x > out.most {
                (out.most, out.most_at) = (x, angle);
            }
        };
        for direction in stationary {
            for n in [*direction, -direction] {
                if normal.dot(&n) >= half_angle.cos() {
                    consider(&n);
                }
            }
        }
        if self.planar {
            for sign in [-1.0, 1.0] {
                let (s, c) = (sign * half_angle).sin_cos();
                consider(&(normal * c + Vec3::z().cross(normal) * s));
            }
            return out;
        }
        let (t1, t2) = tangents(normal);
        let (sine, cosine) = half_angle.sin_cos();
        let rim = |phi: f64| normal * cosine + (t1 * phi.cos() + t2 * phi.sin()) * sine;
        let step = std::f64::consts::TAU / RIM as f64;
        let around: Vec<f64> = (0..RIM).map(|k| value(&rim(k as f64 * step))).collect();
        for sign in [-1.0, 1.0] {
            let height = |phi: f64| sign * value(&rim(phi));
            let best = (0..RIM).max_by(|x, y| (sign * around[*x]).total_cmp(&(sign * around[*y])));
            let best = best.unwrap_or(0) as f64 * step;
            consider(&rim(climb(&height, best - step, best + step)));
        }
        out
    }
}

/// The largest value between two ends, by golden section.
fn climb(height: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..60 {
        let (x, y) = (high - golden * (high - low), low + golden * (high - low));
        if height(x) > height(y) {
            high = y;
        } else {
            low = x;
        }
    }
    0.5 * (low + high)
}
