//! Fits of contact laws to measurements.

use std::sync::{Arc, Mutex};

use carom::answer::fit::{ContactFit, FitOptions};
use pyo3::prelude::*;

use crate::error::of;
use crate::listen::listening;
use crate::machine::{Machine, Shared, failed, held, text};

/// What is asked of a fit.
#[derive(FromPyObject)]
pub(crate) struct FitAsked {
    #[pyo3(item)]
    contact: Option<String>,
    #[pyo3(item)]
    laws: Vec<String>,
    #[pyo3(item)]
    fix: Vec<(String, f64)>,
    #[pyo3(item)]
    over_speed: bool,
    #[pyo3(item)]
    robust: bool,
    #[pyo3(item)]
    level: f64,
    #[pyo3(item)]
    speed: Option<String>,
    #[pyo3(item)]
    onset: Option<String>,
    #[pyo3(item)]
    interval: Option<String>,
    #[pyo3(item)]
    averaged: bool,
    #[pyo3(item)]
    threads: usize,
}

/// Fitted laws, and the machine whose contact it is.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Fit {
    machine: Shared,
    answer: ContactFit,
}

#[pymethods]
impl Fit {
    /// Fits a text in CSV; `name` is what messages call it.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        machine: &Machine,
        name: &str,
        data: &str,
        asked: FitAsked,
    ) -> PyResult<Self> {
        let machine = machine.copy();
        let options = FitOptions {
            contact: asked.contact,
            laws: asked.laws,
            given: asked.fix,
            over_speed: asked.over_speed,
            robust: asked.robust,
            level: asked.level,
            speed: asked.speed,
            onset: asked.onset,
            interval: asked.interval,
            averaged: asked.averaged,
            threads: asked.threads,
        };
        let (found, machine) =
            listening(py, move |goes_on| (machine.fit(name, data, &options, goes_on), machine))?;
        Ok(Self { answer: found.map_err(of)?, machine: Arc::new(Mutex::new(machine)) })
    }

    /// The answer, as JSON.
    fn answer(&self) -> PyResult<String> {
        text(&self.answer)
    }

    /// The report page.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        let machine = held(&self.machine).clone();
        py.detach(move || carom_cli::pages::fit(&machine, &self.answer)).map_err(failed)
    }
}
