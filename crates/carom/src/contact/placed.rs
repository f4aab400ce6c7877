//! Shapes placed in the world, together with the motion of the bodies that carry them.

use super::BodyMotion;
use super::gap::Flaw;
use super::moving::Moving;
use crate::maths::polytope::Polytope;
use crate::maths::profile::Profile;
use crate::maths::{Pose, Vec3};
use crate::model::{ShapeKind, Side};

/// A body's link frame in the world and its motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// X_W,link.
    pub pose: Pose,
    /// The velocity field of the body.
    pub motion: BodyMotion,
}

impl Frame {
    /// A material point; its rate is its material velocity.
    pub fn point(&self, inner: &Vec3) -> Moving {
        let value = self.pose.point(inner);
        Moving { value, rate: self.motion.at(&value) }
    }

    /// A body-fixed vector a; its rate is ω × a.
    pub fn vector(&self, inner: &Vec3) -> Moving {
        let value = self.pose.vector(inner);
        Moving { value, rate: self.motion.twist.ang.cross(&value) }
    }

    /// The three axes of a frame fixed in the body.
    fn axes(&self, inner: &Pose) -> [Moving; 3] {
        [0, 1, 2].map(|i| self.vector(&inner.rotation.column(i).into_owned()))
    }
}

/// A sphere; a point is one of radius zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub center: Moving,
    pub radius: f64,
}

/// A half-space and its outward unit normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfSpace {
    pub at: Moving,
    pub normal: Moving,
}

/// A one-sided segment of a planar model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub start: Moving,
    pub end: Moving,
    pub side: Option<Side>,
}

/// A round hole; `axis` is some unit vector fixed in its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub center: Moving,
    pub radius: f64,
    pub axis: Moving,
}

/// A box; in a planar model only the first two axes count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub center: Moving,
    pub axes: [Moving; 3],
    pub half: Vec3,
    pub dimensions: usize,
}

/// A capsule; a segment of a spatial model is one of radius zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rod {
    pub start: Moving,
    pub end: Moving,
    pub radius: f64,
}

/// A round cylinder along the third axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrel {
    pub center: Moving,
    pub axes: [Moving; 3],
    pub radius: f64,
    pub half_length: f64,
}

/// A convex polygon or polyhedron, grown by a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull<'m> {
    pub frame: Frame,
    pub solid: &'m Polytope,
    pub radius: f64,
}

/// A closed smooth curve in the x-y plane of its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curved<'m> {
    pub frame: Frame,
    pub curve: &'m Profile,
}

/// A shape placed in the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Placed<'m> {
    Ball(Ball),
    Edge(Edge),
    Hole(Hole),
    Block(Block),
    Rod(Rod),
    Barrel(Barrel),
    Hull(Hull<'m>),
    Curved(Curved<'m>),
    HalfSpace(HalfSpace),
}

impl<'m> Placed<'m> {
    /// The shape `kind`, carried by `frame`. A planar model has no cylinders.
    pub fn new(kind: &'m ShapeKind, frame: &Frame, planar: bool) -> Result<Self, Flaw> {
        Ok(match *kind {
            ShapeKind::Point { at } => Self::Ball(Ball { center: frame.point(&at), radius: 0.0 }),
            ShapeKind::Sphere { center, radius } => {
                Self::Ball(Ball { center: frame.point(&center), radius })
            }
            ShapeKind::Plane { at, normal } => {
                Self::HalfSpace(HalfSpace { at: frame.point(&at), normal: frame.vector(&normal) })
            }
            ShapeKind::Segment { start, end, side } => {
                let (start, end) = (frame.point(&start), frame.point(&end));
                if planar && side != Some(Side::Both) {
                    Self::Edge(Edge { start, end, side })
                } else {
                    Self::Rod(Rod { start, end, radius: 0.0 })
                }
            }
            ShapeKind::Hollow { center, radius } => Self::Hole(Hole {
                center: frame.point(&center),
                radius,
                axis: frame.vector(&Vec3::x()),
            }),
            ShapeKind::Box { pose, half } => Self::Block(Block {
                center: frame.point(&pose.position),
                axes: frame.axes(&pose),
                half,
                dimensions: if planar { 2 } else { 3 },
            }),
            ShapeKind::Capsule { start, end, radius } => {
                Self::Rod(Rod { start: frame.point(&start), end: frame.point(&end), radius })
            }
            ShapeKind::Convex { ref solid, radius } => {
                Self::Hull(Hull { frame: *frame, solid, radius })
            }
            ShapeKind::Profile { .. } if !planar => return Err(Flaw::Unsupported),
            ShapeKind::Profile { pose, ref curve } => Self::Curved(Curved {
                frame: Frame { pose: frame.pose.then(&pose), motion: frame.motion },
                curve,
            }),
            ShapeKind::Cylinder { .. } if planar => return Err(Flaw::Unsupported),
            ShapeKind::Cylinder { pose, radius, half_length } => Self::Barrel(Barrel {
                center: frame.point(&pose.position),
                axes: frame.axes(&pose),
                radius,
                half_length,
            }),
        })
    }

    /// Place in the order in which the pairs are written: the lower one is body a there.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Ball(_) => 0,
            Self::Edge(_) => 1,
            Self::Hole(_) => 2,
            Self::Block(_) => 3,
            Self::Rod(_) => 4,
            Self::Barrel(_) => 5,
            Self::Hull(_) => 6,
            Self::Curved(_) => 7,
            Self::HalfSpace(_) => 8,
        }
    }
}
