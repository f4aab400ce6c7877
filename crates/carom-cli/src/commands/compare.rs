//! `carom compare`: two designs beside each other, measure by measure.

use std::path::PathBuf;

use carom::answer::study::{CompareAnswer, CompareMeasure, CompareOptions, compare};

use super::folder::Folder;
use super::{caution, remark};
use crate::args::{Compare, StudyFormat};
use crate::number::{percent, plain, six};
use crate::table::Grid;
use crate::{VerbResult, report};

/// The measures as a table for programs.
const TABLE: &str = "compare.csv";

/// Compares two files.
pub(crate) fn run(wanted: &Compare) -> VerbResult {
    let options = CompareOptions {
        files: [wanted.first.clone(), wanted.second.clone()],
        sets: wanted.sets.clone(),
        contact: wanted.contact.clone(),
        action: wanted.action.action(),
    };
    let place =
        |path: &PathBuf| Folder::new(path, path.clone(), &[report::FILE, TABLE], wanted.overwrite);
    let folder = wanted.out.as_ref().map(place).transpose()?;
    let answer = compare(&options).map_err(|error| error.to_string())?;
    caution(&answer.cautions);
    if let Some(folder) = folder {
        let page = report::compare::html(&answer, &grid(&answer));
        folder.write(&[(TABLE, Some(csv(&answer))), (report::FILE, Some(page))])?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        StudyFormat::Json => super::json(&answer),
        StudyFormat::Table => Ok(plain(&table(&answer))),
    }
}

fn table(answer: &CompareAnswer) -> String {
    let grid = grid(answer).text(2);
    format!("first: {}\nsecond: {}\n{grid}", answer.first, answer.second)
}

/// Every measure that a file has, in full precision.
fn csv(answer: &CompareAnswer) -> String {
    let mut out = String::from("measure,unit,first,second\n");
    for m in answer.measures.iter().filter(|m| m.first.is_some() || m.second.is_some()) {
        let cell = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
        let line = [m.measure.clone(), m.unit.clone(), cell(m.first), cell(m.second)];
        out.push_str(&line.join(","));
        out.push('\n');
    }
    out
}

fn grid(answer: &CompareAnswer) -> Grid {
    let mut grid = Grid::new(&["measure", "", "first", "second", "second/first"]);
    for m in answer.measures.iter().filter(|m| m.first.is_some() || m.second.is_some()) {
        let cell = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), six);
        let unit = &m.unit;
        let name =
            if unit.is_empty() { m.measure.clone() } else { format!("{} [{unit}]", m.measure) };
        grid.row(vec![name, m.symbol.clone(), cell(m.first), cell(m.second), ratio(m)]);
    }
    grid
}

fn ratio(m: &CompareMeasure) -> String {
    match m.ratio {
        Some(_) if m.first == m.second => "same".to_owned(),
        // 0 divided by a negative number is a zero with a sign.
        Some(ratio) => percent(ratio + 0.0),
        None => String::new(),
    }
}
