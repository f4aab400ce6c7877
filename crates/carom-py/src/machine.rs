//! A machine.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom::answer::json;
use carom::{AssessColumns, ContactId, ManyOptions};
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Flat, numbers, put, shaped, states};
use crate::asked::{Asked, Struck};
use crate::error::{of, raise};
use crate::rows::{gradient, over, rows};
use crate::run::{Run, Wanted};
use crate::state::StateAssessment;

/// Names and texts, or paths and values.
type Pairs = Vec<(String, String)>;
/// A machine that calls share; its memory is used by one call at a time.
pub(crate) type Shared = Arc<Mutex<carom::Machine>>;

/// The native machine. It does not change: what differs is another machine.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Machine {
    pub(crate) inner: Shared,
    /// Names of the contacts, for calls that find one without taking the lock.
    contacts: Vec<(String, ContactId)>,
}

/// Takes the machine; no call into Python happens while it is held, not even to make an exception: another thread that holds
/// the interpreter's lock may wait for the machine. So what is asked of `held(…)` ends its statement.
pub(crate) fn held(machine: &Shared) -> MutexGuard<'_, carom::Machine> {
    machine.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Machine {
    pub(crate) fn new(machine: carom::Machine) -> Self {
        let names = machine.contact_names().into_iter();
        let find = |name: &str| machine.contact(name).ok().map(|id| (name.to_owned(), id));
        let contacts = names.filter_map(find).collect();
        Self { inner: Arc::new(Mutex::new(machine)), contacts }
    }

    /// The contact of that name, or the only one.
    fn contact(&self, name: Option<&str>) -> PyResult<ContactId> {
        match (name, self.contacts.as_slice()) {
            (Some(name), all) => {
                if let Some((_, id)) = all.iter().find(|(own, _)| own == name) {
                    return Ok(*id);
                }
                let found = held(&self.inner).contact(name);
                found.map_err(of)
            }
            (None, [(_, only)]) => Ok(*only),
            (None, all) => {
                let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
                let text = format!("which contact? There are {}: {}", all.len(), names.join(", "));
                Err(raise("UnknownNameError", text, Vec::new()))
            }
        }
    }

    /// A copy for a call that lasts.
    pub(crate) fn copy(&self) -> carom::Machine {
        held(&self.inner).clone()
    }
}

#[pymethods]
impl Machine {
    /// Opens a model file with edits by path, and folders of packages in which meshes lie.
    #[staticmethod]
    #[pyo3(signature = (path, sets, packages=Vec::new()))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        sets: Pairs,
        packages: Vec<(String, PathBuf)>,
    ) -> PyResult<Self> {
        py.detach(|| carom::Machine::open_in(path, &sets, &packages)).map(Self::new).map_err(of)
    }

    /// Makes a machine of names and texts of files.
    #[staticmethod]
    fn from_files(py: Python<'_>, files: Pairs, sets: Pairs) -> PyResult<Self> {
        py.detach(|| carom::Machine::from_files(&files, &sets)).map(Self::new).map_err(of)
    }

    /// Names and texts of the files it was made from.
    fn files(&self) -> Pairs {
        held(&self.inner).files()
    }

    /// Its edits by path.
    fn sets(&self) -> Pairs {
        held(&self.inner).sets().to_vec()
    }

    /// A hash of the model after all edits.
    fn fingerprint(&self) -> String {
        held(&self.inner).fingerprint()
    }

    /// The title of the model.
    fn title(&self) -> String {
        held(&self.inner).model().title.clone()
    }

    /// Whether it moves in a plane.
    fn is_planar(&self) -> bool {
        held(&self.inner).model().is_planar()
    }

    /// Units of what a contact measures: gap, velocity, mass and mobility.
    fn contact_units(&self, contact: Option<&str>) -> PyResult<[&'static str; 4]> {
        let id = self.contact(contact)?;
        Ok(units(&held(&self.inner), id).1)
    }

    /// Names of bodies, joints, contacts and events.
    fn names(&self) -> [Vec<String>; 4] {
        let machine = held(&self.inner);
        let lists = [
            machine.body_names(),
            machine.joint_names(),
            machine.contact_names(),
            machine.event_names(),
        ];
        lists.map(|names| names.into_iter().map(str::to_owned).collect())
    }

    /// Names of all positions, then of all velocities, with their units.
    fn coordinates(&self) -> [Vec<String>; 2] {
        let machine = held(&self.inner);
        [machine.model().position_names(), machine.model().velocity_names()]
    }

    /// How many positions and velocities there are.
    fn sizes(&self) -> (usize, usize) {
        let machine = held(&self.inner);
        (machine.model().nq, machine.model().nv)
    }

    /// t, q and v.
    fn state(&self) -> (f64, Vec<f64>, Vec<f64>) {
        let machine = held(&self.inner);
        let state = machine.state();
        (state.t, state.q.as_slice().to_vec(), state.v.as_slice().to_vec())
    }

    /// The machine at another state, which must keep the closures.
    fn with_state(&self, q: Vec<f64>, v: Vec<f64>) -> PyResult<Self> {
        self.copy().with_state(&q, &v).map(Self::new).map_err(of)
    }

    /// The answer of `check`, as JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let machine = self.copy();
        py.detach(move || machine.check()).map_err(of).and_then(|answer| text(&answer))
    }

    /// The answer of `assess`, as JSON.
    fn assess(&self, py: Python<'_>, contacts: Vec<String>, wanted: Asked) -> PyResult<String> {
        let machine = self.copy();
        let options = wanted.options(&machine, &contacts)?;
        py.detach(move || machine.assess_with(&options)).map_err(of).and_then(|a| text(&a))
    }

    /// The report page of `assess`.
    fn assess_page(
        &self,
        py: Python<'_>,
        contacts: Vec<String>,
        wanted: Asked,
    ) -> PyResult<String> {
        let machine = self.copy();
        let options = wanted.options(&machine, &contacts)?;
        py.detach(move || {
            let answer = machine.assess_with(&options).map_err(of)?;
            carom_cli::pages::assess(&machine, &answer).map_err(failed)
        })
    }

    /// The answer of `impact`, as JSON.
    fn impact(&self, py: Python<'_>, wanted: Struck) -> PyResult<String> {
        let machine = self.copy();
        let options = wanted.options()?;
        py.detach(move || machine.impact(&options)).map_err(of).and_then(|answer| text(&answer))
    }

    /// The report page of `impact`.
    fn impact_page(&self, py: Python<'_>, wanted: Struck) -> PyResult<String> {
        let machine = self.copy();
        let options = wanted.options()?;
        py.detach(move || {
            let answer = machine.impact(&options).map_err(of)?;
            carom_cli::pages::impact(&machine, &answer).map_err(failed)
        })
    }

    /// A run. `watch(t, until, steps, impacts)` is called now and then, unless it is `None`.
    fn run(&self, py: Python<'_>, wanted: Wanted, watch: Option<Py<PyAny>>) -> PyResult<Run> {
        Run::new(py, self.copy(), &wanted, watch)
    }

    /// What a drawing of the machine at its state needs, as JSON.
    fn picture(&self) -> PyResult<String> {
        self.copy().picture().map(|data| data.to_string()).map_err(of)
    }

    /// The core at one state, or nothing if these are not arrays of one state that can be read as they are.
    #[pyo3(signature = (contact, q, v))]
    fn core(
        &self,
        contact: Option<&str>,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
    ) -> PyResult<Option<StateAssessment>> {
        let (Some(q), Some(v)) = (one_state(q), one_state(v)) else { return Ok(None) };
        let contact = self.contact(contact)?;
        let (q, v) = (numbers(&q)?, numbers(&v)?);
        let core = held(&self.inner).assess_state(contact, q, v);
        let core = core.map_err(of)?;
        Ok(Some(StateAssessment::new(core, self, contact, (q, v))))
    }

    /// The core at many states, in columns.
    fn assess_many<'py>(
        &self,
        py: Python<'py>,
        contact: Option<&str>,
        q: Flat<'py>,
        v: Flat<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let contact = self.contact(contact)?;
        let options = ManyOptions { threads };
        let (flat_q, flat_v) = (numbers(&q)?, numbers(&v)?);
        let found =
            over(py, &self.inner, states(&v), |m| m.assess_many(contact, flat_q, flat_v, options))?;
        columns(py, found)
    }

    /// The rows of a contact at many states.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        contact: Option<&str>,
        q: Flat<'py>,
        v: Flat<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let contact = self.contact(contact)?;
        rows(py, &self.inner, contact, (numbers(&q)?, numbers(&v)?), threads)
    }

    /// Exact derivatives at many states.
    #[allow(clippy::too_many_arguments, reason = "Python hands over each by itself")]
    fn gradient<'py>(
        &self,
        py: Python<'py>,
        contact: Option<&str>,
        q: Flat<'py>,
        v: Flat<'py>,
        of: &str,
        by: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let contact = self.contact(contact)?;
        gradient(py, &self.inner, contact, (numbers(&q)?, numbers(&v)?), (of, by), threads)
    }

    /// M at states (N, nq), (N, nv): (N, nv, nv).
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: Flat<'py>,
        v: Flat<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (n, nv) = (states(&v), self.sizes().1);
        let (q, v) = (numbers(&q)?, numbers(&v)?);
        shaped(py, over(py, &self.inner, n, |m| m.mass_matrix_many(q, v))?, &[n, nv, nv])
    }

    /// h at states: (N, nv).
    fn bias<'py>(
        &self,
        py: Python<'py>,
        q: Flat<'py>,
        v: Flat<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (n, nv) = (states(&v), self.sizes().1);
        let (q, v) = (numbers(&q)?, numbers(&v)?);
        shaped(py, over(py, &self.inner, n, |m| m.bias_many(q, v))?, &[n, nv])
    }

    /// v̇ at states with efforts (N, nv): (N, nv).
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Flat<'py>,
        v: Flat<'py>,
        effort: Flat<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (n, nv) = (states(&v), self.sizes().1);
        let (q, v, effort) = (numbers(&q)?, numbers(&v)?, numbers(&effort)?);
        let found = over(py, &self.inner, n, |m| m.forward_dynamics_many(q, v, effort))?;
        shaped(py, found, &[n, nv])
    }
}

/// The name of a contact, and the units of its gap, velocity, mass and mobility.
pub(crate) fn units(machine: &carom::Machine, contact: ContactId) -> (&str, [&'static str; 4]) {
    let all = machine.model().contacts.iter();
    let found = all.into_iter().find(|c| machine.contact(&c.name).is_ok_and(|id| id == contact));
    match found {
        Some(contact) => {
            let of = contact.units();
            (&contact.name, [of.gap, of.velocity, of.mass, of.mobility])
        }
        None => ("", [""; 4]),
    }
}

/// An array of one state that can be read as it is: of 64-bit floats, in one piece, aligned.
fn one_state<'py>(array: &Bound<'py, PyAny>) -> Option<Flat<'py>> {
    let array = array.cast::<PyArrayDyn<f64>>().ok()?;
    let array = (array.ndim() == 1).then(|| array.try_readonly().ok())??;
    array.as_slice().is_ok().then_some(array)
}

/// The columns by their names.
pub(crate) fn columns(py: Python<'_>, found: AssessColumns) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    put(&out, "gap", found.gap)?;
    put(&out, "effective_mass", found.effective_mass)?;
    put(&out, "contact_velocity", found.contact_velocity)?;
    put(&out, "kinetic_energy", found.kinetic_energy)?;
    put(&out, "impact_energy", found.impact_energy)?;
    put(&out, "share", found.share)?;
    put(&out, "point", found.point)?;
    put(&out, "closure_gap", found.closure_gap)?;
    put(&out, "caution_bits", found.cautions)?;
    Ok(out)
}

/// An answer as JSON.
pub(crate) fn text<T: serde::Serialize>(answer: &T) -> PyResult<String> {
    json(answer).map_err(|error| failed(error.to_string()))
}

/// A message of the library without a place.
pub(crate) fn failed(message: String) -> PyErr {
    raise("SimulationError", message, Vec::new())
}
