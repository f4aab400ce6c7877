//! Why the equations of motion have no answer.

use crate::contact::ContactError;
use crate::dynamics::DynamicsError;
use thiserror::Error;

/// Why the equations of motion have no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MotionError {
    /// The dynamics fails.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// A contact's geometry fails.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Friction that holds itself.
    #[error(
        "joints.{joint}: friction has no answer, it grows with the reaction that it causes: the joint jams"
    )]
    Jammed {
        /// A joint with friction.
        joint: String,
    },
    /// The expression of an event is no number.
    #[error("events.{event}: the expression is {found}, not a finite number")]
    EventNotFinite {
        /// The event.
        event: String,
        /// Its value.
        found: f64,
    },
}

impl MotionError {
    /// Whether a step that ends earlier may not meet it.
    pub(in crate::simulate) fn is_of_place(&self) -> bool {
        matches!(self, Self::Jammed { .. } | Self::Contact(ContactError::NotDefined { .. }))
    }
}
