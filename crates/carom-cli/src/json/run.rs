//! Runs as JSON.

use carom::file::Opened;
use carom::model::Model;
use carom::simulate::{
    Event, ImpactRecord, JointPeak, Ledger, Outcome, Spot, Stay, UserEventRecord,
};
use serde_json::{Map, Value, json};

use super::{coordinate_names, head, number, units, vector};
use crate::commands::run::{Ran, Report};
use crate::number::{joint_names, part_names, spot_name};
use crate::table::run::{Energies, compare};
use carom::simulate::Meanwhile;

/// The whole value.
pub(crate) fn value(report: &Report<'_>) -> Value {
    let model = report.opened.model();
    let mut out = head(report.opened, &report.warnings);
    out["set"] = edits(report.sets);
    out["velocities"] = json!(coordinate_names(model));
    out["runs"] = report
        .runs
        .iter()
        .map(|ran| {
            let mut value = figures(model, ran);
            let all = ran.outcome.impacts.iter().zip(&ran.outcome.reactions);
            value["impacts"] = all.map(|(i, r)| impact(model, ran, i, r)).collect();
            value["stays"] = ran.outcome.stays.iter().map(|s| stay(model, s)).collect();
            value["events"] = events(model, &ran.outcome);
            value["trajectory"] = trajectory(model, &ran.outcome);
            value["contacts"] = contacts(model, &ran.outcome);
            value
        })
        .collect();
    let compared = compare::of(&report.runs);
    out["comparison"] = compared.iter().map(comparison).collect();
    out
}

/// What a run came to, without its series.
pub(crate) fn summary(opened: &Opened, sets: &[(String, String)], ran: &Ran) -> Value {
    let mut out = json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "file": opened.loaded.source.name(),
        "title": opened.model().title,
        "set": edits(sets),
    });
    if let (Value::Object(out), Value::Object(more)) = (&mut out, figures(opened.model(), ran)) {
        out.extend(more);
    }
    out["impacts"] = json!(ran.outcome.impacts.len());
    out["stays"] = json!(ran.outcome.stays.len());
    out["events"] = json!(ran.outcome.events.len());
    let own = ran.outcome.user_events.iter();
    out["user_events"] = own.map(|e| user_event(opened.model(), e)).collect();
    out
}

fn edits(sets: &[(String, String)]) -> Value {
    sets.iter().map(|(path, value)| Value::from(format!("{path}={value}"))).collect()
}

fn figures(model: &Model, ran: &Ran) -> Value {
    let out = &ran.outcome;
    let laws = model.contacts.iter().zip(&ran.scenario.contacts);
    let laws: Map<String, Value> = laws
        .map(|(contact, plan)| {
            (contact.name.clone(), json!(plan.law.as_ref().map(|law| law.name())))
        })
        .collect();
    let energies = Energies::of(out);
    json!({
        "inputs": ran.inputs,
        "law": ran.law,
        "laws": laws,
        "method": ran.scenario.treatment.name(),
        "until": number(ran.scenario.until),
        "tolerance": number(ran.scenario.tolerance),
        "least_onset_speed": number(ran.scenario.least_onset_speed),
        "stopped": ran.stopped,
        "ended_by": out.ended_by.and_then(|k| model.events.get(k)).map(|e| &e.name),
        "state": {
            "t": number(out.state.t),
            "q": out.state.q.iter().map(|x| number(*x)).collect::<Value>(),
            "v": out.state.v.iter().map(|x| number(*x)).collect::<Value>(),
        },
        "ledger": {
            "begin": energies.begin.as_ref().map(ledger),
            "end": energies.end.as_ref().map(ledger),
            "drift": number(out.drift),
            "largest_energy": number(energies.largest),
            "relative_drift": number(out.drift / energies.largest),
        },
        "closure_gap": number(out.closure_gap),
        "counts": {
            "steps": out.counts.steps,
            "rejected": out.counts.rejected,
            "right_hand_sides": out.counts.evaluations,
            "observations": out.counts.observations,
        },
    })
}

fn ledger(ledger: &Ledger) -> Value {
    let lines = Ledger::NAMES.iter().zip(ledger.lines());
    let mut map: Map<String, Value> =
        lines.map(|(name, x)| ((*name).to_owned(), number(x))).collect();
    map.insert("balance".to_owned(), number(ledger.balance()));
    Value::Object(map)
}

fn maybe(x: Option<f64>) -> Value {
    x.map_or(Value::Null, number)
}

fn name(model: &Model, spot: Spot) -> &str {
    &model.contacts[spot.contact].name
}

fn impact(model: &Model, ran: &Ran, i: &ImpactRecord, reactions: &[JointPeak]) -> Value {
    let meanwhile = i.meanwhile(ran.outcome.state.t);
    let mut value = json!({
        "contact": name(model, i.spot),
        "point": i.spot.point,
        "onset": number(i.onset),
        "effective_mass": number(i.effective_mass),
        "approach_speed": number(i.approach_speed),
        "impact_energy": number(i.impact_energy),
        "peak_force": maybe(i.peak_force),
        "time_of_peak": number(i.time_of_peak),
        "max_indentation": number(i.max_indentation),
        "time_of_max_indentation": number(i.time_of_max_indentation),
        "parting": maybe(i.parting),
        "duration": maybe(i.duration()),
        "separation_speed": maybe(i.separation_speed),
        "restitution": maybe(i.restitution()),
        "restitution_asked": maybe(model.contacts[i.spot.contact].defaults.restitution),
        "energetic_restitution": maybe(i.energetic_restitution()),
        "parting_effective_mass": maybe(i.parting_mass),
        "impulse": maybe(i.impulse),
        "energy_lost": number(i.energy_lost),
        "compression_work": maybe(i.impulse.is_none().then_some(i.compression_work)),
        "restitution_work": maybe(i.restitution_work()),
        "free_acceleration": number(i.free_acceleration),
        "speed_change_by_other_forces": maybe(meanwhile.map(|m| m.speed)),
        "short": meanwhile.is_none_or(Meanwhile::is_short),
        "units": units(&model.contacts[i.spot.contact]),
    });
    let key = if i.impulse.is_some() { "reaction_impulses" } else { "reactions" };
    let named = joint_names(model).into_iter().zip(reactions);
    value[key] = named.map(|(name, p)| peak(&name, p)).collect();
    value
}

/// The greatest force and moment of a joint or closure.
fn peak(name: &str, p: &JointPeak) -> Value {
    json!({
        "of": name,
        "force": vector(&p.force),
        "magnitude": number(p.force.norm()),
        "time": number(p.time_of_force),
        "moment": vector(&p.moment),
        "moment_magnitude": number(p.moment.norm()),
        "moment_time": number(p.time_of_moment),
        "unique": p.unique,
    })
}

fn stay(model: &Model, s: &Stay) -> Value {
    json!({
        "contact": name(model, s.spot),
        "point": s.spot.point,
        "from": number(s.from),
        "to": maybe(s.to),
        "first_force": number(s.first_force),
        "peak_force": number(s.peak_force),
        "time_of_peak": number(s.time_of_peak),
        "units": units(&model.contacts[s.spot.contact]),
    })
}

/// Events of contacts and of the user, in the order of time.
fn events(model: &Model, out: &Outcome) -> Value {
    let contacts = out.events.iter().map(|e| (e.t, event(model, e)));
    let own = out.user_events.iter().map(|e| (e.t, user_event(model, e)));
    let mut all: Vec<(f64, Value)> = contacts.chain(own).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, value)| value).collect()
}

fn user_event(model: &Model, e: &UserEventRecord) -> Value {
    json!({
        "t": number(e.t),
        "event": model.events.get(e.event).map(|e| &e.name),
        "kind": if e.rises { "rises" } else { "falls" },
    })
}

fn event(model: &Model, e: &Event) -> Value {
    json!({
        "t": number(e.t),
        "contact": name(model, e.spot),
        "point": e.spot.point,
        "kind": e.kind.name(),
        "accumulation": maybe(e.accumulation),
    })
}

fn trajectory(model: &Model, out: &Outcome) -> Value {
    let (q, v) = part_names(model);
    let mut columns = vec!["t [s]".to_owned()];
    columns.extend(q.into_iter().chain(v));
    columns.extend(Ledger::NAMES.iter().map(|name| format!("{name} [J]")));
    for spot in &out.spots {
        let name = spot_name(model, &out.spots, *spot);
        columns.extend([format!("T_c.{name} [J]"), format!("T_a.{name} [J]")]);
    }
    let row = |s: &carom::simulate::Sample| {
        let state = std::iter::once(s.state.t).chain(s.state.q.iter().copied());
        let all = state.chain(s.state.v.iter().copied()).chain(s.ledger.lines());
        let mut row: Vec<Value> = all.map(number).collect();
        for (k, along) in s.impact_energies.iter().enumerate() {
            row.extend([number(*along), maybe(s.admissible_energy(model, k))]);
        }
        Value::Array(row)
    };
    json!({
        "columns": columns,
        "rows": out.samples.iter().map(row).collect::<Value>(),
        "events": out.samples.iter().map(|s| s.event).collect::<Vec<_>>(),
    })
}

fn contacts(model: &Model, out: &Outcome) -> Value {
    let sample = |c: &carom::simulate::ContactSample| {
        json!({
            "t": number(c.t),
            "contact": name(model, c.spot),
            "point": c.spot.point,
            "delta": number(c.delta),
            "delta_dot": number(c.delta_dot),
            "force": number(c.force),
            "impact_energy": number(c.impact_energy),
            "admissible_energy": maybe(c.admissible_energy),
        })
    };
    out.contacts.iter().map(sample).collect()
}

fn comparison(row: &compare::Row) -> Value {
    let spread = |x: Option<compare::Spread>| {
        x.map_or(
            Value::Null,
            |x| json!({ "spread": number(x.width), "relative": number(x.relative) }),
        )
    };
    json!({
        "impact": row.number,
        "laws": row.laws,
        "onset": spread(row.onset),
        "peak_force": spread(row.peak_force),
        "duration": spread(row.duration),
        "separation_speed": spread(row.separation_speed),
    })
}
