//! `carom study`: what the points of a sweep have in common.

use std::path::{Path, PathBuf};

use carom::maths::nearest::nearest;
use carom::study::digest::Digest;
use carom::study::sensitivity::{Sensitivities, sensitivities};
use carom::study::{Rows, Study};

use super::complain;
use super::folder::Folder;
use super::merge::study_of;
use super::sweep::{Failure, UNWRITABLE, refused};
use crate::args::{Study as Wanted, StudyFormat};
use crate::figure::{Target, study as drawing};
use crate::{Outcome, json, report, table};

/// How many designs of each end a page shows.
const TOP: usize = 10;

/// Everything the printers need.
pub(crate) struct Report {
    /// The folder.
    pub folder: String,
    /// The study.
    pub study: Study,
    /// Its rows.
    pub rows: Rows,
    /// What they have in common.
    pub digest: Digest,
    /// Derivatives at the file's own values.
    pub sensitivities: Option<Sensitivities>,
    /// How many designs of each end of the ranking.
    pub top: usize,
}

/// A sweep of more points is not read back into memory for its page unless that is asked for.
const MOST_POINTS: u64 = 50_000;

/// Reads a folder.
pub(crate) fn run(wanted: &Wanted) -> Outcome {
    let target = wanted.figure.as_deref().map(|path| Target::new(path, wanted.overwrite));
    let target = target.transpose()?;
    if wanted.overwrite && wanted.figure.is_none() && wanted.out.is_none() {
        return Err("--overwrite goes with --figure or --out".to_owned());
    }
    let page = |path: &PathBuf| Folder::new(path, path.clone(), &[report::FILE], wanted.overwrite);
    let page = wanted.out.as_ref().map(page).transpose()?;
    let (study, mut reader) = study_of(&wanted.folder).map_err(|(message, _)| message)?;
    let by = wanted.by.as_deref().map(|name| measure(&study, name)).transpose()?;
    let rows = Rows::read(&study, &mut reader).map_err(|error| error.to_string())?;
    if rows.is_empty() {
        return Err(format!("{}: no point has measures", wanted.folder.display()));
    }
    if rows.missing > 0 {
        complain(&format!(
            "{}: not complete: {} points are missing; `sweep --resume` goes on, of shards `merge` puts them together",
            wanted.folder.display(),
            rows.missing
        ));
    }
    let digest = Digest::new(&study, &rows, by);
    let sensitivities = if wanted.quick { None } else { sensitivities(&study) };
    let folder = wanted.folder.display().to_string();
    let report = Report { folder, study, rows, digest, sensitivities, top: wanted.top };
    if let Some(target) = target {
        complain(target.written(&drawing::draw(&report)?)?.trim_end());
    }
    if let Some(folder) = page {
        folder.write(&[(report::FILE, Some(report::study::html(&report)?))])?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    Ok(match wanted.format {
        StudyFormat::Table => table::study::text(&report),
        StudyFormat::Json => json::text(&json::study::value(&report)),
    })
}

/// The page of a complete sweep, without sensitivities; nothing where no point has measures.
pub(crate) fn page(folder: &Path) -> Result<(), Failure> {
    let (study, mut reader) = study_of(folder)?;
    let points = study.design.points();
    if points > MOST_POINTS {
        complain(&format!(
            "{}: no {}: {points} points are more than the {MOST_POINTS} that one is made of unasked; `carom study` with -o makes it",
            folder.display(),
            report::FILE
        ));
        return Ok(());
    }
    let rows = Rows::read(&study, &mut reader).map_err(refused)?;
    if rows.is_empty() {
        return Ok(());
    }
    let digest = Digest::new(&study, &rows, None);
    let named = String::new();
    let report = Report { folder: named, study, rows, digest, sensitivities: None, top: TOP };
    let html = report::study::html(&report).map_err(refused)?;
    let unwritable = |message: String| (message, UNWRITABLE);
    let place = Folder::new(folder, folder.to_owned(), &[report::FILE], true);
    place.and_then(|place| place.write(&[(report::FILE, Some(html))])).map_err(unwritable)
}

/// The position of a measure.
fn measure(study: &Study, name: &str) -> Result<usize, String> {
    study.measures.iter().position(|m| m.name == name).ok_or_else(|| {
        let names = || study.measures.iter().map(|m| m.name.as_str());
        let near = nearest(name, names()).map(|near| format!("is `{near}` meant?"));
        let known = || format!("known: {}", names().collect::<Vec<_>>().join(", "));
        format!("--by: there is no measure `{name}`; {}", near.unwrap_or_else(known))
    })
}
