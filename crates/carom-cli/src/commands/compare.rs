//! `carom compare`: two designs beside each other, measure by measure.

use carom::answer::study::{CompareAnswer, CompareMeasure, CompareOptions, compare};

use super::caution;
use crate::VerbResult;
use crate::args::{Compare, StudyFormat};
use crate::number::{percent, plain, six};
use crate::table::Grid;

/// Compares two files.
pub(crate) fn run(wanted: &Compare) -> VerbResult {
    let options = CompareOptions {
        files: [wanted.first.clone(), wanted.second.clone()],
        sets: wanted.sets.clone(),
        contact: wanted.contact.clone(),
        action: wanted.action.action(),
    };
    let answer = compare(&options).map_err(|error| error.to_string())?;
    caution(&answer.cautions);
    match wanted.format {
        StudyFormat::Json => super::json(&answer),
        StudyFormat::Table => Ok(plain(&table(&answer))),
    }
}

fn table(answer: &CompareAnswer) -> String {
    let mut grid = Grid::new(&["measure", "", "first", "second", "second/first"]);
    for m in answer.measures.iter().filter(|m| m.first.is_some() || m.second.is_some()) {
        let cell = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), six);
        let unit = &m.unit;
        let name =
            if unit.is_empty() { m.measure.clone() } else { format!("{} [{unit}]", m.measure) };
        grid.row(vec![name, m.symbol.clone(), cell(m.first), cell(m.second), ratio(m)]);
    }
    format!("first: {}\nsecond: {}\n{}", answer.first, answer.second, grid.text(2))
}

fn ratio(m: &CompareMeasure) -> String {
    match m.ratio {
        Some(_) if m.first == m.second => "same".to_owned(),
        Some(ratio) => percent(ratio),
        None => String::new(),
    }
}
