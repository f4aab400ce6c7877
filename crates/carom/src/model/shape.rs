//! Contact shapes on bodies and ground.

use super::Place;
use crate::maths::polytope::Polytope;
use crate::maths::profile::Profile;
use crate::maths::{Pose, Vec3};
use std::sync::Arc;

/// Which side of a segment is outside, looking from its start to its end in the x-y plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The outward normal is the direction turned by +90°.
    Left,
    /// The outward normal is the direction turned by −90°.
    Right,
    /// It has no inside: it is touched from both sides.
    Both,
}

/// The geometry of a contact shape, in its body's link frame.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeKind {
    /// A material point.
    Point {
        /// Where.
        at: Vec3,
    },
    /// A ball (a disc in a planar model).
    Sphere {
        /// Its centre.
        center: Vec3,
        /// Its radius \[m\].
        radius: f64,
    },
    /// A half-space: all that lies behind the plane is inside.
    Plane {
        /// A point of the plane.
        at: Vec3,
        /// The unit outward normal.
        normal: Vec3,
    },
    /// A straight edge without thickness; in a planar model it has one outer side.
    Segment {
        /// First end.
        start: Vec3,
        /// Other end.
        end: Vec3,
        /// The outer side; settled from the initial pose if the file leaves it open.
        side: Option<Side>,
    },
    /// A round hole seen from inside (a hollow ball in space).
    Hollow {
        /// Its centre.
        center: Vec3,
        /// Its radius \[m\].
        radius: f64,
    },
    /// A box (a rectangle in a planar model).
    Box {
        /// Its centre and axes.
        pose: Pose,
        /// Half the edge lengths \[m\].
        half: Vec3,
    },
    /// A segment with a radius.
    Capsule {
        /// Centre of one end.
        start: Vec3,
        /// Centre of the other end.
        end: Vec3,
        /// Its radius \[m\].
        radius: f64,
    },
    /// A round cylinder with flat ends; its axis is z of the pose.
    Cylinder {
        /// Its centre and axes.
        pose: Pose,
        /// Its radius \[m\].
        radius: f64,
        /// Half its length \[m\].
        half_length: f64,
    },
    /// A convex polygon of a planar model, a convex polyhedron in space; all points within a radius of it.
    Convex {
        /// Its vertices and faces.
        solid: Arc<Polytope>,
        /// The radius of its rounding \[m\].
        radius: f64,
    },
    /// A closed smooth curve of a planar model: a cam.
    Profile {
        /// The curve's frame.
        pose: Pose,
        /// The curve.
        curve: Arc<Profile>,
    },
}

impl ShapeKind {
    /// The word of the file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Point { .. } => "point",
            Self::Sphere { .. } => "sphere",
            Self::Plane { .. } => "plane",
            Self::Segment { .. } => "segment",
            Self::Hollow { .. } => "hollow",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Convex { solid, .. } if solid.is_polygon() => "polygon",
            Self::Convex { .. } => "polyhedron",
            Self::Profile { .. } => "profile",
        }
    }

    /// The same shape in another frame; `to` is this one's frame there.
    pub fn moved(&self, to: &Pose) -> Self {
        match *self {
            Self::Point { at } => Self::Point { at: to.point(&at) },
            Self::Sphere { center, radius } => Self::Sphere { center: to.point(&center), radius },
            Self::Plane { at, normal } => {
                Self::Plane { at: to.point(&at), normal: to.vector(&normal) }
            }
            Self::Segment { start, end, side } => {
                Self::Segment { start: to.point(&start), end: to.point(&end), side }
            }
            Self::Hollow { center, radius } => Self::Hollow { center: to.point(&center), radius },
            Self::Box { pose, half } => Self::Box { pose: to.then(&pose), half },
            Self::Capsule { start, end, radius } => {
                Self::Capsule { start: to.point(&start), end: to.point(&end), radius }
            }
            Self::Cylinder { pose, radius, half_length } => {
                Self::Cylinder { pose: to.then(&pose), radius, half_length }
            }
            Self::Convex { ref solid, radius } => {
                Self::Convex { solid: Arc::new(solid.moved(to)), radius }
            }
            Self::Profile { pose, ref curve } => {
                Self::Profile { pose: to.then(&pose), curve: Arc::clone(curve) }
            }
        }
    }
}

/// A shape and the body that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its name, `body.shape`.
    pub name: String,
    /// The body, or ground.
    pub body: Place,
    /// Its geometry.
    pub kind: ShapeKind,
}
