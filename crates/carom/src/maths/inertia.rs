//! Articulated inertia: the symmetric 6 × 6 matrix between a body's acceleration and the wrench
//! it takes, when the joints further out are free.
//!
//! ```text
//! [moment]   [ J  H ] [angular]
//! [force ] = [ Hᵀ M ] [linear ]        about one point, in world axes
//! ```

use super::spatial::{Mat3, Twist, Vec3, Wrench};

/// Upper triangle of a symmetric 3 × 3 matrix: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Symmetric(pub [f64; 6]);

impl Symmetric {
    /// The upper triangle of a matrix.
    pub fn of(m: &Mat3) -> Self {
        Self([m[(0, 0)], m[(0, 1)], m[(0, 2)], m[(1, 1)], m[(1, 2)], m[(2, 2)]])
    }

    /// The full matrix.
    pub fn full(&self) -> Mat3 {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// The product with a vector.
    #[inline]
    pub fn times(&self, x: &Vec3) -> Vec3 {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        Vec3::new(
            xx * x.x + xy * x.y + xz * x.z,
            xy * x.x + yy * x.y + yz * x.z,
            xz * x.x + yz * x.y + zz * x.z,
        )
    }

    /// S ← S + k x xᵀ.
    #[inline]
    fn add_square(&mut self, k: f64, x: &Vec3) {
        let (a, b, c) = (k * x.x, k * x.y, k * x.z);
        self.0[0] += a * x.x;
        self.0[1] += a * x.y;
        self.0[2] += a * x.z;
        self.0[3] += b * x.y;
        self.0[4] += b * x.z;
        self.0[5] += c * x.z;
    }
}

/// The 6 × 6 matrix in its three blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia {
    /// J \[kg m²\].
    pub rotation: Symmetric,
    /// H \[kg m\].
    pub coupling: Mat3,
    /// M \[kg\].
    pub mass: Symmetric,
}

impl Default for ArticulatedInertia {
    fn default() -> Self {
        Self::zero()
    }
}

impl ArticulatedInertia {
    /// No inertia.
    pub fn zero() -> Self {
        Self { rotation: Symmetric::default(), coupling: Mat3::zeros(), mass: Symmetric::default() }
    }

    /// A rigid body: mass, m c (world axes), inertia about the reference point (world axes).
    #[inline]
    pub fn rigid(mass: f64, first_moment: &Vec3, rotation: Symmetric) -> Self {
        let h = first_moment;
        Self {
            rotation,
            coupling: Mat3::new(0.0, -h.z, h.y, h.z, 0.0, -h.x, -h.y, h.x, 0.0),
            mass: Symmetric([mass, 0.0, 0.0, mass, 0.0, mass]),
        }
    }

    /// Adds a rigid body: mass, m c (world axes), and its inertia about the reference point as
    /// j 1 + Σ a aᵀ (world axes).
    #[inline]
    pub fn add_rigid(&mut self, mass: f64, first_moment: &Vec3, j: f64, axes: &[Vec3; 2]) {
        let mut own = Symmetric([j, 0.0, 0.0, j, 0.0, j]);
        own.add_square(1.0, &axes[0]);
        own.add_square(1.0, &axes[1]);
        for k in 0..6 {
            self.rotation.0[k] += own.0[k];
        }
        let h = first_moment;
        let H = &mut self.coupling;
        H.m12 -= h.z;
        H.m13 += h.y;
        H.m21 += h.z;
        H.m23 -= h.x;
        H.m31 -= h.y;
        H.m32 += h.x;
        self.mass.0[0] += mass;
        self.mass.0[3] += mass;
        self.mass.0[5] += mass;
    }

    /// The wrench of a motion.
    #[inline]
    pub fn times(&self, twist: &Twist) -> Wrench {
        Wrench {
            moment: self.rotation.times(&twist.ang) + self.coupling * twist.lin,
            force: self.coupling.tr_mul(&twist.ang) + self.mass.times(&twist.lin),
        }
    }

    /// The wrench of a rotation about the reference point.
    #[inline]
    pub fn times_rotation(&self, axis: &Vec3) -> Wrench {
        Wrench { moment: self.rotation.times(axis), force: self.coupling.tr_mul(axis) }
    }

    /// The wrench of a translation.
    #[inline]
    pub fn times_translation(&self, axis: &Vec3) -> Wrench {
        Wrench { moment: self.coupling * axis, force: self.mass.times(axis) }
    }

    /// I ← I + k w wᵀ.
    #[inline]
    pub fn add_square(&mut self, k: f64, w: &Wrench) {
        self.rotation.add_square(k, &w.moment);
        self.mass.add_square(k, &w.force);
        let (m, f) = (&w.moment, w.force * k);
        let H = &mut self.coupling;
        H.m11 += m.x * f.x;
        H.m21 += m.y * f.x;
        H.m31 += m.z * f.x;
        H.m12 += m.x * f.y;
        H.m22 += m.y * f.y;
        H.m32 += m.z * f.y;
        H.m13 += m.x * f.z;
        H.m23 += m.y * f.z;
        H.m33 += m.z * f.z;
    }

    /// I ← I + other.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for k in 0..6 {
            self.rotation.0[k] += other.rotation.0[k];
            self.mass.0[k] += other.mass.0[k];
        }
        self.coupling += other.coupling;
    }

    /// Takes the inertia about another point instead, from which the present one stands at `r`.
    ///
    /// With r̃ the matrix of r×: H ← H + r̃ M, J ← J − H r̃ − (H r̃)ᵀ − r̃ M r̃.
    #[inline]
    pub fn shift(&mut self, r: &Vec3) {
        let [xx, xy, xz, yy, yz, zz] = self.mass.0;
        let (x, y, z) = (r.x, r.y, r.z);
        let H = self.coupling;
        // G = H + r̃ M
        let G = Mat3::new(
            H.m11 + (y * xz - z * xy),
            H.m12 + (y * yz - z * yy),
            H.m13 + (y * zz - z * yz),
            H.m21 + (z * xx - x * xz),
            H.m22 + (z * xy - x * yz),
            H.m23 + (z * xz - x * zz),
            H.m31 + (x * xy - y * xx),
            H.m32 + (x * yy - y * xy),
            H.m33 + (x * yz - y * xz),
        );
        // Row i of A r̃ is (z Aᵢ₂ − y Aᵢ₃, x Aᵢ₃ − z Aᵢ₁, y Aᵢ₁ − x Aᵢ₂); J loses G r̃ + (H r̃)ᵀ.
        let J = &mut self.rotation.0;
        J[0] -= z * (G.m12 + H.m12) - y * (G.m13 + H.m13);
        J[1] -= (x * G.m13 - z * G.m11) + (z * H.m22 - y * H.m23);
        J[2] -= (y * G.m11 - x * G.m12) + (z * H.m32 - y * H.m33);
        J[3] -= x * (G.m23 + H.m23) - z * (G.m21 + H.m21);
        J[4] -= (y * G.m21 - x * G.m22) + (x * H.m33 - z * H.m31);
        J[5] -= y * (G.m31 + H.m31) - x * (G.m32 + H.m32);
        self.coupling = G;
    }

    /// The full 6 × 6 matrix, rotation first.
    pub fn full(&self) -> nalgebra::Matrix6<f64> {
        let mut out = nalgebra::Matrix6::zeros();
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.rotation.full());
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.coupling);
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&self.coupling.transpose());
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.mass.full());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::spatial::skew;

    #[test]
    fn a_shift_is_the_congruence_with_the_shift_of_velocities() {
        let mut I = ArticulatedInertia::rigid(
            2.0,
            &Vec3::new(0.3, -0.2, 0.5),
            Symmetric([3.0, 0.1, 0.2, 4.0, -0.3, 5.0]),
        );
        I.add_square(
            -0.4,
            &Wrench { moment: Vec3::new(0.3, 0.7, -0.1), force: Vec3::new(0.2, -0.5, 0.9) },
        );
        let r = Vec3::new(0.7, -1.1, 0.4);
        let mut X = nalgebra::Matrix6::identity();
        X.fixed_view_mut::<3, 3>(3, 0).copy_from(&-skew(&r));
        let expected = X.transpose() * I.full() * X;
        I.shift(&r);
        assert!((I.full() - expected).norm() < 1e-14);
    }

    #[test]
    fn a_product_is_the_full_matrix_times_the_twist() {
        let I = ArticulatedInertia::rigid(
            2.0,
            &Vec3::new(0.3, -0.2, 0.5),
            Symmetric([3.0, 0.1, 0.2, 4.0, -0.3, 5.0]),
        );
        let t = Twist { ang: Vec3::new(1.0, 2.0, 3.0), lin: Vec3::new(-1.0, 0.5, 0.25) };
        let full =
            I.full() * nalgebra::Vector6::new(t.ang.x, t.ang.y, t.ang.z, t.lin.x, t.lin.y, t.lin.z);
        let w = I.times(&t);
        assert!((full.fixed_rows::<3>(0) - w.moment).norm() < 1e-14);
        assert!((full.fixed_rows::<3>(3) - w.force).norm() < 1e-14);
    }
}
