//! What a contact's numbers say in a word: touching or open, closing or separating; [`super::Resolution`] decides.

use schemars::JsonSchema;
use serde::Serialize;

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
    /// Of a gap, of which `least` and less is none.
    pub(super) fn within(gap: f64, least: f64) -> Self {
        if gap > least {
            Self::Open
        } else if gap < -least {
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
