//! Long questions that listen to Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use pyo3::prelude::*;

use crate::run::LISTEN;

/// Answers on a thread of its own, without the interpreter's lock, while this one, the only one that hears Ctrl-C, listens. `ask` gets a
/// question, to be asked now and then, whether to go on; after Ctrl-C what it raised is the outcome.
pub(crate) fn listening<T: Send>(
    py: Python<'_>,
    ask: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (stop, mut raised) = (&stop, None);
    let answer = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel::<()>();
            let work = scope.spawn(move || {
                // Dropped at the end, also of a panic: that ends the wait.
                let _done = done;
                ask(&|| !stop.load(Ordering::Relaxed))
            });
            while wait.recv_timeout(LISTEN) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals().err());
                    stop.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            work.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    });
    raised.map_or(Ok(answer), Err)
}
