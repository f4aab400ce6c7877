//! Contacts that stayed.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Ran, spot_name};
use crate::maths::digits::clean;
use crate::model::{ContactUnits, Model};
use crate::simulate::{Event, EventKind, Outcome, Stay};
use crate::study::standing;

/// A contact that stayed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunStay {
    /// The name of the point: that of the contact, with a number where it has several points.
    pub name: String,
    /// The contact.
    pub contact: String,
    /// Which of its points, from 1.
    pub point: usize,
    /// Since when \[s\].
    pub from: f64,
    /// Until when \[s\]; `null` while it still stays.
    pub to: Option<f64>,
    /// F_N at the beginning \[N\].
    pub first_force: f64,
    /// The greatest F_N \[N\].
    pub peak_force: f64,
    /// When it acted \[s\].
    pub time_of_peak: f64,
    /// Whether F_N is unique: rigid contacts that depend on each other share a load in many ways, of which the run takes one.
    pub unique: bool,
    /// When the bounces before it would all have happened \[s\].
    pub accumulation: Option<f64>,
    /// What the contact measures in.
    pub units: ContactUnits,
}

/// The contacts that stayed: first those that stood under a force law when the run began, then rigid ones.
pub(super) fn all(model: &Model, ran: &Ran) -> Vec<RunStay> {
    let out = &ran.outcome;
    let rigid = out.stays.iter().map(|s| stay(model, out, s));
    let pressed = standing(model, out, ran.scenario.until).into_iter().map(|k| {
        let record = &out.impacts[k];
        let first = out.contacts.iter().find(|s| s.spot == record.spot);
        let first_force = first.map_or(0.0, |s| s.force);
        let peak_force = record.peak_force.unwrap_or(0.0);
        // It stands since the run began; the onset of its force is located to the round-off of times, and so is the force there.
        let stay = Stay {
            spot: record.spot,
            from: out.samples.first().map_or(record.onset, |s| s.state.t),
            to: record.parting,
            first_force: clean(first_force, peak_force),
            peak_force,
            time_of_peak: record.time_of_peak,
            unique: true, // a force law decides each point's force by its own indentation
        };
        self::stay(model, out, &stay)
    });
    pressed.chain(rigid).collect()
}

fn stay(model: &Model, out: &Outcome, s: &Stay) -> RunStay {
    let contact = &model.contacts[s.spot.contact];
    let begins = |e: &&Event| e.kind == EventKind::Stays && (e.t, e.spot) == (s.from, s.spot);
    RunStay {
        name: spot_name(model, &out.spots, s.spot),
        contact: contact.name.clone(),
        point: s.spot.point + 1,
        from: s.from,
        to: s.to,
        first_force: s.first_force,
        peak_force: s.peak_force,
        time_of_peak: s.time_of_peak,
        unique: s.unique,
        accumulation: out.events.iter().find(begins).and_then(|e| e.accumulation),
        units: contact.units(),
    }
}
