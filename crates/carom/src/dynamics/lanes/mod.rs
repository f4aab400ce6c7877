//! The articulated sweep over several states of a tree side by side; the equations stand in `factor` and `solve`.
//!
//! [`Lanes::place`] does what [`super::Memory::at`] does, and [`Lanes::mobility`] what `Posture::mobility` does. Both decline where a
//! state needs more than the plain sweep (a number that is not finite, a coordinate along which nothing with inertia moves); such
//! states are evaluated one by one.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

mod row;
mod sweep;

use self::sweep::{Beside, Tree};
use super::factor::Mass;
use super::layout::Layout;
use super::mechanism::free_columns;
use super::row::RowWrench;
use crate::kinematics::Hinge;
use crate::maths::register::several::{MOST, OfTwo, Plain, SweepOfSeveral};
use crate::maths::register::{Number, Padded};
use crate::maths::{Pose, Vec3};
use crate::model::{Anchor, Model, Place};

#[cfg(target_arch = "x86_64")]
use crate::maths::register::several::{OfEight, x86};

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

/// A row of each state; entries behind the last state mean nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneRow {
    /// n · (p_b − p_a) \[m\].
    pub gap: [f64; MOST],
    /// The mobility of the row on free bodies \[1/kg\].
    pub natural: [f64; MOST],
    /// W \[1/kg\].
    pub mobility: [f64; MOST],
    /// u \[m/s\].
    pub rate: [f64; MOST],
}

/// Memory for several states of a tree at once, as many as the registers of the processor hold.
#[derive(Clone, Debug)]
pub struct Lanes {
    tree: Tree,
    width: usize,
    states: States,
}

/// The states, by how many stand side by side.
#[derive(Clone, Debug)]
enum States {
    #[cfg(target_arch = "x86_64")]
    Eight(pulp::x86::V4, Beside<OfEight>),
    #[cfg(target_arch = "x86_64")]
    Four(pulp::x86::V3, Beside<Padded>),
    #[cfg(target_arch = "x86_64")]
    Two(pulp::core_arch::x86::Sse2, Beside<OfTwo>),
    Plain(Beside<OfTwo>),
}

impl States {
    /// The states, and how many there are.
    fn new(tree: &Tree) -> (usize, Self) {
        #[cfg(target_arch = "x86_64")]
        if let Some(registers) = pulp::x86::V4::try_new() {
            return (8, Self::Eight(registers, Beside::new(tree)));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(registers) = pulp::x86::V3::try_new() {
            return (4, Self::Four(registers, Beside::new(tree)));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(registers) = pulp::core_arch::x86::Sse2::try_new() {
            return (2, Self::Two(registers, Beside::new(tree)));
        }
        (2, Self::Plain(Beside::new(tree)))
    }
}

/// What is asked of the states, with numbers of whatever kind.
trait Question {
    type Answer;
    fn of<N: Number>(self, k: N, tree: &Tree, states: &mut Beside<N::Stored>) -> Self::Answer;
}

/// A question to states of one kind.
struct Asked<'a, S, Q>(&'a Tree, &'a mut Beside<S>, Q);

impl<S, Q: Question> SweepOfSeveral<S> for Asked<'_, S, Q> {
    type Output = Q::Answer;

    #[inline(always)]
    fn with<N: Number<Stored = S>>(self, k: N) -> Q::Answer {
        self.2.of(k, self.0, self.1)
    }
}

impl Lanes {
    /// Memory for a model; none if it has closures or rotations by quaternions, whose states are evaluated one by one.
    pub fn new(model: &Model) -> Option<Self> {
        if !model.closures.is_empty() || model.nq != model.nv {
            return None;
        }
        let layout = Layout::new(model, Vec::new(), &free_columns(model));
        let tree = Tree {
            hinges: Hinge::all(model),
            bodies: model.bodies.iter().map(sweep::Body::new).collect(),
            masses: model.bodies.iter().map(|b| Mass::new(&b.inertia, &b.scale)).collect(),
            slim: layout.slim,
            columns: layout.columns,
        };
        let (width, states) = States::new(&tree);
        Some(Self { tree, width, states })
    }

    /// How many states stand side by side.
    pub fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn ask<Q: Question>(&mut self, question: Q) -> Q::Answer {
        let Self { tree, states, .. } = self;
        match states {
            #[cfg(target_arch = "x86_64")]
            States::Eight(k, states) => {
                k.vectorize(x86::InEights(*k, Asked(tree, states, question)))
            }
            #[cfg(target_arch = "x86_64")]
            States::Four(k, states) => k.vectorize(x86::InFours(*k, Asked(tree, states, question))),
            #[cfg(target_arch = "x86_64")]
            States::Two(k, states) => x86::in_pairs(*k, Asked(tree, states, question)),
            States::Plain(states) => Asked(tree, states, question).with(Plain([0.0; 2])),
        }
    }

    /// Places the tree at [`Lanes::width`] states that follow each other in `q` and `v`; false if one of them has to be evaluated alone.
    pub fn place(&mut self, q: &[f64], v: &[f64]) -> bool {
        let finite = |list: &[f64]| list.iter().map(|x| 0.0 * x).sum::<f64>() == 0.0;
        finite(q) && finite(v) && self.ask(sweep::Placed(q, v))
    }

    /// T of each state \[J\].
    pub fn kinetic_energy(&mut self) -> [f64; MOST] {
        self.ask(sweep::Energy)
    }

    /// The link frame of a body in one of the states.
    pub fn pose(&mut self, place: Place, state: usize) -> Pose {
        place.map_or_else(Pose::identity, |body| self.ask(sweep::PoseOf(body.index(), state)))
    }

    /// w Y wᵀ and the rate of one row in each state; the rows join the same two bodies.
    pub fn mobility(&mut self, rows: &[RowWrench]) -> [[f64; MOST]; 2] {
        self.ask(row::Mobility(rows))
    }

    /// The row between two points along a direction that a body or the ground carries, in each state.
    pub fn between(&mut self, points: &Between) -> LaneRow {
        let Between { a, b, normal_in, normal } = points;
        self.ask(row::Reach {
            a: (a.body, a.at.into()),
            b: (b.body, b.at.into()),
            normal: (*normal_in, (*normal).into()),
        })
    }
}
