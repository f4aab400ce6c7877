//! Runs over time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use carom::answer::{Column, RunColumns, RunOptions};
use carom::{ContactTreatment, Runs};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{put, shaped};
use crate::error::of;
use crate::machine::{failed, text};

/// How often a run listens to Ctrl-C and tells how far it is.
pub(crate) const LISTEN: Duration = Duration::from_millis(100);

/// What is asked of a run.
#[derive(FromPyObject)]
pub(crate) struct Wanted {
    #[pyo3(item)]
    until: Option<f64>,
    #[pyo3(item)]
    laws: Vec<String>,
    #[pyo3(item)]
    method: Option<String>,
    #[pyo3(item)]
    tolerance: Option<f64>,
    #[pyo3(item)]
    impact: Option<String>,
    #[pyo3(item)]
    all_samples: bool,
    #[pyo3(item)]
    poses: bool,
    #[pyo3(item)]
    reactions: bool,
    #[pyo3(item)]
    max_steps: Option<usize>,
    #[pyo3(item)]
    max_time: Option<f64>,
}

impl Wanted {
    fn options(&self) -> PyResult<RunOptions> {
        let method = match self.method.as_deref() {
            None => None,
            Some("continuous") => Some(ContactTreatment::Continuous),
            Some("piecewise") => Some(ContactTreatment::Piecewise),
            Some(other) => {
                let text = format!("method: `{other}`, expected `continuous` or `piecewise`");
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(RunOptions {
            until: self.until,
            method,
            tolerance: self.tolerance,
            laws: self.laws.clone(),
            impact: self.impact.clone(),
            all_samples: self.all_samples,
            poses: self.poses,
            reactions: self.reactions,
            joint_peaks: true,
            max_steps: self.max_steps,
            max_time: self.max_time,
        })
    }
}

/// The native run, or runs under several laws.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Run {
    machine: Mutex<carom::Machine>,
    runs: Runs,
    /// What Ctrl-C or the watcher raised, if it ended the run.
    raised: Option<PyErr>,
}

impl Run {
    pub(crate) fn new(
        py: Python<'_>,
        machine: carom::Machine,
        wanted: &Wanted,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let options = wanted.options()?;
        let mut raised = None;
        let (machine, runs) = py.detach(|| {
            // The machine moves into this closure and back: its memory belongs to one thread at a time.
            let machine = machine;
            let mut listened = Instant::now();
            let runs = machine.run_watched(&options, &mut |progress| {
                if listened.elapsed() < LISTEN {
                    return true;
                }
                let told = Python::attach(|py| -> PyResult<()> {
                    py.check_signals()?;
                    if let Some(watch) = &watch {
                        let p = progress;
                        watch.call1(py, (p.t, p.until, p.steps, p.impacts))?;
                    }
                    Ok(())
                });
                listened = Instant::now();
                match told {
                    Ok(()) => true,
                    Err(error) => {
                        raised = Some(error);
                        false
                    }
                }
            });
            (machine, runs)
        });
        Ok(Self { runs: runs.map_err(of)?, machine: Mutex::new(machine), raised })
    }

    /// The machine for one call.
    fn copy(&self) -> carom::Machine {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn columns_of(&self, run: usize) -> PyResult<&RunColumns> {
        let run = self.runs.answer.runs.get(run);
        let columns = run.and_then(|run| run.columns.as_ref());
        columns.ok_or_else(|| PyIndexError::new_err("there is no such run"))
    }
}

#[pymethods]
impl Run {
    /// How many runs there are: one per law.
    fn __len__(&self) -> usize {
        self.runs.answer.runs.len()
    }

    /// What Ctrl-C or the watcher raised, if that ended the run.
    fn raised(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.raised.as_ref().map(|error| error.clone_ref(py).into_value(py).into_any())
    }

    /// The answer without its columns, as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| text(&self.runs.answer.summary()))
    }

    /// The whole answer, as JSON.
    fn answer(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| text(&self.runs.answer))
    }

    /// The motion in columns: each a pair of headings and an array (n, columns); `t` and `event` are lists alone.
    fn columns<'py>(&self, py: Python<'py>, run: usize) -> PyResult<Bound<'py, PyDict>> {
        let columns = self.columns_of(run)?;
        let out = PyDict::new(py);
        put(&out, "t", columns.t.clone())?;
        put(&out, "event", columns.event.clone())?;
        let n = columns.t.len();
        let groups = [
            ("q", &columns.q),
            ("v", &columns.v),
            ("energies", &columns.energies),
            ("impact_energies", &columns.impact_energies),
            ("poses", &columns.poses),
            ("reactions", &columns.reactions),
        ];
        for (name, group) in groups {
            out.set_item(name, table(py, group, n)?)?;
        }
        Ok(out)
    }

    /// Every contact point while it touches: name, contact, point, t, and its columns.
    fn contacts<'py>(&self, py: Python<'py>, run: usize) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(py);
        for contact in &self.columns_of(run)?.contacts {
            let one = PyDict::new(py);
            one.set_item("name", &contact.name)?;
            one.set_item("contact", &contact.contact)?;
            one.set_item("point", contact.point)?;
            put(&one, "t", contact.t.clone())?;
            one.set_item("columns", table(py, &contact.columns, contact.t.len())?)?;
            out.append(one)?;
        }
        Ok(out)
    }

    /// The report page.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        let machine = self.copy();
        py.detach(move || carom_cli::pages::run(&machine, &self.runs)).map_err(failed)
    }

    /// What the page draws from, as JSON: the scene, and the motion of every run.
    fn picture(&self, py: Python<'_>) -> PyResult<String> {
        let machine = self.copy();
        py.detach(move || machine.run_picture(&self.runs)).map(|data| data.to_string()).map_err(of)
    }
}

/// Names and units of columns.
type Heads = Vec<(String, String)>;

/// Headings as (name, unit), and the values as an array (n, columns).
fn table<'py>(
    py: Python<'py>,
    columns: &[Column],
    n: usize,
) -> PyResult<(Heads, Bound<'py, PyAny>)> {
    let mut data = Vec::with_capacity(n * columns.len());
    for k in 0..n {
        data.extend(columns.iter().map(|column| column.values[k]));
    }
    let heads = columns.iter().map(|c| (c.name.clone(), c.unit.clone())).collect();
    Ok((heads, shaped(py, data, &[n, columns.len()])?))
}
