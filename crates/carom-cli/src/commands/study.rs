//! `carom study`: what the points of a sweep have in common.

use std::path::{Path, PathBuf};

use carom::answer::CautionCode;
use carom::answer::study::{StudyFolderError, StudyReading, UncertaintyReading};

use super::folder::Folder;
use super::sweep::{Failure, UNWRITABLE, refused};
use super::{caution, complain, remark, unbounded};
use crate::args::{Study as Wanted, StudyFormat};
use crate::figure::{Target, study as drawing};
use crate::{VerbResult, report, table};

/// Evaluations of a derivative.
const EVALUATIONS: u64 = 16;

/// Reads a folder.
pub(crate) fn run(wanted: &Wanted) -> VerbResult {
    let target = wanted.figure.as_deref().map(|path| Target::new(path, wanted.overwrite));
    let target = target.transpose()?;
    if wanted.overwrite && wanted.figure.is_none() && wanted.out.is_none() {
        return Err("--overwrite goes with --figure or --out".to_owned());
    }
    let page = |path: &PathBuf| Folder::new(path, path.clone(), &[report::FILE], wanted.overwrite);
    let page = wanted.out.as_ref().map(page).transpose()?;
    let reading = StudyReading::open(&wanted.folder, wanted.by.as_deref(), wanted.top);
    if let Err(StudyFolderError::OtherPart { .. }) = &reading {
        let sample = UncertaintyReading::open(&wanted.folder).map_err(|error| error.to_string())?;
        return super::uncertainty::told(&sample, wanted.format)
            .map(|(text, _)| text)
            .map_err(|(message, _)| message);
    }
    let reading = reading.map_err(|error| match error {
        StudyFolderError::NoMeasure { .. } => format!("--by: {error}"),
        other => other.to_string(),
    })?;
    let reading = match &wanted.against {
        Some(name) => reading.against(name).map_err(|error| format!("--against: {error}"))?,
        None => reading,
    };
    let reading = if wanted.quick { reading } else { reading.with_sensitivities() };
    let answer = reading.answer();
    // The text has the others.
    let unsaid = answer.cautions.iter().filter(|c| c.code == CautionCode::PointsMissing);
    caution(&unsaid.cloned().collect::<Vec<_>>());
    unbounded(&answer.cautions);
    if let Some(target) = target {
        remark(target.written(&drawing::draw(&reading)?)?.trim_end());
    }
    if let Some(folder) = page {
        folder.write(&[(
            report::FILE,
            Some(report::study::html(&reading, &answer, Some(&report::own_command()))?),
        )])?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        StudyFormat::Table => Ok(table::study::text(&answer)),
        StudyFormat::Json => super::json(&answer),
    }
}

/// The page of a complete sweep; nothing where no point has measures.
pub(crate) fn page(folder: &Path) -> Result<(), Failure> {
    let reading = match StudyReading::for_page(folder) {
        Ok(reading) => reading,
        Err(StudyFolderError::Empty { .. }) => return Ok(()),
        Err(error @ StudyFolderError::TooManyForPage { .. }) => {
            complain(&error.to_string());
            return Ok(());
        }
        Err(error) if error.is_unwritable() => return Err((error.to_string(), UNWRITABLE)),
        Err(error) => return Err(refused(error)),
    };
    // Derivatives take 16 evaluations for each variable: worth it beside a sweep of more points.
    let few = EVALUATIONS * reading.study.design.variables().len() as u64;
    let many = reading.study.design.points() >= few;
    let reading = if many { reading.with_sensitivities() } else { reading };
    let html = report::study::html(&reading, &reading.answer(), Some(&report::own_command()))
        .map_err(refused)?;
    let unwritable = |message: String| (message, UNWRITABLE);
    let place = Folder::new(folder, folder.to_owned(), &[report::FILE], true);
    place.and_then(|place| place.write(&[(report::FILE, Some(html))])).map_err(unwritable)
}
