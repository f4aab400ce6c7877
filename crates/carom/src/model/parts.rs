//! The machine as one writes it down: names, SI numbers, points in the bodies' own frames.

use super::contact::{ContactDefaults, SimulationDefaults};
use super::event::UserEvent;
use super::joint::{JointFriction, JointKind};
use super::shape::ShapeKind;
use super::{Space, initial::Initial};
use crate::maths::expression::Tape;
use crate::maths::{Mat3, Pose, Vec3};

/// A body by its position in [`Parts::bodies`], or the ground (`None`).
pub type PartPlace = Option<usize>;

/// A body.
#[derive(Clone, Debug)]
pub struct BodyPart {
    /// Its name.
    pub name: String,
    /// m \[kg\].
    pub mass: f64,
    /// Mass centre in the body frame \[m\].
    pub center: Vec3,
    /// Inertia about the mass centre, in body axes \[kg m²\]; in a planar model only zz counts.
    pub inertia: Mat3,
    /// Whether a robot carries it and it is no part of the robot; dynamics are the same.
    pub payload: bool,
}

/// A joint of the tree.
#[derive(Clone, Debug)]
pub struct JointPart {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// The body it stands on.
    pub parent: PartPlace,
    /// The body it carries.
    pub child: usize,
    /// F in the parent's body frame; z is the axis.
    pub in_parent: Pose,
    /// M in the child's body frame.
    pub in_child: Pose,
    /// Positions to keep.
    pub position: Option<Vec<f64>>,
    /// Positions to start assembly from, where none is to be kept.
    pub guess: Option<Vec<f64>>,
    /// Velocities to keep.
    pub velocity: Option<Vec<f64>>,
    /// Reflected rotor inertia of each velocity; empty for none.
    pub rotor: Vec<f64>,
    /// Held at its position.
    pub locked: bool,
    /// Friction.
    pub friction: Option<JointFriction>,
    /// Least and greatest position, for maps and grids; no stop.
    pub range: Option<[f64; 2]>,
    /// Greatest effort of its motor \[N m or N\].
    pub max_effort: Option<f64>,
    /// Greatest speed of its motor \[rad/s or m/s\].
    pub max_speed: Option<f64>,
    /// Constant friction \[N m or N\]; kept, not used yet.
    pub dry_friction: Option<f64>,
}

impl JointPart {
    /// A joint of that kind with coinciding frames at the bodies' origins.
    pub fn new(name: &str, kind: JointKind, parent: PartPlace, child: usize) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            parent,
            child,
            in_parent: Pose::identity(),
            in_child: Pose::identity(),
            position: None,
            guess: None,
            velocity: None,
            rotor: Vec::new(),
            locked: false,
            friction: None,
            range: None,
            max_effort: None,
            max_speed: None,
            dry_friction: None,
        }
    }
}

/// A point in a body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointPart {
    /// The body.
    pub body: PartPlace,
    /// Where, in the body frame.
    pub at: Vec3,
}

/// What a closure is.
#[derive(Clone, Debug)]
pub enum ClosureKind {
    /// A joint between two bodies.
    Joint {
        /// Its kind.
        kind: JointKind,
        /// First body and F in its frame.
        a: (PartPlace, Pose),
        /// Second body and M in its frame.
        b: (PartPlace, Pose),
    },
    /// A massless rod.
    Distance {
        /// One end.
        a: PointPart,
        /// Other end.
        b: PointPart,
        /// Its length.
        length: f64,
    },
    /// A point on a line.
    PointOnLine {
        /// A point of the line.
        line: PointPart,
        /// Its direction in the body frame of `line`.
        direction: Vec3,
        /// The point.
        point: PointPart,
    },
    /// A point on a circle.
    PointOnCircle {
        /// Centre of the circle.
        center: PointPart,
        /// Axis of the circle in the body frame of `center`.
        axis: Vec3,
        /// Its radius.
        radius: f64,
        /// The point.
        point: PointPart,
    },
    /// Σ c_k q_k = offset.
    Coupling {
        /// Joint (position in [`Parts::joints`]), coordinate of it, coefficient.
        terms: Vec<(usize, usize, f64)>,
        /// The constant.
        offset: f64,
    },
}

/// A closure.
#[derive(Clone, Debug)]
pub struct ClosurePart {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ClosureKind,
}

/// A marker.
#[derive(Clone, Debug)]
pub struct MarkerPart {
    /// Its full name, `body.marker`.
    pub name: String,
    /// The point.
    pub point: PointPart,
    /// A direction in the body frame.
    pub direction: Option<Vec3>,
}

/// A contact shape, with its geometry in the body frame.
#[derive(Clone, Debug)]
pub struct ShapePart {
    /// Its full name, `body.shape`.
    pub name: String,
    /// The body.
    pub body: PartPlace,
    /// Its geometry in the body frame.
    pub kind: ShapeKind,
}

/// Where a contact's points come from.
#[derive(Clone, Copy, Debug)]
pub enum ContactPlace {
    /// Positions in [`Parts::shapes`].
    Shapes(usize, usize),
    /// Two points and a normal from the first to the second.
    Points {
        /// Point of the first body.
        a: PointPart,
        /// Point of the second body.
        b: PointPart,
        /// Where the normal is fixed.
        normal_in: PartPlace,
        /// The normal in that body's frame.
        normal: Vec3,
    },
    /// A rope between two points.
    Rope {
        /// Point of the first body.
        a: PointPart,
        /// Point of the second body.
        b: PointPart,
        /// Its length \[m\].
        length: f64,
    },
    /// The stops of a joint's coordinate.
    Stop {
        /// Position in [`Parts::joints`].
        joint: usize,
        /// Which of its velocities.
        coordinate: usize,
        /// The lower one \[m or rad\].
        lower: Option<f64>,
        /// The upper one \[m or rad\].
        upper: Option<f64>,
    },
}

/// A contact.
#[derive(Clone, Debug)]
pub struct ContactPart {
    /// Its name.
    pub name: String,
    /// Its points.
    pub place: ContactPlace,
    /// Its law.
    pub defaults: ContactDefaults,
}

/// A load.
#[derive(Clone, Debug)]
pub enum LoadKind {
    /// Spring and damper between two points.
    Spring {
        /// One end.
        a: PointPart,
        /// Other end.
        b: PointPart,
        /// k.
        stiffness: f64,
        /// c.
        damping: f64,
        /// Free length.
        rest: f64,
    },
    /// Spring and damper on a joint coordinate.
    JointSpring {
        /// Position in [`Parts::joints`].
        joint: usize,
        /// Which of its velocities.
        coordinate: usize,
        /// k.
        stiffness: f64,
        /// c.
        damping: f64,
        /// Free position.
        rest: f64,
    },
    /// A force at a point; `in_body` means components in that body's frame.
    Force {
        /// Where it acts.
        at: PointPart,
        /// Components.
        components: [Tape; 3],
        /// Components in the body frame rather than the world's.
        in_body: bool,
    },
    /// A couple.
    Torque {
        /// The body.
        body: usize,
        /// Components.
        components: [Tape; 3],
        /// Components in the body frame rather than the world's.
        in_body: bool,
    },
    /// Force or torque in a joint coordinate.
    Effort {
        /// Position in [`Parts::joints`].
        joint: usize,
        /// Which of its velocities.
        coordinate: usize,
        /// Its value.
        effort: Tape,
    },
}

/// A named load.
///
/// Tapes refer to joint coordinates through [`Parts::variable`]: `Variable::Position(k)` means
/// joint `k / 8`, coordinate `k % 8` until [`super::Model::new`] renumbers them.
#[derive(Clone, Debug)]
pub struct LoadPart {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: LoadKind,
}

/// A prescribed motion.
#[derive(Clone, Debug)]
pub struct DrivePart {
    /// Its name.
    pub name: String,
    /// Position in [`Parts::joints`].
    pub joint: usize,
    /// Which of its velocities.
    pub coordinate: usize,
    /// q(t).
    pub motion: Tape,
}

/// The whole machine.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Its title.
    pub title: String,
    /// Planar or spatial.
    pub space: Space,
    /// Acceleration of free fall.
    pub gravity: Vec3,
    /// Bodies.
    pub bodies: Vec<BodyPart>,
    /// Joints of the tree.
    pub joints: Vec<JointPart>,
    /// Closures.
    pub closures: Vec<ClosurePart>,
    /// Markers.
    pub markers: Vec<MarkerPart>,
    /// Shapes.
    pub shapes: Vec<ShapePart>,
    /// Contacts.
    pub contacts: Vec<ContactPart>,
    /// Loads.
    pub loads: Vec<LoadPart>,
    /// Drives.
    pub drives: Vec<DrivePart>,
    /// Events; their tapes are numbered as in [`LoadPart`].
    pub events: Vec<UserEvent>,
    /// Point targets (anchors by [`PointPart`] index into `markers`), branch, energy.
    pub initial: InitialPart,
    /// How long and how a run goes.
    pub simulation: SimulationDefaults,
}

/// A target: position in [`Parts::markers`], wanted position, wanted velocity.
pub type TargetPart = (usize, [Option<f64>; 3], [Option<f64>; 3]);

/// `[initial]` before names are resolved.
#[derive(Clone, Debug, Default)]
pub struct InitialPart {
    /// Points with targets.
    pub points: Vec<TargetPart>,
    /// Conditions; their tapes are numbered as in [`LoadPart`].
    pub rest: Initial,
}

impl Parts {
    /// An empty machine.
    pub fn new(space: Space) -> Self {
        Self {
            title: String::new(),
            space,
            gravity: Vec3::zeros(),
            bodies: Vec::new(),
            joints: Vec::new(),
            closures: Vec::new(),
            markers: Vec::new(),
            shapes: Vec::new(),
            contacts: Vec::new(),
            loads: Vec::new(),
            drives: Vec::new(),
            events: Vec::new(),
            initial: InitialPart::default(),
            simulation: SimulationDefaults::default(),
        }
    }

    /// The number that stands for coordinate `coordinate` of joint `joint` in tapes.
    pub fn variable(joint: usize, coordinate: usize) -> usize {
        joint * 8 + coordinate
    }
}
