//! Runs under several laws beside each other.

use carom::model::Model;
use carom::simulate::ImpactRecord;

use super::{Energies, MOST_ROWS, left_out, relative_drift};
use crate::commands::run::Ran;
use crate::number::{headed, percent, prefixed, six, ten, three};
use crate::table::Grid;

/// How far the laws are apart in one number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// Largest less smallest.
    pub width: f64,
    /// By their mean.
    pub relative: f64,
}

/// One impact under all laws.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// From 1.
    pub number: usize,
    /// The laws under which there is an impact of this number.
    pub laws: Vec<String>,
    pub onset: Option<Spread>,
    pub peak_force: Option<Spread>,
    pub duration: Option<Spread>,
    pub separation_speed: Option<Spread>,
}

/// Impact by impact; nothing for one run.
pub(crate) fn of(runs: &[Ran]) -> Vec<Row> {
    if runs.len() < 2 {
        return Vec::new();
    }
    let most = runs.iter().map(|r| r.outcome.impacts.len()).max().unwrap_or(0);
    (0..most)
        .map(|k| {
            let there = || runs.iter().filter_map(move |r| Some((r, r.outcome.impacts.get(k)?)));
            let over = |of: &dyn Fn(&ImpactRecord) -> Option<f64>| {
                spread(&there().filter_map(|(_, i)| of(i)).collect::<Vec<_>>())
            };
            Row {
                number: k + 1,
                laws: there().map(|(r, _)| r.law.clone().unwrap_or_default()).collect(),
                onset: over(&|i| Some(i.onset)),
                peak_force: over(&|i| i.peak_force),
                duration: over(&ImpactRecord::duration),
                separation_speed: over(&|i| i.separation_speed),
            }
        })
        .collect()
}

/// Of two numbers or more.
fn spread(x: &[f64]) -> Option<Spread> {
    if x.len() < 2 {
        return None;
    }
    let low = x.iter().copied().fold(f64::INFINITY, f64::min);
    let width = x.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let relative = if width == 0.0 { 0.0 } else { width / mean.abs() };
    Some(Spread { width, relative })
}

/// The tables.
pub(super) fn text(model: &Model, runs: &[Ran]) -> String {
    let (heads, rows) = (heads(model, runs), of(runs));
    if rows.is_empty() {
        return format!("\n{}\nno impact\n", heads.text(2));
    }
    let grid = grid(model, runs, MOST_ROWS);
    let mut text = format!("\n{}\n{}{}", heads.text(2), grid.text(2), left_out(rows.len()));
    text += "\n  spread: largest less smallest, by the mean; of the onset in seconds\n";
    text
}

/// One line a law.
pub(crate) fn heads(model: &Model, runs: &[Ran]) -> Grid {
    let mut heads =
        Grid::new(&["law", "impacts", "lost in contacts [J]", "drift by energy", "steps", ""]);
    for ran in runs {
        let energies = Energies::of(&ran.outcome);
        let ended = super::user_events::end(model, ran).trim().to_owned();
        let stopped = ran.stopped.as_ref().map_or(ended, |reason| {
            let first = reason.lines().next().unwrap_or_default();
            format!("stopped at t = {} s: {first}", ten(ran.outcome.state.t))
        });
        heads.row(vec![
            ran.law.clone().unwrap_or_default(),
            ran.outcome.impacts.len().to_string(),
            energies.end.map_or_else(String::new, |l| six(l.contact_loss)),
            three(relative_drift(&ran.outcome, energies.largest)),
            ran.outcome.counts.steps.to_string(),
            stopped,
        ]);
    }
    heads
}

/// So many impacts under all laws.
pub(crate) fn grid(model: &Model, runs: &[Ran], most: usize) -> Grid {
    let rows = of(runs);
    let mut grid = Grid::new(&[
        "impact",
        "law",
        "contact",
        "onset [s]",
        "peak force",
        "duration",
        &headed(model, "separation", |u| u.velocity),
        "e",
    ]);
    for row in rows.iter().take(most) {
        let mut number = row.number.to_string();
        for ran in runs {
            let Some(i) = ran.outcome.impacts.get(row.number - 1) else { continue };
            grid.row(vec![
                std::mem::take(&mut number),
                ran.law.clone().unwrap_or_default(),
                model.contacts[i.spot.contact].name.clone(),
                ten(i.onset),
                i.peak_force.map_or_else(String::new, |force| {
                    prefixed(force, model.contacts[i.spot.contact].units().force)
                }),
                i.duration().map_or_else(|| "still touches".to_owned(), |t| prefixed(t, "s")),
                i.separation_speed.map_or_else(String::new, six),
                i.restitution().map_or_else(String::new, six),
            ]);
        }
        let part = |x: Option<Spread>| x.map_or_else(String::new, |x| percent(x.relative));
        grid.row(vec![
            String::new(),
            "spread".to_owned(),
            String::new(),
            row.onset.map_or_else(String::new, |x| prefixed(x.width, "s")),
            part(row.peak_force),
            part(row.duration),
            part(row.separation_speed),
            String::new(),
        ]);
    }
    grid
}
