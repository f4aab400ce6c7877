//! JSON for programs: everything, in full precision. JSON has no ∞: it becomes null, and a sibling
//! says why.

pub(crate) mod run;

use carom::file::Opened;
use carom::maths::Vec3;
use carom::model::{Contact, Model};
use serde_json::{Value, json};

/// Pretty text with a line end.
pub(crate) fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A number; null if it is not finite.
pub(crate) fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

/// Three numbers.
pub(crate) fn vector(x: &Vec3) -> Value {
    x.iter().map(|c| number(*c)).collect()
}

/// What every answer begins with.
fn head(opened: &Opened, warnings: &[String]) -> Value {
    let model = opened.model();
    json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "file": opened.loaded.source.name(),
        "title": model.title,
        "space": if model.is_planar() { "planar" } else { "spatial" },
        "gravity": vector(&model.gravity),
        "warnings": warnings,
    })
}

/// `joint.coordinate` of every velocity.
pub(crate) fn coordinate_names(model: &Model) -> Vec<String> {
    let mut out = Vec::with_capacity(model.nv);
    for body in &model.bodies {
        let joint = &body.joint;
        out.extend(joint.kind.coordinate_names().iter().map(|c| format!("{}.{c}", joint.name)));
    }
    out
}

/// The units of what a contact measures.
pub(crate) fn units(contact: &Contact) -> Value {
    let units = contact.units();
    json!({
        "gap": units.gap,
        "velocity": units.velocity,
        "mass": units.mass,
        "force": units.force,
        "impulse": units.impulse,
    })
}
