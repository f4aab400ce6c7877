//! The best parameters of a curve, their intervals, and the standard deviations that no column states.

use super::problem::{Problem, Residual};
use crate::maths::distribution::student_two_sided;
use crate::maths::least_squares::{End, Interval, Minimum, interval, minimise};

/// Rounds in which standard deviations and weights settle.
const MOST_ROUNDS: usize = 40;
/// Standard deviations that change less than this have settled.
const SETTLED: f64 = 1e-10;
/// How often a better minimum may be met on the way along a profile.
const MOST_RESTARTS: usize = 4;
/// A standard deviation of zero (an exact model of exact data) is this part of the greatest value measured: the errors of the
/// integration are lost in it.
const EXACT: f64 = 1e-9;
/// The median of |r| of a normal distribution is this part of its standard deviation.
const MEDIAN: f64 = 0.674_489_750_196_081_7;

/// How parameters are searched.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Least and greatest value of each; equal ones are held.
    pub bounds: Vec<(f64, f64)>,
    /// Where the search begins, each time anew.
    pub starts: Vec<Vec<f64>>,
    /// Which of them get an interval, and how far that is searched.
    pub intervals: Vec<(usize, f64)>,
    /// The confidence of the intervals.
    pub level: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The parameters and the sum of squares.
    pub minimum: Minimum,
    /// Intervals of the parameters of the plan, in its order; none where there are no degrees of freedom.
    pub intervals: Vec<Option<[End; 2]>>,
    /// Directions of the free parameters that the data see.
    pub rank: usize,
    /// Free parameters.
    pub free: usize,
    /// Numbers measured.
    pub count: usize,
    /// The residuals.
    pub residuals: Vec<Residual>,
    /// −2 ln of the greatest likelihood, up to a constant that is the same for all curves.
    pub deviance: f64,
}

/// Fits the problem; its scales and spreads are left as they were found. `goes_on` is asked between searches.
pub fn search(problem: &mut Problem, plan: &Plan, goes_on: &dyn Fn() -> bool) -> Option<Found> {
    let free: Vec<usize> =
        (0..plan.bounds.len()).filter(|&k| plan.bounds[k].0 < plan.bounds[k].1).collect();
    let mut best: Option<Minimum> = None;
    for start in &plan.starts {
        if !goes_on() {
            return None;
        }
        let found = minimise(&mut |x| problem.squares(x), start, &plan.bounds);
        if let Some(found) = found
            && best.as_ref().is_none_or(|b| found.normal.cost < b.normal.cost * (1.0 - 1e-9))
        {
            best = Some(found);
        }
    }
    let mut best = best?;
    let count: usize = problem.counts().iter().sum();
    'anew: for restart in 0..=MOST_RESTARTS {
        settle(problem, plan, &mut best, &free, count)?;
        let rank = best.normal.rank(&free);
        let degrees = count.saturating_sub(rank);
        let mut intervals = Vec::with_capacity(plan.intervals.len());
        let threshold = threshold(problem, &best.x, plan.level, degrees)?;
        let unseen = best.normal.unseen(&free);
        for &(k, reach) in &plan.intervals {
            if unseen.contains(&k) {
                intervals.push(Some([End::Open; 2]));
                continue;
            }
            if !goes_on() {
                return None;
            }
            if threshold.is_infinite() || plan.bounds[k].0 >= plan.bounds[k].1 {
                intervals.push(None);
                continue;
            }
            let squares = &mut |x: &[f64]| problem.squares(x);
            match interval(squares, &best, k, &plan.bounds, threshold, reach) {
                Interval::Ends(ends) => intervals.push(Some(ends)),
                // A sum of squares that is rough has no minimum to measure an interval from.
                Interval::Better(_) if restart == MOST_RESTARTS => intervals.push(None),
                Interval::Better(x) => {
                    best = minimise(&mut |x| problem.squares(x), &x, &plan.bounds)?;
                    continue 'anew;
                }
            }
        }
        let residuals = problem.residuals(&best.x).ok()?;
        let deviance = deviance(problem, &residuals);
        let free = free.len();
        return Some(Found { minimum: best, intervals, rank, free, count, residuals, deviance });
    }
    None
}

/// Standard deviations that are not stated, and the spread by approach speeds, until neither changes.
fn settle(
    problem: &mut Problem,
    plan: &Plan,
    best: &mut Minimum,
    free: &[usize],
    count: usize,
) -> Option<()> {
    let estimated = problem.estimated();
    let spreads = problem.impacts.iter().any(|i| i.speed_error > 0.0);
    if !spreads && estimated.iter().all(|e| !e) {
        return Some(());
    }
    for _ in 0..MOST_ROUNDS {
        let before = problem.scales;
        if spreads {
            problem.spread = problem.spread_of_speeds(&best.x).ok()?;
        }
        let rank = best.normal.rank(free);
        let residuals = problem.residuals(&best.x).ok()?;
        // What p parameters take away is shared by all numbers.
        let share = count.saturating_sub(rank).max(1) as f64 / count as f64;
        for k in (0..5).filter(|&k| estimated[k]) {
            let own = || residuals.iter().filter(|r| r.quantity == k);
            let largest = own().map(|r| r.observed.abs()).fold(0.0, f64::max);
            let size = if problem.huber.is_finite() {
                let all = own().map(|r| (r.predicted - r.observed).abs()).collect();
                median(all) / MEDIAN / share.sqrt()
            } else {
                let sum: f64 = own().map(|r| (r.predicted - r.observed).powi(2)).sum();
                (sum / (own().count() as f64 * share)).sqrt()
            };
            problem.scales[k] = size.max(EXACT * largest).max(f64::MIN_POSITIVE);
        }
        *best = minimise(&mut |x| problem.squares(x), &best.x, &plan.bounds)?;
        let same = |a: f64, b: f64| (a - b).abs() <= SETTLED * b.abs();
        let one = estimated.iter().filter(|e| **e).count() == 1 && problem.huber.is_infinite();
        let all = before.iter().zip(&problem.scales).all(|(a, b)| same(*a, *b));
        if all
            || (one
                && !spreads
                && problem.counts().iter().filter(|n| **n > 0).count() == 1
                && !mixed(problem))
        {
            break;
        }
    }
    Some(())
}

/// Whether some numbers of a quantity state their standard deviation and others do not.
fn mixed(problem: &Problem) -> bool {
    let known = |e: Option<f64>| e.is_some();
    let rows = problem.impacts.iter().flat_map(|i| i.observed.iter().flatten()).map(|o| known(o.1));
    let all: Vec<bool> = rows.chain(problem.signals.iter().map(|s| known(s.error))).collect();
    all.iter().any(|k| *k) && all.iter().any(|k| !*k)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 {
        return 0.0;
    }
    0.5 * (values[(n - 1) / 2] + values[n / 2])
}

/// The rise of the sum of squares at the ends of an interval: t² of Student's distribution where standard deviations were estimated,
/// that of the normal distribution else; for Huber's estimate times E ψ²/E ψ′ (Huber 1981, sec. 7.10).
fn threshold(problem: &Problem, x: &[f64], level: f64, degrees: usize) -> Option<f64> {
    let any = problem.estimated().iter().any(|e| *e);
    if any && degrees == 0 {
        return Some(f64::INFINITY);
    }
    let t = student_two_sided(level, if any { degrees as f64 } else { f64::INFINITY });
    let mut factor = 1.0;
    if problem.huber.is_finite() {
        let residuals = problem.residuals(x).ok()?;
        let sizes = residuals.iter().map(|r| ((r.predicted - r.observed) / r.error).abs());
        let (mut inside, mut squares) = (0.0, 0.0);
        for size in sizes {
            inside += f64::from(u8::from(size <= problem.huber));
            squares += size.min(problem.huber).powi(2);
        }
        factor = if inside > 0.0 { squares / inside } else { 1.0 };
    }
    Some(t * t * factor)
}

/// −2 ln L: χ² where standard deviations are stated, N ln(S/N) for each quantity where they are estimated.
fn deviance(problem: &Problem, residuals: &[Residual]) -> f64 {
    let estimated = problem.estimated();
    let rho = |r: &Residual| {
        let size = ((r.predicted - r.observed) / r.error).abs();
        if size > problem.huber {
            problem.huber * (2.0 * size - problem.huber)
        } else {
            size * size
        }
    };
    let mut out = 0.0;
    for (k, estimated) in estimated.iter().enumerate() {
        let own = || residuals.iter().filter(move |r| r.quantity == k);
        let n = own().count() as f64;
        if n == 0.0 {
            continue;
        }
        let sum: f64 = own().map(rho).sum();
        // Weights of stated deviations and of spreads are the same for all curves but for the speeds' share.
        let logs: f64 = own().map(|r| 2.0 * r.error.ln()).sum();
        out += if *estimated { n * (sum / n).ln() + logs } else { sum + logs };
    }
    out
}
