//! `carom merge`: the shards of a sweep as one.

use carom::answer::study::merge;

use super::sweep::{Failure, POINTS_FAILED, ending, failure, refused};
use super::{complain, study, unbounded, uncertainty};
use crate::args::{Merge, StudyFormat};

/// Runs it and gives the exit code.
pub(crate) fn run(wanted: &Merge) -> u8 {
    match merged(wanted) {
        Ok((text, code)) => ending(&text, code),
        Err((message, code)) => {
            complain(&message);
            code
        }
    }
}

fn merged(wanted: &Merge) -> Result<(String, u8), Failure> {
    let answer = merge(&wanted.folders, &wanted.out).map_err(|error| failure(&error))?;
    if !uncertainty::page(&wanted.out)? {
        study::page(&wanted.out)?;
    }
    unbounded(&answer.cautions);
    let text = match wanted.format {
        StudyFormat::Json => super::json(&answer).map_err(refused)?,
        StudyFormat::Table => {
            let errors = match answer.failed {
                0 => String::new(),
                n => format!(", {n} with an error"),
            };
            let (folder, done) = (&answer.folder, answer.done);
            format!("{folder}: {done} points{errors}; wrote {}\n", answer.tables.join(" and "))
        }
    };
    Ok((text, if answer.failed > 0 { POINTS_FAILED } else { 0 }))
}
