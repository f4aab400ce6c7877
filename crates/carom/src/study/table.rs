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
        begin(study, &mut csv, &mut json)?;
        let mut first = true;
        while let Some((point, entry)) = reader.next_record().map_err(Fault::Log)? {
            let levels = study.design.levels(point);
            csv_line(&mut csv, point, &levels, &entry, study.measures.len())?;
            json_line(&mut json, first, point, &levels, &entry, study.measures.len())?;
            first = false;
        }
        writeln!(json, "\n  ]\n}}")?;
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

enum Fault {
    Io(std::io::Error),
    Log(log::LogError),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

fn begin(study: &Study, csv: &mut dyn Write, json: &mut dyn Write) -> std::io::Result<()> {
    let mut headings = vec!["point".to_owned()];
    headings.extend(study.variable_headings());
    headings.extend(study.measures.iter().map(super::plan::Column::heading));
    headings.push("error".to_owned());
    let line: Vec<String> = headings.iter().map(|h| quoted(h)).collect();
    writeln!(csv, "{}", line.join(","))?;
    let columns = Value::from(headings);
    let (action, contact) = (json!(study.action.name()), json!(study.contact));
    write!(
        json,
        "{{\n  \"action\": {action},\n  \"contact\": {contact},\n  \"columns\": {columns},\n  \"rows\": ["
    )
}

/// A field of CSV.
fn quoted(text: &str) -> String {
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
    match entry {
        Entry::Measures(values) => {
            for x in values {
                write!(out, ",{x:?}")?;
            }
            writeln!(out, ",")
        }
        Entry::Failed(text) => writeln!(out, "{},{}", ",".repeat(measures), quoted(text)),
        Entry::Partial(values, text) => {
            for x in values {
                if x.is_nan() { write!(out, ",")? } else { write!(out, ",{x:?}")? }
            }
            writeln!(out, ",{}", quoted(text))
        }
    }
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
    match entry {
        Entry::Measures(values) => {
            for x in values {
                number(out, *x)?;
            }
            write!(out, ",null]")
        }
        Entry::Failed(text) => write!(out, "{},{}]", ",null".repeat(measures), json!(text)),
        Entry::Partial(values, text) => {
            for x in values {
                number(out, *x)?;
            }
            write!(out, ",{}]", json!(text))
        }
    }
}

/// JSON has no ∞: it is `null` there, as in the other commands; only in a row with an error `null` means nothing.
fn number(out: &mut dyn Write, x: f64) -> std::io::Result<()> {
    if x.is_finite() { write!(out, ",{x:?}") } else { write!(out, ",null") }
}
