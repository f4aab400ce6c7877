//! How much a run may take, and why one that has used it up came so slowly forward.

use crate::dynamics::Mechanism;
use crate::kinematics::State;
use crate::maths::digits::{prefixed, three};
use crate::maths::ode::System as _;
use crate::model::Model;
use crate::simulate::SimulateError;
use crate::simulate::mode::{Spot, Status};
use crate::simulate::record::Recorder;
use crate::simulate::system::Motion;
use crate::simulate::trajectory::Trajectory;
use std::collections::BTreeMap;
use std::time::Instant;

/// Steps that a run may take unless another number is asked for.
pub const MAX_STEPS: usize = 10_000_000;
/// The cause of short steps is searched over at least this many steps.
const STRETCH: usize = 1000;
/// Rates that change by this part of themselves within a step limit its length.
const LIMITING: f64 = 0.1;
/// A contact or load without which rates change at most by this part as fast is the cause.
const CAUSE: f64 = 0.5;

/// What a run may take; a run that goes on from a checkpoint has it anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Accepted steps.
    pub steps: usize,
    /// Elapsed time \[s\] of the clock on the wall.
    pub time: Option<f64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: MAX_STEPS, time: None }
    }
}

impl Budget {
    /// Refuses numbers that cannot be used.
    pub(crate) fn check(&self) -> Result<(), SimulateError> {
        if self.steps == 0 {
            let (what, expected) = ("the number of steps", "at least one");
            return Err(SimulateError::BadNumber { what, found: 0.0, expected });
        }
        match self.time {
            Some(found) if !(found > 0.0 && found.is_finite()) => {
                let (what, expected) = ("the time to compute", "a positive time [s]");
                Err(SimulateError::BadNumber { what, found, expected })
            }
            _ => Ok(()),
        }
    }
}

/// How far a run was: steps, time \[s\], events.
type Mark = (usize, f64, usize);

/// What a run has taken of its budget.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Spent {
    begun: Instant,
    /// Steps taken before this run, where it goes on from a checkpoint.
    before: usize,
    /// The last two marks, at least [`STRETCH`] steps apart.
    marks: [Mark; 2],
}

impl Spent {
    /// Nothing yet.
    pub fn new(before: usize, t: f64) -> Self {
        Self { begun: Instant::now(), before, marks: [(before, t, 0); 2] }
    }
}

/// How fast rates change with the state: the largest of |∂v̇ⱼ/∂vⱼ| and √|∂v̇ⱼ/∂qⱼ| \[1/s\], and j.
type Fastest = (f64, usize);

impl Spent {
    /// Refuses another step where the budget is used up.
    pub fn require(
        &mut self,
        path: &Trajectory<'_>,
        record: &Recorder,
    ) -> Result<(), SimulateError> {
        let (t, steps) = (path.step.time, record.out.counts.steps);
        let events = record.out.events.len() + record.out.user_events.len();
        if steps >= self.marks[1].0 + STRETCH {
            self.marks = [self.marks[1], (steps, t, events)];
        }
        let Budget { steps: most, time } = path.scenario.budget;
        let taken = steps - self.before.min(steps);
        let passed = time.map(|_| self.begun.elapsed().as_secs_f64());
        let late = passed.zip(time).is_some_and(|(passed, time)| passed > time);
        // The onset of a slip is one step that is corrected as a whole.
        if taken < most && !late || path.slip_begins() {
            return Ok(());
        }
        let what = if late {
            format!("{} s of computing", three(time.unwrap_or_default()))
        } else {
            format!("{most} steps")
        };
        let [from, _] = self.marks;
        let stretch = (steps - from.0, t - from.1, events.saturating_sub(from.2));
        Err(SimulateError::Budget { t, what, cause: Diagnosis { path, record }.cause(stretch) })
    }
}

/// Finds what keeps the steps of a run short.
struct Diagnosis<'a, 'm> {
    path: &'a Trajectory<'m>,
    record: &'a Recorder,
}

impl Diagnosis<'_, '_> {
    /// What keeps steps short, over a stretch with this number of steps, this time and this number of events.
    fn cause(&self, (steps, time, events): Mark) -> String {
        if steps == 0 {
            return "no step was taken".to_owned();
        }
        // Counts of steps fit.
        #[allow(clippy::cast_precision_loss)]
        let length = time / steps as f64;
        let short = format!("the last {steps} steps take {} each", prefixed(length, "s"));
        if 4 * events > steps {
            let name = self.most_frequent(events);
            return format!("{short} and have {events} events, most of {name}");
        }
        let Some(((rate, entry), culprit)) = self.fastest_cause() else { return short };
        let joint = joint_of(self.path.model, entry);
        let fast = format!("the motion of {joint} changes within {}", prefixed(1.0 / rate, "s"));
        match culprit {
            None if rate * length < LIMITING => format!(
                "{short}; nothing acts so fast that it explains them ({fast}): the pose or a function of time does"
            ),
            Some(name) => format!("{short}: {fast} under {name}"),
            None => format!("{short}: {fast}"),
        }
    }

    /// The contact or the event of the user with most of the last events.
    fn most_frequent(&self, events: usize) -> String {
        let out = &self.record.out;
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for event in out.events.iter().rev().take(events) {
            let name = format!("contacts.{}", self.path.model.contacts[event.spot.contact].name);
            *counts.entry(name).or_default() += 1;
        }
        for event in out.user_events.iter().rev().take(events) {
            *counts
                .entry(format!("events.{}", self.path.model.events[event.event].name))
                .or_default() += 1;
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name).unwrap_or_default()
    }

    /// How fast the motion changes, and the contact or load without which it would not.
    fn fastest_cause(&self) -> Option<(Fastest, Option<String>)> {
        let (t, y) = (self.path.step.time, self.path.step.y.as_slice());
        let moved = self.moved();
        let mut all = self.path.watch.clone();
        let whole = fastest_rate(&mut all, t, y, moved)?;
        let state = all.place(t, y).clone();
        let mut best = (CAUSE * whole.0, None);
        let mut take = |rate: f64, name: String| {
            if rate < best.0 {
                best = (rate, Some(name));
            }
        };
        let mut acting = Vec::new();
        for contact in 0..self.path.model.contacts.len() {
            let acts = |s: &(Spot, Status)| {
                s.0.contact == contact && matches!(s.1, Status::Touching(_) | Status::Staying(_))
            };
            if !self.path.watch.spots.iter().any(acts) {
                continue;
            }
            let mut name = format!("contacts.{}", self.path.model.contacts[contact].name);
            acting.push(name.clone());
            let mut rough = self.path.watch.clone();
            if rough.frictions[contact].take().is_some() {
                let rate = fastest_rate(&mut rough, t, y, moved).map_or(0.0, |q| q.0);
                if rate < CAUSE * whole.0 {
                    name = format!("the friction of {name}");
                }
            }
            let mut open = self.path.watch.clone();
            let own = |s: &&mut (Spot, Status)| s.0.contact == contact;
            open.spots.iter_mut().filter(own).for_each(|s| s.1 = Status::Open);
            take(fastest_rate(&mut open, t, y, moved).map_or(0.0, |q| q.0), name);
        }
        for k in 0..self.path.model.loads.len() {
            if let Some(rate) = self.without_load(k, &state, y, moved) {
                take(rate, format!("loads.{}", self.path.model.loads[k].name()));
            }
        }
        // None alone: all that touch, if it is they together.
        let together = || {
            let mut open = self.path.watch.clone();
            open.spots.iter_mut().for_each(|s| s.1 = Status::Open);
            let rate = fastest_rate(&mut open, t, y, moved).map_or(0.0, |q| q.0);
            (!acting.is_empty() && rate < CAUSE * whole.0).then(|| acting.join(", "))
        };
        Some((whole, best.1.or_else(together)))
    }

    /// The same without a load.
    fn without_load(&self, k: usize, state: &State, y: &[f64], moved: [f64; 2]) -> Option<f64> {
        let mut model = self.path.model.clone();
        model.loads.remove(k);
        let watch = &self.path.watch;
        let (spots, laws) = (watch.spots.clone(), watch.laws.clone());
        let (frictions, dry) = (watch.frictions.clone(), watch.dry.clone());
        let mut motion =
            Motion::new(Mechanism::for_motion(&model), state, spots, laws, frictions, dry).ok()?;
        motion.origin.copy_from_slice(&watch.origin);
        motion.set_accounts(&watch.accounts);
        motion.resolution = watch.resolution;
        Some(fastest_rate(&mut motion, state.t, y, moved)?.0)
    }

    /// How far entries of v are moved to feel how fast rates change: what errors of a step leave unknown.
    fn moved(&self) -> [f64; 2] {
        let sizes = &self.path.watch.resolution;
        [sizes.length, sizes.speed]
            .map(|size| (self.path.scenario.tolerance * size).max(f64::MIN_POSITIVE))
    }
}

/// How fast v̇ changes where positions and velocities move by these lengths \[m\] and speeds \[m/s\].
fn fastest_rate(motion: &mut Motion<'_>, t: f64, y: &[f64], moved: [f64; 2]) -> Option<Fastest> {
    let model = motion.model;
    let (nq, size) = (model.nq, motion.resolution.length);
    let mut rates = [vec![0.0; y.len()], vec![0.0; y.len()]];
    let mut place = y.to_vec();
    let mut fastest = (0.0, 0);
    for joint in model.bodies.iter().map(|body| &body.joint) {
        let same = joint.kind.quaternion().is_none();
        for (column, v) in joint.velocities().enumerate() {
            let arm = if joint.kind.is_angular(column) && size > 0.0 { size } else { 1.0 };
            let position = same.then(|| (joint.q + column, moved[0] / arm));
            for (of_v, (j, step)) in
                [(true, (nq + v, moved[1] / arm))].into_iter().chain(position.map(|p| (false, p)))
            {
                for (rates, way) in rates.iter_mut().zip([step, -step]) {
                    place[j] = y[j] + way;
                    motion.rate(t, &place, rates).ok()?;
                }
                place[j] = y[j];
                let slope = ((rates[0][nq + v] - rates[1][nq + v]) / (2.0 * step)).abs();
                let rate = if of_v { slope } else { slope.sqrt() };
                if rate > fastest.0 {
                    fastest = (rate, v);
                }
            }
        }
    }
    (fastest.0 > 0.0).then_some(fastest)
}

/// The joint of an entry of v, as files name it.
fn joint_of(model: &Model, v: usize) -> String {
    let joint = model.bodies.iter().map(|b| &b.joint).find(|j| j.velocities().contains(&v));
    joint.map_or_else(String::new, |joint| format!("joints.{}", joint.name))
}
