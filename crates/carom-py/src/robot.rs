//! Robots: a tip in one pose and at many, and limits near a person.

use std::path::PathBuf;

use carom::answer::AnswerError;
use carom::answer::robot::{Limits, NearOptions, RobotMass, TipOptions};
use carom::{Import, MachineError, ManyOptions};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Flat, numbers, put, shaped, states};
use crate::error::{of, raise};
use crate::machine::{Machine, columns, failed, held, text};
use crate::rows::over;

/// Tip, payload and locked joints, in the words of the package.
#[derive(FromPyObject)]
pub(crate) struct TipAsked {
    #[pyo3(item)]
    tip: String,
    #[pyo3(item)]
    payload: String,
    #[pyo3(item)]
    payload_at: Option<String>,
    #[pyo3(item)]
    locked: Vec<String>,
    #[pyo3(item)]
    mass: Option<String>,
}

impl TipAsked {
    fn options(&self) -> PyResult<TipOptions> {
        let at = |text: &String| TipOptions::vector("payload_at", text, "m");
        let mass = match self.mass.as_deref() {
            None => None,
            Some("standard") => Some(RobotMass::Standard),
            Some("free") => Some(RobotMass::Free),
            Some("locked") => Some(RobotMass::Locked),
            Some(other) => {
                let text = format!("mass: `{other}`, expected `standard`, `free` or `locked`");
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(TipOptions {
            tip: self.tip.clone(),
            payload: TipOptions::quantity("payload", &self.payload, "kg").map_err(refused)?,
            payload_at: self.payload_at.as_ref().map(at).transpose().map_err(refused)?,
            locked: self.locked.clone(),
            mass,
            ..TipOptions::default()
        })
    }
}

/// Limits and what goes with them.
#[derive(FromPyObject)]
pub(crate) struct NearAsked {
    #[pyo3(item)]
    limits: Option<(String, String)>,
    #[pyo3(item)]
    area: Option<String>,
    #[pyo3(item)]
    padding: Option<String>,
    #[pyo3(item)]
    free: bool,
}

/// How a robot's file is read.
#[derive(FromPyObject)]
pub(crate) struct Imported {
    #[pyo3(item)]
    floating: bool,
    #[pyo3(item)]
    drop: Vec<String>,
    #[pyo3(item)]
    weld: Vec<String>,
    #[pyo3(item)]
    keyframe: Option<String>,
    #[pyo3(item)]
    packages: Vec<(String, PathBuf)>,
}

/// A quantity, a tip or a limits file that has no meaning.
fn refused(error: AnswerError) -> PyErr {
    let class = match &error {
        AnswerError::Asked { what, .. } if what == "tip" || what == "locked joints" => {
            "UnknownNameError"
        }
        _ => "StateError",
    };
    raise(class, error.to_string(), Vec::new())
}

/// An error of a question about a tip.
fn told(error: MachineError) -> PyErr {
    match error {
        MachineError::Answer(error @ AnswerError::Asked { .. }) => refused(error),
        error => of(error),
    }
}

/// Reads a robot's file with options.
#[pyfunction]
pub(crate) fn import_robot(py: Python<'_>, path: PathBuf, wanted: Imported) -> PyResult<Machine> {
    let options = Import {
        floating: wanted.floating,
        drop: wanted.drop,
        weld: wanted.weld,
        keyframe: wanted.keyframe,
        packages: wanted.packages,
        ..Import::default()
    };
    py.detach(|| carom::Machine::import(path, &options)).map(Machine::new).map_err(of)
}

/// One pose of a tip: what is asked, positions, directions, speed.
fn posed(
    asked: &TipAsked,
    q: Vec<f64>,
    directions: Vec<[f64; 3]>,
    speed: Option<f64>,
) -> PyResult<TipOptions> {
    Ok(TipOptions { q, directions, speed, ..asked.options()? })
}

/// The answer of `tip`, as JSON.
#[pyfunction]
pub(crate) fn tip(
    py: Python<'_>,
    machine: PyRef<'_, Machine>,
    asked: TipAsked,
    q: Vec<f64>,
    directions: Vec<[f64; 3]>,
    speed: Option<f64>,
) -> PyResult<String> {
    let options = posed(&asked, q, directions, speed)?;
    let copy = machine.copy();
    py.detach(move || copy.tip(&options)).map_err(told).and_then(|answer| text(&answer))
}

/// The report page of `tip`.
#[pyfunction]
pub(crate) fn tip_page(
    py: Python<'_>,
    machine: PyRef<'_, Machine>,
    asked: TipAsked,
    q: Vec<f64>,
    directions: Vec<[f64; 3]>,
    speed: Option<f64>,
) -> PyResult<String> {
    let options = posed(&asked, q, directions, speed)?;
    let copy = machine.copy();
    py.detach(move || {
        let answer = copy.tip(&options).map_err(told)?;
        let at = copy.posed(&options).map_err(told)?;
        carom_cli::pages::tip(&at, &answer).map_err(failed)
    })
}

/// The question of `near` at positions q, or in the machine's own pose.
fn near_options(asked: &TipAsked, wanted: &NearAsked, q: Vec<f64>) -> PyResult<NearOptions> {
    let usual = NearOptions::default();
    let number = |option: &str, text: &Option<String>, unit: &str| {
        let one = |text: &String| TipOptions::quantity(option, text, unit);
        text.as_ref().map(one).transpose().map_err(refused)
    };
    let limits = match &wanted.limits {
        Some((name, text)) => Limits::read(name, text).map_err(refused)?,
        None => usual.limits,
    };
    Ok(NearOptions {
        tip: posed(asked, q, Vec::new(), None)?,
        limits,
        area: number("area", &wanted.area, "m^2")?.unwrap_or(usual.area),
        padding: number("padding", &wanted.padding, "N/m")?,
        free: wanted.free,
        ..NearOptions::default()
    })
}

/// The answer of `near` in the machine's own pose, as JSON.
#[pyfunction]
pub(crate) fn near(
    py: Python<'_>,
    machine: PyRef<'_, Machine>,
    asked: TipAsked,
    wanted: NearAsked,
) -> PyResult<String> {
    let options = near_options(&asked, &wanted, Vec::new())?;
    let copy = machine.copy();
    py.detach(move || copy.near(&options)).map_err(told).and_then(|answer| text(&answer))
}

/// The skin at positions q: its answer as JSON, and its points in columns.
#[pyfunction]
pub(crate) fn skin<'py>(
    py: Python<'py>,
    machine: PyRef<'py, Machine>,
    asked: TipAsked,
    q: Vec<f64>,
    wanted: NearAsked,
    points: usize,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let options = near_options(&asked, &wanted, q)?;
    let copy = machine.copy();
    let found = py.detach(move || copy.skin(&options, points)).map_err(told)?;
    let (answer, n) = (text(&found)?, found.body.len());
    let out = PyDict::new(py);
    put(&out, "body", found.body.iter().map(|k| *k as u64).collect())?;
    let flat = |vectors: &[[f64; 3]]| vectors.iter().flatten().copied().collect::<Vec<f64>>();
    out.set_item("position", shaped(py, flat(&found.position), &[n, 3])?)?;
    out.set_item("normal", shaped(py, flat(&found.normal), &[n, 3])?)?;
    put(&out, "effective_mass", found.effective_mass)?;
    put(&out, "permitted_speed", found.permitted_speed)?;
    Ok((answer, out))
}

/// Λ⁻¹ (N, 3, 3), J (N, 3, nv) and the place (N, 3) of the tip at positions (N, nq).
#[pyfunction]
pub(crate) fn tip_inertia<'py>(
    py: Python<'py>,
    machine: PyRef<'py, Machine>,
    asked: TipAsked,
    q: Flat<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let options = asked.options()?;
    let (n, nv, flat) = (states(&q), held(&machine.inner).model().nv, numbers(&q)?);
    let (rows, place) = over(py, &machine.inner, n, |m| {
        let rows = m.tip_many(&options, flat, ManyOptions { threads })?;
        Ok((rows, m.tip_positions(&options, flat)?))
    })?;
    let out = PyDict::new(py);
    out.set_item("mobility", shaped(py, rows.mobility, &[n, 3, 3])?)?;
    out.set_item("jacobian", shaped(py, rows.jacobian, &[n, 3, nv])?)?;
    out.set_item("position", shaped(py, place, &[n, 3])?)?;
    Ok(out)
}

/// The tip along directions n (P, 3) at the states (P,) among q (N, nq) and v (N, nv), in columns.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python hands over each by itself")]
pub(crate) fn tip_along<'py>(
    py: Python<'py>,
    machine: PyRef<'py, Machine>,
    asked: TipAsked,
    q: Flat<'py>,
    v: Flat<'py>,
    state: PyReadonlyArray1<'py, i64>,
    n: Flat<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let options = asked.options()?;
    let (flat_q, flat_v, flat_n) = (numbers(&q)?, numbers(&v)?, numbers(&n)?);
    let state = state.as_slice()?;
    let number = |k: &i64| usize::try_from(*k).unwrap_or(usize::MAX);
    let pairs = state.iter().zip(flat_n.chunks_exact(3));
    let pairs: Vec<(usize, [f64; 3])> =
        pairs.map(|(k, n)| (number(k), [n[0], n[1], n[2]])).collect();
    let found = over(py, &machine.inner, pairs.len(), |m| {
        m.tip_along_many(&options, (flat_q, flat_v), &pairs, ManyOptions { threads })
    })?;
    columns(py, found)
}

/// For every velocity whether it is free with those joints locked; whether there are closed loops; effort limits of the file.
#[pyfunction]
pub(crate) fn joint_efforts(
    machine: PyRef<'_, Machine>,
    locked: Vec<String>,
) -> (Vec<bool>, bool, Vec<Option<f64>>) {
    let machine = held(&machine.inner);
    let model = machine.model();
    let (mut free, mut efforts) = (vec![true; model.nv], vec![None; model.nv]);
    for joint in model.bodies.iter().map(|body| &body.joint) {
        for k in joint.velocities() {
            free[k] = !joint.locked && !locked.contains(&joint.name);
            efforts[k] = joint.max_effort;
        }
    }
    for drive in &model.drives {
        free[drive.v] = false;
    }
    (free, !model.closures.is_empty(), efforts)
}
