//! The page of a run, or of runs under several laws.

mod answer;
mod method;

use carom::answer::{Caution, RunAnswer, RunResult};
use carom::report::{Block, Page, Section, Table, Widget};
use carom::{Machine, Model, Runs};

use super::{origin, section, title, warnings};
use crate::table::run::{compare, impacts, ledger_grid, loads, stays, user_events};

/// Layout: rows of a table of a page; what is left out is counted, and stands in the CSV.
const MOST_ROWS: usize = 400;
/// Layout: so many impacts are open to the eye. A long series of bounces is folded: its rows look alike.
const OPEN_ROWS: usize = 20;

/// The text of the page; the command that made it is none of another front end.
pub(crate) fn html(
    machine: &Machine,
    runs: &Runs,
    command: Option<&str>,
) -> Result<String, String> {
    let (model, answer) = (machine.model(), &runs.answer);
    let data = machine.run_picture(runs).map_err(|error| error.to_string())?;
    let (question, lead) = answer::lead(model, answer);
    let cautions: Vec<String> = answer.cautions.iter().map(Caution::line).collect();
    let page = Page {
        title: title(&answer.head),
        kind: "run",
        question,
        answer: lead,
        numbers: answer::numbers(model, answer),
        warnings: warnings(&answer.head, &cautions),
        sections: sections(model, answer, command),
        data: Some(data),
    };
    Ok(page.html())
}

fn sections(model: &Model, answer: &RunAnswer, command: Option<&str>) -> Vec<Section> {
    let runs = &answer.runs;
    let mut out = vec![section("picture", "The motion", vec![Block::Widget(Widget::Picture)])];
    if runs.len() > 1 {
        out.push(laws(model, answer));
    }
    out.extend(struck(model, runs));
    out.push(section("time", "Over time", vec![Block::Widget(Widget::Plots)]));
    let drawn = runs.iter().any(|run| !run.by_impulse() && !run.impacts.is_empty());
    if drawn {
        let text = "What goes in on the way down and does not come back is the area of the loop: the energy lost.";
        let blocks = vec![Block::Text(text.to_owned()), Block::Widget(Widget::Loops)];
        out.push(section("loops", "Force over indentation", blocks));
    }
    out.extend(lasting(runs));
    out.push(energy(runs));
    out.push(section("method", "How it was computed", method::method(model, runs)));
    let inputs = match runs.as_slice() {
        [run] => run.inputs.clone(),
        several => {
            let one =
                |run: &RunResult| format!("{} ({})", run.inputs, run.law.as_deref().unwrap_or("–"));
            several.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    };
    out.push(origin(&answer.head, &inputs, command));
    out
}

/// The laws beside each other.
fn laws(model: &Model, answer: &RunAnswer) -> Section {
    let heads = compare::heads(answer).sheet("the laws", &[]);
    let mut blocks = vec![Block::Table(heads)];
    if !answer.comparison.is_empty() {
        let table =
            compare::grid(model, answer, MOST_ROWS).sheet("impact by impact under all laws", &[]);
        blocks.push(Block::Table(table));
        blocks.push(Block::Text(
            "Spread: (largest − smallest) / mean; of the onset in seconds.".to_owned(),
        ));
    }
    section("laws", "The laws beside each other", blocks)
}

/// Impacts: one table a run, rows that lead to the picture; the points of an impact unfold below.
fn struck(model: &Model, runs: &[RunResult]) -> Option<Section> {
    let mut blocks =
        vec![Block::Text("A row leads to its impact in the picture and in the plots.".to_owned())];
    for (r, run) in runs.iter().enumerate().filter(|(_, run)| !run.impacts.is_empty()) {
        let n = run.impacts.len();
        let grid = impacts::grid(model, run, MOST_ROWS, false);
        let mut all = led(grid.sheet("impacts", &[]), r);
        if let Some(points) = impacts::points(model, run, MOST_ROWS) {
            let table = points.sheet("points of the impacts", &[]);
            let several = "These points close together: each row above is their joint impact. T_c of a point is its share.";
            all.push(Block::Fold {
                title: "Point by point".to_owned(),
                blocks: vec![Block::Text(several.to_owned()), Block::Table(table)],
            });
        }
        if !run.by_impulse() {
            let grid = impacts::forces(run, MOST_ROWS);
            all.extend(led(grid.sheet("forces and times of the impacts", &[]), r));
        }
        if let Some(grid) = loads::grid(run, MOST_ROWS) {
            all.extend(led(grid.sheet("work of the contacts, loads of the joints", &[]), r));
        }
        if n > MOST_ROWS {
            all.push(Block::Text(format!(
                "{MOST_ROWS} of {n} impacts are listed; impacts.csv has all of them."
            )));
        }
        match &run.law {
            Some(law) if runs.len() > 1 => {
                blocks.push(Block::Fold { title: format!("Impacts under `{law}`"), blocks: all });
            }
            _ => blocks.extend(all),
        }
    }
    (blocks.len() > 1).then(|| section("impacts", "Impacts", blocks))
}

/// Every row leads to its impact; what follows the first rows is folded.
fn led(mut table: Table, run: usize) -> Vec<Block> {
    for (k, row) in table.rows.iter_mut().enumerate() {
        row.impact = Some((run, k));
    }
    if table.rows.len() <= OPEN_ROWS {
        return vec![Block::Table(table)];
    }
    let total = table.rows.len();
    let rows = table.rows.split_off(OPEN_ROWS);
    let title = format!("Impacts {} to {total}", OPEN_ROWS + 1);
    let rest = Table { rows, ..table.clone() };
    vec![Block::Table(table), Block::Fold { title, blocks: vec![Block::Table(rest)] }]
}

/// Contacts that stay, and events of the file.
fn lasting(runs: &[RunResult]) -> Vec<Section> {
    let mut out = Vec::new();
    let staying = runs.iter().filter(|run| !run.stays.is_empty());
    let blocks: Vec<Block> = staying
        .map(|run| Block::Table(stays::grid(run, MOST_ROWS).sheet("contacts that stay", &[])))
        .collect();
    if !blocks.is_empty() {
        out.push(section("stays", "Contacts that stay", blocks));
    }
    let crossed = runs.iter().filter(|run| user_events::own(run).next().is_some());
    let blocks: Vec<Block> = crossed
        .map(|run| Block::Table(user_events::grid(run, MOST_ROWS).sheet("events of the file", &[])))
        .collect();
    if !blocks.is_empty() {
        out.push(section("events", "Events of the file", blocks));
    }
    out
}

fn energy(runs: &[RunResult]) -> Section {
    let mut blocks = vec![Block::Text(
        "What is there and what was lost, less what was given, has to stay constant; the drift says how exactly it did.".to_owned(),
    )];
    for run in runs {
        let Some(grid) = ledger_grid(run) else { continue };
        if let (Some(law), true) = (&run.law, runs.len() > 1) {
            blocks.push(Block::Text(format!("Under `{law}`:")));
        }
        blocks.push(Block::Table(grid.sheet("the energy ledger", &[])));
    }
    section("energy", "Where the energy went", blocks)
}
