//! `carom uncertainty`: every measure with its interval, and which uncertain number matters.

use std::path::Path;

use carom::answer::study::{self as asked, StudyFolderError, SweepOptions, UncertaintyReading};

use super::folder::Folder;
use super::sweep::{
    Failure, POINTS_FAILED, STOPPED, UNWRITABLE, Watch, ending, failure, refused, summary,
};
use super::{complain, remark, tell};
use crate::args::{StudyFormat, Uncertainty};
use crate::{report, table};

/// Runs it and gives the exit code.
pub(crate) fn run(wanted: &Uncertainty) -> u8 {
    match answered(wanted) {
        Ok((text, code)) => ending(&text, code),
        Err((message, code)) => {
            complain(&message);
            code
        }
    }
}

fn answered(wanted: &Uncertainty) -> Result<(String, u8), Failure> {
    super::without_reading(&wanted.subject).map_err(refused)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = wanted.jobs.map_or(cores, std::num::NonZero::get);
    let subject = &wanted.subject;
    let mut watch = Watch::new("points").map_err(refused)?;
    let Some(folder) = &wanted.out else {
        let found =
            UncertaintyReading::sampled(&subject.file, &subject.sets, threads, &mut |advance| {
                watch.goes_on(advance)
            });
        watch.end();
        return told(&found.map_err(|error| failure(&error))?, wanted.format);
    };
    let options = SweepOptions {
        file: subject.file.clone(),
        sets: subject.sets.clone(),
        folder: folder.clone(),
        threads,
        resume: wanted.resume,
        overwrite: wanted.overwrite,
        shard: wanted.shard,
        uncertain: true,
    };
    let result = asked::sweep(&options, &mut |advance| watch.goes_on(advance));
    watch.end();
    let swept = result.map_err(|error| failure(&error))?;
    if !swept.complete || wanted.shard.is_some_and(|(_, of)| of > 1) {
        let code = match (swept.complete, swept.failed) {
            (false, _) => STOPPED,
            (true, 0) => 0,
            (true, _) => POINTS_FAILED,
        };
        return match wanted.format {
            StudyFormat::Table => Ok((summary(&swept), code)),
            StudyFormat::Json => Ok((super::json(&swept).map_err(refused)?, code)),
        };
    }
    page(folder)?;
    remark(&format!("see {}", folder.join(report::FILE).display()));
    told(&UncertaintyReading::open(folder).map_err(refused)?, wanted.format)
}

/// What is printed of a sample, and its exit code.
pub(crate) fn told(
    reading: &UncertaintyReading,
    format: StudyFormat,
) -> Result<(String, u8), Failure> {
    let answer = reading.answer();
    tell(&answer.cautions);
    let code = match (answer.missing, answer.failed) {
        (0, 0) => 0,
        (0, _) => POINTS_FAILED,
        _ => STOPPED,
    };
    match format {
        StudyFormat::Table => Ok((table::uncertainty::text(&answer), code)),
        StudyFormat::Json => Ok((super::json(&answer).map_err(refused)?, code)),
    }
}

/// The page of a complete sample; `false` where the folder holds a sweep of a study.
pub(crate) fn page(folder: &Path) -> Result<bool, Failure> {
    let reading = match UncertaintyReading::for_page(folder) {
        Ok(reading) => reading,
        Err(StudyFolderError::OtherPart { .. }) => return Ok(false),
        Err(StudyFolderError::Empty { .. }) => return Ok(true),
        Err(error) if error.is_unwritable() => return Err((error.to_string(), UNWRITABLE)),
        Err(error) => return Err(refused(error)),
    };
    let html = report::uncertainty::html(&reading, &reading.answer(), Some(&report::own_command()))
        .map_err(refused)?;
    let unwritable = |message: String| (message, UNWRITABLE);
    let place = Folder::new(folder, folder.to_owned(), &[report::FILE], true);
    place.and_then(|place| place.write(&[(report::FILE, Some(html))])).map_err(unwritable)?;
    Ok(true)
}
