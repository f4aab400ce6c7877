//! `carom check`: what was understood of a file.

use carom::answer;

use super::{caution, machine};
use crate::args::{Check, CheckFormat};
use crate::{VerbResult, table};

/// Opens the file, places the mechanism and describes it; its notes are part of what is asked for.
pub(crate) fn run(wanted: &Check) -> VerbResult {
    let answer = machine(&wanted.subject)?.check().map_err(|error| error.to_string())?;
    caution(&answer.cautions);
    match wanted.format {
        CheckFormat::Table => Ok(table::check::text(&answer)),
        CheckFormat::Json => answer::json(&answer).map_err(|error| error.to_string()),
    }
}
