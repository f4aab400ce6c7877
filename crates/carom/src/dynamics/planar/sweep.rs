//! Poses and velocities outwards, inertias inwards, accelerations outwards.

use super::parts::{Column, Hinge, PlanarJoint};
use super::{Kernel, PlanarInertia, PlanarLink, PlanarWrench};
use crate::kinematics::State;
use crate::maths::plane::{Turn, Vec2, cross, quarter};

impl Kernel<'_> {
    /// Places all bodies and writes gravity, velocity terms and loads. `false` if the state or a load is not finite, or a
    /// spring has no direction.
    pub fn place(&mut self, state: &State) -> bool {
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        let n = self.columns.len();
        if q.len() != n || v.len() != n || !self.place_links(q, v) {
            return false;
        }
        for drive in &self.model.drives {
            self.columns[drive.v].acceleration = drive.motion.jet(state.t).second;
        }
        self.loads.is_empty() || self.add_loads(state)
    }

    /// Whether all numbers are finite.
    #[inline]
    fn place_links(&mut self, q: &[f64], v: &[f64]) -> bool {
        let Self { links, hinges, columns, .. } = self;
        // 0 · x is 0 for finite numbers and NaN for others.
        let mut sum = 0.0;
        for (k, hinge) in hinges.iter().enumerate() {
            let above = &links[hinge.parent];
            let first = hinge.first;
            let mut arm = above.turn.vector(&hinge.shift);
            let (mut angle, mut omega, mut turn) = (above.angle, above.omega, above.turn);
            let mut slide = None;
            match &hinge.motion {
                PlanarJoint::Nothing => {}
                PlanarJoint::Turn(sign) => {
                    angle += sign * q[first];
                    omega += sign * v[first];
                    turn = Turn::by(angle);
                    sum += 0.0 * (q[first] + v[first]);
                }
                PlanarJoint::Slide(axis) => {
                    let axis = above.turn.vector(axis);
                    columns[first].axis = axis;
                    arm += axis * q[first];
                    slide = Some(axis * v[first]);
                    sum += 0.0 * (q[first] + v[first]);
                }
                PlanarJoint::Free(axes, sign) => {
                    let axes = axes.map(|axis| above.turn.vector(&axis));
                    (columns[first].axis, columns[first + 1].axis) = (axes[0], axes[1]);
                    arm += axes[0] * q[first] + axes[1] * q[first + 1];
                    slide = Some(axes[0] * v[first] + axes[1] * v[first + 1]);
                    angle += sign * q[first + 2];
                    omega += sign * v[first + 2];
                    turn = Turn::by(angle);
                    let (q, v) = (&q[first..first + 3], &v[first..first + 3]);
                    sum += 0.0 * (q.iter().sum::<f64>() + v.iter().sum::<f64>());
                }
            }
            let carried = above.omega;
            let mut velocity = above.velocity + quarter(&arm) * carried;
            let mut fall = above.fall + arm * (carried * carried);
            if let Some(slide) = slide {
                velocity += slide;
                fall -= quarter(&slide) * (2.0 * carried);
            }
            let origin = above.origin + arm;
            let center = turn.vector(&hinge.center);
            let link = &mut links[k + 1];
            (link.turn, link.angle, link.origin, link.arm) = (turn, angle, origin, arm);
            (link.omega, link.velocity, link.center, link.fall) = (omega, velocity, center, fall);
            link.inertia = PlanarInertia::rigid(hinge.mass, hinge.J, &center);
            link.wrench = inertial(hinge, omega, &center, &fall);
        }
        sum == 0.0
    }

    /// Writes v̇ under all that was placed and pushed; once after each [`Kernel::place`]. `false` if a coordinate along which
    /// nothing with inertia moves is pushed on, or if `v_dot` has another length.
    pub fn solve(&mut self, v_dot: &mut [f64]) -> bool {
        let Self { links, hinges, columns, .. } = self;
        if v_dot.len() != columns.len() {
            return false;
        }
        for (k, hinge) in hinges.iter().enumerate().rev() {
            let link = &links[k + 1];
            let (mut I, mut p) = (link.inertia, link.wrench);
            let moves = match hinge.motion {
                PlanarJoint::Nothing => true,
                PlanarJoint::Turn(_) | PlanarJoint::Slide(_) => {
                    columns[hinge.first].eliminate(&mut I, &mut p, link)
                }
                // The last column first.
                PlanarJoint::Free(..) => {
                    let mut own = columns[hinge.first..].iter_mut().take(3).rev();
                    own.all(|c| c.eliminate(&mut I, &mut p, link))
                }
            };
            if !moves {
                return false;
            }
            if hinge.parent > 0 {
                let lever = quarter(&link.arm);
                let above = &mut links[hinge.parent];
                above.inertia.add_shifted(&I, &lever);
                above.wrench.moment += p.moment + lever.dot(&p.force);
                above.wrench.force += p.force;
            }
        }
        for (k, hinge) in hinges.iter().enumerate() {
            let above = &links[hinge.parent];
            let (mut alpha, mut gained) = (above.alpha, above.gained);
            let link = &mut links[k + 1];
            gained += quarter(&link.arm) * alpha;
            match hinge.motion {
                PlanarJoint::Nothing => {}
                PlanarJoint::Turn(_) | PlanarJoint::Slide(_) => {
                    v_dot[hinge.first] = columns[hinge.first].accelerate(&mut alpha, &mut gained);
                }
                PlanarJoint::Free(..) => {
                    let own = columns[hinge.first..].iter_mut().take(3);
                    for (c, v_dot) in own.zip(&mut v_dot[hinge.first..]) {
                        *v_dot = c.accelerate(&mut alpha, &mut gained);
                    }
                }
            }
            (link.alpha, link.gained) = (alpha, gained);
        }
        true
    }

    /// Power \[W\] of dampers, and of forces, torques and efforts, as [`super::super::Posture::load_power`] has it.
    pub fn load_power(&self) -> [f64; 2] {
        [self.powers[0], self.powers[1]]
    }

    /// dV/dt \[W\] of gravity and springs.
    pub fn potential_power(&self) -> f64 {
        let links = self.hinges.iter().zip(&self.links[1..]);
        let falling: f64 = links
            .map(|(hinge, link)| {
                let speed = link.velocity + quarter(&link.center) * link.omega;
                hinge.mass * self.gravity.dot(&speed)
            })
            .sum();
        self.powers[2] - falling
    }

    /// dT/dt \[W\] of bodies and rotors under v̇, after [`Kernel::solve`].
    pub fn kinetic_power(&self, v: &[f64]) -> f64 {
        let links = self.hinges.iter().zip(&self.links[1..]);
        let moved: f64 = links
            .map(|(hinge, link)| {
                let (c, m) = (&link.center, hinge.mass);
                let origin = link.gained + self.gravity - link.fall;
                let spin = quarter(c) * link.alpha - c * (link.omega * link.omega);
                let moment = hinge.J * link.alpha + m * cross(c, &origin);
                moment * link.omega + m * (origin + spin).dot(&link.velocity)
            })
            .sum();
        let columns = self.columns.iter().zip(v);
        moved + columns.map(|(c, v)| c.shape.rotor * c.acceleration * v).sum::<f64>()
    }
}

impl Column {
    /// Takes the column out of an inertia and a wrench; `false` if it is pushed on and nothing with inertia moves along it.
    ///
    /// U = I S,  D = Sᵀ U + r,  I ← I − U Uᵀ/D,  p ← p − U (Sᵀ p + effort)/D
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the sweep's innermost step: a call costs as much")]
    fn eliminate(
        &mut self,
        I: &mut PlanarInertia,
        p: &mut PlanarWrench,
        link: &PlanarLink,
    ) -> bool {
        let shape = &self.shape;
        let (along, pushed) = if shape.angular {
            self.U = I.times_rotation(self.sign);
            (self.sign * self.U.moment, self.sign * p.moment)
        } else {
            self.U = I.times_translation(&self.axis);
            (self.axis.dot(&self.U.force), self.axis.dot(&p.force))
        };
        let D = along + shape.rotor;
        self.excess = pushed + self.effort;
        self.inverse_D = 0.0;
        if !shape.free {
            p.less(&self.U, self.acceleration);
        } else if D > shape.least {
            let inverse = 1.0 / D;
            self.inverse_D = inverse;
            I.eliminate(&self.U, inverse);
            p.less(&self.U, self.excess * inverse);
        } else {
            // Nothing with inertia moves along it: it is held, unless something pushes.
            self.acceleration = 0.0;
            return !pushes(self.excess, p, link);
        }
        true
    }

    /// v̇ of the column, S v̇ added to its body's acceleration.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the sweep's innermost step: a call costs as much")]
    fn accelerate(&mut self, alpha: &mut f64, gained: &mut Vec2) -> f64 {
        if self.inverse_D != 0.0 {
            let carried = self.U.moment * *alpha + self.U.force.dot(gained);
            self.acceleration = (self.excess - carried) * self.inverse_D;
        }
        if self.shape.angular {
            *alpha += self.sign * self.acceleration;
        } else {
            *gained += self.axis * self.acceleration;
        }
        self.acceleration
    }
}

/// Gravity less what the velocities need: m (fall + ω² c), and its moment.
#[inline]
fn inertial(hinge: &Hinge, omega: f64, center: &Vec2, fall: &Vec2) -> PlanarWrench {
    PlanarWrench {
        moment: hinge.mass * cross(center, fall),
        force: (fall + center * (omega * omega)) * hinge.mass,
    }
}

/// Whether a wrench on a link pushes on a column by more than round-off, as the general sweep tells it: `u` of it, against the
/// moment before columns were eliminated and after, and what rounding the link's place makes of the force.
#[cold]
fn pushes(u: f64, w: &PlanarWrench, link: &PlanarLink) -> bool {
    let rounding = 1e-12 * w.force.norm() * (link.origin.norm() + link.arm.norm());
    let whole = link.wrench.moment.abs().max(w.moment.abs());
    u.abs() > 1e-9 * whole && u.abs() > 1e-9 * w.moment.abs() + rounding
}
