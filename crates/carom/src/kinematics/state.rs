//! Time, positions, velocities.

use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use crate::model::Model;

/// The state of a mechanism in joint coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// t \[s\].
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// Joint positions, `model.nq` of them.
    #[serde(with = "crate::maths::exact")]
    pub q: DVector<f64>,
    /// Joint velocities, `model.nv` of them.
    #[serde(with = "crate::maths::exact")]
    pub v: DVector<f64>,
}

impl State {
    /// The positions and velocities written in the file, not yet assembled; drives at t = 0.
    pub fn as_written(model: &Model) -> Self {
        let mut state = Self { t: 0.0, q: DVector::zeros(model.nq), v: DVector::zeros(model.nv) };
        state.write(model);
        state
    }

    /// Becomes [`State::as_written`] without allocating.
    pub fn write(&mut self, model: &Model) {
        self.t = 0.0;
        for body in &model.bodies {
            let joint = &body.joint;
            for (i, k) in joint.positions().enumerate() {
                self.q[k] = joint.position[i];
            }
            for (i, k) in joint.velocities().enumerate() {
                self.v[k] = joint.velocity[i];
            }
        }
        self.follow_drives(model);
    }

    /// Takes over another state of the same model without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.copy_from(&other.q);
        self.v.copy_from(&other.v);
    }

    /// Sets the driven coordinates to their motion at the state's time.
    pub fn follow_drives(&mut self, model: &Model) {
        for drive in &model.drives {
            let jet = drive.motion.jet(self.t);
            self.q[drive.q] = jet.value;
            self.v[drive.v] = jet.rate;
        }
    }

    /// q ← q ⊕ step, joint by joint (quaternions stay unit).
    pub fn advance(&mut self, model: &Model, step: &[f64]) {
        for body in &model.bodies {
            let joint = &body.joint;
            let q = &mut self.q.as_mut_slice()[joint.positions()];
            joint.kind.advance(q, &step[joint.velocities()]);
        }
    }
}
