//! Velocity terms, accelerations and joint reactions.

use super::error::DynamicsError;
use super::layout::Layout;
use super::mechanism::Posture;
use super::row::{self, RowWrench};
use super::solve::{Excitation, Solution};
use super::work::Refinement;
use crate::kinematics::Link;
use crate::maths::{Twist, Vec3, Wrench};
use crate::model::{Body, JointKind, Place};

/// Which terms of the equations of motion count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Everything.
    All,
    /// Gravity, springs, dampers and forces, on a mechanism at rest: Y f.
    Loads,
    /// Centrifugal and Coriolis terms and prescribed accelerations, without loads.
    Velocity,
}

/// Accelerations and what goes with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerations {
    /// v̇ and λ.
    pub solution: Solution,
    /// Angular acceleration and acceleration of the link origin, of every body.
    pub bodies: Vec<Twist>,
}

/// Memory for equations of motion that are solved again and again; nothing allocates after it is made.
#[derive(Clone, Debug)]
pub struct Forward {
    /// Wrench on each body about its link origin, in world axes: loads less what the velocities need.
    pub wrenches: Vec<Wrench>,
    /// Effort on each velocity.
    pub efforts: Vec<f64>,
    /// v̇ and λ.
    pub solution: Solution,
    bias: Vec<Twist>,
    rates: Vec<f64>,
    prescribed: Vec<f64>,
    refinement: Refinement,
}

impl Forward {
    /// Memory for the postures of a mechanism.
    pub fn new(layout: &Layout) -> Self {
        let (bodies, columns) = (layout.slim.len(), layout.columns.len());
        Self {
            wrenches: vec![Wrench::zero(); bodies],
            efforts: vec![0.0; columns],
            solution: Solution::new(layout),
            bias: vec![Twist::zero(); bodies],
            rates: vec![0.0; layout.rows.len()],
            prescribed: vec![0.0; columns],
            refinement: Refinement::new(layout),
        }
    }

    /// Accelerations of all bodies that would remain if all v̇ were zero.
    pub fn bias(&self) -> &[Twist] {
        &self.bias
    }

    /// Adds a force along a row.
    pub fn push(&mut self, row: &RowWrench, force: f64) {
        row.add_to(&mut self.wrenches, force);
    }
}

impl Posture<'_> {
    /// v̇ and λ of M v̇ + h = Dᵀ λ, D v̇ = −Ḋ v.
    pub fn accelerations(&self, terms: Terms) -> Result<Accelerations, DynamicsError> {
        let mut work = Forward::new(self.layout);
        self.load(terms, &mut work)?;
        self.accelerate(&mut work)?;
        let mut bodies = vec![Twist::zero(); self.model.bodies.len()];
        self.body_accelerations(&work, &mut bodies);
        Ok(Accelerations { solution: work.solution, bodies })
    }

    /// Angular acceleration and acceleration of the link origin of every body, after [`Posture::accelerate`].
    pub fn body_accelerations(&self, work: &Forward, out: &mut [Twist]) {
        self.twists_into(&work.solution.x, out);
        for (total, bias) in out.iter_mut().zip(&work.bias) {
            total.ang += bias.ang;
            total.lin += bias.lin;
        }
    }

    /// Writes the terms of the equations of motion; forces may be added before [`Posture::accelerate`].
    pub fn load(&self, terms: Terms, work: &mut Forward) -> Result<(), DynamicsError> {
        work.efforts.fill(0.0);
        work.rates.fill(0.0);
        work.prescribed.fill(0.0);
        if terms == Terms::Velocity {
            work.wrenches.fill(Wrench::zero());
        } else {
            self.add_loads(&mut work.wrenches, &mut work.efforts)?;
        }
        if terms == Terms::Loads {
            work.bias.fill(Twist::zero());
            return Ok(());
        }
        self.bias_accelerations(&mut work.bias);
        for ((w, b), (body, link)) in work
            .wrenches
            .iter_mut()
            .zip(&work.bias)
            .zip(self.model.bodies.iter().zip(self.frames.links()))
        {
            let needed = inertial_wrench(body, link, b, &link.twist());
            w.moment -= needed.moment;
            w.force -= needed.force;
        }
        self.constraint_rates(&work.bias, &mut work.rates);
        for drive in &self.model.drives {
            work.prescribed[drive.v] = drive.motion.jet(self.state.t).second;
        }
        Ok(())
    }

    /// v̇ and λ under the terms of [`Posture::load`] and what was added to them.
    pub fn accelerate(&self, work: &mut Forward) -> Result<(), DynamicsError> {
        let Forward { wrenches, efforts, rates, prescribed, refinement, solution, .. } = work;
        let given = Excitation { wrenches, efforts, rates, prescribed };
        self.solve_into(&given, refinement, solution);
        match self.pushed() {
            Some(column) => Err(self.no_inertia(column)),
            None => Ok(()),
        }
    }

    /// h of M v̇ + h = Dᵀ λ (NOTATION: velocity terms, gravity and loads on the left-hand side), one entry per velocity.
    pub fn bias_efforts(&self) -> Result<Vec<f64>, DynamicsError> {
        let mut work = Forward::new(self.layout);
        self.load(Terms::All, &mut work)?;
        let mut h: Vec<f64> = work.efforts.iter().map(|effort| -effort).collect();
        for (n, (body, link)) in self.model.bodies.iter().zip(self.frames.links()).enumerate().rev()
        {
            let w = work.wrenches[n];
            for column in body.joint.velocities() {
                let angular = self.layout.columns[column].angular;
                let along = if angular { &w.moment } else { &w.force };
                h[column] -= self.frames.axis(column).dot(along);
            }
            if let Some(parent) = body.parent {
                work.wrenches[parent.index()].moment += w.moment + link.arm().cross(&w.force);
                work.wrenches[parent.index()].force += w.force;
            }
        }
        Ok(h)
    }

    /// Δv of impulses that give the driven velocities these jumps: M Δv = Dᵀ Λ, D Δv = 0.
    pub fn jolt(&self, jumps: &[f64], work: &mut Forward) -> Result<(), DynamicsError> {
        work.wrenches.fill(Wrench::zero());
        work.efforts.fill(0.0);
        work.rates.fill(0.0);
        work.bias.fill(Twist::zero());
        work.prescribed.copy_from_slice(jumps);
        self.accelerate(work)
    }

    /// Accelerations of all bodies if all v̇ were zero.
    pub(super) fn bias_accelerations(&self, out: &mut [Twist]) {
        for (n, (body, link)) in self.model.bodies.iter().zip(self.frames.links()).enumerate() {
            let joint = &body.joint;
            let (above, omega) = match body.parent {
                Some(p) => (out[p.index()], self.frames.link(p).twist().ang),
                None => (Twist::zero(), Vec3::zeros()),
            };
            let mut spin = Vec3::zeros();
            let mut slide = Vec3::zeros();
            for column in joint.velocities() {
                let part = self.frames.axis(column) * self.state.v[column];
                if self.layout.columns[column].angular {
                    spin += part;
                } else {
                    slide += part;
                }
            }
            let mut ang = above.ang + omega.cross(&spin);
            if joint.kind == JointKind::Universal {
                // The second axis is carried by the first rotation.
                let first = self.frames.axis(joint.v) * self.state.v[joint.v];
                let second = self.frames.axis(joint.v + 1) * self.state.v[joint.v + 1];
                ang += first.cross(&second);
            }
            let centripetal = omega.cross(&omega.cross(&link.arm()));
            let lin = above.at(&link.arm()) + centripetal + omega.cross(&slide) * 2.0;
            out[n] = Twist { ang, lin };
        }
    }

    /// γ = −Ḋ v with v̇ = 0.
    pub(super) fn constraint_rates(&self, bias: &[Twist], rates: &mut [f64]) {
        let motion = |place: Place| self.frames.twist(place);
        let accel = |place: Place| place.map_or_else(Twist::zero, |b| bias[b.index()]);
        for (rate, r) in rates.iter_mut().zip(&self.layout.rows) {
            let (Some(w), Some(w_dot)) =
                (row::wrench(r, self.frames), row::variation(r, self.frames, &motion))
            else {
                continue;
            };
            *rate = -(w_dot.rate(&motion(w.a), &motion(w.b)) + w.rate(&accel(w.a), &accel(w.b)));
        }
    }
}

/// What a body's motion needs: the wrench about its link origin that gives it the acceleration
/// `accel` while it moves with `twist`.
pub(super) fn inertial_wrench(body: &Body, link: &Link, accel: &Twist, twist: &Twist) -> Wrench {
    let R = &link.rotation();
    let I = &body.inertia;
    let c = R * I.center;
    let omega = &twist.ang;
    let turn = |x: &Vec3| R * (I.about_origin * R.tr_mul(x));
    let center = accel.at(&c) + omega.cross(&omega.cross(&c));
    Wrench {
        moment: turn(&accel.ang) + c.cross(&accel.lin) * I.mass + omega.cross(&turn(omega)),
        force: center * I.mass,
    }
}

impl Posture<'_> {
    /// What each joint transmits to its body at these accelerations: wrench about the link origin,
    /// in world axes, actuation included.
    pub fn reactions(&self, motion: &Accelerations) -> Result<Vec<Wrench>, DynamicsError> {
        let nb = self.model.bodies.len();
        let mut loads = vec![Wrench::zero(); nb];
        self.add_loads(&mut loads, &mut vec![0.0; self.model.nv])?;
        for (r, lambda) in self.layout.rows.iter().zip(&motion.solution.multipliers) {
            let Some(w) = row::wrench(r, self.frames) else { continue };
            w.add_to(&mut loads, *lambda);
        }
        let mut out = vec![Wrench::zero(); nb];
        for n in (0..nb).rev() {
            let (body, link) = (&self.model.bodies[n], &self.frames.links()[n]);
            let needed = inertial_wrench(body, link, &motion.bodies[n], &link.twist());
            out[n].moment += needed.moment - loads[n].moment;
            out[n].force += needed.force - loads[n].force;
            if let Some(parent) = body.parent {
                let w = out[n];
                out[parent.index()].moment += w.moment + link.arm().cross(&w.force);
                out[parent.index()].force += w.force;
            }
        }
        Ok(out)
    }
}
