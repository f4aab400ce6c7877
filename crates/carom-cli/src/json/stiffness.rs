//! K and n of a contact as JSON, and where they come from.

use carom::contact::hertz::{Stiffness, StiffnessOrigin};
use carom::model::{Contact, Material};
use serde_json::{Value, json};

use super::number;

/// Null if the file states neither stiffness nor materials.
pub(super) fn value(contact: &Contact, found: Option<&Stiffness>) -> Value {
    let Some(found) = found else { return Value::Null };
    let mut out = json!({ "K": number(found.stiffness), "n": number(found.exponent) });
    if let Some(materials) = &contact.defaults.materials {
        out["materials"] = materials.pair.iter().map(material).collect();
    }
    match &found.origin {
        StiffnessOrigin::Written => out["from"] = json!("stiffness"),
        StiffnessOrigin::Point(point) => {
            let [least, most] = point.relative_curvatures();
            out["from"] = json!("materials, point contact");
            out["contact_modulus"] = number(point.modulus());
            out["relative_curvatures"] = json!([number(least), number(most)]);
            out["axis_ratio"] = number(point.axis_ratio());
        }
        StiffnessOrigin::Line { contact, cylinders } => {
            out["from"] = json!("materials, line contact");
            out["contact_modulus"] = number(contact.modulus());
            out["effective_radius"] = number(contact.effective_radius());
            out["length"] = number(cylinders.length);
            out["reference_force"] = number(cylinders.reference_force);
            out["depth"] = cylinders.depth.map_or(Value::Null, number);
        }
    }
    out
}

fn material(material: &Material) -> Value {
    json!({
        "name": material.name,
        "young": number(material.young),
        "poisson": number(material.poisson),
        "density": material.density.map_or(Value::Null, number),
        "source": material.source,
    })
}
