//! Numbers, vectors and rotations of several states side by side.
//!
//! Every operation is that of plain numbers, entry by entry and in the same order, so that a lane holds the bits of a single
//! evaluation on every processor. Plain arrays are enough for the compiler to use vector registers. Rust never contracts a product and
//! a sum into one rounding.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::maths::trigonometry::sin_cos_of;
use crate::maths::{Mat3, Vec3};

/// How many states stand side by side: the doubles of one AVX register.
pub const WIDTH: usize = 4;

/// A number of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Lane(pub [f64; WIDTH]);

impl Lane {
    /// The same number in all states.
    #[inline(always)]
    pub fn all(x: f64) -> Self {
        Self([x; WIDTH])
    }

    /// sin and cos.
    #[inline(always)]
    pub fn sin_cos(self) -> (Self, Self) {
        let (s, c) = sin_cos_of(self.0);
        (Self(s), Self(c))
    }

    /// 1/x.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let x = self.0;
        Self([1.0 / x[0], 1.0 / x[1], 1.0 / x[2], 1.0 / x[3]])
    }

    /// x/y.
    #[inline(always)]
    pub fn divided_by(self, y: f64) -> Self {
        let x = self.0;
        Self([x[0] / y, x[1] / y, x[2] / y, x[3] / y])
    }

    /// Whether every state's number is greater.
    #[inline(always)]
    pub fn all_above(self, least: f64) -> bool {
        self.0.iter().all(|x| *x > least)
    }
}

impl Add for Lane {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3]])
    }
}

impl Sub for Lane {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3]])
    }
}

impl Mul for Lane {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3]])
    }
}

impl Mul<f64> for Lane {
    type Output = Self;
    #[inline(always)]
    fn mul(self, y: f64) -> Self {
        self * Self::all(y)
    }
}

impl Neg for Lane {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let x = self.0;
        Self([-x[0], -x[1], -x[2], -x[3]])
    }
}

impl AddAssign for Lane {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Lane {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A vector of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneVector(pub [Lane; 3]);

impl LaneVector {
    /// The vectors of the states.
    pub fn of(states: [Vec3; WIDTH]) -> Self {
        let mut out = Self::default();
        for (k, vector) in states.iter().enumerate() {
            for i in 0..3 {
                out.0[i].0[k] = vector[i];
            }
        }
        out
    }

    /// The vector of one state.
    pub fn state(&self, k: usize) -> Vec3 {
        Vec3::new(self.0[0].0[k], self.0[1].0[k], self.0[2].0[k])
    }

    /// Scaled.
    #[inline(always)]
    pub fn times(&self, x: Lane) -> Self {
        Self([self.0[0] * x, self.0[1] * x, self.0[2] * x])
    }

    /// The inner product.
    #[inline(always)]
    pub fn dot(&self, o: &Self) -> Lane {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }

    /// The outer product.
    #[inline(always)]
    pub fn cross(&self, o: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }
}

impl Add for LaneVector {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}

impl Sub for LaneVector {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]])
    }
}

/// A rotation of each state, by rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneMatrix(pub [[Lane; 3]; 3]);

impl LaneMatrix {
    /// The same matrix in all states.
    pub fn all(m: &Mat3) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| Lane::all(m[(i, j)]))))
    }

    /// The matrix of one state.
    pub fn state(&self, k: usize) -> Mat3 {
        Mat3::from_fn(|i, j| self.0[i][j].0[k])
    }

    /// A column.
    #[inline(always)]
    pub fn column(&self, j: usize) -> LaneVector {
        LaneVector([self.0[0][j], self.0[1][j], self.0[2][j]])
    }

    /// R S of a constant matrix S, column by column as nalgebra does it.
    #[inline(always)]
    pub fn times_constant(&self, s: &Mat3) -> Self {
        let mut out = Self::default();
        for j in 0..3 {
            let column = self.times_vector(&s.column(j).into_owned());
            for i in 0..3 {
                out.0[i][j] = column.0[i];
            }
        }
        out
    }

    /// R S.
    #[inline(always)]
    pub fn times(&self, s: &Self) -> Self {
        let mut out = Self::default();
        for i in 0..3 {
            for j in 0..3 {
                out.0[i][j] =
                    self.0[i][0] * s.0[0][j] + self.0[i][1] * s.0[1][j] + self.0[i][2] * s.0[2][j];
            }
        }
        out
    }

    /// R x of a constant vector x.
    #[inline(always)]
    pub fn times_vector(&self, x: &Vec3) -> LaneVector {
        let row = |r: &[Lane; 3]| r[0] * x.x + r[1] * x.y + r[2] * x.z;
        LaneVector([row(&self.0[0]), row(&self.0[1]), row(&self.0[2])])
    }

    /// R x.
    #[inline(always)]
    pub fn times_lane(&self, x: &LaneVector) -> LaneVector {
        let row = |r: &[Lane; 3]| r[0] * x.0[0] + r[1] * x.0[1] + r[2] * x.0[2];
        LaneVector([row(&self.0[0]), row(&self.0[1]), row(&self.0[2])])
    }

    /// Rᵀ x.
    #[inline(always)]
    pub fn turned_back(&self, x: &LaneVector) -> LaneVector {
        LaneVector([self.column(0).dot(x), self.column(1).dot(x), self.column(2).dot(x)])
    }

    /// R times the rotation about z by an angle.
    #[inline(always)]
    pub fn turned_about_z(&self, angle: Lane) -> Self {
        let (s, c) = angle.sin_cos();
        let row = |r: &[Lane; 3]| [c * r[0] + s * r[1], c * r[1] - s * r[0], r[2]];
        Self([row(&self.0[0]), row(&self.0[1]), row(&self.0[2])])
    }
}
