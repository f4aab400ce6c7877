//! Back onto the closures: positions, then velocities, with as little change as the mass metric allows.

use super::error::DynamicsError;
use super::layout::Layout;
use super::mechanism::Mechanism;
use super::row;
use super::solve::{Excitation, Solution};
use super::work::Refinement;
use crate::kinematics::State;
use crate::maths::Twist;

/// Newton steps; each squares what is left, and an integrator leaves little.
const MOST_STEPS: usize = 4;
/// Gaps of closures \[m or rad\] that are round-off.
const CLOSED: f64 = 1e-15;

/// Memory of projections; nothing allocates after it is made.
#[derive(Clone, Debug)]
pub struct Projection {
    rates: Vec<f64>,
    twists: Vec<Twist>,
    refinement: Refinement,
    solution: Solution,
}

impl Projection {
    /// Memory for a mechanism's layout.
    pub fn new(layout: &Layout) -> Self {
        Self {
            rates: vec![0.0; layout.rows.len()],
            twists: vec![Twist::zero(); layout.bodies()],
            refinement: Refinement::new(layout),
            solution: Solution::new(layout),
        }
    }
}

impl Mechanism<'_> {
    /// Projects the state onto closures and unit quaternions: q, then v. Returns the largest gap found.
    pub fn project(
        &mut self,
        state: &mut State,
        work: &mut Projection,
    ) -> Result<f64, DynamicsError> {
        let model = self.model();
        for body in &model.bodies {
            let joint = &body.joint;
            if let Some(range) = joint.kind.quaternion() {
                let q = &mut state.q.as_mut_slice()[joint.positions()][range];
                let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                for x in q {
                    *x /= norm;
                }
            }
        }
        if work.rates.is_empty() {
            return Ok(0.0);
        }
        let mut first = 0.0;
        for step in 0..MOST_STEPS {
            let at = self.at(state)?;
            let mut open = 0.0_f64;
            for (rate, r) in work.rates.iter_mut().zip(&at.layout.rows) {
                *rate = -row::residual(r, at.frames, state.q.as_slice());
                open = open.max(rate.abs());
            }
            if step == 0 {
                first = open;
            }
            if open <= CLOSED {
                break;
            }
            let given = Excitation { rates: &work.rates, ..Excitation::default() };
            at.solve_into(&given, &mut work.refinement, &mut work.solution);
            state.advance(model, &work.solution.x);
        }
        let at = self.at(state)?;
        at.closure_rates_into(state.v.as_slice(), &mut work.twists, &mut work.rates);
        work.rates.iter_mut().for_each(|x| *x = -*x);
        let given = Excitation { rates: &work.rates, ..Excitation::default() };
        at.solve_into(&given, &mut work.refinement, &mut work.solution);
        state.v.iter_mut().zip(&work.solution.x).for_each(|(v, x)| *v += x);
        Ok(first)
    }
}
