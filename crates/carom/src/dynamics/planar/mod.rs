//! Accelerations of planar trees: the sweep of [`super::Factor`] with the numbers of the plane alone.
//!
//! A body in the plane has ω and (vₓ, v_y) instead of two vectors, and six numbers of articulated inertia instead of
//! twenty-one; ω × and the bias of rotations vanish (docs/adr/0015-planar-kernel.md). Everything is in world axes about the
//! link origins, as in the sweep.
//!
//! The kernel *answers or declines*. It has no errors: where a number is not finite, where a coordinate without inertia
//! is pushed on, or where a spring has no direction, it returns `false`, and [`super::Posture`] says what is wrong.
//!
//! ```
//! # use carom::{dynamics::planar::Kernel, kinematics::State, model::Model};
//! # fn accelerations(model: &Model, state: &State) -> Option<Vec<f64>> {
//! let mut kernel = Kernel::new(model)?; // planar, without closures
//! let mut v_dot = vec![0.0; model.nv];
//! (kernel.place(state) && kernel.solve(&mut v_dot)).then_some(v_dot)
//! # }
//! ```

mod inertia;
mod loads;
mod parts;
mod sweep;

use self::inertia::{PlanarInertia, PlanarWrench};
use self::loads::PlanarLoad;
use self::parts::{Column, Hinge};
use super::row::RowWrench;
use crate::maths::plane::{Turn, Vec2, cross, quarter};
use crate::maths::{Mat3, Pose, Vec3, Wrench};
use crate::model::{Model, Place};

/// A body in the plane: its own axes are turned by one angle against the world's.
///
/// These axes are fixed in the body. They are not those of its link frame, whose z may lie in the plane;
/// [`Kernel::in_plane`] takes points from one to the other.
#[derive(Clone, Copy, Debug)]
pub struct PlanarLink {
    /// The body's axes in the world.
    pub turn: Turn,
    /// The link frame's origin \[m\].
    pub origin: Vec2,
    /// ω \[rad/s\].
    pub omega: f64,
    /// Velocity of the origin \[m/s\].
    pub velocity: Vec2,
    angle: f64,
    /// Origin minus the parent's.
    arm: Vec2,
    /// Mass centre from the origin, in world axes.
    center: Vec2,
    /// g less the acceleration of the origin that is left if all v̇ are zero.
    fall: Vec2,
    inertia: PlanarInertia,
    wrench: PlanarWrench,
    /// ω̇, and the part of the origin's acceleration that v̇ makes.
    alpha: f64,
    gained: Vec2,
}

impl PlanarLink {
    fn ground(gravity: Vec2) -> Self {
        Self {
            turn: Turn::identity(),
            origin: Vec2::zeros(),
            omega: 0.0,
            velocity: Vec2::zeros(),
            angle: 0.0,
            arm: Vec2::zeros(),
            center: Vec2::zeros(),
            fall: gravity,
            inertia: PlanarInertia::zero(),
            wrench: PlanarWrench::zero(),
            alpha: 0.0,
            gained: Vec2::zeros(),
        }
    }

    /// World position of a point given in the body's axes.
    #[inline]
    pub fn point(&self, at: &Vec2) -> Vec2 {
        self.origin + self.turn.vector(at)
    }

    /// Velocity of the material point that is at `x` in the world.
    #[inline]
    pub fn velocity_at(&self, x: &Vec2) -> Vec2 {
        self.velocity + quarter(&(x - self.origin)) * self.omega
    }

    #[inline]
    fn push(&mut self, x: &Vec2, force: &Vec2) {
        self.wrench.moment += cross(&(x - self.origin), force);
        self.wrench.force += force;
    }
}

/// A body, or the ground, among the links of a [`Kernel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkId(usize);

impl LinkId {
    /// The link of a place.
    pub fn of(place: Place) -> Self {
        Self(place.map_or(0, |body| body.index() + 1))
    }
}

/// Memory for the accelerations of one model; nothing allocates after it is made.
#[derive(Clone, Debug)]
pub struct Kernel<'m> {
    model: &'m Model,
    gravity: Vec2,
    /// The ground, then the bodies.
    links: Vec<PlanarLink>,
    /// Of the bodies.
    hinges: Vec<Hinge>,
    columns: Vec<Column>,
    loads: Vec<PlanarLoad<'m>>,
    /// Power of dampers, of forces, and into springs.
    powers: [f64; 3],
    /// Link axes in the body's own ones; of the ground first.
    tilts: Vec<Mat3>,
}

impl<'m> Kernel<'m> {
    /// Memory for a model; none if it is not planar, has closures, or leaves the plane by more than round-off.
    pub fn new(model: &'m Model) -> Option<Self> {
        if !model.is_planar() || !model.closures.is_empty() {
            return None;
        }
        let gravity = parts::flat(&model.gravity)?;
        let parts = parts::Parts::new(model)?;
        let mut kernel = Self {
            model,
            gravity,
            links: vec![PlanarLink::ground(gravity); model.bodies.len() + 1],
            hinges: parts.hinges,
            columns: parts.columns,
            loads: Vec::with_capacity(model.loads.len()),
            powers: [0.0; 3],
            tilts: parts.tilts,
        };
        for load in &model.loads {
            let load = PlanarLoad::new(load, &kernel)?;
            kernel.loads.push(load);
        }
        Some(kernel)
    }

    /// A body, or the ground, at the state placed last.
    #[inline]
    pub fn link(&self, id: LinkId) -> &PlanarLink {
        &self.links[id.0]
    }

    /// A point or vector of a body's link frame in its axes in the plane; none if it leaves the plane.
    pub fn in_plane(&self, place: Place, inner: &Vec3) -> Option<Vec2> {
        parts::flat(&(self.tilts[LinkId::of(place).0] * inner))
    }

    /// The link frame of a body in space.
    pub fn pose(&self, place: Place) -> Pose {
        let id = LinkId::of(place);
        let link = self.link(id);
        let Turn { cos, sin } = link.turn;
        let turn = Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
        Pose {
            rotation: turn * self.tilts[id.0],
            position: Vec3::new(link.origin.x, link.origin.y, 0.0),
        }
    }

    /// Adds a force at a world point of a body, between [`Kernel::place`] and [`Kernel::solve`].
    #[inline]
    pub fn push(&mut self, id: LinkId, x: &Vec2, force: &Vec2) {
        self.links[id.0].push(x, force);
    }

    /// The row of a relative velocity n · (v_b − v_a) of two points, n from a to b.
    pub fn row(&self, a: (Place, &Vec2), b: (Place, &Vec2), n: &Vec2) -> RowWrench {
        let on = |(place, x): (Place, &Vec2), force: Vec2| Wrench {
            moment: Vec3::new(0.0, 0.0, cross(&(x - self.link(LinkId::of(place)).origin), &force)),
            force: Vec3::new(force.x, force.y, 0.0),
        };
        RowWrench { a: a.0, on_a: on(a, -n), b: b.0, on_b: on(b, *n) }
    }

    /// ω̇ of a body, after [`Kernel::solve`].
    pub fn angular_acceleration(&self, id: LinkId) -> f64 {
        self.link(id).alpha
    }

    /// Acceleration of the material point that is at `x` in the world, after [`Kernel::solve`].
    pub fn acceleration_at(&self, id: LinkId, x: &Vec2) -> Vec2 {
        let link = self.link(id);
        let r = x - link.origin;
        // The origin's own: what v̇ makes, and g less the fall.
        link.gained + self.gravity - link.fall + quarter(&r) * link.alpha
            - r * (link.omega * link.omega)
    }
}
