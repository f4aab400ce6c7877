//! What the machine is: bodies on a tree of joints, closures, shapes, contacts, loads, drives.
//!
//! [`Parts`] is the machine as one writes it down: names, numbers in SI units, points in the
//! bodies' own frames. [`Model::new`] checks it, orders the tree and expresses everything in *link
//! frames*: the link frame of a body is the moving side of the joint that carries it, so that a
//! joint's axes pass through the link frame's origin.

pub mod body;
pub mod builder;
mod check;
pub mod closure;
mod compile;
pub mod contact;
pub mod description;
mod draft;
pub mod error;
pub mod event;
mod inertia_doubt;
pub mod initial;
pub mod joint;
pub mod load;
pub mod material;
mod naming;
mod numbers;
pub mod parts;
mod recipe;
mod references;
pub mod shape;
pub mod study;
mod tree;
pub mod uncertain;
pub mod visual;

pub use body::{Body, NO_MASS, RigidInertia};
pub use builder::{
    Built, Caution, Finding, Mistake, Texts, Warning, build, build_again, compile, freeze,
    number_at, quantity_at,
};
pub use closure::{Closure, Row};
pub use contact::{
    Contact, ContactDefaults, ContactGeometry, ContactMaterials, ContactTreatment, ContactUnits,
    FORCE_VARIABLES, Friction, FrictionKind, FrictionParameters, IMPACTS, LawParameters,
    ParallelCylinders, Parting, SimulationDefaults, StartRule, Stop,
};
pub use description::Description;
pub use draft::Draft;
pub use error::{Fault, Problem};
pub use event::{Consequence, Crossing, UserEvent};
pub use inertia_doubt::InertiaDoubt;
pub use initial::{Condition, Initial, PointTarget};
pub use joint::{Joint, JointFriction, JointKind};
pub use load::{Drive, Load};
pub use material::{MATERIALS, Material};
pub use parts::Parts;
pub use recipe::{Change, Recipe};
pub use shape::{Shape, ShapeKind, Side};
pub use study::StudyPlan;
pub use visual::{Look, Visual};

use crate::maths::Vec3;

/// Row of a body in [`Model::bodies`]; a parent's is smaller than its children's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// The position in [`Model::bodies`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A body, or the ground (`None`).
pub type Place = Option<BodyId>;

/// Motion in a plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// All motion is in the x-y plane, all rotation about z.
    Planar,
    /// Free motion in three dimensions.
    Spatial,
}

/// A point fixed in a body or in the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body that carries it.
    pub body: Place,
    /// Where, in the body's link frame \[m\].
    pub at: Vec3,
}

/// A named point of a body, with a direction if one was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Its name, `body.marker`.
    pub name: String,
    /// The point.
    pub anchor: Anchor,
    /// A unit vector in the link frame.
    pub direction: Option<Vec3>,
}

/// A mechanism, checked and ordered.
#[derive(Clone, Debug)]
pub struct Model {
    /// The title of the file.
    pub title: String,
    /// Planar or spatial.
    pub space: Space,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: Vec3,
    /// The bodies; each carries the joint that holds it to its parent.
    pub bodies: Vec<Body>,
    /// What closes loops or couples joints.
    pub closures: Vec<Closure>,
    /// Named points.
    pub markers: Vec<Marker>,
    /// Contact shapes.
    pub shapes: Vec<Shape>,
    /// Pairs that may touch.
    pub contacts: Vec<Contact>,
    /// Springs, dampers, forces, torques.
    pub loads: Vec<Load>,
    /// Prescribed motions of joint coordinates.
    pub drives: Vec<Drive>,
    /// Expressions whose zeros a run finds.
    pub events: Vec<UserEvent>,
    /// Pose and velocity asked for in space.
    pub initial: Initial,
    /// How long and how a run goes.
    pub simulation: SimulationDefaults,
    /// Length of q.
    pub nq: usize,
    /// Length of v.
    pub nv: usize,
}

impl Model {
    /// The body of that name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        let at = self.bodies.iter().position(|b| b.name == name)?;
        u32::try_from(at).ok().map(BodyId)
    }

    /// The body at a position in [`Model::bodies`].
    pub fn body_at(&self, index: usize) -> Place {
        (index < self.bodies.len()).then(|| u32::try_from(index).ok().map(BodyId)).flatten()
    }

    /// The contact of that name, as a position in [`Model::contacts`].
    pub fn contact(&self, name: &str) -> Option<usize> {
        self.contacts.iter().position(|c| c.name == name)
    }

    /// The name of a body or `ground`.
    pub fn place_name(&self, place: Place) -> &str {
        place.map_or("ground", |b| &self.bodies[b.index()].name)
    }

    /// Whether the model moves in the x-y plane only.
    pub fn is_planar(&self) -> bool {
        self.space == Space::Planar
    }
}
