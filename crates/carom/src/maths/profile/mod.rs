//! Closed smooth curves of the plane: cams.
//!
//! A profile is r(φ), an expression or a table of radii, or a table of points; tables are joined by a periodic cubic spline, so that the
//! curve has a curvature everywhere. It runs counter-clockwise: the inside is to the left of c′, n = (c_y′, −c_x′)/|c′| is outward and
//! κ = (c′ × c″)/|c′|³ is positive where it is convex.

mod check;
mod spline;

use std::f64::consts::TAU;

use thiserror::Error;

pub use spline::{Jet, PeriodicSpline};

use super::Vec3;
use super::expression::Tape;

/// Sine of the angle by which the tangent turns between two samples, beyond which a cell of samples is divided.
const TURN: f64 = 0.06;
/// Cells that a profile begins with, and how often each is halved at most.
const CELLS: usize = 64;
const HALVINGS: usize = 7;

/// Why values are no profile.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProfileError {
    /// Too few values for a spline.
    #[error("a profile needs at least {least} {what}, found {found}")]
    Few {
        /// Points or radii.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there have to be.
        least: usize,
    },
    /// Two points one after the other at one place.
    #[error(
        "points {first} and {second} (from 0) are the same; the curve closes by itself from the last point to the first"
    )]
    Twice {
        /// One of them.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Angles that do not ascend within one turn.
    #[error("the angles have to ascend within one turn; angle {angle} (from 0) does not")]
    Angles {
        /// The angle.
        angle: usize,
    },
    /// A radius that is not positive.
    #[error("the radius is {radius} m at phi = {phi} rad, expected a positive number")]
    Radius {
        /// φ \[rad\].
        phi: f64,
        /// r \[m\].
        radius: f64,
    },
    /// An expression that has another value after one turn.
    #[error("the profile does not close: its {what} is {start} at phi = 0 and {end} at phi = 2 pi")]
    Open {
        /// Radius or slope.
        what: &'static str,
        /// At 0.
        start: f64,
        /// At 2π.
        end: f64,
    },
    /// A jump or a corner.
    #[error(
        "the profile is not smooth: its {what} jumps by {jump:.3e} at phi = {phi:.6} rad; a profile has no corners (write a polygon or a polyline)"
    )]
    Corner {
        /// Radius or slope.
        what: &'static str,
        /// φ \[rad\].
        phi: f64,
        /// By how much \[m\] or \[m/rad\].
        jump: f64,
    },
    /// A curve that crosses itself, or stands still.
    #[error("the profile crosses itself between points {first} and {second} (from 0)")]
    Crosses {
        /// The point before one crossing.
        first: usize,
        /// The point before the other.
        second: usize,
    },
}

/// What tells the curve.
#[derive(Clone, Debug, PartialEq)]
enum Law {
    /// r(φ) with φ as the tape's time.
    Expression(Tape),
    /// r(φ) by a spline.
    Radii(PeriodicSpline),
    /// x and y over the chord length.
    Points(Box<[PeriodicSpline; 2]>),
}

/// A point of a profile with the derivatives along its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The parameter.
    pub u: f64,
    /// c
    pub at: Vec3,
    /// c′
    pub first: Vec3,
    /// c″
    pub second: Vec3,
}

impl Spot {
    /// The outward unit normal.
    pub fn normal(&self) -> Vec3 {
        Vec3::new(self.first.y, -self.first.x, 0.0) / self.first.norm()
    }

    /// The curvature \[1/m\], positive where the profile is convex.
    pub fn curvature(&self) -> f64 {
        let length = self.first.norm();
        self.first.cross(&self.second).z / (length * length * length)
    }
}

/// A closed smooth curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    law: Law,
    /// The end of the parameter's period, which begins at 0.
    pub period: f64,
    /// Points along it, close enough that the tangent turns little between them.
    pub samples: Vec<Spot>,
    /// The largest distance of a sample from the origin of its frame \[m\].
    pub reach: f64,
}

impl Profile {
    /// r(φ) as an expression; φ is the tape's time.
    pub fn expression(radius: Tape) -> Result<Self, ProfileError> {
        check::radius(&radius)?;
        Ok(Self::sampled(Law::Expression(radius), TAU))
    }

    /// Radii at equally spaced angles, the first at φ = 0.
    pub fn radii(radii: &[f64]) -> Result<Self, ProfileError> {
        let n = radii.len();
        let angles: Vec<f64> = (0..n).map(|k| TAU * k as f64 / n as f64).collect();
        Self::radii_at(&angles, radii)
    }

    /// Radii at angles, which ascend within one turn.
    pub fn radii_at(angles: &[f64], radii: &[f64]) -> Result<Self, ProfileError> {
        const LEAST: usize = 4;
        let (n, what) = (radii.len(), "radii");
        if n < LEAST {
            return Err(ProfileError::Few { what, found: n, least: LEAST });
        }
        if let Some(k) = (0..n).find(|k| !(radii[*k] > 0.0)) {
            return Err(ProfileError::Radius { phi: angles[k], radius: radii[k] });
        }
        let falls = |k: &usize| angles[*k] <= angles[*k - 1];
        if let Some(angle) = (1..n).find(falls) {
            return Err(ProfileError::Angles { angle });
        }
        if angles[n - 1] >= angles[0] + TAU {
            return Err(ProfileError::Angles { angle: n - 1 });
        }
        let knots: Vec<f64> = angles.iter().copied().chain([angles[0] + TAU]).collect();
        let spline = PeriodicSpline::new(&knots, radii);
        let spline = spline.ok_or(ProfileError::Few { what, found: n, least: LEAST })?;
        let out = Self::sampled(Law::Radii(spline), TAU);
        let wrong = out.samples.iter().find(|s| !(out.radius_at(s.u)[0] > 0.0));
        match wrong {
            Some(s) => Err(ProfileError::Radius { phi: s.u, radius: out.radius_at(s.u)[0] }),
            None => Ok(out),
        }
    }

    /// Through points, in either direction; the parameter is the length of the chords between them.
    pub fn points(points: &[Vec3]) -> Result<Self, ProfileError> {
        const LEAST: usize = 4;
        let (n, what) = (points.len(), "points");
        if n < LEAST {
            return Err(ProfileError::Few { what, found: n, least: LEAST });
        }
        let area: f64 = (0..n).map(|k| points[k].cross(&points[(k + 1) % n]).z).sum();
        let mut points = points.to_vec();
        if area < 0.0 {
            // The first point stays the first.
            points[1..].reverse();
        }
        let mut knots = vec![0.0];
        for k in 0..n {
            let chord = (points[(k + 1) % n] - points[k]).norm();
            if !(chord > 0.0) {
                return Err(ProfileError::Twice { first: k, second: (k + 1) % n });
            }
            knots.push(knots[k] + chord);
        }
        let along = |i: usize| {
            PeriodicSpline::new(&knots, &points.iter().map(|p| p[i]).collect::<Vec<_>>())
                .ok_or(ProfileError::Few { what, found: n, least: LEAST })
        };
        let law = Law::Points(Box::new([along(0)?, along(1)?]));
        let out = Self::sampled(law, knots[n]);
        check::crossings(&out, &knots)?;
        Ok(out)
    }

    /// r, r′, r″ of a profile that has radii.
    fn radius_at(&self, u: f64) -> Jet {
        match &self.law {
            Law::Expression(tape) => {
                let jet = tape.jet(u);
                [jet.value, jet.rate, jet.second]
            }
            // The table may begin at another angle than 0.
            Law::Radii(spline) => spline.periodic(u),
            Law::Points(_) => [f64::NAN; 3],
        }
    }

    /// The point at a parameter, of any period.
    pub fn at(&self, u: f64) -> Spot {
        let u = u - self.period * (u / self.period).floor();
        let u = if u < self.period { u } else { 0.0 };
        if let Law::Points(along) = &self.law {
            let [x, y] = [along[0].at(u), along[1].at(u)];
            let vector = |k: usize| Vec3::new(x[k], y[k], 0.0);
            return Spot { u, at: vector(0), first: vector(1), second: vector(2) };
        }
        let [r, r_dot, r_ddot] = self.radius_at(u);
        let (s, c) = super::trigonometry::sin_cos(u);
        let (e, across) = (Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0));
        Spot {
            u,
            at: e * r,
            first: e * r_dot + across * r,
            second: e * (r_ddot - r) + across * (2.0 * r_dot),
        }
    }

    fn sampled(law: Law, period: f64) -> Self {
        let mut out = Self { law, period, samples: Vec::new(), reach: 0.0 };
        let start = out.at(0.0);
        let mut before = start;
        for k in 0..CELLS {
            let end = if k + 1 == CELLS {
                Spot { u: period, ..start }
            } else {
                out.at(period * (k + 1) as f64 / CELLS as f64)
            };
            out.divide(before, end, HALVINGS);
            before = end;
        }
        out.reach = out.samples.iter().map(|s| s.at.norm()).fold(0.0, f64::max);
        out
    }

    /// Adds the samples from `start` to before `end`.
    fn divide(&mut self, start: Spot, end: Spot, deeper: usize) {
        let turn = start.first.cross(&end.first).z.abs();
        let straight = turn <= TURN * start.first.norm() * end.first.norm();
        if deeper == 0 || (straight && start.first.dot(&end.first) > 0.0) {
            self.samples.push(start);
            return;
        }
        let middle = f64::midpoint(start.u, end.u);
        let middle = Spot { u: middle, ..self.at(middle) };
        self.divide(start, middle, deeper - 1);
        self.divide(middle, end, deeper - 1);
    }
}

#[cfg(test)]
#[path = "../profile_tests.rs"]
mod tests;
