//! A run as CSV: its trajectory, its contacts, its impacts.

use carom::model::Model;
use carom::simulate::{ImpactRecord, JointPeak, Ledger, Outcome as Ran, Spot};

use super::{full, maybe, sheet, unit_of_contacts};
use crate::Outcome;
use crate::commands::run;
use crate::number::{joint_names, part_names, spot_name};

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
    heading.push("balance [J]".to_owned());
    for spot in &ran.spots {
        let name = spot_name(model, &ran.spots, *spot);
        heading.extend([format!("T_c.{name} [J]"), format!("T_a.{name} [J]")]);
    }
    heading.push("event".to_owned());
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = ran.samples.iter().map(|s| {
        let state = std::iter::once(s.state.t).chain(s.state.q.iter().copied());
        let numbers = state.chain(s.state.v.iter().copied()).chain(s.ledger.lines());
        let mut cells: Vec<String> = numbers.map(full).collect();
        cells.push(full(s.ledger.balance()));
        for (k, along) in s.impact_energies.iter().enumerate() {
            cells.extend([full(*along), maybe(s.admissible_energy(model, k))]);
        }
        cells.push(u8::from(s.event).to_string());
        cells
    });
    sheet(&heading, rows)
}

/// Force and indentation while contacts touch or stay.
pub(crate) fn contacts(model: &Model, ran: &Ran) -> Outcome {
    let heading = [
        "t [s]",
        "contact",
        "point",
        "delta [m]",
        "delta_dot [m/s]",
        "force [N]",
        "T_c [J]",
        "T_a [J]",
    ]
    .map(|name| unit_of_contacts(model, name));
    let heading = heading.each_ref().map(String::as_str);
    let rows = ran.contacts.iter().map(|c| {
        let [contact, point] = place(model, c.spot);
        let numbers = [c.delta, c.delta_dot, c.force, c.impact_energy].map(full);
        let mut cells = vec![full(c.t), contact, point];
        cells.extend(numbers);
        cells.push(maybe(c.admissible_energy));
        cells
    });
    sheet(&heading, rows)
}

/// The impacts.
const IMPACT: [&str; 21] = [
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
    "restitution work [J]",
    "free acceleration [m/s^2]",
];

/// The impacts, and what each brought the joints.
pub(crate) fn impacts(model: &Model, ran: &run::Ran) -> Outcome {
    let second = if ran.by_impulse() { " s" } else { "" };
    let mut heading = IMPACT.map(|name| unit_of_contacts(model, name)).to_vec();
    for name in joint_names(model) {
        heading.push(format!("{name} force [N{second}]"));
        heading.push(format!("{name} time of force [s]"));
        heading.push(format!("{name} moment [N m{second}]"));
        heading.push(format!("{name} time of moment [s]"));
        heading.push(format!("{name} unique"));
    }
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let all = ran.outcome.impacts.iter().zip(&ran.outcome.reactions);
    let rows = all.map(|(i, reactions)| {
        let mut cells = impact(model, i);
        cells.extend(reactions.iter().flat_map(peak));
        cells
    });
    sheet(&heading, rows)
}

fn peak(p: &JointPeak) -> [String; 5] {
    [
        full(p.force.norm()),
        full(p.time_of_force),
        full(p.moment.norm()),
        full(p.time_of_moment),
        p.unique.to_string(),
    ]
}

fn impact(model: &Model, i: &ImpactRecord) -> Vec<String> {
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
        maybe(i.impulse.is_none().then_some(i.compression_work)),
        maybe(i.restitution_work()),
        full(i.free_acceleration),
    ]
}
