//! The verbs, one file each, and what they share.

pub(crate) mod assess;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod fit;
mod folder;
pub(crate) mod impact;
pub(crate) mod import;
pub(crate) mod laws;
pub(crate) mod map;
mod maps;
pub(crate) mod merge;
pub(crate) mod near;
pub(crate) mod new;
pub(crate) mod open;
pub(crate) mod optimise;
#[cfg(feature = "reproduce")]
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod shell;
pub(crate) mod study;
pub(crate) mod sweep;
pub(crate) mod tip;
pub(crate) mod uncertainty;

use std::io::{Read as _, Write as _};

use carom::Machine;
use carom::answer::{Caution, CautionCode, Severity};

use crate::args::Subject;
use crate::number::plain;
use crate::settings;

/// What stands in place of a file that comes through standard input.
const STDIN: &str = "-";
/// What it is called in messages.
const STDIN_NAME: &str = "<stdin>";
/// The longest model that is read from there \[bytes\], as from a file.
const LONGEST: u64 = 64 << 20;

/// Opens the file with its edits.
fn machine(subject: &Subject) -> Result<Machine, String> {
    if subject.file.as_os_str() == STDIN && subject.reading.named().is_none() {
        let files = [(STDIN_NAME.to_owned(), standard_input()?)];
        return Machine::from_files(&files, &subject.sets).map_err(|error| error.to_string());
    }
    let Subject { file, sets, reading } = subject;
    let machine = match reading.named() {
        None => Machine::open_in(file, sets, reading.packages()),
        Some(option) => {
            let model = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
            if model || file.as_os_str() == STDIN {
                return Err(format!(
                    "{}: {option} says how a robot's file (URDF or MJCF) is read, and this is a model file: state it under [robot] there",
                    file.display()
                ));
            }
            Machine::import(file, &carom::Import { sets: sets.clone(), ..reading.options() })
        }
    };
    machine.map_err(|error| error.to_string())
}

/// All of standard input.
fn standard_input() -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("{STDIN_NAME}: it cannot be read: {error}"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("{STDIN_NAME}: longer than {LONGEST} bytes, the most that is read"));
    }
    String::from_utf8(bytes).map_err(|error| format!("{STDIN_NAME}: {error}"))
}

/// A study is done on the file as it is, so that its log can tell what it is of: options of a robot's file are refused.
fn without_reading(subject: &Subject) -> Result<(), String> {
    match subject.reading.named() {
        Some(option) => Err(format!(
            "{}: {option} does not go with a study: state it under [robot] of the file",
            subject.file.display()
        )),
        None => Ok(()),
    }
}

/// A message on stderr; nobody can be told if stderr is closed.
pub(crate) fn complain(message: &str) {
    let message = settings::coloured(&plain(message.trim_end()));
    let _ = writeln!(std::io::stderr().lock(), "{message}");
}

/// A message that `--quiet` leaves out: a caution, what was written, how far something is.
pub(crate) fn remark(message: &str) {
    if !settings::is_quiet() {
        complain(message);
    }
}

/// All cautions on stderr.
fn caution(cautions: &[Caution]) {
    for caution in cautions {
        said(caution);
    }
}

/// A caution on stderr; one that says that the answer must not be used, with `--quiet`, too.
fn said(caution: &Caution) {
    if caution.severity == Severity::Error {
        complain(&caution.line());
    } else {
        remark(&caution.line());
    }
}

/// Cautions of measures without bound and of a damaged log on stderr; the text of a study tells the others.
fn unbounded(cautions: &[Caution]) {
    let codes = [CautionCode::MeasureUnbounded, CautionCode::LogDamaged];
    let found = cautions.iter().filter(|c| codes.contains(&c.code));
    tell(&found.cloned().collect::<Vec<_>>());
}

/// An answer as JSON.
fn json<T: serde::Serialize>(answer: &T) -> Result<String, String> {
    carom::answer::json(answer).map_err(|error| error.to_string())
}

/// Cautions on stderr; what a note says stands in the text itself.
fn tell(cautions: &[Caution]) {
    for caution in cautions.iter().filter(|c| c.severity >= Severity::Warning) {
        said(caution);
    }
}
