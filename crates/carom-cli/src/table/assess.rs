//! Assessments as tables.

use std::fmt::Write as _;

use carom::impact::Assessment;

use super::rows::Columns;
use super::{Grid, at_once, check, gradients, headline, together};
use crate::commands::assess::Report;
use crate::number::{count, plain, six};

/// Rows of a contact side by side.
const MOST_COLUMNS: usize = 4;

/// The whole text.
pub(crate) fn text(report: &Report<'_>) -> String {
    let model = report.opened.model();
    let title = if model.title.is_empty() { "(no title)" } else { &model.title };
    let mut out = format!("{title}\n");
    let _ = write!(
        out,
        "{}: {}, {}",
        report.opened.loaded.source.name(),
        count(model.bodies.len(), "body", "bodies"),
        count(report.constraints.freedom, "degree of freedom", "degrees of freedom"),
    );
    if report.constraints.rows > 0 {
        let rows = count(report.constraints.rows, "closure row", "closure rows");
        let _ = write!(out, ", {rows} of rank {}", report.constraints.rank);
        if let Some(condition) = report.constraints.condition {
            let _ = write!(out, " (condition number {})", six(condition));
        }
    }
    out.push('\n');
    for contact in &report.contacts {
        out.push('\n');
        out += &one(report, contact);
    }
    if let Some(all) = &report.together {
        out += &at_once::text(report.opened.model(), all);
    }
    plain(&out)
}

fn one(report: &Report<'_>, contact: &Assessment) -> String {
    let model = report.opened.model();
    let (i, j) = contact.places;
    let mut out = format!("contact `{}`", contact.contact);
    if let Some(k) = model.contact(&contact.contact) {
        let _ = write!(out, ": {}", check::between(model, k));
    }
    let _ = writeln!(
        out,
        "\n  i = `{}`, j = `{}`\n\n  {}\n",
        model.place_name(i),
        model.place_name(j),
        headline::text(report, contact)
    );
    let texts: Vec<String> = grids(report, contact).iter().map(|grid| grid.text(4)).collect();
    out += &texts.join("\n");
    let mass = Columns { report, contact, rows: &contact.rows }.units().mass;
    for row in &contact.rows {
        if let Some(found) = &row.gradients {
            let _ = writeln!(out, "\n  derivatives of row {}", row.label);
            out += &gradients::text(&report.at, (&row.effective, mass), found);
        }
    }
    out
}

/// One row with all that is known of it; of several, energies over all, then the rows side by side.
pub(crate) fn grids(report: &Report<'_>, contact: &Assessment) -> Vec<Grid> {
    if contact.rows.len() > 1 {
        return several(report, contact);
    }
    let all = Columns { report, contact, rows: &contact.rows };
    let mut grid = Grid::default();
    all.place(&mut grid);
    grid.heading("how heavy");
    all.masses(&mut grid);
    grid.heading("how much energy");
    together::energies(&mut grid, contact);
    grid.heading("which forces");
    all.forces(&mut grid);
    all.cone(&mut grid);
    all.checks(&mut grid);
    vec![grid]
}

fn several(report: &Report<'_>, contact: &Assessment) -> Vec<Grid> {
    let mut grid = Grid::default();
    grid.heading("all rows together");
    together::energies(&mut grid, contact);
    let rows = contact.rows.len();
    let meaning = if contact.rank < rows {
        "some follow from the others: how they share an impulse is not unique"
    } else {
        "all are independent"
    };
    grid.row(vec![
        "independent rows".to_owned(),
        String::new(),
        format!("{} of {rows}", contact.rank),
        meaning.to_owned(),
    ]);
    let mut out = vec![grid];
    // The rows of a point stay together.
    let points = contact.rows.iter().filter(|r| r.is_normal).count().max(1);
    let per_point = (rows / points).max(1);
    let columns = (MOST_COLUMNS / per_point).max(1) * per_point;
    for part in contact.rows.chunks(columns) {
        let columns = Columns { report, contact, rows: part };
        let mut grid = Grid::default();
        let mut names = vec!["row".to_owned(), String::new()];
        names.extend(part.iter().map(|r| r.label.clone()));
        names.push("n a normal, t a tangent; the number is the point's".to_owned());
        grid.row(names);
        columns.place(&mut grid);
        columns.masses(&mut grid);
        columns.forces(&mut grid);
        columns.cone(&mut grid);
        columns.checks(&mut grid);
        out.push(grid);
    }
    out
}
