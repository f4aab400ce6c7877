//! Which files of a folder a sweep wrote itself: only those may be replaced without being asked.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use super::log::Header;
use super::plan::Study;
use super::regular::read_regular;
use super::sweep::SweepError;
use super::table;

/// The page of a complete sweep.
pub const REPORT: &str = "report.html";
/// What a complete sweep leaves beside its log.
pub(super) const FILES: [&str; 3] = [table::CSV, table::JSON, REPORT];

/// The numbers of model and study that the page of a study states: they tell whose page it is.
pub fn study_mark(header: &Header) -> String {
    format!("fnv1a64:{:016x} (model), fnv1a64:{:016x} (study)", header.model, header.study)
}

/// Refuses a folder with a table or a page that the sweep of this log did not write. `header` is that of the log in the folder; without a
/// log nothing there is a sweep's own.
///
/// A table is told by its head, which names all columns of the study, a page by its [`study_mark`].
pub fn refuse_foreign(
    folder: &Path,
    study: &Study,
    header: Option<&Header>,
) -> Result<(), SweepError> {
    let [csv, json] = table::heads(study);
    for name in FILES {
        let path = folder.join(name);
        if fs::symlink_metadata(&path).is_err() {
            continue;
        }
        let own = header.is_some_and(|header| match name {
            table::CSV => begins_with(&path, &csv),
            table::JSON => begins_with(&path, &json),
            _ => read_regular(&path).is_ok_and(|text| text.contains(&study_mark(header))),
        });
        if !own {
            return Err(SweepError::Foreign { path: path.display().to_string() });
        }
    }
    Ok(())
}

fn begins_with(path: &Path, head: &str) -> bool {
    let mut found = Vec::with_capacity(head.len());
    let read = fs::metadata(path).is_ok_and(|m| m.is_file())
        && File::open(path)
            .and_then(|file| file.take(head.len() as u64).read_to_end(&mut found))
            .is_ok();
    read && found == head.as_bytes()
}
