//! What the builder has to say about a description: faults and warnings, each with its place.

use std::ops::Range;

use thiserror::Error;

use crate::maths::expression::ExpressionError;
use crate::maths::units::UnitError;
use crate::model::Problem;
use crate::model::description::Origin;
use crate::model::error::shown;

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{mistake}", prefix(.path))]
pub struct Finding {
    /// `bodies.rod.mass`; empty for the whole file.
    pub path: String,
    /// The bytes of the file, or the edit that brought it; `None` for the whole file.
    pub origin: Option<Origin>,
    /// What is wrong there.
    pub mistake: Mistake,
}

impl Finding {
    /// The bytes of the file it is about.
    pub fn span(&self) -> Option<Range<usize>> {
        self.origin.as_ref().and_then(Origin::span)
    }
}

/// Something that may not be meant.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{caution}", prefix(.path))]
pub struct Warning {
    /// `bodies.rod.mass`; empty for the whole file.
    pub path: String,
    /// Where it stands.
    pub origin: Option<Origin>,
    /// What may not be meant.
    pub caution: Caution,
}

/// What may not be meant.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Caution {
    /// No gravity.
    #[error("no gravity is given: it is zero (write gravity = […] [m/s²])")]
    NoGravity,
    /// No body.
    #[error(
        "the file has no body: nothing can move (write [bodies.NAME] and a joint that carries it)"
    )]
    NoBody,
    /// A quaternion that is not of unit length.
    #[error("the quaternion has the length {length}, not 1: it was normalised")]
    NotUnit {
        /// Its length.
        length: f64,
    },
    /// A speed whose square underflows.
    #[error(
        "{found:e} counts as rest: the square of so small a number is 0, and so is its kinetic energy"
    )]
    Underflows {
        /// The number.
        found: f64,
    },
    /// Numbers that look like millimetres and grams.
    #[error(
        "no mass and no length has a unit, every mass is at least {mass} kg and every offset of a joint at least {offset} m; if grams and millimetres are meant, write them (\"30 mm\")"
    )]
    LooksUnscaled {
        /// The smallest mass.
        mass: f64,
        /// The smallest offset.
        offset: f64,
    },
    /// A body that can turn, without inertia.
    #[error("neither `inertia` nor `shape` is given: the body counts as a point mass")]
    PointMass,
    /// A contact shape that fills what its mesh leaves open.
    #[error(
        "the mesh touches as its convex hull: {corners} corners, {faces} faces, {volume:.6e} m³{}", hollow(*.of_mesh, *.volume)
    )]
    Hull {
        /// Corners of the hull.
        corners: usize,
        /// Faces of the hull.
        faces: usize,
        /// Volume of the hull \[m³\].
        volume: f64,
        /// Volume of the mesh \[m³\], where it is closed.
        of_mesh: Option<f64>,
    },
    /// A mesh whose triangles all face inwards.
    #[error("all triangles of the mesh face inwards; it counts as what it encloses")]
    InsideOut,
    /// A density below that of any gas.
    #[error(
        "a density of {found} is less than that of air; if g/mm³ or t/mm³ is meant, write the unit (\"7.85 g/cm^3\")"
    )]
    ThinDensity {
        /// The density, as text.
        found: String,
    },
    /// What the clearance of a joint became.
    #[error("{0}")]
    Clearance(String),
    /// A decision that was made when a robot's file was read.
    #[error("{0}")]
    RobotNote(String),
    /// Numbers of a robot's file that may not be meant.
    #[error("{0}")]
    RobotDoubt(String),
    /// A robot without any rotor.
    #[error(
        "motors not counted: m_eff is a lower bound (give reflected rotor inertias: `rotor` of the joints, --rotor, or `rotors` in [robot])"
    )]
    MotorsNotCounted,
}

/// What can be wrong with a description.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Mistake {
    /// A key the format does not have.
    #[error("unknown key `{key}` of {section}{hint}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The section it stands in.
        section: &'static str,
        /// The nearest key, or all of them, beginning with a separator.
        hint: String,
    },
    /// A key that is required and missing.
    #[error("`{key}` is missing: {doc}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What it is for.
        doc: &'static str,
    },
    /// A value of the wrong kind.
    #[error("found {found} where {expected} is expected")]
    WrongKind {
        /// What stands there.
        found: &'static str,
        /// What may stand there.
        expected: &'static str,
    },
    /// A list of the wrong length.
    #[error("found {found} number(s) where {expected} are expected{why}")]
    WrongCount {
        /// How many there are.
        found: usize,
        /// How many there may be.
        expected: String,
        /// Why, beginning with a separator; may be empty.
        why: String,
    },
    /// A word that is not one of those that may stand there.
    #[error("`{found}` is not a {what}{hint}")]
    UnknownWord {
        /// The word.
        found: String,
        /// Type, law, side.
        what: &'static str,
        /// The nearest word, or all of them.
        hint: String,
    },
    /// A name that nothing has.
    #[error("there is no {what} `{name}`{hint}")]
    UnknownName {
        /// Body, joint, marker, shape.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name, beginning with a separator; may be empty.
        hint: String,
    },
    /// A name with letters that names may not have.
    #[error("`{name}` is not a name: {rule}")]
    BadName {
        /// The name.
        name: String,
        /// The rule.
        rule: &'static str,
    },
    /// A number outside its range.
    #[error("{} is not {expected}", shown(*.found))]
    OutOfRange {
        /// The number.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
    /// An expression that cannot be read or has the wrong unit inside.
    #[error("{0}")]
    Expression(ExpressionError),
    /// A value with the wrong unit.
    #[error("{0}")]
    Unit(UnitError),
    /// Parameters that need each other.
    #[error("parameters depend on each other in a cycle: {cycle}")]
    ParameterCycle {
        /// `a → b → a`.
        cycle: String,
    },
    /// A direction without length.
    #[error("the {what} is the zero vector, which has no direction")]
    NoDirection {
        /// Axis, normal, direction.
        what: &'static str,
    },
    /// Keys that do not go together, or a key without meaning here.
    #[error("{0}")]
    Conflict(String),
    /// A fault of the mechanism.
    #[error("{0}")]
    Mechanism(Problem),
}

/// `path: `, or nothing for the whole file.
fn prefix(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

/// What a hull adds to its mesh.
fn hollow(of_mesh: Option<f64>, filled: f64) -> String {
    match of_mesh {
        Some(own) => {
            format!(" (the mesh encloses {own:.6e} m³, {:.1} % of it)", 100.0 * own / filled)
        }
        None => " (the mesh is not closed)".to_owned(),
    }
}
