//! NumPy arrays of states, in and out.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// States in flat lists, as the package hands them over: C-contiguous arrays of 64-bit floats.
pub(crate) type Flat<'py> = PyReadonlyArrayDyn<'py, f64>;

/// The numbers of an array, state after state.
pub(crate) fn numbers<'a>(array: &'a Flat<'_>) -> PyResult<&'a [f64]> {
    Ok(array.as_slice()?)
}

/// A flat list as an array of that shape.
pub(crate) fn shaped<'py>(
    py: Python<'py>,
    data: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let flat = PyArray1::from_vec(py, data);
    Ok(flat.reshape(shape.to_vec())?.into_any())
}

/// Puts a column under its name; its memory becomes that of the array.
pub(crate) fn put<T: numpy::Element>(
    to: &Bound<'_, PyDict>,
    name: &str,
    values: Vec<T>,
) -> PyResult<()> {
    to.set_item(name, PyArray1::from_vec(to.py(), values))
}

/// Puts a column under its name; the array takes over its memory.
pub(crate) fn hand_over<T: numpy::Element>(
    to: &Bound<'_, PyDict>,
    name: &str,
    values: Vec<T>,
) -> PyResult<()> {
    to.set_item(name, PyArray1::from_vec(to.py(), values))
}

/// How many states an array holds in its first axis.
pub(crate) fn states(array: &Flat<'_>) -> usize {
    array.shape().first().copied().unwrap_or(0)
}
