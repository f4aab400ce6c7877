//! Energy and momentum at a posture.

use super::error::DynamicsError;
use super::forces::{Accelerations, inertial_wrench};
use super::mechanism::Posture;
use crate::maths::{Twist, Vec3};
use crate::model::Load;

impl Posture<'_> {
    /// T \[J\], eq. (1.4): all bodies and reflected rotors.
    pub fn kinetic_energy(&self) -> f64 {
        (0..self.model.bodies.len()).map(|b| self.body_energy(b)).sum()
    }

    /// ½ xᵀ M x of joint velocities `x` whose body motions are `twists`.
    pub fn kinetic_form(&self, twists: &[Twist], x: &[f64]) -> f64 {
        let bodies: f64 = (self.model.bodies.iter().zip(self.frames.links()).zip(twists))
            .map(|((body, link), twist)| {
                let ang = link.rotation().tr_mul(&twist.ang);
                let lin = link.rotation().tr_mul(&twist.lin);
                let I = &body.inertia;
                let center = lin + ang.cross(&I.center);
                0.5 * I.mass * center.norm_squared() + 0.5 * ang.dot(&(I.central() * ang))
            })
            .sum();
        let rotors: f64 =
            self.layout.columns.iter().zip(x).map(|(c, x)| 0.5 * c.rotor * x * x).sum();
        bodies + rotors
    }

    /// V \[J\]: gravity (zero at the world's origin) and springs.
    pub fn potential_energy(&self) -> f64 {
        let mut V = 0.0;
        for (body, link) in self.model.bodies.iter().zip(self.frames.links()) {
            let center = link.origin() + link.rotation() * body.inertia.center;
            V -= body.inertia.mass * self.model.gravity.dot(&center);
        }
        for load in &self.model.loads {
            match load {
                Load::Spring { a, b, stiffness, rest, .. } => {
                    let length = (self.frames.point(b) - self.frames.point(a)).norm();
                    V += 0.5 * stiffness * (length - rest).powi(2);
                }
                Load::JointSpring { q, stiffness, rest, .. } => {
                    V += 0.5 * stiffness * (self.state.q[*q] - rest).powi(2);
                }
                Load::Force { .. } | Load::Torque { .. } | Load::Effort { .. } => {}
            }
        }
        V
    }

    /// dV/dt \[W\].
    pub fn potential_power(&self) -> f64 {
        let mut power = 0.0;
        for (body, link) in self.model.bodies.iter().zip(self.frames.links()) {
            let arm = link.rotation() * body.inertia.center;
            power -= body.inertia.mass * self.model.gravity.dot(&link.twist().at(&arm));
        }
        for load in &self.model.loads {
            match load {
                Load::Spring { a, b, stiffness, rest, .. } if *stiffness != 0.0 => {
                    let d = self.frames.point(b) - self.frames.point(a);
                    let length = d.norm();
                    let speed = self.frames.velocity(b) - self.frames.velocity(a);
                    // A spring without a rest length passes through nothing without a force.
                    if length > 0.0 {
                        power += stiffness * (length - rest) * d.dot(&speed) / length;
                    }
                }
                Load::JointSpring { q, v, stiffness, rest, .. } => {
                    power += stiffness * (self.state.q[*q] - rest) * self.state.v[*v];
                }
                _ => {}
            }
        }
        power
    }

    /// Power \[W\] of the loads that [`Posture::potential_energy`] does not hold: of dampers (never positive), and of
    /// forces, torques and efforts.
    pub fn load_power(&self) -> Result<[f64; 2], DynamicsError> {
        let (mut dampers, mut forces) = (0.0, 0.0);
        for load in &self.model.loads {
            match load {
                Load::Spring { a, b, damping, .. } if *damping != 0.0 => {
                    let d = self.frames.point(b) - self.frames.point(a);
                    let speed = self.frames.velocity(b) - self.frames.velocity(a);
                    let rate = d.dot(&speed) / d.norm();
                    dampers -= damping * rate * rate;
                }
                Load::JointSpring { v, damping, .. } => {
                    dampers -= damping * self.state.v[*v].powi(2);
                }
                Load::Spring { .. } => {}
                Load::Force { name, at, components, frame } => {
                    let force = self.vector_load(name, components, *frame)?;
                    forces += force.dot(&self.frames.velocity(at));
                }
                Load::Torque { name, body, components, frame } => {
                    let moment = self.vector_load(name, components, *frame)?;
                    forces += moment.dot(&self.frames.link(*body).twist().ang);
                }
                Load::Effort { name, v, effort } => {
                    forces += self.evaluate(name, effort)? * self.state.v[*v];
                }
            }
        }
        Ok([dampers, forces])
    }

    /// dT/dt \[W\] of bodies that move with these accelerations, and of rotors with v̇.
    pub fn kinetic_power(&self, bodies: &[Twist], v_dot: &[f64]) -> f64 {
        let moved: f64 = (self.model.bodies.iter().zip(self.frames.links()).zip(bodies))
            .map(|((body, link), accel)| {
                inertial_wrench(body, link, accel, &link.twist()).power(&link.twist())
            })
            .sum();
        let columns = self.layout.columns.iter().zip(v_dot).zip(&self.state.v);
        moved + columns.map(|((c, a), v)| c.rotor * a * v).sum::<f64>()
    }

    /// Linear momentum \[kg m/s\] and angular momentum about the world's origin \[kg m²/s\].
    pub fn momentum(&self) -> (Vec3, Vec3) {
        let mut linear = Vec3::zeros();
        let mut angular = Vec3::zeros();
        for (body, link) in self.model.bodies.iter().zip(self.frames.links()) {
            let arm = link.rotation() * body.inertia.center;
            let p = link.twist().at(&arm) * body.inertia.mass;
            let spin = link.rotation().tr_mul(&link.twist().ang);
            linear += p;
            angular +=
                (link.origin() + arm).cross(&p) + link.rotation() * (body.inertia.central() * spin);
        }
        (linear, angular)
    }
}

impl Posture<'_> {
    /// Kinetic energy of one body \[J\], its joint's rotors included.
    pub fn body_energy(&self, b: usize) -> f64 {
        let (body, link) = (&self.model.bodies[b], &self.frames.links()[b]);
        let spin = link.rotation().tr_mul(&link.twist().ang);
        let speed = self.center_velocity(b).norm_squared();
        let rotors: f64 = body
            .joint
            .velocities()
            .map(|c| 0.5 * self.layout.columns[c].rotor * self.state.v[c] * self.state.v[c])
            .sum();
        0.5 * body.inertia.mass * speed + 0.5 * spin.dot(&(body.inertia.central() * spin)) + rotors
    }

    /// Velocity of a body's mass centre \[m/s\].
    pub fn center_velocity(&self, b: usize) -> Vec3 {
        let link = &self.frames.links()[b];
        link.twist().at(&(link.rotation() * self.model.bodies[b].inertia.center))
    }

    /// Acceleration of a body's mass centre \[m/s²\].
    pub fn center_acceleration(&self, motion: &Accelerations, b: usize) -> Vec3 {
        let link = &self.frames.links()[b];
        let c = link.rotation() * self.model.bodies[b].inertia.center;
        let omega = &link.twist().ang;
        motion.bodies[b].at(&c) + omega.cross(&omega.cross(&c))
    }
}
