//! JSON Schemas of the answers, with the unit of every number.

use schemars::Schema;
use serde_json::Value;

use super::RunAnswer;
use super::units::unit;

/// One verb and the schema of its answer.
type Entry = (&'static str, fn() -> Schema);

/// The verbs whose answers have a schema.
pub const VERBS: &[Entry] = &[("run", || schemars::schema_for!(RunAnswer))];

/// The JSON Schema of a verb's answer; every property that the table of units knows carries its unit.
pub fn schema(verb: &str) -> Option<Value> {
    let (_, of) = VERBS.iter().find(|(name, _)| *name == verb)?;
    let mut value = of().to_value();
    annotate(&mut value);
    Some(value)
}

/// Adds `"unit"` to the properties that have one.
fn annotate(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for (name, property) in properties {
                    if let (Some(unit), Value::Object(property)) = (unit(name), property) {
                        property.insert("unit".to_owned(), Value::from(unit));
                    }
                }
            }
            map.values_mut().for_each(annotate);
        }
        Value::Array(list) => list.iter_mut().for_each(annotate),
        _ => {}
    }
}
