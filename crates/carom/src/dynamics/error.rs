//! What can go wrong between a model and its motion.

use thiserror::Error;

/// Why a state has no dynamics or could not be assembled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DynamicsError {
    /// A coordinate that moves no inertia.
    #[error(
        "joints.{joint}: nothing with inertia moves with coordinate `{coordinate}`, so its acceleration is undefined (give the body it carries an inertia, or the joint a rotor)"
    )]
    NoInertia {
        /// The joint.
        joint: String,
        /// Which of its coordinates.
        coordinate: String,
    },
    /// A position in the model's bodies that it does not have.
    #[error("there is no joint number {joint} to lock: the model has {count}, counted from 0")]
    NoSuchJoint {
        /// The position asked for.
        joint: usize,
        /// How many joints there are.
        count: usize,
    },
    /// A number in the state that is not finite.
    #[error("the state holds {found} at entry {entry} of {of}")]
    NotFinite {
        /// The number.
        found: f64,
        /// Where.
        entry: usize,
        /// q, v or t.
        of: &'static str,
    },
    /// A quaternion of zeros.
    #[error(
        "joint `{joint}`: the quaternion from entry {entry} of q on is zero, which is no rotation"
    )]
    NoRotation {
        /// The joint.
        joint: String,
        /// Where the quaternion begins.
        entry: usize,
    },
    /// A state of another model.
    #[error("the state has {found} entries in {of}, the model {expected}")]
    WrongSize {
        /// Entries found.
        found: usize,
        /// Entries expected.
        expected: usize,
        /// q or v.
        of: &'static str,
    },
    /// Closures or targets that no pose satisfies.
    #[error("the mechanism cannot be assembled from the given position; what remains open at the nearest pose found: {}", list(.open))]
    NotAssembled {
        /// Name and residual of each open closure or target, the largest first.
        open: Vec<(String, f64)>,
    },
    /// No solution lies on the branch that was asked for.
    #[error(
        "the mechanism was assembled, but no pose found satisfies `{condition}` ({tried} starts tried)"
    )]
    NoBranch {
        /// The condition of the file.
        condition: String,
        /// How many starts were tried.
        tried: usize,
    },
    /// Velocities that no motion satisfies.
    #[error("no velocity is consistent with all closures, drives and targets; what remains: {}", list(.open))]
    NoVelocity {
        /// Name and remaining rate of each.
        open: Vec<(String, f64)>,
    },
    /// Closures that have to be solved together and are too many for it.
    #[error(
        "{rows} closure rows hang together, more than can be solved at once (about {most}); closures between bodies of separate machines do not count"
    )]
    TooManyRows {
        /// How many.
        rows: usize,
        /// How many may be.
        most: usize,
    },
    /// A kinetic energy that no scaling reaches.
    #[error("initial.kinetic_energy: {wanted} J cannot be reached by scaling velocities: {reason}")]
    NoEnergy {
        /// The wanted value.
        wanted: f64,
        /// Why.
        reason: &'static str,
    },
    /// A load that is not a number.
    #[error("loads.{load}: its value is {found} at t = {t} s")]
    LoadNotFinite {
        /// The load.
        load: String,
        /// Its value.
        found: f64,
        /// When.
        t: f64,
    },
    /// A spring whose ends coincide has no direction.
    #[error("loads.{load}: the ends of the spring coincide, so its force has no direction")]
    SpringWithoutDirection {
        /// The load.
        load: String,
    },
}

fn list(open: &[(String, f64)]) -> String {
    let shown: Vec<String> =
        open.iter().take(8).map(|(name, size)| format!("{name} by {size:.3e}")).collect();
    let more = if open.len() > 8 { format!(" and {} more", open.len() - 8) } else { String::new() };
    shown.join(", ") + &more
}
