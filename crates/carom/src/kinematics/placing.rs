//! The base-to-tip sweep that places all bodies, for one state or for several side by side.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use crate::maths::register::several::MOST;
use crate::maths::register::{
    Number, Padded, Vector, columns, constant, load, product, stored, turned,
};
use crate::maths::{Mat3, Pose, Twist, Vec3};
use crate::model::joint::{MOST_POSITIONS, MOST_VELOCITIES};
use crate::model::{BodyId, JointKind, Model};

/// A body's link frame and its motion, in world axes, for states as `S` holds their vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link<S = Padded> {
    pub(crate) rotation: [S; 3],
    pub(crate) origin: S,
    pub(crate) arm: S,
    pub(crate) ang: S,
    pub(crate) lin: S,
}

impl Link {
    /// Axes of the link frame.
    #[inline(always)]
    pub fn rotation(&self) -> Mat3 {
        let [x, y, z] = &self.rotation;
        Mat3::new(x.0[0], y.0[0], z.0[0], x.0[1], y.0[1], z.0[1], x.0[2], y.0[2], z.0[2])
    }

    /// Origin of the link frame.
    #[inline(always)]
    pub fn origin(&self) -> Vec3 {
        self.origin.vector()
    }

    /// Origin minus the parent's origin (minus the world's, on ground).
    #[inline(always)]
    pub fn arm(&self) -> Vec3 {
        self.arm.vector()
    }

    /// Velocity about the origin.
    #[inline(always)]
    pub fn twist(&self) -> Twist {
        Twist { ang: self.ang.vector(), lin: self.lin.vector() }
    }
}

/// What the sweep needs of a joint, close together in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinge {
    kind: JointKind,
    /// The body below is the one that comes before.
    follows: bool,
    parent: u32,
    q: u32,
    v: u32,
    rotation: [Padded; 3],
    position: Padded,
}

impl Hinge {
    /// The joints of a model in the order of the bodies; what stands on ground has the number behind all.
    pub fn all(model: &Model) -> Vec<Self> {
        let number = |k: usize| u32::try_from(k).unwrap_or(u32::MAX);
        let ground = model.bodies.len();
        let hinge = |(k, body): (usize, &crate::model::Body)| {
            let parent = body.parent.map_or(ground, BodyId::index);
            let mut out = Self {
                kind: body.joint.kind,
                follows: parent + 1 == k,
                parent: number(parent),
                q: number(body.joint.q),
                v: number(body.joint.v),
                rotation: [Padded::default(); 3],
                position: Padded::default(),
            };
            out.renew(&body.joint.in_parent);
            out
        };
        model.bodies.iter().enumerate().map(hinge).collect()
    }

    /// Takes over where the joint stands in its parent.
    pub fn renew(&mut self, fixed: &Pose) {
        (self.rotation, self.position) = (columns(&fixed.rotation), fixed.position.into());
    }
}

/// The link of ground, which does not move.
#[inline(always)]
pub(crate) fn ground_link<V: Vector>(k: V) -> Link<V::Stored> {
    let unit = constant(k, &columns(&Mat3::identity()));
    Link { rotation: stored(&unit), ..Link::default() }
}

/// Vectors of a link on their way through the sweep.
#[derive(Clone, Copy)]
struct Moving<V> {
    rotation: [V; 3],
    origin: V,
    ang: V,
    lin: V,
}

/// The numbers of a state as a kind of vectors has them in memory.
pub(crate) type Numbers<V> = <<V as Vector>::Number as Number>::Stored;

/// Places all bodies at positions `q` moving with velocities `v`; `links` and the `axes` of all columns are as long as the model needs.
#[inline(always)]
pub(crate) fn place<V: Vector>(
    k: V,
    hinges: &[Hinge],
    (links, axes): (&mut [Link<V::Stored>], &mut [V::Stored]),
    (q, v): (&[Numbers<V>], &[Numbers<V>]),
) {
    let links = &mut links[..=hinges.len()];
    let axes = &mut axes[..v.len()];
    let mut last: Option<Moving<V>> = None;
    for (index, hinge) in hinges.iter().enumerate() {
        let below = match last {
            Some(below) if hinge.follows => below,
            _ => {
                let link = &links[hinge.parent as usize];
                Moving {
                    rotation: load(k, &link.rotation),
                    origin: k.load(&link.origin),
                    ang: k.load(&link.ang),
                    lin: k.load(&link.lin),
                }
            }
        };
        let R = &below.rotation;
        let fixed = &hinge.rotation;
        let R_F = [turned(R, &fixed[0]), turned(R, &fixed[1]), turned(R, &fixed[2])];
        let shift = turned(R, &hinge.position);
        let (first, c) = (hinge.q as usize, hinge.v as usize);
        let (own, arm) = match hinge.kind {
            JointKind::Revolute => {
                let (s, cos) = k.number().load(&q[first]).sin_cos();
                let (s, cos) = (k.all(s), k.all(cos));
                let [x, y, z] = R_F;
                axes[c] = z.stored();
                let own = Moving {
                    rotation: [x * cos + y * s, y * cos - x * s, z],
                    origin: below.origin + shift,
                    ang: below.ang + z.times(k.number().load(&v[c])),
                    lin: below.lin + below.ang.cross(shift),
                };
                (own, shift)
            }
            JointKind::Prismatic => {
                let z = R_F[2];
                axes[c] = z.stored();
                let arm = shift + z.times(k.number().load(&q[first]));
                let lin = below.lin + below.ang.cross(arm) + z.times(k.number().load(&v[c]));
                let origin = below.origin + arm;
                (Moving { rotation: R_F, origin, ang: below.ang, lin }, arm)
            }
            kind => {
                let q = &q[first..first + kind.positions()];
                let (base, v) = ((&R_F, shift), &v[c..]);
                if V::Number::STATES == 1 {
                    other_joint::<V, 1>(kind, base, &below, (q, v), &mut axes[c..])
                } else {
                    other_joint::<V, MOST>(kind, base, &below, (q, v), &mut axes[c..])
                }
            }
        };
        links[index] = Link {
            rotation: stored(&own.rotation),
            origin: own.origin.stored(),
            arm: arm.stored(),
            ang: own.ang.stored(),
            lin: own.lin.stored(),
        };
        last = Some(own);
    }
}

/// The link of a joint whose place and columns are found state by state, at most `MOST` of them.
#[inline(always)]
fn other_joint<V: Vector, const MOST: usize>(
    kind: JointKind,
    (R_F, shift): (&[V; 3], V),
    below: &Moving<V>,
    (q, v): (&[Numbers<V>], &[Numbers<V>]),
    axes: &mut [V::Stored],
) -> (Moving<V>, V) {
    let mut places = [Pose::identity(); MOST];
    let mut columns = [[Vec3::zeros(); MOST_VELOCITIES]; MOST];
    let states = places.iter_mut().zip(&mut columns).enumerate();
    for (state, (place, columns)) in states.take(V::Number::STATES) {
        let mut own = [0.0; MOST_POSITIONS];
        for (x, stored) in own.iter_mut().zip(q) {
            *x = V::Number::state(stored, state);
        }
        *place = kind.place(&own[..q.len()]);
        for (axis, column) in columns.iter_mut().zip(kind.columns(&own[..q.len()])) {
            *axis = column.axis;
        }
    }
    let arm = shift + product(R_F, shift.gather(|state| places[state].position));
    let x = shift.gather(|state| places[state].rotation.column(0).into_owned());
    let y = shift.gather(|state| places[state].rotation.column(1).into_owned());
    let z = shift.gather(|state| places[state].rotation.column(2).into_owned());
    let rotation = [product(R_F, x), product(R_F, y), product(R_F, z)];
    let mut own = Moving {
        rotation,
        origin: below.origin + arm,
        ang: below.ang,
        lin: below.lin + below.ang.cross(arm),
    };
    for c in 0..kind.velocities() {
        let axis = product(R_F, shift.gather(|state| columns[state][c]));
        axes[c] = axis.stored();
        let moving = axis.times(shift.number().load(&v[c]));
        if kind.is_angular(c) {
            own.ang = own.ang + moving;
        } else {
            own.lin = own.lin + moving;
        }
    }
    (own, arm)
}
