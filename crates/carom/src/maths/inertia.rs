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

    /// R S Rᵀ.
    #[inline]
    pub fn rotated(&self, R: &Mat3) -> Self {
        // B = R S, then the upper triangle of B Rᵀ.
        let a = self.times(&Vec3::new(R.m11, R.m12, R.m13));
        let b = self.times(&Vec3::new(R.m21, R.m22, R.m23));
        let c = self.times(&Vec3::new(R.m31, R.m32, R.m33));
        let (r1, r2, r3) = (
            Vec3::new(R.m11, R.m12, R.m13),
            Vec3::new(R.m21, R.m22, R.m23),
            Vec3::new(R.m31, R.m32, R.m33),
        );
        Self([a.dot(&r1), a.dot(&r2), a.dot(&r3), b.dot(&r2), b.dot(&r3), c.dot(&r3)])
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
        let f = w.force * k;
        for j in 0..3 {
            for i in 0..3 {
                self.coupling[(i, j)] += w.moment[i] * f[j];
            }
        }
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

    /// The same inertia about a point from which the present one stands at `r`.
    ///
    /// With r̃ the matrix of r×: H′ = H + r̃ M, J′ = J − H r̃ − (H r̃)ᵀ − r̃ M r̃.
    #[inline]
    pub fn shifted(&self, r: &Vec3) -> Self {
        let [xx, xy, xz, yy, yz, zz] = self.mass.0;
        let (x, y, z) = (r.x, r.y, r.z);
        // N = r̃ M
        let N = Mat3::new(
            y * xz - z * xy,
            y * yz - z * yy,
            y * zz - z * yz,
            z * xx - x * xz,
            z * xy - x * yz,
            z * xz - x * zz,
            x * xy - y * xx,
            x * yy - y * xy,
            x * yz - y * xz,
        );
        let H = &self.coupling;
        let G = H + N; // H′
        // (A r̃)ᵢ = (z Aᵢ₂ − y Aᵢ₃, x Aᵢ₃ − z Aᵢ₁, y Aᵢ₁ − x Aᵢ₂)
        let [jxx, jxy, jxz, jyy, jyz, jzz] = self.rotation.0;
        let rotation = Symmetric([
            jxx - (z * G.m12 - y * G.m13) - (z * H.m12 - y * H.m13),
            jxy - (x * G.m13 - z * G.m11) - (z * H.m22 - y * H.m23),
            jxz - (y * G.m11 - x * G.m12) - (z * H.m32 - y * H.m33),
            jyy - (x * G.m23 - z * G.m21) - (x * H.m23 - z * H.m21),
            jyz - (y * G.m21 - x * G.m22) - (x * H.m33 - z * H.m31),
            jzz - (y * G.m31 - x * G.m32) - (y * H.m31 - x * H.m32),
        ]);
        Self { rotation, coupling: G, mass: self.mass }
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
        assert!((I.shifted(&r).full() - expected).norm() < 1e-14);
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
