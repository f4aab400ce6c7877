//! An impact under a law as JSON.

use carom::contact::impact1d::{Factors, Outcome};
use carom::contact::law::Parameter;
use carom::impact::{NamedLaw, Prediction};
use serde_json::{Value, json};

use super::number;

/// The law a file names.
pub(super) fn law(law: &NamedLaw) -> Value {
    let names = |all: &[Parameter]| all.iter().map(|p| json!(p.name())).collect::<Value>();
    json!({
        "name": law.name,
        "parting": law.parting.name(),
        "missing": names(&law.missing),
        "unused": names(&law.unused),
    })
}

/// The impact of a row.
pub(super) fn value(prediction: &Prediction) -> Value {
    let mut out = outcome(&prediction.outcome);
    out["factors"] = factors(&prediction.factors);
    out
}

/// In SI units; a pair that never parts has no duration.
pub(crate) fn outcome(found: &Outcome) -> Value {
    json!({
        "energy": number(found.energy),
        "peak_force": number(found.peak_force),
        "time_of_peak": number(found.time_of_peak),
        "max_indentation": number(found.max_indentation),
        "time_of_max_indentation": number(found.time_of_max_indentation),
        "duration": number(found.duration),
        "parts": found.duration.is_finite(),
        "parting_indentation": number(found.parting_indentation),
        "restitution": number(found.restitution),
        "separation_speed": number(found.separation_speed),
        "energy_lost": number(found.energy_lost),
        "impulse": number(found.impulse),
    })
}

/// Against the elastic impact.
pub(crate) fn factors(found: &Factors) -> Value {
    json!({
        "restitution": number(found.restitution),
        "peak_force": number(found.peak_force),
        "time_of_peak": number(found.time_of_peak),
        "max_indentation": number(found.max_indentation),
        "time_of_max_indentation": number(found.time_of_max_indentation),
        "duration": number(found.duration),
        "parting_indentation": number(found.parting_indentation),
    })
}
