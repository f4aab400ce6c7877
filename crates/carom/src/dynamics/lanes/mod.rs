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

use pulp::{Arch, Simd, WithSimd};

use self::inertia::{LaneInertia, LaneWrench};
pub use self::number::WIDTH;
use self::number::{Lane, LaneMatrix, LaneVector};
use super::factor::Mass;
use super::layout::{ColumnShape, Hand, Layout, Slim};
use super::mechanism::free_columns;
use super::row::RowWrench;
use crate::maths::{Mat3, Pose, Vec3, Wrench};
use crate::model::{Anchor, BodyId, JointKind, Model, Place};

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

/// Two points, and the body or the ground that carries the direction from the first to the second.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// The first point.
    pub a: Anchor,
    /// The second point.
    pub b: Anchor,
    /// What carries the direction.
    pub normal_in: Place,
    /// The direction in the link frame of that body.
    pub normal: Vec3,
}

/// A row of each state.
#[derive(Clone, Copy, Debug)]
pub struct LaneRow {
    /// n · (p_b − p_a) \[m\].
    pub gap: [f64; WIDTH],
    /// The mobility of the row on free bodies \[1/kg\].
    pub natural: [f64; WIDTH],
    /// W \[1/kg\].
    pub mobility: [f64; WIDTH],
    /// u \[m/s\].
    pub rate: [f64; WIDTH],
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

    /// w Y wᵀ and the rate of one row in each state; the rows join the same two bodies.
    pub fn mobility(&self, rows: &[RowWrench; WIDTH]) -> ([f64; WIDTH], [f64; WIDTH]) {
        let (mobility, rate) = self.arch.dispatch(Climbing(self, rows));
        (mobility.0, rate.0)
    }

    /// The row between two points along a direction that a body or the ground carries, in each state.
    pub fn between(&self, points: &Between) -> LaneRow {
        self.arch.dispatch(Reaching(self, points))
    }

    #[inline(always)]
    fn reach(&self, points: &Between) -> LaneRow {
        let Between { a, b, normal_in, normal } = points;
        let ground = self.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let (link_a, link_b) = (&self.links[node(a.body)], &self.links[node(b.body)]);
        let n = self.links[node(*normal_in)].rotation.times_vector(normal);
        let p_a = link_a.rotation.times_vector(&a.at) + link_a.origin;
        let p_b = link_b.rotation.times_vector(&b.at) + link_b.origin;
        let of_force =
            |force: LaneVector, arm: LaneVector| LaneWrench { moment: arm.cross(&force), force };
        let minus = LaneVector([-n.0[0], -n.0[1], -n.0[2]]);
        let on_a = of_force(minus, p_a - link_a.origin);
        let on_b = of_force(n, p_b - link_b.origin);
        let (mobility, rate) = self.climb_both((a.body, on_a), (b.body, on_b));
        let natural = self.free_mobility((a.body, &on_a), (b.body, &on_b));
        LaneRow {
            gap: n.dot(&(p_b - p_a)).0,
            natural: natural.0,
            mobility: mobility.0,
            rate: rate.0,
        }
    }

    /// `RowWrench::free_mobility` of each state.
    #[inline(always)]
    fn free_mobility(&self, a: (Place, &LaneWrench), b: (Place, &LaneWrench)) -> Lane {
        let gives_way = |place: Place| place.filter(|body| !self.hinges[body.index()].prescribed);
        let (on_a, on_b) = match (gives_way(a.0), gives_way(b.0)) {
            (None, None) => (a.0, b.0),
            giving => giving,
        };
        self.free_side(on_a, a.1) + self.free_side(on_b, b.1)
    }

    /// One side of it.
    #[inline(always)]
    fn free_side(&self, place: Place, w: &LaneWrench) -> Lane {
        let Some(body) = place else { return Lane::default() };
        let (hinge, link) = (&self.hinges[body.index()], &self.links[body.index()]);
        let center = link.rotation.times_vector(&hinge.scale_center);
        let turn = link.rotation.turned_back(&(w.moment - center.cross(&w.force)));
        let square = w.force.dot(&w.force);
        let translation = square.divided_by(hinge.scale_mass);
        let rotation = match &hinge.rotational_mobility {
            Some(m) => turn.dot(&LaneMatrix::all(m).times_lane(&turn)),
            None => Lane::default(),
        };
        translation + rotation
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

    /// Σ u²/D along both branches of the rows to ground, and their rates.
    #[inline(always)]
    fn climb_both(&self, a: (Place, LaneWrench), b: (Place, LaneWrench)) -> (Lane, Lane) {
        let ground = self.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let ((a, mut on_a), (b, mut on_b)) = (a, b);
        let (mut a, mut b) = (node(a), node(b));
        let power = |n: usize, w: &LaneWrench| {
            let link = &self.links[n];
            w.moment.dot(&link.ang) + w.force.dot(&link.lin)
        };
        let mut rate = Lane::default();
        for (n, w) in [(a, &on_a), (b, &on_b)] {
            if n < ground {
                rate += power(n, w);
            }
        }
        let mut W = Lane::default();
        while a != b && a < ground && b < ground {
            // The branch whose body stands further out goes first.
            if a > b {
                W += self.climb(&mut a, &mut on_a);
            } else {
                W += self.climb(&mut b, &mut on_b);
            }
        }
        if a == b || a >= ground {
            if a == b {
                on_b.moment = on_b.moment + on_a.moment;
                on_b.force = on_b.force + on_a.force;
            }
            (a, on_a) = (b, on_b);
        }
        let mut below = Lane::default();
        while a < ground {
            below += self.climb(&mut a, &mut on_a);
        }
        (below + W, rate)
    }

    /// Carries wrenches past body `n` to its parent: u²/D of the body's joint.
    #[inline(always)]
    fn climb(&self, n: &mut usize, w: &mut LaneWrench) -> Lane {
        let slim = &self.slim[*n];
        let mut W = Lane::default();
        for column in slim.columns().rev() {
            let own = &self.columns[column];
            let along = if self.shapes[column].angular { &w.moment } else { &w.force };
            let u = own.axis.dot(along);
            let x = u * own.inverse_D;
            W += u * x;
            w.moment = w.moment - own.U.moment.times(x);
            w.force = w.force - own.U.force.times(x);
        }
        w.moment = w.moment + self.links[*n].arm.cross(&w.force);
        *n = slim.parent as usize;
        W
    }
}

/// The wrenches of the states side by side.
#[inline(always)]
fn gathered(states: [Wrench; WIDTH]) -> LaneWrench {
    LaneWrench {
        moment: LaneVector::of(states.map(|w| w.moment)),
        force: LaneVector::of(states.map(|w| w.force)),
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

/// [`Lanes::climb_both`], compiled likewise.
struct Climbing<'a>(&'a Lanes, &'a [RowWrench; WIDTH]);

impl WithSimd for Climbing<'_> {
    type Output = (Lane, Lane);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (Lane, Lane) {
        let rows = self.1;
        let on_a = gathered(rows.map(|r| r.on_a));
        let on_b = gathered(rows.map(|r| r.on_b));
        self.0.climb_both((rows[0].a, on_a), (rows[0].b, on_b))
    }
}

/// [`Lanes::reach`], compiled likewise.
struct Reaching<'a>(&'a Lanes, &'a Between);

impl WithSimd for Reaching<'_> {
    type Output = LaneRow;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> LaneRow {
        self.0.reach(self.1)
    }
}
