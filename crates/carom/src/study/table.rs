//! The tables of a complete study, from its log, line by line.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::log::{self, Entry, Reader};
use super::plan::Study;
use super::sweep::SweepError;
use crate::model::study::Level;

/// The table for spreadsheets.
pub const CSV: &str = "table.csv";
/// The table for programs.
pub const JSON: &str = "table.json";

/// Writes both tables beside their places, makes them last, then moves them there.
pub fn write(study: &Study, folder: &Path) -> Result<(), SweepError> {
    let path = folder.join(log::FILE);
    let damaged = |error| SweepError::Log { path: path.display().to_string(), error };
    let mut reader = Reader::open(&path).map_err(damaged)?;
    let parts = [CSV, JSON].map(|name| folder.join(format!(".{name}.part")));
    let done = (|| -> Result<(), Fault> {
        let mut csv = BufWriter::new(File::create(&parts[0])?);
        let mut json = BufWriter::new(File::create(&parts[1])?);
        let heads = heads(study);
        csv.write_all(heads[0].as_bytes())?;
        json.write_all(heads[1].as_bytes())?;
        let mut first = true;
        // Where a `null` stands for ∞, by measure.
        let mut unbounded = serde_json::Map::new();
        while let Some((point, entry)) = reader.next_record().map_err(Fault::Log)? {
            let levels = study.design.levels(point);
            csv_line(&mut csv, point, &levels, &entry, study.measures.len())?;
            json_line(&mut json, first, point, &levels, &entry, study.measures.len())?;
            first = false;
            let measured = study.measures.iter().zip(cells(&entry).0);
            for (column, _) in measured.filter(|(_, x)| x.is_infinite()) {
                let points = unbounded.entry(column.name.as_str()).or_insert_with(|| json!([]));
                if let Value::Array(points) = points {
                    points.push(json!(point));
                }
            }
        }
        writeln!(json, "\n  ],\n  \"unbounded\": {}\n}}", Value::Object(unbounded))?;
        for out in [csv, json] {
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        }
        for (part, name) in parts.iter().zip([CSV, JSON]) {
            fs::rename(part, folder.join(name))?;
        }
        Ok(())
    })();
    done.map_err(|fault| {
        for part in &parts {
            // What is not there need not be removed.
            let _ = fs::remove_file(part);
        }
        match fault {
            Fault::Io(error) => {
                let path = folder.join(CSV).display().to_string();
                SweepError::Unwritable { path, error }
            }
            Fault::Log(error) => damaged(error),
        }
    })
}

/// The last columns: why measures are missing, and how far apart a contact stayed that never touches.
const LAST: [&str; 2] = ["error", "untouched"];

enum Fault {
    Io(std::io::Error),
    Log(log::LogError),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// What the two tables of a study begin with: all of its columns.
pub(super) fn heads(study: &Study) -> [String; 2] {
    let mut headings = vec!["point".to_owned()];
    headings.extend(study.variable_headings());
    headings.extend(study.measures.iter().map(super::plan::Column::heading));
    headings.extend(LAST.map(str::to_owned));
    let line: Vec<String> = headings.iter().map(|h| quoted(h)).collect();
    let columns = Value::from(headings);
    let (action, contact) = (json!(study.action.name()), json!(study.contact));
    let json = format!(
        "{{\n  \"action\": {action},\n  \"contact\": {contact},\n  \"columns\": {columns},\n  \"rows\": ["
    );
    [format!("{}\n", line.join(",")), json]
}

/// What the list of columns ends with in the two tables of a study with these measures.
pub(super) fn last_columns(measures: &[String]) -> [String; 2] {
    let csv: Vec<String> = measures.iter().map(|m| quoted(m)).collect();
    let json: Vec<String> = measures.iter().map(|m| json!(m).to_string()).collect();
    let [csv, json] = [csv, json].map(|measures| measures.join(","));
    let last = LAST.map(|name| json!(name).to_string()).join(",");
    [format!(",{csv},{}", LAST.join(",")), format!(",{json},{last}],")]
}

/// A field of CSV that no spreadsheet takes for a formula: what begins like one and is no number gets an apostrophe in front.
fn quoted(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err() {
        return quoted(&format!("'{text}"));
    }
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn csv_line(
    out: &mut dyn Write,
    point: u64,
    levels: &[Level],
    entry: &Entry,
    measures: usize,
) -> std::io::Result<()> {
    write!(out, "{point}")?;
    for level in levels {
        match level {
            Level::Number(x) => write!(out, ",{x:?}")?,
            Level::Word(word) => write!(out, ",{}", quoted(word))?,
        }
    }
    let (values, [error, untouched]) = cells(entry);
    for k in 0..measures {
        match values.get(k).filter(|x| !x.is_nan()) {
            Some(x) => write!(out, ",{x:?}")?,
            None => write!(out, ",")?,
        }
    }
    let text = |text: Option<&str>| text.map_or_else(String::new, quoted);
    writeln!(out, ",{},{}", text(error), text(untouched))
}

fn json_line(
    out: &mut dyn Write,
    first: bool,
    point: u64,
    levels: &[Level],
    entry: &Entry,
    measures: usize,
) -> std::io::Result<()> {
    write!(out, "{}\n    [{point}", if first { "" } else { "," })?;
    for level in levels {
        match level {
            Level::Number(x) => number(out, *x)?,
            Level::Word(word) => write!(out, ",{}", json!(word))?,
        }
    }
    let (values, [error, untouched]) = cells(entry);
    for k in 0..measures {
        number(out, values.get(k).copied().unwrap_or(f64::NAN))?;
    }
    write!(out, ",{},{}]", json!(error), json!(untouched))
}

/// The measures of an entry, none of a point that has none, and its texts in the last columns.
fn cells(entry: &Entry) -> (&[f64], [Option<&str>; 2]) {
    match entry {
        Entry::Measures(values) => (values, [None, None]),
        Entry::Failed(text) => (&[], [Some(text), None]),
        Entry::Partial(values, text) => (values, [Some(text), None]),
        Entry::Untouched(values, text) => (values, [None, Some(text)]),
    }
}

/// JSON has no ∞: it is `null` there, and `unbounded` at the end of the table says at which points.
fn number(out: &mut dyn Write, x: f64) -> std::io::Result<()> {
    if x.is_finite() { write!(out, ",{x:?}") } else { write!(out, ",null") }
}
