//! What a contact law predicts of a measured impact, and how that depends on its parameters.
//!
//! The laws of the catalogue are few curves: all laws with hysteresis are F = K δⁿ (1 + b δ̇/δ̇⁻), and differ in what they call e only.
//! A [`Curve`] is such a family, a [`Core`] its parameters. [`outcome`] gives separation speed, peak force, duration and impulse with
//! their derivatives, from closed forms where there are some; [`motion`] integrates motion and sensitivities together, for the other
//! curves and for the force over time.

mod force;
mod motion;
mod outcome;
mod problem;
mod search;

pub use force::{Core, Curve, PARAMETERS, Prepared, Pull};
pub use motion::{Passed, Sampled, Slopes, motion};
pub use outcome::{QUANTITIES, Shared, Values, outcome};
pub use problem::{Damping, Impact, Problem, Residual, Signal, Slot, ratio};
pub use search::{Found, Plan, search};

use crate::contact::law::LawError;
use crate::maths::ode::OdeError;

/// Why a curve predicts nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoMotion {
    /// The law refuses its parameters.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The integration fails.
    #[error(transparent)]
    Integration(#[from] OdeError),
    /// The pair does not part within the time of a hundred elastic impacts.
    #[error("the pair does not part")]
    Stays,
}
