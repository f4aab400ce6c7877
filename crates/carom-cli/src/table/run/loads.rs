//! What impacts did beside: their work, and the joints that had to bear most.

use carom::answer::{JointLoad, RunResult};

use super::{MOST_ROWS, left_out};
use crate::number::{prefixed, six};
use crate::table::Grid;

/// The table.
pub(super) fn text(run: &RunResult) -> String {
    let grid = grid(run, MOST_ROWS);
    let more = || left_out(run.impacts.len());
    grid.map_or_else(String::new, |grid| format!("\n{}{}", grid.text(2), more()))
}

/// Of so many impacts; none where nothing is to be told.
pub(crate) fn grid(run: &RunResult, most_rows: usize) -> Option<Grid> {
    let impulses = run.by_impulse();
    let (word, turn, s) = if impulses { ("impulse", " impulse", " s") } else { ("force", "", "") };
    let works = if impulses {
        ["", "", ""]
    } else {
        ["compression work [J]", "compression work / T_c", "given back [J]"]
    };
    let [force, moment] =
        [format!("greatest joint {word}"), format!("greatest joint moment{turn}")];
    let after = if impulses { "" } else { "after" };
    let heading =
        ["impact", works[0], works[1], works[2], &force, "of", after, &moment, "of", after];
    let mut rows: Vec<Vec<String>> = Vec::new();
    for i in run.impacts.iter().take(most_rows) {
        let mut cells = vec![i.impact.to_string()];
        cells.push(i.compression_work.map_or_else(String::new, six));
        cells.push(i.compression_share.map_or_else(String::new, six));
        let back = i.restitution_work.map_or_else(|| "–".to_owned(), six);
        cells.push(if impulses { String::new() } else { back });
        let after = |t: f64| if impulses { String::new() } else { prefixed(t - i.onset, "s") };
        cells.extend(i.greatest_force().map_or([const { String::new() }; 3], |p| {
            let value = prefixed(p.magnitude, &format!("N{s}"));
            [value, marked(p), after(p.time)]
        }));
        cells.extend(i.greatest_moment().map_or([const { String::new() }; 3], |p| {
            let value = prefixed(p.moment_magnitude, &format!("N m{s}"));
            [value, marked(p), after(p.moment_time)]
        }));
        rows.push(cells);
    }
    // A column in which nothing stands has no heading either.
    let told = |k: usize| rows.iter().any(|cells| !cells[k].is_empty());
    if !(1..heading.len()).any(told) {
        return None;
    }
    let heading: Vec<&str> =
        heading.iter().enumerate().map(|(k, h)| if told(k) { *h } else { "" }).collect();
    let mut grid = Grid::new(&heading);
    for cells in rows {
        grid.row(cells);
    }
    Some(grid)
}

fn marked(load: &JointLoad) -> String {
    if load.unique { load.of.clone() } else { format!("{} (not unique)", load.of) }
}
