//! Tables for people: columns of text, as wide as their widest cell.

pub(crate) mod assess;
pub(crate) mod at_once;
pub(crate) mod check;
mod comparisons;
pub(crate) mod fit;
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
pub(crate) mod uncertainty;

use std::fmt::Write as _;

use carom::report::{Column, Row, Table};

use crate::number::plain;
use crate::settings;

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

    /// The text, every line indented. A table that is wider than a terminal has prose broken into several lines; if that is not enough, its
    /// columns stand below each other in blocks, each with the first column.
    pub(crate) fn text(&self, indent: usize) -> String {
        self.within(indent, settings::columns())
    }

    fn within(&self, indent: usize, limit: usize) -> String {
        let widths = self.widths();
        let room = limit.saturating_sub(indent);
        let all: Vec<usize> = (0..widths.len()).collect();
        if let Some(text) = self.fitting(indent, &all, room) {
            return text;
        }
        let blocks = self.blocks(&widths, room);
        let texts: Vec<String> = blocks
            .iter()
            .map(|columns| {
                let fitting = self.fitting(indent, columns, room);
                fitting.unwrap_or_else(|| self.block(indent, &widths, columns))
            })
            .collect();
        texts.join("\n")
    }

    /// Some columns, with prose broken at blanks if need be; nothing if they do not fit even so.
    fn fitting(&self, indent: usize, columns: &[usize], room: usize) -> Option<String> {
        let chosen = |widths: &[usize]| columns.iter().map(|k| widths[*k]).collect::<Vec<_>>();
        let widths = self.widths();
        if total(&chosen(&widths)) <= room {
            return Some(self.block(indent, &widths, columns));
        }
        let broken = self.narrowed(&widths, columns, room);
        let widths = broken.widths();
        (total(&chosen(&widths)) <= room).then(|| broken.block(indent, &widths, columns))
    }

    /// The widest cell of each column; headings inside count in none.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in self.rows.iter().filter(|row| row.len() > 1) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(width_of(cell));
            }
        }
        widths
    }

    /// The same with cells of prose broken at blanks, the widest columns first, until these columns fit or prose would become too narrow
    /// to read.
    fn narrowed(&self, widths: &[usize], columns: &[usize], room: usize) -> Self {
        let prose: Vec<bool> =
            (0..widths.len()).map(|k| columns.contains(&k) && self.is_prose(k)).collect();
        let mut kept = widths.to_vec();
        while total(&columns.iter().map(|k| kept[*k]).collect::<Vec<_>>()) > room {
            let wide = (0..kept.len()).filter(|k| prose[*k] && kept[*k] > LEAST_PROSE);
            // The names of rows last.
            let Some(widest) = wide.max_by_key(|k| (*k != 0, kept[*k])) else { break };
            kept[widest] -= 1;
        }
        let mut out = Self::default();
        for row in &self.rows {
            if row.len() == 1 {
                out.rows.push(row.clone());
                continue;
            }
            let cells: Vec<Vec<String>> = row
                .iter()
                .enumerate()
                .map(|(k, cell)| if prose[k] { wrapped(cell, kept[k]) } else { vec![cell.clone()] })
                .collect();
            let lines = cells.iter().map(Vec::len).max().unwrap_or(1);
            for line in 0..lines {
                let of = |cell: &Vec<String>| cell.get(line).cloned().unwrap_or_default();
                out.rows.push(cells.iter().map(of).collect());
            }
        }
        out
    }

    /// Whether the widest cell of a column is a sentence or a part of one, and no number with its unit.
    fn is_prose(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(column));
        let widest = cells.max_by_key(|cell| width_of(cell));
        widest.is_some_and(|cell| cell.split_whitespace().count() > 3 && !cell.starts_with('('))
    }

    /// Columns that stand side by side: the first one in each block, with the second if that is a short text.
    fn blocks(&self, widths: &[usize], room: usize) -> Vec<Vec<usize>> {
        let short = widths.len() > 2 && widths[1] <= SHORT && self.is_text(1);
        let lead: Vec<usize> = if short { vec![0, 1] } else { vec![0] };
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut block = lead.clone();
        for k in lead.len()..widths.len() {
            let with: Vec<usize> = block.iter().chain([&k]).map(|c| widths[*c]).collect();
            if total(&with) > room && block.len() > lead.len() {
                blocks.push(std::mem::replace(&mut block, lead.clone()));
            }
            block.push(k);
        }
        blocks.push(block);
        blocks
    }

    /// Whether no cell of a column below the heading is a number.
    fn is_text(&self, column: usize) -> bool {
        let cells = self.rows.iter().skip(1).filter(|row| row.len() > 1);
        let mut cells = cells.filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        !cells.any(|cell| is_number(cell))
    }

    /// Some columns of all rows. Rows and headings inside without anything in columns that are not in the first block are left out.
    fn block(&self, indent: usize, widths: &[usize], columns: &[usize]) -> String {
        let first = columns.last().is_none_or(|k| k + 1 == columns.len());
        let own = |row: &[String]| {
            let mut cells = columns.iter().filter(|k| **k > 1).filter_map(|k| row.get(*k));
            first || cells.any(|cell| !cell.is_empty())
        };
        let mut out = String::new();
        let mut heading: Option<&String> = None;
        for row in &self.rows {
            if let [text] = row.as_slice() {
                if let Some(text) = heading.replace(text).filter(|_| first) {
                    let _ = writeln!(out, "{}{text}", " ".repeat(indent.saturating_sub(2)));
                }
                continue;
            }
            if !own(row) {
                continue;
            }
            if let Some(text) = heading.take() {
                let _ = writeln!(out, "{}{text}", " ".repeat(indent.saturating_sub(2)));
            }
            let mut line = " ".repeat(indent);
            for k in columns {
                let (Some(cell), width) = (row.get(*k), widths[*k]) else { continue };
                // A column without content takes no room.
                if width > 0 {
                    let blank = width - width_of(cell);
                    let _ = write!(line, "{cell}{}  ", " ".repeat(blank));
                }
            }
            out += line.trim_end();
            out.push('\n');
        }
        if let Some(text) = heading.filter(|_| first) {
            let _ = writeln!(out, "{}{text}", " ".repeat(indent.saturating_sub(2)));
        }
        out
    }
}

/// Prose in narrower columns is not broken further.
const LEAST_PROSE: usize = 20;
/// A second column of this width is repeated in each block: a unit, a name.
const SHORT: usize = 16;

/// How wide columns are together, with two blanks between.
fn total(widths: &[usize]) -> usize {
    widths
        .iter()
        .filter(|width| **width > 0)
        .map(|width| width + 2)
        .sum::<usize>()
        .saturating_sub(2)
}

/// A text for stdout: without control letters, its prose (lines without columns) in lines that fit a terminal.
pub(crate) fn page(text: &str) -> String {
    let limit = settings::columns();
    let mut out = String::with_capacity(text.len());
    for line in plain(text).split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        if width_of(content) <= limit || content.trim_start().contains("  ") {
            out += line;
            continue;
        }
        let indent = " ".repeat(content.len() - content.trim_start().len());
        let lines = wrapped(content.trim_start(), limit - indent.len() - 2);
        for (k, part) in lines.iter().enumerate() {
            let deeper = if k > 0 { "  " } else { "" };
            let after = if k + 1 < lines.len() { "\n" } else { end };
            let _ = write!(out, "{indent}{deeper}{part}{after}");
        }
    }
    out
}

/// A text in lines of at most so many places where it has blanks; at least one line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    if width_of(text) <= width {
        return vec![text.to_owned()];
    }
    let indent = text.len() - text.trim_start().len();
    let mut lines: Vec<String> = Vec::new();
    let mut line = " ".repeat(indent);
    for word in text.split_whitespace() {
        let blank = usize::from(!line.trim().is_empty());
        if blank > 0 && width_of(&line) + blank + width_of(word) > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            line += word;
        } else {
            line += &" ".repeat(blank);
            line += word;
        }
    }
    lines.push(line);
    lines
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

    /// A table with a name, a unit, numbers and a remark, wider than the given place.
    fn wide() -> Grid {
        let mut grid = Grid::new(&["name", "", "first", "second", "remark"]);
        grid.heading("a group");
        let cells = ["mass", "kg", "1.23456", "2.34567", "one two three four five six seven eight"];
        grid.row(cells.map(str::to_owned).to_vec());
        grid.heading("another");
        grid.row(["speed", "m/s", "3", "", ""].map(str::to_owned).to_vec());
        grid
    }

    #[test]
    fn prose_is_broken_where_a_table_is_too_wide() {
        let text = wide().within(2, 60);
        let expected = "  name        first    second   remark\na group\n\
            \u{20} mass   kg   1.23456  2.34567  one two three four five six\n\
            \u{20}                               seven eight\nanother\n\
            \u{20} speed  m/s  3\n";
        assert_eq!(text, expected);
        assert!(wide().within(2, usize::MAX).contains("seven eight\n"));
    }

    #[test]
    fn columns_that_do_not_fit_stand_below_with_their_names() {
        let text = wide().within(2, 40);
        assert!(text.lines().all(|line| width_of(line) <= 40), "{text}");
        let expected = "  name        first    second\na group\n  mass   kg   1.23456  2.34567\n\
            another\n  speed  m/s  3\n\n  name        remark\na group\n\
            \u{20} mass   kg   one two three four five\n              six seven eight\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn prose_is_broken_and_columns_are_not() {
        let words = "word ".repeat(30);
        let text = format!("  {words}\n  a{}b  c\n", " ".repeat(120));
        let out = page(&text);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("  word") && lines[1].starts_with("    word"));
        assert!(width_of(lines[0]) <= 100 && lines[2].ends_with("b  c"));
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
