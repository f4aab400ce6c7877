//! How steps go away from an onset and come to the end of an indentation, where force laws are not smooth.

use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::step::Control;
use crate::simulate::step::clock::Clock;

/// Exponent of the law by which the force is taken to fade.
const FADING: f64 = 1.5;
/// Steps that would go further than this part of the way to the end are taken in the clock that counts towards it.
const NEAR: f64 = 0.3;
/// A step towards the end leaves this part of the way in the clock's variable.
const LEFT: f64 = 0.15;
/// The end is predicted anew where it has moved by more than this part of the time left.
const MOVED: f64 = 0.01;
/// The part of a contact's time that one step crosses the end over, at a tolerance of one.
const ACROSS: f64 = 0.7;
/// The shortest way to an end that is worth a clock of its own has this many instants.
const RESOLVED: f64 = 100.0;

/// The least number of steps of a run with loads that change with time.
const LOOKS_AT_LOADS: f64 = 500.0;

/// How steps begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) struct Approach {
    pub clock: Clock,
    /// Of the clock's variable; to be guessed if there is none.
    pub first_step: Option<f64>,
}

impl Control<'_, '_> {
    /// From a restart: an onset begins its own clock.
    pub fn departure(&self, t: f64, stiff: bool, first: Option<f64>) -> Approach {
        let mut began = self.path.began.iter().flatten();
        if stiff || !began.any(|began| began.t == t) {
            return Approach { clock: Clock::Plain, first_step: first };
        }
        Approach { clock: Clock::Since(t), first_step: first.map(f64::sqrt) }
    }

    /// How far the next step may go: a step towards the end of an indentation does not reach it.
    pub fn limit(&self) -> f64 {
        let until = self.path.scenario.until.min(self.limit_of_slides()).min(self.limit_of_loads());
        let until = until.min(self.schedule.next_instant(self.path.method.t())[0]);
        match self.path.method.clock() {
            Clock::Until(end) => until.min(end - LEFT * LEFT * (end - self.path.method.t())),
            Clock::Plain | Clock::Since(_) => until,
        }
    }

    /// Steps are short where loads change with time: a long step of a machine at rest would pass over a short load.
    fn limit_of_loads(&self) -> f64 {
        if self.schedule.changing_loads {
            self.path.method.t() + self.path.scenario.until / LOOKS_AT_LOADS
        } else {
            f64::INFINITY
        }
    }

    /// Another clock for the next step, if an indentation is about to end.
    pub fn approach(&self, t: f64) -> Option<Approach> {
        let next = self.path.method.proposed()?;
        let clock = self.path.method.clock();
        let plain = |first_step| Approach { clock: Clock::Plain, first_step };
        let counts_down = matches!(clock, Clock::Until(_));
        let Some((left, across)) = self.ending() else {
            // What was about to end goes on.
            return counts_down.then(|| plain(None));
        };
        if left <= across.max(RESOLVED * self.path.watch.resolution.instant(t)) {
            // Short enough to be crossed in a step, which has a landing.
            return (clock != Clock::Plain).then(|| plain(Some(1.1 * left)));
        }
        let moved = match clock {
            Clock::Until(end) => (end - t - left).abs() > MOVED * left,
            Clock::Plain | Clock::Since(_) => next > t + NEAR * left,
        };
        moved.then(|| {
            let root = left.sqrt();
            let first_step = (0.5 * (next - t) / root).min((1.0 - LEFT) * root);
            Approach { clock: Clock::Until(t + left), first_step: Some(first_step) }
        })
    }

    /// The time \[s\] until the first indentation ends, and that which a step may cross its end with.
    fn ending(&self) -> Option<(f64, f64)> {
        let touching = |(spot, status): &(Spot, Status)| match status {
            Status::Touching(onset) => self.path.elastic_time(*spot, onset),
            _ => None,
        };
        let tolerance = self.path.scenario.tolerance;
        let spots = self.path.watch.spots.iter().zip(&self.path.step.before);
        let ends = spots.filter_map(|(spot, see)| {
            let across = ACROSS * tolerance.powf(1.0 / (FADING + 2.0)) * touching(spot)?;
            Some((time_left(see)?, across))
        });
        ends.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// The time until an indentation ends whose force fades like (1 − t/T)ⁿ: u T + u̇ T²/(n + 2) = δ. None if it does not.
fn time_left(see: &Observation) -> Option<f64> {
    if !(see.rate > 0.0 && see.gap < 0.0) {
        return None;
    }
    let discriminant = see.rate * see.rate - 4.0 * see.acceleration * see.gap / (FADING + 2.0);
    let left = -2.0 * see.gap / (see.rate + discriminant.sqrt());
    left.is_finite().then_some(left)
}
