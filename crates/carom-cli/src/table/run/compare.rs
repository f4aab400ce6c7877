//! Runs under several laws beside each other.

use carom::Model;
use carom::answer::{RunAnswer, Spread};

use super::{MOST_ROWS, left_out};
use crate::number::{headed, percent, prefixed, six, ten, three};
use crate::table::Grid;

/// The tables.
pub(super) fn text(model: &Model, answer: &RunAnswer) -> String {
    let heads = heads(answer).text(2);
    let rows = answer.comparison.len();
    if rows == 0 {
        return format!("\n{heads}");
    }
    let grid = grid(model, answer, MOST_ROWS);
    let mut text = format!("\n{heads}\n{}{}", grid.text(2), left_out(rows));
    text += "\n  spread: (largest − smallest) / mean; of the onset in seconds\n";
    text
}

/// One line a law.
pub(crate) fn heads(answer: &RunAnswer) -> Grid {
    let mut heads =
        Grid::new(&["law", "impacts", "lost in contacts [J]", "drift / energy", "steps", ""]);
    for run in &answer.runs {
        let ended = super::user_events::end(run).trim().to_owned();
        let stopped = run.stopped.as_ref().map_or(ended, |reason| {
            let first = reason.lines().next().unwrap_or_default();
            format!("stopped at t = {} s: {first}", ten(run.state.t))
        });
        heads.row(vec![
            run.law.clone().unwrap_or_default(),
            run.impacts.len().to_string(),
            run.ledger.end.map_or_else(String::new, |l| six(l.contact_loss)),
            three(run.ledger.relative_drift),
            run.counts.steps.to_string(),
            stopped,
        ]);
    }
    heads
}

/// So many impacts under all laws.
pub(crate) fn grid(model: &Model, answer: &RunAnswer, most: usize) -> Grid {
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
    for row in answer.comparison.iter().take(most) {
        let mut number = row.impact.to_string();
        for run in &answer.runs {
            let Some(i) = run.impacts.get(row.impact - 1) else { continue };
            grid.row(vec![
                std::mem::take(&mut number),
                run.law.clone().unwrap_or_default(),
                i.name(),
                ten(i.onset),
                i.peak_force.map_or_else(String::new, |force| prefixed(force, i.units.force)),
                i.duration.map_or_else(|| "still touches".to_owned(), |t| prefixed(t, "s")),
                i.separation_speed.map_or_else(String::new, six),
                i.restitution.map_or_else(String::new, six),
            ]);
        }
        let part = |x: Option<Spread>| x.map_or_else(String::new, |x| percent(x.relative));
        grid.row(vec![
            String::new(),
            "spread".to_owned(),
            String::new(),
            row.onset.map_or_else(String::new, |x| prefixed(x.spread, "s")),
            part(row.peak_force),
            part(row.duration),
            part(row.separation_speed),
            String::new(),
        ]);
    }
    grid
}
