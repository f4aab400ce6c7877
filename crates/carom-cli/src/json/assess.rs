//! Assessments as JSON.

use carom::impact::projector::Projectors;
use carom::impact::{
    Assessment, Cone, Energies, Extremes, Rival, Rivals, RowAssessment, Together, TogetherRow,
};
use nalgebra::DMatrix;
use serde_json::{Value, json};

use super::{constraints, gradients, head, number, prediction, state, stiffness, units, vector};
use crate::commands::assess::Report;

/// The whole value.
pub(crate) fn value(report: &Report<'_>) -> Value {
    let mut out = head(report.opened, &report.warnings);
    out["state"] = state(report.opened);
    out["constraints"] = constraints(&report.constraints);
    out["locked"] = json!(report.locked);
    out["contacts"] = report.contacts.iter().map(|c| contact(report, c)).collect();
    out["together"] = report.together.as_ref().map_or(Value::Null, together);
    out
}

fn contact(report: &Report<'_>, contact: &Assessment) -> Value {
    let model = report.opened.model();
    let stated = model.contact(&contact.contact).map(|k| &model.contacts[k]);
    json!({
        "name": contact.contact,
        "i": model.place_name(contact.places.0),
        "j": model.place_name(contact.places.1),
        "energies": energies(&contact.energies),
        "stiffness": stated.map_or(Value::Null, |c| stiffness::value(c, contact.stiffness.as_ref())),
        "law": contact.law.as_ref().map_or(Value::Null, prediction::law),
        "units": stated.map_or(Value::Null, units),
        "rank": contact.rank,
        "rows": contact.rows.iter().map(|r| row(report, contact, r)).collect::<Value>(),
        "W": matrix(&contact.W),
        "projectors": contact.projectors.as_ref().map_or(Value::Null, projectors),
    })
}

/// All contacts struck at once.
fn together(all: &Together) -> Value {
    let row = |r: &TogetherRow| {
        json!({
            "contact": r.contact,
            "label": r.label,
            "u": number(r.effective.rate),
            "effective_mass": number(r.effective.mass),
            "immobile": r.effective.is_immobile(),
            "others_held": mass(r.others_held),
        })
    };
    json!({
        "energies": energies(&all.energies),
        "rank": all.rank,
        "rows": all.rows.iter().map(row).collect::<Value>(),
        "W": matrix(&all.W),
    })
}

fn energies(energies: &Energies) -> Value {
    let share = if energies.total > 0.0 { energies.closing / energies.total } else { 0.0 };
    json!({
        "kinetic_energy": number(energies.total),
        "constrained_energy": number(energies.constrained),
        "admissible_energy": number(energies.admissible),
        "xi": number(energies.share),
        "impact_energy": number(energies.closing),
        "impact_share": number(share),
        "frame_dependent": energies.driven,
    })
}

fn row(report: &Report<'_>, contact: &Assessment, row: &RowAssessment) -> Value {
    let model = report.opened.model();
    let effective = &row.effective;
    let motion = row.approach;
    let side = |place, mass: f64| json!({ "body": model.place_name(place), "mass": number(mass), "immobile": mass.is_infinite() });
    let mut out = json!({
        "label": row.label,
        "kind": if row.is_normal { "normal" } else { "tangent" },
        "gap": number(row.point.gap),
        "standing": row.standing.word(),
        "on_i": vector(&row.point.on_a),
        "on_j": vector(&row.point.on_b),
        "normal": vector(&row.point.normal),
        "direction": vector(&row.direction),
        "u": number(effective.rate),
        "motion": motion.word(),
        "effective_mass": number(effective.mass),
        "immobile": effective.is_immobile(),
        "mobility": number(effective.mobility),
        "constrained_energy": number(effective.energy),
        "apparent_masses": {
            "i": side(contact.places.0, row.apparent.i),
            "j": side(contact.places.1, row.apparent.j),
            "coupling": number(row.apparent.coupling),
            "uncoupled": row.apparent.uncoupled,
        },
        "others_held": mass(row.others_held),
    });
    out["locked"] = row.locked.map_or(Value::Null, |l| mass(l.mass));
    out["terms"] = row.terms.map_or(Value::Null, |t| {
        json!({
            "z_c": number(t.velocity),
            "tau_c": number(t.force),
            "u_dot": number(t.acceleration),
        })
    });
    out["elastic_peak"] = row.elastic_peak.map_or(Value::Null, number);
    out["elastic_area"] = row.elastic_area.map_or(Value::Null, |area| {
        json!({
            "half_axes": area.half_axes.map(number),
            "peak_pressure": number(area.peak_pressure),
            "relative_size": number(area.relative_size),
        })
    });
    out["prediction"] = row.prediction.as_ref().map_or(Value::Null, prediction::value);
    out["cone"] = row.cone.as_ref().map_or(Value::Null, cone);
    out["rivals"] = row.rivals.as_ref().map_or(Value::Null, rivals);
    out["routes"] = row.routes.as_ref().map_or(Value::Null, routes);
    if let Some(found) = &row.gradients {
        out["gradients"] = gradients::value(&report.at, found);
    }
    out
}

fn mass(m: f64) -> Value {
    json!({ "effective_mass": number(m), "immobile": m.is_infinite() })
}

fn extremes(x: &Extremes) -> Value {
    json!({
        "least": number(x.least),
        "least_at": number(x.least_at),
        "most": number(x.most),
        "most_at": number(x.most_at),
        "most_immobile": x.most.is_infinite(),
    })
}

fn cone(cone: &Cone) -> Value {
    json!({
        "half_angle": number(cone.half_angle),
        "effective_mass": extremes(&cone.mass),
        "constrained_energy": extremes(&cone.energy),
    })
}

fn rivals(rivals: &Rivals) -> Value {
    let maybe = |mass: Option<f64>| mass.map_or(Value::Null, number);
    let one = |r: &Rival| {
        json!({
            "i": maybe(r.i),
            "j": maybe(r.j),
            "effective_mass": maybe(r.effective),
            "immobile": r.effective.is_some_and(f64::is_infinite),
        })
    };
    json!({
        "kinetic_energy_eq14": one(&rivals.energy),
        "inertial_force_eq15": one(&rivals.newton),
        "shared_subsystem": rivals.shared,
    })
}

/// m_eff by eqs. 28, 31, 38, 39 of seed 000 in joint and in body coordinates.
fn routes(all: &[Option<f64>; 8]) -> Value {
    let four = |first: usize| {
        let of = |k: usize| all[first + k].map_or(Value::Null, number);
        json!({ "eq28": of(0), "eq31": of(1), "eq38": of(2), "eq39": of(3) })
    };
    json!({ "joint": four(0), "body": four(4) })
}

fn projectors(p: &Projectors) -> Value {
    json!({
        "admissible_motion": matrix(&p.admissible_motion),
        "P_c": matrix(&p.constrained),
        "P_a": matrix(&p.admissible),
        "effective_mass_matrix": matrix(&p.effective_mass),
        "B_a": matrix(&p.admissible_rows),
    })
}

/// A list of rows.
fn matrix(m: &DMatrix<f64>) -> Value {
    m.row_iter().map(|row| row.iter().map(|x| number(*x)).collect::<Value>()).collect()
}
