//! How far a run is, and Ctrl-C.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::Progress;
use carom::answer::Ran;

use crate::commands::remark;
use crate::interrupt;
use crate::number::three;

/// Runs that are over sooner are not talked about.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is renewed.
const RENEW: Duration = Duration::from_millis(200);

/// Watches runs.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    terminal: bool,
    label: String,
    begun: Instant,
    /// Where the run began \[s\].
    start: Option<f64>,
    shown: Option<Instant>,
}

impl Watch {
    /// From now on Ctrl-C asks runs to stop; a second one ends the command.
    pub(crate) fn new() -> Result<Self, String> {
        let stop = interrupt::listen("what was computed is not kept")?;
        let terminal = std::io::stderr().is_terminal() && !crate::settings::is_quiet();
        let begun = Instant::now();
        Ok(Self { stop, terminal, label: String::new(), begun, start: None, shown: None })
    }

    /// Whether somebody asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A run begins.
    pub(crate) fn begin(&mut self, law: Option<&str>) {
        self.label = law.map_or_else(String::new, |law| format!("{law}: "));
        (self.begun, self.start, self.shown) = (Instant::now(), None, None);
    }

    /// Before a step: whether to take it.
    pub(crate) fn goes_on(&mut self, progress: &Progress) -> bool {
        let start = *self.start.get_or_insert(progress.t);
        if self.terminal {
            let passed = self.begun.elapsed();
            let due = self.shown.is_none_or(|shown| shown.elapsed() > RENEW);
            if passed > PATIENCE && due {
                self.shown = Some(Instant::now());
                let (way, rest) = (progress.t - start, progress.until - progress.t);
                let left = passed.as_secs_f64() * rest / way;
                // Nobody can be told if stderr is closed.
                let _ = write!(
                    std::io::stderr(),
                    "\r\x1b[K{}t = {} s of {} s, {} impacts, {} s to go",
                    self.label,
                    three(progress.t),
                    three(progress.until),
                    progress.impacts,
                    if left.is_finite() { three(left) } else { "?".to_owned() }
                );
            }
        }
        !self.is_stopped()
    }

    /// A run is over.
    pub(crate) fn end(&mut self, ran: &Ran) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        let passed = self.begun.elapsed();
        if passed > PATIENCE {
            let (t, steps) = ran.reached();
            let (t, passed) = (three(t), three(passed.as_secs_f64()));
            remark(&format!("{}{t} s of motion in {passed} s, {steps} steps", self.label));
        }
    }
}
