//! The best design within bounds: a global search without derivatives, then a local one.
//!
//! Global: differential evolution, rand/1/bin (Storn, Price, J. Global Optim. 11 (1997) 341-359), from Sobol points, with
//! Deb's rules for constraints (Comput. Methods Appl. Mech. Eng. 186 (2000) 311-338): what keeps them is better than what
//! breaks them, and of two that break them the one that breaks them less. Local: the simplex of Nelder and Mead (Comput. J. 7
//! (1965) 308-313) in the box.

use super::chance;
use super::evaluate::{Evaluator, PointError};
use super::formula::Needs;
use super::plan::Study;
use super::sobol::{MOST_DIMENSIONS, Sobol};
use crate::model::study::Level;
use thiserror::Error;

/// Why nothing can be optimised.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum OptimiseError {
    /// The study does not say what for.
    #[error("the study has neither `minimise` nor `maximise`: what is to be made small or large?")]
    NoGoal,
    /// Nothing may change.
    #[error("the study has no variables, or too many for a search ({count}; at most {most})")]
    Variables {
        /// How many.
        count: usize,
        /// The most.
        most: usize,
    },
    /// No point that was tried has a value.
    #[error("no point within the bounds has a value; the last one: {0}")]
    Nowhere(PointError),
}

/// A point that was better than all before it.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// After how many evaluations it was found.
    pub evaluations: usize,
    /// Whether the local search found it.
    pub local: bool,
    /// The variables.
    pub levels: Vec<Level>,
    /// The goal.
    pub value: f64,
    /// By how much constraints are broken; zero if they are kept.
    pub broken: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// The path; its last entry is the best point.
    pub path: Vec<Improvement>,
    /// The goal at the file's own values, if they have one.
    pub start: Option<f64>,
    /// Evaluations in all.
    pub evaluations: usize,
    /// Whether the goal was to be large.
    pub maximise: bool,
}

impl Optimum {
    /// The best point.
    pub fn best(&self) -> Option<&Improvement> {
        self.path.last()
    }
}

/// Members of the population for each variable.
const MEMBERS: usize = 8;
/// F and CR of the evolution, as its authors advise.
const WEIGHT: f64 = 0.7;
const CROSSOVER: f64 = 0.9;
/// Evaluations of a local search for each variable.
const LOCAL: usize = 200;
/// Local searches, each from the best point so far.
const RESTARTS: i32 = 3;
/// A simplex smaller than this part of the box has arrived.
const ARRIVED: f64 = 1e-10;

/// How good a point is: broken constraints first, then the goal; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score {
    broken: f64,
    value: f64,
}

impl Score {
    fn better(&self, other: &Self) -> bool {
        match self.broken.total_cmp(&other.broken) {
            std::cmp::Ordering::Equal => self.value < other.value,
            order => order.is_lt(),
        }
    }
}

struct Search<'s> {
    study: &'s Study,
    evaluator: Evaluator<'s>,
    maximise: bool,
    out: Optimum,
    best: Option<(Vec<f64>, Score)>,
    error: Option<PointError>,
    local: bool,
    /// Evaluations in all, at most.
    most: usize,
}

/// Searches, with at most that many evaluations: the local searches have what they need of the last half.
pub fn optimise(study: &Study, evaluations: usize, seed: u64) -> Result<Optimum, OptimiseError> {
    let Some((goal, maximise)) = study.goal.clone() else { return Err(OptimiseError::NoGoal) };
    let d = study.design.axes().len();
    if d == 0 || d > MOST_DIMENSIONS {
        return Err(OptimiseError::Variables { count: d, most: MOST_DIMENSIONS });
    }
    // Only what the goal and its conditions need is computed.
    let mut study = study.clone();
    study.needs = Needs::default();
    study.needs.add(&goal.formula);
    for condition in &study.constraints {
        study.needs.add(&condition.low);
        study.needs.add(&condition.high);
    }
    let mut search = Search {
        study: &study,
        evaluator: Evaluator::new(&study),
        maximise,
        out: Optimum { path: Vec::new(), start: None, evaluations: 0, maximise },
        best: None,
        error: None,
        local: false,
        most: evaluations,
    };
    search.out.start = search.start();
    search.evolve(d, evaluations - (evaluations / 2).min(3 * LOCAL * d), seed);
    search.local = true;
    for restart in 0..RESTARTS {
        search.simplex(d, 0.05 * 0.2_f64.powi(restart));
    }
    match (search.out.path.is_empty(), search.error) {
        (true, Some(error)) => Err(OptimiseError::Nowhere(error)),
        _ => Ok(search.out),
    }
}

impl Search<'_> {
    /// The goal at the file's own values.
    fn start(&mut self) -> Option<f64> {
        let levels: Vec<Level> = self.study.stated().into_iter().collect::<Option<_>>()?;
        let slots = self.evaluator.slots(&levels).ok()?;
        let (goal, _) = self.study.goal.as_ref()?;
        Some(goal.formula.value(&slots)).filter(|x| !x.is_nan())
    }

    fn score(&mut self, shares: &[f64]) -> Score {
        let bad = Score { broken: f64::INFINITY, value: f64::INFINITY };
        if self.out.evaluations >= self.most {
            return bad;
        }
        self.out.evaluations += 1;
        let levels = self.study.design.levels_at(shares);
        let slots = match self.evaluator.slots(&levels) {
            Ok(slots) => slots,
            Err(error) => {
                self.error = Some(error);
                return bad;
            }
        };
        let Some((goal, _)) = &self.study.goal else { return bad };
        let found = goal.formula.value(&slots);
        let broken: f64 = self
            .study
            .constraints
            .iter()
            .filter(|c| !c.holds(&slots))
            // On the edge of a strict condition the slack is zero, and it is broken all the same.
            .map(|c| (-c.slack(&slots)).max(f64::MIN_POSITIVE))
            .sum();
        // ∞ is hardest: worse than every number if the goal is to be small, and the answer if it is to be large.
        if found.is_nan() || broken.is_nan() {
            let measure = goal.name.clone();
            self.error = Some(PointError::Undefined { measure });
            return bad;
        }
        let score = Score { broken, value: if self.maximise { -found } else { found } };
        if self.best.as_ref().is_none_or(|(_, best)| score.better(best)) {
            self.best = Some((shares.to_vec(), score));
            let (evaluations, local) = (self.out.evaluations, self.local);
            self.out.path.push(Improvement { evaluations, local, levels, value: found, broken });
        }
        score
    }

    fn evolve(&mut self, d: usize, evaluations: usize, seed: u64) {
        let Some(sobol) = Sobol::new(d, Some(seed)) else { return };
        let members = (MEMBERS * d).clamp(12, 96) as u64;
        let place = |k: u64| (0..d).map(|i| sobol.coordinate(k, i)).collect::<Vec<f64>>();
        let mut all: Vec<(Vec<f64>, Score)> = Vec::new();
        for k in 0..members {
            let at = place(k);
            let score = self.score(&at);
            all.push((at, score));
        }
        let mut drawn = 0;
        let mut draw = || {
            drawn += 1;
            chance::unit(chance::bits(seed, 0xde, drawn))
        };
        let n = all.len();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ x < count")]
        let pick = |x: f64, count: usize| (x * count as f64) as usize;
        while self.out.evaluations + n <= evaluations {
            for k in 0..n {
                let [a, b, c] = [draw(), draw(), draw()].map(|x| pick(x, n));
                let kept = pick(draw(), d);
                let mut trial = all[k].0.clone();
                for (i, x) in trial.iter_mut().enumerate() {
                    if i == kept || draw() < CROSSOVER {
                        let mixed = all[a].0[i] + WEIGHT * (all[b].0[i] - all[c].0[i]);
                        // Thrown back from the wall.
                        *x = inside(if mixed > 1.0 { 2.0 - mixed } else { mixed.abs() });
                    }
                }
                let score = self.score(&trial);
                if !all[k].1.better(&score) {
                    all[k] = (trial, score);
                }
            }
        }
    }

    /// Nelder and Mead from the best point.
    fn simplex(&mut self, d: usize, size: f64) {
        let Some((start, score)) = self.best.clone() else { return };
        let mut corners = vec![(start.clone(), score)];
        for i in 0..d {
            let mut corner = start.clone();
            corner[i] = if corner[i] + size <= 1.0 { corner[i] + size } else { corner[i] - size };
            let score = self.score(&corner);
            corners.push((corner, score));
        }
        let most = (self.out.evaluations + LOCAL * d).min(self.most);
        while self.out.evaluations < most {
            corners.sort_by(|a, b| {
                a.1.broken.total_cmp(&b.1.broken).then(a.1.value.total_cmp(&b.1.value))
            });
            let width =
                (0..d).map(|i| (corners[d].0[i] - corners[0].0[i]).abs()).fold(0.0, f64::max);
            if width < ARRIVED {
                return;
            }
            let centre: Vec<f64> = (0..d)
                .map(|i| corners[..d].iter().map(|c| c.0[i]).sum::<f64>() / d as f64)
                .collect();
            let worst = corners[d].0.clone();
            let along = |t: f64| -> Vec<f64> {
                (0..d).map(|i| inside(centre[i] + t * (worst[i] - centre[i]))).collect()
            };
            let mirrored = along(-1.0);
            let score = self.score(&mirrored);
            let new = if score.better(&corners[0].1) {
                let far = along(-2.0);
                let further = self.score(&far);
                if further.better(&score) { (far, further) } else { (mirrored, score) }
            } else if score.better(&corners[d - 1].1) {
                (mirrored, score)
            } else {
                let near = along(if score.better(&corners[d].1) { -0.5 } else { 0.5 });
                let nearer = self.score(&near);
                if nearer.better(&corners[d].1) && nearer.better(&score) {
                    (near, nearer)
                } else {
                    let best = corners[0].0.clone();
                    for corner in &mut corners[1..] {
                        for (x, b) in corner.0.iter_mut().zip(&best) {
                            *x = 0.5 * (*x + b);
                        }
                        corner.1 = self.score(&corner.0);
                    }
                    continue;
                }
            };
            corners[d] = new;
        }
    }
}

fn inside(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}
