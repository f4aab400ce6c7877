//! Poses, energies and factors of several states.

use super::super::climb::{Eliminating, past_column, to_parent};
use super::super::factor::{Mass, along, hand_over};
use super::super::layout::{ColumnShape, Hand, Slim};
use super::Question;
use crate::kinematics::{Hinge, Link, ground_link, place};
use crate::maths::Pose;
use crate::maths::inertia::{Inertia, Pair};
use crate::maths::register::several::{MOST, Side};
use crate::maths::register::{
    Number, Padded, Vector, columns, constant, load, product, turned, turned_back,
};

/// What is the same in all states.
#[derive(Clone, Debug)]
pub struct Tree {
    pub hinges: Vec<Hinge>,
    pub bodies: Vec<Body>,
    pub masses: Vec<Mass>,
    pub slim: Vec<Slim>,
    pub columns: Vec<ColumnShape>,
}

/// A body's inertia in link axes.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    mass: f64,
    center: Padded,
    /// About the mass centre.
    central: [Padded; 3],
    /// What the mobility of a free body is made of.
    pub scale_mass: f64,
    pub scale_center: Padded,
    pub rotational_mobility: Option<[Padded; 3]>,
    pub prescribed: bool,
}

impl Body {
    pub fn new(body: &crate::model::Body) -> Self {
        Self {
            mass: body.inertia.mass,
            center: body.inertia.center.into(),
            central: columns(&body.inertia.central()),
            scale_mass: body.scale.mass,
            scale_center: body.scale.center.into(),
            rotational_mobility: body.rotational_mobility.as_ref().map(columns),
            prescribed: body.prescribed,
        }
    }
}

/// Vectors of several states in memory.
type Vectors<S> = [S; 3];

/// An eliminated velocity column.
#[derive(Clone, Copy, Debug, Default)]
struct Column<S> {
    U: [Vectors<S>; 2],
    inverse_D: S,
}

/// States side by side.
#[derive(Clone, Debug)]
pub struct Beside<S> {
    /// Behind the bodies stands ground, which does not move.
    pub links: Vec<Link<Vectors<S>>>,
    axes: Vec<Vectors<S>>,
    columns: Vec<Column<S>>,
    /// Inertia that waits at a body for the sweep to come by.
    waiting: Vec<[Vectors<S>; 7]>,
    q: Vec<S>,
    v: Vec<S>,
    kinetic_energy: S,
}

impl<S: Copy + Default> Beside<S> {
    pub fn new(tree: &Tree) -> Self {
        let (bodies, nv) = (tree.hinges.len(), tree.columns.len());
        Self {
            links: vec![Link::default(); bodies + 1],
            axes: vec![<[S; 3]>::default(); nv],
            columns: vec![Column::default(); nv],
            waiting: vec![<[[S; 3]; 7]>::default(); bodies],
            q: vec![S::default(); nv],
            v: vec![S::default(); nv],
            kinetic_energy: S::default(),
        }
    }
}

/// A number of each state.
#[inline(always)]
pub fn each<N: Number>(x: N) -> [f64; MOST] {
    let stored = x.stored();
    let mut out = [0.0; MOST];
    for (state, out) in out.iter_mut().enumerate().take(N::STATES) {
        *out = N::state(&stored, state);
    }
    out
}

/// Places the states that follow each other; false if nothing with inertia moves along a column of one of them.
pub struct Placed<'a>(pub &'a [f64], pub &'a [f64]);

impl Question for Placed<'_> {
    type Answer = bool;

    #[inline(always)]
    fn of<N: Number>(self, k: N, tree: &Tree, states: &mut Beside<N::Stored>) -> bool {
        let Self(q, v) = self;
        let width = tree.columns.len();
        for c in 0..width {
            states.q[c] = k.gather(|state| q[state * width + c]).stored();
            states.v[c] = k.gather(|state| v[state * width + c]).stored();
        }
        let k = Side([k; 3]);
        let ground = tree.hinges.len();
        states.links[ground] = ground_link(k);
        let Beside { links, axes, q, v, .. } = states;
        place(k, &tree.hinges, (links, axes), (q, v));
        states.kinetic_energy = energy(k, tree, states).stored();
        factorise(k, tree, states)
    }
}

/// T, body by body.
#[inline(always)]
fn energy<N: Number>(k: Side<N>, tree: &Tree, states: &Beside<N::Stored>) -> N {
    let number = k.number();
    let mut T = number.all(0.0);
    for ((body, link), slim) in tree.bodies.iter().zip(&states.links).zip(&tree.slim) {
        let R = load(k, &link.rotation);
        let (ang, lin) = (k.load(&link.ang), k.load(&link.lin));
        let spin = turned_back(&R, ang);
        let speed = lin + ang.cross(turned(&R, &body.center));
        let moment = product(&constant(k, &body.central), spin);
        let mut rotors = number.all(0.0);
        for column in slim.columns() {
            let v = number.load(&states.v[column]);
            rotors = rotors + number.all(0.5 * tree.columns[column].rotor) * v * v;
        }
        let moving = number.all(0.5 * body.mass) * speed.dot(speed);
        T = T + (moving + number.all(0.5) * spin.dot(moment) + rotors);
    }
    T
}

/// Eliminates all joints from the tips to the base; false if nothing with inertia moves along one of them.
#[inline(always)]
fn factorise<N: Number>(k: Side<N>, tree: &Tree, states: &mut Beside<N::Stored>) -> bool {
    let Beside { links, axes, columns, waiting, .. } = states;
    let zero = k.number().all(0.0);
    let mut I = Inertia::zero(k);
    for (n, slim) in tree.slim.iter().enumerate().rev() {
        let link = &links[n];
        if slim.gathers {
            I.add(&Inertia::load(k, &waiting[n]));
        }
        tree.masses[n].add_to(&mut I, &load(k, &link.rotation));
        for column in slim.columns().rev() {
            let shape = &tree.columns[column];
            let (w, along) = along(&I, k.load(&axes[column]), shape.angular);
            let mut inverse = zero;
            if shape.free {
                let D = along + zero.all(shape.rotor);
                if !D.all_above(shape.least) {
                    return false;
                }
                inverse = D.inverse();
                I.add_square(zero - inverse, &w);
            }
            let U = [w.moment.stored(), w.force.stored()];
            columns[column] = Column { U, inverse_D: inverse.stored() };
        }
        if slim.hand != Hand::Ground {
            I.shift(k.load(&link.arm));
        }
        if slim.hand != Hand::Next {
            if slim.hand != Hand::Ground {
                hand_over(&mut I, slim.hand, &mut waiting[slim.parent as usize]);
            }
            I = Inertia::zero(k);
        }
    }
    true
}

/// The tree in its states.
pub struct Placing<'a, N: Number>(pub &'a Tree, pub &'a Beside<N::Stored>);

impl<N: Number> Eliminating<Side<N>> for Placing<'_, N> {
    #[inline(always)]
    fn bodies(&self) -> usize {
        self.0.slim.len()
    }

    #[inline(always)]
    fn climb(&self, n: &mut usize, w: &mut Pair<Side<N>>) -> N {
        let Self(tree, states) = self;
        let slim = &tree.slim[*n];
        let number = w.force.number();
        let mut W = number.all(0.0);
        for column in slim.columns().rev() {
            let own = &states.columns[column];
            let axis = w.force.load(&states.axes[column]);
            let u = axis.dot(if tree.columns[column].angular { w.moment } else { w.force });
            W = W + past_column(w, u, &own.U, number.load(&own.inverse_D));
        }
        to_parent(w, &states.links[*n].arm);
        *n = slim.parent as usize;
        W
    }
}

/// T of each state.
pub struct Energy;

impl Question for Energy {
    type Answer = [f64; MOST];

    #[inline(always)]
    fn of<N: Number>(self, k: N, _tree: &Tree, states: &mut Beside<N::Stored>) -> [f64; MOST] {
        each(k.load(&states.kinetic_energy))
    }
}

/// The link frame of a body in a state.
pub struct PoseOf(pub usize, pub usize);

impl Question for PoseOf {
    type Answer = Pose;

    #[inline(always)]
    fn of<N: Number>(self, _k: N, _tree: &Tree, states: &mut Beside<N::Stored>) -> Pose {
        let Self(body, state) = self;
        let link = &states.links[body];
        let columns = link.rotation.each_ref().map(|column| Side::<N>::state(column, state));
        Pose {
            rotation: crate::maths::Mat3::from_columns(&columns),
            position: Side::<N>::state(&link.origin, state),
        }
    }
}
