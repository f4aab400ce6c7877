//! What ends a mode: functions that fall from positive to zero.

use super::spot::{Observation, Status};
use crate::contact::law::Parting;

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
        was > 0.0 && is <= 0.0 || self == Self::Closes && was <= 0.0 && is < 0.0
    }
}
