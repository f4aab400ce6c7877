//! Questions about designs: how sure their numbers are, the best one, maps, two beside each other.

use std::path::PathBuf;

use carom::answer::study::{
    Action, CompareOptions, MapOptions, OptimiseOptions, UncertaintyReading, compare, map, optimise,
};
use numpy::ToPyArray;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::raise;
use crate::listen::listening;
use crate::machine::{failed, text};
use crate::study::{number, word};

/// Names and texts, or paths and values.
type Pairs = Vec<(String, String)>;
/// A path and two ends.
type Axis = (String, String, String);

#[allow(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
fn refused(error: impl ToString) -> PyErr {
    raise("StudyError", error.to_string(), Vec::new())
}

/// A sample of the `[uncertainty]` of a model.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct UncertaintySample {
    reading: UncertaintyReading,
}

#[pymethods]
impl UncertaintySample {
    /// The sample of a model file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, sets: Pairs, threads: usize) -> PyResult<Self> {
        let found = listening(py, |goes_on| {
            UncertaintyReading::sampled(&path, &sets, threads, &mut |_| goes_on())
        })?;
        found.map(|reading| Self { reading }).map_err(refused)
    }

    /// The sample of names and texts of files.
    #[staticmethod]
    fn from_files(py: Python<'_>, files: Pairs, sets: Pairs, threads: usize) -> PyResult<Self> {
        let found = listening(py, |goes_on| {
            UncertaintyReading::sampled_from(&files, &sets, threads, &mut |_| goes_on())
        })?;
        found.map(|reading| Self { reading }).map_err(refused)
    }

    /// The answer, as JSON.
    fn answer(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| text(&self.reading.answer()))
    }

    /// Headings and columns of the uncertain numbers, then of the measures.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
        let (inputs, measures) = (PyList::empty(py), PyList::empty(py));
        for (heading, levels) in self.reading.inputs() {
            let numbers: Option<Vec<f64>> = levels.iter().map(number).collect();
            match numbers {
                Some(numbers) => inputs.append((heading, numbers.to_pyarray(py)))?,
                None => inputs.append((heading, levels.iter().map(word).collect::<Vec<_>>()))?,
            }
        }
        for (heading, values) in self.reading.measured() {
            measures.append((heading, values.to_pyarray(py)))?;
        }
        Ok((inputs, measures))
    }

    /// The report page.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| carom_cli::pages::uncertainty(&self.reading)).map_err(failed)
    }
}

/// The answer of `optimise`, as JSON; a folder keeps the log, and the search goes on with the one it has.
#[pyfunction]
pub(crate) fn optimised(
    py: Python<'_>,
    file: PathBuf,
    sets: Pairs,
    evaluations: usize,
    seed: u64,
    threads: usize,
    folder: Option<PathBuf>,
) -> PyResult<String> {
    let resume = folder.as_ref().is_some_and(|folder| folder.join("search.log").exists());
    let options = OptimiseOptions {
        file,
        sets,
        evaluations,
        seed,
        threads,
        folder,
        resume,
        overwrite: false,
    };
    let found = listening(py, |goes_on| optimise(&options, &mut |_| goes_on()))?;
    text(&found.map_err(refused)?)
}

/// The answer of `map`, as JSON.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python hands over each by itself")]
pub(crate) fn mapped(
    py: Python<'_>,
    file: PathBuf,
    sets: Pairs,
    x: Axis,
    y: Axis,
    contact: Option<String>,
    measures: Vec<String>,
    count: u16,
    threads: usize,
) -> PyResult<String> {
    let options = MapOptions { file, sets, x, y, contact, measures, count };
    let found = listening(py, |goes_on| map(&options, threads, &mut |_| goes_on()))?;
    text(&found.map_err(refused)?)
}

/// The answer of `compare`, as JSON.
#[pyfunction]
pub(crate) fn compared(
    py: Python<'_>,
    first: PathBuf,
    second: PathBuf,
    sets: Pairs,
    contact: Option<String>,
    action: &str,
) -> PyResult<String> {
    let Some(action) = Action::ALL.into_iter().find(|known| known.name() == action) else {
        let names: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
        return Err(refused(format!("action: `{action}`, expected one of {}", names.join(", "))));
    };
    let options = CompareOptions { files: [first, second], sets, contact, action };
    text(&py.detach(|| compare(&options)).map_err(refused)?)
}
