//! Velocities that closures, drives and targets allow, with as little change as possible.

use nalgebra::DVector;

use super::{Problem, component_row};
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::{Mechanism, Posture, free_columns};
use crate::dynamics::row;
use crate::dynamics::solve::Excitation;
use crate::dynamics::state_check::check_state;
use crate::kinematics::State;
use crate::model::Row;

/// Consistent velocities: rate below this part of the largest speed.
const CONSISTENT: f64 = 1e-10;
/// Velocities below this part of those stated are what cancellation left.
const ROUND_OFF: f64 = 1e-13;

impl Problem<'_> {
    /// Makes the velocities consistent; returns the joints whose stated velocity changed.
    pub(super) fn velocities(
        &self,
        state: &mut State,
    ) -> Result<Vec<(String, f64)>, DynamicsError> {
        let mut rows: Vec<Row> =
            self.model.closures.iter().flat_map(|c| c.rows.iter().cloned()).collect();
        let mut owner: Vec<String> = self.owner[..rows.len()].to_vec();
        let mut wanted = vec![0.0; rows.len()];
        for target in &self.model.initial.points {
            for (k, rate) in target.velocity.iter().enumerate() {
                let Some(rate) = rate else { continue };
                rows.push(component_row(k, 0.0, target.anchor));
                owner.push(format!("initial.points.{}", target.name));
                wanted.push(*rate);
            }
        }
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let before = state.v.clone();
        let free = free_columns(self.model);
        let mut held = free.clone();
        for body in self.model.bodies.iter().filter(|b| b.joint.velocity_given) {
            held[body.joint.velocities()].fill(false);
        }
        let mut open = Vec::new();
        for free in [held, free] {
            state.v.copy_from(&before);
            open = self.correct_velocities(&rows, &wanted, &free, state)?;
            let scale = wanted.iter().chain(state.v.iter()).fold(1e-9, |m: f64, x| m.max(x.abs()));
            if open.iter().all(|x| x.abs() <= CONSISTENT * scale * self.size.max(1.0)) {
                let given = self.model.bodies.iter().filter(|b| b.joint.velocity_given);
                let changed = given.filter_map(|b| {
                    let range = b.joint.velocities();
                    let change = range.map(|k| (state.v[k] - before[k]).abs()).fold(0.0, f64::max);
                    (change > 1e-12 * scale).then(|| (b.joint.name.clone(), change))
                });
                return Ok(changed.collect());
            }
        }
        let natural = vec![1.0; rows.len()];
        let named = Problem { model: self.model, rows, owner, size: self.size, natural };
        Err(DynamicsError::NoVelocity { open: named.by_owner(&open, CONSISTENT) })
    }

    /// v ← v + x with the smallest x in the mass metric such that D (v + x) = wanted; returns what
    /// remains.
    fn correct_velocities(
        &self,
        rows: &[Row],
        wanted: &[f64],
        free: &[bool],
        state: &mut State,
    ) -> Result<Vec<f64>, DynamicsError> {
        let mut mechanism = Mechanism::with_rows(self.model, rows.to_vec(), free);
        let missing = |at: &Posture<'_>| {
            let (frames, v) = (at.frames(), at.state().v.as_slice());
            let rate = |r: &Row| match row::wrench(r, frames) {
                Some(w) => w.rate(&frames.twist(w.a), &frames.twist(w.b)),
                None => coupling_rate(r, v),
            };
            rows.iter().zip(wanted).map(|(r, w)| w - rate(r)).collect::<Vec<f64>>()
        };
        mechanism.at(state)?;
        // The second pass removes the round-off of the first.
        for _ in 0..3 {
            let at = mechanism.moving(state);
            let rates = missing(&at);
            let x = at.solve(&Excitation { rates: &rates, ..Excitation::default() }).x;
            for (v, x) in state.v.iter_mut().zip(&x) {
                *v += x;
            }
        }
        Ok(missing(&mechanism.moving(state)))
    }
}

/// Σ c v of a coupling.
fn coupling_rate(row: &Row, v: &[f64]) -> f64 {
    let Row::Coupling { terms, .. } = row else { return 0.0 };
    terms.iter().map(|t| t.coefficient * v[t.v]).sum()
}

/// Round-off of velocities that consistency took away is rest, not a motion that could be scaled.
pub(super) fn settle(
    mechanism: &mut Mechanism<'_>,
    state: &mut State,
    before: DVector<f64>,
) -> Result<(), DynamicsError> {
    let after = mechanism.at(state)?.kinetic_energy();
    let mut stated = state.clone();
    stated.v = before;
    check_state(mechanism.model(), &stated)?;
    if after <= ROUND_OFF * ROUND_OFF * mechanism.moving(&stated).kinetic_energy() {
        state.v.fill(0.0);
    }
    Ok(())
}

/// Scales all velocities to the kinetic energy that was asked for.
pub(super) fn scale_energy(
    mechanism: &mut Mechanism<'_>,
    state: &mut State,
) -> Result<(), DynamicsError> {
    let model = mechanism.model();
    let Some(wanted) = model.initial.kinetic_energy else { return Ok(()) };
    if model.drives.iter().any(|d| state.v[d.v] != 0.0) {
        let reason = "a drive prescribes a velocity";
        return Err(DynamicsError::NoEnergy { wanted, reason });
    }
    let T = mechanism.moving(state).kinetic_energy();
    if wanted > 0.0 && T <= 0.0 {
        let reason = "nothing moves";
        return Err(DynamicsError::NoEnergy { wanted, reason });
    }
    if T > 0.0 {
        state.v *= (wanted / T).sqrt();
    }
    Ok(())
}
