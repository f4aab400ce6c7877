//! What `sweep` and `merge` answer.

use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Caution, CautionCode, version};
use crate::file::{LoadError, Loaded, load};
use crate::model::study::PlanPart;
use crate::study::log::{Header, Shard};
use crate::study::{self, Advance, Column, Study, SweepError, Swept, hashes, table};

use super::Unbounded;
use super::reading::{StudyFolderError, open_folder};

/// Why a sweep, a merge or a search did not run.
#[derive(Debug, thiserror::Error)]
pub enum SweepRefused {
    /// The file cannot be loaded, or has no study.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A folder holds no study.
    #[error(transparent)]
    Folder(#[from] StudyFolderError),
    /// There is nothing to merge.
    #[error("no folders to merge")]
    NoFolders,
    /// The study cannot be searched, or no point has a value.
    #[error("{file}: {error}")]
    Search {
        /// The model file.
        file: String,
        /// Why.
        error: String,
    },
    /// The folder, its log or its tables refuse.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

impl SweepRefused {
    /// Whether the disk is to blame, not the question.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Sweep(error) if error.is_unwritable())
    }
}

/// What is swept, and where its log and its tables are written.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The model file.
    pub file: PathBuf,
    /// Its edits.
    pub sets: Vec<(String, String)>,
    /// The folder.
    pub folder: PathBuf,
    /// Threads.
    pub threads: usize,
    /// Whether to go on with what is in the folder.
    pub resume: bool,
    /// Whether to begin anew over what is in the folder.
    pub overwrite: bool,
    /// Which part of how many, counted from 1; the whole if none is given.
    pub shard: Option<(u64, u64)>,
    /// Whether the `[uncertainty]` of the file is evaluated, not its `[study]`.
    pub uncertain: bool,
}

/// Evaluates the `[study]` of a file at all of its points, into a folder. `watch` is told how far it is and stops it with `false`.
pub fn sweep(
    options: &SweepOptions,
    watch: &mut dyn FnMut(&Advance) -> bool,
) -> Result<SweepAnswer, SweepRefused> {
    let loaded = load(&options.file, &options.sets)?;
    let part = if options.uncertain { PlanPart::Uncertainty } else { PlanPart::Study };
    let study = loaded.planned(part)?;
    let shard = match options.shard {
        Some((part, of)) if (1..=of).contains(&part) => Shard { part, of },
        Some((part, of)) => {
            let text = format!("part {part} of {of}: parts are counted from 1 to {of}");
            return Err(SweepError::Shards(text).into());
        }
        None => Shard::WHOLE,
    };
    let work = study::Sweep {
        study: &study,
        header: header(&loaded, &study, &options.sets, shard),
        folder: &options.folder,
        threads: options.threads.max(1),
        resume: options.resume,
        overwrite: options.overwrite,
    };
    let swept = work.run(watch)?;
    let mut out = SweepAnswer::new(&options.folder, &swept.advance);
    out.recomputed = swept.recomputed.iter().map(|points| [points.start, points.end - 1]).collect();
    out.cautions.extend(damaged(&swept));
    out.cautions.extend(unbounded(&options.folder));
    Ok(out)
}

/// Stretches of points that a message names.
const MOST_NAMED: usize = 20;

/// What was wrong with the log that the sweep went on with.
fn damaged(swept: &Swept) -> Option<Caution> {
    let Swept { recomputed, torn, .. } = swept;
    if recomputed.is_empty() && !torn {
        return None;
    }
    let mut parts = Vec::new();
    if !recomputed.is_empty() {
        let one = |points: &Range<u64>| match points.end - points.start {
            1 => points.start.to_string(),
            _ => format!("{}-{}", points.start, points.end - 1),
        };
        let named: Vec<String> = recomputed.iter().take(MOST_NAMED).map(one).collect();
        let more = recomputed.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more stretches") } else { String::new() };
        let named = named.join(", ");
        parts.push(format!("damaged records of points {named}{more} were computed again"));
    }
    if *torn {
        parts.push("it ended within a record, which was cut off and computed again".to_owned());
    }
    let message = format!("the log had damage: {}", parts.join("; "));
    Some(Caution::warning(CautionCode::LogDamaged, "", message))
}

/// Of the measures that are unbounded at points in a folder.
fn unbounded(folder: &Path) -> Vec<Caution> {
    let Ok((study, mut reader)) = open_folder(folder) else { return Vec::new() };
    let mut found = vec![Unbounded::default(); study.measures.len()];
    while let Ok(Some((point, entry))) = reader.next_record() {
        let Some(values) = entry.parts().0 else { continue };
        found.iter_mut().zip(values).for_each(|(found, x)| found.count(point, x));
    }
    Unbounded::cautions(&study, &found)
}

/// Joins the shards of a sweep into a folder: the log and the tables of a sweep that was never split.
pub fn merge(folders: &[PathBuf], to: &Path) -> Result<SweepAnswer, SweepRefused> {
    let first = folders.first().ok_or(SweepRefused::NoFolders)?;
    let (study, _) = open_folder(first)?;
    let mut out = SweepAnswer::new(to, &study::merge(&study, folders, to)?);
    out.cautions.extend(unbounded(to));
    Ok(out)
}

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
    /// Points whose records in the log were damaged and were computed again, as the first and the last of each stretch.
    pub recomputed: Vec<[u64; 2]>,
    /// Whether all points are done.
    pub complete: bool,
    /// The tables that were written.
    pub tables: Vec<String>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl SweepAnswer {
    /// Of a sweep in a folder.
    fn new(folder: &Path, advance: &Advance) -> Self {
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
            recomputed: Vec::new(),
            complete,
            tables: tables.iter().map(|&name| name.to_owned()).collect(),
            cautions,
        }
    }
}

/// The head of a study's log.
pub(crate) fn header(
    loaded: &Loaded,
    study: &Study,
    sets: &[(String, String)],
    shard: Shard,
) -> Header {
    let (model, plan) = hashes(&loaded.description);
    let files = loaded.source.files().map(|(name, text)| (name.to_owned(), text.to_owned()));
    Header {
        version: version(),
        model,
        study: plan,
        part: study.part,
        points: study.design.points(),
        shard,
        columns: study.measures.iter().map(Column::heading).collect(),
        files: files.collect(),
        sets: sets.to_vec(),
    }
}
