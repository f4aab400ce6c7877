//! What a contact's numbers say in a word: touching or open, closing or separating.

use carom::contact::TouchPoint;
use carom::dynamics::Posture;
use carom::impact::RowAssessment;
use carom::maths::Vec3;
use carom::model::Place;

/// A gap below this part of the distance from the origin is closed: poses are no better known.
const CLOSED: f64 = 1e-9;
/// A gap below this \[m\] is closed wherever it is.
const CLOSED_AT_LEAST: f64 = 1e-12;
/// A rate below this part of the points' own speeds is round-off.
const AT_REST: f64 = 1e-12;

/// How two surfaces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Apart.
    Open,
    /// The gap is zero, to rounding.
    Touching,
    /// One is inside the other.
    Penetrating,
}

impl Standing {
    /// Of a contact point.
    pub(crate) fn of(point: &TouchPoint) -> Self {
        let size = point.on_a.norm().max(point.on_b.norm());
        let least = (CLOSED * size).max(CLOSED_AT_LEAST);
        if point.gap > least {
            Self::Open
        } else if point.gap < -least {
            Self::Penetrating
        } else {
            Self::Touching
        }
    }

    /// The word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Touching => "touching",
            Self::Penetrating => "penetrating",
        }
    }
}

/// How the gap, or a tangential distance, changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// u < 0.
    Closing,
    /// u > 0.
    Separating,
    /// u = 0, to rounding.
    Resting,
    /// u ≠ 0 along a tangent, where signs mean nothing.
    Sliding,
}

impl Motion {
    /// Of an assessed row.
    pub(crate) fn of_row(at: &Posture<'_>, pair: (Place, Place), row: &RowAssessment) -> Self {
        match Self::of(at, pair, &row.point, row.effective.rate) {
            Self::Closing | Self::Separating if !row.is_normal => Self::Sliding,
            motion => motion,
        }
    }

    /// Of a rate u along the normal at a contact point of two bodies.
    pub(crate) fn of(at: &Posture<'_>, pair: (Place, Place), point: &TouchPoint, u: f64) -> Self {
        let speed = |place: Place, x: &Vec3| {
            at.frames().twist(place).at(&(x - at.pose(place).position)).norm()
        };
        let scale = speed(pair.0, &point.on_a) + speed(pair.1, &point.on_b);
        if u.abs() <= AT_REST * scale {
            Self::Resting
        } else if u < 0.0 {
            Self::Closing
        } else {
            Self::Separating
        }
    }

    /// The word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Closing => "closing",
            Self::Separating => "separating",
            Self::Resting => "resting",
            Self::Sliding => "sliding",
        }
    }
}
