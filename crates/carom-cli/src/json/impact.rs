//! Impacts as JSON.

use carom::impact::laws::{ContactMode, FrictionForm, ImpactFriction, Uniqueness};
use carom::impact::{Audit, StrikePoint, Struck};
use carom::maths::Wrench;
use serde_json::{Value, json};

use super::{head, number, state, units, vector};
use crate::commands::impact::Report;

fn numbers(list: &[f64]) -> Value {
    list.iter().map(|x| number(*x)).collect()
}

/// The whole value.
pub(crate) fn value(report: &Report<'_>) -> Value {
    let mut out = head(report.opened, &report.warnings);
    out["state"] = state(report.opened);
    let strike = &report.strike;
    let point = |(k, p): (usize, &StrikePoint)| {
        let contact = &strike.contacts[k];
        json!({
            "name": p.name,
            "contact": report.opened.model().contacts[p.contact].name,
            "gap": number(p.touch.gap),
            "on_i": vector(&p.touch.on_a),
            "on_j": vector(&p.touch.on_b),
            "normal": vector(&p.touch.normal),
            "tangents": p.tangents.iter().map(vector).collect::<Value>(),
            "restitution": number(contact.restitution),
            "friction": match contact.friction {
                ImpactFriction::None => number(0.0),
                ImpactFriction::Coulomb(mu) => number(mu),
                ImpactFriction::Stick => json!("stick"),
            },
            "units": units(&report.opened.model().contacts[p.contact]),
            "row": p.row,
            "rows": contact.rows(),
        })
    };
    out["contacts"] = strike.points.iter().enumerate().map(point).collect();
    let n = strike.rows.len();
    out["W"] = strike.W.chunks(n.max(1)).map(numbers).collect();
    out["u_before"] = numbers(&strike.u);
    let law = |(name, answer): &(&'static str, Result<Struck, String>)| match answer {
        Ok(struck) => answer_value(report, name, struck),
        Err(why) => json!({ "law": name, "refused": why }),
    };
    out["laws"] = report.laws.iter().map(law).collect();
    out
}

fn answer_value(report: &Report<'_>, name: &str, struck: &Struck) -> Value {
    let (solution, notes) = (&struck.solution, &struck.solution.notes);
    let model = report.opened.model();
    let wrench = |w: &Wrench| json!({ "moment": vector(&w.moment), "force": vector(&w.force) });
    let joints: Vec<Value> = model
        .bodies
        .iter()
        .zip(&struck.joints)
        .map(|(body, w)| json!({ "joint": body.joint.name, "on_body": wrench(w) }))
        .collect();
    let mut at = 0;
    let mut closures = Vec::with_capacity(model.closures.len());
    for closure in &model.closures {
        let to = (at + closure.rows.len()).min(struck.multipliers.len());
        closures.push(
            json!({ "closure": closure.name, "impulses": numbers(&struck.multipliers[at..to]) }),
        );
        at = to;
    }
    let drives: Vec<Value> = model
        .drives
        .iter()
        .zip(&struck.drives)
        .map(|(d, x)| json!({ "drive": d.name, "impulse": number(*x) }))
        .collect();
    json!({
        "law": name,
        "impulses": numbers(&solution.impulses),
        "u_after": numbers(&solution.after),
        "v_after": numbers(&struck.velocities),
        "modes": notes.modes.iter().map(|m| mode(*m)).collect::<Value>(),
        "acted": notes.acted,
        "friction": match notes.friction {
            FrictionForm::Absent => "absent",
            FrictionForm::Process => "process",
            FrictionForm::Complementarity => "complementarity",
            FrictionForm::Sequence => "sequence",
        },
        "impulses_unique": match notes.uniqueness {
            Uniqueness::Unique => "unique",
            Uniqueness::LeastNorm => "least-norm",
            Uniqueness::NotUnique => "not-unique",
        },
        "kept_by_momentum_test": notes.kept,
        "active": notes.active,
        "sets_differ": notes.sets_differ(),
        "repeats": notes.repeats,
        "steps": notes.steps,
        "ties": notes.ties,
        "accumulated": notes.accumulated,
        "painleve": notes.painleve.map(|k| report.strike.points[k].name.clone()),
        "wedged": notes.wedged,
        "creates_energy": notes.creates_energy,
        "law_residual": number(notes.residual),
        "joints": joints,
        "closures": closures,
        "drives": drives,
        "audit": audit(&struck.audit),
    })
}

fn audit(a: &Audit) -> Value {
    json!({
        "kinetic_before": number(a.kinetic_before),
        "kinetic_after": number(a.kinetic_after),
        "contact_work": number(a.contact_work),
        "drive_work": number(a.drive_work),
        "energy_residual": number(a.energy_residual),
        "constrained_before": number(a.constrained_before),
        "constrained_after": number(a.constrained_after),
        "admissible_before": number(a.admissible_before),
        "admissible_after": number(a.admissible_after),
        "restitution_delivered": a.restitution.map_or(Value::Null, number),
        "least_impulse": number(a.least_impulse),
        "least_velocity": number(a.least_velocity),
        "cone": number(a.cone),
        "momentum_residual": number(a.momentum_residual),
        "velocity_residual": number(a.velocity_residual),
        "closure_residual": number(a.closure_residual),
        "frame_dependent": a.driven,
        "driven_slip": a.driven_slip,
    })
}

/// The word of a mode.
pub(crate) fn mode(mode: ContactMode) -> &'static str {
    match mode {
        ContactMode::Open => "open",
        ContactMode::Smooth => "struck",
        ContactMode::Sticks => "sticks",
        ContactMode::Slides => "slides",
        ContactMode::Reverses => "reverses",
    }
}
