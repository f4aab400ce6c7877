//! Numbers and vectors together with their rates, so that an equation written once gives both.
//!
//! Each operation carries its rule of differentiation: (ab)˙ = ȧb + aḃ, and so on. A pair of shapes
//! is written over these, and the exact rates of its normal and points follow with the curvature
//! terms; nothing is differentiated twice by hand.

use crate::maths::Vec3;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Varying {
    /// The number.
    pub value: f64,
    /// Its rate \[1/s\].
    pub rate: f64,
}

impl Varying {
    /// A number that does not change.
    pub fn constant(value: f64) -> Self {
        Self { value, rate: 0.0 }
    }
}

impl Add for Varying {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl Sub for Varying {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl Mul<f64> for Varying {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { value: self.value * factor, rate: self.rate * factor }
    }
}

impl Div for Varying {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, rate: (self.rate - value * other.rate) / other.value }
    }
}

/// A vector in world axes and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moving {
    /// The vector.
    pub value: Vec3,
    /// Its rate, in world axes too.
    pub rate: Vec3,
}

impl Moving {
    /// A vector that does not change.
    pub fn constant(value: Vec3) -> Self {
        Self { value, rate: Vec3::zeros() }
    }

    /// a · b.
    pub fn dot(&self, other: &Self) -> Varying {
        Varying {
            value: self.value.dot(&other.value),
            rate: self.rate.dot(&other.value) + self.value.dot(&other.rate),
        }
    }

    /// a × b.
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            value: self.value.cross(&other.value),
            rate: self.rate.cross(&other.value) + self.value.cross(&other.rate),
        }
    }

    /// Direction e = a/|a| and length |a|; none if the length is not above `noise`.
    ///
    /// |a|˙ = e · ȧ,  ė = (ȧ − e |a|˙)/|a|
    pub fn direction(&self, noise: f64) -> Option<(Self, Varying)> {
        let length = self.value.norm();
        if length <= noise {
            return None;
        }
        let e = self.value / length;
        let stretch = e.dot(&self.rate);
        let turn = (self.rate - e * stretch) / length;
        Some((Self { value: e, rate: turn }, Varying { value: length, rate: stretch }))
    }
}

impl Add for Moving {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl Sub for Moving {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl Neg for Moving {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate }
    }
}

impl Mul<f64> for Moving {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { value: self.value * factor, rate: self.rate * factor }
    }
}

impl Mul<Varying> for Moving {
    type Output = Self;
    fn mul(self, factor: Varying) -> Self {
        Self {
            value: self.value * factor.value,
            rate: self.rate * factor.value + self.value * factor.rate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a(t) = (cos t, t², 1 + t), at t, with its rate.
    fn path(t: f64) -> Moving {
        Moving {
            value: Vec3::new(t.cos(), t * t, 1.0 + t),
            rate: Vec3::new(-t.sin(), 2.0 * t, 1.0),
        }
    }

    /// b(t) = (t, eᵗ, sin t), at t, with its rate.
    fn other(t: f64) -> Moving {
        Moving { value: Vec3::new(t, t.exp(), t.sin()), rate: Vec3::new(1.0, t.exp(), t.cos()) }
    }

    /// One chain through every operation.
    fn chain(t: f64) -> (Moving, Varying) {
        let (a, b) = (path(t), other(t));
        let (e, length) = (a.cross(&b) - a * 0.3).direction(0.0).expect("not zero here");
        let ratio = (a.dot(&b) + length) / (length - Varying::constant(9.0)) * 2.0;
        (e * ratio + -b, ratio)
    }

    #[test]
    fn rates_are_the_derivatives_of_the_values() {
        let (t, h) = (0.7, 1e-4);
        let (v, s) = chain(t);
        let step = |h: f64| {
            let (plus, minus) = (chain(t + h), chain(t - h));
            let slope = (plus.0.value - minus.0.value) / (2.0 * h);
            (slope, (plus.1.value - minus.1.value) / (2.0 * h))
        };
        let (coarse, fine) = (step(h), step(h / 2.0));
        assert!((v.rate - (fine.0 * 4.0 - coarse.0) / 3.0).norm() < 1e-9);
        assert!((s.rate - (fine.1 * 4.0 - coarse.1) / 3.0).abs() < 1e-9);
    }

    #[test]
    fn no_direction_below_the_noise() {
        let a = Moving::constant(Vec3::new(1e-17, 0.0, 0.0));
        assert!(a.direction(1e-16).is_none());
        assert!(a.direction(1e-18).is_some());
        assert!(Moving::constant(Vec3::zeros()).direction(0.0).is_none());
    }
}
