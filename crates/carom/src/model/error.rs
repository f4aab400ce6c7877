//! What can be wrong with a mechanism, each with its place.

use thiserror::Error;

/// A fault and the path of the file's key it belongs to.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{path}: {problem}")]
pub struct Fault {
    /// `bodies.rod.mass`.
    pub path: String,
    /// What is wrong there.
    pub problem: Problem,
}

impl Fault {
    /// A fault at a path.
    pub fn new(path: impl Into<String>, problem: Problem) -> Self {
        Self { path: path.into(), problem }
    }
}

/// What can be wrong with a mechanism.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Problem {
    /// A number outside its range.
    #[error("{} is not {expected}", shown(*.found))]
    OutOfRange {
        /// The number.
        found: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// An inertia tensor that no body has.
    #[error("no rigid body has this inertia tensor: {reason}")]
    Inertia {
        /// Which rule it breaks.
        reason: String,
    },
    /// A direction of no length.
    #[error("the {what} is the zero vector, which has no direction")]
    NoDirection {
        /// Axis, normal, direction.
        what: &'static str,
    },
    /// Two things of one kind with the same name.
    #[error("the name `{name}` is taken: it stands at {first} already")]
    DuplicateName {
        /// The name.
        name: String,
        /// Where it stands.
        first: String,
    },
    /// A body that is the child of two joints.
    #[error(
        "body `{body}` is carried by joint `{first}` already; write this joint under [closures]"
    )]
    TwoParents {
        /// The body.
        body: String,
        /// The joint that carries it.
        first: String,
    },
    /// A body that no joint carries.
    #[error(
        "no joint carries body `{body}`; a free body needs a joint of type \"floating\" to ground"
    )]
    NotCarried {
        /// The body.
        body: String,
    },
    /// Joints that go round in a circle without reaching ground.
    #[error(
        "the joints go round in a circle ({cycle}) and never reach ground; write one of them under [closures]"
    )]
    Cycle {
        /// The bodies of the circle.
        cycle: String,
    },
    /// A joint or contact of a body with itself.
    #[error("{what} `{name}` joins `{body}` with itself")]
    WithItself {
        /// Joint, closure, contact.
        what: &'static str,
        /// Its name.
        name: String,
        /// The body.
        body: String,
    },
    /// A joint kind that has no meaning in a planar model.
    #[error("a {kind} {what} has no meaning in a planar model")]
    NotPlanar {
        /// The kind.
        kind: String,
        /// Joint, closure, shape.
        what: &'static str,
    },
    /// A vector that leaves the plane of a planar model.
    #[error("the {what} leaves the x-y plane of a planar model")]
    LeavesPlane {
        /// What.
        what: &'static str,
    },
    /// Two shapes whose contact is not supported.
    #[error(
        "contact of a {a} with a {b} is not supported; see the table of supported pairs in the manual"
    )]
    UnsupportedPair {
        /// First shape.
        a: &'static str,
        /// Second shape.
        b: &'static str,
    },
    /// An index of something that does not exist.
    #[error("there is no {what} number {index}: the parts hold {count}, counted from 0")]
    NoSuch {
        /// Body, joint, coordinate, shape, marker, contact.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A joint coordinate that is prescribed twice.
    #[error("{what}")]
    Conflict {
        /// What conflicts with what.
        what: String,
    },
}

/// A number as people write it: `1e308`, not three hundred zeros.
pub(crate) fn shown(x: f64) -> String {
    let size = x.abs();
    if x.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}
