//! What a contact's numbers say in a word: touching or open, closing or separating.

use super::TouchPoint;
use crate::dynamics::Posture;
use crate::maths::Vec3;
use crate::model::Place;
use schemars::JsonSchema;
use serde::Serialize;

/// A gap below this part of the distance from the origin is closed: poses are no better known.
const CLOSED: f64 = 1e-9;
/// A gap below this \[m\] is closed wherever it is.
const CLOSED_AT_LEAST: f64 = 1e-12;
/// A rate below this part of the points' own speeds is round-off.
const AT_REST: f64 = 1e-12;

/// How two surfaces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Apart.
    Open,
    /// The gap is zero, to rounding.
    Touching,
    /// One is inside the other.
    Penetrating,
}

impl Standing {
    /// Of a contact point.
    pub fn of(point: &TouchPoint) -> Self {
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
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Touching => "touching",
            Self::Penetrating => "penetrating",
        }
    }
}

/// How the gap, or a tangential distance, changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Approach {
    /// u < 0.
    Closing,
    /// u > 0.
    Separating,
    /// u = 0, to rounding.
    Resting,
    /// u ≠ 0 along a tangent, where signs mean nothing.
    Sliding,
}

impl Approach {
    /// Of a rate u along a row at a contact point of two bodies; a tangent does not close, it slides.
    pub fn of_row(
        at: &Posture<'_>,
        pair: (Place, Place),
        point: &TouchPoint,
        (is_normal, u): (bool, f64),
    ) -> Self {
        match Self::of(at, pair, point, u) {
            Self::Closing | Self::Separating if !is_normal => Self::Sliding,
            motion => motion,
        }
    }

    /// Of a rate u along the normal at a contact point of two bodies.
    pub fn of(at: &Posture<'_>, pair: (Place, Place), point: &TouchPoint, u: f64) -> Self {
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
    pub fn word(self) -> &'static str {
        match self {
            Self::Closing => "closing",
            Self::Separating => "separating",
            Self::Resting => "resting",
            Self::Sliding => "sliding",
        }
    }
}
