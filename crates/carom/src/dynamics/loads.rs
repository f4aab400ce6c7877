//! Loads as wrenches on bodies and efforts on joints.

use super::error::DynamicsError;
use super::mechanism::Posture;
use crate::maths::expression::Tape;
use crate::maths::{Vec3, Wrench};
use crate::model::{Load, Place};

impl Posture<'_> {
    /// Adds gravity, springs, dampers, forces and efforts.
    pub(super) fn add_loads(
        &self,
        wrenches: &mut [Wrench],
        efforts: &mut [f64],
    ) -> Result<(), DynamicsError> {
        for (w, (body, link)) in
            wrenches.iter_mut().zip(self.model.bodies.iter().zip(self.frames.links()))
        {
            let arm = link.rotation() * body.inertia.center;
            *w = Wrench::of_force(self.model.gravity * body.inertia.mass, &arm);
        }
        for load in &self.model.loads {
            match load {
                Load::Spring { name, a, b, stiffness, damping, rest } => {
                    let d = self.frames.point(b) - self.frames.point(a);
                    let length = d.norm();
                    if length == 0.0 {
                        if *stiffness * *rest == 0.0 && *damping == 0.0 {
                            continue;
                        }
                        let load = name.clone();
                        return Err(DynamicsError::SpringWithoutDirection { load });
                    }
                    let n = d / length;
                    let speed = n.dot(&(self.frames.velocity(b) - self.frames.velocity(a)));
                    let pull = n * (stiffness * (length - rest) + damping * speed);
                    self.push(wrenches, a.body, &pull, &self.frames.point(a));
                    self.push(wrenches, b.body, &-pull, &self.frames.point(b));
                }
                Load::JointSpring { q, v, stiffness, damping, rest, .. } => {
                    efforts[*v] -=
                        stiffness * (self.state.q[*q] - rest) + damping * self.state.v[*v];
                }
                Load::Force { name, at, components, frame } => {
                    let force = self.vector_load(name, components, *frame)?;
                    self.push(wrenches, at.body, &force, &self.frames.point(at));
                }
                Load::Torque { name, body, components, frame } => {
                    let moment = self.vector_load(name, components, *frame)?;
                    wrenches[body.index()].moment += moment;
                }
                Load::Effort { name, v, effort } => {
                    efforts[*v] += self.evaluate(name, effort)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a force at a world point.
    fn push(&self, wrenches: &mut [Wrench], place: Place, force: &Vec3, point: &Vec3) {
        let Some(body) = place else { return };
        let arm = point - self.frames.link(body).origin();
        let w = &mut wrenches[body.index()];
        w.force += force;
        w.moment += arm.cross(force);
    }

    pub(super) fn evaluate(&self, name: &str, tape: &Tape) -> Result<f64, DynamicsError> {
        let state = self.state;
        let found = tape.value(state.t, state.q.as_slice(), state.v.as_slice());
        if found.is_finite() {
            return Ok(found);
        }
        Err(DynamicsError::LoadNotFinite { load: name.to_owned(), found, t: state.t })
    }

    /// Components of a force or torque, in world axes.
    pub(super) fn vector_load(
        &self,
        name: &str,
        components: &[Tape; 3],
        frame: Place,
    ) -> Result<Vec3, DynamicsError> {
        let local = Vec3::new(
            self.evaluate(name, &components[0])?,
            self.evaluate(name, &components[1])?,
            self.evaluate(name, &components[2])?,
        );
        Ok(frame.map_or(local, |body| {
            let in_link = self.model.bodies[body.index()].frame.vector(&local);
            self.frames.link(body).rotation() * in_link
        }))
    }
}
