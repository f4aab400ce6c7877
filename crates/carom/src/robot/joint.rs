//! Joints of a robot: what moves, where, how far, and where it stands.

use std::ops::Range;

use crate::maths::spatial::rotation_by;
use crate::maths::{Pose, Vec3};
use crate::model::joint::quaternion_rotation;

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// Nothing.
    Fixed,
    /// Rotation about the axis.
    Turn,
    /// Translation along the axis.
    Slide,
    /// Rotation about a point, in every direction.
    Ball,
    /// Translation across the axis and rotation about it.
    Planar,
    /// Everything.
    Free,
}

/// A joint: the child's frame stands at `origin` in the parent's when all coordinates are zero.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// What it lets move.
    pub motion: JointMotion,
    /// The link it stands on.
    pub parent: usize,
    /// The link it carries.
    pub child: usize,
    /// The child's frame in the parent's.
    pub origin: Pose,
    /// Unit vector in the child's frame.
    pub axis: Vec3,
    /// A point of the axis, in the child's frame \[m\].
    pub anchor: Vec3,
    /// Least and greatest position \[rad or m\].
    pub range: Option<[f64; 2]>,
    /// Greatest effort \[N m or N\].
    pub max_effort: Option<f64>,
    /// Greatest speed \[rad/s or m/s\].
    pub max_speed: Option<f64>,
    /// Viscous damping \[N m s/rad or N s/m\].
    pub damping: f64,
    /// Constant friction \[N m or N\].
    pub friction: f64,
    /// Stiffness of a spring in the joint \[N m/rad or N/m\].
    pub stiffness: f64,
    /// Where that spring is relaxed \[rad or m\].
    pub rest: f64,
    /// q = multiplier · q_other + offset.
    pub mimic: Option<Mimic>,
    /// Reflected rotor inertia of each of its velocities \[kg m² or kg\].
    pub rotor: f64,
    /// Turns of the motor per turn of the joint, if the file states it.
    pub reduction: Option<f64>,
    /// Held at this position.
    pub locked: Option<f64>,
    /// Where it stands unless something else is asked.
    pub start: Start,
}

/// A state of a joint; a list is empty where everything is zero (of a rotation: none).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// As many numbers as the model's joint has: a quaternion is w, x, y, z.
    pub position: Vec<f64>,
    /// In the axes of the parent's side.
    pub velocity: Vec<f64>,
    /// Whether this position is asked for; otherwise it is where the assembly begins.
    pub kept: bool,
}

/// A pose that the file names: states of joints, by their positions in [`super::Robot::joints`].
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Its name, or its number counted from 0.
    pub name: String,
    /// The states.
    pub joints: Vec<(usize, Start)>,
}

impl JointMotion {
    /// How many positions and velocities it has.
    pub(super) fn counts(self) -> (usize, usize) {
        match self {
            Self::Fixed => (0, 0),
            Self::Turn | Self::Slide => (1, 1),
            Self::Ball => (4, 3),
            Self::Planar => (3, 3),
            Self::Free => (7, 6),
        }
    }
}

impl Joint {
    /// A joint at the parent's frame, without losses, limits or motor.
    pub(super) fn new(
        name: &str,
        span: Range<usize>,
        motion: JointMotion,
        ends: [usize; 2],
    ) -> Self {
        Self {
            name: name.to_owned(),
            span,
            motion,
            parent: ends[0],
            child: ends[1],
            origin: Pose::identity(),
            axis: Vec3::z(),
            anchor: Vec3::zeros(),
            range: None,
            max_effort: None,
            max_speed: None,
            damping: 0.0,
            friction: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            mimic: None,
            rotor: 0.0,
            reduction: None,
            locked: None,
            start: Start::default(),
        }
    }

    /// The child's frame in the parent's at a position; all zero if that is empty.
    pub(super) fn placed(&self, q: &[f64]) -> Pose {
        // Rotation about the anchor: x = anchor + R (x' − anchor).
        let about =
            |R: crate::maths::Mat3| Pose { rotation: R, position: self.anchor - R * self.anchor };
        let moved = match (self.motion, q) {
            (JointMotion::Turn, [angle, ..]) => about(rotation_by(&(self.axis * *angle))),
            (JointMotion::Slide, [slide, ..]) => Pose::translation(self.axis * *slide),
            (JointMotion::Ball, [_, _, _, _]) => about(quaternion_rotation(q)),
            (JointMotion::Free, [x, y, z, turn @ ..]) if turn.len() == 4 => {
                Pose { rotation: quaternion_rotation(turn), position: Vec3::new(*x, *y, *z) }
            }
            _ => Pose::identity(),
        };
        self.origin.then(&moved)
    }
}

/// A joint that follows another.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// The other joint, a position in `Robot::joints`.
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// The constant \[rad or m\].
    pub offset: f64,
    /// Where it stands in the text.
    pub span: Range<usize>,
}
