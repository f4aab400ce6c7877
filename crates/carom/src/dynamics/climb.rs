//! A row's wrenches on their way down to ground: Σ u²/D over the joints that they pass (the equations stand in `factor`).
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use crate::maths::inertia::Pair;
use crate::maths::register::{Number, Vector};
use crate::maths::{Wrench, register::Padded};

/// A wrench in registers.
#[inline(always)]
pub(super) fn in_registers<V: Vector<Stored = Padded>>(k: V, w: &Wrench) -> Pair<V> {
    Pair { moment: k.load(&w.moment.into()), force: k.load(&w.force.into()) }
}

/// A tree whose joints are eliminated.
pub(super) trait Eliminating<V: Vector> {
    /// How many bodies it has; ground has this number.
    fn bodies(&self) -> usize;
    /// Carries a wrench past body `n` to its parent: u²/D of the body's joint.
    fn climb(&self, n: &mut usize, w: &mut Pair<V>) -> V::Number;
}

/// Σ u²/D along both branches of a row, of the bodies at which its wrenches act.
#[inline(always)]
pub(super) fn along_branches<V: Vector>(
    tree: &impl Eliminating<V>,
    (mut a, mut on_a): (usize, Pair<V>),
    (mut b, mut on_b): (usize, Pair<V>),
) -> V::Number {
    let ground = tree.bodies();
    let zero = on_a.force.number().all(0.0);
    let mut W = zero;
    while a != b && a < ground && b < ground {
        // The branch whose body stands further out goes first.
        if a > b {
            W = W + tree.climb(&mut a, &mut on_a);
        } else {
            W = W + tree.climb(&mut b, &mut on_b);
        }
    }
    // From here one branch is left: they have met, or the other has reached ground.
    if a == b || a >= ground {
        if a == b {
            on_b.moment = on_b.moment + on_a.moment;
            on_b.force = on_b.force + on_a.force;
        }
        (a, on_a) = (b, on_b);
    }
    let mut below = zero;
    while a < ground {
        below = below + tree.climb(&mut a, &mut on_a);
    }
    below + W
}

/// Takes what a column gives way out of a wrench: u²/D.
#[inline(always)]
pub(super) fn past_column<V: Vector>(
    w: &mut Pair<V>,
    u: V::Number,
    U: &[V::Stored; 2],
    inverse_D: V::Number,
) -> V::Number {
    let x = u * inverse_D;
    let k = w.force;
    w.less(&Pair { moment: k.load(&U[0]), force: k.load(&U[1]) }, x);
    u * x
}

/// Carries a wrench from a body's link origin to its parent's.
#[inline(always)]
pub(super) fn to_parent<V: Vector>(w: &mut Pair<V>, arm: &V::Stored) {
    let arm = w.force.load(arm);
    w.moment = w.moment + arm.cross(w.force);
}
