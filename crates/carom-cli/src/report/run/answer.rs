//! The question of a run, and its answer: the hardest impact.

use carom::Model;
use carom::answer::{Caution, CautionCode, RunAnswer, RunImpact};
use carom::report::KeyNumber;

use super::super::{key, pair};
use crate::number::{percent, prefixed, six, three};

/// The peak force or the impulse with its unit; a stop that turns bears moments.
fn blow(i: &RunImpact) -> String {
    let unit = if i.impulse.is_some() { i.units.impulse } else { i.units.force };
    four_of(&prefixed(i.size(), unit))
}

/// A number with its unit, in four digits.
fn four_of(text: &str) -> String {
    let parts = text.split_once(' ').and_then(|(x, unit)| Some((x.parse::<f64>().ok()?, unit)));
    parts.map_or(text.to_owned(), |(x, unit)| {
        let x: f64 = format!("{x:.3e}").parse().unwrap_or(x);
        format!("{} {unit}", six(x))
    })
}

/// Who hits whom in an impact.
fn pair_of(model: &Model, i: &RunImpact) -> (String, String) {
    let name = i.contacts.first();
    let contact = model.contacts.iter().position(|c| Some(&c.name) == name);
    contact.map_or_else(|| (String::new(), String::new()), |k| pair(model, k))
}

/// Question and answer.
pub(super) fn lead(model: &Model, answer: &RunAnswer) -> (String, String) {
    let Some((run, i)) = answer.hardest() else { return nothing(model, answer) };
    let (striker, struck) = pair_of(model, i);
    let question = format!("How hard does {striker} hit {struck}?");
    let (n, place, time) = (run.impacts.len(), i.name(), three(i.onset));
    let at = format!("{} {}", three(i.approach_speed), i.units.velocity);
    let mass = i.effective_mass.map_or_else(
        || {
            format!(
                "at {} points with {} of impact energy",
                i.count,
                four_of(&prefixed(i.impact_energy, "J"))
            )
        },
        |mass| format!("like {} {} at {at}", three(mass), i.units.mass),
    );
    let which = if n == 1 {
        "the only impact".to_owned()
    } else {
        format!("impact {} of {n}, the hardest", i.impact)
    };
    let text = if answer.runs.len() > 1 {
        let (low, high) = answer.hardest_range().unwrap_or_default();
        format!(
            "Between {} and {}, depending on which of {} contact laws one believes; hardest by `{}` at t = {time} s, \
             contact `{place}`, {mass}.",
            four_of(&prefixed(low, i.units.force)),
            four_of(&prefixed(high, i.units.force)),
            answer.runs.len(),
            run.law.as_deref().unwrap_or_default()
        )
    } else {
        let with = if i.impulse.is_some() { format!("an impulse of {}", blow(i)) } else { blow(i) };
        format!("With {with}, {mass}: {which}, at t = {time} s (contact `{place}`).")
    };
    (question, text)
}

/// How near anything came.
fn nearest(answer: &RunAnswer) -> Option<&Caution> {
    answer.cautions.iter().find(|c| c.code == CautionCode::NoImpact)
}

/// Nothing strikes.
fn nothing(model: &Model, answer: &RunAnswer) -> (String, String) {
    let end = answer.runs.first().map_or(0.0, |run| run.state.t);
    let question =
        if model.contacts.is_empty() { "How does it move?" } else { "Does anything hit?" };
    let text = match (answer.strongest_stay(), nearest(answer)) {
        _ if model.contacts.is_empty() => {
            format!("There is no contact; it moves for {} s.", six(end))
        }
        (Some(stay), _) => format!(
            "No impact within {} s; contact `{}` bears up to {}.",
            six(end),
            stay.name,
            prefixed(stay.peak_force, stay.units.force)
        ),
        (None, Some(caution)) => format!("No: {}.", caution.message),
        (None, None) => format!("Nothing touches within {} s.", six(end)),
    };
    (question.to_owned(), text)
}

pub(super) fn numbers(model: &Model, answer: &RunAnswer) -> Vec<KeyNumber> {
    let Some((run, i)) = answer.hardest() else { return quiet(answer) };
    let law = run.law.as_ref().map_or_else(String::new, |law| format!(", law `{law}`"));
    let what = if run.by_impulse() { "largest impulse" } else { "largest peak force" };
    let number =
        format!("impact {} of {}, contact `{}`{law}", i.impact, run.impacts.len(), i.name());
    let greatest = run.greatest_impact_energy();
    let energy = if greatest > i.impact_energy {
        format!("of that impact; the greatest of all is {}", four_of(&prefixed(greatest, "J")))
    } else {
        let share = |x| format!("{} of the kinetic energy", percent(x));
        i.energy_share.map_or_else(String::new, share)
    };
    let (striker, struck) = pair_of(model, i);
    let place = format!("{striker} against {struck}");
    let when = match i.duration {
        Some(d) if !run.by_impulse() => format!("lasts {}; {place}", four_of(&prefixed(d, "s"))),
        _ => place,
    };
    vec![
        key(what, blow(i), number),
        key("impact energy T_c", four_of(&prefixed(i.impact_energy, "J")), energy),
        key("when", format!("{} s", six(i.onset)), when),
        restitution(i),
    ]
}

/// What came back, beside what was asked for; of several points the energy lost.
fn restitution(i: &RunImpact) -> KeyNumber {
    if i.count > 1 {
        let note = format!("of {} points together", i.count);
        return key("energy lost", four_of(&prefixed(i.energy_lost, "J")), note);
    }
    let delivered = i.restitution.map_or_else(|| "–".to_owned(), |e| format!("{e:.4}"));
    let beside = match (i.restitution_asked, i.restitution) {
        (Some(asked), Some(_)) => format!("asked for {}", six(asked)),
        (None, _) => "none was asked for".to_owned(),
        (Some(asked), None) => format!("asked for {}; still touches", six(asked)),
    };
    key("restitution delivered", delivered, beside)
}

/// Of runs without impacts.
fn quiet(answer: &RunAnswer) -> Vec<KeyNumber> {
    let Some(run) = answer.runs.first() else { return Vec::new() };
    let mut all = vec![key("impacts", "none", format!("within {} s", six(run.state.t)))];
    if let Some(gap) = &run.least_gap {
        let note = format!("contact `{}` at t = {} s", gap.name, six(gap.t));
        all.push(key("least gap", four_of(&prefixed(gap.gap, gap.units.gap)), note));
    }
    if let Some(stay) = answer.strongest_stay() {
        all.push(key(
            "greatest force of a contact that stays",
            four_of(&prefixed(stay.peak_force, stay.units.force)),
            format!("at t = {} s", six(stay.time_of_peak)),
        ));
    }
    if let Some(end) = &run.ledger.end {
        all.push(key("kinetic energy at the end", four_of(&prefixed(end.kinetic, "J")), ""));
    }
    all
}
