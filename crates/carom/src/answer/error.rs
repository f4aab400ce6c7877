//! Why a verb has no answer.

use thiserror::Error;

use crate::contact::ContactError;
use crate::contact::hertz::HertzError;
use crate::dynamics::DynamicsError;
use crate::file::Opened;
use crate::impact::laws::ImpactError;
use crate::impact::{AssessmentError, StrikeError};

/// Why a verb has no answer. The text of every variant is complete: file, line, column and excerpt where there are any.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AnswerError {
    /// The dynamics of the mechanism fail.
    #[error("{text}")]
    Dynamics {
        /// The message.
        text: String,
        /// What is wrong.
        error: DynamicsError,
    },
    /// The geometry of a contact fails.
    #[error("{text}")]
    Contact {
        /// The message.
        text: String,
        /// What is wrong.
        error: ContactError,
    },
    /// Materials and shapes of a contact give no stiffness.
    #[error("{text}")]
    Stiffness {
        /// The message.
        text: String,
        /// What is wrong.
        error: HertzError,
    },
    /// A contact cannot be assessed.
    #[error("{text}")]
    Assessment {
        /// The message.
        text: String,
        /// What is wrong.
        error: AssessmentError,
    },
    /// An impact cannot be resolved.
    #[error("{text}")]
    Impact {
        /// The message.
        text: String,
        /// What is wrong.
        error: StrikeError,
    },
    /// An impact law that there is not.
    #[error(transparent)]
    Law {
        /// Which, and the nearest name.
        error: ImpactError,
    },
    /// A verb whose answer has no schema.
    #[error("no answer of `{verb}` has a schema; {hint}")]
    NoSchema {
        /// The verb.
        verb: String,
        /// The nearest one, or those that there are.
        hint: String,
    },
    /// The model has no contact.
    #[error("{file}: the model has no contact")]
    NoContacts {
        /// The file.
        file: String,
    },
    /// An option or a file beside the model that cannot be meant.
    #[error("{what}: {message}")]
    Asked {
        /// The option, or the file with the line.
        what: String,
        /// What was found and what was expected.
        message: String,
    },
    /// A contact, a joint or a law that there is not.
    #[error("{file}: {message}")]
    Unknown {
        /// The file.
        file: String,
        /// What is unknown, and the nearest name.
        message: String,
    },
}

impl AnswerError {
    /// Of an option or a file beside the model.
    pub(crate) fn asked(what: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Asked { what: what.into(), message: message.into() }
    }

    /// Whether an impact was asked for and no contact is closed.
    pub fn is_nothing_closed(&self) -> bool {
        matches!(self, Self::Impact { error: StrikeError::NothingClosed { .. }, .. })
    }

    /// Of the dynamics of an opened file.
    pub fn dynamics(opened: &Opened, error: DynamicsError) -> Self {
        Self::Dynamics { text: opened.loaded.explain_dynamics(&error), error }
    }

    /// Of a contact's geometry in an opened file.
    pub fn contact(opened: &Opened, error: ContactError) -> Self {
        Self::Contact { text: opened.loaded.explain_contact(&error), error }
    }

    /// Of a contact's stiffness in an opened file.
    pub fn stiffness(opened: &Opened, error: HertzError) -> Self {
        Self::Stiffness { text: opened.loaded.explain_stiffness(&error), error }
    }

    /// Of an assessment of a contact of an opened file.
    pub fn assessment(opened: &Opened, error: AssessmentError) -> Self {
        match error {
            AssessmentError::Dynamics(error) => Self::dynamics(opened, error),
            AssessmentError::Contact(error) => Self::contact(opened, error),
            AssessmentError::Stiffness(error) => Self::stiffness(opened, error),
            error @ AssessmentError::Law { .. } => {
                let text = match &error {
                    AssessmentError::Law { contact, error } => {
                        opened.loaded.explain_law(contact, error)
                    }
                    other => other.to_string(),
                };
                Self::Assessment { text, error }
            }
        }
    }

    /// Of an impact of an opened file.
    pub fn impact(opened: &Opened, error: StrikeError) -> Self {
        match error {
            StrikeError::Dynamics(error) => Self::dynamics(opened, error),
            StrikeError::Contact(error) => Self::contact(opened, error),
            error => {
                let text = format!("{}: {error}", opened.loaded.source.name());
                Self::Impact { text, error }
            }
        }
    }
}
