//! Rows, mobilities and gradients of a contact at many states.

use carom::{By, ContactId, MachineError, ManyOptions, Slope};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::shaped;
use crate::error::of;
use crate::machine::{Shared, held};

/// Fewer states than this are computed with the interpreter's lock held: giving it up costs more than they do.
const FEW: usize = 100;

/// A flat list of states computed with or without the interpreter's lock.
pub(crate) fn over<T: Send>(
    py: Python<'_>,
    machine: &Shared,
    n: usize,
    ask: impl FnOnce(&mut carom::Machine) -> Result<T, MachineError> + Send,
) -> PyResult<T> {
    if n < FEW {
        let found = ask(&mut held(machine));
        return found.map_err(of);
    }
    let mut copy = held(machine).clone();
    py.detach(move || ask(&mut copy)).map_err(of)
}

/// The rows of a contact: `rows` (N, k, nv), `row` (N, nv), `W` (N, k, k).
pub(crate) fn rows<'py>(
    py: Python<'py>,
    machine: &Shared,
    contact: ContactId,
    (q, v): (&[f64], &[f64]),
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let nv = held(machine).model().nv;
    let n = v.len() / nv.max(1);
    let found = over(py, machine, n, |m| m.rows_many(contact, q, v, ManyOptions { threads }))?;
    let k = if n == 0 { rows_of_own_state(machine, contact)? } else { found.rows };
    let mut governing = Vec::with_capacity(n * nv);
    for (state, row) in found.governing.iter().enumerate() {
        let first = (state * k + row) * nv;
        match found.jacobian.get(first..first + nv) {
            Some(row) => governing.extend_from_slice(row),
            None => governing.extend(std::iter::repeat_n(f64::NAN, nv)),
        }
    }
    let out = PyDict::new(py);
    out.set_item("W", shaped(py, found.mobility, &[n, k, k])?)?;
    out.set_item("rows", shaped(py, found.jacobian, &[n, k, nv])?)?;
    out.set_item("row", shaped(py, governing, &[n, nv])?)?;
    Ok(out)
}

/// k of an empty batch, so that its arrays have the shape that a user's code expects.
fn rows_of_own_state(machine: &Shared, contact: ContactId) -> PyResult<usize> {
    let machine = held(machine).clone();
    let (q, v) = (machine.state().q.as_slice(), machine.state().v.as_slice());
    let found = machine.rows_many(contact, q, v, ManyOptions { threads: 1 });
    found.map(|found| found.rows).map_err(of)
}

/// Derivatives at many states.
pub(crate) fn gradient<'py>(
    py: Python<'py>,
    machine: &Shared,
    contact: ContactId,
    (q, v): (&[f64], &[f64]),
    (quantity, by): (&str, &str),
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let quantity = match quantity {
        "effective_mass" => Slope::EffectiveMass,
        "impact_energy" => Slope::ImpactEnergy,
        other => {
            let text = format!("of: `{other}`, expected `effective_mass` or `impact_energy`");
            return Err(PyValueError::new_err(text));
        }
    };
    let (by, inner) = match by {
        "position" | "q" => (By::Position, None),
        "mass" => (By::Mass, None),
        "center" => (By::Center, Some(3)),
        "inertia" => (By::Inertia, Some(6)),
        "rotor" => (By::Rotor, None),
        other => {
            let text = format!(
                "by: `{other}`, expected `position`, `mass`, `center`, `inertia` or `rotor`"
            );
            return Err(PyValueError::new_err(text));
        }
    };
    let n = v.len() / held(machine).model().nv.max(1);
    let options = ManyOptions { threads };
    let found =
        over(py, machine, n, |m| m.gradient_many(contact, (q, v), (quantity, by), options))?;
    match inner {
        None => shaped(py, found.data, &[found.rows, found.columns]),
        Some(width) => shaped(py, found.data, &[found.rows, found.columns / width, width]),
    }
}
