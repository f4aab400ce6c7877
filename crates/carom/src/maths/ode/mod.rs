//! Ordinary differential equations ẏ = f(t, y), step by step.
//!
//! [`Dop853`] takes one accepted step at a time and leaves the loop to its caller. Between the ends
//! of a step lies a polynomial; an event inside it is landed on with a step of its own, because a
//! polynomial through a discontinuity is worth nothing beyond it. [`Radau`] does the same for
//! stiff systems, in which something fast has died out: a contact that lasts.
//!
//! ```
//! use carom::maths::ode::{Dop853, Tolerance};
//! // A stone falls from 20 m: when does it reach the ground, and how fast?
//! let mut fall = |_t: f64, y: &[f64], y_dot: &mut [f64]| {
//!     y_dot[0] = y[1];
//!     y_dot[1] = -9.81;
//! };
//! let mut solver = Dop853::new(2);
//! let tolerance = Tolerance { relative: 1e-10, absolute: &[1e-12, 1e-12] };
//! solver.start(0.0, &[20.0, 0.0], 1e-3, tolerance)?;
//! for _ in 0..100 {
//!     solver.step(&mut fall, 10.0)?;
//!     if solver.y()[0] < 0.0 {
//!         solver.land(&mut fall, &mut |_t, y| y[0], 0.0)?;
//!         break;
//!     }
//! }
//! assert!((solver.t() - (2.0 * 20.0 / 9.81_f64).sqrt()).abs() < 1e-14);
//! assert!((solver.y()[1] + (2.0 * 20.0 * 9.81_f64).sqrt()).abs() < 1e-13);
//! # Ok::<(), carom::maths::ode::OdeError>(())
//! ```
//!
//! ```
//! use carom::maths::ode::{Radau, Tolerance};
//! // A ball rests on a plane, a contact of 1e12 N/m^1.5, for a minute.
//! let mut rest = |_t: f64, y: &[f64], y_dot: &mut [f64]| {
//!     y_dot[0] = y[1];
//!     y_dot[1] = 9.81 - 1e12 * y[0].powf(1.5) * (1.0 + 100.0 * y[1]);
//! };
//! let depth = (9.81 / 1e12_f64).powf(2.0 / 3.0);
//! let mut solver = Radau::new(2);
//! let tolerance = Tolerance { relative: 1e-6, absolute: &[1e-14, 1e-10] };
//! solver.start(0.0, &[depth, 0.0], 1e-3, tolerance)?;
//! let mut steps = 0;
//! while solver.t() < 60.0 {
//!     solver.step(&mut rest, 60.0)?;
//!     steps += 1;
//! }
//! assert!(steps < 10 && (solver.y()[0] / depth - 1.0).abs() < 1e-12);
//! # Ok::<(), carom::maths::ode::OdeError>(())
//! ```

use std::convert::Infallible;

use thiserror::Error;

mod check;
mod collocation;
mod dense;
mod dop853;
mod event;
mod held;
mod jacobian;
mod lu;
mod memory;
mod newton;
mod radau;
mod radau_retake;
mod radau_tableau;
mod stride;
pub(crate) mod tableau;

#[cfg(test)]
mod event_order_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod radau_order_tests;
#[cfg(test)]
mod radau_refusal_tests;
#[cfg(test)]
mod radau_solution_tests;
#[cfg(test)]
mod radau_stiff_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod solution_tests;

pub use dop853::{Accepted, Dop853};
pub use event::Landing;
pub use jacobian::{Differences, StiffSystem};
pub use memory::{ImplicitMemory, Memory};
pub use newton::Work;
pub use radau::Radau;

/// The right-hand side f of ẏ = f(t, y).
///
/// A closure `|t: f64, y: &[f64], y_dot: &mut [f64]|` is a system that cannot fail. A number that
/// is not finite is no failure: the step is tried again, shorter.
pub trait System {
    /// What can go wrong; it ends the step.
    type Error;

    /// Writes f(t, y) into `y_dot`, which is as long as `y` and holds nothing of meaning before.
    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Self::Error>;
}

impl<F: FnMut(f64, &[f64], &mut [f64])> System for F {
    type Error = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Infallible> {
        self(t, y, y_dot);
        Ok(())
    }
}

/// The local error allowed in one step: absolute + relative |y| for each component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance<'a> {
    /// In parts of the component's size.
    pub relative: f64,
    /// In the unit of each component; positive.
    pub absolute: &'a [f64],
}

/// Why an integration does not go on. The state before the failed call stays valid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum OdeError<E = Infallible> {
    /// The tolerance asks for steps that time cannot resolve.
    #[error("at t = {t} the step has shrunk to {h} and still misses its tolerance")]
    StepTooSmall {
        /// The beginning of the step.
        t: f64,
        /// Its length.
        h: f64,
    },
    /// The system or its event gave an infinity or a NaN, for short steps as well.
    #[error("the system is not finite at t = {t}")]
    NotFinite {
        /// Where it was evaluated.
        t: f64,
    },
    /// A slice of another length than the state's.
    #[error("{what} has {found} entries, the system {expected}")]
    WrongSize {
        /// Which slice.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The dimension of the system.
        expected: usize,
    },
    /// A number that cannot be used.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A call that needs another one before it.
    #[error("`{missing}` has to come first")]
    NotReady {
        /// The call that is missing.
        missing: &'static str,
    },
    /// The event has one sign at both ends of the step, or is zero at its beginning.
    #[error(
        "no event lies in the step: its function is {start} at the beginning and {end} at the end"
    )]
    NoEvent {
        /// The event function at the beginning of the step.
        start: f64,
        /// And at its end.
        end: f64,
    },
    /// A step of a given length whose implicit equations Newton's method does not solve.
    #[error("Newton's method finds no step of length {h} from t = {t}")]
    NoConvergence {
        /// The beginning of the step.
        t: f64,
        /// Its length.
        h: f64,
    },
    /// The system's own error.
    #[error(transparent)]
    System(E),
}
