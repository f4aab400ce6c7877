//! Vectors of one state: one register of four doubles, or two of two.

use std::ops::{Add, Mul, Sub};

use super::{Number, Padded, Vector};
use crate::maths::Vec3;
use crate::maths::trigonometry::sin_cos;

impl Number for f64 {
    type Stored = Self;
    const STATES: usize = 1;

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> f64) -> Self {
        of(0)
    }

    #[inline(always)]
    fn load(self, from: &Self) -> Self {
        *from
    }

    #[inline(always)]
    fn stored(self) -> Self {
        self
    }

    #[inline(always)]
    fn state(stored: &Self, _state: usize) -> f64 {
        *stored
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        1.0 / self
    }

    #[inline(always)]
    fn divided_by(self, y: f64) -> Self {
        self / y
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        sin_cos(self)
    }

    #[inline(always)]
    fn all_above(self, least: f64) -> bool {
        self > least
    }
}

/// What is done to one state with whatever registers there are.
pub trait Sweep {
    /// What comes out.
    type Output;
    /// Does it with vectors of the kind of `k`.
    fn with<V: Vector<Number = f64, Stored = Padded>>(self, k: V) -> Self::Output;
}

/// The registers of this processor.
#[derive(Clone, Copy, Debug)]
pub enum Registers {
    /// Four doubles.
    #[cfg(target_arch = "x86_64")]
    Four(pulp::x86::V3),
    /// Two doubles.
    #[cfg(target_arch = "x86_64")]
    Two(pulp::core_arch::x86::Sse2),
    /// What the compiler makes of numbers one by one.
    Plain,
}

impl Registers {
    /// The widest that fit one vector.
    pub fn new() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = pulp::x86::V3::try_new() {
            return Self::Four(wide);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(pairs) = pulp::core_arch::x86::Sse2::try_new() {
            return Self::Two(pairs);
        }
        Self::Plain
    }

    /// Does something with them.
    #[inline(always)]
    pub fn run<O: Sweep>(self, sweep: O) -> O::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Four(wide) => wide.vectorize(x86::InFour(wide, sweep)),
            #[cfg(target_arch = "x86_64")]
            Self::Two(pairs) => {
                let zero = pairs._mm_setzero_pd();
                sweep.with(x86::Pairs(pairs, zero, zero))
            }
            Self::Plain => sweep.with(Plain([0.0; 3])),
        }
    }
}

impl Default for Registers {
    fn default() -> Self {
        Self::new()
    }
}

/// Three numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain(pub [f64; 3]);

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] + y[0], x[1] + y[1], x[2] + y[2]])
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] - y[0], x[1] - y[1], x[2] - y[2]])
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] * y[0], x[1] * y[1], x[2] * y[2]])
    }
}

impl Vector for Plain {
    type Number = f64;
    type Stored = Padded;

    #[inline(always)]
    fn number(self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self([x; 3])
    }

    #[inline(always)]
    fn of(self, entries: [f64; 3]) -> Self {
        Self(entries)
    }

    #[inline(always)]
    fn constant(self, x: &Padded) -> Self {
        self.load(x)
    }

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> Vec3) -> Self {
        let x = of(0);
        Self([x.x, x.y, x.z])
    }

    #[inline(always)]
    fn load(self, from: &Padded) -> Self {
        Self([from.0[0], from.0[1], from.0[2]])
    }

    #[inline(always)]
    fn stored(self) -> Padded {
        Padded([self.0[0], self.0[1], self.0[2], 0.0])
    }

    #[inline(always)]
    fn state(stored: &Padded, _state: usize) -> Vec3 {
        stored.vector()
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        let [x, y, z] = self.0;
        Self([y, z, x])
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        let [x, y, z] = self.0;
        Self([z, x, y])
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        self.0[0] + self.0[1] + self.0[2]
    }

    #[inline(always)]
    fn spread(self) -> [Self; 3] {
        let [x, y, z] = self.0;
        [Self([x; 3]), Self([y; 3]), Self([z; 3])]
    }
}

#[cfg(target_arch = "x86_64")]
#[path = "x86_single.rs"]
mod x86;
