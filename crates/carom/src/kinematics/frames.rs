//! Link frames, joint axes and velocities of all bodies, in one base-to-tip sweep.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use super::placing::{Hinge, Link, place};
use crate::maths::register::single::{Registers, Sweep};
use crate::maths::register::{Padded, Vector, columns};
use crate::maths::{Mat3, Pose, Twist, Vec3};
use crate::model::{Anchor, BodyId, Model, Place};

/// All links, and all velocity columns in world axes.
#[derive(Clone, Debug)]
pub struct Frames {
    registers: Registers,
    hinges: Vec<Hinge>,
    /// Of all bodies, and at the end that of the ground, which stays where it is.
    links: Vec<Link>,
    axes: Vec<Padded>,
}

/// [`Frames::update`] in the processor's registers.
struct Placing<'a>(&'a mut Frames, &'a [f64], &'a [f64]);

impl Sweep for Placing<'_> {
    type Output = ();

    #[inline(always)]
    fn with<V: Vector<Number = f64, Stored = Padded>>(self, k: V) {
        self.0.update_with(k, self.1, self.2);
    }
}

impl Frames {
    /// Memory for a model; [`Frames::update`] fills it.
    pub fn new(model: &Model) -> Self {
        let mut links = vec![Link::default(); model.bodies.len() + 1];
        links[model.bodies.len()].rotation = columns(&Mat3::identity());
        Self {
            registers: Registers::new(),
            hinges: Hinge::all(model),
            links,
            axes: vec![Padded::default(); model.nv],
        }
    }

    /// Takes over where the joints stand in a model that differs from the first one in numbers alone.
    pub fn renew(&mut self, model: &Model) {
        for (hinge, body) in self.hinges.iter_mut().zip(&model.bodies) {
            hinge.renew(&body.joint.in_parent);
        }
    }

    /// The registers that its sweeps use.
    pub(crate) fn registers(&self) -> Registers {
        self.registers
    }

    /// Places all bodies at positions `q` moving with velocities `v`.
    pub fn update(&mut self, q: &[f64], v: &[f64]) {
        self.registers.run(Placing(self, q, v));
    }

    /// The same within a sweep.
    #[inline(always)]
    pub(crate) fn update_with<V: Vector<Number = f64, Stored = Padded>>(
        &mut self,
        k: V,
        q: &[f64],
        v: &[f64],
    ) {
        place(k, &self.hinges, (&mut self.links, &mut self.axes), (q, v));
    }

    /// The link of a body.
    #[inline]
    pub fn link(&self, body: BodyId) -> &Link {
        &self.links[body.index()]
    }

    /// All links in the order of the bodies.
    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.links[..self.hinges.len()]
    }

    /// The axes of all velocity columns in world axes.
    #[inline]
    pub(crate) fn axes(&self) -> &[Padded] {
        &self.axes
    }

    /// The axis of a velocity column in world axes.
    #[inline]
    pub fn axis(&self, column: usize) -> Vec3 {
        self.axes[column].vector()
    }

    /// The link frame of a body in the world; the identity for ground.
    pub fn pose(&self, place: Place) -> Pose {
        place.map_or_else(Pose::identity, |body| {
            let link = self.link(body);
            Pose { rotation: link.rotation(), position: link.origin() }
        })
    }

    /// Velocity of a body about its link origin; zero for ground.
    pub fn twist(&self, place: Place) -> Twist {
        place.map_or_else(Twist::zero, |body| self.link(body).twist())
    }

    /// World position of an anchor.
    pub fn point(&self, anchor: &Anchor) -> Vec3 {
        self.pose(anchor.body).point(&anchor.at)
    }

    /// World velocity of an anchor.
    pub fn velocity(&self, anchor: &Anchor) -> Vec3 {
        let arm = self.pose(anchor.body).vector(&anchor.at);
        self.twist(anchor.body).at(&arm)
    }
}
