//! The articulated sweep over four states of a tree side by side; the equations stand in `factor` and `solve`.
//!
//! [`Lanes::place`] does what [`super::Memory::at`] does, and [`Lanes::mobility`] what `Posture::mobility` does. Both decline where a
//! state needs more than the plain sweep (a number that is not finite, a coordinate along which nothing with inertia moves); such
//! states are evaluated one by one.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

mod inertia;
mod number;
mod row;

use pulp::{Arch, Simd, WithSimd};

use self::inertia::{LaneInertia, LaneWrench};
pub use self::number::WIDTH;
use self::number::{Lane, LaneMatrix, LaneVector};
pub use self::row::{Between, LaneRow};
use super::factor::Mass;
use super::layout::{ColumnShape, Hand, Layout, Slim};
use super::mechanism::free_columns;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::{BodyId, JointKind, Model, Place};

/// A joint and the body it carries, as the sweep sees them.
#[derive(Clone, Copy, Debug)]
struct Hinge {
    kind: JointKind,
    parent: usize,
    q: usize,
    fixed: Pose,
    mass: f64,
    center: Vec3,
    /// Inertia about the mass centre in link axes.
    central: Mat3,
    /// What the mobility of a free body is made of.
    scale_mass: f64,
    scale_center: Vec3,
    rotational_mobility: Option<Mat3>,
    prescribed: bool,
}

/// A body's link frame and its motion, in world axes.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    rotation: LaneMatrix,
    origin: LaneVector,
    arm: LaneVector,
    ang: LaneVector,
    lin: LaneVector,
}

/// An eliminated velocity column.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    axis: LaneVector,
    U: LaneWrench,
    inverse_D: Lane,
}

/// Memory for four states of a tree at once.
#[derive(Clone, Debug)]
pub struct Lanes {
    arch: Arch,
    hinges: Vec<Hinge>,
    slim: Vec<Slim>,
    shapes: Vec<ColumnShape>,
    masses: Vec<Mass>,
    links: Vec<Link>,
    columns: Vec<Column>,
    /// Inertia that waits at a body for the sweep to come by.
    waiting: Vec<LaneInertia>,
    q: Vec<Lane>,
    v: Vec<Lane>,
    kinetic_energy: Lane,
}

impl Lanes {
    /// Memory for a model; none if it has closures or rotations by quaternions, whose states are evaluated one by one.
    pub fn new(model: &Model) -> Option<Self> {
        if !model.closures.is_empty() || model.nq != model.nv {
            return None;
        }
        let layout = Layout::new(model, Vec::new(), &free_columns(model));
        let ground = model.bodies.len();
        let hinge = |body: &crate::model::Body| Hinge {
            kind: body.joint.kind,
            parent: body.parent.map_or(ground, BodyId::index),
            q: body.joint.q,
            fixed: body.joint.in_parent,
            mass: body.inertia.mass,
            center: body.inertia.center,
            central: body.inertia.central(),
            scale_mass: body.scale.mass,
            scale_center: body.scale.center,
            rotational_mobility: body.rotational_mobility,
            prescribed: body.prescribed,
        };
        // Behind the bodies stands ground, which does not move.
        let mut links = vec![Link::default(); ground + 1];
        links[ground].rotation = LaneMatrix::all(&Mat3::identity());
        Some(Self {
            arch: Arch::new(),
            hinges: model.bodies.iter().map(hinge).collect(),
            masses: model.bodies.iter().map(|b| Mass::new(&b.inertia, &b.scale)).collect(),
            links,
            columns: vec![Column::default(); model.nv],
            waiting: vec![LaneInertia::default(); ground],
            q: vec![Lane::default(); model.nq],
            v: vec![Lane::default(); model.nv],
            kinetic_energy: Lane::default(),
            slim: layout.slim,
            shapes: layout.columns,
        })
    }

    /// Places the tree at four states that follow each other in `q` and `v`; false if one of them has to be evaluated alone.
    pub fn place(&mut self, q: &[f64], v: &[f64]) -> bool {
        spread(q, &mut self.q);
        spread(v, &mut self.v);
        let finite = |list: &[f64]| list.iter().map(|x| 0.0 * x).sum::<f64>() == 0.0;
        finite(q) && finite(v) && self.arch.dispatch(Placing(self))
    }

    /// T of each state \[J\].
    pub fn kinetic_energy(&self) -> [f64; WIDTH] {
        self.kinetic_energy.0
    }

    /// The link frame of a body in one of the states.
    pub fn pose(&self, place: Place, state: usize) -> Pose {
        place.map_or_else(Pose::identity, |body| {
            let link = &self.links[body.index()];
            Pose { rotation: link.rotation.state(state), position: link.origin.state(state) }
        })
    }

    #[inline(always)]
    fn update(&mut self) -> bool {
        self.update_links();
        self.update_energy();
        self.update_factors()
    }

    /// Poses, velocities and axes from the base to the tips.
    #[inline(always)]
    fn update_links(&mut self) {
        let Self { hinges, links, columns, slim, q, v, .. } = self;
        for (index, hinge) in hinges.iter().enumerate() {
            let fixed = &hinge.fixed;
            let parent = &links[hinge.parent];
            let R_F = parent.rotation.times_constant(&fixed.rotation);
            let shift = parent.rotation.times_vector(&fixed.position);
            let (ang, lin, below) = (parent.ang, parent.lin, parent.origin);
            let z = R_F.column(2);
            let k = slim[index].columns().start;
            links[index] = match hinge.kind {
                JointKind::Revolute => {
                    columns[k].axis = z;
                    Link {
                        rotation: R_F.turned_about_z(q[hinge.q]),
                        origin: below + shift,
                        arm: shift,
                        ang: ang + z.times(v[k]),
                        lin: lin + ang.cross(&shift),
                    }
                }
                JointKind::Prismatic => {
                    columns[k].axis = z;
                    let arm = shift + z.times(q[hinge.q]);
                    let lin = lin + ang.cross(&arm) + z.times(v[k]);
                    Link { rotation: R_F, origin: below + arm, arm, ang, lin }
                }
                kind => {
                    let q = &q[hinge.q..hinge.q + kind.positions()];
                    let (v, columns) = (&v[k..], &mut columns[k..]);
                    other_joint(kind, (&R_F, &shift), (ang, lin, below), (q, v), columns)
                }
            };
        }
    }

    /// T, body by body.
    #[inline(always)]
    fn update_energy(&mut self) {
        let mut T = Lane::default();
        for (n, (hinge, link)) in self.hinges.iter().zip(&self.links).enumerate() {
            let spin = link.rotation.turned_back(&link.ang);
            let center = link.rotation.times_vector(&hinge.center);
            let speed = link.lin + link.ang.cross(&center);
            let turned = LaneMatrix::all(&hinge.central).times_lane(&spin);
            let mut rotors = Lane::default();
            for column in self.slim[n].columns() {
                let half = 0.5 * self.shapes[column].rotor;
                rotors += Lane::all(half) * self.v[column] * self.v[column];
            }
            let half = Lane::all(0.5);
            T +=
                Lane::all(0.5 * hinge.mass) * speed.dot(&speed) + half * spin.dot(&turned) + rotors;
        }
        self.kinetic_energy = T;
    }

    /// Eliminates all joints from the tips to the base; false if nothing with inertia moves along one of them.
    #[inline(always)]
    fn update_factors(&mut self) -> bool {
        let Self { slim, links, columns, shapes, masses, waiting, .. } = self;
        let mut I = LaneInertia::default();
        for n in (0..slim.len()).rev() {
            let (slim, link) = (&slim[n], &links[n]);
            if slim.gathers {
                I.add(&waiting[n]);
            }
            let (mass, h, j, axes) = masses[n].numbers();
            let turned =
                [link.rotation.times_vector(&axes[0]), link.rotation.times_vector(&axes[1])];
            I.add_rigid(mass, &link.rotation.times_vector(h), j, &turned);
            for column in slim.columns().rev() {
                let (shape, entry) = (&shapes[column], &mut columns[column]);
                let (w, along) = if shape.angular {
                    let w = I.times_rotation(&entry.axis);
                    (w, entry.axis.dot(&w.moment))
                } else {
                    let w = I.times_translation(&entry.axis);
                    (w, entry.axis.dot(&w.force))
                };
                entry.U = w;
                entry.inverse_D = Lane::default();
                if shape.free {
                    let D = along + Lane::all(shape.rotor);
                    if !D.all_above(shape.least) {
                        return false;
                    }
                    entry.inverse_D = D.inverse();
                    I.add_square(-entry.inverse_D, &w);
                }
            }
            if slim.hand == Hand::Ground {
                I = LaneInertia::default();
                continue;
            }
            I.shift(&link.arm);
            if slim.hand != Hand::Next {
                let above = &mut waiting[slim.parent as usize];
                if slim.hand == Hand::First {
                    *above = I;
                } else {
                    above.add(&I);
                }
                I = LaneInertia::default();
            }
        }
        true
    }
}

/// Turns states that follow each other into numbers side by side.
fn spread(states: &[f64], out: &mut [Lane]) {
    let width = out.len();
    for (k, lane) in out.iter_mut().enumerate() {
        *lane = Lane(std::array::from_fn(|state| states[state * width + k]));
    }
}

/// The link of a joint whose place and columns are found state by state.
fn other_joint(
    kind: JointKind,
    (R_F, shift): (&LaneMatrix, &LaneVector),
    (ang, lin, below): (LaneVector, LaneVector, LaneVector),
    (q, v): (&[Lane], &[Lane]),
    columns: &mut [Column],
) -> Link {
    let mut inner = LaneMatrix::default();
    let mut offset = [Vec3::zeros(); WIDTH];
    let count = kind.velocities();
    let mut axes = [[Vec3::zeros(); WIDTH]; crate::model::joint::MOST_VELOCITIES];
    let mut angular = [false; crate::model::joint::MOST_VELOCITIES];
    for state in 0..WIDTH {
        let mut own = [0.0; crate::model::joint::MOST_POSITIONS];
        for (x, lane) in own.iter_mut().zip(q) {
            *x = lane.0[state];
        }
        let own = &own[..q.len()];
        let place = kind.place(own);
        offset[state] = place.position;
        for i in 0..3 {
            for j in 0..3 {
                inner.0[i][j].0[state] = place.rotation[(i, j)];
            }
        }
        for (c, column) in kind.columns(own).iter().take(count).enumerate() {
            axes[c][state] = column.axis;
            angular[c] = column.angular;
        }
    }
    let arm = *shift + R_F.times_lane(&LaneVector::of(offset));
    let mut link = Link {
        rotation: R_F.times(&inner),
        origin: below + arm,
        arm,
        ang,
        lin: lin + ang.cross(&arm),
    };
    for c in 0..count {
        let axis = R_F.times_lane(&LaneVector::of(axes[c]));
        columns[c].axis = axis;
        if angular[c] {
            link.ang = link.ang + axis.times(v[c]);
        } else {
            link.lin = link.lin + axis.times(v[c]);
        }
    }
    link
}

/// [`Lanes::update`], compiled for the vector registers that the processor has.
struct Placing<'a>(&'a mut Lanes);

impl WithSimd for Placing<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        self.0.update()
    }
}
