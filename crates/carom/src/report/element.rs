//! What a page is made of.

use crate::maths::digits::four;

/// A number of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyNumber {
    /// What it is.
    pub label: String,
    /// The number with its unit.
    pub value: String,
    /// Where, when, or beside what.
    pub note: String,
}

/// Significant digits of a number of the answer.
const DIGITS: usize = 4;

impl KeyNumber {
    /// The value as it is shown: four significant digits, and no line break between a number and its unit.
    pub(super) fn shown(&self) -> String {
        let short = |word: &str| {
            let digits =
                word.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit);
            match word.parse::<f64>() {
                Ok(x) if digits.count() > DIGITS && word.contains('.') => four(x),
                _ => word.to_owned(),
            }
        };
        let part = |text: &str| text.split(' ').map(short).collect::<Vec<_>>().join("\u{a0}");
        self.value.split(" to ").map(part).collect::<Vec<_>>().join(" to ")
    }
}

/// A part of the page with a heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its address in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph; `names` stand in backticks.
    Text(String),
    /// Points of a list, as paragraphs are.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A drawing as SVG text, and what it shows.
    Figure {
        /// The drawing.
        svg: String,
        /// Below it.
        caption: String,
    },
    /// A drawing in a file beside the page.
    Linked {
        /// The name of the file.
        file: String,
        /// Below it.
        caption: String,
    },
    /// What and its value, line by line.
    Facts(Vec<(String, String)>),
    /// Buttons, each of which shows only the rows of all tables of the page that have a cell of its mark; an empty mark shows all.
    Filter(Vec<(String, &'static str)>),
    /// Something the scripts draw from the data of the page.
    Widget(Widget),
    /// A part that is closed until it is asked for, and open in print.
    Fold {
        /// Its heading.
        title: String,
        /// What stands in it.
        blocks: Vec<Block>,
    },
}

/// What the scripts draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Widget {
    /// The machine, with time if there is any.
    Picture,
    /// Energies, speeds and forces over time.
    Plots,
    /// Force over indentation, one panel an impact.
    Loops,
    /// Designs of a study in parallel coordinates.
    Parallel,
}

impl Widget {
    /// The word in the page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Plots => "plots",
            Self::Loops => "loops",
            Self::Parallel => "parallel",
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// The unit, below it.
    pub unit: String,
    /// Whether numbers stand in it: they are set to the right.
    pub numeric: bool,
}

impl Column {
    /// Of words.
    pub fn words(title: &str) -> Self {
        Self { title: title.to_owned(), unit: String::new(), numeric: false }
    }

    /// Of numbers.
    pub fn numbers(title: &str, unit: &str) -> Self {
        Self { title: title.to_owned(), unit: unit.to_owned(), numeric: true }
    }
}

/// A cell: text, and how it is meant.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// A class of the style sheet: `good`, `differs`, `bad`, `muted`, `long`; empty for none. A table with a cell that is
    /// `long` stands as cards where the page is narrow.
    pub mark: &'static str,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, mark: "" }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// The impact it is about: a click goes there (run, position of the impact).
    pub impact: Option<(usize, usize)>,
    /// Whether it is a heading across the table.
    pub heading: bool,
}

impl Row {
    /// Of these cells.
    pub fn new<C: Into<Cell>>(cells: impl IntoIterator<Item = C>) -> Self {
        Self { cells: cells.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A heading across the table.
    pub fn heading(text: impl Into<Cell>) -> Self {
        Self { cells: vec![text.into()], impact: None, heading: true }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows, for those who hear it.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
}

impl Table {
    /// The same without columns in which nothing stands.
    pub fn without_empty_columns(mut self) -> Self {
        let told = |k: usize| {
            self.rows.iter().any(|row| {
                !row.heading && row.cells.get(k).is_some_and(|cell| !cell.text.is_empty())
            })
        };
        let kept: Vec<bool> = (0..self.columns.len()).map(told).collect();
        let keep = |k: usize| kept.get(k).copied().unwrap_or(true);
        let mut k = 0;
        self.columns.retain(|_| {
            k += 1;
            keep(k - 1)
        });
        for row in self.rows.iter_mut().filter(|row| !row.heading) {
            let mut k = 0;
            row.cells.retain(|_| {
                k += 1;
                keep(k - 1)
            });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_number_has_four_digits_and_does_not_break_before_its_unit() {
        let shown = |value: &str| {
            KeyNumber { label: String::new(), value: value.to_owned(), note: String::new() }.shown()
        };
        assert_eq!(shown("0.801475 kg"), "0.8015\u{a0}kg");
        assert_eq!(shown("0.123 to 12.3456 N s"), "0.123 to 12.35\u{a0}N\u{a0}s");
        assert_eq!(shown("∞ J"), "∞\u{a0}J");
        assert_eq!(shown("3 of 4"), "3\u{a0}of\u{a0}4");
    }
}
