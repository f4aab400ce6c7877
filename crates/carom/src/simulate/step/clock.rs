//! The variable that steps are taken in.
//!
//! From an onset the indentation grows like t − t₀, so a force law δ^(3/2) gives the motion powers of √(t − t₀): no step in t
//! across or near an onset has its order. In s = √(t − t₀) these are whole powers, and the same holds for s = −√(t₀ − t)
//! before the indentation ends at t₀. With dy/ds = 2|s| dy/dt the law's own root is out of the way (a change of variable as
//! that of Sundman in celestial mechanics, with a fixed instant).

use serde::{Deserialize, Serialize};

/// How the variable s of the integrator and the time are connected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Clock {
    /// s = t.
    Plain,
    /// t = t₀ + s², s ≥ 0.
    Since(f64),
    /// t = t₀ − s², s ≤ 0.
    Until(f64),
}

impl Clock {
    /// t of s.
    pub(in crate::simulate) fn time(self, s: f64) -> f64 {
        match self {
            Self::Plain => s,
            Self::Since(t0) => t0 + s * s,
            Self::Until(t0) => t0 - s * s,
        }
    }

    /// s of t; the nearest there is.
    pub(in crate::simulate) fn variable(self, t: f64) -> f64 {
        match self {
            Self::Plain => t,
            Self::Since(t0) => (t - t0).max(0.0).sqrt(),
            Self::Until(t0) => -(t0 - t).max(0.0).sqrt(),
        }
    }

    /// The change of s over a time from where it is zero.
    pub(in crate::simulate) fn variable_over(self, time: f64) -> f64 {
        match self {
            Self::Plain => time,
            Self::Since(_) | Self::Until(_) => time.sqrt(),
        }
    }

    /// dt/ds.
    pub(in crate::simulate) fn slope(self, s: f64) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Since(_) | Self::Until(_) => 2.0 * s.abs(),
        }
    }
}
