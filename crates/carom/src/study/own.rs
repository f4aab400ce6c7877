//! Which files of a folder a sweep wrote itself: only those may be replaced without being asked.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use super::log::header::MAGIC;
use super::log::{Header, Reader};
use super::plan::Study;
use super::regular::read_regular;
use super::sweep::SweepError;
use super::table;

/// The page of a complete sweep.
pub const REPORT: &str = "report.html";
/// The head of a table is looked for in so many bytes.
const MOST_HEAD: usize = 1 << 20;
/// What a complete sweep leaves beside its log.
pub(super) const FILES: [&str; 3] = [table::CSV, table::JSON, REPORT];

/// The numbers of model and study that the page of a study states: they tell whose page it is.
pub fn study_mark(header: &Header) -> String {
    format!("fnv1a64:{:016x} (model), fnv1a64:{:016x} (study)", header.model, header.study)
}

/// Refuses a folder with a table or a page that the sweep of this log did not write. `header` is that of the log in the folder; without a
/// log nothing there is a sweep's own.
///
/// A table is told by its head, which names all columns of the study (of a sweep whose study is not at hand, by the measures in its log), a
/// page by its [`study_mark`].
pub fn refuse_foreign(
    folder: &Path,
    study: Option<&Study>,
    header: Option<&Header>,
) -> Result<(), SweepError> {
    let heads = study.map(table::heads);
    for name in FILES {
        let path = folder.join(name);
        if fs::symlink_metadata(&path).is_err() {
            continue;
        }
        let own = header.is_some_and(|header| match (name, &heads) {
            (table::CSV, Some([csv, _])) => begins_with(&path, csv),
            (table::JSON, Some([_, json])) => begins_with(&path, json),
            (table::CSV | table::JSON, None) => has_columns(&path, &header.columns),
            _ => read_regular(&path).is_ok_and(|text| text.contains(&study_mark(header))),
        });
        if !own {
            return Err(SweepError::Foreign { path: path.display().to_string() });
        }
    }
    Ok(())
}

/// What the file of a log says of itself; nothing where there is no log. Refused where another file has its name.
pub(super) fn header_there(path: &Path) -> Result<Option<Header>, SweepError> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    if begin(path, MAGIC.len()) != MAGIC {
        return Err(SweepError::Foreign { path: path.display().to_string() });
    }
    // A log that is damaged is one all the same, but does not tell which tables are its own.
    Ok(Reader::open(path).ok().map(|reader| reader.header().clone()))
}

fn begins_with(path: &Path, head: &str) -> bool {
    begin(path, head.len()) == head.as_bytes()
}

/// Whether a table begins with its point and ends with these measures and its error, in its first line or, of JSON, in its list of columns.
fn has_columns(path: &Path, measures: &[String]) -> bool {
    let text = begin(path, MOST_HEAD);
    let text = String::from_utf8_lossy(&text);
    let ([csv, json], line) = (table::last_columns(measures), text.lines().next().unwrap_or(""));
    let list = text.lines().find(|line| line.starts_with("  \"columns\": [\"point\","));
    line.starts_with("point,") && line.ends_with(&csv) || list.is_some_and(|l| l.ends_with(&json))
}

/// The first bytes of a regular file; none of another kind of file.
fn begin(path: &Path, bytes: usize) -> Vec<u8> {
    let mut found = Vec::new();
    if fs::metadata(path).is_ok_and(|m| m.is_file()) {
        // What cannot be read is not recognised.
        let _ = File::open(path).and_then(|file| file.take(bytes as u64).read_to_end(&mut found));
    }
    found
}
