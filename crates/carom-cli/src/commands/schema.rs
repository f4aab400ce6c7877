//! `carom schema`: the JSON schema of the model file, or of a verb's answer.

use carom::answer::{VERBS, schema};
use carom::maths::nearest::nearest;

use crate::Outcome;
use crate::args::Schema;

/// The schema, for people's editors and programs.
pub(crate) fn run(wanted: &Schema) -> Outcome {
    let Some(verb) = &wanted.answer else { return super::json(&carom::file::schema::schema()) };
    let found = schema(verb).ok_or_else(|| {
        let names = || VERBS.iter().map(|(name, _)| *name);
        let near = nearest(verb, names()).map(|near| format!("is `{near}` meant?"));
        let known = || format!("known: {}", names().collect::<Vec<_>>().join(", "));
        format!("--answer: no answer of `{verb}` has a schema; {}", near.unwrap_or_else(known))
    })?;
    super::json(&found)
}
