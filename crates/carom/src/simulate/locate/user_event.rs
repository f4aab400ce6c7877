//! Events of the user: expressions that cross zero, found on the dense output and landed on.

use crate::maths::expression::{Jet, Variable};
use crate::maths::zero;
use crate::model::{Consequence, Model};
use crate::simulate::SimulateError;
use crate::simulate::locate::Locator;
use crate::simulate::run::Runner;
use crate::simulate::system::{Motion, MotionError};
use serde::{Deserialize, Serialize};

/// So is one below this, whatever its unit.
const TINY: f64 = 1e-14;
/// Where a step is sampled, as parts of it: unevenly, so that no oscillation is missed.
pub(in crate::simulate) const NODES: [f64; 2] = [0.5, 0.29];
/// Inside a step a value may differ from the cubic through its ends by this part of its variation over the step.
const DEVIATION: f64 = 1e-2;
/// Its rate by this part of the rates.
const DEVIATION_RATE: f64 = 0.1;
/// The most halvings of a step: no cubic follows an expression with a corner.
const MOST_HALVINGS: usize = 12;

/// An event of the user that happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserEventRecord {
    /// When \[s\].
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// Position in [`crate::model::Model::events`].
    pub event: usize,
    /// Whether the expression came from below.
    pub rises: bool,
}

/// What is remembered of an event's expression between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Lookout {
    /// Its value after the last step.
    #[serde(with = "crate::maths::exact")]
    pub value: f64,
    /// Its rate \[1/s\].
    #[serde(with = "crate::maths::exact")]
    pub rate: f64,
    /// −1 or 1 where it has left zero to that side, and may cross it; 0 where it has not yet.
    #[serde(with = "crate::maths::exact")]
    pub side: f64,
    /// The largest value so far.
    #[serde(with = "crate::maths::exact")]
    pub largest: f64,
}

impl Lookout {
    fn is_zero(&self, value: f64) -> bool {
        // A value of an expression below this part of the largest so far is zero: one that stays there crosses nothing.
        value.abs() <= (zero::SOLVED * self.largest).max(TINY)
    }

    /// It has left zero.
    fn arm(&mut self) {
        self.largest = self.largest.max(self.value.abs());
        if self.side == 0.0 && !self.is_zero(self.value) {
            self.side = self.value.signum();
        }
    }
}

/// The events of the user during a run.
pub(in crate::simulate) struct UserEvents {
    /// By event, where the last step begins.
    pub lookouts: Vec<Lookout>,
    /// Values and rates of the expressions where the last step ends.
    pub after: Vec<Course>,
    /// The events that the last step ends with.
    pub crossed: Vec<usize>,
}

impl UserEvents {
    pub fn new(count: usize) -> Self {
        let lookouts = vec![Lookout::default(); count];
        Self { lookouts, after: vec![[0.0; 2]; count], crossed: Vec::with_capacity(count) }
    }

    /// The next step begins with these values and rates.
    pub fn begin_with(&mut self, courses: &[Course]) {
        for (lookout, course) in self.lookouts.iter_mut().zip(courses) {
            [lookout.value, lookout.rate] = *course;
        }
    }

    /// The next step begins with what was observed at the end of the last one.
    pub fn begin_at_end(&mut self) {
        for (lookout, course) in self.lookouts.iter_mut().zip(&self.after) {
            [lookout.value, lookout.rate] = *course;
        }
    }

    /// Events whose expressions have left zero may be crossed from now on.
    pub fn arm(&mut self) {
        self.lookouts.iter_mut().for_each(Lookout::arm);
    }

    /// Whether an armed event is reached at the end of the last step, or would be within a time \[s\].
    pub fn reached(&self, model: &Model, k: usize, within: f64) -> bool {
        let side = self.lookouts[k].side;
        let [value, rate] = self.after[k];
        let meant = side != 0.0 && model.events[k].when.means(side);
        meant && side * value <= within * rate.abs()
    }
}

/// Value and rate of an expression.
pub(in crate::simulate) type Course = [f64; 2];

/// Value and rate, at a part of a step, of the cubic through those at both ends.
pub(in crate::simulate) fn cubic(x: f64, h: f64, [a, a_dot]: Course, [b, b_dot]: Course) -> Course {
    let y = 1.0 - x;
    let value = a * (1.0 + 2.0 * x) * y * y
        + b * (3.0 - 2.0 * x) * x * x
        + h * x * y * (a_dot * y - b_dot * x);
    let rate =
        6.0 * x * y * (b - a) / h + a_dot * y * (1.0 - 3.0 * x) + b_dot * x * (3.0 * x - 2.0);
    [value, rate]
}

impl Motion<'_> {
    /// Values and rates of all expressions at the state evaluated last.
    pub fn evaluate_user_events(&mut self) -> Result<(), MotionError> {
        let Self { model, state, work, seen, spots, rates, courses, .. } = self;
        if model.events.is_empty() {
            return Ok(());
        }
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        for body in &model.bodies {
            let joint = &body.joint;
            let rates = &mut rates[joint.positions()];
            joint.kind.rates(&q[joint.positions()], &v[joint.velocities()], rates);
        }
        let jet = |value: f64, rate: f64| Jet { value, rate, second: 0.0 };
        for (event, course) in model.events.iter().zip(courses) {
            let found = event.expression.jet_of(|variable| match variable {
                Variable::Time => jet(state.t, 1.0),
                Variable::Position(k) => jet(q[k], rates[k]),
                Variable::Velocity(k) => jet(v[k], work.solution.x[k]),
                Variable::Gap(contact) => {
                    let own = spots.iter().zip(seen.iter()).filter(|(s, _)| s.0.contact == contact);
                    let least = own.map(|(_, see)| see).min_by(|a, b| a.gap.total_cmp(&b.gap));
                    least.map_or(jet(f64::NAN, 0.0), |see| jet(see.gap, see.rate))
                }
            });
            if !found.value.is_finite() {
                let event = event.name.clone();
                return Err(MotionError::EventNotFinite { event, found: found.value });
            }
            // A corner may have no rate: its sign change is found all the same.
            *course = [found.value, if found.rate.is_finite() { found.rate } else { 0.0 }];
        }
        Ok(())
    }
}

impl Locator<'_, '_> {
    /// Halves the last step until the observations at its ends predict the expressions inside, and cuts it where one of
    /// them turns back beyond zero.
    pub fn cut_at_user_events(&mut self, t_old: f64) -> Result<(), SimulateError> {
        if self.path.user_events.lookouts.is_empty() {
            return Ok(());
        }
        for _ in 0..MOST_HALVINGS {
            let h = self.path.method.t() - t_old;
            let mut deviates = false;
            for part in NODES {
                self.path.observe_inside(t_old + part * h)?;
                let ends = self.path.user_events.lookouts.iter().zip(&self.path.user_events.after);
                deviates |= ends.zip(&self.path.watch.courses).any(|((a, b), seen)| {
                    let expected = cubic(part, h, [a.value, a.rate], *b);
                    let ([g, g_dot], [b, b_dot]) = (*seen, *b);
                    let run = (b - a.value).abs() + (g - a.value).abs();
                    let rates = a.rate.abs() + b_dot.abs() + g_dot.abs();
                    let least = (zero::SOLVED * a.largest).max(TINY);
                    (g - expected[0]).abs() > DEVIATION * run + least
                        || h * (g_dot - expected[1]).abs() > DEVIATION_RATE * h * rates + least
                });
            }
            if !deviates {
                break;
            }
            self.path.method.accept_until(&mut self.path.system, t_old + 0.5 * h)?;
            self.path.method.shorten(h);
            self.path.observe_end()?;
        }
        self.cut_at_turns(t_old)
    }

    /// An expression that dips beyond zero and returns inside the step: the step is cut at the turn.
    fn cut_at_turns(&mut self, t_old: f64) -> Result<(), SimulateError> {
        let t = self.path.method.t();
        let mut cut = t;
        for k in 0..self.path.user_events.lookouts.len() {
            let a = self.path.user_events.lookouts[k];
            let [b, b_dot] = self.path.user_events.after[k];
            // From zero it may leave to either side; then the side it returns to counts.
            let side = if a.side == 0.0 { b.signum() } else { a.side };
            if !(side * b > 0.0 && side * a.rate < 0.0 && side * b_dot > 0.0) {
                continue;
            }
            let turn = self.path.time_of_course([t_old, t], |watch| side * watch.courses[k][1])?;
            self.path.observe_inside(turn)?;
            let beyond = self.path.watch.courses[k][0];
            if turn < cut && side * beyond < 0.0 && !a.is_zero(beyond) {
                cut = turn;
            }
        }
        if cut < t && cut > t_old {
            self.path.cut(cut)?;
        }
        Ok(())
    }

    /// Events that the last step passed, with their times.
    pub fn crossings(&mut self) -> Result<Vec<(usize, f64)>, SimulateError> {
        let mut out = Vec::new();
        let span = [self.path.method.t_old(), self.path.method.t()];
        for k in 0..self.path.user_events.lookouts.len() {
            let Lookout { side, value, .. } = self.path.user_events.lookouts[k];
            let meant = side != 0.0 && self.path.model.events[k].when.means(side);
            if meant && side * value > 0.0 && side * self.path.user_events.after[k][0] <= 0.0 {
                out.push((k, self.path.time_of_course(span, |watch| watch.courses[k][0])?));
            }
        }
        Ok(out)
    }
}

impl Runner<'_> {
    /// After a step: writes down the events landed on, and those that a jump of velocities, or round-off, brought.
    pub fn cross(&mut self, t: f64, jumped: bool) {
        for k in 0..self.path.user_events.lookouts.len() {
            let event = &self.path.model.events[k];
            let lookout = &mut self.path.user_events.lookouts[k];
            let (side, value) = (lookout.side, lookout.value);
            let over = side * value <= 0.0 || jumped && lookout.is_zero(value);
            let crossed = self.path.user_events.crossed.contains(&k);
            if side != 0.0 && (crossed || over) {
                if event.when.means(side) {
                    let rises = side < 0.0;
                    self.record.out.user_events.push(UserEventRecord { t, event: k, rises });
                    if event.then == Consequence::Stop && self.record.out.ended_by.is_none() {
                        self.record.out.ended_by = Some(k);
                    }
                }
                lookout.side = 0.0;
            }
            lookout.arm();
        }
        self.path.user_events.crossed.clear();
    }
}
