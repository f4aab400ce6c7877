//! Articulated inertia: the symmetric 6 × 6 matrix between a body's acceleration and the wrench
//! it takes, when the joints further out are free.
//!
//! ```text
//! [moment]   [ J  H ] [angular]
//! [force ] = [ Hᵀ M ] [linear ]        about one point, in world axes
//! ```
//!
//! The blocks are kept by their diagonals, as vectors: of J and M that in the middle, (xx, yy, zz), and the entries beside it, (yz, zx, xy);
//! of H the three cyclic ones, (xx, yy, zz), (xy, yz, zx) and (xz, yx, zy). All products then are products of vectors entry by entry, whose
//! entries have been exchanged in turn.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use super::register::{Padded, Vector};
use super::spatial::Wrench;

/// The matrix in registers, of one state or of several.
#[derive(Clone, Copy, Debug)]
pub struct Inertia<V> {
    J: [V; 2],
    H: [V; 3],
    M: [V; 2],
}

/// Moment and force in registers.
#[derive(Clone, Copy, Debug)]
pub struct Pair<V> {
    /// Moment about the reference point.
    pub moment: V,
    /// Force.
    pub force: V,
}

impl<V: Vector> Pair<V> {
    /// w ← w − U x.
    #[inline(always)]
    pub fn less(&mut self, U: &Self, x: V::Number) {
        let x = self.force.all(x);
        self.moment = self.moment - U.moment * x;
        self.force = self.force - U.force * x;
    }
}

/// S x of a symmetric matrix.
#[inline(always)]
fn symmetric<V: Vector>([middle, beside]: &[V; 2], x: V, [y, z]: [V; 2]) -> V {
    *middle * x + beside.zxy() * y + beside.yzx() * z
}

impl<V: Vector> Inertia<V> {
    /// No inertia.
    #[inline(always)]
    pub fn zero(k: V) -> Self {
        let zero = k.zero();
        Self { J: [zero; 2], H: [zero; 3], M: [zero; 2] }
    }

    /// One of its vectors, for its registers.
    #[inline(always)]
    pub fn any(&self) -> V {
        self.M[0]
    }

    /// From memory.
    #[inline(always)]
    pub fn load(k: V, from: &[V::Stored; 7]) -> Self {
        Self {
            J: [k.load(&from[0]), k.load(&from[1])],
            H: [k.load(&from[2]), k.load(&from[3]), k.load(&from[4])],
            M: [k.load(&from[5]), k.load(&from[6])],
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn stored(&self) -> [V::Stored; 7] {
        let Self { J: [a, b], H: [c, d, e], M: [f, g] } = *self;
        let (J, M) = ([a.stored(), b.stored()], [f.stored(), g.stored()]);
        [J[0], J[1], c.stored(), d.stored(), e.stored(), M[0], M[1]]
    }

    /// Adds a rigid body: mass, m c (world axes), and its inertia about the reference point as
    /// j 1 + a aᵀ + b bᵀ (world axes).
    #[inline(always)]
    pub fn add_rigid(&mut self, mass: f64, first_moment: V, j: f64, [a, b]: [V; 2]) {
        self.J[0] = self.J[0] + (a.same(j) + a * a + b * b);
        self.J[1] = self.J[1] + (a.yzx() * a.zxy() + b.yzx() * b.zxy());
        self.H[1] = self.H[1] - first_moment.zxy();
        self.H[2] = self.H[2] + first_moment.yzx();
        self.M[0] = self.M[0] + a.same(mass);
    }

    /// The wrench of a rotation about the reference point.
    #[inline(always)]
    pub fn times_rotation(&self, axis: V) -> Pair<V> {
        let ([y, z], H) = ([axis.yzx(), axis.zxy()], &self.H);
        let force = H[0] * axis + H[2].yzx() * y + H[1].zxy() * z;
        Pair { moment: symmetric(&self.J, axis, [y, z]), force }
    }

    /// The wrench of a translation.
    #[inline(always)]
    pub fn times_translation(&self, axis: V) -> Pair<V> {
        let ([y, z], H) = ([axis.yzx(), axis.zxy()], &self.H);
        let moment = H[0] * axis + H[1] * y + H[2] * z;
        Pair { moment, force: symmetric(&self.M, axis, [y, z]) }
    }

    /// I ← I + k w wᵀ.
    #[inline(always)]
    pub fn add_square(&mut self, k: V::Number, w: &Pair<V>) {
        let (m, f) = (w.moment, w.force);
        let k = m.all(k);
        let (km, kf) = (m * k, f * k);
        let (y, z) = (f.yzx(), f.zxy());
        self.J[0] = self.J[0] + km * m;
        self.J[1] = self.J[1] + km.yzx() * m.zxy();
        self.M[0] = self.M[0] + kf * f;
        self.M[1] = self.M[1] + kf.yzx() * z;
        self.H[0] = self.H[0] + km * f;
        self.H[1] = self.H[1] + km * y;
        self.H[2] = self.H[2] + km * z;
    }

    /// I ← I + other.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for k in 0..2 {
            self.J[k] = self.J[k] + other.J[k];
            self.M[k] = self.M[k] + other.M[k];
        }
        for k in 0..3 {
            self.H[k] = self.H[k] + other.H[k];
        }
    }

    /// Takes the inertia about another point instead, from which the present one stands at `r`.
    ///
    /// With r̃ the matrix of r×: G = H + r̃ M, J ← J − G r̃ − (H r̃)ᵀ, H ← G.
    #[inline(always)]
    pub fn shift(&mut self, r: V) {
        let (y, z) = (r.yzx(), r.zxy());
        let ([middle, beside], H) = (self.M, self.H);
        let G = [
            H[0] + (y * beside.yzx() - z * beside.zxy()),
            H[1] + (y * beside - z * middle.yzx()),
            H[2] + (y * middle.zxy() - z * beside),
        ];
        self.J[0] = self.J[0] - (z * (G[1] + H[1]) - y * (G[2] + H[2]));
        // Of the two entries beside the middle that are equal, that of row x and column y, and so on in turn.
        let of_G = y * G[2].yzx() - r * G[0].yzx();
        let of_H = r * H[0].zxy() - z * H[1].zxy();
        self.J[1] = self.J[1] - (of_G + of_H);
        self.H = G;
    }
}

/// The matrix in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArticulatedInertia(pub [Padded; 7]);

impl ArticulatedInertia {
    /// I ← I + k w wᵀ.
    pub fn add_square(&mut self, k: f64, w: &Wrench) {
        let (m, f) = (&w.moment, &w.force);
        let [J, beside_J, H, H_y, H_z, M, beside_M] = &mut self.0;
        for i in 0..3 {
            let (y, z) = ((i + 1) % 3, (i + 2) % 3);
            let (km, kf) = (m[i] * k, f[i] * k);
            J.0[i] += km * m[i];
            beside_J.0[i] += m[y] * k * m[z];
            M.0[i] += kf * f[i];
            beside_M.0[i] += f[y] * k * f[z];
            H.0[i] += km * f[i];
            H_y.0[i] += km * f[y];
            H_z.0[i] += km * f[z];
        }
    }

    /// The full 6 × 6 matrix, rotation first.
    pub fn full(&self) -> nalgebra::Matrix6<f64> {
        let [J, beside_J, H, H_y, H_z, M, beside_M] = self.0.map(|x| x.0);
        let mut out = nalgebra::Matrix6::zeros();
        for i in 0..3 {
            let (y, z) = ((i + 1) % 3, (i + 2) % 3);
            for (at, middle, beside) in [(0, J, beside_J), (3, M, beside_M)] {
                out[(at + i, at + i)] = middle[i];
                out[(at + y, at + z)] = beside[i];
                out[(at + z, at + y)] = beside[i];
            }
            for (j, h) in [(i, H[i]), (y, H_y[i]), (z, H_z[i])] {
                out[(i, 3 + j)] = h;
                out[(3 + j, i)] = h;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::register::single::{Registers, Sweep};
    use crate::maths::spatial::{Mat3, Vec3, skew};

    const MASS: f64 = 2.0;
    const FIRST: Vec3 = Vec3::new(0.3, -0.2, 0.5);
    const AXES: [Vec3; 2] = [Vec3::new(1.0, 0.1, 0.2), Vec3::new(-0.3, 0.7, 0.4)];
    const OUT: Wrench =
        Wrench { moment: Vec3::new(0.3, 0.7, -0.1), force: Vec3::new(0.2, -0.5, 0.9) };
    const ARM: Vec3 = Vec3::new(0.7, -1.1, 0.4);
    /// Some sums of numbers near one.
    const ROUND_OFF: f64 = 1e-14;

    /// Inertias in memory, and wrenches of the unit axes: what the operations in registers make.
    struct Made {
        rigid: ArticulatedInertia,
        squared: ArticulatedInertia,
        shifted: ArticulatedInertia,
        doubled: ArticulatedInertia,
        products: [[Padded; 2]; 6],
    }

    struct Make;

    impl Sweep for Make {
        type Output = Made;

        fn with<V: Vector<Number = f64, Stored = Padded>>(self, k: V) -> Made {
            let [first, a, b, moment, force, arm] =
                [FIRST, AXES[0], AXES[1], OUT.moment, OUT.force, ARM].map(|x| k.load(&x.into()));
            let mut I = Inertia::zero(k);
            I.add_rigid(MASS, first, 3.0, [a, b]);
            let rigid = ArticulatedInertia(I.stored());
            I.add_square(-0.4, &Pair { moment, force });
            let squared = ArticulatedInertia(I.stored());
            I.shift(arm);
            let shifted = ArticulatedInertia(I.stored());
            let products = std::array::from_fn(|n| {
                let mut axis = [0.0; 4];
                axis[n % 3] = 1.0;
                let axis = k.load(&Padded(axis));
                let w = if n < 3 { I.times_rotation(axis) } else { I.times_translation(axis) };
                [w.moment.stored(), w.force.stored()]
            });
            I.add(&Inertia::load(k, &shifted.0));
            Made { rigid, squared, shifted, doubled: ArticulatedInertia(I.stored()), products }
        }
    }

    fn registers() -> Vec<Made> {
        vec![Registers::new().run(Make), Registers::Plain.run(Make)]
    }

    #[test]
    fn operations_in_registers_are_those_of_matrices() {
        for made in registers() {
            let J = Mat3::identity() * 3.0
                + AXES[0] * AXES[0].transpose()
                + AXES[1] * AXES[1].transpose();
            let mut full = nalgebra::Matrix6::zeros();
            full.fixed_view_mut::<3, 3>(0, 0).copy_from(&J);
            full.fixed_view_mut::<3, 3>(0, 3).copy_from(&skew(&FIRST));
            full.fixed_view_mut::<3, 3>(3, 0).copy_from(&skew(&FIRST).transpose());
            full.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() * MASS));
            assert!((made.rigid.full() - full).norm() < ROUND_OFF);
            let mut w = nalgebra::Vector6::zeros();
            w.fixed_rows_mut::<3>(0).copy_from(&OUT.moment);
            w.fixed_rows_mut::<3>(3).copy_from(&OUT.force);
            full += w * w.transpose() * -0.4;
            assert!((made.squared.full() - full).norm() < ROUND_OFF);
            let mut X = nalgebra::Matrix6::identity();
            X.fixed_view_mut::<3, 3>(3, 0).copy_from(&-skew(&ARM));
            full = X.transpose() * full * X;
            assert!((made.shifted.full() - full).norm() < ROUND_OFF);
            for (n, [moment, force]) in made.products.iter().enumerate() {
                let column = full.column(n);
                assert!((column.fixed_rows::<3>(0) - moment.vector()).norm() < ROUND_OFF);
                assert!((column.fixed_rows::<3>(3) - force.vector()).norm() < ROUND_OFF);
            }
            assert!((made.doubled.full() - full * 2.0).norm() < ROUND_OFF);
        }
    }

    #[test]
    fn all_registers_give_the_same_bits() {
        let made = registers();
        let bits = |made: &Made| {
            let inertias = [made.rigid, made.squared, made.shifted, made.doubled];
            let numbers =
                inertias.iter().flat_map(|I| I.0).chain(made.products.into_iter().flatten());
            numbers.flat_map(|x| [x.0[0], x.0[1], x.0[2]]).map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&made[0]), bits(&made[1]));
    }

    #[test]
    fn a_square_in_memory_is_one_in_registers() {
        let made = registers().remove(0);
        let mut own = made.rigid;
        own.add_square(-0.4, &OUT);
        assert!((own.full() - made.squared.full()).norm() < ROUND_OFF);
    }
}
