//! The core of an assessment at one state.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use carom::{AssessCore, CautionCode, ContactId};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::machine::{Machine, held, units};

/// The core of an assessment at one state given as arrays.
#[pyclass(frozen, module = "carom")]
pub(crate) struct StateAssessment {
    core: AssessCore,
    machine: Arc<std::sync::Mutex<carom::Machine>>,
    contact: ContactId,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl StateAssessment {
    pub(crate) fn new(
        core: AssessCore,
        machine: &Machine,
        contact: ContactId,
        (q, v): (&[f64], &[f64]),
    ) -> Self {
        let machine = Arc::clone(&machine.inner);
        Self { core, machine, contact, q: q.to_vec(), v: v.to_vec() }
    }
}

impl StateAssessment {
    /// What the numbers follow from: the model, the contact's name, and the bits of the state.
    fn key(&self) -> (String, String, Vec<u64>) {
        let machine = held(&self.machine);
        let name = units(&machine, self.contact).0.to_owned();
        let state = self.q.iter().chain(&self.v).map(|x| x.to_bits()).collect();
        (machine.fingerprint(), name, state)
    }

    /// One of the arrays of rows, for this state.
    fn of_rows<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = (self.q.as_slice(), self.v.as_slice());
        let found = crate::rows::rows(py, &self.machine, self.contact, state, 1)?;
        found.as_any().get_item(name)?.get_item(0)
    }
}

#[pymethods]
impl StateAssessment {
    /// The least gap g [m, or rad of an angular stop].
    #[getter]
    fn gap(&self) -> f64 {
        self.core.gap
    }

    /// m_eff of the governing point [kg, or kg m² of an angular stop]; inf where it cannot move.
    #[getter]
    fn effective_mass(&self) -> f64 {
        self.core.effective_mass
    }

    /// u of the governing point [m/s, or rad/s of an angular stop]; negative when closing.
    #[getter]
    fn contact_velocity(&self) -> f64 {
        self.core.contact_velocity
    }

    /// T of the whole machine [J].
    #[getter]
    fn kinetic_energy(&self) -> f64 {
        self.core.kinetic_energy
    }

    /// T_c over the points that an impact strikes [J]; inf where a drive closes the contact and nothing gives way.
    #[getter]
    fn impact_energy(&self) -> f64 {
        self.core.impact_energy
    }

    /// T_c / T; NaN where a drive moves, since T depends on the frame then.
    #[getter]
    fn share(&self) -> f64 {
        self.core.share
    }

    /// The governing point, from 0.
    #[getter]
    fn point(&self) -> u32 {
        self.core.point
    }

    /// The largest residual of a closure, divided by its natural size.
    #[getter]
    fn closure_gap(&self) -> f64 {
        self.core.closure_gap
    }

    /// Codes of what a user must know to trust the numbers.
    #[getter]
    fn cautions(&self) -> Vec<String> {
        CautionCode::of_bits(self.core.cautions).into_iter().map(CautionCode::name).collect()
    }

    /// The same as bits.
    #[getter]
    fn caution_bits(&self) -> u64 {
        self.core.cautions
    }

    /// W = A Y Aᵀ of the contact's rows, (k, k) [1/kg, or 1/(kg m²) of an angular stop].
    #[getter]
    #[pyo3(name = "W")]
    fn mobility<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_rows(py, "W")
    }

    /// All rows A of the impact Jacobian, (k, nv).
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_rows(py, "rows")
    }

    /// The row of the governing point along its normal, (nv,).
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_rows(py, "row")
    }

    /// Exact derivatives of `effective_mass` or `impact_energy` by `position`, `mass`, `center`, `inertia` or `rotor`.
    #[pyo3(signature = (of="effective_mass", by="position"))]
    fn gradient<'py>(&self, py: Python<'py>, of: &str, by: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = (self.q.as_slice(), self.v.as_slice());
        crate::rows::gradient(py, &self.machine, self.contact, state, (of, by), 1)?.get_item(0)
    }

    /// The numbers by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        let c = &self.core;
        let numbers = [
            ("gap", c.gap),
            ("effective_mass", c.effective_mass),
            ("contact_velocity", c.contact_velocity),
            ("kinetic_energy", c.kinetic_energy),
            ("impact_energy", c.impact_energy),
            ("share", c.share),
            ("closure_gap", c.closure_gap),
        ];
        for (name, value) in numbers {
            out.set_item(name, value)?;
        }
        out.set_item("point", c.point)?;
        out.set_item("cautions", self.cautions())?;
        Ok(out)
    }

    /// SI units of the numbers: those of the contact, which an angular stop has others of.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [gap, velocity, mass, mobility] = units(&held(&self.machine), self.contact).1;
        let out = PyDict::new(py);
        let named = [
            ("gap", gap),
            ("effective_mass", mass),
            ("contact_velocity", velocity),
            ("kinetic_energy", "J"),
            ("impact_energy", "J"),
            ("share", ""),
            ("point", ""),
            ("closure_gap", ""),
            ("W", mobility),
        ];
        for (name, unit) in named {
            out.set_item(name, unit)?;
        }
        Ok(out)
    }

    /// How it is pickled: machine, contact and state; the numbers are computed again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let again = py.import("carom._machine")?.getattr("_assessed")?;
        let (files, sets, contact) = {
            let machine = held(&self.machine);
            let contact = units(&machine, self.contact).0.to_owned();
            (machine.files(), machine.sets().to_vec(), contact)
        };
        let given = (files, sets, contact, self.q.clone(), self.v.clone());
        Ok((again, given).into_pyobject(py)?.into_any())
    }

    /// Machine, contact and state decide all numbers.
    fn __eq__(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let c = &self.core;
        let [gap, velocity, mass, _] = units(&held(&self.machine), self.contact).1;
        let cautions = self.cautions();
        let told = if cautions.is_empty() {
            String::new()
        } else {
            format!(", cautions: {}", cautions.join(", "))
        };
        format!(
            "m_eff = {:.6} {mass}, T_c = {:.6} J of T = {:.6} J, u = {:.6} {velocity}, gap = {:.6} {gap}{told}",
            c.effective_mass, c.impact_energy, c.kinetic_energy, c.contact_velocity, c.gap
        )
    }
}
