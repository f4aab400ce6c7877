//! NumPy arrays of states, in and out.

use numpy::{
    PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// States in flat lists, as the package hands them over: C-contiguous arrays of 64-bit floats.
pub(crate) type Flat<'py> = PyReadonlyArrayDyn<'py, f64>;

/// Fewer numbers than this are not worth a thread of their own.
const LEAST_COPIED: usize = 1 << 17;

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

/// Copies one array of states to another of as many numbers, by so many threads.
#[pyfunction]
pub(crate) fn copy(
    py: Python<'_>,
    source: Flat<'_>,
    mut to: PyReadwriteArrayDyn<'_, f64>,
    threads: usize,
) -> PyResult<()> {
    let (from, to) = (numbers(&source)?, to.as_slice_mut()?);
    let part = from.len().div_ceil(threads.max(1)).max(LEAST_COPIED);
    py.detach(|| {
        std::thread::scope(|scope| {
            let mut parts = to.chunks_mut(part).zip(from.chunks(part));
            let own = parts.next();
            for (to, from) in parts {
                scope.spawn(move || to.copy_from_slice(from));
            }
            if let Some((to, from)) = own {
                to.copy_from_slice(from);
            }
        });
    });
    Ok(())
}

/// Puts a column under its name; its memory becomes that of the array.
pub(crate) fn put<T: numpy::Element>(
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
