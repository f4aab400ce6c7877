//! Tables for people: columns of text, as wide as their widest cell.

pub(crate) mod assess;
mod at_once;
pub(crate) mod check;
mod comparisons;
pub(crate) mod gradients;
mod headline;
pub(crate) mod impact;
pub(crate) mod laws;
pub(crate) mod reproduce;
mod rows;
pub(crate) mod run;
mod stiffness;
pub(crate) mod study;
mod together;

use std::fmt::Write as _;

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
}
