//! A run as CSV: its trajectory, its contacts, its impacts.

use carom::model::Model;
use carom::simulate::{Ledger, Outcome as Ran, Spot};

use super::{full, maybe, sheet};
use crate::Outcome;
use crate::number::part_names;

/// Contact and point.
fn place(model: &Model, spot: Spot) -> [String; 2] {
    [model.contacts[spot.contact].name.clone(), spot.point.to_string()]
}

/// States and energies, even in time and at all events.
pub(crate) fn trajectory(model: &Model, ran: &Ran) -> Outcome {
    let (q, v) = part_names(model);
    let mut heading = vec!["t [s]".to_owned()];
    heading.extend(q.into_iter().chain(v));
    heading.extend(Ledger::NAMES.iter().map(|name| format!("{name} [J]")));
    heading.extend(["balance [J]".to_owned(), "event".to_owned()]);
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = ran.samples.iter().map(|s| {
        let state = std::iter::once(s.state.t).chain(s.state.q.iter().copied());
        let numbers = state.chain(s.state.v.iter().copied()).chain(s.ledger.lines());
        let mut cells: Vec<String> = numbers.map(full).collect();
        cells.push(full(s.ledger.balance()));
        cells.push(u8::from(s.event).to_string());
        cells
    });
    sheet(&heading, rows)
}

/// Force and indentation while contacts touch.
pub(crate) fn contacts(model: &Model, ran: &Ran) -> Outcome {
    let heading = ["t [s]", "contact", "point", "delta [m]", "delta_dot [m/s]", "force [N]"];
    let rows = ran.contacts.iter().map(|c| {
        let [contact, point] = place(model, c.spot);
        vec![full(c.t), contact, point, full(c.delta), full(c.delta_dot), full(c.force)]
    });
    sheet(&heading, rows)
}

/// The impacts.
pub(crate) fn impacts(model: &Model, ran: &Ran) -> Outcome {
    let heading = [
        "contact",
        "point",
        "onset [s]",
        "m_eff [kg]",
        "approach speed [m/s]",
        "T_c [J]",
        "peak force [N]",
        "time of peak [s]",
        "greatest indentation [m]",
        "time of greatest indentation [s]",
        "parting [s]",
        "duration [s]",
        "separation speed [m/s]",
        "restitution",
        "energetic restitution",
        "m_eff at parting [kg]",
        "impulse [N s]",
        "energy lost [J]",
        "compression work [J]",
        "free acceleration [m/s^2]",
    ];
    let rows = ran.impacts.iter().map(|i| {
        let [contact, point] = place(model, i.spot);
        vec![
            contact,
            point,
            full(i.onset),
            full(i.effective_mass),
            full(i.approach_speed),
            full(i.impact_energy),
            maybe(i.peak_force),
            full(i.time_of_peak),
            full(i.max_indentation),
            full(i.time_of_max_indentation),
            maybe(i.parting),
            maybe(i.duration()),
            maybe(i.separation_speed),
            maybe(i.restitution()),
            maybe(i.energetic_restitution()),
            maybe(i.parting_mass),
            maybe(i.impulse),
            full(i.energy_lost),
            full(i.compression_work),
            full(i.free_acceleration),
        ]
    });
    sheet(&heading, rows)
}
