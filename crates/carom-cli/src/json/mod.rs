//! JSON for programs: everything, in full precision. JSON has no ∞: it becomes null, and a sibling
//! says why.

pub(crate) mod assess;
pub(crate) mod check;
mod gradients;
pub(crate) mod impact;
pub(crate) mod laws;
pub(crate) mod prediction;
mod stiffness;
pub(crate) mod study;

use carom::dynamics::report::Mobility;
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

/// Degrees of freedom and redundancy.
fn constraints(found: &Mobility) -> Value {
    json!({
        "free_velocities": found.velocities,
        "rows": found.rows,
        "rank": found.rank,
        "degrees_of_freedom": found.freedom,
        "redundant": found.redundant,
        "reactions_not_unique": found.not_unique,
        "condition_number": found.condition.map_or(Value::Null, number),
    })
}

/// q and v, and what each velocity is called.
fn state(opened: &Opened) -> Value {
    let state = &opened.assembled.state;
    json!({
        "t": number(state.t),
        "q": state.q.iter().map(|x| number(*x)).collect::<Value>(),
        "v": state.v.iter().map(|x| number(*x)).collect::<Value>(),
        "velocities": coordinate_names(opened.model()),
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
