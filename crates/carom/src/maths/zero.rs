//! Levels of zero: a quantity is zero where it is below one of these parts of the size that belongs to it.
//!
//! A level says where the number comes from. The size has the unit of the quantity and comes from the problem: the machine's lengths, speeds and
//! accelerations, the largest force, the terms of a sum. Which decision takes which level of which size is listed in ADR 23.

/// The last digits of a number.
pub(crate) const LAST_DIGITS: f64 = 4.0 * f64::EPSILON;
/// What a sum of a few numbers leaves where it should be zero.
pub(crate) const CANCELLED: f64 = 16.0 * f64::EPSILON;
/// What a step leaves of positions and times; pivots of equilibrated matrices.
pub(crate) const POSITIONS: f64 = 1e-13;
/// What the solution of equations leaves: velocities after an impact, couplings, energies.
pub(crate) const SOLVED: f64 = 1e-12;
/// What an evaluation of contact forces and slips leaves.
pub(crate) const EVALUATED: f64 = 1e-11;
/// Speeds of contacts that rest.
pub(crate) const REST: f64 = 1e-10;
/// What an integration leaves: states, accelerations and the ranks that follow from them.
pub(crate) const INTEGRATED: f64 = 1e-9;
/// Forces of contacts beside the strongest one that do not decide a mode.
pub(crate) const SHARES: f64 = 1e-8;
/// Friction beside its limit, and points beside each other, at an event that has been located.
pub(crate) const LOCATED: f64 = 1e-7;
/// Differences that separate two modes: of accelerations with and without a contact, of times within a step.
pub(crate) const MODES: f64 = 1e-6;
