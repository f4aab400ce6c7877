//! What `sweep` and `merge` answer.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Caution, CautionCode, version};
use crate::file::Loaded;
use crate::study::log::{Header, Shard};
use crate::study::{Advance, Column, Study, hashes, table};

/// What `sweep` and `merge` answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SweepAnswer {
    /// The version of carom.
    pub carom: String,
    /// The folder.
    pub folder: String,
    /// Points of this sweep, or of this shard of it.
    pub points: u64,
    /// Those done, now or before.
    pub done: u64,
    /// Those done before.
    pub done_before: u64,
    /// Those with an error.
    pub failed: u64,
    /// Whether all points are done.
    pub complete: bool,
    /// The tables that were written.
    pub tables: Vec<String>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl SweepAnswer {
    /// Of a sweep in a folder.
    pub fn new(folder: &Path, advance: &Advance) -> Self {
        let Advance { points, done, before, failed } = *advance;
        let complete = done == points;
        let tables: &[&str] = if complete { &[table::CSV, table::JSON] } else { &[] };
        let mut cautions = Vec::new();
        if !complete {
            let message = format!("stopped at {done} of {points} points; --resume goes on");
            cautions.push(Caution::warning(CautionCode::PointsMissing, "", message));
        }
        if failed > 0 {
            let message =
                format!("{failed} of {points} points have an error, which the tables tell");
            cautions.push(Caution::warning(CautionCode::PointsFailed, "", message));
        }
        Self {
            carom: version(),
            folder: folder.display().to_string(),
            points,
            done,
            done_before: before,
            failed,
            complete,
            tables: tables.iter().map(|&name| name.to_owned()).collect(),
            cautions,
        }
    }
}

/// The head of a study's log.
pub fn header(loaded: &Loaded, study: &Study, sets: &[(String, String)], shard: Shard) -> Header {
    let (model, plan) = hashes(&loaded.description);
    let files = loaded.source.files().map(|(name, text)| (name.to_owned(), text.to_owned()));
    Header {
        version: version(),
        model,
        study: plan,
        points: study.design.points(),
        shard,
        columns: study.measures.iter().map(Column::heading).collect(),
        files: files.collect(),
        sets: sets.to_vec(),
    }
}
