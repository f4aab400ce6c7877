//! The log of a search: what each evaluation gave, in the order in which the search asked.
//!
//! Head and records are those of a sweep's log ([`super::log`]). A search that is taken up again is given its records and goes on behind them;
//! it asks what it asked before, so that log and answer have the same bytes as if it had never stopped.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::log::{Entry, Header, Reader, append};
use super::sweep::{SYNC, SweepError, begin, damaged, lock, unwritable};

/// The name of the log in its folder.
pub const SEARCH: &str = "search.log";

/// The log of a search while it is written; its folder is locked.
#[derive(Debug)]
pub struct SearchLog {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Locked until it is dropped.
    _lock: File,
}

impl SearchLog {
    /// Opens the log of a folder, new or behind its last sound record, and gives the records that it has.
    pub fn open(
        folder: &Path,
        header: &Header,
        (resume, overwrite): (bool, bool),
    ) -> Result<(Self, Vec<Entry>), SweepError> {
        fs::create_dir_all(folder).map_err(unwritable(folder))?;
        let lock = lock(folder)?;
        let path = folder.join(SEARCH);
        let synced = Instant::now();
        if !path.exists() || overwrite {
            if path.exists() && Reader::open(&path).is_err() {
                return Err(SweepError::Foreign { path: path.display().to_string() });
            }
            let file = begin(&path, header)?;
            return Ok((Self { path, file, synced, _lock: lock }, Vec::new()));
        }
        if !resume {
            return Err(SweepError::Exists { folder: folder.display().to_string() });
        }
        let mut reader = Reader::open(&path).map_err(damaged(&path))?;
        if let Some(what) = header.difference(reader.header()) {
            return Err(SweepError::Different { path: path.display().to_string(), what });
        }
        let (mut entries, mut sound) = (Vec::new(), reader.sound());
        // Records behind a damaged one answer questions that cannot be asked without it.
        while let Some((number, entry)) = reader.next_record().map_err(damaged(&path))? {
            if number != entries.len() as u64 {
                break;
            }
            entries.push(entry);
            sound = reader.sound();
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(unwritable(&path))?;
        file.set_len(sound).map_err(unwritable(&path))?;
        Ok((Self { path, file, synced, _lock: lock }, entries))
    }

    /// Appends a record.
    pub fn keep(&mut self, number: usize, entry: &Entry) -> Result<(), SweepError> {
        let mut bytes = Vec::with_capacity(entry.length());
        append(&mut bytes, number as u64, entry);
        self.file.write_all(&bytes).map_err(unwritable(&self.path))?;
        if self.synced.elapsed() > SYNC {
            self.file.sync_data().map_err(unwritable(&self.path))?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Makes what was written last.
    pub fn finish(self) -> Result<(), SweepError> {
        self.file.sync_all().map_err(unwritable(&self.path))
    }
}
