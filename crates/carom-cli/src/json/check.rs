//! What was understood of a file, as JSON.

use std::collections::HashMap;

use carom::contact::hertz::Stiffness;
use carom::contact::{Touch, places};
use carom::dynamics::Posture;
use carom::model::ContactGeometry;
use serde_json::{Value, json};

use super::{constraints, head, number, state, stiffness, vector};
use crate::balance::Reaction;
use crate::commands::check::Report;
use crate::table::check::{load_name, own_inertia};
use carom::contact::{Approach as Motion, Standing};

/// The whole value.
pub(crate) fn value(report: &Report<'_>) -> Value {
    let Report { opened, at, constraints: found, balance, touches, stiffnesses, warnings } = report;
    let model = opened.model();
    let assembled = &opened.assembled;
    let mut out = head(opened, warnings);
    out["bodies"] = (0..model.bodies.len()).map(|b| body(report, b)).collect();
    let driven: HashMap<usize, &str> =
        model.drives.iter().map(|d| (d.v, d.name.as_str())).collect();
    out["joints"] = (0..model.bodies.len()).map(|b| joint(report, b, &driven)).collect();
    let mut multipliers = balance.motion.solution.multipliers.iter().map(|x| number(*x));
    out["closures"] = (model.closures.iter().zip(&assembled.residuals).zip(&balance.closures))
        .map(|((c, (_, residual)), found)| {
            json!({
                "name": c.name,
                "type": c.kind,
                "rows": c.rows.len(),
                "residual": number(*residual),
                "multipliers": multipliers.by_ref().take(c.rows.len()).collect::<Value>(),
                "reaction": reaction(found),
            })
        })
        .collect();
    let (linear, angular) = &balance.momentum;
    out["motion"] = json!({
        "kinetic_energy": number(balance.kinetic_energy),
        "potential_energy": number(balance.potential_energy),
        "linear_momentum": vector(linear),
        "angular_momentum": vector(angular),
    });
    out["constraints"] = constraints(found);
    out["assembly"] = json!({
        "steps": assembled.steps,
        "start": assembled.start,
        "moved": named(&assembled.moved),
        "velocities_changed": named(&assembled.changed),
        "largest_velocity_change": number(assembled.velocity_change),
        "flipped": assembled.flipped,
    });
    out["state"] = state(opened);
    out["contacts"] = (touches.iter().zip(stiffnesses).enumerate())
        .map(|(k, (touch, found))| contact(at, k, touch, found.as_ref()))
        .collect();
    out["loads"] = (model.loads.iter().map(load_name))
        .map(|(kind, name)| json!({ "name": name, "type": kind }))
        .collect();
    out["drives"] = (model.drives.iter())
        .map(|d| json!({ "name": d.name, "joint": model.bodies[d.body.index()].joint.name }))
        .collect();
    out
}

fn named(list: &[(String, f64)]) -> Value {
    list.iter().map(|(name, by)| json!({ "joint": name, "by": number(*by) })).collect()
}

/// A force and a moment.
fn reaction(found: &Reaction) -> Value {
    json!({
        "force": vector(&found.wrench.force),
        "moment": vector(&found.wrench.moment),
        "unique": found.unique,
    })
}

fn body(report: &Report<'_>, b: usize) -> Value {
    let model = report.opened.model();
    let body = &model.bodies[b];
    let center = body.frame.inverse().point(&body.inertia.center);
    json!({
        "name": body.name,
        "mass": number(body.inertia.mass),
        "center": vector(&center),
        "inertia": own_inertia(body).map(number),
        "parent": model.place_name(body.parent),
        "joint": body.joint.name,
        "center_velocity": vector(&report.at.center_velocity(b)),
        "center_acceleration": vector(&report.at.center_acceleration(&report.balance.motion, b)),
    })
}

fn joint(report: &Report<'_>, b: usize, driven: &HashMap<usize, &str>) -> Value {
    let model = report.opened.model();
    let body = &model.bodies[b];
    let (joint, state) = (&body.joint, &report.opened.assembled.state);
    let v_dot = &report.balance.motion.solution.x;
    let drives = joint.velocities().filter_map(|v| driven.get(&v).copied());
    json!({
        "name": joint.name,
        "type": joint.kind.name(),
        "connects": [model.place_name(body.parent), body.name],
        "coordinates": joint.kind.coordinate_names(),
        "position": joint.positions().map(|k| number(state.q[k])).collect::<Value>(),
        "velocity": joint.velocities().map(|k| number(state.v[k])).collect::<Value>(),
        "acceleration": joint.velocities().map(|k| number(v_dot[k])).collect::<Value>(),
        "reaction": reaction(&report.balance.joints[b]),
        "position_stated": joint.position_given,
        "velocity_stated": joint.velocity_given,
        "rotor": joint.rotor[..joint.kind.velocities()].iter().map(|x| number(*x)).collect::<Value>(),
        "locked": joint.locked,
        "driven_by": drives.collect::<Vec<&str>>(),
    })
}

fn contact(at: &Posture<'_>, k: usize, touch: &Touch, found: Option<&Stiffness>) -> Value {
    let model = at.model();
    let pair = places(model, k);
    let shapes = match model.contacts[k].geometry {
        ContactGeometry::Shapes { a, b } => [a, b]
            .map(|s| json!({ "name": model.shapes[s].name, "kind": model.shapes[s].kind.name() }))
            .into_iter()
            .collect(),
        ContactGeometry::Points { .. } | ContactGeometry::Stop(_) => Value::Null,
    };
    let points = touch.points().iter().map(|p| {
        let u = at.rate(&at.contact_row(k, p, &p.normal));
        json!({
            "gap": number(p.gap),
            "standing": Standing::of(at, k, p).word(),
            "on_i": vector(&p.on_a),
            "on_j": vector(&p.on_b),
            "normal": vector(&p.normal),
            "u": number(u),
            "motion": Motion::of(at, k, p).word(),
        })
    });
    json!({
        "name": model.contacts[k].name,
        "i": model.place_name(pair.0),
        "j": model.place_name(pair.1),
        "shapes": shapes,
        "stiffness": stiffness::value(&model.contacts[k], found),
        "points": points.collect::<Value>(),
    })
}
