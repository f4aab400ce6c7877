//! `checkpoint.json`: all that a run needs to go on, to the last bit.

use std::path::Path;

use carom::simulate::Outcome;
use serde_json::{Value, json};

use super::FILES;
use super::Ran;

/// The text; none of a run that failed.
pub(crate) fn text(ran: &Ran) -> Option<String> {
    ran.outcome.checkpoint.as_ref()?;
    let outcome = serde_json::to_value(&ran.outcome).ok()?;
    let value = json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "inputs": ran.inputs,
        "outcome": outcome,
    });
    Some(format!("{value}\n"))
}

/// What the run in a folder left behind.
pub(crate) fn read(folder: &Path, inputs: &str) -> Result<Outcome, String> {
    let path = folder.join(FILES[4]);
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!("--from: {shown} cannot be read: {error}; a run leaves one there with -o, unless it failed")
    })?;
    let mut value: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{shown} is not a checkpoint: {error}"))?;
    let version = value["carom"].as_str().unwrap_or("another program");
    if version != env!("CARGO_PKG_VERSION") {
        return Err(format!(
            "{shown} was written by carom {version}; run it again from the beginning"
        ));
    }
    if value["inputs"] != inputs {
        return Err(format!(
            "{shown} belongs to another run: the file, --set, --law, --method or --tolerance differ"
        ));
    }
    serde_json::from_value(value["outcome"].take())
        .map_err(|error| format!("{shown} is damaged: {error}"))
}
