//! Why a run cannot begin or go on.

use crate::contact::hertz::HertzError;
use crate::contact::law::{LawError, Parameter};
use crate::impact::cannot_separate;
use crate::impact::laws::ImpactError;
use crate::simulate::system::MotionError;
use thiserror::Error;

/// Why a run cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulateError {
    /// Nobody says how long.
    #[error("no duration is given: write `duration` in [simulation], or ask for --until")]
    NoDuration,
    /// A scenario of another model.
    #[error("the scenario has plans for {found} contacts, the model has {expected}")]
    WrongContacts {
        /// Plans found.
        found: usize,
        /// Contacts of the model.
        expected: usize,
    },
    /// A number of the scenario that cannot be used.
    #[error("{what}: {found} is not {expected}")]
    BadNumber {
        /// Which.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A continuous contact without a law.
    #[error(
        "contacts.{contact}: a contact force needs a `law`: write `stiffness` (or `materials`) and `restitution`, or a `law` with its parameters, or ask for --law (see `carom laws`); rigid contacts with a `restitution` alone need --method piecewise"
    )]
    NoLaw {
        /// The contact.
        contact: String,
    },
    /// A law without all it takes.
    #[error("contacts.{contact}: law `{law}` needs {parameter}: {}", parameter.doc())]
    Incomplete {
        /// The contact.
        contact: String,
        /// The law.
        law: &'static str,
        /// What is missing.
        parameter: Parameter,
    },
    /// A piecewise contact without a restitution.
    #[error("contacts.{contact}: a piecewise impact needs a `restitution`")]
    NoRestitution {
        /// The contact.
        contact: String,
    },
    /// Sticking under force laws.
    #[error(
        "contacts.{contact}: a force law has no \"stick\": give a coefficient or a friction law, or let contacts be rigid \
         (contact = \"piecewise\")"
    )]
    Sticks {
        /// The contact.
        contact: String,
    },
    /// Bristles between rigid bodies.
    #[error(
        "contacts.{contact}: friction of type \"{law}\" bends with its contact, and a rigid one does not: use \
         contact = \"continuous\", or a coefficient, \"coulomb\", \"stribeck\" or \"stick\""
    )]
    Bristles {
        /// The contact.
        contact: String,
        /// The law.
        law: &'static str,
    },
    /// An impact law that there is not.
    #[error(transparent)]
    ImpactLaw(ImpactError),
    /// An impact law without friction, and a contact with it.
    #[error(
        "contacts.{contact}: the impact law `{law}` has no friction, and the contact asks for it"
    )]
    NoFriction {
        /// The contact.
        contact: String,
        /// The law.
        law: &'static str,
    },
    /// An impact law that refuses.
    #[error("at t = {t} s contacts.{contact}: {error}")]
    Impact {
        /// When \[s\].
        t: f64,
        /// The first contact of the impact.
        contact: String,
        /// Why.
        error: ImpactError,
    },
    /// Rigid contacts with friction that neither stick nor slide.
    #[error(
        "at t = {t} s contacts.{contact}: with this friction the contact can neither stay, nor slide, nor open (Painlevé): rigid \
         bodies have no answer; use force laws (contact = \"continuous\")"
    )]
    NoGrip {
        /// When \[s\].
        t: f64,
        /// A contact of them.
        contact: String,
    },
    /// Markers that close beside each other.
    #[error(
        "at t = {t} s contacts.{contact}: the gap closes where the markers are {apart} m beside each other, and the normal turns with a \
         body: two points do not touch there; give shapes (a plane and a point) instead of markers"
    )]
    MarkersApart {
        /// When \[s\].
        t: f64,
        /// The contact.
        contact: String,
        /// Between the points, across the normal \[m\].
        apart: f64,
    },
    /// A law that refuses the file's numbers, or an onset.
    #[error("contacts.{contact}: {error}")]
    Law {
        /// The contact.
        contact: String,
        /// Why.
        error: LawError,
    },
    /// Materials and shapes that give no stiffness.
    #[error(transparent)]
    Stiffness(#[from] HertzError),
    /// A start inside each other.
    #[error(
        "contacts.{contact}: the bodies start {depth} {unit} inside each other; start them apart or touching, or write \
         `start = \"in-contact\"` in [simulation]"
    )]
    Penetrating {
        /// The contact.
        contact: String,
        /// −g.
        depth: f64,
        /// m, or rad of a stop that turns.
        unit: &'static str,
    },
    /// A start inside each other that is no rest.
    #[error(
        "contacts.{contact}: the bodies start {depth} m inside each other and move at {speed} m/s along the normal; \
         only a contact at rest can start in contact"
    )]
    PenetratingFast {
        /// The contact.
        contact: String,
        /// −g \[m\].
        depth: f64,
        /// u \[m/s\].
        speed: f64,
    },
    /// A law that never carries what rests on it.
    #[error("contacts.{contact}: its law has no indentation at which it carries {force} N at rest")]
    NoStaticDepth {
        /// The contact.
        contact: String,
        /// F_N \[N\].
        force: f64,
    },
    /// The equations of motion fail at a state.
    #[error("at t = {t} s: {error}")]
    Motion {
        /// When \[s\].
        t: f64,
        /// Why.
        error: MotionError,
    },
    /// A prescribed motion that is not one.
    #[error(
        "drives.{drive}: at t = {t} s its motion jumps from {from} to {to}: a position cannot (a velocity may)"
    )]
    DriveJumps {
        /// When \[s\].
        t: f64,
        /// The drive.
        drive: String,
        /// q before.
        from: f64,
        /// q after.
        to: f64,
    },
    /// The integrator cannot go on.
    #[error("step size underflow at t = {t} s: steps of {h} s still miss the tolerance")]
    StepTooSmall {
        /// When \[s\].
        t: f64,
        /// The step \[s\].
        h: f64,
    },
    /// Closures do not decide how the motion goes on.
    #[error(
        "at t = {t} s the loops of {closures} are in a singular pose, in which the closures do not decide how the motion goes on: {why}"
    )]
    SingularPose {
        /// When \[s\].
        t: f64,
        /// Closures whose rows depend on others in this pose only.
        closures: String,
        /// How it was noticed.
        why: String,
    },
    /// A load that holds the motion where it jumps.
    #[error(
        "at t = {t} s loads.{load} pushes back from both sides of its jump, as dry friction does, and no step leads on: \
         write it smoothly, such as v/sqrt(v^2 + w^2) in place of sign(v) with a speed w far below those of interest, or let \
         the joint have `friction`"
    )]
    SlidingMode {
        /// When \[s\].
        t: f64,
        /// The load.
        load: String,
    },
    /// Numbers that are not finite.
    #[error("at t = {t} s the motion is not finite")]
    NotFinite {
        /// When \[s\].
        t: f64,
    },
    /// Somebody stopped it.
    #[error("interrupted at t = {t} s")]
    Interrupted {
        /// When \[s\].
        t: f64,
    },
    /// A run that has used up its budget.
    #[error("{what} are used up at t = {t} s: {cause}")]
    Budget {
        /// When \[s\].
        t: f64,
        /// What: so many steps, or seconds of computing.
        what: String,
        /// Why the run came so slowly forward.
        cause: String,
    },
    /// A checkpoint of another run, or none.
    #[error("the run cannot be continued: {reason}")]
    Checkpoint {
        /// What does not fit.
        reason: String,
    },
    /// More events than a run may have.
    #[error("{events} events until t = {t} s: the run does not come forward")]
    TooManyEvents {
        /// When \[s\].
        t: f64,
        /// How many.
        events: usize,
    },
    /// Closed contacts that no impulse can part.
    #[error("at t = {t} s contact `{contact}` cannot separate: {}", cannot_separate(drives))]
    Blocked {
        /// When \[s\].
        t: f64,
        /// A contact of them.
        contact: String,
        /// The drives that close it; none where nothing can move in this pose.
        drives: Vec<String>,
    },
}

impl SimulateError {
    /// Whether the run stands between two steps and can go on from there.
    pub fn can_go_on(&self) -> bool {
        matches!(self, Self::Interrupted { .. } | Self::Budget { .. })
    }

    /// The drives that close a contact which cannot separate: its impact energy T_c is unbounded.
    pub fn unbounded_by(&self) -> Option<&[String]> {
        match self {
            Self::Blocked { drives, .. } if !drives.is_empty() => Some(drives),
            _ => None,
        }
    }

    /// The contact it is about.
    pub fn contact(&self) -> Option<&str> {
        match self {
            Self::NoLaw { contact }
            | Self::Incomplete { contact, .. }
            | Self::NoRestitution { contact }
            | Self::Sticks { contact }
            | Self::Bristles { contact, .. }
            | Self::Impact { contact, .. }
            | Self::NoGrip { contact, .. }
            | Self::MarkersApart { contact, .. }
            | Self::NoFriction { contact, .. }
            | Self::Law { contact, .. }
            | Self::Penetrating { contact, .. }
            | Self::PenetratingFast { contact, .. }
            | Self::NoStaticDepth { contact, .. }
            | Self::Blocked { contact, .. } => Some(contact),
            _ => None,
        }
    }
}
/// Names the time at which an evaluation of the motion failed.
pub(in crate::simulate) trait AtTime<T> {
    /// The same with the time \[s\].
    fn at_time(self, t: f64) -> Result<T, SimulateError>;
}

impl<T, E: Into<MotionError>> AtTime<T> for Result<T, E> {
    fn at_time(self, t: f64) -> Result<T, SimulateError> {
        self.map_err(|error| SimulateError::Motion { t, error: error.into() })
    }
}
