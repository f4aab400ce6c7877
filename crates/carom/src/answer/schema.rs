//! JSON Schemas of the answers, with the unit of every number.

use schemars::{Schema, schema_for};
use serde_json::Value;

use super::fit::ContactFit;
use super::laws::LawsAnswer;
use super::robot::{NearAnswer, TipAnswer};
use super::study::{
    CompareAnswer, MapAnswer, OptimiseAnswer, StudyAnswer, SweepAnswer, UncertaintyAnswer,
};
use super::units::unit_in;
use super::{AnswerError, AssessAnswer, CheckAnswer, ImpactAnswer, RunAnswer};
use crate::maths::nearest::nearest;

/// One verb and the schema of its answer.
type Entry = (&'static str, fn() -> Schema);

/// The verbs whose answers have a schema.
pub const VERBS: &[Entry] = &[
    ("laws", || schema_for!(LawsAnswer)),
    ("sweep", || schema_for!(SweepAnswer)),
    ("merge", || schema_for!(SweepAnswer)),
    ("study", || schema_for!(StudyAnswer)),
    ("map", || schema_for!(MapAnswer)),
    ("compare", || schema_for!(CompareAnswer)),
    ("optimise", || schema_for!(OptimiseAnswer)),
    ("fit", || schema_for!(ContactFit)),
    ("uncertainty", || schema_for!(UncertaintyAnswer)),
    ("assess", || schema_for!(AssessAnswer)),
    ("impact", || schema_for!(ImpactAnswer)),
    ("check", || schema_for!(CheckAnswer)),
    ("run", || schema_for!(RunAnswer)),
    ("tip", || schema_for!(TipAnswer)),
    ("near", || schema_for!(NearAnswer)),
];

/// The JSON Schema of a verb's answer; every number that the table of units knows carries its unit.
pub fn schema(verb: &str) -> Result<Value, AnswerError> {
    let found = VERBS.iter().find(|(name, _)| *name == verb);
    let (_, of) = found.ok_or_else(|| {
        let names = || VERBS.iter().map(|(name, _)| *name);
        let near = nearest(verb, names()).map(|near| format!("is `{near}` meant?"));
        let known = || format!("known: {}", names().collect::<Vec<_>>().join(", "));
        let (verb, hint) = (verb.to_owned(), near.unwrap_or_else(known));
        AnswerError::NoSchema { verb, hint }
    })?;
    let mut value = of().to_value();
    let title = value["title"].as_str().unwrap_or_default().to_owned();
    annotate(&mut value, &title);
    Ok(value)
}

/// The JSON Schema of model files, for editors.
pub fn model_schema() -> Value {
    crate::file::schema::schema()
}

/// Adds `"unit"` to the numbers that have one; `owner` is the struct that a schema describes.
fn annotate(value: &mut Value, owner: &str) {
    match value {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for (name, property) in properties {
                    if let (true, Some(unit)) = (is_number(property), unit_in(owner, name))
                        && let Value::Object(property) = property
                    {
                        property.insert("unit".to_owned(), Value::from(unit));
                    }
                }
            }
            for (key, value) in map {
                match value {
                    Value::Object(definitions) if key == "$defs" => {
                        definitions.iter_mut().for_each(|(name, value)| annotate(value, name));
                    }
                    value => annotate(value, owner),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| annotate(value, owner)),
        _ => {}
    }
}

/// Whether a schema is that of a number that is no count, or of a list of such numbers.
fn is_number(schema: &Value) -> bool {
    let kind = &schema["type"];
    let is = |name: &str| kind == name || kind.as_array().is_some_and(|k| k.contains(&name.into()));
    is("number") || (is("array") && is_number(&schema["items"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a schema without a unit, by struct and field.
    fn without_unit(value: &Value, owner: &str, out: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                if let Some(Value::Object(properties)) = map.get("properties") {
                    for (name, property) in properties {
                        if is_number(property) && property.get("unit").is_none() {
                            out.push(format!("{owner}.{name}"));
                        }
                    }
                }
                for (key, value) in map {
                    match value {
                        Value::Object(definitions) if key == "$defs" => {
                            definitions.iter().for_each(|(name, v)| without_unit(v, name, out));
                        }
                        value => without_unit(value, owner, out),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|v| without_unit(v, owner, out)),
            _ => {}
        }
    }

    #[test]
    fn every_number_of_an_answer_has_a_unit() {
        for (verb, _) in VERBS {
            let mut missing = Vec::new();
            without_unit(&schema(verb).expect("a verb of the list"), verb, &mut missing);
            assert_eq!(missing, Vec::<String>::new(), "{verb}");
        }
    }
}
