//! An impact integrated together with its sensitivities: δ̈ = −F/m and, for every parameter p, ∂δ̈/∂p = −(∂F/∂δ ∂δ/∂p + ∂F/∂δ̇ ∂δ̇/∂p + ∂F/∂p)/m.
//!
//! Where a law pulls and the pair parts at zero force, the bodies fly free; the motion is followed to δ = 0. What an event moves, its
//! derivative says: dT/dp = −(∂g/∂p)/(dg/dt) where g = 0 is the event.

use std::convert::Infallible;

use super::NoMotion;
use super::force::{PARAMETERS, Prepared, Pull};
use crate::contact::law::Parting;
use crate::maths::ode::{Dop853, System, Tolerance};

/// δ, δ̇ and their derivatives.
const SIZE: usize = 2 + 2 * PARAMETERS;
/// Relative and absolute error of a step, in units of the elastic impact.
const RELATIVE: f64 = 1e-11;
const ABSOLUTE: f64 = 1e-12;
/// The first step \[elastic depth divided by the approach speed\].
const FIRST_STEP: f64 = 1e-4;
/// A pair that has not parted after so many times is taken to stay.
const LONGEST: f64 = 300.0;
/// Halvings of an interval in which an event is.
const HALVINGS: usize = 48;

/// A number with its derivatives by the parameters.
pub type Slopes = [f64; PARAMETERS];

/// What is asked of the motion at increasing times after the onset.
#[derive(Clone, Copy, Debug)]
pub struct Sampled {
    /// δ̇ \[m/s\] and its derivatives by the parameters.
    pub rate: (f64, Slopes),
    /// F \[N\] and its derivatives.
    pub force: (f64, Slopes),
    /// dF/dt \[N/s\].
    pub force_rate: f64,
}

/// The events of an impact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed {
    /// −δ̇⁺ \[m/s\].
    pub separation: (f64, Slopes),
    /// The greatest force \[N\].
    pub peak: (f64, Slopes),
    /// From the onset to the parting \[s\].
    pub duration: (f64, Slopes),
}

struct Pair<'a> {
    law: &'a Prepared,
}

impl Pair<'_> {
    /// The force that acts: none where the law pulls and the pair has parted.
    fn acting(&self, x: &[f64]) -> Pull {
        let pull = self.law.pull(x[0], x[1]);
        if pull.force < 0.0 && self.law.parting() == Parting::ZeroForce {
            Pull::default()
        } else {
            pull
        }
    }
}

impl System for Pair<'_> {
    type Error = Infallible;

    fn rate(&mut self, _t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        let pull = self.acting(x);
        let ease = 1.0 / self.law.mass;
        rate[0] = x[1];
        rate[1] = -pull.force * ease;
        for (k, slope) in pull.parameters.iter().enumerate() {
            let at = 2 + 2 * k;
            rate[at] = x[at + 1];
            rate[at + 1] = -(pull.slopes[0] * x[at] + pull.slopes[1] * x[at + 1] + slope) * ease;
        }
        Ok(())
    }
}

/// The derivatives of the force along the motion.
fn whole(pull: &Pull, x: &[f64]) -> Slopes {
    std::array::from_fn(|k| {
        pull.slopes[0] * x[2 + 2 * k] + pull.slopes[1] * x[3 + 2 * k] + pull.parameters[k]
    })
}

/// The motion as a sample sees it.
fn told(pair: &Pair<'_>, x: &[f64]) -> Sampled {
    let pull = pair.acting(x);
    Sampled {
        rate: (x[1], std::array::from_fn(|k| x[3 + 2 * k])),
        force: (pull.force, whole(&pull, x)),
        force_rate: pull.slopes[0] * x[1] - pull.slopes[1] * pull.force / pair.law.mass,
    }
}

/// dF/dt of the formula, whether it pushes or pulls.
fn push_rate(law: &Prepared, x: &[f64]) -> f64 {
    let pull = law.pull(x[0], x[1]);
    pull.slopes[0] * x[1] - pull.slopes[1] * pull.force / law.mass
}

/// Where the sign of g changes within the last step, and the state there: just behind the change.
fn place(
    method: &mut Dop853,
    pair: &mut Pair<'_>,
    ([mut low, mut high], before): ([f64; 2], &[f64; SIZE]),
    g: &dyn Fn(&[f64]) -> f64,
) -> Result<(f64, [f64; SIZE]), NoMotion> {
    let mut x = *before;
    let first = g(before) > 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        method.interpolate(pair, middle, &mut x)?;
        if (g(&x) > 0.0) == first {
            low = middle;
        } else {
            high = middle;
        }
    }
    method.interpolate(pair, high, &mut x)?;
    Ok((high, x))
}

/// Integrates from the onset to the parting; `sample` is told the motion at each of `times`, which rise.
pub fn motion(
    law: &Prepared,
    times: &[f64],
    sample: &mut dyn FnMut(usize, &Sampled),
) -> Result<Passed, NoMotion> {
    let mut pair = Pair { law };
    let (length, speed, mass) = (law.depth(), law.speed, law.mass);
    let time = length / speed;
    if !(time > 0.0 && time.is_finite() && length > 0.0) {
        return Err(NoMotion::Stays);
    }
    let mut absolute = [0.0; SIZE];
    for (k, error) in absolute.iter_mut().enumerate() {
        *error = ABSOLUTE * if k % 2 == 0 { length } else { speed };
    }
    let mut start = [0.0; SIZE];
    start[1] = speed;
    let mut method = Dop853::new(SIZE);
    let tolerance = Tolerance { relative: RELATIVE, absolute: &absolute };
    method.start(0.0, &start, FIRST_STEP * time, tolerance)?;
    let mut next = 0;
    let mut out = Passed::default();
    let onset = law.pull(0.0, speed);
    out.peak = (onset.force, onset.parameters);
    let mut x = start;
    while next < times.len() && times[next] <= 0.0 {
        sample(
            next,
            &Sampled {
                rate: (speed, [0.0; PARAMETERS]),
                force: (0.0, [0.0; PARAMETERS]),
                force_rate: 0.0,
            },
        );
        next += 1;
    }
    let mut before = start;
    loop {
        method.step(&mut pair, 2.0 * LONGEST * time)?;
        let (t_old, t_new) = (method.t_old(), method.t());
        let here: [f64; SIZE] = std::array::from_fn(|k| method.y()[k]);
        let opened = here[0] <= 0.0 && here[1] < 0.0;
        let step = [t_old, t_new];
        // The end first: what comes after it in the step is no motion.
        let end = if opened {
            Some(place(&mut method, &mut pair, (step, &before), &|x| x[0])?)
        } else {
            None
        };
        let last = end.as_ref().map_or(t_new, |e| e.0);
        if push_rate(law, &before) > 0.0 && push_rate(law, &here) <= 0.0 {
            let (_, at) = place(&mut method, &mut pair, (step, &before), &|x| push_rate(law, x))?;
            let pull = law.pull(at[0], at[1]);
            if pull.force > out.peak.0 {
                out.peak = (pull.force, whole(&pull, &at));
            }
        }
        let pulls = |x: &[f64]| law.pull(x[0], x[1]).force;
        let zero_force = law.parting() == Parting::ZeroForce;
        if zero_force && before[1] < 0.0 && pulls(&before) > 0.0 && pulls(&here) <= 0.0 {
            let (t, at) = place(&mut method, &mut pair, (step, &before), &|x| pulls(x))?;
            let pull = law.pull(at[0], at[1]);
            let rate = pull.slopes[0] * at[1] - pull.slopes[1] * pull.force / mass;
            let slopes = whole(&pull, &at);
            if rate != 0.0 && t < last {
                out.duration = (t, slopes.map(|s| -s / rate));
            }
        }
        while next < times.len() && times[next] <= last {
            method.interpolate(&mut pair, times[next], &mut x)?;
            sample(next, &told(&pair, &x));
            next += 1;
        }
        if let Some((t, at)) = end {
            let pull = pair.acting(&at);
            let moved = |k: usize| -at[2 + 2 * k] / at[1];
            // Free flight at the end changes no speed; a force that still acts does.
            let turn = -pull.force / mass;
            let after: Slopes = std::array::from_fn(|k| -(at[3 + 2 * k] + turn * moved(k)));
            out.separation = (-at[1], after);
            if out.duration.0 == 0.0 {
                out.duration = (t, std::array::from_fn(moved));
            }
            let flown = Sampled {
                rate: (at[1], after.map(|s| -s)),
                force: (0.0, [0.0; PARAMETERS]),
                force_rate: 0.0,
            };
            for k in next..times.len() {
                sample(k, &flown);
            }
            return Ok(out);
        }
        if t_new > LONGEST * time {
            return Err(NoMotion::Stays);
        }
        before = here;
    }
}
