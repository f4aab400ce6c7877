//! Damped Newton steps of least size in the mass metric, with a least-squares fallback.

use nalgebra::DVector;

use super::CLOSED;
use super::problem::Problem;
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::Memory;
use crate::dynamics::solve::{Excitation, Solution};
use crate::dynamics::work::Refinement;
use crate::kinematics::{Frames, State};
use crate::model::{Change, Model};

/// Newton steps before giving up.
const MOST_STEPS: usize = 60;
/// Halvings of a step that does not bring the residual down.
const MOST_HALVINGS: usize = 30;
/// Residuals below this part of their natural size are round-off of the pose: a few units in the last place.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;
/// Below this part of their natural size residuals are a hundredth of what counts as closed, and what is left of them comes from
/// round-off: if a full Newton step does not bring them down, no part of it is tried.
const NEARLY_ROUND_OFF: f64 = 1e-2 * CLOSED;
/// The dense least-squares fallback is for mechanisms up to this many velocities.
const DENSE_LIMIT: usize = 400;

/// What a Newton iteration reached.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub state: State,
    pub residuals: Vec<f64>,
    /// Of the residuals as parts of their natural sizes: the largest, and the sum of squares.
    pub worst: f64,
    norm: f64,
    pub steps: usize,
}

/// Damped Newton steps of least size in the mass metric, in memory that is kept from one assembly to the next.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    frames: Frames,
    /// The free columns to be tried, one set after the other, with the memory of each once it was needed.
    holds: Vec<(Vec<bool>, Option<Kept>)>,
    pub now: Reached,
    next: Reached,
    step: Vec<f64>,
}

/// The memory of Newton steps with one set of free columns.
#[derive(Clone, Debug)]
struct Kept {
    memory: Memory,
    refinement: Refinement,
    solution: Solution,
    rates: Vec<f64>,
}

impl Newton {
    /// Memory for a problem, with the sets of free columns that are tried one after the other.
    pub fn new(problem: &Problem, model: &Model, holds: Vec<Vec<bool>>) -> Self {
        let reached = Reached {
            state: State::as_written(model),
            residuals: vec![0.0; problem.rows.len()],
            worst: 0.0,
            norm: 0.0,
            steps: 0,
        };
        Self {
            frames: Frames::new(model),
            holds: holds.into_iter().map(|free| (free, None)).collect(),
            next: reached.clone(),
            now: reached,
            step: vec![0.0; model.nv],
        }
    }

    /// Takes over the numbers of a model that differs from the first one in numbers alone.
    pub fn renew(&mut self, problem: &Problem, model: &Model, change: Change) {
        if change.joints {
            self.frames.renew(model);
        }
        for kept in self.holds.iter_mut().filter_map(|(_, kept)| kept.as_mut()) {
            kept.memory.renew(model, &problem.rows, change);
        }
    }

    /// The numbers of the sets of free columns.
    pub fn holds(&self) -> std::ops::Range<usize> {
        0..self.holds.len()
    }

    /// Places `next` at its state.
    fn place_next(&mut self, problem: &Problem) {
        let Self { frames, next, .. } = self;
        frames.update(next.state.q.as_slice(), next.state.v.as_slice());
        problem.residuals_into(frames, &next.state, &mut next.residuals);
        (next.worst, next.norm) = (0.0, 0.0);
        for (r, size) in next.residuals.iter().zip(&problem.natural) {
            let x = r / size;
            next.worst = next.worst.max(x.abs());
            next.norm += x * x;
        }
    }

    /// Makes `next` the pose that was reached.
    fn accept(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
    }

    /// Iterates from a state with one set of free columns; `now` holds what was reached.
    pub fn run(
        &mut self,
        problem: &Problem,
        model: &Model,
        hold: usize,
        from: &State,
    ) -> Result<(), DynamicsError> {
        self.next.state.copy_from(from);
        self.next.steps = 0;
        self.place_next(problem);
        self.accept();
        // A pose as closed as its numbers can tell stays as it is: near a singular pose a step that closes the last digit
        // may be many digits long.
        if self.now.worst <= ROUND_OFF {
            return Ok(());
        }
        for _ in 0..MOST_STEPS {
            if self.now.worst == 0.0 {
                break;
            }
            self.newton_step(problem, model, hold)?;
            if !self.damped(problem, model) {
                break;
            }
        }
        if self.now.worst > CLOSED && model.nv <= DENSE_LIMIT {
            self.least_squares(problem, model, hold)?;
        }
        Ok(())
    }

    /// The memory of a set of free columns.
    fn kept(&mut self, problem: &Problem, model: &Model, hold: usize) -> &mut Kept {
        let (free, kept) = &mut self.holds[hold];
        kept.get_or_insert_with(|| {
            let memory = Memory::of_rows(model, problem.rows.clone(), free, false);
            Kept {
                refinement: Refinement::new(memory.layout()),
                solution: Solution::new(memory.layout()),
                rates: vec![0.0; problem.rows.len()],
                memory,
            }
        })
    }

    /// The step of least size in the mass metric that closes all rows to first order.
    fn newton_step(
        &mut self,
        problem: &Problem,
        model: &Model,
        hold: usize,
    ) -> Result<(), DynamicsError> {
        self.kept(problem, model, hold);
        let Self { holds, now, step, .. } = self;
        let Some(Kept { memory, refinement, solution, rates }) = &mut holds[hold].1 else {
            return Ok(());
        };
        for (rate, r) in rates.iter_mut().zip(&now.residuals) {
            *rate = -r;
        }
        let at = memory.at(model, &now.state)?;
        at.solve_into(&Excitation { rates, ..Excitation::default() }, refinement, solution);
        step.copy_from_slice(&solution.x);
        Ok(())
    }

    /// Takes the longest of the step's halvings that brings the residual down; false if none does.
    fn damped(&mut self, problem: &Problem, model: &Model) -> bool {
        let mut part = self.limit(problem, model);
        let halvings = if self.now.worst <= NEARLY_ROUND_OFF { 1 } else { MOST_HALVINGS };
        for _ in 0..halvings {
            let scaled: Vec<f64> = self.step.iter().map(|x| x * part).collect();
            if scaled.iter().any(|x| !x.is_finite()) {
                return false;
            }
            self.try_step(problem, model, &scaled);
            if self.next.norm < self.now.norm * (1.0 - 1e-4 * part) {
                self.accept();
                return true;
            }
            part *= 0.5;
        }
        false
    }

    /// Places `next` a step away from `now`.
    fn try_step(&mut self, problem: &Problem, model: &Model, step: &[f64]) {
        self.next.state.copy_from(&self.now.state);
        self.next.state.advance(model, step);
        self.next.steps = self.now.steps + 1;
        self.place_next(problem);
    }

    /// The part of the step that turns no joint by more than half a radian.
    fn limit(&self, problem: &Problem, model: &Model) -> f64 {
        let mut limit = 1.0_f64;
        for body in &model.bodies {
            for (c, column) in body.joint.velocities().enumerate() {
                let most = if body.joint.kind.is_angular(c) { 0.5 } else { problem.size };
                let size = self.step[column].abs();
                if size * limit > most {
                    limit = most / size;
                }
            }
        }
        limit
    }

    /// Levenberg-Marquardt on the residuals, to pass singular poses and to find the smallest
    /// residual where no pose closes.
    fn least_squares(
        &mut self,
        problem: &Problem,
        model: &Model,
        hold: usize,
    ) -> Result<(), DynamicsError> {
        let ranges = ranges(problem, model);
        let natural = &problem.natural;
        let mut damping = 1e-3;
        for _ in 0..200 {
            self.kept(problem, model, hold);
            let (mut D, free) = {
                let Some(kept) = &mut self.holds[hold].1 else { return Ok(()) };
                let at = kept.memory.at(model, &self.now.state)?;
                let free: Vec<usize> =
                    (0..model.nv).filter(|c| at.layout.columns[*c].free).collect();
                (at.closure_matrix().select_columns(&free), free)
            };
            for (mut row, size) in D.row_iter_mut().zip(natural) {
                row /= *size;
            }
            let phi = DVector::from_iterator(natural.len(), problem.relative(&self.now.residuals));
            let gradient = D.transpose() * &phi;
            if gradient.amax() <= 1e-15 || free.is_empty() {
                break;
            }
            let mut improved = false;
            for _ in 0..12 {
                let mut H = D.transpose() * &D;
                for k in 0..free.len() {
                    H[(k, k)] += damping * (ranges[free[k]].powi(-2) + H[(k, k)]);
                }
                let Some(H) = H.cholesky() else { break };
                let x = H.solve(&-&gradient);
                let mut step = vec![0.0; model.nv];
                for (k, &c) in free.iter().enumerate() {
                    step[c] = x[k];
                }
                self.try_step(problem, model, &step);
                if self.next.norm < self.now.norm {
                    self.accept();
                    damping = (damping * 0.2).max(1e-14);
                    improved = true;
                    break;
                }
                damping *= 8.0;
            }
            if !improved || self.now.worst <= 1e-15 {
                break;
            }
        }
        Ok(())
    }
}

/// How far each coordinate may be expected to go: a radian, or the mechanism's size.
fn ranges(problem: &Problem, model: &Model) -> Vec<f64> {
    let mut ranges = vec![1.0; model.nv];
    for body in &model.bodies {
        for (c, column) in body.joint.velocities().enumerate() {
            if !body.joint.kind.is_angular(c) {
                ranges[column] = problem.size;
            }
        }
    }
    ranges
}
