//! What happens inside a step: functions that dip below zero and return before it ends.

use crate::maths::maximum::maximum;
use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::guard::Guard;
use crate::simulate::locate::Locator;
use crate::simulate::mode::{Grip, Observation, Status};
use crate::simulate::resolution::Resolution;
use crate::simulate::system::Motion;

/// Where a step is sampled, as parts of it: unevenly, so that no oscillation is missed.
const NODES: [f64; 4] = [0.21, 0.47, 0.68, 0.89];
/// The samples that, with the ends, support the polynomial which the others are compared with.
const SUPPORT: [usize; 2] = [0, 2];
/// The polynomial may miss a sample by this part of the function's variation over the step, and by round-off of its size.
const DEVIATION: f64 = 1e-2;
/// A function further from zero than this many times its variation over the step does not reach zero.
const FAR: f64 = 3.0;
/// The most halvings of a step.
const MOST_HALVINGS: usize = 16;
/// The time of a dip, in parts of the step.
const WIDTH: f64 = 1e-6;
/// The next step is no longer than this many times one that had to be cut.
const GROW: f64 = 2.0;

/// A function at the beginning, at the samples and at the end of a step.
type Course = [f64; NODES.len() + 2];

fn nodes() -> Course {
    let [a, b, c, d] = NODES;
    [0.0, a, b, c, d, 1.0]
}

/// The polynomial through chosen places.
fn interpolated(course: &Course, chosen: &[usize], x: f64) -> f64 {
    let at = nodes();
    let term = |&i: &usize| {
        let others = chosen.iter().filter(|j| **j != i);
        course[i] * others.map(|&j| (x - at[j]) / (at[i] - at[j])).product::<f64>()
    };
    chosen.iter().map(term).sum()
}

/// Whether the function deviates from the polynomial through its ends and two samples, and may reach zero.
fn deviates(course: &Course) -> bool {
    let largest = course.iter().fold(f64::NEG_INFINITY, |m, x| m.max(*x));
    let least = course.iter().fold(f64::INFINITY, |m, x| m.min(*x));
    let run = largest - least;
    let size = largest.abs().max(least.abs());
    let chosen = [0, SUPPORT[0] + 1, SUPPORT[1] + 1, NODES.len() + 1];
    let misses = |i: usize| (interpolated(course, &chosen, nodes()[i]) - course[i]).abs();
    least < FAR * run
        && (1..=NODES.len()).any(|i| misses(i) > DEVIATION * run + zero::INTEGRATED * size)
}

/// Whether a function that goes from a to b over a step crosses a level; what the step begins with is behind it.
pub(in crate::simulate) fn crosses(a: f64, b: f64, level: f64) -> bool {
    // A crossing in the first millionth of the variation belongs to the beginning of the step.
    let begins = (a - level).abs() <= zero::MODES * (b - a).abs();
    !begins && (a - level) * (b - level) < 0.0
}

impl Locator<'_, '_> {
    /// Halves the last step until samples predict the forces, the friction and the slips of resting contacts inside it,
    /// and cuts it where one of them dips below zero and returns.
    pub fn cut_at_forces(&mut self, t_old: f64) -> Result<(), SimulateError> {
        let guards = self.guards_of_stays();
        if guards.is_empty() {
            return Ok(());
        }
        let mut courses = Vec::with_capacity(guards.len());
        for halving in 0..=MOST_HALVINGS {
            self.sample_guards(t_old, &guards, &mut courses)?;
            self.mute_round_off(&guards, &mut courses);
            let h = self.path.method.t() - t_old;
            let short =
                halving == MOST_HALVINGS || h <= 10.0 * self.path.watch.resolution.instant(t_old);
            if short || !courses.iter().any(deviates) {
                break;
            }
            self.path.method.accept_until(&mut self.path.system, t_old + 0.5 * h)?;
            self.path.method.shorten(GROW * 0.5 * h);
            self.path.observe_end()?;
        }
        self.cut_at_dips(t_old, &guards, &courses)
    }

    /// What ends the modes of contacts that stay.
    fn guards_of_stays(&self) -> Vec<(usize, Guard)> {
        let mut out = Vec::new();
        for (k, (spot, status)) in self.path.watch.spots.iter().enumerate() {
            if status.stays() && *status != Status::Staying(Grip::Idle) {
                let guards = Guard::of(status, self.path.rule(*spot)).iter();
                out.extend(guards.map(|guard| (k, *guard)));
            }
        }
        out
    }

    /// The courses of the guards over the last step.
    fn sample_guards(
        &mut self,
        t_old: f64,
        guards: &[(usize, Guard)],
        out: &mut Vec<Course>,
    ) -> Result<(), SimulateError> {
        let h = self.path.method.t() - t_old;
        let units: Vec<Resolution> = guards.iter().map(|g| self.path.watch.unit(g.0)).collect();
        let value =
            |seen: &[Observation], n: usize| guards[n].1.value(&seen[guards[n].0], &units[n]);
        out.clear();
        for n in 0..guards.len() {
            let mut course = [0.0; NODES.len() + 2];
            course[0] = value(&self.path.step.before, n);
            course[NODES.len() + 1] = value(&self.path.step.after, n);
            out.push(course);
        }
        for (i, part) in NODES.iter().enumerate() {
            let seen = self.path.observe_inside(t_old + part * h)?;
            for (n, course) in out.iter_mut().enumerate() {
                course[i + 1] = value(seen, n);
            }
        }
        Ok(())
    }

    /// Explicit steps end where a slip comes to a corner of its friction: at once through a band they would not see it.
    pub fn cut_at_corners(&mut self, t_old: f64) -> Result<(), SimulateError> {
        if self.path.method.is_stiff() {
            return Ok(());
        }
        let t = self.path.method.t();
        let mut cut = t;
        for k in 0..self.path.watch.spots.len() {
            let (spot, Status::Touching(_)) = self.path.watch.spots[k] else { continue };
            let friction = self.path.watch.frictions[spot.contact].as_ref();
            let Some(corner) = friction.and_then(|law| law.corner()) else { continue };
            let mut a = (t_old, self.path.step.before[k].slip);
            // A speed may come near to zero and return; along a tangent the slip passes it.
            let parts = if self.path.model.is_planar() { &[][..] } else { &NODES[..] };
            for part in parts.iter().chain(&[1.0]) {
                let at = t_old + part * (t - t_old);
                let last = *part == 1.0;
                let slip = if last {
                    self.path.step.after[k].slip
                } else {
                    self.path.observe_inside(at)?[k].slip
                };
                for level in [-corner, corner] {
                    if crosses(a.1, slip, level) {
                        cut = cut.min(self.path.time_of([a.0, at], |seen| seen[k].slip - level)?);
                    }
                }
                a = (at, slip);
            }
        }
        for (v, corner) in self.path.watch.joint_frictions.corners() {
            let [a, b] =
                [&self.path.step.y, self.path.method.y()].map(|y| y[self.path.model.nq + v]);
            for level in [-corner, corner] {
                if crosses(a, b, level) {
                    let of = |watch: &Motion<'_>| watch.state.v[v] - level;
                    cut = cut.min(self.path.time_of_course([t_old, t], of)?);
                }
            }
        }
        if cut < t && cut > t_old {
            self.path.cut(cut)?;
        }
        Ok(())
    }

    /// Forces that are round-off beside others run nowhere.
    fn mute_round_off(&self, guards: &[(usize, Guard)], courses: &mut [Course]) {
        let least = zero::EVALUATED * self.path.strongest();
        for ((_, guard), course) in guards.iter().zip(courses) {
            if guard.is_of_forces() && course.iter().all(|x| x.abs() <= least) {
                *course = [least; NODES.len() + 2];
            }
        }
    }

    fn cut_at_dips(
        &mut self,
        t_old: f64,
        guards: &[(usize, Guard)],
        courses: &[Course],
    ) -> Result<(), SimulateError> {
        let (t, at) = (self.path.method.t(), nodes());
        let h = t - t_old;
        let mut cut = t;
        for (&(k, guard), course) in guards.iter().zip(courses) {
            let last = course.len() - 1;
            if !(course[0] > 0.0 && course[last] > 0.0) {
                continue;
            }
            let lowest =
                (1..last).fold(1, |best, i| if course[i] < course[best] { i } else { best });
            let run = course.iter().fold(0.0_f64, |m, x| m.max(x - course[lowest]));
            if course[lowest] > 0.0 && course[lowest] > run {
                continue;
            }
            let (mut failed, unit) = (None, self.path.watch.unit(k));
            let below = |x: f64| match self.path.observe_inside(x) {
                Ok(seen) => -guard.value(&seen[k], &unit),
                Err(error) => {
                    failed = Some(error);
                    f64::NAN
                }
            };
            let about = [at[lowest - 1], at[lowest + 1]].map(|x| t_old + x * h);
            let (dip, value) = maximum(below, about, WIDTH * h);
            if let Some(error) = failed {
                return Err(error);
            }
            if value > 0.0 && dip < cut {
                cut = dip;
            } else if course[lowest] <= 0.0 {
                cut = cut.min(t_old + at[lowest] * h);
            }
        }
        if cut < t && cut > t_old {
            self.path.cut(cut)?;
        }
        Ok(())
    }
}
