//! Energy and momentum at a posture.

use super::forces::Accelerations;
use super::mechanism::Posture;
use crate::maths::{Twist, Vec3};
use crate::model::Load;

impl Posture<'_> {
    /// T \[J\]: all bodies and reflected rotors.
    pub fn kinetic_energy(&self) -> f64 {
        (0..self.model.bodies.len()).map(|b| self.body_energy(b)).sum()
    }

    /// ½ xᵀ M x of joint velocities `x` whose body motions are `twists`.
    pub fn kinetic_form(&self, twists: &[Twist], x: &[f64]) -> f64 {
        let bodies: f64 = (self.model.bodies.iter().zip(self.frames.links()).zip(twists))
            .map(|((body, link), twist)| {
                let ang = link.rotation.tr_mul(&twist.ang);
                let lin = link.rotation.tr_mul(&twist.lin);
                let I = &body.inertia;
                let center = lin + ang.cross(&I.center);
                0.5 * I.mass * center.norm_squared() + 0.5 * ang.dot(&(I.central() * ang))
            })
            .sum();
        let rotors: f64 =
            self.layout.rotor.iter().zip(x).map(|(rotor, x)| 0.5 * rotor * x * x).sum();
        bodies + rotors
    }

    /// V \[J\]: gravity (zero at the world's origin) and springs.
    pub fn potential_energy(&self) -> f64 {
        let mut V = 0.0;
        for (body, link) in self.model.bodies.iter().zip(self.frames.links()) {
            let center = link.origin + link.rotation * body.inertia.center;
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

    /// Linear momentum \[kg m/s\] and angular momentum about the world's origin \[kg m²/s\].
    pub fn momentum(&self) -> (Vec3, Vec3) {
        let mut linear = Vec3::zeros();
        let mut angular = Vec3::zeros();
        for (body, link) in self.model.bodies.iter().zip(self.frames.links()) {
            let arm = link.rotation * body.inertia.center;
            let p = link.twist.at(&arm) * body.inertia.mass;
            let spin = link.rotation.tr_mul(&link.twist.ang);
            linear += p;
            angular +=
                (link.origin + arm).cross(&p) + link.rotation * (body.inertia.central() * spin);
        }
        (linear, angular)
    }
}

impl Posture<'_> {
    /// Kinetic energy of one body \[J\], its joint's rotors included.
    pub fn body_energy(&self, b: usize) -> f64 {
        let (body, link) = (&self.model.bodies[b], &self.frames.links()[b]);
        let spin = link.rotation.tr_mul(&link.twist.ang);
        let speed = self.center_velocity(b).norm_squared();
        let rotors: f64 = body
            .joint
            .velocities()
            .map(|c| 0.5 * self.layout.rotor[c] * self.state.v[c] * self.state.v[c])
            .sum();
        0.5 * body.inertia.mass * speed + 0.5 * spin.dot(&(body.inertia.central() * spin)) + rotors
    }

    /// Velocity of a body's mass centre \[m/s\].
    pub fn center_velocity(&self, b: usize) -> Vec3 {
        let link = &self.frames.links()[b];
        link.twist.at(&(link.rotation * self.model.bodies[b].inertia.center))
    }

    /// Acceleration of a body's mass centre \[m/s²\].
    pub fn center_acceleration(&self, motion: &Accelerations, b: usize) -> Vec3 {
        let link = &self.frames.links()[b];
        let c = link.rotation * self.model.bodies[b].inertia.center;
        let omega = &link.twist.ang;
        motion.bodies[b].at(&c) + omega.cross(&omega.cross(&c))
    }
}
