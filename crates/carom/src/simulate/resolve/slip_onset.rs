//! Slips in space that begin. At first they are too slow to have a direction of their own. A contact whose friction has reached its
//! limit sticks for one short step more, and one that slips slowly keeps its direction; at the end of the step Coulomb's law over it
//! (see [`crate::simulate::resolve::moreau`]) gives the friction that should have acted: v ← v + Y Bᵀ (p − h F). The error is of the third order.

use crate::contact::friction::Dry;
use crate::maths::cone::{Admissible, ContactPoint};
use crate::simulate::error::AtTime;
use crate::simulate::guard::Guard;
use crate::simulate::locate::Locator;
use crate::simulate::mode::{Grip, Status};
use crate::simulate::resolve::friction_mode;
use crate::simulate::resolve::moreau::{forces_over_step, give_way};
use crate::simulate::run::Runner;
use crate::simulate::step::Control;
use crate::simulate::system::constraint::Held;
use crate::simulate::system::tangent::TangentFrame;
use crate::simulate::system::{Motion, MotionError};
use crate::simulate::trajectory::Trajectory;
use crate::simulate::{EventKind, SimulateError};

/// The longest first step of a slip that begins, in parts of the machine's time of fall.
const FIRST: f64 = 1e-4;
/// A first step ends with a slip of this many times the one that has a direction.
const ONSET_SLIP: f64 = 20.0;
/// The part of the tolerance that a turn of the direction may use.
const TURN_SHARE: f64 = 0.1;
/// The most halvings of a step.
const MOST_HALVINGS: usize = 20;

/// Forces along the normal and the tangents of a spot.
type Force = [f64; 3];
/// By spot, the tangents of one that slips.
type Slips = Vec<Option<TangentFrame>>;

/// What is remembered while slips begin.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct SlipOnset {
    /// When friction reached its limit \[s\]; none if what begins has begun.
    pub since: Option<f64>,
    /// Spots whose friction is at its limit: it is that of a slip.
    at_limit: Vec<bool>,
    /// By spot, where the step begins.
    forces: Vec<Force>,
}

impl Motion<'_> {
    /// F of a spot that stays at the last look.
    fn force_of(&self, k: usize) -> Force {
        let normal = self.constraints.force(k);
        let (spot, status) = self.spots[k];
        let [first, second] = match (status, &self.tangent_frames[k], &self.dry[spot.contact]) {
            (Status::Staying(Grip::Sticks), ..) => self.constraints.grip(k),
            (Status::Staying(grip), Some(tangent), Some(dry)) => {
                let along = friction_mode::along(grip, tangent, false).unwrap_or_default();
                along.map(|d| -dry.coefficient(tangent.speed()) * normal * d)
            }
            _ => [0.0; 2],
        };
        [normal, first, second]
    }

    /// Coulomb's law over a step of length h that has led to the last look: velocities take what friction should have been. Whether
    /// each spot slips; none if the law has no answer.
    fn correct_velocities(
        &mut self,
        h: f64,
        began: &[Force],
        slides: &[bool],
    ) -> Result<Option<Vec<bool>>, MotionError> {
        let n = self.spots.len();
        let carries = |status: &Status| status.stays() && *status != Status::Staying(Grip::Idle);
        let chosen: Vec<bool> = self.spots.iter().map(|s| carries(&s.1)).collect();
        let forces: Vec<Force> = (0..n)
            .map(|k| self.force_of(k))
            .zip(began)
            .map(|(now, then)| [0, 1, 2].map(|part| 0.5 * (now[part] + then[part])))
            .collect();
        let speeds: Vec<f64> = self
            .tangent_frames
            .iter()
            .map(|tangent| tangent.as_ref().map_or(0.0, TangentFrame::speed))
            .collect();
        self.choose_rough(&chosen, &|_| 0.0, &|_, _| 0.0)?;
        let Self { mechanism, state, constraints, dry, spots, .. } = self;
        let at = mechanism.at(state)?;
        let held: Vec<Held> = constraints.held().map(|(held, _)| *held).collect();
        let m = held.len();
        let W = give_way(constraints.W(), &held);
        let F: Vec<f64> = held.iter().map(|row| forces[row.spot][row.part]).collect();
        let given = |i: usize| (0..m).map(|j| W[i * m + j] * F[j]).sum::<f64>();
        let c: Vec<f64> = (0..m).map(|i| at.rate(&held[i].row) / h - given(i)).collect();
        let friction = |k: usize, dry: &Dry| {
            if slides[k] { dry.coefficient(speeds[k]) } else { dry.breakaway }
        };
        let contacts: Vec<usize> = (0..n).filter(|k| chosen[*k]).collect();
        let point = |k: &usize| {
            let tangents = held.iter().filter(|row| row.spot == *k).count() - 1;
            let dry = dry[spots[*k].0.contact].as_ref().filter(|_| tangents > 0);
            let coulomb = |dry: &Dry| Admissible::Coulomb(friction(*k, dry));
            let admissible = dry.map_or(Admissible::Normal, coulomb);
            ContactPoint { tangents, admissible, least: 0.0 }
        };
        let points: Vec<ContactPoint> = contacts.iter().map(point).collect();
        let Some(found) = forces_over_step(&W, &c, &points) else { return Ok(None) };
        let missing: Vec<f64> = found.forces.iter().zip(&F).map(|(p, F)| (p - F) * h).collect();
        constraints.take(&missing);
        constraints.add_change(state.v.as_mut_slice());
        let mut slips = vec![false; n];
        for (k, found) in contacts.iter().zip(found.slips) {
            slips[*k] = found;
        }
        Ok(Some(slips))
    }

    /// What slips at the state as it is.
    fn slips_of(&mut self, slips: &[bool]) -> Result<Vec<Option<TangentFrame>>, MotionError> {
        let Self { mechanism, state, spots, resolution, .. } = self;
        let at = mechanism.at(state)?;
        let mut out = vec![None; slips.len()];
        for k in (0..slips.len()).filter(|k| slips[*k]) {
            out[k] = Some(TangentFrame::of(&at, spots[k].0, resolution)?)
                .filter(|tangent| tangent.speed() > 0.0);
        }
        Ok(out)
    }
}

impl Trajectory<'_> {
    /// A step begins.
    pub fn store_onset_forces(&mut self) {
        if self.slip_begins() {
            let forces = (0..self.watch.spots.len()).map(|k| self.watch.force_of(k));
            self.slip_onset.forces = forces.collect();
        }
    }

    /// What has the friction of a slip.
    fn slips_or_is_at_limit(&self) -> Vec<bool> {
        let limit = |k: usize| {
            self.slip_onset.since.is_some() && self.slip_onset.at_limit.get(k).is_some_and(|x| *x)
        };
        let sticks = |k: usize| self.watch.spots[k].1 == Status::Staying(Grip::Sticks);
        (0..self.watch.spots.len()).map(|k| !sticks(k) || limit(k)).collect()
    }

    /// Whether a slip that begins has a direction that differs from that of the friction so far by more than the tolerance allows.
    pub fn direction_turns(&self, slips: &[Option<TangentFrame>]) -> bool {
        slips.iter().enumerate().any(|(k, tangent)| {
            let Some(tangent) = tangent else { return false };
            let was = match self.watch.spots[k].1 {
                Status::Staying(Grip::Breaks(was)) => was,
                Status::Staying(Grip::Sticks) => {
                    let [_, first, second] = self.slip_onset.forces[k];
                    let size = first.hypot(second).max(f64::MIN_POSITIVE);
                    [-first / size, -second / size]
                }
                _ => return false,
            };
            let is = tangent.along();
            let turn = (is[0] - was[0]).hypot(is[1] - was[1]);
            tangent.speed() * turn > TURN_SHARE * self.scenario.tolerance * tangent.fastest
        })
    }

    /// Coulomb's law over the last step, of length h: velocities take what friction should have been. What slips then, with its direction; none
    /// if the law has no answer.
    fn moreau_step(&mut self, t: f64, h: f64) -> Result<Option<Slips>, SimulateError> {
        let slides = self.slips_or_is_at_limit();
        let slips =
            self.watch.correct_velocities(h, &self.slip_onset.forces, &slides).at_time(t)?;
        slips.map(|slips| self.watch.slips_of(&slips).at_time(t)).transpose()
    }
}

impl Locator<'_, '_> {
    /// Halves the last step until slips that begin keep their directions in it within the tolerance.
    pub fn shorten_onset(&mut self, t_old: f64) -> Result<(), SimulateError> {
        if !self.path.slip_begins() {
            return Ok(());
        }
        for _ in 0..MOST_HALVINGS {
            let t = self.path.method.t();
            let half = 0.5 * (t - t_old);
            let Some(slips) = self.path.moreau_step(t, t - t_old)? else { break };
            if !self.path.direction_turns(&slips)
                || half <= 10.0 * self.path.watch.resolution.instant(t_old)
            {
                break;
            }
            self.path.cut(t_old + half)?;
        }
        Ok(())
    }
}

impl Control<'_, '_> {
    /// Slides in space that are too slow to have a direction keep the one they have been given.
    pub fn fix_onset_directions(&mut self) {
        if self.path.model.is_planar() {
            return;
        }
        for k in 0..self.path.watch.spots.len() {
            let (Status::Staying(Grip::Slides(along)), Some(tangent)) =
                (self.path.watch.spots[k].1, &self.path.watch.tangent_frames[k])
            else {
                continue;
            };
            if !tangent.has_direction() {
                self.path.watch.spots[k].1 = Status::Staying(Grip::Breaks(along));
            }
        }
    }

    /// The first step \[s\] of slips that begin.
    pub fn first_onset_step(&self, t: f64) -> Option<f64> {
        let sizes = &self.path.watch.resolution;
        let longest = sizes.unit_of_time().map_or(f64::INFINITY, |unit| FIRST * unit);
        let mut first = if self.path.slip_onset.since.is_some() { longest } else { f64::INFINITY };
        for (k, (_, status)) in self.path.watch.spots.iter().enumerate() {
            if let (Status::Staying(Grip::Breaks(_)), Some(tangent)) =
                (status, &self.path.watch.tangent_frames[k])
            {
                let rate = self.path.step.before[k].slip_rate.max(f64::MIN_POSITIVE);
                first = first.min((ONSET_SLIP * tangent.slowest / rate).min(longest));
            }
        }
        first.is_finite().then(|| first.max(10.0 * sizes.instant(t)))
    }
}

impl Runner<'_> {
    /// Friction of spots in space that stick has reached its limit, and nothing else happens: whether that is so.
    pub fn begins_onset(
        &mut self,
        t: f64,
        fired: &[(usize, Guard)],
    ) -> Result<bool, SimulateError> {
        let slip = !fired.is_empty() && fired.iter().all(|f| f.1 == Guard::Slips);
        if self.path.model.is_planar() || !slip {
            return Ok(false);
        }
        self.path.slip_onset.since = Some(t);
        self.path.slip_onset.at_limit = self.path.at_friction_limit(fired);
        let resolved = self.path.resolver(t, &self.history.bounces).without_slips()?;
        self.take(t, resolved)?;
        Ok(true)
    }

    /// Slips that begin take what friction has been over the last step; whether something sticks or slips that did not.
    pub fn correct_onset(&mut self, t: f64) -> Result<bool, SimulateError> {
        if !self.path.slip_begins() {
            return Ok(false);
        }
        self.path.watch.observe(t, &self.path.step.y).at_time(t)?;
        let before = self.path.watch.energies().at_time(t)?[0];
        let Some(slips) = self.path.moreau_step(t, self.path.method.h())? else {
            return self.resolve_onset_by_accelerations(t);
        };
        self.path.watch.write_velocities(&self.path.watch.state, &mut self.path.step.y);
        self.record.energy.impulse_loss += before - self.path.watch.energies().at_time(t)?[0];
        let mut changed = false;
        let since = self.path.slip_onset.since.take().unwrap_or(t);
        for (k, tangent) in slips.into_iter().enumerate() {
            let direction = tangent.map(|tangent| tangent.along());
            let now = match (self.path.watch.spots[k].1, direction) {
                (Status::Staying(Grip::Sticks), Some(along)) => {
                    self.record.note(since, self.path.watch.spots[k].0, EventKind::Slips);
                    changed = true;
                    Grip::Breaks(along)
                }
                (Status::Staying(Grip::Breaks(_)), Some(along)) => Grip::Breaks(along),
                (Status::Staying(Grip::Breaks(_)), None) => {
                    self.record.note(t, self.path.watch.spots[k].0, EventKind::Sticks);
                    changed = true;
                    Grip::Sticks
                }
                _ => continue,
            };
            let now = Status::Staying(now);
            (self.path.watch.spots[k].1, self.path.system.spots[k].1) = (now, now);
        }
        self.path.method.replace(&self.path.step.y, t)?;
        if !changed
            && self
                .path
                .watch
                .observe(t, &self.path.step.y)
                .at_time(t)?
                .iter()
                .any(|s| s.margin < 0.0)
        {
            // Friction exceeds its limit, but the step was too short for a slip.
            self.path.slip_onset.since = Some(since);
        }
        Ok(changed)
    }

    /// Where the law over a step has no answer, as a contact that would pull, that on accelerations decides.
    fn resolve_onset_by_accelerations(&mut self, t: f64) -> Result<bool, SimulateError> {
        if self.path.slip_onset.since.take().is_none() {
            return Ok(false);
        }
        let limits = self.path.slip_onset.at_limit.iter().enumerate().filter(|x| *x.1);
        let fired: Vec<(usize, Guard)> = limits.map(|(k, _)| (k, Guard::Slips)).collect();
        self.resolve_rigid(t, &fired)?;
        self.observer().record_stays(t);
        Ok(true)
    }
}
