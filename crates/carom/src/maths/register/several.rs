//! Several states side by side: a number of each state in one register.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

use super::{Number, Padded, Vector};
use crate::maths::Vec3;
use crate::maths::trigonometry::sin_cos_of;

/// The most states that stand side by side.
pub const MOST: usize = 8;

/// What is done to several states.
pub trait SweepOfSeveral<S> {
    /// What comes out.
    type Output;
    /// Does it with numbers of the kind of `k`.
    fn with<N: Number<Stored = S>>(self, k: N) -> Self::Output;
}

/// Numbers of two states in memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub struct OfTwo(pub [f64; 2]);

/// Numbers of eight states in memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct OfEight(pub [f64; 8]);

/// A number of each of two states, as the compiler takes arrays.
#[derive(Clone, Copy, Debug)]
pub struct Plain(pub [f64; 2]);

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self([self.0[0] + o.0[0], self.0[1] + o.0[1]])
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self([self.0[0] - o.0[0], self.0[1] - o.0[1]])
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self([self.0[0] * o.0[0], self.0[1] * o.0[1]])
    }
}

impl Number for Plain {
    type Stored = OfTwo;
    const STATES: usize = 2;

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self([x; 2])
    }

    #[inline(always)]
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self {
        Self(std::array::from_fn(of))
    }

    #[inline(always)]
    fn load(self, from: &OfTwo) -> Self {
        Self(from.0)
    }

    #[inline(always)]
    fn stored(self) -> OfTwo {
        OfTwo(self.0)
    }

    #[inline(always)]
    fn state(stored: &OfTwo, state: usize) -> f64 {
        stored.0[state]
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        Self(self.0.map(|x| 1.0 / x))
    }

    #[inline(always)]
    fn divided_by(self, y: f64) -> Self {
        Self(self.0.map(|x| x / y))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = sin_cos_of(self.0);
        (Self(s), Self(c))
    }

    #[inline(always)]
    fn all_above(self, least: f64) -> bool {
        self.0.iter().all(|x| *x > least)
    }
}

/// A vector of each state.
#[derive(Clone, Copy, Debug)]
pub struct Side<N>(pub [N; 3]);

impl<N: Number> Add for Side<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] + y[0], x[1] + y[1], x[2] + y[2]])
    }
}

impl<N: Number> Sub for Side<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] - y[0], x[1] - y[1], x[2] - y[2]])
    }
}

impl<N: Number> Mul for Side<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let (x, y) = (self.0, o.0);
        Self([x[0] * y[0], x[1] * y[1], x[2] * y[2]])
    }
}

impl<N: Number> Vector for Side<N> {
    type Number = N;
    type Stored = [N::Stored; 3];

    #[inline(always)]
    fn number(self) -> N {
        self.0[0]
    }

    #[inline(always)]
    fn all(self, x: N) -> Self {
        Self([x; 3])
    }

    #[inline(always)]
    fn of(self, entries: [N; 3]) -> Self {
        Self(entries)
    }

    #[inline(always)]
    fn constant(self, x: &Padded) -> Self {
        let k = self.0[0];
        Self([k.all(x.0[0]), k.all(x.0[1]), k.all(x.0[2])])
    }

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> Vec3) -> Self {
        let mut states = [Vec3::zeros(); MOST];
        for (state, x) in states.iter_mut().enumerate().take(N::STATES) {
            *x = of(state);
        }
        let k = self.0[0];
        let x = k.gather(|state| states[state].x);
        let y = k.gather(|state| states[state].y);
        let z = k.gather(|state| states[state].z);
        Self([x, y, z])
    }

    #[inline(always)]
    fn load(self, from: &Self::Stored) -> Self {
        let k = self.0[0];
        Self([k.load(&from[0]), k.load(&from[1]), k.load(&from[2])])
    }

    #[inline(always)]
    fn stored(self) -> Self::Stored {
        let [x, y, z] = self.0;
        [x.stored(), y.stored(), z.stored()]
    }

    #[inline(always)]
    fn state(stored: &Self::Stored, state: usize) -> Vec3 {
        let [x, y, z] = stored.each_ref().map(|entry| N::state(entry, state));
        Vec3::new(x, y, z)
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
    fn sum(self) -> N {
        let [x, y, z] = self.0;
        x + y + z
    }

    #[inline(always)]
    fn spread(self) -> [Self; 3] {
        let [x, y, z] = self.0;
        [Self([x; 3]), Self([y; 3]), Self([z; 3])]
    }
}

#[cfg(target_arch = "x86_64")]
#[path = "x86_several.rs"]
pub mod x86;
