//! Gradients as JSON.

use carom::dynamics::Posture;
use carom::impact::{BodyGradient, Gradients};
use serde_json::{Value, json};

use super::{coordinate_names, number, vector};
use crate::table::gradients::by_coordinate;

/// dm_eff and dT_c by every parameter.
pub(crate) fn value(at: &Posture<'_>, found: &Gradients) -> Value {
    let model = at.model();
    let names = coordinate_names(model);
    let bodies = model.bodies.iter().zip(&found.mass_by_body);
    let rotors = names.iter().zip(&found.mass_by_rotor);
    let coordinates = by_coordinate(at, found);
    json!({
        "constrained_energy_per_effective_mass": number(found.energy_per_mass),
        "bodies": bodies.map(|(b, g)| body(&b.name, g, found.energy_per_mass)).collect::<Value>(),
        "rotors": rotors
            .map(|(name, dm)| json!({
                "coordinate": name,
                "effective_mass": number(*dm),
                "constrained_energy": number(found.energy_per_mass * dm),
            }))
            .collect::<Value>(),
        "along_closures": !model.closures.is_empty(),
        "coordinates": names.iter().zip(&coordinates)
            .map(|(name, slope)| json!({
                "coordinate": name,
                "effective_mass": slope.map_or(Value::Null, |s| number(s.mass)),
                "constrained_energy": slope.map_or(Value::Null, |s| number(s.energy)),
                "constrained_energy_at_fixed_v": slope.map_or(Value::Null, |s| number(s.fixed_energy)),
            }))
            .collect::<Value>(),
    })
}

fn body(name: &str, g: &BodyGradient, per_mass: f64) -> Value {
    json!({
        "body": name,
        "effective_mass": {
            "mass": number(g.mass),
            "center": vector(&g.center),
            "inertia": g.inertia.map(number),
        },
        "constrained_energy": {
            "mass": number(per_mass * g.mass),
            "center": vector(&(g.center * per_mass)),
            "inertia": g.inertia.map(|x| number(per_mass * x)),
        },
    })
}
