//! Numbers of several states in registers of x86-64.

use std::arch::x86_64::{__m128d, __m256d, __m512d};
use std::ops::{Add, Mul, Sub};

use pulp::NullaryFnOnce;
use pulp::core_arch::x86::Sse2;
use pulp::x86::{V3, V4};

use super::{OfEight, OfTwo, SweepOfSeveral};
use crate::maths::register::{Number, Padded};
use crate::maths::trigonometry::sin_cos_of;

/// A sweep over four states.
pub struct InFours<O>(pub V3, pub O);

impl<O: SweepOfSeveral<Padded>> NullaryFnOnce for InFours<O> {
    type Output = O::Output;

    #[inline(always)]
    fn call(self) -> O::Output {
        self.1.with(Four(self.0, self.0.avx._mm256_setzero_pd()))
    }
}

/// A sweep over eight states.
pub struct InEights<O>(pub V4, pub O);

impl<O: SweepOfSeveral<OfEight>> NullaryFnOnce for InEights<O> {
    type Output = O::Output;

    #[inline(always)]
    fn call(self) -> O::Output {
        self.1.with(Eight(self.0, self.0.avx512f._mm512_setzero_pd()))
    }
}

/// Does something to two states.
#[inline(always)]
pub fn in_pairs<O: SweepOfSeveral<OfTwo>>(pairs: Sse2, sweep: O) -> O::Output {
    sweep.with(Two(pairs, pairs._mm_setzero_pd()))
}

/// A number of each of two states.
#[derive(Clone, Copy, Debug)]
pub struct Two(Sse2, __m128d);

impl Add for Two {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0, self.0._mm_add_pd(self.1, o.1))
    }
}

impl Sub for Two {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0, self.0._mm_sub_pd(self.1, o.1))
    }
}

impl Mul for Two {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0, self.0._mm_mul_pd(self.1, o.1))
    }
}

impl Number for Two {
    type Stored = OfTwo;
    const STATES: usize = 2;

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self(self.0, self.0._mm_set1_pd(x))
    }

    #[inline(always)]
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self {
        Self(self.0, pulp::cast(std::array::from_fn::<f64, 2, _>(of)))
    }

    #[inline(always)]
    fn load(self, from: &OfTwo) -> Self {
        Self(self.0, pulp::cast(from.0))
    }

    #[inline(always)]
    fn stored(self) -> OfTwo {
        OfTwo(pulp::cast(self.1))
    }

    #[inline(always)]
    fn state(stored: &OfTwo, state: usize) -> f64 {
        stored.0[state]
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        Self(self.0, self.0._mm_div_pd(self.all(1.0).1, self.1))
    }

    #[inline(always)]
    fn divided_by(self, y: f64) -> Self {
        Self(self.0, self.0._mm_div_pd(self.1, self.all(y).1))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = sin_cos_of(self.stored().0);
        (self.load(&OfTwo(s)), self.load(&OfTwo(c)))
    }

    #[inline(always)]
    fn all_above(self, least: f64) -> bool {
        self.stored().0.iter().all(|x| *x > least)
    }
}

/// A number of each of four states.
#[derive(Clone, Copy, Debug)]
pub struct Four(V3, __m256d);

impl Add for Four {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0, self.0.avx._mm256_add_pd(self.1, o.1))
    }
}

impl Sub for Four {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0, self.0.avx._mm256_sub_pd(self.1, o.1))
    }
}

impl Mul for Four {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0, self.0.avx._mm256_mul_pd(self.1, o.1))
    }
}

impl Number for Four {
    type Stored = Padded;
    const STATES: usize = 4;

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self(self.0, self.0.avx._mm256_set1_pd(x))
    }

    #[inline(always)]
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self {
        Self(self.0, pulp::cast(std::array::from_fn::<f64, 4, _>(of)))
    }

    #[inline(always)]
    fn load(self, from: &Padded) -> Self {
        Self(self.0, pulp::cast(from.0))
    }

    #[inline(always)]
    fn stored(self) -> Padded {
        Padded(pulp::cast(self.1))
    }

    #[inline(always)]
    fn state(stored: &Padded, state: usize) -> f64 {
        stored.0[state]
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        Self(self.0, self.0.avx._mm256_div_pd(self.all(1.0).1, self.1))
    }

    #[inline(always)]
    fn divided_by(self, y: f64) -> Self {
        Self(self.0, self.0.avx._mm256_div_pd(self.1, self.all(y).1))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = sin_cos_of(self.stored().0);
        (self.load(&Padded(s)), self.load(&Padded(c)))
    }

    #[inline(always)]
    fn all_above(self, least: f64) -> bool {
        self.stored().0.iter().all(|x| *x > least)
    }
}

/// A number of each of eight states.
#[derive(Clone, Copy, Debug)]
pub struct Eight(V4, __m512d);

impl Add for Eight {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_add_pd(self.1, o.1))
    }
}

impl Sub for Eight {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_sub_pd(self.1, o.1))
    }
}

impl Mul for Eight {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_mul_pd(self.1, o.1))
    }
}

impl Number for Eight {
    type Stored = OfEight;
    const STATES: usize = 8;

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self(self.0, self.0.avx512f._mm512_set1_pd(x))
    }

    #[inline(always)]
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self {
        Self(self.0, pulp::cast(std::array::from_fn::<f64, 8, _>(of)))
    }

    #[inline(always)]
    fn load(self, from: &OfEight) -> Self {
        Self(self.0, pulp::cast(from.0))
    }

    #[inline(always)]
    fn stored(self) -> OfEight {
        OfEight(pulp::cast(self.1))
    }

    #[inline(always)]
    fn state(stored: &OfEight, state: usize) -> f64 {
        stored.0[state]
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        Self(self.0, self.0.avx512f._mm512_div_pd(self.all(1.0).1, self.1))
    }

    #[inline(always)]
    fn divided_by(self, y: f64) -> Self {
        Self(self.0, self.0.avx512f._mm512_div_pd(self.1, self.all(y).1))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = sin_cos_of(self.stored().0);
        (self.load(&OfEight(s)), self.load(&OfEight(c)))
    }

    #[inline(always)]
    fn all_above(self, least: f64) -> bool {
        self.stored().0.iter().all(|x| *x > least)
    }
}
