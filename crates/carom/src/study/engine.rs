//! Points on all cores, their records in order, in memory that does not grow.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::evaluate::{Evaluator, PointError};
use super::log::{Entry, append};
use super::plan::Study;
use crate::model::study::Action;

/// Blocks that may be ahead of the one that is written next, for each thread.
const AHEAD: u64 = 16;

/// Records of some points in a row.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The records as the log holds them.
    pub bytes: Vec<u8>,
    /// How many.
    pub points: u64,
    /// How many of them hold an error.
    pub failed: u64,
}

/// What the threads share.
struct Shared {
    state: Mutex<State>,
    /// Something was finished, written or stopped.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The next block to compute.
    next: u64,
    /// The next block to hand over.
    wanted: u64,
    done: BTreeMap<u64, Block>,
    stopped: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Evaluates points and hands their records over in order; `sink` stops it with `Ok(false)` or an error.
pub fn evaluate<E>(
    study: &Study,
    points: Range<u64>,
    threads: usize,
    sink: &mut dyn FnMut(Block) -> Result<bool, E>,
) -> Result<(), E> {
    let size = match study.action {
        Action::Assess => 64,
        Action::Impact => 32,
        Action::Run => 4,
    };
    let count = (points.end - points.start).div_ceil(size);
    let threads = threads.max(1) as u64;
    let shared = Shared { state: Mutex::default(), changed: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| work(study, &points, size, count, AHEAD * threads, &shared));
        }
        let mut result = Ok(());
        for wanted in 0..count {
            let mut state = shared.lock();
            let block = loop {
                match state.done.remove(&wanted) {
                    Some(block) => break block,
                    None => state = shared.wait(state),
                }
            };
            state.wanted = wanted + 1;
            drop(state);
            shared.changed.notify_all();
            match sink(block) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        shared.lock().stopped = true;
        shared.changed.notify_all();
        result
    })
}

fn work(study: &Study, points: &Range<u64>, size: u64, count: u64, ahead: u64, shared: &Shared) {
    let mut evaluator = Evaluator::new(study);
    loop {
        let mut state = shared.lock();
        while !state.stopped && state.next < count && state.next >= state.wanted + ahead {
            state = shared.wait(state);
        }
        if state.stopped || state.next >= count {
            return;
        }
        let block = state.next;
        state.next += 1;
        drop(state);
        let first = points.start + block * size;
        let mut out = Block::default();
        for point in first..(first + size).min(points.end) {
            let entry = one(study, &mut evaluator, point);
            out.points += 1;
            out.failed += u64::from(entry.has_error());
            append(&mut out.bytes, point, &entry);
        }
        shared.lock().done.insert(block, out);
        shared.changed.notify_all();
    }
}

/// One point; a fault of carom itself is a row with its error like any other.
fn one<'s>(study: &'s Study, evaluator: &mut Evaluator<'s>, point: u64) -> Entry {
    match catch_unwind(AssertUnwindSafe(|| evaluator.partial(point))) {
        Ok(Ok((values, None))) => Entry::Measures(values),
        Ok(Ok((values, Some(error)))) if values.iter().all(|x| x.is_nan()) => {
            Entry::Failed(error.to_string())
        }
        Ok(Ok((values, Some(error)))) => Entry::Partial(values, error.to_string()),
        Ok(Err(error)) => Entry::Failed(error.to_string()),
        Err(_) => {
            *evaluator = Evaluator::new(study);
            Entry::Failed(PointError::Broken.to_string())
        }
    }
}
