//! Vectors of one state in registers of x86-64.

use std::arch::x86_64::{__m128d, __m256d};
use std::ops::{Add, Mul, Sub};

use pulp::NullaryFnOnce;
use pulp::core_arch::x86::Sse2;
use pulp::x86::V3;

use super::super::{Padded, Vector};
use super::Sweep;
use crate::maths::Vec3;

/// A sweep with registers of four doubles.
pub struct InFour<O>(pub V3, pub O);

impl<O: Sweep> NullaryFnOnce for InFour<O> {
    type Output = O::Output;

    #[inline(always)]
    fn call(self) -> O::Output {
        self.1.with(Four(self.0, self.0.avx._mm256_setzero_pd()))
    }
}

/// A vector in one register; the last entry means nothing.
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

impl Four {
    /// The entries in another order: two bits for each, the first one's lowest.
    #[inline(always)]
    fn permuted<const ORDER: i32>(self) -> Self {
        Self(self.0, self.0.avx2._mm256_permute4x64_pd::<ORDER>(self.1))
    }
}

impl Vector for Four {
    type Number = f64;
    type Stored = Padded;

    #[inline(always)]
    fn number(self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        Self(self.0, self.0.avx._mm256_set1_pd(x))
    }

    #[inline(always)]
    fn of(self, entries: [f64; 3]) -> Self {
        self.load(&Padded([entries[0], entries[1], entries[2], 0.0]))
    }

    #[inline(always)]
    fn constant(self, x: &Padded) -> Self {
        self.load(x)
    }

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> Vec3) -> Self {
        self.load(&of(0).into())
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
    fn state(stored: &Padded, _state: usize) -> Vec3 {
        stored.vector()
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        self.permuted::<0b11_00_10_01>()
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        self.permuted::<0b11_01_00_10>()
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let k = self.0;
        let low = k.avx._mm256_castpd256_pd128(self.1);
        let z = k.avx._mm256_extractf128_pd::<1>(self.1);
        let y = k.sse2._mm_unpackhi_pd(low, low);
        k.sse2._mm_cvtsd_f64(k.sse2._mm_add_sd(k.sse2._mm_add_sd(low, y), z))
    }

    #[inline(always)]
    fn spread(self) -> [Self; 3] {
        [
            self.permuted::<0b00_00_00_00>(),
            self.permuted::<0b01_01_01_01>(),
            self.permuted::<0b10_10_10_10>(),
        ]
    }
}

/// A vector in two registers of two; the last entry means nothing.
#[derive(Clone, Copy, Debug)]
pub struct Pairs(pub Sse2, pub __m128d, pub __m128d);

impl Add for Pairs {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let k = self.0;
        Self(k, k._mm_add_pd(self.1, o.1), k._mm_add_pd(self.2, o.2))
    }
}

impl Sub for Pairs {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let k = self.0;
        Self(k, k._mm_sub_pd(self.1, o.1), k._mm_sub_pd(self.2, o.2))
    }
}

impl Mul for Pairs {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let k = self.0;
        Self(k, k._mm_mul_pd(self.1, o.1), k._mm_mul_pd(self.2, o.2))
    }
}

impl Vector for Pairs {
    type Number = f64;
    type Stored = Padded;

    #[inline(always)]
    fn number(self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn all(self, x: f64) -> Self {
        let pair = self.0._mm_set1_pd(x);
        Self(self.0, pair, pair)
    }

    #[inline(always)]
    fn of(self, entries: [f64; 3]) -> Self {
        self.load(&Padded([entries[0], entries[1], entries[2], 0.0]))
    }

    #[inline(always)]
    fn constant(self, x: &Padded) -> Self {
        self.load(x)
    }

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> Vec3) -> Self {
        self.load(&of(0).into())
    }

    #[inline(always)]
    fn load(self, from: &Padded) -> Self {
        let [x, y, z, w] = from.0;
        Self(self.0, pulp::cast([x, y]), pulp::cast([z, w]))
    }

    #[inline(always)]
    fn stored(self) -> Padded {
        let ([x, y], [z, w]): ([f64; 2], [f64; 2]) = (pulp::cast(self.1), pulp::cast(self.2));
        Padded([x, y, z, w])
    }

    #[inline(always)]
    fn state(stored: &Padded, _state: usize) -> Vec3 {
        stored.vector()
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        let Self(k, xy, z) = self;
        Self(k, k._mm_shuffle_pd::<0b01>(xy, z), k._mm_shuffle_pd::<0b10>(xy, z))
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        let Self(k, xy, z) = self;
        Self(k, k._mm_shuffle_pd::<0b00>(z, xy), k._mm_shuffle_pd::<0b11>(xy, z))
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let Self(k, xy, z) = self;
        let y = k._mm_unpackhi_pd(xy, xy);
        k._mm_cvtsd_f64(k._mm_add_sd(k._mm_add_sd(xy, y), z))
    }

    #[inline(always)]
    fn spread(self) -> [Self; 3] {
        let Self(k, xy, z) = self;
        let [x, y, z] = [
            k._mm_shuffle_pd::<0b00>(xy, xy),
            k._mm_shuffle_pd::<0b11>(xy, xy),
            k._mm_shuffle_pd::<0b00>(z, z),
        ];
        [Self(k, x, x), Self(k, y, y), Self(k, z, z)]
    }
}
