//! A study computed in pieces: points by their numbers, results as records of its log.
//!
//! A piece is a pure function of the study and the numbers of its points, so pieces may be computed anywhere and again; put together in
//! order they are the log that one thread would have written.

use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use crate::answer::study::{LevelValue, SweepRefused, header};
use crate::file::{Loaded, load, parse_files};
use crate::study::log::{FILE, Header, LogError, Reader, Shard};
use crate::study::{Advance, Block, OpenLog, Study, Sweep, SweepError, evaluate, open_regular};

use super::SweepColumns;

/// A study that is ready to be computed in pieces.
#[derive(Clone, Debug)]
pub struct StudyRecords {
    study: Study,
    header: Header,
}

impl StudyRecords {
    /// The study of a model file with edits by path.
    pub fn open(path: impl AsRef<Path>, sets: &[(String, String)]) -> Result<Self, SweepRefused> {
        Self::new(&load(path.as_ref(), sets)?, sets)
    }

    /// The study of the names and texts of files, the lowest first.
    pub fn from_files(
        files: &[(String, String)],
        sets: &[(String, String)],
    ) -> Result<Self, SweepRefused> {
        Self::new(&parse_files(files, sets)?, sets)
    }

    fn new(loaded: &Loaded, sets: &[(String, String)]) -> Result<Self, SweepRefused> {
        let study = loaded.study()?;
        if let Some(variable) = study.uncounted() {
            return Err(SweepError::Uncounted { variable: variable.to_owned() }.into());
        }
        let header = header(loaded, &study, sets, Shard::WHOLE);
        Ok(Self { study, header })
    }

    /// How many points it has.
    pub fn points(&self) -> u64 {
        self.header.points
    }

    /// Names and texts of its files, the lowest first.
    pub fn files(&self) -> &[(String, String)] {
        &self.header.files
    }

    /// Its edits by path.
    pub fn sets(&self) -> &[(String, String)] {
        &self.header.sets
    }

    /// A hash of the model and of the study.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}-{:016x}", self.header.model, self.header.study)
    }

    /// Headings of the variables, with their units.
    pub fn variables(&self) -> Vec<String> {
        self.study.variable_headings()
    }

    /// Headings of the measures, with their units.
    pub fn measures(&self) -> &[String] {
        &self.header.columns
    }

    /// The plan as the words of a model file have it: action, contact, and name, path and unit of every variable.
    pub fn plan(&self) -> (&'static str, &str, Vec<[&str; 3]>) {
        let variables = self.study.design.variables().iter();
        let variables = variables.map(|v| [v.name.as_str(), v.path.as_str(), v.unit.text.as_str()]);
        (self.study.action.name(), &self.study.contact, variables.collect())
    }

    /// Name and expression of every measure.
    pub fn measured(&self) -> Vec<[&str; 2]> {
        self.study.measures.iter().map(|m| [m.name.as_str(), m.text.as_str()]).collect()
    }

    /// The records of some points. `watch` is told how many are done and stops it with `false`; then there are fewer.
    pub fn evaluate(
        &self,
        points: Range<u64>,
        threads: usize,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Vec<u8>, SweepRefused> {
        if points.end > self.points() {
            let (end, all) = (points.end, self.points());
            return Err(SweepError::Shards(format!("point {end}: there are {all} points")).into());
        }
        let (mut bytes, mut done) = (Vec::new(), 0);
        evaluate(&self.study, points, threads, &mut |block: Block| {
            bytes.extend_from_slice(&block.bytes);
            done += block.points;
            Ok::<bool, SweepRefused>(watch(done))
        })?;
        Ok(bytes)
    }

    /// What some records say, in columns; they begin at the point `first`.
    pub fn columns(&self, records: &[u8], first: u64) -> SweepColumns {
        columns(&self.study, records, first)
    }

    /// The records that the log in a folder holds of this study, up to the first damaged one.
    pub fn stored(&self, folder: &Path) -> Result<Vec<u8>, SweepRefused> {
        let path = folder.join(FILE);
        let damaged = |error| SweepError::Log { path: path.display().to_string(), error };
        let bytes = read_bytes(&path).map_err(|error| damaged(LogError::Unreadable(error)))?;
        let (header, length) = Header::read(&bytes).map_err(damaged)?;
        if let Some(what) = self.header.difference(&header) {
            return Err(SweepError::Different { path: path.display().to_string(), what }.into());
        }
        let found = Reader::records(&bytes[length..], self.measures().len());
        let sound: usize = found.iter().map(|(_, entry)| entry.length()).sum();
        Ok(bytes[length..length + sound].to_vec())
    }

    /// Opens the log of the study in a folder, as `carom sweep` does: a new one, one that goes on, or one that replaces what is there.
    pub fn log(
        &self,
        folder: &Path,
        resume: bool,
        overwrite: bool,
    ) -> Result<StudyLog, SweepRefused> {
        let header = self.header.clone();
        let sweep = Sweep { study: &self.study, header, folder, threads: 1, resume, overwrite };
        Ok(StudyLog { records: self.clone(), log: sweep.open()? })
    }
}

/// The log of a study while it is written; its folder is locked.
#[derive(Debug)]
pub struct StudyLog {
    records: StudyRecords,
    log: OpenLog,
}

impl StudyLog {
    /// The first point without a record.
    pub fn next(&self) -> u64 {
        self.log.next
    }

    /// How far it is.
    pub fn advance(&self) -> Advance {
        self.log.advance
    }

    /// Appends records of the points from [`StudyLog::next`] on; damaged or misplaced ones are refused, and nothing is written.
    pub fn append(&mut self, records: &[u8]) -> Result<(), SweepRefused> {
        let found = Reader::records(records, self.records.measures().len());
        let next = self.log.next;
        let in_order = (next..).zip(&found).all(|(point, (own, _))| point == *own);
        let length: usize = found.iter().map(|(_, entry)| entry.length()).sum();
        if !in_order || length != records.len() {
            let text =
                format!("records that are not those of the points from {next} on, or damaged");
            return Err(SweepError::Shards(text).into());
        }
        let failed = found.iter().filter(|(_, entry)| entry.has_error()).count() as u64;
        let block = Block { bytes: records.to_vec(), points: found.len() as u64, failed };
        Ok(self.log.append(&block)?)
    }

    /// Makes what was written last on the disk, and writes the tables if all points are done.
    pub fn finish(&mut self) -> Result<Advance, SweepRefused> {
        Ok(self.log.finish(&self.records.study, &self.records.header)?)
    }
}

/// All bytes of a file that is neither a device nor a pipe.
fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Records in columns.
pub(super) fn columns(study: &Study, records: &[u8], first: u64) -> SweepColumns {
    let variables = study.design.variables();
    let mut out = SweepColumns {
        variables: variables.iter().map(|v| (v.name.clone(), Vec::new())).collect(),
        measures: study.measures.iter().map(|m| (m.heading(), Vec::new())).collect(),
        failed: Vec::new(),
        untouched: Vec::new(),
    };
    let missing = vec![f64::NAN; study.measures.len()];
    for (point, entry) in Reader::records(records, study.measures.len()) {
        for ((_, column), level) in out.variables.iter_mut().zip(study.design.levels(point)) {
            column.push(LevelValue::from(&level));
        }
        let list = if entry.has_error() { &mut out.failed } else { &mut out.untouched };
        let (values, text) = entry.parts();
        list.extend(text.map(|text| (point - first, text)));
        for ((_, column), x) in out.measures.iter_mut().zip(values.as_ref().unwrap_or(&missing)) {
            column.push(*x);
        }
    }
    out
}
