//! Contacts that stay: from when to when, and with which force.

use carom::model::Model;
use carom::simulate::{EventKind, Outcome, Stay};

use super::{MOST_ROWS, impacts, left_out};
use crate::number::{prefixed, ten};
use crate::table::Grid;

/// The table.
pub(super) fn text(model: &Model, out: &Outcome) -> String {
    if out.stays.is_empty() {
        return String::new();
    }
    let grid = grid(model, out, MOST_ROWS);
    format!("\ncontacts that stay\n{}{}", grid.text(2), left_out(out.stays.len()))
}

/// So many of them.
pub(crate) fn grid(model: &Model, out: &Outcome, most: usize) -> Grid {
    let several = impacts::several_points(out);
    let mut grid = Grid::new(&[
        "contact",
        if several { "point" } else { "" },
        "from [s]",
        "to [s]",
        "F_N at onset",
        "greatest F_N",
        "at [s]",
        "",
    ]);
    for stay in out.stays.iter().take(most) {
        let point = if several { stay.spot.point.to_string() } else { String::new() };
        grid.row(vec![
            model.contacts[stay.spot.contact].name.clone(),
            point,
            ten(stay.from),
            stay.to.map_or_else(|| "still stays".to_owned(), ten),
            prefixed(stay.first_force, model.contacts[stay.spot.contact].units().force),
            prefixed(stay.peak_force, model.contacts[stay.spot.contact].units().force),
            ten(stay.time_of_peak),
            accumulated(out, stay),
        ]);
    }
    grid
}

/// When all bounces before it would have been over.
fn accumulated(out: &Outcome, stay: &Stay) -> String {
    let begins = out
        .events
        .iter()
        .find(|e| e.kind == EventKind::Stays && (e.t, e.spot) == (stay.from, stay.spot));
    let time = begins.and_then(|e| e.accumulation);
    time.map_or_else(String::new, |t| format!("its bounces would end at {} s", ten(t)))
}
