//! The impacts of a run: what each was, and what the law did.

use carom::contact::catalogue;
use carom::model::Model;
use carom::simulate::{ImpactRecord, Outcome};

use super::{MOST_ROWS, left_out, loads};
use crate::commands::run::Ran;
use crate::commands::run::short::part;
use crate::number::{headed, prefixed, six, ten};
use crate::table::Grid;

/// Whether a point has to be named beside its contact.
pub(super) fn several_points(out: &Outcome) -> bool {
    let spots = out.impacts.iter().map(|i| i.spot).chain(out.events.iter().map(|e| e.spot));
    spots.into_iter().any(|spot| spot.point > 0)
}

/// The tables.
pub(super) fn text(model: &Model, ran: &Ran) -> String {
    let impacts = &ran.outcome.impacts;
    if model.contacts.is_empty() {
        return String::new();
    }
    if impacts.is_empty() {
        return "\nno impact\n".to_owned();
    }
    let mut text = format!("\n{}{}", grid(model, ran, MOST_ROWS).text(2), left_out(impacts.len()));
    if !ran.by_impulse() {
        text.push('\n');
        text += &forces(model, ran, MOST_ROWS).text(2);
    }
    text + &loads::text(model, ran)
}

/// What each impact was, of so many.
pub(crate) fn grid(model: &Model, ran: &Ran, most: usize) -> Grid {
    let impacts = &ran.outcome.impacts;
    let several = several_points(&ran.outcome);
    let impulse = headed(model, "impulse", |u| u.impulse);
    let mut grid = Grid::new(&[
        "impact",
        "contact",
        if several { "point" } else { "" },
        "onset [s]",
        &headed(model, "m_eff", |u| u.mass),
        &headed(model, "approach", |u| u.velocity),
        "T_c [J]",
        &headed(model, "separation", |u| u.velocity),
        "e",
        "asked",
        "e*",
        "lost [J]",
        if ran.by_impulse() { &impulse } else { "" },
    ]);
    let maybe = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), six);
    for (k, i) in impacts.iter().enumerate().take(most) {
        grid.row(vec![
            (k + 1).to_string(),
            model.contacts[i.spot.contact].name.clone(),
            if several { i.spot.point.to_string() } else { String::new() },
            ten(i.onset),
            six(i.effective_mass),
            six(i.approach_speed),
            six(i.impact_energy),
            maybe(i.separation_speed),
            maybe(i.restitution()),
            asked(model, ran, i).map_or_else(String::new, six),
            maybe(i.energetic_restitution()),
            if i.parting.is_some() { six(i.energy_lost) } else { "–".to_owned() },
            i.impulse.map_or_else(String::new, six),
        ]);
    }
    grid
}

/// The restitution that the contact's law was asked for.
pub(crate) fn asked(model: &Model, ran: &Ran, i: &ImpactRecord) -> Option<f64> {
    let law = ran.scenario.contacts[i.spot.contact].law.as_ref();
    let takes = law.is_none_or(|law| {
        catalogue::find(law.name()).is_ok_and(|entry| entry.restitution.is_some())
    });
    model.contacts[i.spot.contact].defaults.restitution.filter(|_| takes)
}

/// What a law did: forces and times.
pub(crate) fn forces(model: &Model, ran: &Ran, most: usize) -> Grid {
    let mut grid = Grid::new(&[
        "impact",
        "peak force",
        "after",
        "greatest indentation",
        "after",
        "duration",
        "other forces meanwhile",
    ]);
    for (k, i) in ran.outcome.impacts.iter().enumerate().take(most) {
        let meanwhile = i.meanwhile(ran.outcome.state.t);
        let change = meanwhile.map_or_else(String::new, |m| {
            let mark = if m.is_short() { "" } else { " (not short)" };
            format!("{} of the approach speed{mark}", part(m.speed))
        });
        let units = model.contacts[i.spot.contact].units();
        grid.row(vec![
            (k + 1).to_string(),
            i.peak_force.map_or_else(String::new, |force| prefixed(force, units.force)),
            prefixed(i.time_of_peak - i.onset, "s"),
            prefixed(i.max_indentation, units.gap),
            prefixed(i.time_of_max_indentation - i.onset, "s"),
            i.duration().map_or_else(|| "still touches".to_owned(), |t| prefixed(t, "s")),
            change,
        ]);
    }
    grid
}
