//! What joints and closures transmit, while forces act or at an impulse.

use super::mechanism::Posture;
use super::row;
use super::solve::Solution;
use crate::maths::{Twist, Vec3, Wrench};
use crate::model::{Model, Row};

/// What joints and closures transmit; nothing allocates after it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Transmitted {
    /// By body: what its joint transmits to it, about the link origin, in world axes, actuation included.
    pub joints: Vec<Wrench>,
    /// By closure: what it transmits to its second body, about its point there, in world axes. A coupling acts on joint
    /// coordinates and has no point: zero.
    pub closures: Vec<Wrench>,
    twists: Vec<Twist>,
}

impl Transmitted {
    /// Memory for the postures of a model.
    pub fn new(model: &Model) -> Self {
        Self {
            joints: vec![Wrench::zero(); model.bodies.len()],
            closures: vec![Wrench::zero(); model.closures.len()],
            twists: vec![Twist::zero(); model.bodies.len()],
        }
    }

    /// Of the joints, then of the closures.
    pub fn iter(&self) -> impl Iterator<Item = &Wrench> {
        self.joints.iter().chain(&self.closures)
    }
}

impl Posture<'_> {
    /// What joints and closures transmit under wrenches w on the bodies of which the machine makes x and λ: M x = w + Dᵀ λ.
    ///
    /// With [`super::Forward::wrenches`] and its solution these are the reactions, v̇ and λ; with contact impulses, Δv and
    /// their multipliers, the reaction impulses.
    pub fn transmit(&self, wrenches: &[Wrench], solution: &Solution, out: &mut Transmitted) {
        let Transmitted { joints, closures, twists } = out;
        self.twists_into(&solution.x, twists);
        for (n, (body, link)) in self.model.bodies.iter().zip(self.frames.links()).enumerate() {
            // I x − w
            let (R, I, x) = (&link.rotation(), &body.inertia, &twists[n]);
            let c = R * I.center;
            let turned = R * (I.about_origin * R.tr_mul(&x.ang));
            joints[n] = Wrench {
                moment: turned + c.cross(&x.lin) * I.mass - wrenches[n].moment,
                force: x.at(&c) * I.mass - wrenches[n].force,
            };
        }
        let mut r = 0;
        for (closure, on_second) in self.model.closures.iter().zip(closures) {
            *on_second = Wrench::zero();
            let mut arm = Vec3::zeros();
            for row in &closure.rows {
                let lambda = solution.multipliers[r];
                r += 1;
                let Some(w) = row::wrench(row, self.frames) else { continue };
                w.add_to(joints, -lambda);
                on_second.moment += w.on_b.moment * lambda;
                on_second.force += w.on_b.force * lambda;
                if let Row::InPlane { b, .. } | Row::Distance { b, .. } = row {
                    arm = self.frames.point(b) - self.frames.pose(b.body).position;
                }
            }
            on_second.moment -= arm.cross(&on_second.force);
        }
        for n in (0..joints.len()).rev() {
            if let Some(parent) = self.model.bodies[n].parent {
                let w = joints[n];
                let arm = self.frames.links()[n].arm();
                joints[parent.index()].moment += w.moment + arm.cross(&w.force);
                joints[parent.index()].force += w.force;
            }
        }
    }

    /// Of what [`Posture::transmit`] found: the part along each velocity's column, with what rotors and couplings take. That
    /// is zero where the column is free, and what a drive or a lock gives where it is not.
    pub fn along_columns(&self, joints: &[Wrench], solution: &Solution) -> Vec<f64> {
        let columns = &self.layout.columns;
        let mut along: Vec<f64> =
            columns.iter().zip(&solution.x).map(|(c, x)| c.rotor * x).collect();
        for (row, lambda) in self.layout.rows.iter().zip(&solution.multipliers) {
            if let Row::Coupling { terms, .. } = row {
                for t in terms {
                    along[t.v] -= t.coefficient * lambda;
                }
            }
        }
        for (body, w) in self.model.bodies.iter().zip(joints) {
            for column in body.joint.velocities() {
                let of = if columns[column].angular { &w.moment } else { &w.force };
                along[column] += self.frames.axis(column).dot(of);
            }
        }
        along
    }
}
