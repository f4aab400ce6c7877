//! `carom schema`: the JSON schema of the model file, or of a verb's answer.

use carom::answer::{model_schema, schema};

use crate::VerbResult;
use crate::args::Schema;

/// The schema, for people's editors and programs.
pub(crate) fn run(wanted: &Schema) -> VerbResult {
    match &wanted.answer {
        None => super::json(&model_schema()),
        // The papers are compared outside of the library, which knows no example.
        #[cfg(feature = "reproduce")]
        Some(verb) if verb == "reproduce" => super::json(&carom_papers::ReproduceAnswer::schema()),
        Some(verb) => super::json(&schema(verb).map_err(|error| format!("--answer: {error}"))?),
    }
}
