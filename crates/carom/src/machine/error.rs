//! Why a machine gives no answer.

use thiserror::Error;

use crate::answer::{AnswerError, RunAnswer};
use crate::contact::ContactError;
use crate::dynamics::DynamicsError;
use crate::file::OpenError;
use crate::model::Fault;

/// Why a machine gives no answer. The text of errors about a file is complete: names, lines, columns, excerpts.
#[derive(Debug, Error)]
pub enum MachineError {
    /// The file or text gives no machine that stands.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The parts have faults.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Parts(Vec<Fault>),
    /// A machine made of parts has no file to edit.
    #[error("the machine was made of parts: there is no file whose values could be set")]
    NoFile,
    /// A name that is not known.
    #[error("there is no {what} `{name}`{hint}")]
    UnknownName {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name, or those that are known.
        hint: String,
    },
    /// An id of another machine.
    #[error("the id of the {what} belongs to another machine")]
    Foreign {
        /// What kind of id.
        what: &'static str,
    },
    /// A list of the wrong length.
    #[error("{what}: {found} numbers, expected {expected}")]
    WrongLength {
        /// Which list.
        what: &'static str,
        /// How many numbers it has.
        found: usize,
        /// How many it should have.
        expected: String,
    },
    /// A number that is not finite.
    #[error("{what}[{at}] is {found}, not a finite number")]
    NotFinite {
        /// Which list.
        what: &'static str,
        /// Which entry, from 0.
        at: usize,
        /// What it is.
        found: f64,
    },
    /// An option out of its range.
    #[error("{what}: {found}, expected {expected}")]
    OutOfRange {
        /// Which option.
        what: &'static str,
        /// What it is.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// One of many states has no answer.
    #[error("state {index}: {error}")]
    State {
        /// Which, from 0.
        index: usize,
        /// Why.
        error: Box<MachineError>,
    },
    /// Positions or velocities that do not keep the closures.
    #[error(
        "these {what} leave the closures open by {by:.3e} times the size of the machine; assemble them first"
    )]
    ClosuresOpen {
        /// `positions` or `velocities`.
        what: &'static str,
        /// By how much.
        by: f64,
    },
    /// An assessment, an impact or a check has no answer.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A run cannot begin.
    #[error("{0}")]
    Run(String),
    /// A run stopped before its end.
    #[error("stopped at t = {} s: {reason}", .answer.runs.last().map_or(0.0, |run| run.state.t))]
    Stopped {
        /// What was computed until then.
        answer: Box<RunAnswer>,
        /// Why.
        reason: String,
    },
    /// The dynamics fail.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// A contact's geometry fails.
    #[error(transparent)]
    Contact(#[from] ContactError),
}
