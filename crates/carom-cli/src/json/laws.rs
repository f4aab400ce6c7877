//! Contact laws and impacts as JSON.

use carom::contact::impact1d::Outcome;
use carom::contact::law::{Bounds, Entry, Parameter};
use serde_json::{Map, Value, json};

use super::number;
use crate::commands::laws::strike::{Ruled, Strike};
use crate::commands::laws::summary::{Answer, Page, Summary, instead_of_restitution};

/// The catalogue.
pub(crate) fn list(laws: &[Summary]) -> Value {
    json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "laws": laws.iter().map(law).collect::<Value>(),
    })
}

/// One law; beside what the catalogue says, n in force and what an uncertain stiffness does.
pub(crate) fn page(page: &Page) -> Value {
    let mut value = law(&page.summary);
    value["carom"] = json!(env!("CARGO_PKG_VERSION"));
    value["exponent_in_force"] = page.exponent.map_or(Value::Null, number);
    value["peak_by_stiffness"] = page.peak_power().map_or(Value::Null, |power| {
        json!({
            "power": number(power),
            "stiffness_by_2": number(2_f64.powf(power)),
            "stiffness_by_10": number(10_f64.powf(power)),
        })
    });
    value
}

fn law(summary: &Summary) -> Value {
    let entry = summary.entry;
    let delivered = match summary.answers.as_slice() {
        [] => Value::Null,
        answers => answers.iter().map(answer).collect(),
    };
    let instead = entry.restitution.is_none().then(|| instead_of_restitution(entry));
    json!({
        "name": entry.name,
        "form": entry.form.name(),
        "formula": entry.formula,
        "source": entry.source,
        "choose": entry.choose,
        "parameters": parameters(entry),
        "restitution": entry.restitution.as_ref().map_or(Value::Null, bounds),
        "restitution_instead": instead,
        "exponent": entry.exponent.map_or(Value::Null, |(range, own)| {
            let mut value = bounds(&range);
            value["default"] = number(own);
            value
        }),
        "parting": entry.parting.name(),
        "parting_rules_differ": summary.rules_differ(),
        "delivered": delivered,
    })
}

fn parameters(entry: &Entry) -> Value {
    let one = |parameter: &Parameter| {
        json!({
            "name": parameter.name(),
            "symbol": parameter.symbol(),
            "unit": parameter.unit(),
            "doc": parameter.doc(),
            "required": *parameter != Parameter::Exponent,
        })
    };
    entry.parameters.iter().map(one).collect()
}

fn bounds(range: &Bounds) -> Value {
    json!({
        "low": number(range.low),
        "low_inside": range.low_inside,
        "high": number(range.high),
    })
}

fn answer(answer: &Answer) -> Value {
    let d = &answer.delivered;
    json!({
        "asked": number(answer.asked),
        "restitution": number(d.restitution),
        "at_zero_force": number(d.at_zero_force),
        "at_zero_indentation": number(d.at_zero_indentation),
        "peak_force": number(d.peak_force),
        "max_indentation": number(d.max_indentation),
        "duration": number(d.duration),
    })
}

/// An impact.
pub(crate) fn impact(strike: &Strike) -> Value {
    let mut settings = Map::new();
    for &parameter in strike.entry.parameters {
        let value = match parameter {
            Parameter::Exponent => strike.exponent.map_or(Value::Null, number),
            Parameter::Force => json!(strike.force),
            other => strike.settings.number(other).map_or(Value::Null, number),
        };
        settings.insert(parameter.name().to_owned(), value);
    }
    // A plane has no radius that JSON could write: null.
    let pair = strike.pair.map_or(Value::Null, |pair| {
        json!({ "materials": pair.materials.map(|m| m.name.as_ref()), "radii": pair.radii.map(number) })
    });
    let mut value = json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "law": strike.entry.name,
        "formula": strike.entry.formula,
        "settings": settings,
        "stiffness_from": pair,
        "effective_mass": number(strike.mass),
        "approach_speed": number(strike.speed),
        "elastic": strike.elastic.map_or(Value::Null, |elastic| json!({
            "peak_force": number(elastic.peak_force),
            "max_indentation": number(elastic.max_indentation),
        })),
        "outcome": outcome(strike, &strike.own),
        "other_parting": match &strike.other {
            None => Value::Null,
            Some(Ok(other)) => outcome(strike, other),
            Some(Err(error)) => json!({ "error": error.to_string() }),
        },
        "warnings": strike.warnings,
    });
    if !strike.curve.is_empty() {
        value["curve"] = strike
            .curve
            .iter()
            .map(|s| {
                json!({
                    "t": number(s.time),
                    "delta": number(s.delta),
                    "delta_dot": number(s.delta_dot),
                    "force": number(s.force),
                })
            })
            .collect();
    }
    value
}

/// A duration without end is null, and `parts` says why.
fn outcome(strike: &Strike, ruled: &Ruled) -> Value {
    let Outcome {
        restitution,
        peak_force,
        time_of_peak,
        max_indentation,
        time_of_max_indentation,
        duration,
        parting_indentation,
        separation_speed,
        energy,
        energy_lost,
        impulse,
    } = ruled.outcome;
    json!({
        "parting": ruled.parting.name(),
        "parts": duration.is_finite(),
        "restitution": number(restitution),
        "peak_force": number(peak_force),
        "time_of_peak": number(time_of_peak),
        "max_indentation": number(max_indentation),
        "time_of_max_indentation": number(time_of_max_indentation),
        "duration": number(duration),
        "parting_indentation": number(parting_indentation),
        "separation_speed": number(separation_speed),
        "energy": number(energy),
        "energy_lost": number(energy_lost),
        "share_lost": number((1.0 - restitution) * (1.0 + restitution)),
        "impulse": number(impulse),
        "peak_by_elastic_peak": strike.peak_ratio(ruled).map_or(Value::Null, number),
    })
}
