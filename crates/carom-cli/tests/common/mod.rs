//! What the tests of the command share: the binary, and the validation of what it prints.
#![allow(dead_code, reason = "each test file is a crate that uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The environment variable that names another build of the command, on which the same tests are to run.
const OTHER: &str = "CAROM_BINARY";

/// The command under test.
pub fn binary() -> String {
    std::env::var(OTHER).unwrap_or_else(|_| env!("CARGO_BIN_EXE_carom").to_owned())
}

/// The command with these arguments.
pub fn carom(arguments: &[&str]) -> Output {
    Command::new(binary()).args(arguments).output().unwrap()
}

/// A model of the repository.
pub fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).display().to_string()
}

/// A text whose words stand one blank apart, wherever its lines were broken.
pub fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The JSON that a verb printed, after validation against the schema that `carom schema --answer VERB` prints. Another build of the
/// command has schemas of its own: its JSON is read as it is.
pub fn valid(verb: &str, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{verb}: {e}: {text}"));
    if std::env::var_os(OTHER).is_some() {
        return value;
    }
    let schema = carom::answer::schema(verb).unwrap_or_else(|_| panic!("{verb} has a schema"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{verb}: {faults:?}");
    value
}
