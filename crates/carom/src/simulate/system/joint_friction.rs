//! Friction in joints: it grows with the reaction, which depends on it.

use crate::contact::friction::{FrictionLaw, Sliding, of_contact};
use crate::dynamics::{Forward, Posture, RowWrench, Transmitted};
use crate::maths::{Vec3, Wrench};
use crate::model::{BodyId, Model};
use crate::simulate::resolution::Resolution;
use crate::simulate::system::MotionError;
use std::sync::Arc;

/// Efforts that change by less than this part of the largest are found.
const FOUND: f64 = 1e-14;
/// Passes after which friction is jammed.
const MOST_PASSES: usize = 200;

/// A joint with friction.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct JointFriction {
    body: usize,
    id: BodyId,
    column: usize,
    /// Of a pin \[m\]; none of a slide.
    radius: Option<f64>,
    /// Between the two bearings of a slide \[m\].
    guide: Option<f64>,
    law: Arc<dyn FrictionLaw>,
}

impl JointFriction {
    /// The joints of a model that have friction.
    pub fn of(model: &Model) -> Vec<Self> {
        let bearing = |(body, link): (usize, &crate::model::Body)| {
            let friction = link.joint.friction?;
            let law = of_contact(Some(&friction.law))?;
            let (radius, guide) = (friction.radius, friction.guide);
            let id = BodyId(u32::try_from(body).ok()?);
            Some(Self { body, id, column: link.joint.v, radius, guide, law })
        };
        model.bodies.iter().enumerate().filter_map(bearing).collect()
    }

    /// The load that presses the surfaces together \[N\]: across the axis; of a slide with a guide, on its two ends.
    fn load(&self, reaction: &Wrench, axis: &Vec3) -> f64 {
        let across = |x: &Vec3| x - axis * axis.dot(x);
        let force = across(&reaction.force);
        match self.guide {
            Some(length) => {
                let pair = axis.cross(&reaction.moment) / length;
                (0.5 * force + pair).norm() + (0.5 * force - pair).norm()
            }
            None => force.norm(),
        }
    }

    /// The effort on the joint's velocity.
    fn effort(&self, reaction: &Wrench, axis: &Vec3, velocity: f64) -> f64 {
        let lever = self.radius.unwrap_or(1.0);
        let slip = [lever * velocity, 0.0];
        let normal = self.load(reaction, axis);
        lever * self.law.force(&Sliding { normal, slip }, &[], &mut [])[0]
    }
}

/// The joints with friction of a machine, and what they do.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct JointFrictions {
    all: Vec<JointFriction>,
    efforts: Vec<f64>,
    passes: usize,
}

impl JointFrictions {
    pub fn new(model: &Model) -> Self {
        let all = JointFriction::of(model);
        Self { efforts: vec![0.0; all.len()], all, passes: 0 }
    }

    /// The velocities of joints and the speeds at which their friction has a corner.
    pub fn corners(&self) -> Vec<(usize, f64)> {
        let corner =
            |b: &JointFriction| Some((b.column, b.law.corner()? / b.radius.unwrap_or(1.0)));
        self.all.iter().filter_map(corner).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// No friction yet.
    pub fn begin(&mut self) {
        self.efforts.fill(0.0);
        self.passes = 0;
    }

    /// Efforts under the accelerations found last; whether they are the ones these were found with.
    pub fn follow(
        &mut self,
        at: &Posture<'_>,
        work: &mut Forward,
        transmitted: &mut Transmitted,
    ) -> Result<bool, MotionError> {
        at.transmit(&work.wrenches, &work.solution, transmitted);
        let (mut change, mut size): (f64, f64) = (0.0, 0.0);
        for (bearing, effort) in self.all.iter().zip(&mut self.efforts) {
            let axis = &at.frames().axis(bearing.column);
            let velocity = at.state().v[bearing.column];
            let found = bearing.effort(&transmitted.joints[bearing.body], axis, velocity);
            change = change.max((found - *effort).abs());
            size = size.max(found.abs());
            work.efforts[bearing.column] += found - *effort;
            *effort = found;
        }
        self.passes += 1;
        if self.passes > MOST_PASSES {
            let body = self.all.first().map_or(0, |b| b.body);
            let joint = at.model().bodies[body].joint.name.clone();
            return Err(MotionError::Jammed { joint });
        }
        Ok(change <= FOUND * size)
    }

    /// The shortest time \[s\] in which friction of a joint ends its motion, under the reactions found last. A joint at rest is judged as if
    /// it moved with what round-off leaves of the machine's speed.
    pub fn stopping_time(
        &self,
        at: &Posture<'_>,
        transmitted: &Transmitted,
        sizes: &Resolution,
    ) -> f64 {
        let time = |bearing: &JointFriction| {
            let axis = &at.frames().axis(bearing.column);
            let sizes = if bearing.radius.is_some() { sizes.angular() } else { *sizes };
            let least = sizes.speed_digits().max(f64::MIN_POSITIVE);
            let v = at.state().v[bearing.column].abs().max(least);
            let effort = bearing.effort(&transmitted.joints[bearing.body], axis, v).abs();
            let (a, b) = (at.model().bodies[bearing.body].parent, Some(bearing.id));
            let row = if bearing.radius.is_some() {
                RowWrench::of_couple(a, b, *axis)
            } else {
                let p = at.frames().link(bearing.id).origin();
                RowWrench::of_normal(at.frames(), (a, p), (b, p), axis)
            };
            v / (effort * at.mobility(&row)).max(f64::MIN_POSITIVE)
        };
        self.all.iter().map(time).fold(f64::INFINITY, f64::min)
    }

    /// The power of all of them \[W\].
    pub fn power(&self, v: &[f64]) -> f64 {
        self.all.iter().zip(&self.efforts).map(|(b, effort)| effort * v[b.column]).sum()
    }
}
