//! Whether numbers are a state of a model.

use super::DynamicsError;
use crate::kinematics::State;
use crate::model::Model;

/// Refuses a state of another size, numbers that are not finite, and quaternions that are no rotation.
pub(super) fn check_state(model: &Model, state: &State) -> Result<(), DynamicsError> {
    if !state.t.is_finite() {
        return Err(DynamicsError::NotFinite { found: state.t, entry: 0, of: "t" });
    }
    let lists = [("q", state.q.as_slice(), model.nq), ("v", state.v.as_slice(), model.nv)];
    for (of, list, expected) in lists {
        if list.len() != expected {
            return Err(DynamicsError::WrongSize { found: list.len(), expected, of });
        }
        if all_finite(list) {
            continue;
        }
        let entry = list.iter().position(|x| !x.is_finite()).unwrap_or(0);
        return Err(DynamicsError::NotFinite { found: list[entry], entry, of });
    }
    // Without quaternions there are as many positions as velocities.
    if model.nq == model.nv { Ok(()) } else { check_quaternions(model, state) }
}

/// A quaternion of zeros is no rotation.
fn check_quaternions(model: &Model, state: &State) -> Result<(), DynamicsError> {
    for body in &model.bodies {
        let Some(range) = body.joint.kind.quaternion() else { continue };
        let entry = body.joint.q + range.start;
        if state.q.as_slice()[entry..body.joint.q + range.end].iter().all(|x| *x == 0.0) {
            return Err(DynamicsError::NoRotation { joint: body.joint.name.clone(), entry });
        }
    }
    Ok(())
}

/// Whether all numbers are finite: 0 · x is 0 for those and NaN for others. Four sums side by side.
fn all_finite(list: &[f64]) -> bool {
    let mut sums = [0.0; 4];
    let chunks = list.chunks_exact(4);
    let rest: f64 = chunks.remainder().iter().map(|x| 0.0 * x).sum();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += 0.0 * x;
        }
    }
    sums.iter().sum::<f64>() + rest == 0.0
}
