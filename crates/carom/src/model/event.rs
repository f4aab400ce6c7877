//! Events of the user: an expression that crosses zero during a run.

use crate::maths::expression::Tape;

/// Which way an expression has to cross zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From below.
    Rises,
    /// From above.
    Falls,
    /// Either way.
    Crosses,
}

impl Crossing {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Rises, Self::Falls, Self::Crosses];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rises => "rises",
            Self::Falls => "falls",
            Self::Crosses => "crosses",
        }
    }

    /// Whether it is meant by one that comes from this side: negative from below, positive from above.
    pub fn means(self, from: f64) -> bool {
        match self {
            Self::Rises => from < 0.0,
            Self::Falls => from > 0.0,
            Self::Crosses => true,
        }
    }
}

/// What a run does at an event of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// It writes the event down and goes on.
    Record,
    /// It ends there.
    Stop,
}

impl Consequence {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Record, Self::Stop];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Stop => "stop",
        }
    }
}

/// An event of the user.
#[derive(Clone, Debug, PartialEq)]
pub struct UserEvent {
    /// Its name.
    pub name: String,
    /// What crosses zero.
    pub expression: Tape,
    /// Which way.
    pub when: Crossing,
    /// What happens then.
    pub then: Consequence,
}
