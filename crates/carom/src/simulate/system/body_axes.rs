//! Angular velocities of bodies that turn about a point are integrated in body axes.
//!
//! In the axes of the parent, where models, files and answers have them, ω of a free body nutates with it even where its components in
//! body axes hardly change: the error per turn is that of resolving the turns. With ω_M = Rᵀ ω the rate is
//!
//! ```text
//! d/dt (Rᵀ ω) = Rᵀ ω̇      since Ṙ = ω × R and ω × ω = 0
//! ```
//!
//! so that nothing but a rotation stands between the two (Euler's equations; Hairer, Lubich, Wanner: Geometric Numerical Integration, section VII.5).

use crate::kinematics::State;
use crate::maths::Vec3;
use crate::model::joint::quaternion_rotation;
use crate::model::{Joint, Model};
use crate::simulate::system::Motion;

/// Where the quaternion of each rotation about a point begins in q, and its angular velocity in v.
///
/// Where contacts rub, none: slips are differences of velocities in the parents' axes, and slow ones keep their digits there.
pub(in crate::simulate) fn rotations(model: &Model, rubs: bool) -> Vec<[usize; 2]> {
    let joints = model.bodies.iter().map(|body| &body.joint).filter(|_| !rubs);
    joints.filter_map(rotation).collect()
}

fn rotation(joint: &Joint) -> Option<[usize; 2]> {
    let quaternion = joint.kind.quaternion()?;
    let column = (0..joint.kind.velocities()).find(|column| joint.kind.is_angular(*column))?;
    Some([joint.q + quaternion.start, joint.v + column])
}

/// Turns the three entries at v by R, or by Rᵀ.
fn turn(q: &[f64], [at, v]: [usize; 2], all: &mut [f64], back: bool) {
    let R = quaternion_rotation(&q[at..at + 4]);
    let x = Vec3::new(all[v], all[v + 1], all[v + 2]);
    let turned = if back { R.transpose() * x } else { R * x };
    all[v..v + 3].copy_from_slice(turned.as_slice());
}

/// Takes velocities, or their rates, from the parents' axes to those of y.
pub(in crate::simulate) fn to_body_axes(rotations: &[[usize; 2]], q: &[f64], v: &mut [f64]) {
    for rotation in rotations {
        turn(q, *rotation, v, true);
    }
}

/// Takes velocities of y to the parents' axes.
pub(in crate::simulate) fn from_body_axes(rotations: &[[usize; 2]], q: &[f64], v: &mut [f64]) {
    for rotation in rotations {
        turn(q, *rotation, v, false);
    }
}

/// The most that entries of a row in joint coordinates come to in the axes of y.
pub(in crate::simulate) fn levers(rotations: &[[usize; 2]], row: &mut [f64]) {
    for &[_, v] in rotations {
        let most = row[v..v + 3].iter().map(|x| x * x).sum::<f64>().sqrt();
        row[v..v + 3].fill(most);
    }
}

impl Motion<'_> {
    /// Gives quaternions of a state their unit length: the polynomial inside a step has it within the error of the step only.
    pub fn make_unit(&self, state: &mut State) {
        for body in &self.model.bodies {
            let Some(quaternion) = body.joint.kind.quaternion() else { continue };
            let (first, last) = (body.joint.q + quaternion.start, body.joint.q + quaternion.end);
            let q = &mut state.q.as_mut_slice()[first..last];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            for x in q {
                *x /= length;
            }
        }
    }

    /// Writes the velocities of a state into y.
    pub fn write_velocities(&self, state: &State, y: &mut [f64]) {
        let (nq, nv) = (self.model.nq, self.model.nv);
        let v = &mut y[nq..nq + nv];
        v.copy_from_slice(state.v.as_slice());
        to_body_axes(&self.rotations, state.q.as_slice(), v);
    }
}
