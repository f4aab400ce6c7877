//! What ends a mode: event functions that fall from positive to zero.
//!
//! | mode of a rigid point | ends when | then |
//! |---|---|---|
//! | open | g falls to zero ([`Guard::Closes`]) | an impact if it approaches faster than rest, then modes |
//! | sticking | F_n falls to zero ([`Guard::Releases`]), or friction reaches μ_s F_n ([`Guard::Slips`]) | modes; in space the onset of slip before |
//! | sliding along d | F_n falls to zero, or u_t · d falls to zero ([`Guard::Sticks`]) | modes |
//! | grazing: closed without a force | g or u_n leaves zero ([`Guard::Strays`]) | modes |
//! | any | a load, a drive or a switch changes its course | velocities jump with drives, an impact if something approaches, then modes |
//!
//! An impact is solved over all closed points (`resolve/impact.rs`); modes are the faces of one contact problem on accelerations over all points
//! at rest (`resolve/rest.rs`). The first two columns are [`Guard::of`], the third is `resolve_rigid` in `resolve/impact.rs`.

use crate::contact::law::Parting;
use crate::maths::zero;
use crate::simulate::mode::{Grip, Observation, Status};
use crate::simulate::resolution::Resolution;

/// A contact that others hold does not move faster than this many times rest.
const STRAYS: f64 = 1e3;

/// Why a spot changes its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simulate) enum Guard {
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
    /// The friction that holds a contact that stays reaches its limit.
    Slips,
    /// The slip of a contact that stays comes to rest.
    Sticks,
    /// A contact that others hold moves all the same.
    Strays,
}

impl Guard {
    /// The guards of a status.
    pub fn of(status: &Status, parting: Parting) -> &'static [Self] {
        match (status, parting) {
            (Status::Open, _) => &[Self::Closes],
            (Status::Touching(_), Parting::ZeroForce) => &[Self::Slackens, Self::Leaves],
            (Status::Touching(_), Parting::ZeroIndentation) => &[Self::Leaves],
            (Status::Parted(_), _) => &[Self::Tightens, Self::Opens],
            (Status::Staying(Grip::Smooth | Grip::Breaks(_)), _) => &[Self::Releases],
            (Status::Staying(Grip::Idle), _) => &[Self::Strays],
            (Status::Staying(Grip::Sticks), _) => &[Self::Releases, Self::Slips],
            (Status::Staying(Grip::Slides(_)), _) => &[Self::Releases, Self::Sticks],
        }
    }

    /// Whether it falls with a force, which may jump.
    pub fn is_of_forces(self) -> bool {
        matches!(self, Self::Releases | Self::Slips)
    }

    /// Positive as long as the status holds.
    pub fn value(self, see: &Observation, sizes: &Resolution) -> f64 {
        match self {
            Self::Closes => see.gap,
            Self::Leaves | Self::Opens => -see.gap,
            Self::Slackens | Self::Releases => see.force,
            Self::Tightens => -see.force,
            Self::Slips => see.margin,
            Self::Sticks => see.slip,
            Self::Strays => {
                let (gap, speed) = (sizes.closed(), STRAYS * sizes.rest());
                1.0 - (see.gap.abs() / gap).max(see.rate.abs() / speed)
            }
        }
    }

    /// Whether the status ends between two looks.
    pub fn fires(self, before: &Observation, after: &Observation, sizes: &Resolution) -> bool {
        let (was, is) = (self.value(before, sizes), self.value(after, sizes));
        let (digits, rest) = (sizes.gap_digits(), sizes.rest());
        // What was over when the step began: a contact that begins without speed, or one that ended with another.
        let over = match self {
            Self::Closes => is < 0.0 && after.rate < 0.0 && (is < -digits || after.rate < -rest),
            Self::Leaves | Self::Opens => is < -digits && before.rate >= 0.0 && after.rate > 0.0,
            Self::Slackens => is < 0.0,
            Self::Sticks => is < -rest,
            // Friction that exceeds its limit by this part of the normal force, and grows, does not hold.
            Self::Slips => is < was && is < -zero::LOCATED * after.force,
            Self::Tightens | Self::Releases | Self::Strays => false,
        };
        // At no indentation no law pushes: a parted pair that opens there is not pressed again.
        let ends = self != Self::Tightens || is < 0.0 && after.gap < 0.0;
        // A slip that has hardly begun is round-off.
        let least = if self == Self::Sticks { sizes.speed_digits() } else { 0.0 };
        was > least && is <= 0.0 && ends || was <= least && over
    }

    /// Whether the status ends here, or within a time \[s\].
    pub fn reached(self, see: &Observation, within: f64, sizes: &Resolution) -> bool {
        let slope = match self {
            Self::Closes | Self::Leaves | Self::Opens => see.rate,
            Self::Slackens => see.force_rate,
            Self::Sticks => see.slip_rate,
            Self::Tightens | Self::Releases | Self::Slips | Self::Strays => 0.0,
        };
        let ends = self != Self::Tightens || see.force > 0.0 && see.gap < 0.0;
        ends && self.value(see, sizes) <= within * slope.abs()
    }
}
