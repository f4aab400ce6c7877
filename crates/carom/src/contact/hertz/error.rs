//! Why two surfaces have no stiffness.

use thiserror::Error;

use crate::contact::ContactError;
use crate::model::error::shown;

/// Why Hertz's theory gives no stiffness.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum HertzError {
    /// A number outside its range.
    #[error("{at}: {} is not {expected}", shown(*.found))]
    OutOfRange {
        /// Which number.
        at: &'static str,
        /// The number.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
    /// A ball that is not smaller than the hollow it is in.
    #[error(
        "radius: a ball of {} m does not fit a hollow of {} m; the hollow must be wider",
        shown(*.ball), shown(*.hollow)
    )]
    HollowTooNarrow {
        /// Radius of the ball \[m\].
        ball: f64,
        /// Radius of the hollow, as a positive number \[m\].
        hollow: f64,
    },
    /// Surfaces that do not part in every direction from the point where they touch.
    #[error(
        "curvatures: the relative curvatures {} and {} 1/m are not both positive; the surfaces do \
         not part in every direction, so they do not touch in a point",
        shown(*.least), shown(*.most)
    )]
    NotClosing {
        /// A, the smaller one \[1/m\].
        least: f64,
        /// B, the larger one \[1/m\].
        most: f64,
    },
    /// Surfaces that touch along a line.
    #[error(
        "curvatures: the smaller relative curvature is 0 beside {} 1/m, so the surfaces touch along \
         a line; use the line contact, with a length", shown(*.most)
    )]
    TouchesAlongLine {
        /// B \[1/m\].
        most: f64,
    },
    /// A line contact too wide for the theory.
    #[error(
        "load: the contact is {} m wide to each side, and 2 ln(…/a) − … is then {}, not {expected}; \
         this is too wide for the theory of the line contact",
        shown(*.half_width), shown(*.bracket)
    )]
    TooWide {
        /// a \[m\].
        half_width: f64,
        /// The bracket of the approach.
        bracket: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// An approach that no load of the line contact's theory gives.
    #[error(
        "approach: {} m is more than the {} m up to which the theory of the line contact holds",
        shown(*.approach), shown(*.most)
    )]
    TooDeep {
        /// δ asked for \[m\].
        approach: f64,
        /// The largest \[m\].
        most: f64,
    },
    /// Touching features for which there is no formula.
    #[error(
        "contacts.{contact}: there is no Hertz stiffness for {a} against {b}{why}; write `stiffness` \
         instead of `materials`"
    )]
    Unsupported {
        /// The contact.
        contact: String,
        /// What touches on the first body.
        a: &'static str,
        /// What touches on the second body.
        b: &'static str,
        /// Why, beginning with a separator; may be empty.
        why: &'static str,
    },
    /// A key that this contact needs, or that means nothing for it.
    #[error("contacts.{contact}: {why}")]
    Keys {
        /// The contact.
        contact: String,
        /// What is wrong.
        why: &'static str,
    },
    /// A formula that fails at a contact of a model.
    #[error("contacts.{contact}: {reason}")]
    At {
        /// The contact.
        contact: String,
        /// Why.
        reason: Box<HertzError>,
    },
    /// The contact has no point.
    #[error(transparent)]
    Geometry(#[from] ContactError),
}
