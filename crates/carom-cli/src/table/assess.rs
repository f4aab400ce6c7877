//! Assessments as tables.

use std::fmt::Write as _;

use carom::answer::{AssessAnswer, ContactAnswer};

use super::rows::Columns;
use super::{Grid, at_once, gradients, page, together};
use crate::number::{count, six};

/// Layout: rows of a contact side by side.
const MOST_COLUMNS: usize = 4;

/// The whole text.
pub(crate) fn text(answer: &AssessAnswer) -> String {
    let (head, constraints) = (&answer.head, &answer.constraints);
    let title = if head.title.is_empty() { "(no title)" } else { &head.title };
    let mut out = format!("{title}\n");
    let _ = write!(
        out,
        "{}: {}, {}",
        head.file,
        count(answer.bodies.len(), "body", "bodies"),
        count(constraints.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
    );
    if constraints.rows > 0 {
        let rows = count(constraints.rows, "closure row", "closure rows");
        let _ = write!(out, ", {rows} of rank {}", constraints.rank);
        if let Some(condition) = constraints.condition_number {
            let _ = write!(out, " (condition number {})", six(condition));
        }
    }
    out.push('\n');
    for contact in &answer.contacts {
        out.push('\n');
        out += &one(answer, contact);
    }
    if let Some(all) = &answer.together {
        out += &at_once::text(all);
    }
    page(&out)
}

fn one(answer: &AssessAnswer, contact: &ContactAnswer) -> String {
    let sides = &contact.sides;
    let mut out = format!(
        "contact `{}`: {}\n  i = `{}`, j = `{}`\n\n  {}\n\n",
        contact.name, sides.between, sides.i, sides.j, contact.sentence
    );
    let texts: Vec<String> = grids(answer, contact).iter().map(|grid| grid.text(4)).collect();
    out += &texts.join("\n");
    for row in &contact.rows {
        if let Some(found) = &row.gradients {
            let _ = writeln!(out, "\n  derivatives of row {}", row.label);
            out += &gradients::text(found, contact.units.mass);
        }
    }
    out
}

/// One row with all that is known of it; of several, energies over all, then the rows side by side.
pub(crate) fn grids(answer: &AssessAnswer, contact: &ContactAnswer) -> Vec<Grid> {
    if contact.rows.len() > 1 {
        return several(answer, contact);
    }
    let all = Columns { answer, contact, rows: &contact.rows };
    let mut grid = Grid::default();
    all.place(&mut grid);
    grid.heading(all.if_touched("how heavy"));
    all.masses(&mut grid);
    grid.heading(all.if_touched("how much energy"));
    together::energies(&mut grid, contact);
    grid.heading(all.if_touched("which forces"));
    all.forces(&mut grid);
    all.cone(&mut grid);
    all.checks(&mut grid);
    vec![grid]
}

fn several(answer: &AssessAnswer, contact: &ContactAnswer) -> Vec<Grid> {
    let mut grid = Grid::default();
    grid.heading(Columns { answer, contact, rows: &contact.rows }.if_touched("all rows together"));
    together::energies(&mut grid, contact);
    let rows = contact.rows.len();
    let part = contact.rows.iter().filter(|r| r.takes_part).count();
    let meaning = if contact.rank < part {
        "some follow from the others: how they share an impulse is not unique"
    } else {
        "all are independent"
    };
    grid.row(vec![
        "independent rows".to_owned(),
        String::new(),
        format!("{} of {part}", contact.rank),
        meaning.to_owned(),
    ]);
    let mut out = vec![grid];
    // The rows of a point stay together.
    let per_point = (rows / contact.normals().count().max(1)).max(1);
    let columns = (MOST_COLUMNS / per_point).max(1) * per_point;
    for part in contact.rows.chunks(columns) {
        let columns = Columns { answer, contact, rows: part };
        let mut grid = Grid::default();
        let mut names = vec!["row".to_owned(), String::new()];
        names.extend(part.iter().map(|r| r.label.clone()));
        names.push("n a normal, t a tangent; the number is the point's".to_owned());
        grid.row(names);
        columns.labels(&mut grid);
        columns.place(&mut grid);
        columns.masses(&mut grid);
        columns.forces(&mut grid);
        columns.cone(&mut grid);
        columns.checks(&mut grid);
        out.push(grid);
    }
    out
}
