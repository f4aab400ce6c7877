//! Damped Newton steps of least size in the mass metric, with a least-squares fallback.

use nalgebra::DVector;

use super::{CLOSED, Problem};
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::Mechanism;
use crate::dynamics::solve::Excitation;
use crate::kinematics::{Frames, State};

/// Newton steps before giving up.
const MOST_STEPS: usize = 60;
/// Residuals below this part of their natural size are round-off of the pose: a few units in the last place.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;
/// The dense least-squares fallback is for mechanisms up to this many velocities.
const DENSE_LIMIT: usize = 400;

/// What a Newton iteration reached.
pub(super) struct Reached {
    pub state: State,
    pub residuals: Vec<f64>,
    /// Of the residuals as parts of their natural sizes: the largest, and the sum of squares.
    pub worst: f64,
    norm: f64,
    pub steps: usize,
}

/// Damped Newton steps of least size in the mass metric.
pub(super) struct Newton<'p, 'm> {
    problem: &'p Problem<'m>,
    mechanism: Mechanism<'m>,
    frames: Frames,
}

impl<'p, 'm> Newton<'p, 'm> {
    pub fn new(problem: &'p Problem<'m>, free: &[bool]) -> Self {
        Self {
            problem,
            mechanism: Mechanism::of_rows(problem.model, problem.rows.clone(), free, false),
            frames: Frames::new(problem.model),
        }
    }

    fn reached(&mut self, state: State, steps: usize) -> Reached {
        self.frames.update(state.q.as_slice(), state.v.as_slice());
        let residuals = self.problem.residuals(&self.frames, &state);
        let (mut worst, mut norm) = (0.0_f64, 0.0);
        for x in self.problem.relative(&residuals) {
            worst = worst.max(x.abs());
            norm += x * x;
        }
        Reached { state, residuals, worst, norm, steps }
    }

    pub fn run(&mut self, from: &State) -> Result<Reached, DynamicsError> {
        let mut now = self.reached(from.clone(), 0);
        // A pose as closed as its numbers can tell stays as it is: near a singular pose a step that closes the last digit
        // may be many digits long.
        if now.worst <= ROUND_OFF {
            return Ok(now);
        }
        for _ in 0..MOST_STEPS {
            if now.worst == 0.0 {
                break;
            }
            let rates: Vec<f64> = now.residuals.iter().map(|r| -r).collect();
            let at = self.mechanism.at(&now.state)?;
            let step = at.solve(&Excitation { rates: &rates, ..Excitation::default() }).x;
            match self.damped(&now, &step) {
                Some(next) => now = next,
                None => break,
            }
        }
        if now.worst > CLOSED && self.problem.model.nv <= DENSE_LIMIT {
            now = self.least_squares(now)?;
        }
        Ok(now)
    }

    /// The longest of the step's halvings that brings the residual down; `None` if none does.
    fn damped(&mut self, now: &Reached, step: &[f64]) -> Option<Reached> {
        let limit = self.limit(step);
        let mut part = limit;
        for _ in 0..30 {
            let scaled: Vec<f64> = step.iter().map(|x| x * part).collect();
            if scaled.iter().any(|x| !x.is_finite()) {
                return None;
            }
            let mut state = now.state.clone();
            state.advance(self.problem.model, &scaled);
            let next = self.reached(state, now.steps + 1);
            if next.norm < now.norm * (1.0 - 1e-4 * part) {
                return Some(next);
            }
            part *= 0.5;
        }
        None
    }

    /// How far each coordinate may be expected to go: a radian, or the mechanism's size.
    fn ranges(&self) -> Vec<f64> {
        let mut ranges = vec![1.0; self.problem.model.nv];
        for body in &self.problem.model.bodies {
            for (c, column) in body.joint.velocities().enumerate() {
                if !body.joint.kind.is_angular(c) {
                    ranges[column] = self.problem.size;
                }
            }
        }
        ranges
    }

    /// The part of a step that turns no joint by more than half a radian.
    fn limit(&self, step: &[f64]) -> f64 {
        let mut limit = 1.0_f64;
        for body in &self.problem.model.bodies {
            for (c, column) in body.joint.velocities().enumerate() {
                let most = if body.joint.kind.is_angular(c) { 0.5 } else { self.problem.size };
                if step[column].abs() * limit > most {
                    limit = most / step[column].abs();
                }
            }
        }
        limit
    }

    /// Levenberg-Marquardt on the residuals, to pass singular poses and to find the smallest
    /// residual where no pose closes.
    fn least_squares(&mut self, start: Reached) -> Result<Reached, DynamicsError> {
        let mut now = start;
        let ranges = self.ranges();
        let mut damping = 1e-3;
        for _ in 0..200 {
            let (mut D, free) = {
                let at = self.mechanism.at(&now.state)?;
                let free: Vec<usize> =
                    (0..self.problem.model.nv).filter(|c| at.layout.columns[*c].free).collect();
                (at.closure_matrix().select_columns(&free), free)
            };
            let natural = &self.problem.natural;
            for (mut row, size) in D.row_iter_mut().zip(natural) {
                row /= *size;
            }
            let relative = self.problem.relative(&now.residuals);
            let phi = DVector::from_iterator(natural.len(), relative);
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
                let mut step = vec![0.0; self.problem.model.nv];
                for (k, &c) in free.iter().enumerate() {
                    step[c] = x[k];
                }
                let mut state = now.state.clone();
                state.advance(self.problem.model, &step);
                let next = self.reached(state, now.steps + 1);
                if next.norm < now.norm {
                    now = next;
                    damping = (damping * 0.2).max(1e-14);
                    improved = true;
                    break;
                }
                damping *= 8.0;
            }
            if !improved || now.worst <= 1e-15 {
                break;
            }
        }
        Ok(now)
    }
}
