//! Where the events of a step lie: the step is cut at the first of them.

use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::guard::Guard;
use crate::simulate::locate::Locator;
use crate::simulate::locate::user_event::{NODES, cubic};
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::system::turning_normal;
use crate::simulate::trajectory::Trajectory;

/// Inside a step a gap may differ from the polynomial through its ends by this part of its variation over the step.
const DEVIATION: f64 = 1e-3;
/// A force that still has this part of what it had where it should be zero has jumped.
const JUMP: f64 = 1e-3;
/// The most halvings of a step: no polynomial follows a gap with a corner.
const MOST_HALVINGS: usize = 12;

/// The least gap of a parabola through what is seen at an end of a step of length h, if it turns within the step: before the end (`way` = −1)
/// or behind it (1).
fn turn_of(see: &Observation, h: f64, way: f64) -> Option<f64> {
    let time = -way * see.rate / see.acceleration;
    (see.acceleration > 0.0 && 0.0 < time && time < h)
        .then(|| see.gap - 0.5 * see.rate * see.rate / see.acceleration)
}

/// The gap, at a part of a step of length h, of the polynomial through g, ġ and g̈ at both ends.
fn quintic(x: f64, h: f64, a: &Observation, b: &Observation) -> f64 {
    let from_end = |y: f64, see: &Observation, h: f64| {
        let z = 1.0 - y;
        z * z
            * z
            * (see.gap * (1.0 + 3.0 * y + 6.0 * y * y)
                + h * see.rate * y * (1.0 + 3.0 * y)
                + 0.5 * h * h * see.acceleration * y * y)
    };
    from_end(x, a, h) + from_end(1.0 - x, b, -h)
}

/// What a step lands on.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Contact((usize, Guard)),
    User(usize),
}

impl Locator<'_, '_> {
    /// Guards that the last step passed, landed on: the step is cut at the first of them.
    ///
    /// A step may lead through bodies to where a contact has no normal: it is halved until it ends before.
    pub fn events(&mut self) -> Result<Vec<(usize, Guard)>, SimulateError> {
        let t_old = self.path.method.t_old();
        loop {
            let h = self.path.method.h();
            match self.cut_at_features(t_old).and_then(|()| self.events_of_step()) {
                Err(SimulateError::Motion { error, .. })
                    if error.is_of_place()
                        && h > 10.0 * self.path.watch.resolution.instant(t_old) =>
                {
                    self.path.user_events.crossed.clear();
                    self.path.method.accept_until(&mut self.path.system, t_old + 0.5 * h)?;
                    self.path.method.shorten(0.5 * h);
                }
                found => return found,
            }
        }
    }

    fn events_of_step(&mut self) -> Result<Vec<(usize, Guard)>, SimulateError> {
        let (t_old, t) = (self.path.method.t_old(), self.path.method.t());
        self.leave_out_far_spots()?;
        self.path.observe_end()?;
        self.refine_gaps(t_old)?;
        self.cut_at_user_events(t_old)?;
        self.cut_at_forces(t_old)?;
        self.shorten_onset(t_old)?;
        self.cut_at_corners(t_old)?;
        self.cut_at_switches(t_old)?;
        let t = self.path.method.t().min(t);
        self.find_dips(t_old, t)?;
        let mut fired = self.passed();
        let crossings = self.crossings()?;
        if fired.is_empty() && crossings.is_empty() {
            return Ok(fired);
        }
        // A bounce that does not reach zero, from a gap that is zero within its digits, ends at its highest point; there the step was cut.
        let turned = |(k, guard): &(usize, Guard)| {
            let (before, after) = (&self.path.step.before[*k], &self.path.step.after[*k]);
            let unit = self.path.watch.unit(*k);
            let low = guard.value(before, &unit) <= 0.0 && before.rate > 0.0;
            *guard == Guard::Closes && low && after.rate >= -unit.rest()
        };
        if fired.iter().all(turned) && crossings.is_empty() {
            return Ok(fired);
        }
        fired.retain(|pair| !turned(pair));
        // A contact that begins without speed begins where the step does.
        let begun = |(k, guard): &(usize, Guard)| {
            guard.value(&self.path.step.before[*k], &self.path.watch.unit(*k)) <= 0.0
        };
        let strongest = self.path.strongest();
        let unloaded = |pair: &(usize, Guard)| {
            // A contact whose force is small beside the strongest does not trigger a slip event.
            let carries = self.path.step.after[pair.0].force > zero::SHARES * strongest;
            pair.1 == Guard::Slips && begun(pair) && !carries
        };
        fired.retain(|pair| !unloaded(pair));
        if fired.iter().any(begun) {
            fired.retain(begun);
            let h = self.path.method.h();
            // A step has a length: the shortest that time resolves.
            let tiny = self.path.watch.resolution.tick(t_old).min(0.5 * h);
            self.path.cut(t_old + tiny)?;
            return Ok(fired);
        }
        let mut times = Vec::with_capacity(fired.len());
        let end = self.path.method.t();
        for (k, guard) in std::mem::take(&mut fired) {
            let unit = self.path.watch.unit(k);
            let time = self.path.time_of([t_old, end], |seen| guard.value(&seen[k], &unit))?;
            if guard != Guard::Slips || self.carries(time, k)? {
                fired.push((k, guard));
                times.push(time);
            }
        }
        let first = times.iter().copied().fold(f64::INFINITY, f64::min);
        let apart = self.path.watch.resolution.instant(t);
        let earliest = crossings.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a });
        // Of a contact and an event of the user at one instant the contact is landed on.
        let target = match (times.iter().position(|x| *x == first), earliest) {
            (Some(chosen), None) => Target::Contact(fired[chosen]),
            (Some(chosen), Some((_, x))) if first <= x + apart => Target::Contact(fired[chosen]),
            (_, Some((event, _))) => Target::User(event),
            (None, None) => return Ok(Vec::new()),
        };
        let landed = self.land_on(target)?;
        self.path.observe_end()?;
        let landed = self.cross_jump(t_old, landed, target)?;
        let mut now = Vec::with_capacity(fired.len());
        for (x, pair) in times.into_iter().zip(fired) {
            let reached =
                pair.1.reached(&self.path.step.after[pair.0], apart, &self.path.watch.unit(pair.0));
            if x <= landed + apart || reached || Target::Contact(pair) == target {
                now.push(pair);
            }
        }
        for k in 0..self.path.user_events.lookouts.len() {
            let passed = crossings.iter().any(|c| c.0 == k && c.1 <= landed + apart);
            if passed
                || self.path.user_events.reached(self.path.model, k, apart)
                || Target::User(k) == target
            {
                self.path.user_events.crossed.push(k);
            }
        }
        Ok(now)
    }

    /// Ends the step where the event function of the target is zero; when.
    fn land_on(&mut self, target: Target) -> Result<f64, SimulateError> {
        let Trajectory { method, system, watch, .. } = &mut *self.path;
        let (mut failed, units) = (None, [watch.resolution, watch.resolution.angular()]);
        let angular = watch.angular.clone();
        let mut event = |t: f64, y: &[f64]| match watch.observe(t, y) {
            Ok(seen) => match target {
                Target::Contact((k, guard)) => {
                    guard.value(&seen[k], &units[usize::from(angular[k])])
                }
                Target::User(event) => watch.courses[event][0],
            },
            Err(error) => {
                failed = Some(SimulateError::Motion { t, error });
                f64::NAN
            }
        };
        let landed = method.land(system, &mut event);
        match failed {
            Some(error) => Err(error),
            None => landed,
        }
    }

    /// A force that jumps passes zero without being there: the step ends behind the jump. When it ends.
    fn cross_jump(&mut self, t_old: f64, t: f64, target: Target) -> Result<f64, SimulateError> {
        let Target::Contact((k, guard)) = target else { return Ok(t) };
        let unit = self.path.watch.unit(k);
        let (was, is) = (
            guard.value(&self.path.step.before[k], &unit),
            guard.value(&self.path.step.after[k], &unit),
        );
        let behind = t + self.path.behind(t);
        if !guard.is_of_forces() || is <= JUMP * was || behind <= t_old {
            return Ok(t);
        }
        self.path.cut(behind)?;
        Ok(behind)
    }

    /// Whether the force of a spot at a time inside the last step counts: where it has all but vanished the contact is about to open, not to slip.
    fn carries(&mut self, t: f64, k: usize) -> Result<bool, SimulateError> {
        let least = zero::SHARES * self.path.strongest();
        Ok(self.path.observe_inside(t)?[k].force > least)
    }

    fn passed(&self) -> Vec<(usize, Guard)> {
        let mut fired = Vec::new();
        let slip_begins = self.path.slip_begins();
        for (k, (spot, status)) in self.path.watch.spots.iter().enumerate() {
            if self.path.watch.far[k] {
                continue;
            }
            let unit = self.path.watch.unit(k);
            let guards = Guard::of(status, self.path.rule(*spot)).iter();
            // During the onset of a slip, the correction at the end of the step decides which points slip.
            let guards = guards.filter(|g| !(slip_begins && **g == Guard::Slips));
            let passed = guards
                .filter(|g| g.fires(&self.path.step.before[k], &self.path.step.after[k], &unit));
            fired.extend(passed.map(|g| (k, *g)));
        }
        fired
    }

    /// Halves the last step until the observations at its ends predict the open gaps inside: a body that spins freely or is
    /// driven may come back within a step as if nothing had been.
    fn refine_gaps(&mut self, t_old: f64) -> Result<(), SimulateError> {
        let open = |spot: &(Spot, Status)| matches!(spot.1, Status::Open);
        if !self
            .path
            .watch
            .spots
            .iter()
            .zip(&self.path.watch.far)
            .any(|(spot, far)| !far && open(spot))
        {
            return Ok(());
        }
        for _ in 0..MOST_HALVINGS {
            let h = self.path.method.t() - t_old;
            let mut deviates = false;
            for part in NODES {
                self.path.observe_inside(t_old + part * h)?;
                let ends = self.path.step.before.iter().zip(&self.path.step.after);
                let spots = self.path.watch.spots.iter().zip(self.path.watch.seen()).zip(ends);
                let contacts = &self.path.model.contacts;
                let near = spots.enumerate().filter(|(k, _)| !self.path.watch.far[*k]);
                deviates |= near.into_iter().any(|(k, ((spot, see), (a, b)))| {
                    let turns = turning_normal(&contacts[spot.0.contact].geometry).is_some();
                    let expected = |x: f64| {
                        if turns {
                            cubic(x, h, [a.gap, a.rate], [b.gap, b.rate])[0]
                        } else {
                            quintic(x, h, a, b)
                        }
                    };
                    let run = (b.gap - a.gap).abs() + (see.gap - a.gap).abs();
                    let digits = self.path.watch.unit(k).gap_digits();
                    // A gap that falls and rises is searched for its turn; one that does so beside another turn shows it at neither end.
                    let falls_and_rises = a.rate < 0.0 && b.rate > 0.0;
                    let least = [turn_of(a, h, 1.0), turn_of(b, h, -1.0)].into_iter().flatten();
                    let hidden = b.gap > 0.0
                        && !falls_and_rises
                        && least.into_iter().any(|gap| gap < DEVIATION * run - digits);
                    let misses = (see.gap - expected(part)).abs() > DEVIATION * run + digits;
                    open(spot) && !see.vacant && (misses || hidden)
                });
            }
            if !deviates {
                break;
            }
            self.path.cut(t_old + 0.5 * h)?;
        }
        Ok(())
    }

    /// A gap that dips below zero and returns inside the step, or rises from zero and returns: the step is cut at the turn.
    fn find_dips(&mut self, t_old: f64, t: f64) -> Result<(), SimulateError> {
        let mut cut = t;
        for k in 0..self.path.watch.spots.len() {
            if self.path.watch.far[k] {
                continue;
            }
            let (a, b) = (self.path.step.before[k], self.path.step.after[k]);
            // A touch that is over within the step that it begins with is a dip, too.
            let dips = match self.path.watch.spots[k].1 {
                Status::Open => a.gap > 0.0,
                Status::Touching(_) => a.gap >= 0.0,
                Status::Parted(_) | Status::Staying(_) => false,
            };
            let dips = dips && b.gap > 0.0 && a.rate < 0.0 && b.rate > 0.0;
            // A bounce that returns: its closing is looked for from the highest point on, not where it began.
            let open = matches!(self.path.watch.spots[k].1, Status::Open);
            let hops = open && a.gap <= self.path.watch.unit(k).gap_digits() && a.rate > 0.0;
            // A parted pair that is pressed again: it may have opened, or not.
            let parted = matches!(self.path.watch.spots[k].1, Status::Parted(_)) && a.rate > 0.0;
            let hops = (hops || parted) && b.gap <= 0.0 && b.rate < 0.0;
            if !(dips || hops) {
                continue;
            }
            let turn = self.path.time_of([t_old, t], |seen| seen[k].rate)?;
            if turn < cut && (hops || self.path.observe_inside(turn)?[k].gap < 0.0) {
                cut = turn;
            }
        }
        if cut < t && cut - t_old > self.path.watch.resolution.tick(t_old) {
            self.path.cut(cut)?;
        }
        Ok(())
    }
}
