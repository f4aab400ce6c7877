//! What an impact law refuses.

/// Why an impact has no answer by a law. Contacts are counted from 0, in the order of the problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// A list has the wrong length.
    #[error("{of}: {found} numbers where the contacts' rows need {expected}")]
    Size {
        /// Which list.
        of: &'static str,
        /// Its length.
        found: usize,
        /// The length of the contacts' rows.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{of}[{entry}]: {found} is not a finite number")]
    NotFinite {
        /// Which list.
        of: &'static str,
        /// Which entry.
        entry: usize,
        /// Its value.
        found: f64,
    },
    /// W is not that of a mechanism.
    #[error("W[{row}, {other}]: W is not symmetric with a diagonal that is not negative")]
    NotSymmetric {
        /// Row.
        row: usize,
        /// Column.
        other: usize,
    },
    /// More tangents than space has.
    #[error("contact {contact}: {found} tangents where 0, 1 or 2 are possible")]
    Tangents {
        /// Which contact.
        contact: usize,
        /// How many.
        found: usize,
    },
    /// e outside of its range.
    #[error("contact {contact}: restitution {found} is not between 0 and 1")]
    Restitution {
        /// Which contact.
        contact: usize,
        /// Its value.
        found: f64,
    },
    /// μ outside of its range.
    #[error("contact {contact}: friction {found} is not a coefficient of at least 0")]
    Friction {
        /// Which contact.
        contact: usize,
        /// Its value.
        found: f64,
    },
    /// A law for one contact was asked for several.
    #[error(
        "the law `{law}` is defined for one closing contact, and here {closing} take part together; `sequential-{law}` takes them one \
         after the other"
    )]
    OneContactOnly {
        /// The law.
        law: &'static str,
        /// How many contacts close, or would.
        closing: usize,
    },
    /// A law with one restitution for all contacts got several.
    #[error(
        "the law `generalised` has one restitution e* for all contacts, and here contacts ask for {first} and {second}"
    )]
    OneRestitutionOnly {
        /// The one of the first contact.
        first: f64,
        /// Another one.
        second: f64,
    },
    /// A law without friction was asked for it.
    #[error("the law `{law}` has no friction, and contact {contact} asks for it")]
    NoFriction {
        /// The law.
        law: &'static str,
        /// Which contact.
        contact: usize,
    },
    /// Removing rows once leaves one that would pull.
    #[error(
        "one pass of removal leaves contact {contact} with an impulse that pulls; take `repeated` or the complementarity"
    )]
    Pulls {
        /// Which contact.
        contact: usize,
    },
    /// The contacts hold each other.
    #[error(
        "no impulses let all contacts part as their restitutions ask (the first that closes is contact {contact}): they \
         hold what is between them"
    )]
    Blocked {
        /// The first contact that closes.
        contact: usize,
    },
    /// Friction at several contacts was not found to the last digits.
    #[error(
        "friction at several contacts at once: no solution found, the nearest misses the conditions by {residual:e} m/s"
    )]
    NotSolved {
        /// The largest violation of the conditions \[m/s\].
        residual: f64,
    },
    /// Contacts still close after many impacts.
    #[error("contacts still close after {repeats} impacts one after the other")]
    StillClosing {
        /// How many were counted.
        repeats: usize,
    },
    /// No law of that name.
    #[error("{name} is no impact law{hint}")]
    UnknownLaw {
        /// The name asked for.
        name: String,
        /// The nearest known name, or where to find them.
        hint: String,
    },
}
