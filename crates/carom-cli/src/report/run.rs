//! The page of a run, or of runs under several laws.

use carom::contact::catalogue;
use carom::model::Model;
use carom::report::motion::RunData;
use carom::report::{Block, KeyNumber, Page, Section, Table, Widget, scene};
use carom::simulate::ImpactRecord;
use serde_json::{Value, json};

use super::{PAPERS, key, origin, pair, section, title, warnings};
use crate::commands::run::{Ran, Report};
use crate::number::{count, percent, prefixed, six, spot_name, ten, three};
use crate::table::run::{compare, effort, impacts, ledger_grid, loads, stays, user_events};

/// Rows of a table of a page; what is left out is counted, and stands in the CSV.
const MOST_ROWS: usize = 400;
/// A speed, a restitution, an energy or an impulse below this, in SI units, is round-off.
const ROUND_OFF: f64 = 1e-13;

/// The text of the page.
pub(crate) fn html(report: &Report<'_>) -> Result<String, String> {
    let model = report.opened.model();
    let data =
        report.runs.iter().map(|ran| series(model, ran)).collect::<Result<Vec<Value>, String>>()?;
    let (question, answer) = lead(model, &report.runs);
    let found: Vec<String> =
        stops(report).into_iter().chain(warnings(report.opened, &report.warnings)).collect();
    let page = Page {
        title: title(report.opened),
        kind: "run",
        question,
        answer,
        numbers: numbers(model, &report.runs),
        warnings: found,
        sections: sections(report),
        data: Some(json!({
            "scene": scene::scene(model, Some(&report.opened.loaded.description)),
            "runs": data,
        })),
    };
    Ok(page.html())
}

fn series(model: &Model, ran: &Ran) -> Result<Value, String> {
    let out = &ran.outcome;
    let data = RunData {
        model,
        outcome: out,
        name: ran.law.clone().unwrap_or_default(),
        spots: out.spots.iter().map(|spot| spot_name(model, &out.spots, *spot)).collect(),
        asked: out.impacts.iter().map(|i| impacts::asked(model, ran, i)).collect(),
        by_impulse: ran.by_impulse(),
    };
    data.value().map_err(|error| error.to_string())
}

/// Runs that did not come to their end.
fn stops(report: &Report<'_>) -> Vec<String> {
    let stopped = |ran: &Ran| {
        let reason = ran.stopped.as_ref()?;
        let law = ran.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
        let t = ten(ran.outcome.state.t);
        let reason = warnings(report.opened, std::slice::from_ref(reason)).concat();
        Some(format!("{law}stopped at t = {t} s of {} s: {reason}", six(ran.scenario.until)))
    };
    report.runs.iter().filter_map(stopped).collect()
}

/// How hard an impact is: its peak force, or its impulse.
fn size(i: &ImpactRecord) -> f64 {
    i.peak_force.or(i.impulse).unwrap_or(0.0)
}

/// The hardest impact of a run, and its number from 0.
fn hardest(ran: &Ran) -> Option<(usize, &ImpactRecord)> {
    let all = ran.outcome.impacts.iter().enumerate();
    all.reduce(|best, next| if size(next.1) > size(best.1) { next } else { best })
}

/// The peak force or the impulse with its unit; a stop that turns bears moments.
fn blow(model: &Model, ran: &Ran, i: &ImpactRecord) -> String {
    let angular = matches!(
        model.contacts[i.spot.contact].geometry,
        carom::model::ContactGeometry::Stop(stop) if stop.angular
    );
    let unit = if angular { "N m" } else { "N" };
    if ran.by_impulse() { format!("{} {unit} s", six(size(i))) } else { prefixed(size(i), unit) }
}

/// A number with its unit, in three digits.
fn three_of(text: String) -> String {
    let parts = text.split_once(' ').and_then(|(x, unit)| Some((x.parse::<f64>().ok()?, unit)));
    parts.map_or(text.clone(), |(x, unit)| format!("{} {unit}", three(x)))
}

/// Question and answer.
fn lead(model: &Model, runs: &[Ran]) -> (String, String) {
    let most = runs.iter().filter_map(|ran| Some((ran, hardest(ran)?)));
    let most = most.reduce(|a, b| if size(b.1.1) > size(a.1.1) { b } else { a });
    let Some((ran, (k, i))) = most else { return nothing(model, runs) };
    let (striker, struck) = pair(model, i.spot.contact);
    let question = format!("How hard does {striker} hit {struck}?");
    let n = ran.outcome.impacts.len();
    let place = &model.contacts[i.spot.contact].name;
    let time = three(i.onset);
    let mass = format!("like {} kg at {} m/s", three(i.effective_mass), three(i.approach_speed));
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
            three_of(prefixed(low, "N")),
            three_of(prefixed(high, "N")),
            runs.len(),
            ran.law.as_deref().unwrap_or_default()
        )
    } else {
        let with = if ran.by_impulse() {
            format!("an impulse of {}", three_of(blow(model, ran, i)))
        } else {
            three_of(blow(model, ran, i))
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

fn numbers(model: &Model, runs: &[Ran]) -> Vec<KeyNumber> {
    let most = runs.iter().filter_map(|ran| Some((ran, hardest(ran)?)));
    let most = most.reduce(|a, b| if size(b.1.1) > size(a.1.1) { b } else { a });
    let Some((ran, (k, i))) = most else { return quiet(runs) };
    let out = &ran.outcome;
    let spot = spot_name(model, &out.spots, i.spot);
    let law = ran.law.as_ref().map_or_else(String::new, |law| format!(", law `{law}`"));
    let what = if ran.by_impulse() { "largest impulse" } else { "largest peak force" };
    let number = format!("impact {} of {}, contact `{spot}`{law}", k + 1, out.impacts.len());
    let greatest = out.impacts.iter().map(|i| i.impact_energy).fold(0.0, f64::max);
    let kinetic = out.samples.iter().rev().find(|s| s.state.t <= i.onset).map(|s| s.ledger.kinetic);
    let share = kinetic.filter(|t| *t > 0.0 && model.drives.is_empty());
    let share = share.map_or_else(String::new, |t| {
        format!("{} of the kinetic energy", percent((i.impact_energy / t).min(1.0)))
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

fn sections(report: &Report<'_>) -> Vec<Section> {
    let model = report.opened.model();
    let runs = &report.runs;
    let mut out = vec![section("picture", "The motion", vec![Block::Widget(Widget::Picture)])];
    if runs.len() > 1 {
        out.push(laws(model, runs));
    }
    out.extend(struck(model, runs));
    out.push(section("time", "Over time", vec![Block::Widget(Widget::Plots)]));
    let drawn = runs.iter().any(|ran| !ran.by_impulse() && !ran.outcome.impacts.is_empty());
    if drawn {
        let text = "What goes in on the way down and does not come back is the area of the loop: the energy lost.";
        let blocks = vec![Block::Text(text.to_owned()), Block::Widget(Widget::Loops)];
        out.push(section("loops", "Force over indentation", blocks));
    }
    out.extend(lasting(model, runs));
    out.push(energy(runs));
    out.push(section("method", "How it was computed", method(model, runs)));
    let ran = runs.first();
    out.push(origin(report.opened, report.sets, ran.map(|ran| ran.inputs.clone())));
    out
}

/// The laws beside each other.
fn laws(model: &Model, runs: &[Ran]) -> Section {
    let heads = compare::heads(model, runs).sheet("the laws", &[]);
    let mut blocks = vec![Block::Table(heads)];
    if !compare::of(runs).is_empty() {
        let table =
            compare::grid(model, runs, MOST_ROWS).sheet("impact by impact under all laws", &[]);
        blocks.push(Block::Table(table));
        blocks.push(Block::Text(
            "Spread: the largest less the smallest, by the mean; of the onset in seconds."
                .to_owned(),
        ));
    }
    section("laws", "The laws beside each other", blocks)
}

/// Impacts: one table a run, rows that lead to the picture.
fn struck(model: &Model, runs: &[Ran]) -> Option<Section> {
    let mut blocks =
        vec![Block::Text("A row leads to its impact in the picture and in the plots.".to_owned())];
    for (r, ran) in runs.iter().enumerate().filter(|(_, ran)| !ran.outcome.impacts.is_empty()) {
        let n = ran.outcome.impacts.len();
        let mut all = vec![led(impacts::grid(model, ran, MOST_ROWS).sheet("impacts", &[]), r)];
        if !ran.by_impulse() {
            all.push(led(
                impacts::forces(ran, MOST_ROWS).sheet("forces and times of the impacts", &[]),
                r,
            ));
        }
        all.extend(
            loads::grid(model, ran, MOST_ROWS)
                .map(|grid| led(grid.sheet("work of the contacts, loads of the joints", &[]), r)),
        );
        if n > MOST_ROWS {
            all.push(Block::Text(format!(
                "{MOST_ROWS} of {n} impacts are listed; impacts.csv has all of them."
            )));
        }
        match &ran.law {
            Some(law) if runs.len() > 1 => {
                blocks.push(Block::Fold { title: format!("Impacts under `{law}`"), blocks: all })
            }
            _ => blocks.extend(all),
        }
    }
    (blocks.len() > 1).then(|| section("impacts", "Impacts", blocks))
}

/// Every row leads to its impact.
fn led(mut table: Table, run: usize) -> Block {
    for (k, row) in table.rows.iter_mut().enumerate() {
        row.impact = Some((run, k));
        for cell in &mut row.cells {
            if cell.text.parse::<f64>().is_ok_and(|x| x.abs() < ROUND_OFF) {
                cell.text = "0".to_owned();
            }
        }
    }
    Block::Table(table)
}

/// Contacts that stay, and events of the file.
fn lasting(model: &Model, runs: &[Ran]) -> Vec<Section> {
    let mut out = Vec::new();
    let stay = |ran: &Ran| {
        let found = &ran.outcome.stays;
        (!found.is_empty()).then(|| {
            Block::Table(
                stays::grid(model, &ran.outcome, MOST_ROWS).sheet("contacts that stay", &[]),
            )
        })
    };
    let blocks: Vec<Block> = runs.iter().filter_map(stay).collect();
    if !blocks.is_empty() {
        out.push(section("stays", "Contacts that stay", blocks));
    }
    let event = |ran: &Ran| {
        let found = &ran.outcome.user_events;
        (!found.is_empty()).then(|| {
            Block::Table(
                user_events::grid(model, &ran.outcome, MOST_ROWS).sheet("events of the file", &[]),
            )
        })
    };
    let blocks: Vec<Block> = runs.iter().filter_map(event).collect();
    if !blocks.is_empty() {
        out.push(section("events", "Events of the file", blocks));
    }
    out
}

fn energy(runs: &[Ran]) -> Section {
    let mut blocks = vec![Block::Text(
        "What is there and what was lost, less what was given, has to stay constant; the drift says how exactly it did.".to_owned(),
    )];
    for ran in runs {
        let Some(grid) = ledger_grid(&ran.outcome) else { continue };
        if let (Some(law), true) = (&ran.law, runs.len() > 1) {
            blocks.push(Block::Text(format!("Under `{law}`:")));
        }
        blocks.push(Block::Table(grid.sheet("the energy ledger", &[])));
    }
    section("energy", "Where the energy went", blocks)
}

fn method(model: &Model, runs: &[Ran]) -> Vec<Block> {
    let Some(ran) = runs.first() else { return Vec::new() };
    let mut how = vec![
        "Between events M v̇ + h = Dᵀλ + AᵀF is integrated by DOP853 (order 8), contacts that last by Radau IIA (order 5), \
         with the relative error of a step below the tolerance. Onsets, greatest indentations and partings are landed on with a \
         step; peak forces are searched between the steps."
            .to_owned(),
        "m_eff = 1 / (A Y Aᵀ) at the onset, with all joints and closures (000 eqs. 28 and 31); T_c = ½ m_eff u² is the part of \
         the kinetic energy that the impact can use (002 eqs. 16 and 17)."
            .to_owned(),
        "e is the speed of separation by the speed of approach (000 eq. 8); e* = √(T_c⁺/T_c⁻) (003).".to_owned(),
    ];
    how.extend(laws_told(model, runs));
    let mut assumed = vec![
        "Bodies are rigid and joints ideal; compliance in a drive or a link would lower the force."
            .to_owned(),
    ];
    if ran.by_impulse() {
        assumed.push(format!("An impact takes no time: velocities jump by the law `{}`. There is an impulse and no force.", ran.scenario.impact_law.name()));
    } else {
        assumed.push(
            "A contact law forgets an impact when the gap has opened: no permanent indentation."
                .to_owned(),
        );
    }
    let facts = vec![
        ("asked".to_owned(), super::super::table::run::asked(model, ran)),
        ("effort".to_owned(), effort(&ran.outcome)),
        ("bodies".to_owned(), count(model.bodies.len(), "body", "bodies")),
    ];
    vec![
        Block::List(how),
        Block::Text("Assumed:".to_owned()),
        Block::List(assumed),
        Block::Facts(facts),
        Block::Text(PAPERS.to_owned()),
    ]
}

/// The formulas of the laws used.
fn laws_told(model: &Model, runs: &[Ran]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for ran in runs {
        for (contact, plan) in model.contacts.iter().zip(&ran.scenario.contacts) {
            let Some(law) = &plan.law else { continue };
            let text = catalogue::find(law.name()).map_or_else(
                |_| format!("Contact `{}`: a law of the file.", contact.name),
                |entry| format!("Law `{}`: {} ({}).", entry.name, entry.formula, entry.source),
            );
            if !told.contains(&text) {
                told.push(text);
            }
        }
    }
    told
}
