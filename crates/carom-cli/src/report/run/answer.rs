//! The question of a run, and its answer: the hardest impact.

use carom::model::{ContactGeometry, Model};
use carom::report::KeyNumber;
use carom::simulate::ImpactRecord;

use super::super::{key, pair};
use crate::commands::run::Ran;
use crate::number::{percent, prefixed, six, spot_name, three};
use crate::table::run::impacts;

/// How hard an impact is: its peak force, or its impulse.
fn size(i: &ImpactRecord) -> f64 {
    i.peak_force.or(i.impulse).unwrap_or(0.0)
}

/// The hardest impact of a run, and its number from 0.
fn hardest(ran: &Ran) -> Option<(usize, &ImpactRecord)> {
    let all = ran.outcome.impacts.iter().enumerate();
    all.reduce(|best, next| if size(next.1) > size(best.1) { next } else { best })
}

/// The hardest impact of all runs, with its run and its number from 0.
fn hardest_of_all(runs: &[Ran]) -> Option<(&Ran, usize, &ImpactRecord)> {
    let all = runs.iter().filter_map(|ran| hardest(ran).map(|(k, i)| (ran, k, i)));
    all.reduce(|best, next| if size(next.2) > size(best.2) { next } else { best })
}

/// Whether an impact is one of rotation: at a stop of a joint that turns.
fn turns(model: &Model, i: &ImpactRecord) -> bool {
    matches!(model.contacts[i.spot.contact].geometry, ContactGeometry::Stop(stop) if stop.angular)
}

/// The peak force or the impulse with its unit; a stop that turns bears moments.
fn blow(model: &Model, ran: &Ran, i: &ImpactRecord) -> String {
    let angular = turns(model, i);
    let unit = if angular { "N m" } else { "N" };
    if ran.by_impulse() { format!("{} {unit} s", six(size(i))) } else { prefixed(size(i), unit) }
}

/// A number with its unit, in three digits.
fn three_of(text: &str) -> String {
    let parts = text.split_once(' ').and_then(|(x, unit)| Some((x.parse::<f64>().ok()?, unit)));
    parts.map_or(text.to_owned(), |(x, unit)| format!("{} {unit}", three(x)))
}

/// Question and answer.
pub(super) fn lead(model: &Model, runs: &[Ran]) -> (String, String) {
    let Some((ran, k, i)) = hardest_of_all(runs) else { return nothing(model, runs) };
    let (striker, struck) = pair(model, i.spot.contact);
    let question = format!("How hard does {striker} hit {struck}?");
    let n = ran.outcome.impacts.len();
    let place = &model.contacts[i.spot.contact].name;
    let time = three(i.onset);
    let (kg, speed) = if turns(model, i) { ("kg m²", "rad/s") } else { ("kg", "m/s") };
    let (mass, approach) = (three(i.effective_mass), three(i.approach_speed));
    let mass = format!("like {mass} {kg} at {approach} {speed}");
    let which = if n == 1 {
        "the only impact".to_owned()
    } else {
        format!("impact {} of {n}, the hardest", k + 1)
    };
    let answer = if runs.len() > 1 {
        let each: Vec<f64> = runs.iter().filter_map(hardest).map(|(_, i)| size(i)).collect();
        let (low, high) =
            each.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        format!(
            "Between {} and {}, depending on which of {} contact laws one believes; hardest by `{}` at t = {time} s, \
             contact `{place}`, {mass}.",
            three_of(&prefixed(low, "N")),
            three_of(&prefixed(high, "N")),
            runs.len(),
            ran.law.as_deref().unwrap_or_default()
        )
    } else {
        let with = if ran.by_impulse() {
            format!("an impulse of {}", three_of(&blow(model, ran, i)))
        } else {
            three_of(&blow(model, ran, i))
        };
        format!("With {with}, {mass}: {which}, at t = {time} s (contact `{place}`).")
    };
    (question, answer)
}

/// Nothing strikes.
fn nothing(model: &Model, runs: &[Ran]) -> (String, String) {
    let end = runs.first().map_or(0.0, |ran| ran.outcome.state.t);
    let question =
        if model.contacts.is_empty() { "How does it move?" } else { "Does anything hit?" };
    let strongest = runs.iter().flat_map(|ran| &ran.outcome.stays);
    let strongest = strongest.reduce(|a, b| if b.peak_force > a.peak_force { b } else { a });
    let answer = match strongest {
        _ if model.contacts.is_empty() => {
            format!("There is no contact; it moves for {} s.", six(end))
        }
        None => format!("Nothing touches within {} s.", six(end)),
        Some(stay) => format!(
            "No impact within {} s; contact `{}` bears up to {}.",
            six(end),
            model.contacts[stay.spot.contact].name,
            prefixed(stay.peak_force, "N")
        ),
    };
    (question.to_owned(), answer)
}

pub(super) fn numbers(model: &Model, runs: &[Ran]) -> Vec<KeyNumber> {
    let Some((ran, k, i)) = hardest_of_all(runs) else { return quiet(runs) };
    let out = &ran.outcome;
    let spot = spot_name(model, &out.spots, i.spot);
    let law = ran.law.as_ref().map_or_else(String::new, |law| format!(", law `{law}`"));
    let what = if ran.by_impulse() { "largest impulse" } else { "largest peak force" };
    let number = format!("impact {} of {}, contact `{spot}`{law}", k + 1, out.impacts.len());
    let greatest = out.impacts.iter().map(|i| i.impact_energy).fold(0.0, f64::max);
    let kinetic = out.samples.iter().find(|s| s.state.t >= i.onset).map(|s| s.ledger.kinetic);
    let share = kinetic.filter(|t| *t > 0.0 && model.drives.is_empty());
    let share = share.map_or_else(String::new, |t| {
        format!("{} of the kinetic energy", percent(i.impact_energy / t))
    });
    let energy = if greatest > i.impact_energy * (1.0 + 1e-9) {
        format!("of that impact; the greatest of all is {}", prefixed(greatest, "J"))
    } else {
        share
    };
    let when = match i.duration() {
        Some(d) if !ran.by_impulse() => {
            format!("lasts {}; {}", prefixed(d, "s"), place_words(model, i))
        }
        _ => place_words(model, i),
    };
    let asked = impacts::asked(model, ran, i);
    let delivered = i.restitution().map_or_else(|| "–".to_owned(), |e| format!("{e:.4}"));
    let beside = match (asked, i.restitution()) {
        (Some(asked), Some(e)) => format!("asked for {}; {}", six(asked), off(e, asked)),
        (None, _) => "none was asked for".to_owned(),
        (Some(asked), None) => format!("asked for {}; still touches", six(asked)),
    };
    vec![
        key(what, blow(model, ran, i), number),
        key("impact energy T_c", prefixed(i.impact_energy, "J"), energy),
        key("when", format!("{} s", six(i.onset)), when),
        key("restitution delivered", delivered, beside),
    ]
}

/// How far delivered and asked restitution are apart.
fn off(e: f64, asked: f64) -> String {
    let gap = e - asked;
    if gap.abs() < 1e-3 {
        return "delivered as asked".to_owned();
    }
    format!("{} {}", three(gap.abs()), if gap > 0.0 { "too much" } else { "too little" })
}

fn place_words(model: &Model, i: &ImpactRecord) -> String {
    let (striker, struck) = pair(model, i.spot.contact);
    format!("{striker} against {struck}")
}

/// Of runs without impacts.
fn quiet(runs: &[Ran]) -> Vec<KeyNumber> {
    let Some(ran) = runs.first() else { return Vec::new() };
    let out = &ran.outcome;
    let mut all = vec![key("impacts", "none", format!("within {} s", six(out.state.t)))];
    if let Some(stay) =
        out.stays.iter().reduce(|a, b| if b.peak_force > a.peak_force { b } else { a })
    {
        all.push(key(
            "greatest force of a contact that stays",
            prefixed(stay.peak_force, "N"),
            format!("at t = {} s", six(stay.time_of_peak)),
        ));
    }
    if let Some(last) = out.samples.last() {
        all.push(key("kinetic energy at the end", prefixed(last.ledger.kinetic, "J"), ""));
    }
    all
}
