//! Evaluations of a search: in batches, on several threads, counted, and recorded so that a search can be taken up again.
//!
//! A search depends on the results of its evaluations alone, and these on their places alone. So the results in the order in which the
//! search asked for them are all that has to be kept: taken up again, it runs from the start and is given what it was given before.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::Watch;
use crate::model::study::Action;
use crate::study::evaluate::{Evaluator, Lack, PointError};
use crate::study::log::Entry;
use crate::study::plan::Study;

/// How long the caller waits for evaluations before it is asked whether to go on: a run may take minutes.
const PATIENCE: Duration = Duration::from_millis(50);

/// What one evaluation gives.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The goal as the study states it; NaN where there is none.
    pub value: f64,
    /// How far each constraint is kept; negative where it is broken.
    pub slacks: Vec<f64>,
    /// Why there is no goal.
    pub lack: Option<(Lack, String)>,
    /// The least gap of a design that does not touch.
    pub gap: f64,
}

impl Tried {
    /// As a record: goal, gap, kind of what is missing, slacks; and the text.
    fn entry(&self) -> Entry {
        let kind = self.lack.as_ref().map_or(0, |(lack, _)| 1 + *lack as u8);
        let mut values = vec![self.value, self.gap, f64::from(kind)];
        values.extend(&self.slacks);
        match &self.lack {
            Some((_, text)) => Entry::Partial(values, text.clone()),
            None => Entry::Measures(values),
        }
    }

    /// Of a record.
    fn read(entry: Entry) -> Option<Self> {
        let (values, text) = match entry {
            Entry::Measures(values) => (values, String::new()),
            Entry::Partial(values, text) => (values, text),
            Entry::Failed(_) | Entry::Untouched(..) => return None,
        };
        let [value, gap, kind, slacks @ ..] = &values[..] else { return None };
        let found = Lack::ALL.into_iter().find(|lack| f64::from(1 + *lack as u8) == *kind);
        let lack = found.map(|lack| (lack, text));
        (lack.is_some() || *kind == 0.0).then(|| Self {
            value: *value,
            gap: *gap,
            slacks: slacks.to_vec(),
            lack,
        })
    }
}

/// Numbers of a record beside the slacks.
pub(super) const RECORDED: usize = 3;

/// The evaluators of a search and what they were asked.
pub(super) struct Crew<'s, 'w> {
    study: &'s Study,
    evaluators: Vec<Evaluator<'s>>,
    stop: &'s AtomicBool,
    watch: &'w mut dyn Watch,
    earlier: VecDeque<Entry>,
    /// Evaluations so far, and how many may be made.
    pub evaluations: usize,
    pub most: usize,
    /// Whether the search was told to stop.
    pub stopped: bool,
}

impl<'s, 'w> Crew<'s, 'w> {
    pub fn new(
        study: &'s Study,
        (most, threads): (usize, usize),
        stop: &'s AtomicBool,
        watch: &'w mut dyn Watch,
    ) -> Self {
        let first = Evaluator::new(study).stopped_by(stop);
        let earlier = watch.earlier().into();
        let evaluators = vec![first; threads.max(1)];
        Self { study, evaluators, stop, watch, earlier, evaluations: 0, most, stopped: false }
    }

    /// Whether another evaluation may be made.
    pub fn is_free(&self) -> bool {
        !self.stopped && self.evaluations < self.most
    }

    /// Evaluates places of the unit cube: all of them, or the first ones that the search still may evaluate.
    pub fn try_all(&mut self, places: &[Vec<f64>]) -> Vec<Tried> {
        let wanted = places.len().min(self.most.saturating_sub(self.evaluations));
        let mut out = Vec::with_capacity(wanted);
        while out.len() < wanted && !self.stopped {
            match self.earlier.pop_front().map(Tried::read) {
                Some(Some(tried)) => out.push(tried),
                // A record that cannot be read, and all behind it, is computed again.
                Some(None) => self.earlier.clear(),
                None => break,
            }
        }
        let new = if self.stopped { Vec::new() } else { self.evaluate(&places[out.len()..wanted]) };
        for tried in new {
            let number = self.evaluations + out.len();
            if !self.watch.keep(number, &tried.entry()) {
                self.stopped = true;
            }
            out.push(tried);
        }
        self.evaluations += out.len();
        if !self.watch.goes_on(self.evaluations) {
            self.stopped = true;
        }
        out
    }

    /// New evaluations, up to the first that was not finished when the search was told to stop.
    fn evaluate(&mut self, places: &[Vec<f64>]) -> Vec<Tried> {
        let study = self.study;
        // A compiled assessment takes less time than a thread takes to start.
        if study.action != Action::Run || places.is_empty() {
            return places.iter().map(|place| one(study, &mut self.evaluators[0], place)).collect();
        }
        let (next, stop) = (AtomicUsize::new(0), self.stop);
        let results: Mutex<Vec<Option<Tried>>> = Mutex::new(vec![None; places.len()]);
        let (changed, watch) = (Condvar::new(), &mut *self.watch);
        let evaluations = self.evaluations;
        let mut stopped = false;
        std::thread::scope(|scope| {
            for evaluator in self.evaluators.iter_mut().take(places.len()) {
                let (next, results, changed) = (&next, &results, &changed);
                scope.spawn(move || {
                    loop {
                        let k = next.fetch_add(1, Ordering::Relaxed);
                        if k >= places.len() || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let tried = one(study, evaluator, &places[k]);
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        results.lock().unwrap_or_else(PoisonError::into_inner)[k] = Some(tried);
                        changed.notify_one();
                    }
                });
            }
            let mut found = results.lock().unwrap_or_else(PoisonError::into_inner);
            while found.iter().any(Option::is_none) {
                let waited = changed.wait_timeout(found, PATIENCE);
                found = waited.unwrap_or_else(PoisonError::into_inner).0;
                if !watch.goes_on(evaluations) {
                    stop.store(true, Ordering::Relaxed);
                    stopped = true;
                    break;
                }
            }
        });
        self.stopped |= stopped;
        let found = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.into_iter().map_while(|tried| tried).collect()
    }
}

/// One evaluation; a fault of carom itself is a design without a value.
fn one<'s>(study: &'s Study, evaluator: &mut Evaluator<'s>, place: &[f64]) -> Tried {
    let levels = study.design.levels_at(place);
    let found = catch_unwind(AssertUnwindSafe(|| evaluator.slots(&levels)));
    let slots = found.unwrap_or_else(|_| {
        *evaluator = evaluator.anew();
        Err(PointError::Broken)
    });
    let count = study.constraints.len();
    let slots = match slots {
        Ok(slots) => slots,
        Err(error) => {
            let gap = error.least_gap().unwrap_or(f64::NAN);
            let lack = Some((error.lack(), error.to_string()));
            return Tried { value: f64::NAN, slacks: vec![f64::NAN; count], lack, gap };
        }
    };
    let value = study.goal.as_ref().map_or(f64::NAN, |(goal, _)| goal.formula.value(&slots));
    let slack = |c: &crate::study::formula::Condition| {
        let slack = c.slack(&slots);
        // On the edge of a strict condition the slack is zero, and it is broken all the same.
        if slack <= 0.0 && !c.holds(&slots) { slack.min(-f64::MIN_POSITIVE) } else { slack }
    };
    let slacks: Vec<f64> = study.constraints.iter().map(slack).collect();
    let undefined = value.is_nan() || slacks.iter().any(|x| x.is_nan());
    let lack = undefined.then(|| {
        let measure = study.goal.as_ref().map_or_else(String::new, |(goal, _)| goal.name.clone());
        (Lack::Other, PointError::Undefined { measure }.to_string())
    });
    let value = if undefined { f64::NAN } else { value };
    Tried { value, slacks, lack, gap: f64::NAN }
}
