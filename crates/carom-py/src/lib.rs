//! carom for Python: convert, call [`carom::Machine`], convert.
//!
//! The Python sources beside it (`python/carom`) hold what a user imports; this module is their private `_carom`.

mod arrays;
mod asked;
mod design;
mod error;
mod fit;
mod listen;
mod machine;
mod robot;
mod rows;
mod run;
mod state;
mod study;

use std::ffi::OsString;

use pyo3::prelude::*;

use carom::answer::units::UNITS;

/// The native part of the package.
#[pymodule]
mod _carom {
    #[pymodule_export]
    use super::arrays::copy;
    #[pymodule_export]
    use super::design::{UncertaintySample, compared, mapped, optimised};
    #[pymodule_export]
    use super::fit::Fit;
    #[pymodule_export]
    use super::machine::Machine;
    #[pymodule_export]
    use super::robot::{
        import_robot, joint_efforts, near, skin, tip, tip_along, tip_inertia, tip_page,
    };
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::state::StateAssessment;
    #[pymodule_export]
    use super::study::{StudyLog, StudyPoints};
    #[pymodule_export]
    use super::{caution_names, command, laws, units, version};
}

/// The version of carom.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The SI unit of every quantity in answers, by name or by struct and name.
#[pyfunction]
fn units() -> Vec<(&'static str, &'static str)> {
    UNITS.iter().map(|unit| (unit.name, unit.unit)).collect()
}

/// Names of the cautions whose bits are set.
#[pyfunction]
fn caution_names(bits: u64) -> Vec<String> {
    carom::CautionCode::of_bits(bits).into_iter().map(carom::CautionCode::name).collect()
}

/// Runs the command; gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| carom_cli::run(arguments))
}

/// The JSON that `carom laws` prints with these arguments.
#[pyfunction]
fn laws(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<String> {
    py.detach(|| carom_cli::laws(arguments))
        .map_err(|text| error::raise("LawError", text, Vec::new()))
}
