//! What ends a mode: functions that fall from positive to zero.

use super::spot::{Observation, Status};
use crate::contact::law::Parting;

/// A gap \[m\] that is zero to round-off: a contact just released leaves it so slowly that its sign means nothing.
const LAST_DIGITS: f64 = 1e-13;

/// Why a spot changes its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// An open gap closes.
    Closes,
    /// A touching pair is back at no indentation.
    Leaves,
    /// The force of a touching pair falls to zero.
    Slackens,
    /// The law of a parted pair pushes again.
    Tightens,
    /// The gap of a parted pair opens.
    Opens,
    /// The force of a contact that stays falls to zero.
    Releases,
}

impl Guard {
    /// The guards of a status.
    pub fn of(status: &Status, parting: Parting) -> &'static [Self] {
        match (status, parting) {
            (Status::Open, _) => &[Self::Closes],
            (Status::Touching(_), Parting::ZeroForce) => &[Self::Slackens, Self::Leaves],
            (Status::Touching(_), Parting::ZeroIndentation) => &[Self::Leaves],
            (Status::Parted(_), _) => &[Self::Tightens, Self::Opens],
            (Status::Staying, _) => &[Self::Releases],
        }
    }

    /// Positive as long as the status holds.
    pub fn value(self, see: &Observation) -> f64 {
        match self {
            Self::Closes => see.gap,
            Self::Leaves | Self::Opens => -see.gap,
            Self::Slackens | Self::Releases => see.force,
            Self::Tightens => -see.force,
        }
    }

    /// Whether the status ends between two looks.
    pub fn fires(self, before: &Observation, after: &Observation) -> bool {
        let (was, is) = (self.value(before), self.value(after));
        // A gap that was zero and is negative: a contact that begins without speed.
        let begins = was <= 0.0 && is < -LAST_DIGITS && after.rate < 0.0;
        was > 0.0 && is <= 0.0 || self == Self::Closes && begins
    }
}
