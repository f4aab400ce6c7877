//! Friction that acts faster than anything moves. It turns the direction of a slip in space within v / (μ F_N W_tt), which falls to
//! nothing where a slip begins, and ends the motion of a joint that hardly moves. Explicit steps are no longer than that; implicit
//! ones do not see it.

use crate::maths::zero;
use crate::model::Joint;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Grip, Status};
use crate::simulate::step::Control;
use crate::simulate::system::body_axes::levers;
use crate::simulate::system::tangent::TangentFrame;
use crate::simulate::system::{Motion, MotionError};

/// Steps are implicit where that time is below the first part of the machine's time of fall, and explicit again where it is above the
/// second.
const IMPLICIT_BELOW: f64 = 0.1;
const EXPLICIT_ABOVE: f64 = 0.4;
/// The first implicit step, in parts of the same time; its error corrects it.
const FIRST: f64 = 1e-3;

/// In a step a slip changes by this part of it at most: the slower, the faster its direction turns.
const SLIP_CHANGE: f64 = 0.8;
/// Over this part of the machine's size the work of a force counts.
const WAY: f64 = 2e-3;

/// Differences for the Jacobian stay within this part of a slip, since its direction turns.
pub(in crate::simulate) const WITHIN: f64 = 1e-3;
/// Newton's method of implicit steps finds slips to this part of them, but not below round-off.
const FINE: f64 = 1e-6;

impl Motion<'_> {
    /// How far the entries of y may be moved at (t, y) for slips to change by a part of them.
    /// Whether something slides in space, so that there is a bound.
    pub fn difference_bounds(
        &mut self,
        t: f64,
        y: &[f64],
        room: &mut [f64],
        part: f64,
    ) -> Result<bool, MotionError> {
        room.fill(f64::INFINITY);
        if self.model.is_planar() {
            return Ok(false);
        }
        let mut slides = false;
        self.place(t, y);
        let Self { model, mechanism, state, spots, resolution, rotations, .. } = self;
        let at = mechanism.at(state)?;
        let (nq, nv) = (model.nq, model.nv);
        let turns = |joint: &Joint, column: usize| joint.kind.is_angular(column);
        let arm = |turns: bool| if turns { resolution.length } else { 1.0 };
        let mut fastest = f64::MIN_POSITIVE;
        for joint in model.bodies.iter().map(|body| &body.joint) {
            for (column, v) in joint.velocities().enumerate() {
                fastest = fastest.max(arm(turns(joint, column)) * state.v[v].abs());
            }
        }
        for (spot, status) in spots.iter() {
            if !matches!(status, Status::Staying(Grip::Slides(_))) {
                continue;
            }
            slides = true;
            let tangent = TangentFrame::of(&at, *spot, resolution)?;
            let way = (part * tangent.speed().max(tangent.slowest))
                .max(zero::CANCELLED * tangent.fastest);
            let A = tangent.rows.map(|row| {
                let mut row = at.jacobian_row(&row);
                levers(rotations, row.as_mut_slice());
                row
            });
            for j in 0..nv {
                let lever = A[0][j].hypot(A[1][j]);
                room[nq + j] = room[nq + j].min(way / lever);
            }
            // Over an angle of way / fastest, and over that part of the machine's size, the slip changes by `way`.
            for joint in model.bodies.iter().map(|body| &body.joint) {
                for (n, q) in joint.positions().enumerate() {
                    let quaternion =
                        joint.kind.quaternion().is_some_and(|range| range.contains(&n));
                    let size = if quaternion || turns(joint, n) { 1.0 } else { resolution.length };
                    room[q] = room[q].min(way / fastest * size);
                }
            }
        }
        Ok(slides)
    }
}

impl Control<'_, '_> {
    /// The shortest time \[s\] in which friction turns a slip in space or ends the motion of a joint, at the last look.
    fn turning_time(&mut self, t: f64) -> Result<f64, SimulateError> {
        let mut shortest = self.path.watch.stopping_time().at_time(t)?;
        if self.path.model.is_planar() {
            return Ok(shortest);
        }
        for k in 0..self.path.watch.spots.len() {
            let (spot, Status::Staying(Grip::Slides(_))) = self.path.watch.spots[k] else {
                continue;
            };
            let (Some(tangent), Some(dry)) =
                (self.path.watch.tangent_frames[k], self.path.watch.dry[spot.contact])
            else {
                continue;
            };
            let friction = dry.coefficient(tangent.speed()) * self.path.step.before[k].force;
            let at = self.path.watch.posture().at_time(t)?;
            let mobility = tangent.rows.iter().map(|row| at.mobility(row)).fold(0.0, f64::max);
            shortest = shortest.min(tangent.speed() / (friction * mobility).max(f64::MIN_POSITIVE));
        }
        Ok(shortest)
    }

    /// Whether friction or anything else is so fast that steps have to be implicit; the first of them.
    pub fn stiff_first_step(
        &mut self,
        t: f64,
        touches: bool,
    ) -> Result<Option<f64>, SimulateError> {
        let unit = self.path.unit_of_time();
        let stiff =
            self.stiffness.found || !touches && self.turning_time(t)? < IMPLICIT_BELOW * unit;
        Ok(stiff.then_some(FIRST * unit))
    }

    /// Implicit steps that hardly feel the friction would miss its work: the ledger's integrals keep the tolerance, too.
    pub fn weight_works(&self, absolute: &mut [f64]) {
        let contacts = self.path.step.before.iter().map(|s| s.force.abs());
        let joints = self.path.watch.transmitted.joints.iter().map(|w| w.force.norm());
        let strongest = contacts.chain(joints).fold(f64::MIN_POSITIVE, f64::max);
        let tolerance = self.path.scenario.tolerance;
        absolute[self.path.watch.works_at()..]
            .fill(tolerance * strongest * WAY * self.path.watch.resolution.length);
        // A small component of a large velocity has its last digits.
        let nq = self.path.model.nq;
        for body in self.path.model.bodies.iter().filter(|b| b.joint.kind.quaternion().is_some()) {
            let velocities: Vec<usize> = body.joint.velocities().map(|v| nq + v).collect();
            for vector in velocities.chunks(3) {
                let size = vector
                    .iter()
                    .map(|v| self.path.step.y[*v] * self.path.step.y[*v])
                    .sum::<f64>()
                    .sqrt();
                for v in vector {
                    absolute[*v] = absolute[*v].max(tolerance * size);
                }
            }
        }
    }

    /// How far a step of a slide in space may go.
    pub fn limit_of_slides(&self) -> f64 {
        let t = self.path.method.t();
        let mut limit = f64::INFINITY;
        if !self.path.model.is_planar() {
            let spots = self.path.watch.spots.iter().zip(&self.path.watch.tangent_frames);
            for (((_, status), tangent), see) in spots.zip(&self.path.step.before) {
                let slides = matches!(status, Status::Staying(Grip::Slides(_)));
                let slowest = tangent.as_ref().map_or(f64::INFINITY, |tangent| tangent.slowest);
                if slides && see.slip > slowest && see.slip_rate != 0.0 {
                    limit = limit.min(t + SLIP_CHANGE * see.slip / see.slip_rate.abs());
                }
            }
        }
        limit
    }

    /// Slides in space are followed: the direction that friction holds is that of the slip at the beginning of a step. Seen at the
    /// end of the last one. Whether one has got a direction of its own.
    pub fn update_slip_directions(&mut self) -> bool {
        let mut has_direction = false;
        if self.path.model.is_planar() {
            return false;
        }
        for k in 0..self.path.watch.spots.len() {
            let (Status::Staying(grip), Some(tangent)) =
                (self.path.watch.spots[k].1, &self.path.watch.tangent_frames[k])
            else {
                continue;
            };
            let leaves_onset = matches!(grip, Grip::Breaks(_)) && tangent.has_direction();
            if leaves_onset || matches!(grip, Grip::Slides(_)) && tangent.speed() > tangent.slowest
            {
                let now = Status::Staying(Grip::Slides(tangent.along()));
                (self.path.watch.spots[k].1, self.path.system.spots[k].1) = (now, now);
            }
            has_direction |= leaves_onset;
        }
        has_direction
    }

    /// Implicit steps find slips to a part of them: with a slip its direction would be wrong.
    pub fn refine_slips(&mut self) -> Result<(), SimulateError> {
        if !self.path.method.is_stiff() {
            return Ok(());
        }
        let t = self.path.method.t();
        let mut room = std::mem::take(&mut self.path.watch.room);
        let left = self.path.watch.difference_bounds(t, &self.path.step.y, &mut room, FINE);
        let slides = left.at_time(t)?;
        self.path.method.sharpen(if slides { &room } else { &[] });
        self.path.watch.room = room;
        Ok(())
    }

    /// Whether the other method should go on.
    pub fn changes_method(&mut self, t: f64) -> Result<bool, SimulateError> {
        if self.has_lasting(t) || self.stiffness.found {
            return Ok(false);
        }
        let (time, unit) = (self.turning_time(t)?, self.path.unit_of_time());
        Ok(if self.path.method.is_stiff() {
            time > EXPLICIT_ABOVE * unit
        } else {
            time < IMPLICIT_BELOW * unit
        })
    }
}
