//! Runs that do not reach their end.

use crate::simulate::SimulateError;
use crate::simulate::record::outcome::Outcome;
use thiserror::Error;

/// A run that could not begin, or stopped before its end.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{reason}")]
pub struct Stopped {
    /// Why.
    #[source]
    pub reason: SimulateError,
    /// The run until then; none if it could not begin.
    pub outcome: Option<Box<Outcome>>,
}

impl From<SimulateError> for Stopped {
    fn from(reason: SimulateError) -> Self {
        Self { reason, outcome: None }
    }
}

impl From<Stopped> for SimulateError {
    fn from(stopped: Stopped) -> Self {
        stopped.reason
    }
}
