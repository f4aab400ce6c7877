//! The best design within bounds.
//!
//! 1. Sobol points over the whole cube, and from those without a better neighbour (`starts`: multi-level single linkage) local searches with
//!    derivatives (`local`). Of words and lists every combination that was met has a search of its own.
//! 2. Where the goal is rough, or has more valleys than the searches agree on: evolution (`evolution`), then the simplex (`simplex`).
//! 3. The best place is tested against its edges (`edge`): where neighbours have no value the edge is followed to its best place.
//!
//! Constraints follow Deb's rules (Comput. Methods Appl. Mech. Eng. 186 (2000) 311-338): what keeps them is better than what breaks them, and of
//! two that break them the one that breaks them less. The search depends on the study, its seed and the number of evaluations alone.

mod crew;
mod edge;
mod evolution;
mod gradient;
mod local;
mod quadratic;
mod simplex;
mod starts;

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::formula::Needs;
use super::log::Entry;
use super::plan::Study;
use super::sobol::MOST_DIMENSIONS;
use crate::model::study::{Domain, Level};
use crew::{Crew, Tried};
use simplex::simplex;

pub use edge::Edge;

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
    Nowhere(String),
}

/// A point that was better than all before it.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// After how many evaluations it was found.
    pub evaluations: usize,
    /// Whether a local search found it.
    pub local: bool,
    /// The variables.
    pub levels: Vec<Level>,
    /// The goal.
    pub value: f64,
    /// By how much constraints are broken; zero if they are kept.
    pub broken: f64,
}

/// Designs that were tried and do not touch.
#[derive(Clone, Debug, Default)]
pub struct Untouched {
    /// How many.
    pub count: usize,
    /// The one whose least gap is largest: the variables and that gap, NaN if none is known.
    pub farthest: Option<(Vec<Level>, f64)>,
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
    /// The edges that the best point lies at.
    pub edges: Vec<Edge>,
    /// Designs that do not touch.
    pub untouched: Untouched,
    /// Whether the conditions of first order hold at the best point.
    pub settled: bool,
    /// Whether the search was told to stop before its end.
    pub stopped: bool,
}

impl Optimum {
    /// The best point.
    pub fn best(&self) -> Option<&Improvement> {
        self.path.last()
    }
}

/// What a search tells while it runs, and what it is given of an earlier one.
pub trait Watch {
    /// The records of an earlier search with the same questions, in their order.
    fn earlier(&mut self) -> Vec<Entry> {
        Vec::new()
    }
    /// Keeps a new record; `false` if it cannot, which stops the search.
    fn keep(&mut self, _number: usize, _entry: &Entry) -> bool {
        true
    }
    /// Is told the number of evaluations; `false` stops the search.
    fn goes_on(&mut self, _evaluations: usize) -> bool {
        true
    }
}

/// Numbers of a record of [`Watch`] for a study.
pub fn recorded(study: &Study) -> usize {
    crew::RECORDED + study.constraints.len()
}

/// Share of the evaluations of local searches from Sobol points, and of these with the evolution.
const OF_STARTS: f64 = 0.5;
const OF_EVOLUTION: f64 = 0.8;
/// Sizes of the simplex: of the first, and each divided by the one before.
const SIMPLEX: f64 = 0.05;
const SIMPLEX_SHARE: f64 = 0.2;
const SIMPLICES: i32 = 3;
/// A simplex smaller than this share of the box has arrived.
const SMALL: f64 = 1e-10;

/// How good a point is: broken constraints first, then the goal; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score {
    broken: f64,
    value: f64,
}

impl Score {
    /// Worse than every point.
    const NONE: Self = Self { broken: f64::INFINITY, value: f64::INFINITY };

    fn order(&self, other: &Self) -> Ordering {
        self.broken.total_cmp(&other.broken).then(self.value.total_cmp(&other.value))
    }

    fn better(&self, other: &Self) -> bool {
        self.order(other).is_lt()
    }
}

struct Search<'s, 'w> {
    study: &'s Study,
    crew: Crew<'s, 'w>,
    out: Optimum,
    best: Option<(Vec<f64>, Score)>,
    /// What the best place gave.
    held: Option<Tried>,
    error: Option<String>,
    local: bool,
    /// Axes with ranges.
    free: Vec<usize>,
    /// Axes with values, and how many.
    fixed: Vec<(usize, usize)>,
    /// Axes along which derivatives are exact, and their variables.
    exact: Vec<(usize, usize)>,
    /// What a unit of the goal is.
    scale: f64,
    /// Whether an edge was followed to the best place.
    at_edge: bool,
    /// The score at the end of the last edge that was followed.
    followed: Option<Score>,
}

/// Searches, with at most that many evaluations.
pub fn optimise(study: &Study, evaluations: usize, seed: u64) -> Result<Optimum, OptimiseError> {
    struct Nobody;
    impl Watch for Nobody {}
    search(study, (evaluations, 1), seed, &mut Nobody)
}

/// The same with that many threads, whose number changes no digit, watched.
pub fn search(
    study: &Study,
    (evaluations, threads): (usize, usize),
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Optimum, OptimiseError> {
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
    let (free, fixed) = axes(&study);
    let stop = AtomicBool::new(false);
    let mut search = Search {
        exact: gradient::exact_axes(&study, &free),
        study: &study,
        crew: Crew::new(&study, (evaluations, threads), &stop, watch),
        out: Optimum {
            path: Vec::new(),
            start: None,
            evaluations: 0,
            maximise,
            edges: Vec::new(),
            untouched: Untouched::default(),
            settled: false,
            stopped: false,
        },
        best: None,
        held: None,
        error: None,
        local: false,
        free,
        fixed,
        scale: 1.0,
        at_edge: false,
        followed: None,
    };
    search.run(seed);
    let (stopped, evaluations) = (search.crew.stopped, search.crew.evaluations);
    let out = Optimum { evaluations, stopped, ..search.out };
    match (out.path.is_empty(), search.error) {
        (true, Some(error)) => Err(OptimiseError::Nowhere(error)),
        _ => Ok(out),
    }
}

/// The axes with ranges, and those with values and how many.
fn axes(study: &Study) -> (Vec<usize>, Vec<(usize, usize)>) {
    let design = &study.design;
    let (mut free, mut fixed) = (Vec::new(), Vec::new());
    for axis in 0..design.axes().len() {
        let mut on = (0..design.variables().len()).filter(|k| design.axis(*k) == Some(axis));
        let count = on.find_map(|k| match &design.variables()[k].domain {
            Domain::Values(levels) => Some(levels.len()),
            _ => None,
        });
        match count {
            Some(count) => fixed.push((axis, count)),
            None => free.push(axis),
        }
    }
    (free, fixed)
}

impl Search<'_, '_> {
    fn axes(&self) -> usize {
        self.free.len() + self.fixed.len()
    }

    /// 1 if the goal is made small, −1 if large.
    fn sign(&self) -> f64 {
        if self.out.maximise { -1.0 } else { 1.0 }
    }

    fn signed(&self, value: f64) -> f64 {
        self.sign() * value
    }

    fn score(&self, tried: &Tried) -> Score {
        // ∞ is hardest: worse than every number if the goal is to be small, and the answer if it is to be large.
        if tried.lack.is_some() {
            return Score::NONE;
        }
        let broken = tried.slacks.iter().fold(0.0, |sum, slack| sum + (-slack).max(0.0));
        Score { broken, value: self.signed(tried.value) }
    }

    /// Evaluates places, as many as may be, and keeps what is better than all before.
    fn ask(&mut self, places: &[Vec<f64>]) -> Vec<Tried> {
        let before = self.crew.evaluations;
        let tried = self.crew.try_all(places);
        for (k, (place, tried)) in places.iter().zip(&tried).enumerate() {
            let score = self.score(tried);
            if let Some((lack, text)) = &tried.lack {
                self.error = Some(text.clone());
                if lack.is_of_contact() {
                    self.untouched(place, tried.gap);
                }
                continue;
            }
            if self.best.as_ref().is_none_or(|(_, best)| score.better(best)) {
                self.best = Some((place.clone(), score));
                self.held = Some(tried.clone());
                self.out.path.push(Improvement {
                    evaluations: before + k + 1,
                    local: self.local,
                    levels: self.study.design.levels_at(place),
                    value: tried.value,
                    broken: score.broken,
                });
            }
        }
        tried
    }

    fn untouched(&mut self, place: &[f64], gap: f64) {
        let untouched = &mut self.out.untouched;
        untouched.count += 1;
        let farther = untouched.farthest.as_ref().is_none_or(|(_, g)| gap > *g || g.is_nan());
        if farther {
            untouched.farthest = Some((self.study.design.levels_at(place), gap));
        }
    }

    /// One place by its score.
    fn one(&mut self, place: &[f64]) -> Option<(Tried, Score)> {
        let tried = self.ask(&[place.to_vec()]).pop()?;
        let score = self.score(&tried);
        Some((tried, score))
    }

    fn run(&mut self, seed: u64) {
        let all = self.crew.most;
        // The test of the edges has its share even if the searches would take all.
        let reserve = (4 * self.free.len()).min(all / 10);
        self.crew.most = all - reserve;
        self.begin();
        let decided = self.local_searches(share(all, OF_STARTS), seed);
        let covered = decided && (!self.free.is_empty() || self.is_enumerable());
        if !covered {
            // A rough goal may be one that ends at an edge: then its place is known before the rest is searched.
            self.local = true;
            self.follow_edge();
            self.local = false;
            let before = self.best.clone().map(|(_, score)| score);
            self.evolve(share(all, OF_EVOLUTION), seed);
            self.local = true;
            if before != self.best.as_ref().map(|(_, score)| *score) || !self.at_edge {
                self.finish();
            }
        }
        self.crew.most = all;
        self.local = true;
        self.follow_edge();
        self.find_edges();
    }

    /// Descends from the best place, with derivatives and without.
    fn finish(&mut self) {
        if let (Some((place, _)), Some(tried)) = (self.best.clone(), self.held.clone()) {
            self.out.settled = self.descend(&place, &tried).settled;
        }
        if !self.out.settled && !self.free.is_empty() {
            for k in 0..SIMPLICES {
                self.polish(SIMPLEX * SIMPLEX_SHARE.powi(k));
            }
        }
    }

    /// The file's own design, if it lies within the bounds.
    fn begin(&mut self) {
        let stated: Option<Vec<Level>> = self.study.stated().into_iter().collect();
        let Some(levels) = stated else { return };
        let place = self.study.design.place_of(&levels);
        if let Some(place) = place {
            if let Some((tried, _)) = self.one(&place) {
                self.out.start = Some(tried.value).filter(|x| !x.is_nan());
            }
            return;
        }
        // Outside the bounds it is no candidate, but what the best one is compared with.
        let slots = super::Evaluator::new(self.study).slots(&levels).ok();
        let value = slots.zip(self.study.goal.as_ref());
        let value = value.map(|(slots, (goal, _))| goal.formula.value(&slots));
        self.out.start = value.filter(|x| !x.is_nan());
    }

    /// The simplex from the best place, along the free axes.
    fn polish(&mut self, size: f64) {
        let Some((place, score)) = self.best.clone() else { return };
        if !score.value.is_finite() {
            return;
        }
        let free = self.free.clone();
        let start: Vec<f64> = free.iter().map(|k| place[*k]).collect();
        simplex((start, score), size, SMALL, &mut |x| {
            let mut there = place.clone();
            free.iter().zip(x).for_each(|(k, x)| there[*k] = *x);
            self.one(&there).map(|(_, score)| score)
        });
    }
}

fn inside(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
fn share(all: usize, share: f64) -> usize {
    (all as f64 * share) as usize
}
