//! Tables for people: columns of text, as wide as their widest cell.

pub(crate) mod assess;
pub(crate) mod at_once;
pub(crate) mod check;
mod comparisons;
pub(crate) mod gradients;
pub(crate) mod impact;
pub(crate) mod laws;
pub(crate) mod near;
#[cfg(feature = "reproduce")]
pub(crate) mod reproduce;
mod rows;
pub(crate) mod run;
pub(crate) mod study;
pub(crate) mod tip;
mod together;

use std::fmt::Write as _;

use carom::report::{Column, Row, Table};

/// Rows of cells, printed in columns with two blanks between; a row of one cell is a heading and
/// may be as long as it likes.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// With a heading.
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self { rows: vec![heading.iter().map(|h| (*h).to_owned()).collect()] }
    }

    /// A heading inside.
    pub(crate) fn heading(&mut self, text: impl Into<String>) {
        self.rows.push(vec![text.into()]);
    }

    /// One more row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// How many rows, the heading included.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The same for a page; the first row is the heading unless one is given. Columns without content are left out.
    pub(crate) fn sheet(&self, caption: &str, heading: &[&str]) -> Table {
        let own = self.rows.first().filter(|_| heading.is_empty());
        let titles: Vec<&str> =
            own.map_or_else(|| heading.to_vec(), |row| row.iter().map(String::as_str).collect());
        let rest = &self.rows[usize::from(own.is_some())..];
        let numeric = |k: usize| {
            let mut cells = rest.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(k));
            k > 0 && cells.all(|cell| cell.is_empty() || is_number(cell))
        };
        let columns = titles.iter().enumerate().map(|(k, title)| {
            let (title, unit) = match title.strip_suffix(']').and_then(|t| t.split_once(" [")) {
                Some((title, unit)) => (title, unit),
                None => (*title, ""),
            };
            Column { title: title.to_owned(), unit: unit.to_owned(), numeric: numeric(k) }
        });
        let rows = rest.iter().map(|row| match row.as_slice() {
            [heading] => Row::heading(heading.as_str()),
            cells => Row::new(cells.iter().map(String::as_str)),
        });
        let (columns, rows) = (columns.collect(), rows.collect());
        Table { caption: caption.to_owned(), columns, rows }.without_empty_columns()
    }

    /// The text, every line indented.
    pub(crate) fn text(&self, indent: usize) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in self.rows.iter().filter(|row| row.len() > 1) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(width_of(cell));
            }
        }
        let mut out = String::new();
        for row in &self.rows {
            if let [heading] = row.as_slice() {
                let _ = writeln!(out, "{}{heading}", " ".repeat(indent.saturating_sub(2)));
                continue;
            }
            let mut line = " ".repeat(indent);
            for (cell, width) in row.iter().zip(&widths) {
                // A column without content takes no room.
                if *width > 0 {
                    let blank = width - width_of(cell);
                    let _ = write!(line, "{cell}{}  ", " ".repeat(blank));
                }
            }
            out += line.trim_end();
            out.push('\n');
        }
        out
    }
}

/// Whether a cell holds a number, perhaps with a unit, or says that there is none.
fn is_number(cell: &str) -> bool {
    let sign = cell.trim_start_matches(['-', '−', '+', '±']);
    sign.starts_with(|c: char| c.is_ascii_digit() || "∞–".contains(c)) || sign.is_empty()
}

/// How many places a text takes; a dot above a letter (u̇) takes none.
fn width_of(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut grid = Grid::new(&["joint", "position"]);
        grid.row(vec!["elbow".into(), "30°".into()]);
        grid.row(vec!["u\u{307}".into(), "∞".into()]);
        assert_eq!(grid.text(1), " joint  position\n elbow  30°\n u\u{307}      ∞\n");
    }

    #[test]
    fn a_grid_becomes_a_table_with_its_units_apart() {
        let mut grid = Grid::new(&["joint", "onset [s]", "", "word"]);
        grid.row(vec!["1".into(), "-0.5".into(), String::new(), "2 of 3".into()]);
        grid.row(vec!["2".into(), "∞".into(), String::new(), "none".into()]);
        let table = grid.sheet("", &[]);
        let seen: Vec<_> =
            table.columns.iter().map(|c| (c.title.as_str(), c.unit.as_str(), c.numeric)).collect();
        assert_eq!(seen, [("joint", "", false), ("onset", "s", true), ("word", "", false)]);
        assert_eq!(table.rows.len(), 2);
    }
}
