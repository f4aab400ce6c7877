//! An assembly that is made again and again, of models that differ in numbers alone.

use nalgebra::DVector;

use super::newton::Newton;
use super::problem::{Found, Problem};
use super::velocity::{Speeds, drop_round_off, scale_energy};
use super::{Assembled, flipped};
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::{Memory, Posture, free_columns};
use crate::dynamics::row;
use crate::kinematics::State;
use crate::model::{Change, Model};

/// A change of a stated position below this is round-off \[rad\] or \[m\].
const MOVED: f64 = 1e-12;

/// The memory of an assembly. Every assembly starts at the pose that the model states, whatever was assembled before, so that its
/// result depends on the model alone.
#[derive(Clone, Debug)]
pub struct Assembler {
    problem: Problem,
    newton: Newton,
    speeds: Speeds,
    memory: Memory,
    /// As the model states it.
    written: State,
    /// In the assembled pose, with the velocities before they were made consistent.
    stated: State,
    state: State,
    found: Found,
    /// A stated velocity that changed by less was kept \[rad/s\] or \[m/s\].
    unchanged: f64,
    /// What consistency changed in each velocity, before all are scaled to a kinetic energy.
    changes: DVector<f64>,
}

impl Assembler {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let problem = Problem::new(model);
        let free = free_columns(model);
        let mut held = free.clone();
        for body in model.bodies.iter().filter(|b| b.joint.position_given) {
            held[body.joint.velocities()].fill(false);
        }
        let holds = if held == free { vec![free] } else { vec![held, free] };
        let written = State::as_written(model);
        Self {
            newton: Newton::new(&problem, model, holds),
            problem,
            speeds: Speeds::new(model),
            memory: Memory::new(model),
            stated: written.clone(),
            state: written.clone(),
            written,
            found: Found { steps: 0, start: 0 },
            unchanged: f64::INFINITY,
            changes: DVector::zeros(model.nv),
        }
    }

    /// Takes over the numbers of a model that differs from the first one in numbers alone; `change` says in which.
    pub fn renew(&mut self, model: &Model, change: Change) {
        if change.rows || change.joints {
            self.problem.renew(model);
        }
        self.newton.renew(&self.problem, model, change);
        self.speeds.renew(model, change);
        if change.of_mechanism() {
            self.memory.renew_closures(model, change);
        }
    }

    /// Assembles the model and places it at the assembled state.
    pub fn assemble<'a>(&'a mut self, model: &'a Model) -> Result<Posture<'a>, DynamicsError> {
        self.written.write(model);
        let Self { problem, newton, written, state, .. } = self;
        self.found = problem.pose(model, newton, written, state)?;
        self.stated.copy_from(&self.state);
        self.unchanged = self.speeds.settle(model, self.problem.size, &mut self.state)?;
        self.changes.copy_from(&self.state.v);
        self.changes -= &self.stated.v;
        self.memory.at(model, &self.state)?;
        drop_round_off(&mut self.memory, model, &mut self.state, &self.stated)?;
        scale_energy(&mut self.memory, model, &mut self.state)?;
        Ok(self.memory.moving(model, &self.state))
    }

    /// The state that was assembled last.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The model at the state that was assembled last.
    pub fn posture<'a>(&'a self, model: &'a Model) -> Posture<'a> {
        self.memory.posture(model, &self.state)
    }

    /// Assembles the model and says what it took.
    pub(super) fn report(mut self, model: &Model) -> Result<Assembled, DynamicsError> {
        let at = self.assemble(model)?;
        let q = at.state().q.as_slice();
        let residual = |c: &crate::model::Closure| {
            let worst = c.rows.iter().map(|r| row::residual(r, at.frames(), q).abs());
            (c.name.clone(), worst.fold(0.0, f64::max))
        };
        let residuals = model.closures.iter().map(residual).collect();
        let flipped = flipped(model, at.frames());
        Ok(Assembled {
            residuals,
            moved: self.moved(model),
            changed: self.changed(model),
            velocity_change: self.changes.amax(),
            steps: self.found.steps,
            start: self.found.start,
            flipped,
            state: self.state,
        })
    }

    /// Stated positions that assembly had to change.
    fn moved(&self, model: &Model) -> Vec<(String, f64)> {
        let stated = model.bodies.iter().filter(|b| b.joint.position_given);
        let moved = stated.filter_map(|body| {
            let range = body.joint.positions();
            let change = range.map(|k| (self.state.q[k] - self.written.q[k]).abs());
            let change = change.fold(0.0, f64::max);
            (change > MOVED).then(|| (body.joint.name.clone(), change))
        });
        moved.collect()
    }

    /// Stated velocities that consistency had to change, before velocities are scaled to a kinetic energy.
    fn changed(&self, model: &Model) -> Vec<(String, f64)> {
        let stated = model.bodies.iter().filter(|b| b.joint.velocity_given);
        let changed = stated.filter_map(|body| {
            let change = body.joint.velocities().map(|k| self.changes[k].abs());
            let change = change.fold(0.0, f64::max);
            (change > self.unchanged).then(|| (body.joint.name.clone(), change))
        });
        changed.collect()
    }
}
