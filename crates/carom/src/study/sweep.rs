//! A sweep in a folder: run, go on, merge; nothing that was computed is lost.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::engine::{Block, evaluate};
use super::log::{self, Header, LogError, Reader, Shard, Survey, append, survey};
use super::own::{FILES, header_there, refuse_foreign};
use super::plan::Study;
use super::regular::check_regular;
use super::table;

/// How often what was written is made to last.
pub(super) const SYNC: Duration = Duration::from_secs(2);
/// The name of the lock in a folder.
const LOCK: &str = ".study.lock";

/// Why a sweep did not run.
#[derive(Debug, Error)]
pub enum SweepError {
    /// A grid without a number of values.
    #[error(
        "study.variables.{variable}: `count` is missing: how many values of the range a grid has"
    )]
    Uncounted {
        /// The variable.
        variable: String,
    },
    /// A study stands there already.
    #[error(
        "{folder}: a study is there already; take another folder (of a sweep: --resume goes on with it, --overwrite begins anew)"
    )]
    Exists {
        /// The folder.
        folder: String,
    },
    /// A file stands where a table or the page would be written, and this sweep did not write it.
    #[error(
        "{path}: it is there already and no sweep in this folder wrote it; move it away, or take another folder"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// Nothing stands there.
    #[error(
        "{folder}: there is no study (no {}); `carom sweep FILE -o {folder}` makes one",
        log::FILE
    )]
    Nothing {
        /// The folder.
        folder: String,
    },
    /// Another process works there.
    #[error("{folder}: another carom is at work there")]
    Locked {
        /// The folder.
        folder: String,
    },
    /// The log belongs to something else.
    #[error("{path}: it belongs to {what}; take another folder (or --overwrite, of a sweep)")]
    Different {
        /// The log.
        path: String,
        /// What differs.
        what: &'static str,
    },
    /// The log is damaged.
    #[error("{path}: {error}")]
    Log {
        /// The log.
        path: String,
        /// What is wrong.
        error: LogError,
    },
    /// Shards that do not make a whole.
    #[error("{0}")]
    Shards(String),
    /// Something cannot be written.
    #[error("{path} cannot be written: {error}")]
    Unwritable {
        /// The file or folder.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

impl SweepError {
    /// Whether the disk is to blame, not the question.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Unwritable { .. })
    }
}

pub(super) fn unwritable(path: &Path) -> impl Fn(std::io::Error) -> SweepError + '_ {
    |error| SweepError::Unwritable { path: path.display().to_string(), error }
}

pub(super) fn damaged(path: &Path) -> impl Fn(LogError) -> SweepError + '_ {
    |error| SweepError::Log { path: path.display().to_string(), error }
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Points of this sweep.
    pub points: u64,
    /// Those done, now or before.
    pub done: u64,
    /// Those done before.
    pub before: u64,
    /// Those with an error.
    pub failed: u64,
}

/// What a sweep came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept {
    /// How far it is.
    pub advance: Advance,
    /// Points whose records were damaged within the log, and were computed again.
    pub recomputed: Vec<Range<u64>>,
    /// Whether the log ended within a record, which was cut off.
    pub torn: bool,
}

/// What is to be done where.
#[derive(Clone, Debug)]
pub struct Sweep<'a> {
    /// The study.
    pub study: &'a Study,
    /// What its log begins with.
    pub header: Header,
    /// The folder.
    pub folder: &'a Path,
    /// Threads.
    pub threads: usize,
    /// Whether to go on with what is there.
    pub resume: bool,
    /// Whether to begin anew over what is there.
    pub overwrite: bool,
}

impl Sweep<'_> {
    /// Runs it; `watch` is told how far it is and stops it with `false`. What it returns is complete if `done` is
    /// `points`: then the tables are written.
    pub fn run(&self, watch: &mut dyn FnMut(&Advance) -> bool) -> Result<Swept, SweepError> {
        let mut log = self.open()?;
        let left = log.next..log.end;
        if !left.is_empty() && watch(&log.advance) {
            evaluate(self.study, left, self.threads, &mut |block| {
                log.append(&block)?;
                Ok::<bool, SweepError>(watch(&log.advance))
            })?;
        }
        let advance = log.finish(self.study, &self.header)?;
        Ok(Swept { advance, recomputed: log.recomputed, torn: log.torn })
    }

    /// Opens the log to write on: a new one, or one that is there and goes on behind its last sound record.
    pub fn open(&self) -> Result<OpenLog, SweepError> {
        let folder = self.folder;
        if let Some(variable) = self.study.uncounted() {
            return Err(SweepError::Uncounted { variable: variable.to_owned() });
        }
        fs::create_dir_all(folder).map_err(unwritable(folder))?;
        let lock = lock(folder)?;
        let path = folder.join(log::FILE);
        let range = self.header.shard.range(self.header.points);
        let (mut recomputed, mut torn) = (Vec::new(), false);
        let (file, before) = if path.exists() && !self.overwrite {
            if !self.resume {
                return Err(SweepError::Exists { folder: folder.display().to_string() });
            }
            let Reopened { file, found, filled, cut } = self.reopen(&path)?;
            refuse_foreign(folder, Some(self.study), Some(&self.header))?;
            (recomputed, torn) = (filled, cut);
            (file, found)
        } else {
            // Only what the sweep before has written is replaced.
            let earlier = header_there(&path)?;
            refuse_foreign(folder, None, earlier.as_ref())?;
            for name in FILES {
                remove(&folder.join(name))?;
            }
            let start = range.start;
            (
                begin(&path, &self.header)?,
                Survey { done: 0, failed: 0, gaps: vec![], next: start, sound: 0 },
            )
        };
        let points = range.end - range.start;
        let advance =
            Advance { points, done: before.done, before: before.done, failed: before.failed };
        let (next, end) = (before.next, range.end);
        let synced = Instant::now();
        let folder = folder.to_owned();
        Ok(OpenLog {
            folder,
            path,
            file,
            next,
            end,
            advance,
            recomputed,
            torn,
            synced,
            _lock: lock,
        })
    }

    /// Opens a log to go on: its torn end is cut, and what was damaged within is computed again.
    fn reopen(&self, path: &Path) -> Result<Reopened, SweepError> {
        let mut reader = Reader::open(path).map_err(damaged(path))?;
        let found = reader.header();
        let what = match self.header.difference(found) {
            None if self.header.shard != found.shard => Some("another shard"),
            what => what,
        };
        if let Some(what) = what {
            return Err(SweepError::Different { path: path.display().to_string(), what });
        }
        let mut found = survey(&mut reader).map_err(damaged(path))?;
        let length = fs::metadata(path).map_err(unwritable(path))?.len();
        let cut = length > found.sound;
        let filled = found.gaps.clone();
        if !filled.is_empty() {
            self.mend(path, &found)?;
            let mut reader = Reader::open(path).map_err(damaged(path))?;
            found = survey(&mut reader).map_err(damaged(path))?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(unwritable(path))?;
        file.set_len(found.sound).map_err(unwritable(path))?;
        Ok(Reopened { file, found, filled, cut })
    }

    /// Writes the log anew with its gaps filled.
    fn mend(&self, path: &Path, found: &Survey) -> Result<(), SweepError> {
        let part = part(path);
        let mut out = File::create(&part).map_err(unwritable(&part))?;
        out.write_all(&self.header.bytes()).map_err(unwritable(&part))?;
        let mut reader = Reader::open(path).map_err(damaged(path))?;
        let mut gaps = found.gaps.iter().cloned().peekable();
        let mut bytes = Vec::new();
        while let Some((point, entry)) = reader.next_record().map_err(damaged(path))? {
            if let Some(gap) = gaps.next_if(|gap| gap.end == point) {
                evaluate(self.study, gap, self.threads, &mut |block| {
                    out.write_all(&block.bytes).map_err(unwritable(&part)).map(|()| true)
                })?;
            }
            bytes.clear();
            append(&mut bytes, point, &entry);
            out.write_all(&bytes).map_err(unwritable(&part))?;
        }
        out.sync_all().map_err(unwritable(&part))?;
        fs::rename(&part, path).map_err(unwritable(path))
    }
}

/// A log that was there and goes on.
struct Reopened {
    file: File,
    found: Survey,
    /// Points that were damaged within, and were computed again.
    filled: Vec<Range<u64>>,
    /// Whether something that is no record was cut off its end.
    cut: bool,
}

/// The log of a study while it is written: its folder is locked, and records are appended in the order of their points.
#[derive(Debug)]
pub struct OpenLog {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    /// The first point without a record.
    pub next: u64,
    /// The point behind the last one.
    pub end: u64,
    /// How far it is.
    pub advance: Advance,
    /// Points whose records were damaged within the log, and were computed again when it was opened.
    pub recomputed: Vec<Range<u64>>,
    /// Whether the log ended within a record, which was cut off.
    pub torn: bool,
    synced: Instant,
    /// Locked until it is dropped.
    _lock: File,
}

impl OpenLog {
    /// Appends records; they begin at the point [`OpenLog::next`].
    pub fn append(&mut self, block: &Block) -> Result<(), SweepError> {
        let unwritable = unwritable(&self.path);
        self.file.write_all(&block.bytes).map_err(&unwritable)?;
        if self.synced.elapsed() > SYNC {
            self.file.sync_data().map_err(&unwritable)?;
            self.synced = Instant::now();
        }
        self.next += block.points;
        self.advance.done += block.points;
        self.advance.failed += block.failed;
        Ok(())
    }

    /// Makes what was written last, and writes the tables if all points are done.
    pub fn finish(&mut self, study: &Study, header: &Header) -> Result<Advance, SweepError> {
        self.file.sync_all().map_err(unwritable(&self.path))?;
        if self.advance.done == self.advance.points {
            // A file of somebody else may have come in the meantime.
            refuse_foreign(&self.folder, Some(study), Some(header))?;
            table::write(study, &self.folder)?;
        }
        Ok(self.advance)
    }
}

/// A new log with its head, complete before it has its name.
pub(super) fn begin(path: &Path, header: &Header) -> Result<File, SweepError> {
    let part = part(path);
    let make = || -> std::io::Result<File> {
        let mut file = File::create(&part)?;
        file.write_all(&header.bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)?;
        Ok(file)
    };
    make().map_err(unwritable(path))
}

/// Joins the shards of a study into a folder: the log and the tables of a sweep that was never split.
pub fn merge(study: &Study, folders: &[PathBuf], to: &Path) -> Result<Advance, SweepError> {
    let mut readers = Vec::with_capacity(folders.len());
    for folder in folders {
        let path = folder.join(log::FILE);
        if !path.exists() {
            return Err(SweepError::Nothing { folder: folder.display().to_string() });
        }
        readers.push((Reader::open(&path).map_err(damaged(&path))?, path));
    }
    readers.sort_by_key(|(reader, _)| reader.header().shard.part);
    let header = whole(&readers)?;
    fs::create_dir_all(to).map_err(unwritable(to))?;
    let _lock = lock(to)?;
    let path = to.join(log::FILE);
    if path.exists() {
        return Err(SweepError::Exists { folder: to.display().to_string() });
    }
    refuse_foreign(to, Some(study), None)?;
    let part = part(&path);
    let mut out = std::io::BufWriter::new(File::create(&part).map_err(unwritable(&part))?);
    let mut all = Advance { points: header.points, done: 0, before: 0, failed: 0 };
    out.write_all(&header.bytes()).map_err(unwritable(&part))?;
    let mut bytes = Vec::new();
    for (reader, from) in &mut readers {
        let points = reader.header().shard.range(header.points);
        let mut next = points.start;
        while let Some((point, entry)) = reader.next_record().map_err(damaged(from))? {
            if point != next {
                break;
            }
            next += 1;
            all.failed += u64::from(entry.has_error());
            bytes.clear();
            append(&mut bytes, point, &entry);
            out.write_all(&bytes).map_err(unwritable(&part))?;
        }
        if next != points.end {
            // The part is of no use.
            let _ = fs::remove_file(&part);
            let (from, left) = (from.display(), points.end - next);
            let why = format!(
                "{from}: not complete, {left} points from {next} on are missing; go on with it by sweep --resume"
            );
            return Err(SweepError::Shards(why));
        }
        all.done += points.end - points.start;
    }
    let file = out.into_inner().map_err(|error| unwritable(&part)(error.into_error()))?;
    file.sync_all().map_err(unwritable(&part))?;
    fs::rename(&part, &path).map_err(unwritable(&path))?;
    table::write(study, to)?;
    Ok(all)
}

/// The head of the whole study, if these are all of its shards.
fn whole(readers: &[(Reader, PathBuf)]) -> Result<Header, SweepError> {
    let Some((first, _)) = readers.first() else {
        return Err(SweepError::Shards("no folders to merge".to_owned()));
    };
    let header = first.header();
    for (reader, path) in readers {
        let what = match header.difference(reader.header()) {
            None if header.shard.of != reader.header().shard.of => {
                Some("another division in shards")
            }
            what => what,
        };
        if let Some(what) = what {
            return Err(SweepError::Different { path: path.display().to_string(), what });
        }
    }
    let of = header.shard.of;
    for part in 1..=of {
        let count = readers.iter().filter(|(r, _)| r.header().shard.part == part).count();
        if count != 1 {
            let how = if count == 0 { "is missing" } else { "is there more than once" };
            return Err(SweepError::Shards(format!("shard {part}/{of} {how}")));
        }
    }
    Ok(Header { shard: Shard::WHOLE, ..header.clone() })
}

/// Holds the folder as long as it lives; the system frees it however the process ends.
pub(super) fn lock(folder: &Path) -> Result<File, SweepError> {
    let path = folder.join(LOCK);
    if path.exists() {
        check_regular(&path).map_err(unwritable(&path))?;
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(unwritable(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            Err(SweepError::Locked { folder: folder.display().to_string() })
        }
        Err(fs::TryLockError::Error(error)) => Err(unwritable(&path)(error)),
    }
}

/// A name beside a file, until it is complete.
fn part(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.part"))
}

fn remove(path: &Path) -> Result<(), SweepError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unwritable(path)(error)),
        _ => Ok(()),
    }
}
