//! Runs as tables.

pub(crate) mod compare;
pub(crate) mod impacts;
pub(crate) mod loads;
pub(crate) mod stays;
pub(crate) mod user_events;

use std::fmt::Write as _;

use carom::Model;
use carom::answer::{Caution, CautionCode, RunAnswer, RunResult};

use super::{Grid, page};
use crate::number::{count, prefixed, six, ten, three, with_unit};

/// Layout: rows of a table that may become long; what is left out is counted.
pub(crate) const MOST_ROWS: usize = 40;

/// The whole text.
pub(crate) fn text(model: &Model, answer: &RunAnswer) -> String {
    let title = if answer.head.title.is_empty() { "(no title)" } else { &answer.head.title };
    let mut out = format!("{title}\n{}", answer.head.file);
    match answer.runs.as_slice() {
        [] => out.push('\n'),
        [run] => {
            let _ = writeln!(out, ": {}", asked(run));
            out += &stop(run);
            out += &user_events::end(run);
            out += &none(model, answer);
            out += &impacts::text(model, run);
            out += &stays::text(run);
            out += &user_events::text(model, run);
            out += &ledger_grid(run).map_or_else(String::new, |grid| format!("\n{}", grid.text(2)));
            let _ = writeln!(out, "\n  {}", effort(run));
        }
        runs => {
            let _ = writeln!(out, ": {} laws", runs.len());
            out += &none(model, answer);
            out += &compare::text(model, answer);
        }
    }
    page(&out)
}

/// That nothing touched, and how near it came.
fn none(model: &Model, answer: &RunAnswer) -> String {
    let hit = answer.runs.iter().any(|run| !run.impacts.is_empty());
    if model.contacts.is_empty() || hit {
        return String::new();
    }
    if answer.runs.iter().any(|run| run.unbounded) {
        return "\nthe impact energy T_c is unbounded, and no impact is resolved\n".to_owned();
    }
    if answer.runs.iter().all(|run| run.stopped.is_some() && run.least_gap.is_none()) {
        return "\nno impact before it stopped\n".to_owned();
    }
    let nearest = |c: &&Caution| c.code == CautionCode::NoImpact;
    let told = answer.cautions.iter().find(nearest).map(|c| &c.message);
    told.map_or_else(|| "\nno impact\n".to_owned(), |text| format!("\nno impact: {text}\n"))
}

/// `8 s by force laws (flores), tolerance 1e-9`.
pub(crate) fn asked(run: &RunResult) -> String {
    let mut laws: Vec<&str> = Vec::new();
    for law in run.laws.values().flatten() {
        if !laws.contains(&law.as_str()) {
            laws.push(law);
        }
    }
    let how = if run.laws.is_empty() {
        "without contacts".to_owned()
    } else if run.by_impulse() {
        "contact by impulse".to_owned()
    } else {
        format!("contact by force law ({})", laws.join(", "))
    };
    format!("{} s, {how}, tolerance {}", six(run.until), six(run.tolerance))
}

fn stop(run: &RunResult) -> String {
    let Some(reason) = &run.stopped else { return String::new() };
    let t = ten(run.state.t);
    format!("\n  stopped at t = {t} s: {}\n  what follows is what was reached\n", reason.trim_end())
}

/// `… and 3 more`.
fn left_out(rows: usize) -> String {
    let more = rows.saturating_sub(MOST_ROWS);
    if more == 0 {
        String::new()
    } else {
        format!("  … and {more} more (--format json, -o DIR)\n")
    }
}

/// A line of the ledger as people call it.
fn words(name: &str) -> (String, &'static str) {
    let text = match name {
        "kinetic" => ("kinetic energy T", ""),
        "potential" => ("potential energy V", ""),
        "contact_elastic" => ("elastic energy of contacts", ""),
        "contact_loss" => ("lost in contacts", ""),
        "impulse_loss" => ("lost in impulses", ""),
        "friction_loss" => ("lost in friction", ""),
        "damper_loss" => ("lost in dampers", ""),
        "projection_loss" => ("taken by projections", ""),
        "load_work" => ("work of loads", "given"),
        "drive_work" => ("work of drives", "given"),
        other => return (other.replace('_', " "), ""),
    };
    (text.0.to_owned(), text.1)
}

/// Where the energy was and went; none of a run without moments.
pub(crate) fn ledger_grid(run: &RunResult) -> Option<Grid> {
    let ledger = &run.ledger;
    let (Some(begin), Some(end)) = (ledger.begin, ledger.end) else { return None };
    let mut grid = Grid::new(&["energy [J]", "begin", "end", ""]);
    for ((name, begin), (_, end)) in begin.lines().into_iter().zip(end.lines()) {
        // What does not occur is not shown; T, V and the balance always are.
        if begin == 0.0 && end == 0.0 && !["kinetic", "potential", "balance"].contains(&name) {
            continue;
        }
        let (words, note) = words(name);
        let note = if name == "balance" {
            let part = three(ledger.relative_drift);
            format!("drift {}: {part} of the largest energy", prefixed(ledger.drift, "J"))
        } else {
            note.to_owned()
        };
        grid.row(vec![words, six(begin), six(end), note]);
    }
    Some(grid)
}

/// What a run took.
pub(crate) fn effort(run: &RunResult) -> String {
    let counts = &run.counts;
    let mut text = format!(
        "{} ({} rejected), {}, {}",
        count(counts.steps, "step", "steps"),
        counts.rejected,
        count(counts.right_hand_sides, "right-hand side", "right-hand sides"),
        count(counts.observations, "observation", "observations"),
    );
    if run.closure_gap > 0.0 {
        let _ = write!(text, "; closures within {}", with_unit(run.closure_gap, "m or rad"));
    }
    text
}
