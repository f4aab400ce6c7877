//! Points on all cores, their records in order, in memory that does not grow.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::evaluate::{Evaluator, Lack, PointError};
use super::log::{Entry, append};
use super::plan::Study;
use crate::model::study::Action;

/// Blocks that may be ahead of the one that is written next, for each thread.
const AHEAD: u64 = 16;
/// How long the caller waits for a block before it is asked whether to go on: a run may take minutes.
const PATIENCE: Duration = Duration::from_millis(50);

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
    /// No more points are wanted; a run that is under way ends at its next step.
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The next block to compute.
    next: u64,
    /// The next block to hand over.
    wanted: u64,
    done: BTreeMap<u64, Block>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The block of that number, or nothing if it is not there within [`PATIENCE`].
    fn take(&self, wanted: u64) -> Option<Block> {
        let here = |state: &mut State| !state.done.contains_key(&wanted);
        let waited = self.changed.wait_timeout_while(self.lock(), PATIENCE, here);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let block = state.done.remove(&wanted)?;
        state.wanted = wanted + 1;
        drop(state);
        self.changed.notify_all();
        Some(block)
    }
}

/// Evaluates points and hands their records over in order; `sink` stops it with `Ok(false)` or an error. While a block takes long, `sink` gets
/// empty ones. A point that was not finished when it was stopped has no record.
pub fn evaluate<E>(
    study: &Study,
    points: Range<u64>,
    threads: usize,
    sink: &mut dyn FnMut(Block) -> Result<bool, E>,
) -> Result<(), E> {
    let size = match study.action {
        Action::Assess => 64,
        Action::Impact => 32,
        Action::Run => 1,
    };
    let count = (points.end - points.start).div_ceil(size);
    let threads = threads.max(1) as u64;
    let shared =
        Shared { state: Mutex::default(), changed: Condvar::new(), stop: AtomicBool::new(false) };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| work(study, &points, size, count, AHEAD * threads, &shared));
        }
        let mut result = Ok(());
        let mut wanted = 0;
        while wanted < count {
            let block = shared.take(wanted);
            wanted += u64::from(block.is_some());
            match sink(block.unwrap_or_default()) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        // Under the lock: a worker between its check and its wait would miss the notification.
        let state = shared.lock();
        shared.stop.store(true, Ordering::Relaxed);
        drop(state);
        shared.changed.notify_all();
        result
    })
}

fn work(study: &Study, points: &Range<u64>, size: u64, count: u64, ahead: u64, shared: &Shared) {
    let mut evaluator = Evaluator::new(study).stopped_by(&shared.stop);
    loop {
        let mut state = shared.lock();
        while !shared.is_stopped() && state.next < count && state.next >= state.wanted + ahead {
            state = shared.wait(state);
        }
        if shared.is_stopped() || state.next >= count {
            return;
        }
        let block = state.next;
        state.next += 1;
        drop(state);
        let first = points.start + block * size;
        let mut out = Block::default();
        for point in first..(first + size).min(points.end) {
            let entry = one(&mut evaluator, point);
            if shared.is_stopped() {
                return;
            }
            out.points += 1;
            out.failed += u64::from(entry.has_error());
            append(&mut out.bytes, point, &entry);
        }
        shared.lock().done.insert(block, out);
        shared.changed.notify_all();
    }
}

/// One point; a fault of carom itself is a row with its error like any other.
fn one(evaluator: &mut Evaluator<'_>, point: u64) -> Entry {
    match catch_unwind(AssertUnwindSafe(|| evaluator.partial(point))) {
        Ok(Ok((values, None))) => Entry::Measures(values),
        Ok(Ok((values, Some(PointError::Missing { why, lack: Lack::Touch, .. })))) => {
            Entry::Untouched(values, why)
        }
        Ok(Ok((values, Some(error)))) if values.iter().all(|x| x.is_nan()) => {
            Entry::Failed(error.to_string())
        }
        Ok(Ok((values, Some(error)))) => Entry::Partial(values, error.to_string()),
        Ok(Err(error)) => Entry::Failed(error.to_string()),
        Err(_) => {
            *evaluator = evaluator.anew();
            Entry::Failed(PointError::Broken.to_string())
        }
    }
}
