//! Rows of several states side by side: their mobility, their rate and their size.

use super::super::climb::along_branches;
use super::super::row::RowWrench;
use super::sweep::{Beside, Placing, Tree, each};
use super::{LaneRow, Question};
use crate::maths::inertia::Pair;
use crate::maths::register::several::{MOST, Side};
use crate::maths::register::{
    Number, Padded, Vector, constant, load, product, turned, turned_back,
};
use crate::model::{BodyId, Place};

/// W and the rate of rows that join the same two bodies.
pub struct Mobility<'a>(pub &'a [RowWrench]);

impl Question for Mobility<'_> {
    type Answer = [[f64; MOST]; 2];

    #[inline(always)]
    fn of<N: Number>(self, k: N, tree: &Tree, states: &mut Beside<N::Stored>) -> Self::Answer {
        let (rows, k) = (self.0, Side([k; 3]));
        let on_a = Pair {
            moment: k.gather(|state| rows[state].on_a.moment),
            force: k.gather(|state| rows[state].on_a.force),
        };
        let on_b = Pair {
            moment: k.gather(|state| rows[state].on_b.moment),
            force: k.gather(|state| rows[state].on_b.force),
        };
        let [W, rate] = mobility_and_rate(tree, states, (rows[0].a, on_a), (rows[0].b, on_b));
        [each(W), each(rate)]
    }
}

/// A wrench and the body on which it acts.
type Acting<N> = (Place, Pair<Side<N>>);

/// w Y wᵀ and w V.
#[inline(always)]
fn mobility_and_rate<N: Number>(
    tree: &Tree,
    states: &Beside<N::Stored>,
    (a, on_a): Acting<N>,
    (b, on_b): Acting<N>,
) -> [N; 2] {
    let ground = tree.slim.len();
    let node = |place: Place| place.map_or(ground, BodyId::index);
    let k = on_a.force;
    let mut rate = k.number().all(0.0);
    for (n, w) in [(node(a), &on_a), (node(b), &on_b)] {
        if n < ground {
            let link = &states.links[n];
            rate = rate + (w.moment.dot(k.load(&link.ang)) + w.force.dot(k.load(&link.lin)));
        }
    }
    [along_branches(&Placing(tree, states), (node(a), on_a), (node(b), on_b)), rate]
}

/// The row between two points along a direction, each given in a body or the ground.
pub struct Reach {
    pub a: (Place, Padded),
    pub b: (Place, Padded),
    pub normal: (Place, Padded),
}

impl Question for Reach {
    type Answer = LaneRow;

    #[inline(always)]
    fn of<N: Number>(self, k: N, tree: &Tree, states: &mut Beside<N::Stored>) -> LaneRow {
        let k = Side([k; 3]);
        let Self { a, b, normal } = self;
        let states = &*states;
        let ground = tree.slim.len();
        let link = |place: Place| &states.links[place.map_or(ground, BodyId::index)];
        let (link_a, link_b) = (link(a.0), link(b.0));
        let n = turned(&load(k, &link(normal.0).rotation), &normal.1);
        let (o_a, o_b) = (k.load(&link_a.origin), k.load(&link_b.origin));
        let p_a = turned(&load(k, &link_a.rotation), &a.1) + o_a;
        let p_b = turned(&load(k, &link_b.rotation), &b.1) + o_b;
        let minus = negative(n);
        let on_a = Pair { moment: (p_a - o_a).cross(minus), force: minus };
        let on_b = Pair { moment: (p_b - o_b).cross(n), force: n };
        let [mobility, rate] = mobility_and_rate(tree, states, (a.0, on_a), (b.0, on_b));
        let natural = free_mobility(tree, states, (a.0, &on_a), (b.0, &on_b));
        LaneRow {
            gap: each(n.dot(p_b - p_a)),
            natural: each(natural),
            mobility: each(mobility),
            rate: each(rate),
        }
    }
}

/// −x, whose zeros have the sign that the negation of a number gives them.
#[inline(always)]
fn negative<N: Number>(x: Side<N>) -> Side<N> {
    x * x.same(-1.0)
}

/// `RowWrench::free_mobility` of each state.
#[inline(always)]
fn free_mobility<N: Number>(
    tree: &Tree,
    states: &Beside<N::Stored>,
    a: (Place, &Pair<Side<N>>),
    b: (Place, &Pair<Side<N>>),
) -> N {
    let gives_way = |place: Place| place.filter(|body| !tree.bodies[body.index()].prescribed);
    let (on_a, on_b) = match (gives_way(a.0), gives_way(b.0)) {
        (None, None) => (a.0, b.0),
        giving => giving,
    };
    free_side(tree, states, on_a, a.1) + free_side(tree, states, on_b, b.1)
}

/// One side of it.
#[inline(always)]
fn free_side<N: Number>(
    tree: &Tree,
    states: &Beside<N::Stored>,
    place: Place,
    w: &Pair<Side<N>>,
) -> N {
    let k = w.force;
    let Some(body) = place else { return k.number().all(0.0) };
    let (body, link) = (&tree.bodies[body.index()], &states.links[body.index()]);
    let R = load(k, &link.rotation);
    let center = turned(&R, &body.scale_center);
    let turn = turned_back(&R, w.moment - center.cross(w.force));
    let translation = w.force.dot(w.force).divided_by(body.scale_mass);
    let rotation = match &body.rotational_mobility {
        Some(m) => turn.dot(product(&constant(k, m), turn)),
        None => k.number().all(0.0),
    };
    translation + rotation
}
