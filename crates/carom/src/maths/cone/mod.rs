//! Rigid contact: one problem and one solver.
//!
//! [`ContactProblem`] is Coulomb's law at many points at once. [`ConeSolver`] brings it to a normal form without units
//! (`normal_form`), tries Newton's method on the natural map (`polish`), follows the path of smoothed problems where that does not lead to
//! an answer that is locally the only one (`path`), counts the answers and chooses one of them by a rule that knows no order of
//! points (`uniqueness`). Every answer is held against the problem as it was given ([`Residuals`]).

mod dense;
mod map;
mod normal_form;
mod path;
mod polish;
mod problem;
mod solver;
mod uniqueness;

pub(crate) use dense::RankRevealing;
pub use problem::{Admissible, ContactPoint, ContactProblem, Residuals};
pub use solver::{ConeSolver, NoAnswer};
pub use uniqueness::Uniqueness;
