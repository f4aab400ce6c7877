//! Fits every law, those that are one curve once, and ranks them by Akaike's criterion.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::candidate::Candidate;
use super::{FittedParameter, LawFit};
use crate::contact::fit::{Curve, Damping, Found, QUANTITIES, Shared, Slot, outcome, search};
use crate::contact::law::{Bounds, Form, Parameter};
use crate::maths::distribution::chi_square_beyond;
use crate::maths::least_squares::End;

/// A law with what was found of its curve.
pub(super) struct Fitted {
    pub candidate: Candidate,
    pub found: Found,
    pub law: LawFit,
    /// Which curve it is: laws with the same number share it.
    pub curve: usize,
}

/// One search of each candidate, on several threads; none where nothing was found or somebody asked to stop.
fn all(
    candidates: &[&Candidate],
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Vec<Option<(Candidate, Found)>> {
    let next = AtomicUsize::new(0);
    let out = Mutex::new(vec![None; candidates.len()]);
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(k) else { break };
            let mut own = (*candidate).clone();
            let found = search(&mut own.problem, &own.plan, goes_on);
            let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
            out[k] = found.map(|found| (own, found));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, candidates.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    out.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The key of a curve without the bound of its damping, and that bound.
fn family(candidate: &Candidate) -> (String, f64) {
    let mut other = candidate.clone();
    let most = other.plan.bounds[2].1;
    let direct = matches!(candidate.problem.damping, Damping::Direct)
        && matches!(candidate.problem.curve, Curve::Hysteresis)
        && most > 0.0;
    if !direct {
        return (candidate.key(), f64::INFINITY);
    }
    other.plan.bounds[2].1 = f64::INFINITY;
    (other.key(), most)
}

/// Fits all candidates; those without an answer are told by name.
pub(super) fn fit(
    candidates: &[Candidate],
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> (Vec<Fitted>, Vec<&'static str>) {
    let families: Vec<(String, f64)> = candidates.iter().map(family).collect();
    // The law that allows the most damping stands for its family.
    let mut first: Vec<usize> = Vec::new();
    for (k, (key, most)) in families.iter().enumerate() {
        match first.iter_mut().find(|f| families[**f].0 == *key) {
            Some(other) if families[*other].1 < *most => *other = k,
            Some(_) => {}
            None => first.push(k),
        }
    }
    let chosen: Vec<&Candidate> = first.iter().map(|k| &candidates[*k]).collect();
    let mut solved: Vec<(usize, Option<(Candidate, Found)>)> =
        first.iter().copied().zip(all(&chosen, threads, goes_on)).collect();
    // A law whose range of damping ends within the interval has a minimum of its own.
    let shares = |k: usize, found: &Found, plan: &Candidate| {
        let most = families[k].1;
        let at = plan.plan.intervals.iter().position(|(slot, _)| *slot == 2);
        let end = at.and_then(|at| found.intervals[at]).map(|ends| ends[1]);
        match end {
            Some(End::Found(x) | End::Bound(x)) => x <= most,
            Some(End::Open) => true,
            None => found.minimum.x[2] <= most,
        }
    };
    let stands_for = |k: usize| {
        first.iter().position(|f| families[*f].0 == families[k].0).filter(|at| {
            let own = first[*at] == k;
            own || solved[*at].1.as_ref().is_some_and(|(plan, found)| shares(k, found, plan))
        })
    };
    let places: Vec<Option<usize>> = (0..candidates.len()).map(stands_for).collect();
    let mut alone: Vec<usize> = Vec::new();
    for k in (0..candidates.len()).filter(|&k| places[k].is_none()) {
        if !alone.iter().any(|a| candidates[*a].key() == candidates[k].key()) {
            alone.push(k);
        }
    }
    let chosen: Vec<&Candidate> = alone.iter().map(|k| &candidates[*k]).collect();
    solved.extend(alone.iter().copied().zip(all(&chosen, threads, goes_on)));
    let mut out = Vec::new();
    let mut without = Vec::new();
    for (k, candidate) in candidates.iter().enumerate() {
        let place = places[k].or_else(|| {
            (first.len()..solved.len())
                .find(|&at| candidates[solved[at].0].key() == candidate.key())
        });
        let answer = place.and_then(|at| solved[at].1.as_ref().map(|s| (at, s)));
        let Some((curve, (with, found))) = answer else {
            without.push(candidate.entry.name);
            continue;
        };
        let candidate = Candidate {
            entry: candidate.entry,
            problem: with.problem.clone(),
            plan: with.plan.clone(),
        };
        let law = law(&candidate, found);
        out.push(Fitted { candidate, found: found.clone(), law, curve });
    }
    rank(&mut out);
    (out, without)
}

/// The best first; of equal ones the law that delivers the restitution it is asked for, then by the catalogue.
fn rank(all: &mut [Fitted]) {
    let misses = |f: &Fitted| {
        let asked = f.law.parameter("restitution").and_then(|p| p.estimate);
        let delivered = f.law.restitution_delivered;
        // To a thousandth: the last digits of an integration are no reason.
        asked.zip(delivered).map_or(0.0, |(a, d)| ((a - d).abs() * 1e3).round())
    };
    let score = |f: &Fitted| f.law.aicc.unwrap_or(f.found.deviance + 2.0 * f.found.rank as f64);
    all.sort_by(|a, b| {
        if a.curve == b.curve {
            return misses(a).total_cmp(&misses(b));
        }
        // More parameters than the data can pay for: no AICc, and nothing to compare with those that have one.
        let lacks = |f: &Fitted| f.law.aicc.is_none();
        lacks(a).cmp(&lacks(b)).then(score(a).total_cmp(&score(b))).then(a.curve.cmp(&b.curve))
    });
    let best = all.first().map(score);
    for k in 0..all.len() {
        let same = all.iter().filter(|o| o.curve == all[k].curve);
        let names = same.map(|o| o.law.law.clone()).filter(|n| *n != all[k].law.law).collect();
        let difference = best.map(|best| score(&all[k]) - best);
        let own = &mut all[k].law;
        own.same_curve = names;
        own.aicc_difference = difference.filter(|_| own.aicc.is_some());
    }
}

/// An end of an interval, or none if it is open.
fn closed(end: End) -> Option<f64> {
    match end {
        End::Found(x) | End::Bound(x) => Some(x),
        End::Open => None,
    }
}

/// What is said of a law.
fn law(candidate: &Candidate, found: &Found) -> LawFit {
    let x = &found.minimum.x;
    let (entry, units) = (candidate.entry, candidate.problem.units);
    let interval = |slot: usize| {
        let at = candidate.plan.intervals.iter().position(|(k, _)| *k == slot)?;
        found.intervals[at]
    };
    let held = |slot: usize| candidate.plan.bounds[slot].0 >= candidate.plan.bounds[slot].1;
    // A bound that is that of the search, not of physics or of the law, leaves the interval open.
    let own_range = entry.exponent.is_some_and(|(b, _)| b != Bounds::ANY_EXPONENT);
    let made =
        |parameter: Parameter, slot: usize, physical: [bool; 2], map: &dyn Fn(f64) -> f64| {
            let ends = interval(slot).map(|ends| {
                let mut ends = [ends[0], ends[1]];
                for (end, physical) in ends.iter_mut().zip(physical) {
                    if matches!(end, End::Bound(_)) && !physical {
                        *end = End::Open;
                    }
                }
                ends
            });
            let seen = ends.is_some_and(|e| e.iter().any(|e| matches!(e, End::Found(_))));
            // Without degrees of freedom there is an estimate and no interval, where the data see all parameters.
            let exact = ends.is_none() && found.rank == found.free;
            let identified = held(slot) || seen || exact;
            let [a, b] = ends.filter(|_| seen).map_or([None; 2], |e| e.map(closed));
            let (a, b) = (a.map(map), b.map(map));
            let falls = map(1.0) < map(0.5);
            let (low, high) = if falls { (b, a) } else { (a, b) };
            FittedParameter {
                name: parameter.name().to_owned(),
                symbol: parameter.symbol().to_owned(),
                unit: if parameter == Parameter::Stiffness && held(1) {
                    format!("N/m^{}", crate::maths::digits::six(x[1]))
                } else {
                    parameter.unit().to_owned()
                },
                estimate: identified.then(|| map(x[slot])),
                low,
                high,
                identified,
                given: held(slot),
            }
        };
    let mut parameters = vec![
        made(Parameter::Stiffness, 0, [false; 2], &f64::exp),
        made(Parameter::Exponent, 1, [own_range; 2], &|n| n),
    ];
    match (candidate.problem.damping, entry.form) {
        (Damping::Restitution { .. }, _) => {
            parameters.push(made(Parameter::Restitution, Slot::LOSS, [true; 2], &|l| 1.0 - l));
            if !held(Slot::POWER) {
                let mut power = made(Parameter::Exponent, Slot::POWER, [true, false], &|b| b);
                "restitution_power".clone_into(&mut power.name);
                "β".clone_into(&mut power.symbol);
                parameters.push(power);
            }
        }
        (Damping::Direct, Form::Hysteresis(_) | Form::LinearDamping(_)) => {
            let upper = matches!(entry.form, Form::Hysteresis(_)) || held(1);
            let e = |d: f64| candidate.restitution(d, x[1]).unwrap_or(f64::NAN);
            let mut own = made(Parameter::Restitution, 2, [true, upper], &e);
            for end in [&mut own.estimate, &mut own.low, &mut own.high] {
                *end = end.filter(|x| x.is_finite());
            }
            parameters.push(own);
        }
        (Damping::Direct, Form::Viscous) => {
            parameters.push(made(Parameter::Damping, 2, [true, false], &|c| c * units[0]));
        }
        (Damping::Direct, Form::Own(_)) => {
            parameters.push(made(Parameter::MaxDamping, 2, [true, false], &|c| c * units[0]));
            parameters.push(made(Parameter::DampingDepth, 3, [false; 2], &|d| d * units[1]));
        }
        (Damping::Direct, Form::Elastic) => {}
    }
    let chi_square = found.minimum.normal.cost;
    let degrees = found.count.saturating_sub(found.rank);
    let estimated = candidate.problem.estimated();
    let none = estimated.iter().all(|e| !e);
    let deviations = (0..5).filter(|&k| estimated[k]).map(|k| {
        let (name, unit) = QUANTITIES.get(k).map_or(("force", "N"), |q| (q.0, q.2));
        (name.to_owned(), candidate.problem.scales[k], unit.to_owned())
    });
    let k = (found.rank + estimated.iter().filter(|e| **e).count()) as f64;
    let rest = found.count as f64 - k - 1.0;
    let huber = candidate.problem.huber.is_finite();
    let damping_seen = parameters.iter().skip(2).all(|p| p.identified);
    LawFit {
        law: entry.name.to_owned(),
        same_curve: Vec::new(),
        restitution_delivered: if damping_seen { delivered(candidate, x) } else { None },
        parameters,
        chi_square,
        degrees_of_freedom: degrees,
        probability: (none && !huber && degrees > 0)
            .then(|| chi_square_beyond(chi_square, degrees as f64)),
        estimated_deviations: deviations.collect(),
        aicc: (rest > 0.0).then(|| found.deviance + 2.0 * k + 2.0 * k * (k + 1.0) / rest),
        aicc_difference: None,
    }
}

/// The restitution at the median approach speed.
fn delivered(candidate: &Candidate, x: &[f64]) -> Option<f64> {
    let impacts = candidate.problem.impacts.iter().map(|i| (i.mass, i.speed));
    let signals = candidate.problem.signals.iter().map(|s| (s.mass, s.speed));
    let mut all: Vec<(f64, f64)> = impacts.chain(signals).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mass, speed) = *all.get(all.len() / 2)?;
    let law = candidate.problem.prepared(x, mass, speed).ok()?;
    let found = outcome(&law, &mut Shared::default()).ok()?;
    Some(found[0].0 / speed)
}
