//! `carom merge`: the shards of a sweep as one.

use std::process::ExitCode;

use carom::file::parse_files;
use carom::study::log::{FILE, Reader};
use carom::study::{Study, merge, table};

use super::sweep::{Failure, POINTS_FAILED, ending, failure, refused};
use super::{complain, study};
use crate::args::Merge;

/// Runs it and gives the exit code.
pub(crate) fn run(wanted: &Merge) -> ExitCode {
    match merged(wanted) {
        Ok((text, code)) => ending(&text, code),
        Err((message, code)) => {
            complain(&message);
            ExitCode::from(code)
        }
    }
}

fn merged(wanted: &Merge) -> Result<(String, u8), Failure> {
    let first = wanted.folders.first().ok_or_else(|| refused("no folders to merge"))?;
    let (study, _) = study_of(first)?;
    let all = merge(&study, &wanted.folders, &wanted.out).map_err(|error| failure(&error))?;
    study::page(&wanted.out)?;
    let folder = wanted.out.display();
    let errors = match all.failed {
        0 => String::new(),
        n => format!(", {n} with an error"),
    };
    let (csv, json) = (table::CSV, table::JSON);
    let text = format!("{folder}: {} points{errors}; wrote {csv} and {json}\n", all.done);
    Ok((text, if all.failed > 0 { POINTS_FAILED } else { 0 }))
}

/// The study of a folder, from the head of its log, and the log.
pub(crate) fn study_of(folder: &std::path::Path) -> Result<(Study, Reader), Failure> {
    let path = folder.join(FILE);
    if !path.exists() {
        let folder = folder.display();
        return Err(refused(format!(
            "{folder}: there is no study (no {FILE}); `carom sweep FILE -o {folder}` makes one"
        )));
    }
    let damaged = |error| refused(format!("{}: {error}", path.display()));
    let reader = Reader::open(&path).map_err(|error| damaged(error.to_string()))?;
    let header = reader.header();
    if header.version != env!("CARGO_PKG_VERSION") {
        let version = &header.version;
        return Err(damaged(format!("it was written by carom {version}; sweep it again")));
    }
    let loaded = parse_files(&header.files, &header.sets).map_err(refused)?;
    Ok((loaded.study().map_err(refused)?, reader))
}
