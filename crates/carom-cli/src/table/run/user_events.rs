//! Events of the user.

use carom::model::Model;
use carom::simulate::Outcome;

use super::{MOST_ROWS, left_out};
use crate::commands::run::Ran;
use crate::number::ten;
use crate::table::Grid;

/// The table.
pub(super) fn text(model: &Model, out: &Outcome) -> String {
    if model.events.is_empty() {
        return String::new();
    }
    if out.user_events.is_empty() {
        return "\nno event\n".to_owned();
    }
    let grid = grid(model, out, MOST_ROWS);
    format!("\n{}{}", grid.text(2), left_out(out.user_events.len()))
}

/// So many of them.
pub(crate) fn grid(model: &Model, out: &Outcome, most: usize) -> Grid {
    let mut grid = Grid::new(&["event", "t [s]", ""]);
    for record in out.user_events.iter().take(most) {
        let name = model.events.get(record.event).map_or("", |e| &e.name);
        let way = if record.rises { "rises" } else { "falls" };
        grid.row(vec![name.to_owned(), ten(record.t), way.to_owned()]);
    }
    grid
}

/// The event that ended the run.
pub(super) fn end(model: &Model, ran: &Ran) -> String {
    let Some(event) = ran.outcome.ended_by.and_then(|k| model.events.get(k)) else {
        return String::new();
    };
    format!("\n  ended at t = {} s by events.{}\n", ten(ran.outcome.state.t), event.name)
}
