//! Runs as tables.

pub(crate) mod compare;
pub(crate) mod impacts;
pub(crate) mod loads;
pub(crate) mod stays;
pub(crate) mod user_events;

use std::fmt::Write as _;

use carom::model::{ContactTreatment, Model};
use carom::simulate::{Ledger, Outcome};

use super::Grid;
use crate::commands::run::{Ran, Report};
use crate::number::{count, plain, prefixed, six, ten, three, with_unit};

/// Rows of a table that may become long; what is left out is counted.
pub(crate) const MOST_ROWS: usize = 40;

/// An energy below this part of V is the round-off of a machine at rest.
const AT_REST: f64 = 1e-12;

/// The energies of a run.
pub(crate) struct Energies {
    /// At the first moment.
    pub begin: Option<Ledger>,
    /// At the last.
    pub end: Option<Ledger>,
    /// The largest T + V + elastic energy \[J\], V from its least value; where nothing moves, V itself.
    pub largest: f64,
}

impl Energies {
    pub(crate) fn of(out: &Outcome) -> Self {
        let ledgers = || out.samples.iter().map(|s| &s.ledger);
        let least = ledgers().map(|l| l.potential).fold(f64::INFINITY, f64::min);
        let energy = |l: &Ledger| l.kinetic + (l.potential - least) + l.contact_elastic;
        let largest = ledgers().map(energy).fold(0.0, f64::max);
        let held = ledgers().map(|l| l.potential.abs()).fold(0.0, f64::max);
        Self {
            begin: ledgers().next().copied(),
            end: ledgers().next_back().copied(),
            largest: if largest > AT_REST * held { largest } else { held },
        }
    }
}

/// The whole text.
pub(crate) fn text(report: &Report<'_>) -> String {
    let model = report.opened.model();
    let title = if model.title.is_empty() { "(no title)" } else { &model.title };
    let mut out = format!("{title}\n{}", report.opened.loaded.source.name());
    match report.runs.as_slice() {
        [] => out.push('\n'),
        [ran] => {
            let _ = writeln!(out, ": {}", asked(model, ran));
            out += &stop(ran);
            out += &user_events::end(model, ran);
            out += &impacts::text(model, ran);
            out += &stays::text(model, &ran.outcome);
            out += &user_events::text(model, &ran.outcome);
            out += &ledger(&ran.outcome);
            out += &counts(&ran.outcome);
        }
        runs => {
            let _ = writeln!(out, ": {} laws", runs.len());
            out += &compare::text(model, runs);
        }
    }
    plain(&out)
}

/// `8 s by force laws (flores), tolerance 1e-9`.
pub(crate) fn asked(model: &Model, ran: &Ran) -> String {
    let mut laws: Vec<&str> = Vec::new();
    for law in ran.scenario.contacts.iter().filter_map(|c| c.law.as_ref()) {
        if !laws.contains(&law.name()) {
            laws.push(law.name());
        }
    }
    let how = match ran.scenario.treatment {
        _ if model.contacts.is_empty() => "without contacts".to_owned(),
        ContactTreatment::Continuous => format!("contact by force law ({})", laws.join(", ")),
        ContactTreatment::Piecewise => "contact by impulse".to_owned(),
    };
    let scenario = &ran.scenario;
    format!("{} s, {how}, tolerance {}", six(scenario.until), six(scenario.tolerance))
}

fn stop(ran: &Ran) -> String {
    let Some(reason) = &ran.stopped else { return String::new() };
    let t = ten(ran.outcome.state.t);
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

fn ledger(out: &Outcome) -> String {
    ledger_grid(out).map_or_else(String::new, |grid| format!("\n{}", grid.text(2)))
}

/// Where the energy was and went; none of a run without moments.
pub(crate) fn ledger_grid(out: &Outcome) -> Option<Grid> {
    let energies = Energies::of(out);
    let (Some(begin), Some(end)) = (energies.begin, energies.end) else { return None };
    let mut grid = Grid::new(&["energy [J]", "begin", "end", ""]);
    let lines = Ledger::NAMES.iter().zip(begin.lines().into_iter().zip(end.lines()));
    for (name, (begin, end)) in lines {
        // What does not occur is not shown; T and V always are.
        if begin == 0.0 && end == 0.0 && !["kinetic", "potential"].contains(name) {
            continue;
        }
        let (words, note) = words(name);
        grid.row(vec![words, six(begin), six(end), note.to_owned()]);
    }
    let balance = [begin.balance(), end.balance()].map(six);
    let [begin, end] = balance;
    grid.row(vec!["balance".to_owned(), begin, end, drift(out, energies.largest)]);
    Some(grid)
}

/// How well the ledger balances.
fn drift(out: &Outcome, largest: f64) -> String {
    let part = three(relative_drift(out, largest));
    format!("drift {}: {part} of the largest energy", prefixed(out.drift, "J"))
}

/// The drift in parts of the largest energy; nothing moves where there is none.
fn relative_drift(out: &Outcome, largest: f64) -> f64 {
    if largest > 0.0 { out.drift / largest } else { 0.0 }
}

fn counts(out: &Outcome) -> String {
    format!("\n  {}\n", effort(out))
}

/// What a run took.
pub(crate) fn effort(out: &Outcome) -> String {
    let counts = &out.counts;
    let mut text = format!(
        "{} ({} rejected), {}, {}",
        count(counts.steps, "step", "steps"),
        counts.rejected,
        count(counts.evaluations, "right-hand side", "right-hand sides"),
        count(counts.observations, "observation", "observations"),
    );
    if out.closure_gap > 0.0 {
        let _ = write!(text, "; closures within {}", with_unit(out.closure_gap, "m or rad"));
    }
    text
}
