//! `carom compare`: two designs beside each other, measure by measure.

use std::path::Path;

use carom::file::load;
use carom::study::quantity::QUANTITIES;
use carom::study::{Evaluator, PointError};
use serde_json::{Value, json};

use crate::Outcome;
use crate::args::{Compare, StudyFormat};
use crate::json;
use crate::number::{percent, plain, six};
use crate::table::Grid;

/// What one file gives: by quantity a value, or why there is none.
type Measured = Vec<Result<f64, String>>;

/// Compares two files.
pub(crate) fn run(wanted: &Compare) -> Outcome {
    let action = wanted.action.action();
    let which: Vec<_> = QUANTITIES.iter().filter(|q| q.is_of(action)).collect();
    let first = measured(&wanted.first, wanted)?;
    let second = measured(&wanted.second, wanted)?;
    if first.iter().chain(&second).all(Result::is_err) {
        let why = first.into_iter().find_map(Result::err).unwrap_or_default();
        return Err(format!("neither file has a measure: {why}"));
    }
    let pairs = which.iter().zip(first.iter().zip(&second));
    if wanted.format == StudyFormat::Json {
        let side = |x: &Result<f64, String>| x.as_ref().map_or(Value::Null, |x| json::number(*x));
        let measures: Value = pairs
            .map(|(q, (a, b))| json!({ "measure": q.name, "unit": q.unit, "first": side(a), "second": side(b) }))
            .collect();
        let value = json!({
            "carom": env!("CARGO_PKG_VERSION"),
            "first": wanted.first.display().to_string(),
            "second": wanted.second.display().to_string(),
            "action": action.name(),
            "measures": measures,
        });
        return Ok(json::text(&value));
    }
    let (a, b) = (wanted.first.display(), wanted.second.display());
    let mut out = format!("first: {a}\nsecond: {b}\n");
    let mut grid = Grid::new(&["measure", "", "first", "second", "second/first"]);
    for (q, (a, b)) in pairs {
        let cell = |x: &Result<f64, String>| x.as_ref().map_or("-".to_owned(), |x| six(*x));
        if a.is_err() && b.is_err() {
            continue;
        }
        let ratio = match (a, b) {
            (Ok(a), Ok(b)) if a == b => "same".to_owned(),
            (Ok(a), Ok(b)) if *a != 0.0 && (b / a).is_finite() => percent(b / a),
            _ => String::new(),
        };
        let name =
            if q.unit.is_empty() { q.name.to_owned() } else { format!("{} [{}]", q.name, q.unit) };
        grid.row(vec![name, q.symbol.to_owned(), cell(a), cell(b), ratio]);
    }
    out += &grid.text(2);
    Ok(plain(&out))
}

/// Every quantity by itself, so that one that is missing does not hide the others.
fn measured(file: &Path, wanted: &Compare) -> Result<Measured, String> {
    let mut loaded = load(file, &wanted.sets).map_err(|error| error.to_string())?;
    loaded.description.remove("study");
    let action = wanted.action.action();
    let mut sets = vec![("study.action".to_owned(), action.name().to_owned())];
    if let Some(contact) = &wanted.contact {
        sets.push(("study.contact".to_owned(), contact.clone()));
    }
    let names: Vec<&str> = QUANTITIES.iter().filter(|q| q.is_of(action)).map(|q| q.name).collect();
    sets.push(("study.measures".to_owned(), format!("[{}]", names.join(", "))));
    let loaded = loaded.edited(&sets).map_err(|error| error.to_string())?;
    let study = loaded.study().map_err(|error| error.to_string())?;
    let found = Evaluator::new(&study)
        .quantities(&[])
        .map_err(|error: PointError| format!("{}: {error}", file.display()))?;
    Ok(QUANTITIES
        .iter()
        .zip(found)
        .filter(|(q, _)| q.is_of(action))
        .map(|(_, x)| x.ok_or_else(String::new))
        .collect())
}
