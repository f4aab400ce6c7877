//! The page of a run, or of runs under several laws.

mod answer;
mod method;

use carom::model::Model;
use carom::report::motion::RunData;
use carom::report::{Block, Page, Section, Table, Widget, scene};
use serde_json::{Value, json};

use super::{origin, section, title, warnings};
use crate::commands::run::{Ran, Report};
use crate::number::{six, spot_name, ten};
use crate::table::run::{compare, impacts, ledger_grid, loads, stays, user_events};

/// Rows of a table of a page; what is left out is counted, and stands in the CSV.
const MOST_ROWS: usize = 400;
/// A speed, a restitution, an energy or an impulse below this, in SI units, is round-off.
const ROUND_OFF: f64 = 1e-13;

/// The text of the page.
pub(crate) fn html(report: &Report<'_>) -> Result<String, String> {
    let model = report.opened.model();
    let data =
        report.runs.iter().map(|ran| series(model, ran)).collect::<Result<Vec<Value>, String>>()?;
    let (question, answer) = answer::lead(model, &report.runs);
    let found: Vec<String> =
        stops(report).into_iter().chain(warnings(report.opened, &report.warnings)).collect();
    let page = Page {
        title: title(report.opened),
        kind: "run",
        question,
        answer,
        numbers: answer::numbers(model, &report.runs),
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
    out.push(section("method", "How it was computed", method::method(model, runs)));
    let inputs = match runs.as_slice() {
        [ran] => ran.inputs.clone(),
        several => {
            let one = |ran: &Ran| format!("{} ({})", ran.inputs, ran.law.as_deref().unwrap_or("–"));
            several.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    };
    out.push(origin(report.opened, report.sets, Some(inputs)));
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
                impacts::forces(model, ran, MOST_ROWS)
                    .sheet("forces and times of the impacts", &[]),
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
                blocks.push(Block::Fold { title: format!("Impacts under `{law}`"), blocks: all });
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
                "0".clone_into(&mut cell.text);
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
