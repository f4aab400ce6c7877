//! Errors of the library as exceptions of the package.

use carom::{FaultPlace, MachineError};
use pyo3::prelude::*;

/// The exception of that name in `carom._errors`, with its message and faults.
pub(crate) fn raise(class: &str, message: String, faults: Vec<FaultPlace>) -> PyErr {
    let message = in_python(&message);
    Python::attach(|py| {
        let faults: Vec<_> =
            faults.into_iter().map(|f| (f.file, f.line, f.column, f.path, f.message)).collect();
        let made = py
            .import("carom._errors")
            .and_then(|module| module.getattr(class))
            .and_then(|class| class.call1((message, faults)));
        match made {
            Ok(value) => PyErr::from_value(value),
            Err(error) => error,
        }
    })
}

/// The exception that a library error becomes.
pub(crate) fn of(error: MachineError) -> PyErr {
    let class = match &error {
        MachineError::Open(_) | MachineError::Parts(_) | MachineError::NoFile => "ModelError",
        MachineError::UnknownName { .. } | MachineError::Foreign { .. } => "UnknownNameError",
        MachineError::WrongLength { .. }
        | MachineError::NotFinite { .. }
        | MachineError::OutOfRange { .. }
        | MachineError::State { .. }
        | MachineError::ClosuresOpen { .. } => "StateError",
        MachineError::Answer(_)
        | MachineError::Run(_)
        | MachineError::Stopped { .. }
        | MachineError::Dynamics(_)
        | MachineError::Contact(_) => "SimulationError",
    };
    let faults = error.faults();
    raise(class, error.to_string(), faults)
}

/// A message of the library, which advises options of the command, in the words of the package: `--law` is the argument `law=`.
fn in_python(message: &str) -> String {
    let mut parts = message.split("--");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let word = part.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or("");
        if word.is_empty() || out.ends_with(|c: char| c.is_alphanumeric() || c == '-') {
            out = format!("{out}--{part}");
            continue;
        }
        // Edits have the name of a list.
        let name = if word == "set" { "sets".to_owned() } else { word.replace('-', "_") };
        out = format!("{out}`{name}=`{}", &part[word.len()..]);
    }
    out.replace("`carom laws`", "`carom.laws()`")
}
