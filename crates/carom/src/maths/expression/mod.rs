//! Expressions of time, joint coordinates and parameters: text → [`Expression`] → [`Tape`].
//!
//! [`Expression::parse`] turns text into postfix order with the byte position of every part;
//! [`Expression::resolve`] gives the names a meaning and checks the units.

mod error;
mod evaluate;
mod operator;
mod parser;
mod sampled;
mod samples;
mod switch;
mod tape;
mod token;

pub use error::ExpressionError;
pub use evaluate::{Binding, Resolved, UserFunction};
pub use parser::{Expression, MOST_NESTED, Scope, is_reserved};
pub use sampled::{Between, Ends, Sampled};
pub use samples::Samples;
pub use switch::joined;
pub use tape::{Function, Jet, Operator, STACK, Step, Tape, Variable};
