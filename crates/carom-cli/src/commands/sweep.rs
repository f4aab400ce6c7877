//! `carom sweep`: the study of a file at all of its points.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::answer::study::{self as asked, Advance, SweepAnswer, SweepOptions, SweepRefused};

use super::{complain, study, unbounded};
use crate::args::{StudyFormat, Sweep};
use crate::interrupt;
use crate::number::{count, three};

/// Stopped before its end; --resume goes on.
pub(crate) const STOPPED: u8 = 1;
/// Refused.
pub(crate) const REFUSED: u8 = 2;
/// Complete, but some points are errors.
pub(crate) const POINTS_FAILED: u8 = 3;
/// Something cannot be written.
pub(crate) const UNWRITABLE: u8 = 4;

/// How often the line of progress is renewed.
const RENEW: Duration = Duration::from_millis(250);

/// Runs it and gives the exit code.
pub(crate) fn run(wanted: &Sweep) -> u8 {
    match swept(wanted) {
        Ok((text, code)) => ending(&text, code),
        Err((message, code)) => {
            complain(&message);
            code
        }
    }
}

/// Prints what happened; a reader who has seen enough (`| head`) closes the pipe, and that is fine: the study stands in its folder.
pub(crate) fn ending(text: &str, code: u8) -> u8 {
    match crate::print(text) {
        Ok(()) => code,
        Err(message) => {
            complain(&message);
            UNWRITABLE
        }
    }
}

/// A message and its exit code.
pub(crate) type Failure = (String, u8);

#[allow(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
pub(crate) fn refused(error: impl ToString) -> Failure {
    (error.to_string(), REFUSED)
}

pub(crate) fn failure(error: &SweepRefused) -> Failure {
    (error.to_string(), if error.is_unwritable() { UNWRITABLE } else { REFUSED })
}

fn swept(wanted: &Sweep) -> Result<(String, u8), Failure> {
    super::without_reading(&wanted.subject).map_err(refused)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = SweepOptions {
        file: wanted.subject.file.clone(),
        sets: wanted.subject.sets.clone(),
        folder: wanted.out.clone(),
        threads: wanted.jobs.map_or(cores, std::num::NonZero::get),
        resume: wanted.resume,
        overwrite: wanted.overwrite,
        shard: wanted.shard,
        uncertain: false,
    };
    let mut watch = Watch::new("points").map_err(refused)?;
    let result = asked::sweep(&options, &mut |advance| watch.goes_on(advance));
    watch.end();
    let answer = result.map_err(|error| failure(&error))?;
    if answer.complete && wanted.shard.is_none_or(|(_, of)| of == 1) {
        study::page(&wanted.out)?;
    }
    let code = match (answer.complete, answer.failed) {
        (false, _) => STOPPED,
        (true, 0) => 0,
        (true, _) => POINTS_FAILED,
    };
    unbounded(&answer.cautions);
    let text = match wanted.format {
        StudyFormat::Table => summary(&answer),
        StudyFormat::Json => super::json(&answer).map_err(refused)?,
    };
    Ok((text, code))
}

/// What happened, and its exit code.
pub(super) fn summary(answer: &SweepAnswer) -> String {
    let SweepAnswer { folder, points, done, done_before, failed, .. } = answer;
    let total = count(usize::try_from(*points).unwrap_or(usize::MAX), "point", "points");
    let earlier = match done_before {
        0 => String::new(),
        n => format!(", {n} of them earlier"),
    };
    let errors = match failed {
        0 => String::new(),
        n => format!(", {n} with an error"),
    };
    if answer.complete {
        let tables = answer.tables.join(" and ");
        format!("{folder}: {total} done{earlier}{errors}; wrote {tables}\n")
    } else {
        format!("{folder}: stopped at {done} of {total}{earlier}{errors}; --resume goes on\n")
    }
}

/// Tells how far a sweep or a search is, and listens to Ctrl-C.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
    /// What is counted.
    noun: &'static str,
}

impl Watch {
    pub(super) fn new(noun: &'static str) -> Result<Self, String> {
        let stop = interrupt::listen("go on with --resume")?;
        let terminal = std::io::stderr().is_terminal() && !crate::settings::is_quiet();
        Ok(Self { stop, terminal, begun: Instant::now(), shown: None, noun })
    }

    pub(super) fn goes_on(&mut self, advance: &Advance) -> bool {
        let due = self.shown.unwrap_or(self.begun).elapsed() > RENEW;
        if self.terminal && due {
            self.shown = Some(Instant::now());
            let rate = advance.done.saturating_sub(advance.before) as f64
                / self.begun.elapsed().as_secs_f64();
            let left = (advance.points - advance.done) as f64 / rate;
            let noun = self.noun;
            let failed = match advance.failed {
                0 => String::new(),
                n => format!(", {n} with an error"),
            };
            // Nobody can be told if stderr is closed.
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[K{} of {} {noun}{failed}, {} {noun}/s, {} s to go",
                advance.done,
                advance.points,
                three(rate),
                if left.is_finite() { three(left) } else { "?".to_owned() }
            );
        }
        !self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn end(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
