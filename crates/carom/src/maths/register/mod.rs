//! Numbers and vectors in the registers of the processor: a sweep is written once, for one state or for several side by side.
//!
//! [`Number`] is a number of one state ([`f64`]) or of each of several states; [`Vector`] is a vector of three of them. A vector of one
//! state lies in one register ([`single`]), and vectors of several states in three ([`several`]). Which registers there are is found at run
//! time: `pulp` has a safe interface to their instructions. Every operation is done entry by entry and in the order in which it is
//! written, and Rust never contracts a product and a sum into one rounding: all kinds of registers give the same bits.
//!
//! What is not inlined into the sweep is compiled for other registers, closures among it: sweeps use functions that are always inlined.
//!
//! A value lends its registers to others: `k.all(x)` and `k.load(x)` do not depend on what `k` holds.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

pub mod several;
pub mod single;

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

use crate::maths::{Mat3, Vec3};

/// A vector in memory with a fourth entry of no meaning, so that it is read and written at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Padded(pub [f64; 4]);

impl Padded {
    /// The vector.
    #[inline(always)]
    pub fn vector(&self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }
}

impl From<Vec3> for Padded {
    #[inline(always)]
    fn from(x: Vec3) -> Self {
        Self([x.x, x.y, x.z, 0.0])
    }
}

/// The columns of a matrix.
pub fn columns(m: &Mat3) -> [Padded; 3] {
    std::array::from_fn(|j| m.column(j).into_owned().into())
}

/// A number of one state, or of several states side by side.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Debug
{
    /// It in memory.
    type Stored: Copy + Debug + Default;
    /// How many states there are.
    const STATES: usize;
    /// The same number in all states.
    fn all(self, x: f64) -> Self;
    /// The number of each state.
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self;
    /// From memory.
    fn load(self, from: &Self::Stored) -> Self;
    /// To memory.
    fn stored(self) -> Self::Stored;
    /// The number of one state in memory.
    fn state(stored: &Self::Stored, state: usize) -> f64;
    /// 1/x.
    fn inverse(self) -> Self;
    /// x/y.
    fn divided_by(self, y: f64) -> Self;
    /// sin and cos.
    fn sin_cos(self) -> (Self, Self);
    /// Whether every state's number is greater.
    fn all_above(self, least: f64) -> bool;
}

/// A vector of one state, or of several states side by side; products are taken entry by entry.
pub trait Vector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Debug
{
    /// Its entries.
    type Number: Number;
    /// It in memory.
    type Stored: Copy + Debug + Default;
    /// Any number of the same states.
    fn number(self) -> Self::Number;
    /// (x, x, x).
    fn all(self, x: Self::Number) -> Self;
    /// (x, y, z).
    fn of(self, entries: [Self::Number; 3]) -> Self;
    /// The same vector in all states.
    fn constant(self, x: &Padded) -> Self;
    /// The vector of each state.
    fn gather(self, of: impl FnMut(usize) -> Vec3) -> Self;
    /// From memory.
    fn load(self, from: &Self::Stored) -> Self;
    /// To memory.
    fn stored(self) -> Self::Stored;
    /// The vector of one state in memory.
    fn state(stored: &Self::Stored, state: usize) -> Vec3;
    /// (y, z, x).
    fn yzx(self) -> Self;
    /// (z, x, y).
    fn zxy(self) -> Self;
    /// x + y + z.
    fn sum(self) -> Self::Number;
    /// Three vectors (x, x, x), (y, y, y), (z, z, z).
    fn spread(self) -> [Self; 3];

    /// (0, 0, 0).
    #[inline(always)]
    fn zero(self) -> Self {
        self.all(self.number().all(0.0))
    }

    /// The same number in all entries of all states.
    #[inline(always)]
    fn same(self, x: f64) -> Self {
        self.all(self.number().all(x))
    }

    /// The vector times a number.
    #[inline(always)]
    fn times(self, x: Self::Number) -> Self {
        self * self.all(x)
    }

    /// The inner product.
    #[inline(always)]
    fn dot(self, o: Self) -> Self::Number {
        (self * o).sum()
    }

    /// The outer product.
    #[inline(always)]
    fn cross(self, o: Self) -> Self {
        (self * o.yzx() - self.yzx() * o).yzx()
    }
}

/// R x of the columns of R and a vector that is the same in all states.
#[inline(always)]
pub fn turned<V: Vector>(R: &[V; 3], x: &Padded) -> V {
    let [a, b, c] = R;
    *a * a.same(x.0[0]) + *b * b.same(x.0[1]) + *c * c.same(x.0[2])
}

/// R x.
#[inline(always)]
pub fn product<V: Vector>(R: &[V; 3], x: V) -> V {
    let [x, y, z] = x.spread();
    R[0] * x + R[1] * y + R[2] * z
}

/// Rᵀ x.
#[inline(always)]
pub fn turned_back<V: Vector>(R: &[V; 3], x: V) -> V {
    x.of([R[0].dot(x), R[1].dot(x), R[2].dot(x)])
}

/// The columns of a matrix that is the same in all states.
#[inline(always)]
pub fn constant<V: Vector>(k: V, m: &[Padded; 3]) -> [V; 3] {
    [k.constant(&m[0]), k.constant(&m[1]), k.constant(&m[2])]
}

/// Three vectors from memory.
#[inline(always)]
pub fn load<V: Vector>(k: V, from: &[V::Stored; 3]) -> [V; 3] {
    [k.load(&from[0]), k.load(&from[1]), k.load(&from[2])]
}

/// Three vectors to memory.
#[inline(always)]
pub fn stored<V: Vector>(R: &[V; 3]) -> [V::Stored; 3] {
    [R[0].stored(), R[1].stored(), R[2].stored()]
}
