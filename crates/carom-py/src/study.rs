//! Studies: points by their numbers, records of the log as bytes.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use carom::answer::study::{LevelValue, SweepRefused};
use carom::{StudyLog as Log, StudyRecords};
use numpy::ToPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::raise;
use crate::run::LISTEN;

/// Names and texts, or paths and values.
type Pairs = Vec<(String, String)>;

fn refused(error: SweepRefused) -> PyErr {
    raise("StudyError", error.to_string(), Vec::new())
}

/// The native study.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct StudyPoints {
    records: StudyRecords,
}

#[pymethods]
impl StudyPoints {
    /// The study of a model file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, sets: Pairs) -> PyResult<Self> {
        let records = py.detach(|| StudyRecords::open(path, &sets)).map_err(refused)?;
        Ok(Self { records })
    }

    /// The study of names and texts of files.
    #[staticmethod]
    fn from_files(py: Python<'_>, files: Pairs, sets: Pairs) -> PyResult<Self> {
        let records = py.detach(|| StudyRecords::from_files(&files, &sets)).map_err(refused)?;
        Ok(Self { records })
    }

    /// How many points it has.
    fn points(&self) -> u64 {
        self.records.points()
    }

    /// Names and texts of its files.
    fn files(&self) -> Pairs {
        self.records.files().to_vec()
    }

    /// Its edits by path.
    fn sets(&self) -> Pairs {
        self.records.sets().to_vec()
    }

    /// A hash of the model and of the study.
    fn fingerprint(&self) -> String {
        self.records.fingerprint()
    }

    /// Headings of the variables and of the measures, with their units.
    fn headings(&self) -> (Vec<String>, Vec<String>) {
        (self.records.variables(), self.records.measures().to_vec())
    }

    /// Action, contact, and name, path and unit of every variable.
    fn plan(&self) -> (&'static str, &str, Vec<[&str; 3]>) {
        self.records.plan()
    }

    /// Name and expression of every measure.
    fn measured(&self) -> Vec<[&str; 2]> {
        self.records.measured()
    }

    /// The records of the points from `first` to before `last`, how many they are, and what Ctrl-C raised: then there are fewer.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        last: u64,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, u64, Option<PyErr>)> {
        let (mut raised, mut count) = (None, 0);
        let bytes = py.detach(|| {
            let mut listened = Instant::now();
            self.records.evaluate(first..last, threads, &mut |done| {
                count = done;
                if listened.elapsed() < LISTEN {
                    return true;
                }
                listened = Instant::now();
                raised = signal();
                raised.is_none()
            })
        });
        Ok((PyBytes::new(py, &bytes.map_err(refused)?), count, raised))
    }

    /// What some records say: variables and measures in columns, and errors by point.
    fn columns<'py>(
        &self,
        py: Python<'py>,
        records: &[u8],
        first: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = py.detach(|| self.records.columns(records, first));
        let out = PyDict::new(py);
        let variables = PyList::empty(py);
        for (name, levels) in &found.variables {
            let numbers: Option<Vec<f64>> = levels.iter().map(number).collect();
            if let Some(numbers) = numbers {
                variables.append((name, numbers.to_pyarray(py)))?;
            } else {
                let words: Vec<String> = levels.iter().map(word).collect();
                variables.append((name, words))?;
            }
        }
        let measures = PyList::empty(py);
        for (name, values) in &found.measures {
            measures.append((name, values.to_pyarray(py)))?;
        }
        out.set_item("variables", variables)?;
        out.set_item("measures", measures)?;
        out.set_item("failed", found.failed)?;
        out.set_item("untouched", found.untouched)?;
        Ok(out)
    }

    /// The records that the log in a folder holds of this study.
    fn stored<'py>(&self, py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.records.stored(&folder)).map_err(refused)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Opens the log of the study in a folder.
    fn log(&self, folder: PathBuf, resume: bool, overwrite: bool) -> PyResult<StudyLog> {
        let log = self.records.log(&folder, resume, overwrite).map_err(refused)?;
        Ok(StudyLog { log: Mutex::new(Some(log)) })
    }
}

/// What Ctrl-C raises, if it was pressed.
fn signal() -> Option<PyErr> {
    Python::attach(|py| py.check_signals().err())
}

pub(crate) fn number(level: &LevelValue) -> Option<f64> {
    match level {
        LevelValue::Number(x) => Some(*x),
        LevelValue::Word(_) => None,
    }
}

pub(crate) fn word(level: &LevelValue) -> String {
    match level {
        LevelValue::Number(x) => x.to_string(),
        LevelValue::Word(word) => word.clone(),
    }
}

/// The log of a study while it is written.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct StudyLog {
    log: Mutex<Option<Log>>,
}

impl StudyLog {
    fn held(&self) -> MutexGuard<'_, Option<Log>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, ask: impl FnOnce(&mut Log) -> Result<T, SweepRefused>) -> PyResult<T> {
        // Making an exception calls Python: the log is let go before.
        let answer = self.held().as_mut().map(ask);
        match answer {
            Some(answer) => answer.map_err(refused),
            None => Err(raise("StudyError", "the log is closed".to_owned(), Vec::new())),
        }
    }
}

#[pymethods]
impl StudyLog {
    /// The first point without a record.
    fn next(&self) -> PyResult<u64> {
        self.with(|log| Ok(log.next()))
    }

    /// Points of the study, those done, those done before, those with an error.
    fn advance(&self) -> PyResult<(u64, u64, u64, u64)> {
        self.with(|log| {
            let a = log.advance();
            Ok((a.points, a.done, a.before, a.failed))
        })
    }

    /// Appends records of the points from `next()` on.
    fn append(&self, py: Python<'_>, records: &[u8]) -> PyResult<()> {
        py.detach(|| self.with(|log| log.append(records)))
    }

    /// Writes the tables if all points are done, and frees the folder.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let taken = self.held().take();
        match taken {
            Some(mut log) => py.detach(move || log.finish().map(|_| ())).map_err(refused),
            None => Ok(()),
        }
    }
}
