//! A mechanism's memory, and its posture at one state.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use std::cell::RefCell;

use super::error::DynamicsError;
use super::factor::{Factor, no_inertia};
use super::layout::Layout;
use super::row::{self, RowWrench};
use super::solve::{Excitation, Scratch, Solution, Solver};
use super::state_check::check_state;
use super::work::{Refinement, RowWork};
use crate::kinematics::{Frames, State};
use crate::maths::register::single::Sweep;
use crate::maths::register::{Padded, Vector};
use crate::maths::{Pose, Twist, Wrench};
use crate::model::{Change, Model, Place, Row};

/// Where loops take back more than this part of a mobility, it is computed without the difference.
const NEARLY_ALL: f64 = 0.95;
/// Passes that remove what a solution leaves open in the closures.
const REFINEMENTS: usize = 2;
/// Mobilities this near to each other differ by round-off alone.
const SAME: f64 = 1e-13;

/// All memory that evaluations of one model need, without the model itself; nothing allocates after it is made.
///
/// Whoever owns both a model and its memory places it with [`Memory::at`]; [`Mechanism`] borrows the model instead.
#[derive(Clone, Debug)]
pub struct Memory {
    layout: Layout,
    frames: Frames,
    factor: Factor,
    scratch: RefCell<Scratch>,
}

impl Memory {
    /// Memory for a model, with its locked and driven joints held.
    pub fn new(model: &Model) -> Self {
        Self::of_rows(model, closure_rows(model), &free_columns(model), true)
    }

    /// The same, with further joints (by their body's position) locked; positions that the model has not are left out.
    pub fn with_locked(model: &Model, locked: &[usize]) -> Self {
        Self::of_rows(model, closure_rows(model), &unlocked_columns(model, locked), true)
    }

    /// The same for states whose loops are open by more than round-off; see [`Mechanism::for_motion`].
    pub fn for_motion(model: &Model) -> Self {
        Self::for_motion_with_locked(model, &[])
    }

    /// The same with some joints locked.
    pub fn for_motion_with_locked(model: &Model, locked: &[usize]) -> Self {
        Self::of_rows(model, closure_rows(model), &unlocked_columns(model, locked), false)
    }

    /// With the given rows instead of the model's closures, and only some columns free to move; with ranks as of
    /// [`Memory::new`] (`fine`) or of [`Memory::for_motion`].
    pub(super) fn of_rows(model: &Model, rows: Vec<Row>, free: &[bool], fine: bool) -> Self {
        let layout = Layout::new(model, rows, free);
        Self {
            frames: Frames::new(model),
            factor: Factor::new(model, &layout, fine),
            scratch: RefCell::new(Scratch::new(&layout)),
            layout,
        }
    }

    /// The rows in force and the columns that may move.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Takes over the numbers of a model that differs from the first one in numbers alone, with the rows as they are there.
    pub(super) fn renew(&mut self, model: &Model, rows: &[Row], change: Change) {
        if change.joints {
            self.frames.renew(model);
        }
        if change.rows {
            self.layout.renew_rows(rows);
        }
        if change.bodies {
            self.layout.renew_columns(model);
            self.factor.renew(model);
        }
    }

    /// The same, with the rows of the model's closures.
    pub(super) fn renew_closures(&mut self, model: &Model, change: Change) {
        let rows = if change.rows { closure_rows(model) } else { Vec::new() };
        self.renew(model, &rows, change);
    }

    /// Places the model at other velocities in the pose where it stands: the factors are those of the pose.
    pub(super) fn moving<'a>(&'a mut self, model: &'a Model, state: &'a State) -> Posture<'a> {
        self.frames.update(state.q.as_slice(), state.v.as_slice());
        self.posture(model, state)
    }

    /// Places the model that this memory was made for at a state.
    pub fn at<'a>(
        &'a mut self,
        model: &'a Model,
        state: &'a State,
    ) -> Result<Posture<'a>, DynamicsError> {
        check_state(model, state)?;
        self.frames.registers().run(Placing(self, model, state))?;
        Ok(self.posture(model, state))
    }

    /// The model at the state where it was placed last.
    pub(super) fn posture<'a>(&'a self, model: &'a Model, state: &'a State) -> Posture<'a> {
        Posture {
            model,
            state,
            layout: &self.layout,
            frames: &self.frames,
            factor: &self.factor,
            scratch: &self.scratch,
        }
    }
}

/// [`Memory::at`] in the processor's registers.
struct Placing<'a>(&'a mut Memory, &'a Model, &'a State);

impl Sweep for Placing<'_> {
    type Output = Result<(), DynamicsError>;

    #[inline(always)]
    fn with<V: Vector<Number = f64, Stored = Padded>>(self, k: V) -> Self::Output {
        let Self(Memory { layout, frames, factor, .. }, model, state) = self;
        frames.update_with(k, state.q.as_slice(), state.v.as_slice());
        factor.update(k, model, layout, frames)
    }
}

/// A model and the memory that its evaluations need.
#[derive(Clone, Debug)]
pub struct Mechanism<'m> {
    model: &'m Model,
    memory: Memory,
}

impl<'m> Mechanism<'m> {
    /// Memory for a model, with its locked and driven joints held.
    pub fn new(model: &'m Model) -> Self {
        Self { model, memory: Memory::new(model) }
    }

    /// The same, with further joints (by their body's position) locked.
    pub fn with_locked(model: &'m Model, locked: &[usize]) -> Result<Self, DynamicsError> {
        let count = model.bodies.len();
        match locked.iter().find(|joint| **joint >= count) {
            Some(&joint) => Err(DynamicsError::NoSuchJoint { joint, count }),
            None => Ok(Self { model, memory: Memory::with_locked(model, locked) }),
        }
    }

    /// Memory for states on their way, whose loops are open by what an integrator leaves.
    ///
    /// Rows that depend on each other where loops are closed do not quite do so there. Rows count as dependent in a band
    /// of about 1e-6 of their size, whereas [`Mechanism::new`] tells ranks down to round-off.
    pub fn for_motion(model: &'m Model) -> Self {
        Self { model, memory: Memory::for_motion(model) }
    }

    /// Places the mechanism at a state.
    ///
    /// The posture borrows the state, so a stale one does not compile:
    ///
    /// ```compile_fail
    /// # use carom::{dynamics::Mechanism, kinematics::State, model::Model};
    /// # fn stale(model: &Model, mut state: State) {
    /// let mut mechanism = Mechanism::new(model);
    /// let at = mechanism.at(&state).unwrap();
    /// state.q[0] += 1.0; // error[E0502]
    /// at.kinetic_energy();
    /// # }
    /// ```
    pub fn at<'a>(&'a mut self, state: &'a State) -> Result<Posture<'a>, DynamicsError> {
        self.memory.at(self.model, state)
    }

    /// The model it was made for.
    pub fn model(&self) -> &'m Model {
        self.model
    }
}

/// The rows of all closures.
fn closure_rows(model: &Model) -> Vec<Row> {
    model.closures.iter().flat_map(|c| c.rows.iter().cloned()).collect()
}

/// Columns that are neither locked nor driven.
pub(super) fn free_columns(model: &Model) -> Vec<bool> {
    let mut free = vec![true; model.nv];
    for body in model.bodies.iter().filter(|b| b.joint.locked) {
        free[body.joint.velocities()].fill(false);
    }
    for drive in &model.drives {
        free[drive.v] = false;
    }
    free
}

/// Columns that may move when these joints (by their body's position) are locked, too.
fn unlocked_columns(model: &Model, locked: &[usize]) -> Vec<bool> {
    let mut free = free_columns(model);
    for body in locked.iter().filter_map(|&joint| model.bodies.get(joint)) {
        free[body.joint.velocities()].fill(false);
    }
    free
}

/// Poses, velocities and factors at one state.
#[derive(Clone, Copy, Debug)]
pub struct Posture<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a State,
    pub(super) layout: &'a Layout,
    pub(super) frames: &'a Frames,
    pub(super) factor: &'a Factor,
    pub(super) scratch: &'a RefCell<Scratch>,
}

impl<'a> Posture<'a> {
    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The state.
    pub fn state(&self) -> &'a State {
        self.state
    }

    /// Poses and velocities.
    pub fn frames(&self) -> &'a Frames {
        self.frames
    }

    /// The rows in force and the columns that may move.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The factors.
    pub fn factor(&self) -> &'a Factor {
        self.factor
    }

    fn solver(&self) -> Solver<'a> {
        Solver { layout: self.layout, frames: self.frames, factor: self.factor }
    }

    /// w Y wᵀ: how far a unit impulse along the row moves the row. One O(n) sweep, no allocation.
    ///
    /// Where loops take nearly all of it back, the difference loses digits; then it is taken as the
    /// energy wᵀ M w of the row's own motion w, a sum of squares that keeps them.
    pub fn mobility(&self, row: &RowWrench) -> f64 {
        let scratch = &mut self.scratch.borrow_mut();
        let (moved, taken) = self.solver().mobility(row, scratch);
        if taken < NEARLY_ALL * moved {
            return moved - taken;
        }
        self.solver().solve_row(row, scratch);
        let (twists, x) = scratch.row_motion();
        2.0 * self.kinetic_form(twists, x)
    }

    /// u = A v of a row.
    pub fn rate(&self, row: &RowWrench) -> f64 {
        row.rate(&self.frames.twist(row.a), &self.frames.twist(row.b))
    }

    /// The same by the row's own motion made to keep the closures: near a singular pose it keeps the
    /// digits that the sweep loses, at the cost of a few solutions.
    pub fn settled_mobility(&self, row: &RowWrench) -> f64 {
        if self.layout.rows.is_empty() {
            return self.mobility(row);
        }
        self.settled_mobility_in(row, &mut RowWork::new(self.layout))
    }

    /// The same without allocating.
    pub fn settled_mobility_in(&self, row: &RowWrench, work: &mut RowWork) -> f64 {
        let swept = self.mobility(row);
        if self.layout.rows.is_empty() {
            return swept;
        }
        self.response_in(row, work);
        let settled = 2.0 * self.kinetic_form(&work.twists, &work.solution.x);
        // Where both agree the sweep's shorter sum has less round-off of its own.
        if (settled - swept).abs() <= SAME * swept { swept } else { settled }
    }

    /// w = Y Aᵀ of a row and the motion of every body with it, without allocating.
    pub fn response_in(&self, row: &RowWrench, work: &mut RowWork) {
        let RowWork { wrenches, refinement, solution, twists } = work;
        wrenches.fill(Wrench::zero());
        row.add_to(wrenches, 1.0);
        self.solve_into(&Excitation { wrenches, ..Excitation::default() }, refinement, solution);
        self.twists_into(&solution.x, twists);
    }

    /// x and λ for an excitation.
    pub fn solve(&self, given: &Excitation<'_>) -> Solution {
        let mut out = Solution::new(self.layout);
        self.solve_into(given, &mut Refinement::new(self.layout), &mut out);
        out
    }

    /// The same without allocating.
    ///
    /// Closures of a nearly singular pose leave round-off times the condition number in D x = γ;
    /// solving again for what is missing removes it.
    pub fn solve_into(&self, given: &Excitation<'_>, work: &mut Refinement, out: &mut Solution) {
        self.solver().solve(given, &mut self.scratch.borrow_mut(), out);
        if self.layout.rows.is_empty() {
            return;
        }
        let pushed = self.scratch.borrow().pushed();
        let Refinement { twists, missing, more } = work;
        for _ in 0..REFINEMENTS {
            self.closure_rates_into(&out.x, twists, missing);
            for (r, x) in missing.iter_mut().enumerate() {
                *x = given.rates.get(r).copied().unwrap_or(0.0) - *x;
            }
            let given = Excitation { rates: missing, ..Excitation::default() };
            self.solver().solve(&given, &mut self.scratch.borrow_mut(), more);
            out.x.iter_mut().zip(&more.x).for_each(|(x, d)| *x += d);
            out.multipliers.iter_mut().zip(&more.multipliers).for_each(|(x, d)| *x += d);
        }
        self.scratch.borrow_mut().note_pushed(pushed);
    }

    /// A column without inertia that the problem solved last pushed on.
    pub(super) fn pushed(&self) -> Option<usize> {
        self.scratch.borrow().pushed()
    }

    /// The error of a column that is pushed on and moves nothing with inertia.
    pub(super) fn no_inertia(&self, column: usize) -> DynamicsError {
        let owner = self.model.bodies.iter().position(|b| b.joint.velocities().contains(&column));
        no_inertia(self.model, owner.unwrap_or(0), column)
    }

    /// Why a row's mobility is infinite: it pushes on a coordinate along which nothing with inertia
    /// moves; `None` if it is finite.
    pub fn push_without_inertia(&self, row: &RowWrench) -> Option<DynamicsError> {
        if self.factor.inert_columns().next().is_none() || self.mobility(row).is_finite() {
            return None;
        }
        self.solver().solve_row(row, &mut self.scratch.borrow_mut());
        self.pushed().map(|column| self.no_inertia(column))
    }

    /// w = Y Aᵀ of a row (velocity change per unit impulse) and the multipliers that go with it.
    pub fn response(&self, row: &RowWrench) -> Solution {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        row.add_to(&mut wrenches, 1.0);
        self.solve(&Excitation { wrenches: &wrenches, ..Excitation::default() })
    }

    /// The motion of every body under joint velocities `x` (not the state's own).
    pub fn twists(&self, x: &[f64]) -> Vec<Twist> {
        let mut out = vec![Twist::zero(); self.model.bodies.len()];
        self.twists_into(x, &mut out);
        out
    }

    /// The same without allocating.
    pub fn twists_into(&self, x: &[f64], out: &mut [Twist]) {
        for (n, (body, link)) in self.model.bodies.iter().zip(self.frames.links()).enumerate() {
            let mut twist = body.parent.map_or_else(Twist::zero, |p| {
                let above = out[p.index()];
                Twist { ang: above.ang, lin: above.at(&link.arm()) }
            });
            for column in body.joint.velocities() {
                let axis = self.frames.axis(column);
                if self.layout.columns[column].angular {
                    twist.ang += axis * x[column];
                } else {
                    twist.lin += axis * x[column];
                }
            }
            out[n] = twist;
        }
    }

    /// The link frame of a body in the world.
    pub fn pose(&self, place: Place) -> Pose {
        self.frames.pose(place)
    }
}

impl Posture<'_> {
    /// D x of the closure rows.
    pub fn closure_rates(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.rows.len()];
        self.closure_rates_into(x, &mut vec![Twist::zero(); self.model.bodies.len()], &mut out);
        out
    }

    pub(super) fn closure_rates_into(&self, x: &[f64], twists: &mut [Twist], out: &mut [f64]) {
        self.twists_into(x, twists);
        let of = |place: Place| place.map_or_else(Twist::zero, |b| twists[b.index()]);
        for (out, row) in out.iter_mut().zip(&self.layout.rows) {
            *out = match (row::wrench(row, self.frames), row) {
                (Some(w), _) => w.rate(&of(w.a), &of(w.b)),
                (None, Row::Coupling { terms, .. }) => {
                    terms.iter().map(|t| t.coefficient * x[t.v]).sum()
                }
                (None, _) => 0.0,
            };
        }
    }

    /// The wrenches of closure row `r`; `None` for a coupling.
    pub fn closure_row(&self, r: usize) -> Option<RowWrench> {
        row::wrench(&self.layout.rows[r], self.frames)
    }

    /// How those wrenches change when the bodies move.
    pub fn closure_variation(
        &self,
        r: usize,
        motion: &dyn Fn(Place) -> Twist,
    ) -> Option<RowWrench> {
        row::variation(&self.layout.rows[r], self.frames, motion)
    }
}
