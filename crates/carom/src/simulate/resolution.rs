//! What counts as zero in a run: the machine's own sizes, and the parts of them that are zero.
//!
//! No threshold of a run is a number of metres or seconds. Each is one of the parts below times a size that the machine itself provides, so
//! that the same machine with lengths × L, times × √L and masses × m has the same events. Sizes are the largest of the run so far: what
//! round-off leaves of a speed that was there does not become motion when everything else has come to rest.
//!
//! | part | of which size | meaning |
//! |---|---|---|
//! | [`POSE`] 1e-9 | length | a gap up to this is closed; the same as in `assess` and `impact` |
//! | `zero::POSITIONS` 1e-13 | length | a gap up to this is zero to the digits that positions keep through a step |
//! | `zero::CANCELLED` 16 ε | length, speed, acceleration | what a sum of numbers of that size leaves of zero |
//! | `zero::REST` 1e-10 | speed | a contact speed or a slip up to this is rest |
//! | `zero::INTEGRATED` 1e-9 | acceleration | an acceleration up to this is zero |
//! | `zero::POSITIONS` 1e-13 | time | events nearer to each other are simultaneous; never less than the clock's own digits |
//! | `zero::MODES` 1e-6 | time of fall | bounces that would all happen within this have happened |
//!
//! All levels, and the other decisions that take them, are listed in ADR 23.

use crate::contact::{POSE, machine_size};
use crate::maths::zero;
use crate::simulate::system::{Motion, MotionError};
use serde::{Deserialize, Serialize};

/// The sizes of a machine in a run, for quantities along a line \[m\]; those about an axis \[rad\] are `Resolution::angular`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// The largest distance of a body, a mass centre or a contact point from the origin \[m\].
    #[serde(with = "crate::maths::exact")]
    pub length: f64,
    /// The largest speed: that of a joint, turning ones on an arm of [`Self::length`], or √(acceleration × length) \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub speed: f64,
    /// The largest acceleration: gravity, or that of a closed gap while no force law acts \[m/s²\].
    #[serde(with = "crate::maths::exact")]
    pub acceleration: f64,
    /// length / speed \[s\]; infinite while nothing moves.
    #[serde(with = "crate::maths::exact")]
    pub time: f64,
    /// The time of fall √(length / acceleration) \[s\]; infinite while nothing accelerates.
    #[serde(with = "crate::maths::exact")]
    pub fall: f64,
}

impl Resolution {
    /// Of a machine of which nothing is known yet.
    pub(in crate::simulate) fn new() -> Self {
        let infinite = f64::INFINITY;
        Self { length: 0.0, speed: 0.0, acceleration: 0.0, time: infinite, fall: infinite }
    }

    /// Takes what is larger.
    fn grow(&mut self, length: f64, speed: f64, acceleration: f64) {
        self.length = self.length.max(length);
        self.acceleration = self.acceleration.max(acceleration);
        self.speed = self.speed.max(speed).max((self.acceleration * self.length).sqrt());
        let or_infinite = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
        self.time = or_infinite(self.length / self.speed);
        self.fall = or_infinite((self.length / self.acceleration).sqrt());
    }

    /// The same for quantities about an axis: one radian is the size of an angle, and times stay.
    pub(in crate::simulate) fn angular(&self) -> Self {
        let per_length = |x: f64| if self.length > 0.0 { x / self.length } else { x };
        Self {
            length: 1.0,
            speed: per_length(self.speed),
            acceleration: per_length(self.acceleration),
            ..*self
        }
    }

    /// Gaps up to this are closed.
    pub(in crate::simulate) fn closed(&self) -> f64 {
        POSE * self.length
    }

    /// Gaps up to this are zero to the digits that positions keep.
    pub(in crate::simulate) fn gap_digits(&self) -> f64 {
        zero::POSITIONS * self.length
    }

    /// Heights below this are not resolved by positions.
    pub(in crate::simulate) fn lowest(&self) -> f64 {
        zero::CANCELLED * self.length
    }

    /// Contact speeds and slips up to this are rest.
    pub(in crate::simulate) fn rest(&self) -> f64 {
        zero::REST * self.speed
    }

    /// Speeds up to this are round-off.
    pub(in crate::simulate) fn speed_digits(&self) -> f64 {
        zero::CANCELLED * self.speed
    }

    /// A bounce slower than this stays within [`Self::gap_digits`]: u²/2 = acceleration × height.
    pub(in crate::simulate) fn bounce(&self) -> f64 {
        (2.0 * self.acceleration * self.gap_digits()).sqrt()
    }

    /// Accelerations up to this are zero.
    pub(in crate::simulate) fn steady(&self) -> f64 {
        zero::INTEGRATED * self.acceleration
    }

    /// Accelerations up to this are round-off.
    pub(in crate::simulate) fn acceleration_digits(&self) -> f64 {
        zero::CANCELLED * self.acceleration
    }

    /// The shortest step that the clock resolves at t.
    pub(in crate::simulate) fn tick(&self, t: f64) -> f64 {
        let own = if self.time.is_finite() { self.time } else { 0.0 };
        (zero::LAST_DIGITS * own).max(zero::LAST_DIGITS * t.abs()).max(f64::MIN_POSITIVE)
    }

    /// Events nearer to each other than this are simultaneous at t.
    pub(in crate::simulate) fn instant(&self, t: f64) -> f64 {
        let own = if self.time.is_finite() { self.time } else { 0.0 };
        (zero::POSITIONS * own).max(self.tick(t))
    }

    /// Bounces that would all be over within this time have happened.
    pub(in crate::simulate) fn accumulated(&self, t: f64) -> f64 {
        (zero::MODES * self.fall).max(self.instant(t))
    }

    /// The time that first steps and the speed of friction are measured with: that of fall, or length / speed where nothing accelerates; none
    /// where nothing moves at all.
    pub(in crate::simulate) fn unit_of_time(&self) -> Option<f64> {
        [self.fall, self.time].into_iter().find(|time| time.is_finite() && *time > 0.0)
    }
}

impl Motion<'_> {
    /// The sizes of the quantities of a spot: those of an angle at a stop of one.
    pub fn unit(&self, k: usize) -> Resolution {
        if self.angular[k] { self.resolution.angular() } else { self.resolution }
    }

    /// Takes the sizes of the state observed last. Accelerations count while no force law acts; `points` are looked at if asked for.
    ///
    /// A machine of points in one place has no size: then it is how far it gets within the duration of the run.
    pub fn grow_resolution(&mut self, points: bool, duration: f64) -> Result<(), MotionError> {
        let Self { model, mechanism, state, seen, spots, resolution, angular, far, .. } = self;
        let at = mechanism.at(state)?;
        let mut length = machine_size(&at);
        if points {
            for contact in 0..model.contacts.len() {
                for point in at.touch(contact)?.points() {
                    length = length.max(point.on_a.norm()).max(point.on_b.norm());
                }
            }
        }
        let gaps = seen.iter().zip(&*angular).zip(far.iter());
        for ((see, _), _) in gaps.filter(|((_, angular), far)| !(**angular || **far)) {
            length = length.max(see.gap.abs());
        }
        length = length.max(resolution.length);
        let (mut speed, mut acceleration) = (0.0_f64, model.gravity.norm());
        let free = !spots.iter().any(|s| s.1.acts_by_law());
        for body in &model.bodies {
            let joint = &body.joint;
            for (column, v) in joint.velocities().enumerate() {
                let arm = if joint.kind.is_angular(column) { length } else { 1.0 };
                speed = speed.max(arm * state.v[v].abs());
            }
        }
        for (see, angular) in seen.iter().zip(angular).filter(|_| free) {
            let (arm, size) = if *angular { (length, 1.0) } else { (1.0, length) };
            if see.gap <= POSE * size {
                acceleration = acceleration.max(arm * see.acceleration.abs());
            }
        }
        let reach = duration * (speed + acceleration * duration);
        if !(length > f64::EPSILON * POSE * reach) {
            length = if reach > 0.0 { reach } else { 1.0 };
        }
        resolution.grow(length, speed, acceleration);
        Ok(())
    }
}
