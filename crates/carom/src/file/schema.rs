//! The JSON Schema of the model file, from the same tables that judge it.

use serde_json::{Map, Value, json};

use crate::model::builder::keys::{
    CONTACT_SHAPES, FRICTIONS, Key, Kind, MARKER, MASS_SHAPES, Section, TARGET, TOP, VISUAL_MESH,
    VISUAL_SHAPES,
};

/// The schema (draft 2020-12) of format 1, for editors and validators.
///
/// It knows keys and kinds of values; units, names and mechanics are judged by [`super::load`].
pub fn schema() -> Value {
    let mut root = section(&TOP, None);
    let vector = json!({ "type": "array", "items": quantity(), "minItems": 2, "maxItems": 3 });
    let head = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "carom model file, format 1",
        "$defs": {
            "quantity": {
                "description": "A number in SI units, a quantity such as \"75 N/mm\", or an expression.",
                "type": ["number", "string"]
            },
            "vector": vector,
            "marker": { "anyOf": [reference("vector"), section(&MARKER, None)] },
            "target": section(&TARGET, None),
            "mass_shape": mass_shape(),
            "contact_shape": {
                "anyOf": CONTACT_SHAPES.iter().map(|s| section(s, None)).collect::<Vec<_>>()
            },
            "visual": {
                "anyOf": CONTACT_SHAPES.iter().filter(|s| VISUAL_SHAPES.contains(&s.keys[0].name))
                    .chain([&VISUAL_MESH]).map(|s| section(s, None)).collect::<Vec<_>>()
            }
        }
    });
    let (Value::Object(mut out), Value::Object(body)) = (head, root.take()) else {
        return Value::Null;
    };
    // A file that completes another or stands over a robot need not repeat what stands there.
    let whole = Value::Object(body.clone());
    let mut part = Value::Object(body);
    relax(&mut part);
    let Value::Object(part) = part else { return Value::Null };
    out.extend(part);
    out.insert("required".to_owned(), json!(["carom"]));
    out.insert(
        "if".to_owned(),
        json!({ "not": { "anyOf": [{ "required": ["model"] }, { "required": ["robot"] }] } }),
    );
    out.insert("then".to_owned(), whole);
    Value::Object(out)
}

/// Takes out what says that keys have to be there.
fn relax(value: &mut Value) {
    match value {
        Value::Object(map) => {
            // A key of that name would hold a schema, not a list.
            if map.get("required").is_some_and(Value::is_array) {
                map.remove("required");
            }
            map.values_mut().for_each(relax);
        }
        Value::Array(list) => list.iter_mut().for_each(relax),
        _ => {}
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn quantity() -> Value {
    reference("quantity")
}

fn mass_shape() -> Value {
    let list = json!({ "type": "array" });
    let properties: Map<String, Value> = MASS_SHAPES
        .iter()
        .map(|word| {
            let kind = match *word {
                "point" => json!({ "const": true }),
                "rod" | "disc" | "sphere" => quantity(),
                "ring" | "hollow-sphere" => json!({ "anyOf": [quantity(), list.clone()] }),
                _ => list.clone(),
            };
            ((*word).to_owned(), kind)
        })
        .collect();
    let only = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1
    });
    json!({ "anyOf": [only, section(&VISUAL_MESH, None)] })
}

/// An object with the keys of a section; `words` are the values of `type`.
fn section(section: &Section, words: Option<&[&str]>) -> Value {
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    if let Some(words) = words {
        properties.insert("type".to_owned(), json!({ "enum": words }));
        required.push("type");
    }
    for Key { name, kind, required: needed, doc } in section.keys {
        let mut value = kind_schema(*kind);
        // A reference may stand beside a description since draft 2019-09.
        if let Value::Object(map) = &mut value {
            map.insert("description".to_owned(), json!(doc));
        }
        properties.insert((*name).to_owned(), value);
        if *needed {
            required.push(name);
        }
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    })
}

fn typed(inner: &Section) -> Value {
    section(inner, (!inner.types.is_empty()).then_some(inner.types))
}

fn map_of(value: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": value })
}

fn list_of(value: &Value, count: Option<usize>) -> Value {
    match count {
        Some(n) => json!({ "type": "array", "items": value, "minItems": n, "maxItems": n }),
        None => json!({ "type": "array", "items": value }),
    }
}

fn kind_schema(kind: Kind) -> Value {
    let text = json!({ "type": "string" });
    let orientation = json!({ "anyOf": [quantity(), list_of(&quantity(), Some(3))] });
    match kind {
        Kind::Format => json!({ "const": 1 }),
        Kind::Text => text,
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Quantity(_) | Kind::Varied => quantity(),
        Kind::Friction => {
            let laws = FRICTIONS.iter().map(typed);
            json!({ "anyOf": std::iter::once(quantity()).chain(laws).collect::<Vec<_>>() })
        }
        Kind::Quantities | Kind::Torque => {
            json!({ "anyOf": [quantity(), list_of(&quantity(), None)] })
        }
        Kind::Vector | Kind::Force => reference("vector"),
        Kind::Axis => {
            json!({ "anyOf": [reference("vector"), list_of(&reference("vector"), Some(2))] })
        }
        Kind::TwoVectors => list_of(&reference("vector"), Some(2)),
        Kind::Vectors => list_of(&reference("vector"), None),
        Kind::Profile => {
            let lists = [quantity(), reference("vector")].map(|item| list_of(&item, None));
            json!({ "anyOf": [text, lists[0], lists[1]] })
        }
        Kind::TwoOrientations => list_of(&orientation, Some(2)),
        Kind::Orientation => orientation,
        Kind::TwoNames => list_of(&text, Some(2)),
        Kind::MassShape => reference("mass_shape"),
        Kind::ContactShapes => map_of(&reference("contact_shape")),
        Kind::Densities => json!({ "anyOf": [quantity(), map_of(&quantity())] }),
        Kind::Visuals => map_of(&reference("visual")),
        Kind::Markers => map_of(&reference("marker")),
        Kind::Parameters | Kind::Coefficients => map_of(&quantity()),
        Kind::Functions => map_of(&text),
        Kind::Targets => map_of(&reference("target")),
        Kind::Conditions => json!({ "anyOf": [text, list_of(&text, None)] }),
        Kind::Levels => list_of(&json!({ "anyOf": [quantity(), { "type": "boolean" }] }), None),
        Kind::Texts => list_of(&text, None),
        Kind::Measures => json!({ "anyOf": [text, list_of(&text, None), map_of(&text)] }),
        Kind::Named([only]) => map_of(&typed(only)),
        Kind::Named(many) => {
            map_of(&json!({ "anyOf": many.iter().map(typed).collect::<Vec<_>>() }))
        }
        Kind::Inner(inner) => typed(inner),
    }
}
