//! Answers from the factors: mobility of one row in one sweep, and full solutions in two.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use super::climb::{Eliminating, along_branches, in_registers, past_column, to_parent};
use super::factor::Factor;
use super::layout::Layout;
use super::row::RowWrench;
use super::row_factors::pushes;
use crate::kinematics::Frames;
use crate::maths::inertia::Pair;
use crate::maths::register::single::Sweep;
use crate::maths::register::{Padded, Vector};
use crate::maths::{Twist, Wrench, ldl};
use crate::model::{BodyId, Place};

/// Memory for solutions; nothing allocates once it exists.
#[derive(Clone, Debug)]
pub struct Scratch {
    p: Vec<Wrench>,
    twists: Vec<Twist>,
    excess: Vec<f64>,
    l: Vec<f64>,
    s: Vec<f64>,
    small: Vec<f64>,
    work: Vec<f64>,
    /// A column without inertia that the last problem pushed on.
    pushed: Option<usize>,
    /// Where a row's own solution goes when only its energy is wanted.
    solution: Solution,
}

impl Scratch {
    /// Memory for a layout.
    pub fn new(layout: &Layout) -> Self {
        let most = layout.nodes.iter().map(|n| n.closing).max().unwrap_or(0);
        let bodies = layout.slim.len();
        Self {
            p: vec![Wrench::zero(); bodies],
            twists: vec![Twist::zero(); bodies],
            excess: vec![0.0; layout.columns.len()],
            l: vec![0.0; layout.rows.len()],
            s: vec![0.0; layout.rows.len()],
            small: vec![0.0; most],
            work: vec![0.0; most],
            pushed: None,
            solution: Solution::new(layout),
        }
    }

    /// A column without inertia that the problem solved last pushed on: it has no acceleration.
    pub(super) fn pushed(&self) -> Option<usize> {
        self.pushed
    }

    /// Keeps what a problem pushed on while it is refined.
    pub(super) fn note_pushed(&mut self, column: Option<usize>) {
        self.pushed = column;
    }

    /// The motion of every body, and of every joint, under the row solved last.
    pub(super) fn row_motion(&self) -> (&[Twist], &[f64]) {
        (&self.twists, &self.solution.x)
    }
}

/// x and λ of M x = f + Dᵀ λ, D x = γ.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Solution {
    /// x, one entry per velocity.
    pub x: Vec<f64>,
    /// λ, one entry per row; zero on rows that depend on others.
    pub multipliers: Vec<f64>,
}

impl Solution {
    /// Memory for a layout.
    pub fn new(layout: &Layout) -> Self {
        Self { x: vec![0.0; layout.columns.len()], multipliers: vec![0.0; layout.rows.len()] }
    }
}

/// The right-hand side of a linear problem; slices may be empty, which means zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Excitation<'a> {
    /// Wrench on each body about its link origin.
    pub wrenches: &'a [Wrench],
    /// Effort on each velocity.
    pub efforts: &'a [f64],
    /// γ of each row.
    pub rates: &'a [f64],
    /// x of the columns that are not free (other entries do not count).
    pub prescribed: &'a [f64],
}

/// Σ u²/D of a row on a tree, where nothing is taken back.
struct Climb<'a>(&'a Solver<'a>, &'a RowWrench);

impl Sweep for Climb<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<V: Vector<Number = f64, Stored = Padded>>(self, k: V) -> f64 {
        let Self(solver, row) = self;
        let ground = solver.layout.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let (a, b) = (in_registers(k, &row.on_a), in_registers(k, &row.on_b));
        along_branches(solver, (node(row.a), a), (node(row.b), b))
    }
}

impl<V: Vector<Number = f64, Stored = Padded>> Eliminating<V> for Solver<'_> {
    #[inline(always)]
    fn bodies(&self) -> usize {
        self.layout.slim.len()
    }

    #[inline(always)]
    fn climb(&self, n: &mut usize, w: &mut Pair<V>) -> f64 {
        let slim = &self.layout.slim[*n];
        let link = &self.frames.links()[*n];
        let mut W = 0.0;
        for column in slim.columns().rev() {
            let own = &self.factor.columns[column];
            let axis = w.force.load(&self.frames.axes()[column]);
            let u = axis.dot(if own.angular { w.moment } else { w.force });
            if own.inert {
                let (moment, force) = (w.moment.stored().vector(), w.force.stored().vector());
                if pushes(u, &Wrench { moment, force }, link) {
                    W = f64::INFINITY;
                    continue;
                }
            }
            W += past_column(w, u, &own.U, own.inverse_D);
        }
        to_parent(w, &link.arm);
        *n = slim.parent as usize;
        W
    }
}

/// One state's geometry and factors, ready to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solver<'a> {
    pub layout: &'a Layout,
    pub frames: &'a Frames,
    pub factor: &'a Factor,
}

impl Solver<'_> {
    /// The two parts of w Y wᵀ of one row: Σ u²/D over the joints it passes, and what closed loops
    /// take back.
    pub fn mobility(&self, row: &RowWrench, scratch: &mut Scratch) -> (f64, f64) {
        let ground = self.layout.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let (mut a, mut b) = (node(row.a), node(row.b));
        if self.layout.rows.is_empty() {
            return (self.frames.registers().run(Climb(self, row)), 0.0);
        }
        let (mut on_a, mut on_b) = (row.on_a, row.on_b);
        scratch.l.fill(0.0);
        let (mut W, mut taken) = (0.0, 0.0);
        // The branch whose body stands further out goes first; where they meet they are one.
        loop {
            if b < ground && (a >= ground || b > a) {
                std::mem::swap(&mut a, &mut b);
                std::mem::swap(&mut on_a, &mut on_b);
            }
            if a >= ground {
                break;
            }
            if a == b {
                on_a.moment += on_b.moment;
                on_a.force += on_b.force;
                b = ground;
            }
            if self.layout.slim[a].closes {
                taken += self.take_back(a, &mut on_a, scratch);
            }
            W += self.pass(a, &mut on_a, scratch);
            a = self.layout.slim[a].parent as usize;
        }
        for part in self.layout.ground().filter(|n| self.layout.nodes[*n].closing > 0) {
            taken += self.take_back(part, &mut on_a, scratch);
        }
        (W, taken)
    }

    /// Solves for the motion w = Y Aᵀ of one row into the scratch memory.
    pub fn solve_row(&self, row: &RowWrench, scratch: &mut Scratch) {
        scratch.p.fill(Wrench::zero());
        row.add_to(&mut scratch.p, 1.0);
        let mut solution = std::mem::take(&mut scratch.solution);
        self.solve_loaded(&Excitation::default(), scratch, &mut solution);
        scratch.solution = solution;
    }

    /// Carries a row's wrench past one body to its parent.
    #[inline]
    fn pass(&self, n: usize, w: &mut Wrench, scratch: &mut Scratch) -> f64 {
        let slim = self.layout.slim[n];
        let mut W = 0.0;
        for column in slim.columns().rev() {
            let own = &self.factor.columns[column];
            if own.inverse_D == 0.0 && !own.inert {
                continue;
            }
            let along = if own.angular { &w.moment } else { &w.force };
            let u = self.frames.axis(column).dot(along);
            if own.inert && pushes(u, w, &self.frames.links()[n]) {
                W = f64::INFINITY;
                continue;
            }
            let x = u * own.inverse_D;
            W += u * x;
            w.moment -= own.U().moment * x;
            w.force -= own.U().force * x;
            if slim.opens {
                let node = &self.layout.nodes[n];
                let at_u = node.at_u + (column - node.columns.start) * node.open();
                for (&row, u) in node.open_rows().iter().zip(&self.factor.rows.u[at_u..]) {
                    scratch.l[row as usize] += u * x;
                }
            }
        }
        w.moment += self.frames.links()[n].arm().cross(&w.force);
        W
    }

    /// What the loops that close at a node take back from a row: lᵀ L_kk⁺ l; the rest of the row
    /// is corrected.
    fn take_back(&self, n: usize, w: &mut Wrench, scratch: &mut Scratch) -> f64 {
        let node = &self.layout.nodes[n];
        for (k, &row) in node.closing_rows().iter().enumerate() {
            scratch.small[k] = scratch.l[row as usize];
        }
        if scratch.small[..node.closing].iter().all(|l| *l == 0.0) {
            return 0.0;
        }
        self.correct_open_rows(n, -1.0, scratch);
        self.solve_closed(n, scratch);
        let mut taken = 0.0;
        for (k, &row) in node.closing_rows().iter().enumerate() {
            let s = scratch.small[k];
            taken += scratch.l[row as usize] * s;
            let K = &self.factor.rows.K[node.at_K + k];
            w.moment -= K.moment * s;
            w.force -= K.force * s;
        }
        taken
    }

    /// l_o += sign · Xᵀ b for the rows that stay open, with b in `scratch.small`.
    fn correct_open_rows(&self, n: usize, sign: f64, scratch: &mut Scratch) {
        let node = &self.layout.nodes[n];
        let open = node.open();
        for (o, &row) in node.open_rows().iter().enumerate() {
            let mut sum = 0.0;
            for k in 0..node.closing {
                sum += self.factor.rows.X[node.at_X + k * open + o] * scratch.small[k];
            }
            scratch.l[row as usize] += sign * sum;
        }
    }

    /// small ← L_kk⁺ small.
    fn solve_closed(&self, n: usize, scratch: &mut Scratch) {
        let node = &self.layout.nodes[n];
        let closing = node.closing;
        ldl::solve(
            &self.factor.rows.closed[node.at_factor..node.at_factor + closing * closing],
            closing,
            self.factor.rows.rank[n],
            &self.factor.rows.order[node.at_order..node.at_order + closing],
            &mut scratch.small[..closing],
            &mut scratch.work,
        );
    }

    /// The full solution of M x = f + Dᵀ λ, D x = γ, with prescribed x on columns that are not free.
    pub fn solve(&self, given: &Excitation<'_>, scratch: &mut Scratch, out: &mut Solution) {
        if given.wrenches.is_empty() {
            scratch.p.fill(Wrench::zero());
        } else {
            scratch.p.copy_from_slice(given.wrenches);
        }
        self.solve_loaded(given, scratch, out);
    }

    /// The same with the wrenches already in the scratch memory.
    fn solve_loaded(&self, given: &Excitation<'_>, scratch: &mut Scratch, out: &mut Solution) {
        let ground = self.layout.slim.len();
        scratch.l.fill(0.0);
        scratch.pushed = None;
        for n in (0..ground).rev() {
            let node = &self.layout.nodes[n];
            if node.closing > 0 {
                self.close_up(n, given.rates, scratch);
                for k in 0..node.closing {
                    let s = scratch.s[node.present[k] as usize];
                    let K = self.factor.rows.K[node.at_K + k];
                    scratch.p[n].moment += K.moment * s;
                    scratch.p[n].force += K.force * s;
                }
            }
            let mut p = scratch.p[n];
            // Eliminating columns leaves of the moment what the others cannot take: round-off is
            // told from it by the whole.
            let whole = p.moment.norm();
            let open = node.open();
            for column in node.columns.clone().rev() {
                let own = &self.factor.columns[column];
                let x = if own.inverse_D == 0.0 && !own.inert {
                    given.prescribed.get(column).copied().unwrap_or(0.0)
                } else {
                    let along =
                        if self.layout.columns[column].angular { &p.moment } else { &p.force };
                    let effort = given.efforts.get(column).copied().unwrap_or(0.0);
                    let excess = self.frames.axis(column).dot(along) + effort;
                    scratch.excess[column] = excess;
                    let floor = 1e-9 * whole;
                    if own.inert
                        && excess.abs() > floor
                        && pushes(excess, &p, &self.frames.links()[n])
                    {
                        scratch.pushed = Some(column);
                    }
                    excess * own.inverse_D
                };
                p.moment -= own.U().moment * x;
                p.force -= own.U().force * x;
                let at_u = node.at_u + (column - node.columns.start) * open;
                for (o, &row) in node.open_rows().iter().enumerate() {
                    scratch.l[row as usize] += self.factor.rows.u[at_u + o] * x;
                }
            }
            if node.parent < ground {
                let arm = self.frames.links()[n].arm();
                let above = &mut scratch.p[node.parent];
                above.moment += p.moment + arm.cross(&p.force);
                above.force += p.force;
            }
        }
        for part in self.layout.ground().filter(|n| self.layout.nodes[*n].closing > 0) {
            self.close_up(part, given.rates, scratch);
            for &row in self.layout.nodes[part].closing_rows() {
                out.multipliers[row as usize] = scratch.s[row as usize];
            }
        }
        for n in 0..ground {
            self.descend(n, given, scratch, out);
        }
    }

    /// s = L_kk⁺ (γ − l) for the rows that close at a node.
    fn close_up(&self, n: usize, rates: &[f64], scratch: &mut Scratch) {
        let node = &self.layout.nodes[n];
        for (k, &row) in node.closing_rows().iter().enumerate() {
            let rate = rates.get(row as usize).copied().unwrap_or(0.0);
            scratch.small[k] = rate - scratch.l[row as usize];
        }
        self.correct_open_rows(n, 1.0, scratch);
        self.solve_closed(n, scratch);
        for (k, &row) in node.closing_rows().iter().enumerate() {
            scratch.s[row as usize] = scratch.small[k];
        }
    }

    /// One body of the base-to-tip sweep: x of its columns, then λ of the rows that close there.
    fn descend(&self, n: usize, given: &Excitation<'_>, scratch: &mut Scratch, out: &mut Solution) {
        let node = &self.layout.nodes[n];
        let mut V = if node.parent >= self.layout.slim.len() {
            Twist::zero()
        } else {
            let above = &scratch.twists[node.parent];
            Twist { ang: above.ang, lin: above.at(&self.frames.links()[n].arm()) }
        };
        let open = node.open();
        for column in node.columns.clone() {
            let own = &self.factor.columns[column];
            let x = if own.inverse_D == 0.0 {
                given.prescribed.get(column).copied().unwrap_or(0.0)
            } else {
                let mut sum = scratch.excess[column] - own.U().power(&V);
                let at_u = node.at_u + (column - node.columns.start) * open;
                for (o, &row) in node.open_rows().iter().enumerate() {
                    sum += self.factor.rows.u[at_u + o] * out.multipliers[row as usize];
                }
                sum * own.inverse_D
            };
            out.x[column] = x;
            let axis = self.frames.axis(column);
            if self.layout.columns[column].angular {
                V.ang += axis * x;
            } else {
                V.lin += axis * x;
            }
        }
        scratch.twists[n] = V;
        if node.closing == 0 {
            return;
        }
        for k in 0..node.closing {
            scratch.small[k] = self.factor.rows.K[node.at_K + k].power(&V);
        }
        self.solve_closed(n, scratch);
        for k in 0..node.closing {
            let row = node.present[k] as usize;
            let mut lambda = scratch.s[row] - scratch.small[k];
            for (o, &other) in node.open_rows().iter().enumerate() {
                lambda -=
                    self.factor.rows.X[node.at_X + k * open + o] * out.multipliers[other as usize];
            }
            out.multipliers[row] = lambda;
        }
    }
}
