//! The verbs, one file each, and what they share.

pub(crate) mod assess;
pub(crate) mod check;
pub(crate) mod compare;
mod folder;
pub(crate) mod impact;
pub(crate) mod import;
pub(crate) mod laws;
pub(crate) mod map;
mod maps;
pub(crate) mod merge;
pub(crate) mod near;
pub(crate) mod optimise;
#[cfg(feature = "reproduce")]
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod study;
pub(crate) mod sweep;
pub(crate) mod tip;

use std::io::Write;

use carom::Machine;
use carom::answer::{Caution, CautionCode, Severity};

use crate::args::Subject;
use crate::number::plain;

/// Opens the file with its edits.
fn machine(subject: &Subject) -> Result<Machine, String> {
    let machine = Machine::open_in(&subject.file, &subject.sets, &subject.packages);
    machine.map_err(|error| error.to_string())
}

/// A message on stderr; nobody can be told if stderr is closed.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(message.trim_end()));
}

/// All cautions on stderr.
fn caution(cautions: &[Caution]) {
    for caution in cautions {
        complain(&caution.line());
    }
}

/// Cautions of measures without bound on stderr; the text of a study tells the others.
fn unbounded(cautions: &[Caution]) {
    let found = cautions.iter().filter(|c| c.code == CautionCode::MeasureUnbounded);
    tell(&found.cloned().collect::<Vec<_>>());
}

/// An answer as JSON.
fn json<T: serde::Serialize>(answer: &T) -> Result<String, String> {
    carom::answer::json(answer).map_err(|error| error.to_string())
}

/// Cautions on stderr; what a note says stands in the text itself.
fn tell(cautions: &[Caution]) {
    for caution in cautions.iter().filter(|c| c.severity >= Severity::Warning) {
        complain(&caution.line());
    }
}
