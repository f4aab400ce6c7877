//! What can be wrong with an expression, each with its position in the text.

use std::ops::Range;

use thiserror::Error;

use crate::maths::units::UnitError;

/// What can be wrong with an expression; `at` is the byte range of the culprit in the text.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExpressionError {
    /// Something stands where something else is needed.
    #[error("found {found} where {expected} is expected")]
    Unexpected {
        /// Where.
        at: Range<usize>,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Parentheses, functions, signs or powers inside each other without end.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// Where the limit is passed.
        at: Range<usize>,
        /// The limit.
        limit: usize,
    },
    /// A name without meaning here.
    #[error("unknown name `{name}`{hint}")]
    UnknownName {
        /// Where.
        at: Range<usize>,
        /// The name.
        name: String,
        /// What may be meant, beginning with a separator; may be empty.
        hint: String,
    },
    /// A word after a number that is no unit.
    #[error("`{name}` is not a unit{hint}")]
    UnknownUnit {
        /// Where.
        at: Range<usize>,
        /// The word.
        name: String,
        /// What may be meant, beginning with a separator; may be empty.
        hint: String,
    },
    /// A function with the wrong number of arguments.
    #[error("`{function}` takes {expected} argument(s), found {found}")]
    Arguments {
        /// Where.
        at: Range<usize>,
        /// The function.
        function: String,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Units that do not go together.
    #[error("{problem}")]
    Units {
        /// Where.
        at: Range<usize>,
        /// What is wrong.
        problem: UnitError,
    },
    /// A table that cannot be read, or is none.
    #[error("{problem}")]
    Table {
        /// Where it is named.
        at: Range<usize>,
        /// The file, its line, and what is wrong.
        problem: String,
    },
    /// Something wrong in a function of the file, with the arguments it has here.
    #[error("in the function `{function}`: {problem}")]
    InFunction {
        /// Where it is called.
        at: Range<usize>,
        /// The function.
        function: String,
        /// What is wrong in it.
        problem: Box<Self>,
    },
    /// A constant part without a finite value.
    #[error("the value of this is {value}, not a finite number")]
    NotFinite {
        /// Where.
        at: Range<usize>,
        /// ∞ or NaN.
        value: f64,
    },
}

impl ExpressionError {
    /// The byte range of the culprit.
    pub fn at(&self) -> Range<usize> {
        match self {
            Self::Unexpected { at, .. }
            | Self::TooDeep { at, .. }
            | Self::UnknownName { at, .. }
            | Self::UnknownUnit { at, .. }
            | Self::Arguments { at, .. }
            | Self::Units { at, .. }
            | Self::Table { at, .. }
            | Self::InFunction { at, .. }
            | Self::NotFinite { at, .. } => at.clone(),
        }
    }
}
