//! Ctrl-C, SIGTERM and SIGHUP: the first asks to stop and keeps what was computed, a second one ends the command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Exit code after a second signal.
const KILLED: i32 = 130;
/// Signals that come so soon after the first are the same request: some programs send it to a process and to its group.
const ONE_REQUEST: Duration = Duration::from_millis(300);

/// Whether somebody has asked to stop, from now on. `last_words` are said at a second signal.
pub(crate) fn listen(last_words: &'static str) -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        asked.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_REQUEST {
            // After SIGHUP nobody may be there to be told.
            crate::commands::complain(&format!("stopped by a second signal: {last_words}"));
            std::process::exit(KILLED);
        }
    })
    .map_err(|error| format!("signals cannot be listened to: {error}"))?;
    Ok(stop)
}
