//! Contacts that stay: from when to when, and with which force.

use carom::answer::RunResult;

use super::{MOST_ROWS, left_out};
use crate::number::{prefixed, ten};
use crate::table::Grid;

/// The table.
pub(super) fn text(run: &RunResult) -> String {
    if run.stays.is_empty() {
        return String::new();
    }
    let grid = grid(run, MOST_ROWS);
    format!("\ncontacts that stay\n{}{}", grid.text(2), left_out(run.stays.len()))
}

/// So many of them.
pub(crate) fn grid(run: &RunResult, most: usize) -> Grid {
    let mut grid =
        Grid::new(&["contact", "from [s]", "to [s]", "F_N at onset", "greatest F_N", "at [s]", ""]);
    for stay in run.stays.iter().take(most) {
        let bounces = stay.accumulation.map(|t| format!("its bounces would end at {} s", ten(t)));
        let shared = (!stay.unique).then(|| "not unique: one of many".to_owned());
        let notes: Vec<String> = shared.into_iter().chain(bounces).collect();
        grid.row(vec![
            stay.name.clone(),
            ten(stay.from),
            stay.to.map_or_else(|| "still stays".to_owned(), ten),
            prefixed(stay.first_force, stay.units.force),
            prefixed(stay.peak_force, stay.units.force),
            ten(stay.time_of_peak),
            notes.join("; "),
        ]);
    }
    grid
}
