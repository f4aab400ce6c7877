//! Events of the file.

use carom::Model;
use carom::answer::{RunEvent, RunResult};

use super::{MOST_ROWS, left_out};
use crate::number::ten;
use crate::table::Grid;

/// Events of the file among all events.
pub(crate) fn own(run: &RunResult) -> impl Iterator<Item = &RunEvent> {
    run.events.iter().filter(|e| e.event.is_some())
}

/// The table.
pub(super) fn text(model: &Model, run: &RunResult) -> String {
    if model.events.is_empty() {
        return String::new();
    }
    let count = own(run).count();
    if count == 0 {
        return "\nno event\n".to_owned();
    }
    format!("\n{}{}", grid(run, MOST_ROWS).text(2), left_out(count))
}

/// So many of them.
pub(crate) fn grid(run: &RunResult, most: usize) -> Grid {
    let mut grid = Grid::new(&["event", "t [s]", ""]);
    for event in own(run).take(most) {
        let name = event.event.clone().unwrap_or_default();
        grid.row(vec![name, ten(event.t), event.kind.clone()]);
    }
    grid
}

/// The event that ended the run.
pub(super) fn end(run: &RunResult) -> String {
    let Some(event) = &run.ended_by else { return String::new() };
    format!("\n  ended at t = {} s by events.{event}\n", ten(run.state.t))
}
