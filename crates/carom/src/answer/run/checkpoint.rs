//! Runs that are written down and gone on with later, to the last bit.

use serde::{Deserialize, Serialize};

use super::{Ran, RunOptions};
use crate::file::Opened;
use crate::simulate::{Outcome, Scenario};

/// The format of the text; another number is refused.
const FORMAT: u32 = 2;

/// Why a run cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The text is something else.
    #[error("the file is no checkpoint of a run: {0}")]
    NotOne(serde_json::Error),
    /// Another version wrote it.
    #[error(
        "it was written by another version of carom ({version}); run it again from the beginning"
    )]
    Version {
        /// The version that wrote it.
        version: String,
    },
    /// The file or the options were others.
    #[error("it belongs to another run: the file, --set, --law, --method or --tolerance differ")]
    OtherRun,
    /// It lacks something.
    #[error("it is damaged: {0}")]
    Damaged(serde_json::Error),
}

/// What stands before the run.
#[derive(Deserialize)]
struct Header {
    carom: String,
    #[serde(default)]
    format: u32,
    inputs: String,
}

/// The whole text to be written.
#[derive(Serialize)]
struct Written<'a> {
    carom: &'a str,
    format: u32,
    inputs: String,
    outcome: &'a Outcome,
}

/// What is read.
#[derive(Deserialize)]
struct Read {
    outcome: Outcome,
}

impl Ran {
    /// Whether it stopped before its end and left a state to go on from.
    pub fn can_go_on(&self) -> bool {
        self.stopped.is_some() && self.outcome.checkpoint.is_some()
    }

    /// How far it came: time \[s\] and steps.
    pub fn reached(&self) -> (f64, usize) {
        (self.outcome.state.t, self.outcome.counts.steps)
    }

    /// The text of `checkpoint.json`; none of a run that failed.
    pub fn checkpoint(
        &self,
        opened: &Opened,
        sets: &[(String, String)],
    ) -> Result<Option<String>, serde_json::Error> {
        if self.outcome.checkpoint.is_none() {
            return Ok(None);
        }
        let inputs = super::options::inputs(opened, sets, &self.scenario);
        let carom = env!("CARGO_PKG_VERSION");
        let kept = Written { carom, format: FORMAT, inputs, outcome: &self.outcome };
        serde_json::to_string(&kept).map(|text| Some(text + "\n"))
    }
}

impl RunOptions {
    /// The run that the text of a `checkpoint.json` holds, if it belongs to this file, its edits and this scenario.
    pub fn earlier(
        opened: &Opened,
        sets: &[(String, String)],
        scenario: &Scenario,
        text: &str,
    ) -> Result<Outcome, CheckpointError> {
        let header: Header = serde_json::from_str(text).map_err(CheckpointError::NotOne)?;
        if header.format != FORMAT || header.carom != env!("CARGO_PKG_VERSION") {
            return Err(CheckpointError::Version { version: header.carom });
        }
        if header.inputs != super::options::inputs(opened, sets, scenario) {
            return Err(CheckpointError::OtherRun);
        }
        let read: Read = serde_json::from_str(text).map_err(CheckpointError::Damaged)?;
        Ok(read.outcome)
    }
}
