//! Velocities that closures, drives and targets allow, with as little change as possible.

use nalgebra::DVector;

use super::problem::{by_owner, closure_owners, closure_rows, component_row, target_owner};
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::{Memory, Posture, free_columns};
use crate::dynamics::row;
use crate::dynamics::solve::{Excitation, Solution};
use crate::dynamics::state_check::check_state;
use crate::dynamics::work::Refinement;
use crate::kinematics::State;
use crate::model::{Change, Model, Row};

/// Consistent velocities: rate below this part of the largest speed.
const CONSISTENT: f64 = 1e-10;
/// Velocities below this part of those stated are what cancellation left.
const ROUND_OFF: f64 = 1e-13;
/// Rates below this part of the largest speed are a few units in its last place: no further correction is better.
const LAST_PLACES: f64 = 4.0 * f64::EPSILON;
/// Corrections: the second removes the round-off of the first, the third what an ill-conditioned pose leaves of that.
const CORRECTIONS: usize = 3;

/// The rows that velocities have to keep, and the memory to make them do so.
#[derive(Clone, Debug)]
pub(super) struct Speeds {
    rows: Vec<Row>,
    /// Paths in the model file, one per row, for messages.
    owner: Vec<String>,
    /// The rates asked for, one per row; of closures they are zero.
    wanted: Vec<f64>,
    missing: Vec<f64>,
    /// The free columns to be tried: with stated velocities held, then without.
    holds: Vec<(Vec<bool>, Option<Kept>)>,
    before: DVector<f64>,
}

/// The memory of corrections with one set of free columns.
#[derive(Clone, Debug)]
struct Kept {
    memory: Memory,
    refinement: Refinement,
    solution: Solution,
}

impl Speeds {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let rows: Vec<Row> = rows(model).collect();
        let mut owner = closure_owners(model);
        for target in &model.initial.points {
            let count = target.velocity.iter().flatten().count();
            owner.extend((0..count).map(|_| target_owner(&target.name)));
        }
        let free = free_columns(model);
        let mut held = free.clone();
        for body in model.bodies.iter().filter(|b| b.joint.velocity_given) {
            held[body.joint.velocities()].fill(false);
        }
        Self {
            wanted: vec![0.0; rows.len()],
            missing: vec![0.0; rows.len()],
            rows,
            owner,
            holds: [held, free].into_iter().map(|free| (free, None)).collect(),
            before: DVector::zeros(model.nv),
        }
    }

    /// Takes over the numbers of a model that differs from the first one in numbers alone.
    pub fn renew(&mut self, model: &Model, change: Change) {
        if change.rows {
            let rows = rows(model);
            self.rows.iter_mut().zip(rows).for_each(|(old, new)| *old = new);
        }
        for kept in self.holds.iter_mut().filter_map(|(_, kept)| kept.as_mut()) {
            kept.memory.renew(model, &self.rows, change);
        }
    }

    /// Makes the velocities consistent; `size` is the mechanism's. Returns the change below which a stated velocity was kept.
    pub fn settle(
        &mut self,
        model: &Model,
        size: f64,
        state: &mut State,
    ) -> Result<f64, DynamicsError> {
        if self.rows.is_empty() {
            return Ok(f64::INFINITY);
        }
        let targets = model.initial.points.iter().flat_map(|t| t.velocity.iter().flatten());
        let first = self.rows.len() - targets.clone().count();
        for (wanted, rate) in self.wanted[first..].iter_mut().zip(targets) {
            *wanted = *rate;
        }
        self.before.copy_from(&state.v);
        for hold in 0..self.holds.len() {
            state.v.copy_from(&self.before);
            self.correct(model, hold, size, state)?;
            let scale = self.scale(state);
            if self.missing.iter().all(|x| x.abs() <= CONSISTENT * scale * size.max(1.0)) {
                return Ok(1e-12 * scale);
            }
        }
        Err(DynamicsError::NoVelocity {
            open: by_owner(&self.owner, &self.missing, |_| CONSISTENT),
        })
    }

    /// The largest speed, of those asked for and those there are.
    fn scale(&self, state: &State) -> f64 {
        self.wanted.iter().chain(state.v.iter()).fold(1e-9, |m: f64, x| m.max(x.abs()))
    }

    /// v ← v + x with the smallest x in the mass metric such that D (v + x) = wanted; `missing` holds what remains.
    fn correct(
        &mut self,
        model: &Model,
        hold: usize,
        size: f64,
        state: &mut State,
    ) -> Result<(), DynamicsError> {
        let (free, kept) = &mut self.holds[hold];
        let Kept { memory, refinement, solution } = kept.get_or_insert_with(|| {
            let memory = Memory::of_rows(model, self.rows.clone(), free, true);
            Kept {
                refinement: Refinement::new(memory.layout()),
                solution: Solution::new(memory.layout()),
                memory,
            }
        });
        for k in 0..=CORRECTIONS {
            let at = memory.moving(model, state);
            missing_rates(&at, &self.rows, &self.wanted, &mut self.missing);
            let largest = self.missing.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let speeds = self.wanted.iter().chain(state.v.iter());
            let scale = speeds.fold(0.0, |m: f64, x| m.max(x.abs()));
            if k == CORRECTIONS || largest <= LAST_PLACES * scale * size.min(1.0) {
                break;
            }
            // The factors are those of the pose, which stays.
            let at = if k == 0 { memory.at(model, state)? } else { at };
            let rates = Excitation { rates: &self.missing, ..Excitation::default() };
            at.solve_into(&rates, refinement, solution);
            for (v, x) in state.v.iter_mut().zip(&solution.x) {
                *v += x;
            }
        }
        Ok(())
    }
}

/// The rows of closures, and those of the rates asked for.
fn rows(model: &Model) -> impl Iterator<Item = Row> + '_ {
    let targets = model.initial.points.iter().flat_map(|target| {
        let rates = target.velocity.iter().enumerate();
        rates.filter_map(|(k, x)| x.map(|_| component_row(k, 0.0, target.anchor)))
    });
    closure_rows(model).cloned().chain(targets)
}

/// What the rates of the rows lack.
fn missing_rates(at: &Posture<'_>, rows: &[Row], wanted: &[f64], out: &mut [f64]) {
    let (frames, v) = (at.frames(), at.state().v.as_slice());
    let rate = |r: &Row| match row::wrench(r, frames) {
        Some(w) => w.rate(&frames.twist(w.a), &frames.twist(w.b)),
        None => coupling_rate(r, v),
    };
    for ((out, row), wanted) in out.iter_mut().zip(rows).zip(wanted) {
        *out = wanted - rate(row);
    }
}

/// Σ c v of a coupling.
fn coupling_rate(row: &Row, v: &[f64]) -> f64 {
    let Row::Coupling { terms, .. } = row else { return 0.0 };
    terms.iter().map(|t| t.coefficient * v[t.v]).sum()
}

/// Round-off of velocities that consistency took away is rest, not a motion that could be scaled. `stated` is the state with the
/// velocities before they were made consistent; the memory stands in this pose.
pub(super) fn drop_round_off(
    memory: &mut Memory,
    model: &Model,
    state: &mut State,
    stated: &State,
) -> Result<(), DynamicsError> {
    let after = memory.moving(model, state).kinetic_energy();
    if state.v == stated.v && after > 0.0 {
        return Ok(());
    }
    check_state(model, stated)?;
    if after <= ROUND_OFF * ROUND_OFF * memory.moving(model, stated).kinetic_energy() {
        state.v.fill(0.0);
    }
    Ok(())
}

/// Scales all velocities to the kinetic energy that was asked for.
pub(super) fn scale_energy(
    memory: &mut Memory,
    model: &Model,
    state: &mut State,
) -> Result<(), DynamicsError> {
    let Some(wanted) = model.initial.kinetic_energy else { return Ok(()) };
    if model.drives.iter().any(|d| state.v[d.v] != 0.0) {
        let reason = "a drive prescribes a velocity";
        return Err(DynamicsError::NoEnergy { wanted, reason });
    }
    let T = memory.moving(model, state).kinetic_energy();
    if wanted > 0.0 && T <= 0.0 {
        let reason = "nothing moves";
        return Err(DynamicsError::NoEnergy { wanted, reason });
    }
    if T > 0.0 {
        state.v *= (wanted / T).sqrt();
    }
    Ok(())
}
