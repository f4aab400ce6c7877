//! Where two bodies touch: gap, normal and contact points of a pair of shapes, and their rates.
//!
//! The normal is a unit vector from body a (i) to body b (j); the gap is positive when open and
//! negative in penetration; on_b − on_a = gap · normal. While the touching features (face, edge,
//! end, rim) stay the same the gap changes with the material velocities at the two points,
//!
//! ġap = n · (v_b(on_b) − v_a(on_a)),
//!
//! which is the row of the impact Jacobian. [`touch`] gives the points, [`touch_rate`] how normal and
//! points wander. Pairs that are not listed in [`supported_pairs`] are refused by name. Nothing here
//! allocates, except the names in an error.

pub mod catalogue;
#[cfg(test)]
mod convex_tests;
pub mod fit;
pub mod friction;
mod gap;
pub mod hertz;
pub mod impact1d;
pub mod law;
mod moving;
mod pairs;
mod placed;
pub mod planar;
#[cfg(test)]
mod proof_tests;
mod resolution;
mod rows;
mod side;
mod stand;
mod standing;
mod stop;

pub use pairs::{SupportedPair, supported, supported_pairs};
pub use resolution::{IMMOBILE, POSE, Resolution, gap_resolution, machine_size, natural_speed};
pub use rows::places;
pub use side::settle_sides;
pub use stand::{StandError, check_laws, check_standing, stand, stand_again};
pub use standing::{Approach, Standing};

use self::gap::{Flaw, Patch};
use self::placed::{Frame, Placed};
use crate::maths::{Pose, Twist, Vec3};
use crate::model::{ContactGeometry, Model, Place};
use thiserror::Error;

/// The most points a contact of two shapes has.
pub const MOST_POINTS: usize = 8;

/// A contact point, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchPoint {
    /// Signed distance \[m\]: positive open, negative penetrating.
    pub gap: f64,
    /// The point of body a.
    pub on_a: Vec3,
    /// The point of body b.
    pub on_b: Vec3,
    /// Unit vector from body a to body b.
    pub normal: Vec3,
}

/// The contact points of a pair of shapes: one to [`MOST_POINTS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    points: [TouchPoint; MOST_POINTS],
    count: usize,
    /// How many points the pair has at most: in a run each has its place, in use or not.
    slots: usize,
    /// Tells the features that the points belong to from others, where points change their places with them; 0 elsewhere.
    features: u64,
    /// The size of the shapes \[m\], where places may be vacant.
    size: f64,
}

impl Touch {
    /// The points, at least one; their order is stated by the pair.
    pub fn points(&self) -> &[TouchPoint] {
        &self.points[..self.count]
    }

    /// How many places for points the pair has.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// A number of the features that the points belong to; 0 of pairs whose points keep their places however the features change.
    pub fn features(&self) -> u64 {
        self.features
    }

    /// The point at a place; none where it is not in use.
    pub fn at(&self, slot: usize) -> Option<&TouchPoint> {
        self.points().get(slot)
    }

    /// The gap \[m\] of places that are not in use: the size of the shapes.
    pub fn vacant(&self) -> f64 {
        self.size
    }

    /// The least gap \[m\].
    pub fn gap(&self) -> f64 {
        self.points().iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
    }
}

/// How the vectors of a contact point change.
///
/// The points are geometric: a wheel's contact point keeps below its centre while the wheel turns.
/// With the material velocities they give the rate of the impact Jacobian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchRate {
    /// Rate of the normal \[1/s\].
    pub normal: Vec3,
    /// Velocity of the contact point on a \[m/s\].
    pub on_a: Vec3,
    /// Velocity of the contact point on b \[m/s\].
    pub on_b: Vec3,
}

/// The velocity field of a rigid body: v(x) = lin + ang × (x − origin), in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Velocity about the origin.
    pub twist: Twist,
    /// The point the twist is taken about, in world coordinates \[m\].
    pub origin: Vec3,
}

impl BodyMotion {
    /// A body at rest.
    pub fn rest() -> Self {
        Self { twist: Twist::zero(), origin: Vec3::zeros() }
    }

    /// Velocity of the material point at x \[m/s\].
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.twist.at(&(x - self.origin))
    }
}

/// Why a contact has no contact points.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContactError {
    /// More rows than are solved together.
    #[error(
        "contacts: {found} rows of touching points take part at once, more than are solved together (at most {most}); leave contacts out, or assess them one by one"
    )]
    TooManyRows {
        /// How many.
        found: usize,
        /// How many may be.
        most: usize,
    },
    /// A joint's stop, asked for with poses alone.
    #[error(
        "contacts.{contact}: the gap of a joint stop follows from the joint's position, not from the poses of bodies: evaluate it at a state"
    )]
    NeedsCoordinate {
        /// The contact.
        contact: String,
    },
    /// Shapes whose contact is not among [`supported_pairs`].
    #[error(
        "contacts.{contact}: contact of a {a} with a {b} is not supported in a {space} model; \
         see the table of supported pairs in docs/model-file.md"
    )]
    UnsupportedPair {
        /// The contact.
        contact: String,
        /// Kind of the first shape.
        a: &'static str,
        /// Kind of the second shape.
        b: &'static str,
        /// `planar` or `spatial`.
        space: &'static str,
    },
    /// A segment whose outer side is not written and cannot be told from where its partner stands.
    #[error(
        "contacts.{contact}: it is not known which side of segment `{shape}` is outside; \
         write `side = \"left\"` or `side = \"right\"` at the segment"
    )]
    SideUnknown {
        /// The contact.
        contact: String,
        /// The segment.
        shape: String,
    },
    /// A segment whose partners stand on different sides.
    #[error(
        "segment `{shape}` has one outer side, but the partners of contacts.{first} and \
         contacts.{second} stand on different sides of it; write two segments, each with its `side`"
    )]
    SidesDisagree {
        /// The segment.
        shape: String,
        /// A contact with its partner on one side.
        first: String,
        /// A contact with its partner on the other.
        second: String,
    },
    /// A position in which no normal is distinguished: concentric spheres, crossing axes.
    #[error(
        "contacts.{contact}: the contact normal of `{a}` and `{b}` is not unique in this pose (their centres or axes coincide)"
    )]
    NotDefined {
        /// The contact.
        contact: String,
        /// First shape.
        a: String,
        /// Second shape.
        b: String,
    },
    /// A position in [`Model::contacts`] that the model does not have.
    #[error("there is no contact number {contact}: the model has {count}, counted from 0")]
    NoSuchContact {
        /// The position asked for.
        contact: usize,
        /// How many contacts there are.
        count: usize,
    },
    /// A number of a contact point that the contact does not have.
    #[error("contacts.{contact}: there is no contact point {point}, it has {count}")]
    NoSuchPoint {
        /// The contact.
        contact: String,
        /// The number asked for, from 0.
        point: usize,
        /// How many there are.
        count: usize,
    },
}

/// Refuses a position in [`Model::contacts`] that the model does not have.
fn known(model: &Model, contact: usize) -> Result<(), ContactError> {
    let count = model.contacts.len();
    if contact < count { Ok(()) } else { Err(ContactError::NoSuchContact { contact, count }) }
}

/// The contact points of a contact, a position in [`Model::contacts`].
///
/// `pose` gives the link frame of a body in the world, the identity for ground. Two markers with a
/// normal (no shapes) have gap = n · (p_b − p_a) and the markers themselves as points.
pub fn touch(
    model: &Model,
    contact: usize,
    pose: &dyn Fn(Place) -> Pose,
) -> Result<Touch, ContactError> {
    known(model, contact)?;
    let none =
        TouchPoint { gap: 0.0, on_a: Vec3::zeros(), on_b: Vec3::zeros(), normal: Vec3::zeros() };
    let mut points = [none; MOST_POINTS];
    // Two markers need none of the machinery of shapes.
    if let ContactGeometry::Points { a, b, normal_in, normal } = &model.contacts[contact].geometry {
        let (on_a, on_b) = (pose(a.body).point(&a.at), pose(b.body).point(&b.at));
        let normal = pose(*normal_in).vector(normal);
        points[0] = TouchPoint { gap: normal.dot(&(on_b - on_a)), on_a, on_b, normal };
        return Ok(Touch { points, count: 1, slots: 1, features: 0, size: 0.0 });
    }
    if let &ContactGeometry::Shapes { a, b } = &model.contacts[contact].geometry {
        let [first, second] = [a, b].map(|shape| &model.shapes[shape]);
        let sides = [first, second].map(|shape| pose(shape.body));
        let [on_a, on_b] = [(&first.kind, &sides[0]), (&second.kind, &sides[1])];
        if let Some(point) = gap::plain::meet(on_a, on_b, a > b) {
            points[0] = point;
            return Ok(Touch { points, count: 1, slots: 1, features: 0, size: 0.0 });
        }
    }
    let patch = patch(model, contact, pose, &|_| BodyMotion::rest())?;
    for (point, met) in points.iter_mut().zip(patch.meetings()) {
        *point = TouchPoint {
            gap: met.gap,
            on_a: met.on_a.value,
            on_b: met.on_b.value,
            normal: met.normal.value,
        };
    }
    let count = patch.meetings().len();
    Ok(Touch { points, count, slots: patch.slots, features: patch.features, size: patch.size })
}

/// The rates of one of the points of [`touch`] when the bodies move with `motion`.
///
/// Exact, with the curvature of the shapes, while the touching features stay the same.
pub fn touch_rate(
    model: &Model,
    contact: usize,
    point: usize,
    pose: &dyn Fn(Place) -> Pose,
    motion: &dyn Fn(Place) -> BodyMotion,
) -> Result<TouchRate, ContactError> {
    known(model, contact)?;
    let patch = patch(model, contact, pose, motion)?;
    let met = patch.meetings().get(point).ok_or_else(|| ContactError::NoSuchPoint {
        contact: model.contacts[contact].name.clone(),
        point,
        count: patch.meetings().len(),
    })?;
    Ok(TouchRate { normal: met.normal.rate, on_a: met.on_a.rate, on_b: met.on_b.rate })
}

fn patch(
    model: &Model,
    contact: usize,
    pose: &dyn Fn(Place) -> Pose,
    motion: &dyn Fn(Place) -> BodyMotion,
) -> Result<Patch, ContactError> {
    let frame = |place: Place| Frame { pose: pose(place), motion: motion(place) };
    match &model.contacts[contact].geometry {
        ContactGeometry::Points { a, b, normal_in, normal } => {
            Ok(Patch::of(&[gap::marker_marker::meet(
                (&frame(a.body), &a.at),
                (&frame(b.body), &b.at),
                (&frame(*normal_in), normal),
            )]))
        }
        ContactGeometry::Rope { a, b, length } => Ok(Patch::of(&[gap::rope::meet(
            (&frame(a.body), &a.at),
            (&frame(b.body), &b.at),
            *length,
        )])),
        ContactGeometry::Stop(_) => {
            Err(ContactError::NeedsCoordinate { contact: model.contacts[contact].name.clone() })
        }
        &ContactGeometry::Shapes { a, b } => {
            let placed = |shape: usize| {
                let shape = &model.shapes[shape];
                Placed::new(&shape.kind, &frame(shape.body), model.is_planar())
            };
            placed(a)
                .and_then(|first| gap::meet(&first, &placed(b)?, a > b, model.is_planar()))
                .map_err(|flaw| named(flaw, model, contact, [a, b]))
        }
    }
}

/// The flaw of a pair, with the names of the contact and its shapes.
fn named(flaw: Flaw, model: &Model, contact: usize, [a, b]: [usize; 2]) -> ContactError {
    let contact = model.contacts[contact].name.clone();
    let (first, second) = (&model.shapes[a], &model.shapes[b]);
    match flaw {
        Flaw::Unsupported => ContactError::UnsupportedPair {
            contact,
            a: first.kind.name(),
            b: second.kind.name(),
            space: if model.is_planar() { "planar" } else { "spatial" },
        },
        Flaw::NoSide => {
            let segment = if side::is_open(&first.kind) { first } else { second };
            ContactError::SideUnknown { contact, shape: segment.name.clone() }
        }
        Flaw::NoNormal => {
            ContactError::NotDefined { contact, a: first.name.clone(), b: second.name.clone() }
        }
    }
}
