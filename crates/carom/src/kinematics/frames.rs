//! Link frames, joint axes and velocities of all bodies, in one base-to-tip sweep.

use crate::maths::trigonometry::sin_cos;
use crate::maths::{Mat3, Pose, Twist, Vec3};
use crate::model::{Anchor, BodyId, JointKind, Model, Place};

/// One body's link frame and its motion, in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Axes of the link frame.
    pub rotation: Mat3,
    /// Origin of the link frame.
    pub origin: Vec3,
    /// Origin minus the parent's origin (minus the world's, on ground).
    pub arm: Vec3,
    /// Velocity about the origin.
    pub twist: Twist,
}

/// What the sweep needs of a joint, close together in memory.
#[derive(Clone, Copy, Debug)]
struct Hinge {
    kind: JointKind,
    parent: u32,
    q: u32,
    v: u32,
    fixed: Pose,
}

/// All links, and all velocity columns in world axes.
#[derive(Clone, Debug)]
pub struct Frames {
    hinges: Vec<Hinge>,
    /// Of all bodies, and at the end that of the ground, which stays where it is.
    links: Vec<Link>,
    axes: Vec<Vec3>,
}

impl Frames {
    /// Memory for a model; [`Frames::update`] fills it.
    pub fn new(model: &Model) -> Self {
        let link = Link {
            rotation: Mat3::identity(),
            origin: Vec3::zeros(),
            arm: Vec3::zeros(),
            twist: Twist::zero(),
        };
        let number = |k: usize| u32::try_from(k).unwrap_or(u32::MAX);
        let hinges = model
            .bodies
            .iter()
            .map(|b| Hinge {
                kind: b.joint.kind,
                parent: b.parent.map_or_else(|| number(model.bodies.len()), |p| p.0),
                q: number(b.joint.q),
                v: number(b.joint.v),
                fixed: b.joint.in_parent,
            })
            .collect();
        Self {
            hinges,
            links: vec![link; model.bodies.len() + 1],
            axes: vec![Vec3::zeros(); model.nv],
        }
    }

    /// Takes over where the joints stand in a model that differs from the first one in numbers alone.
    pub fn renew(&mut self, model: &Model) {
        for (hinge, body) in self.hinges.iter_mut().zip(&model.bodies) {
            hinge.fixed = body.joint.in_parent;
        }
    }

    /// Places all bodies at positions `q` moving with velocities `v`.
    pub fn update(&mut self, q: &[f64], v: &[f64]) {
        let Self { hinges, links, axes } = self;
        let (links, axes) = (&mut links[..=hinges.len()], &mut axes[..v.len()]);
        for (index, hinge) in hinges.iter().enumerate() {
            let fixed = &hinge.fixed;
            let parent = &links[hinge.parent as usize];
            let (R_F, shift) = (parent.rotation * fixed.rotation, parent.rotation * fixed.position);
            let (carried, below) = (parent.twist, parent.origin);
            let z = R_F.column(2).into_owned();
            let (first, k) = (hinge.q as usize, hinge.v as usize);
            let (rotation, arm, twist) = match hinge.kind {
                JointKind::Revolute => {
                    axes[k] = z;
                    let ang = carried.ang + z * v[k];
                    (turned_about_z(&R_F, q[first]), shift, Twist { ang, lin: carried.at(&shift) })
                }
                JointKind::Prismatic => {
                    axes[k] = z;
                    let arm = shift + z * q[first];
                    let lin = carried.at(&arm) + z * v[k];
                    (R_F, arm, Twist { ang: carried.ang, lin })
                }
                kind => {
                    let q = &q[first..first + kind.positions()];
                    let place = kind.place(q);
                    let arm = shift + R_F * place.position;
                    let mut twist = Twist { ang: carried.ang, lin: carried.at(&arm) };
                    let columns = kind.columns(q);
                    for (c, column) in columns.iter().take(kind.velocities()).enumerate() {
                        let axis = R_F * column.axis;
                        axes[k + c] = axis;
                        if column.angular {
                            twist.ang += axis * v[k + c];
                        } else {
                            twist.lin += axis * v[k + c];
                        }
                    }
                    (R_F * place.rotation, arm, twist)
                }
            };
            links[index] = Link { rotation, origin: below + arm, arm, twist };
        }
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
    pub fn axes(&self) -> &[Vec3] {
        &self.axes
    }

    /// The axis of a velocity column in world axes.
    #[inline]
    pub fn axis(&self, column: usize) -> &Vec3 {
        &self.axes[column]
    }

    /// The link frame of a body in the world; the identity for ground.
    pub fn pose(&self, place: Place) -> Pose {
        place.map_or_else(Pose::identity, |body| {
            let link = self.link(body);
            Pose { rotation: link.rotation, position: link.origin }
        })
    }

    /// Velocity of a body about its link origin; zero for ground.
    pub fn twist(&self, place: Place) -> Twist {
        place.map_or_else(Twist::zero, |body| self.link(body).twist)
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

/// R · rotation about z by `angle`.
#[inline]
fn turned_about_z(R: &Mat3, angle: f64) -> Mat3 {
    let (s, c) = sin_cos(angle);
    Mat3::new(
        c * R.m11 + s * R.m12,
        c * R.m12 - s * R.m11,
        R.m13,
        c * R.m21 + s * R.m22,
        c * R.m22 - s * R.m21,
        R.m23,
        c * R.m31 + s * R.m32,
        c * R.m32 - s * R.m31,
        R.m33,
    )
}
