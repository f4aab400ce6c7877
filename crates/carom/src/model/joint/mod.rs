//! Joints that span the tree: what each lets move, and how its coordinates place the body.
//!
//! A joint has a fixed side F on the parent and a moving side M on the child, which coincide at
//! zero position. All its velocity columns are pure rotations about the origin of M or pure
//! translations; no joint needs a general screw.

mod cylindrical;
mod floating;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
mod universal;
mod weld;

use super::contact::Friction;
use crate::maths::{Pose, Vec3};

pub use spherical::{quaternion_rate, quaternion_rotation, rotate_quaternion};

/// The most coordinates a joint has.
pub const MOST_POSITIONS: usize = 7;
/// The most velocities a joint has.
pub const MOST_VELOCITIES: usize = 6;

/// The kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Nothing moves.
    Weld,
    /// Rotation about z of F.
    Revolute,
    /// Translation along z of F.
    Prismatic,
    /// Rotation about and translation along z of F.
    Cylindrical,
    /// Rotation about z of F, then about x of M.
    Universal,
    /// Rotation about a point.
    Spherical,
    /// Translation along x and y of F and rotation about its z.
    Planar,
    /// Free motion.
    Floating,
}

/// One way a joint lets its body move, in the axes of F.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The unit vector of the motion.
    pub axis: Vec3,
    /// Rotation about the origin of M, or translation.
    pub angular: bool,
}

/// A joint with its place in the model and its state in the file.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// What it lets move.
    pub kind: JointKind,
    /// F in the parent's link frame (in the world, on ground).
    pub in_parent: Pose,
    /// First entry in q.
    pub q: usize,
    /// First entry in v.
    pub v: usize,
    /// Positions the file asks for, or where assembly starts.
    pub position: [f64; MOST_POSITIONS],
    /// Whether assembly has to keep the position.
    pub position_given: bool,
    /// Velocities the file asks for.
    pub velocity: [f64; MOST_VELOCITIES],
    /// Whether consistency has to keep the velocity.
    pub velocity_given: bool,
    /// Reflected rotor inertia of each column \[kg m²\] or \[kg\].
    pub rotor: [f64; MOST_VELOCITIES],
    /// Held at its position.
    pub locked: bool,
    /// Friction that grows with the joint's reaction.
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

/// Friction in a revolute or prismatic joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Which.
    pub law: Friction,
    /// Of the pin of a revolute joint \[m\].
    pub radius: Option<f64>,
    /// Between the two bearings of a prismatic joint, about its point on the second body \[m\]; without it moments press nothing.
    pub guide: Option<f64>,
}

impl Joint {
    /// Entries of q.
    pub fn positions(&self) -> std::ops::Range<usize> {
        self.q..self.q + self.kind.positions()
    }

    /// Entries of v.
    pub fn velocities(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.kind.velocities()
    }
}

impl JointKind {
    /// Every kind, in the order of the manual.
    pub const ALL: [Self; 8] = [
        Self::Weld,
        Self::Revolute,
        Self::Prismatic,
        Self::Cylindrical,
        Self::Universal,
        Self::Spherical,
        Self::Planar,
        Self::Floating,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Cylindrical => "cylindrical",
            Self::Universal => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Floating => "floating",
        }
    }

    /// How many entries of q it has.
    pub fn positions(self) -> usize {
        match self {
            Self::Weld => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal => 2,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Floating => 7,
        }
    }

    /// How many entries of v it has.
    pub fn velocities(self) -> usize {
        match self {
            Self::Weld => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal => 2,
            Self::Planar | Self::Spherical => 3,
            Self::Floating => 6,
        }
    }

    /// Names of the velocities' coordinates, as files and tables call them.
    pub fn coordinate_names(self) -> &'static [&'static str] {
        match self {
            Self::Weld => &[],
            Self::Revolute => &["angle"],
            Self::Prismatic => &["slide"],
            Self::Cylindrical => &["angle", "slide"],
            Self::Universal => &["first", "second"],
            Self::Spherical => &["rx", "ry", "rz"],
            Self::Planar => &["x", "y", "angle"],
            Self::Floating => &["x", "y", "z", "rx", "ry", "rz"],
        }
    }

    /// Whether a velocity is a rotation.
    pub fn is_angular(self, column: usize) -> bool {
        match self {
            Self::Weld | Self::Prismatic => false,
            Self::Revolute | Self::Universal | Self::Spherical => true,
            Self::Cylindrical => column == 0,
            Self::Planar => column == 2,
            Self::Floating => column >= 3,
        }
    }

    /// The entry of q whose rate is this velocity, where there is one (a rotation in space about a
    /// point has none: its position is a quaternion).
    pub fn position_of(self, column: usize) -> Option<usize> {
        match self {
            Self::Spherical => None,
            Self::Floating => (column < 3).then_some(column),
            _ => Some(column),
        }
    }

    /// The zero position.
    pub fn zero(self) -> [f64; MOST_POSITIONS] {
        let mut q = [0.0; MOST_POSITIONS];
        match self {
            Self::Spherical => q[0] = 1.0,
            Self::Floating => q[3] = 1.0,
            _ => {}
        }
        q
    }

    /// M in F at position `q`.
    pub fn place(self, q: &[f64]) -> Pose {
        match self {
            Self::Weld => weld::place(),
            Self::Revolute => revolute::place(q[0]),
            Self::Prismatic => prismatic::place(q[0]),
            Self::Cylindrical => cylindrical::place(q[0], q[1]),
            Self::Universal => universal::place(q[0], q[1]),
            Self::Spherical => spherical::place(q),
            Self::Planar => planar::place(q),
            Self::Floating => floating::place(q),
        }
    }

    /// The velocity columns in the axes of F; the first [`JointKind::velocities`] are meant.
    pub fn columns(self, q: &[f64]) -> [Column; MOST_VELOCITIES] {
        let mut out = [Column { axis: Vec3::zeros(), angular: false }; MOST_VELOCITIES];
        match self {
            Self::Weld => {}
            Self::Revolute => out[0] = revolute::COLUMN,
            Self::Prismatic => out[0] = prismatic::COLUMN,
            Self::Cylindrical => out[..2].copy_from_slice(&cylindrical::COLUMNS),
            Self::Universal => out[..2].copy_from_slice(&universal::columns(q[0])),
            Self::Spherical => out[..3].copy_from_slice(&spherical::COLUMNS),
            Self::Planar => out[..3].copy_from_slice(&planar::COLUMNS),
            Self::Floating => out.copy_from_slice(&floating::COLUMNS),
        }
        out
    }

    /// Whether column `other` turns with coordinate `moving` of the same joint.
    ///
    /// All columns are fixed in F except the second of a universal joint.
    pub fn carries(self, moving: usize, other: usize) -> bool {
        self == Self::Universal && moving == 0 && other == 1
    }

    /// q̇ at position `q` and velocities `v`; a quaternion's rate is ½ ω q, with ω in the axes of F.
    pub fn rates(self, q: &[f64], v: &[f64], out: &mut [f64]) {
        match self {
            Self::Spherical => quaternion_rate(q, v, out),
            Self::Floating => {
                out[..3].copy_from_slice(&v[..3]);
                quaternion_rate(&q[3..7], &v[3..6], &mut out[3..7]);
            }
            _ => out.copy_from_slice(v),
        }
    }

    /// Where the position holds a quaternion.
    pub fn quaternion(self) -> Option<std::ops::Range<usize>> {
        match self {
            Self::Spherical => Some(0..4),
            Self::Floating => Some(3..7),
            _ => None,
        }
    }

    /// q ⊕ step: the position after moving with the velocities `step` for unit time.
    pub fn advance(self, q: &mut [f64], step: &[f64]) {
        match self {
            Self::Spherical => rotate_quaternion(q, step),
            Self::Floating => {
                for k in 0..3 {
                    q[k] += step[k];
                }
                rotate_quaternion(&mut q[3..7], &step[3..6]);
            }
            _ => {
                for (q, step) in q.iter_mut().zip(step) {
                    *q += step;
                }
            }
        }
    }
}
