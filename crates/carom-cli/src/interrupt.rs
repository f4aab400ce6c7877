//! Ctrl-C: the first asks to stop and keeps what was computed, a second one ends the command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Exit code after a second Ctrl-C.
const KILLED: i32 = 130;
/// Signals that come so soon after the first are the same request: some programs send it to a process and to its group.
const ONE_REQUEST: Duration = Duration::from_millis(300);

/// Whether somebody has asked to stop, from now on. `last_words` are said at a second Ctrl-C.
pub(crate) fn listen(last_words: &'static str) -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        asked.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_REQUEST {
            eprintln!("stopped by a second Ctrl-C: {last_words}");
            std::process::exit(KILLED);
        }
    })
    .map_err(|error| format!("Ctrl-C cannot be listened to: {error}"))?;
    Ok(stop)
}
