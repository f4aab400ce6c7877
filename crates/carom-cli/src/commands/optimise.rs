//! `carom optimise`: the best design that the study of a file allows.

use std::fmt::Write as _;

use carom::file::load;
use carom::model::study::Level;
use carom::study::Study;
use carom::study::optimise::{Optimum, optimise};
use serde_json::{Value, json};

use crate::args::{Optimise, StudyFormat};
use crate::json;
use crate::number::{percent, plain, six, ten};
use crate::table::Grid;

/// Steps of the path that are shown.
const MOST_STEPS: usize = 12;

/// Searches; false if the best point still breaks a constraint.
pub(crate) fn run(wanted: &Optimise) -> Result<(String, bool), String> {
    let file = &wanted.subject;
    let loaded = load(&file.file, &file.sets).map_err(|error| error.to_string())?;
    let study = loaded.study().map_err(|error| error.to_string())?;
    let found = optimise(&study, wanted.evaluations, wanted.seed)
        .map_err(|error| format!("{}: {error}", file.file.display()))?;
    let kept = found.best().is_some_and(|best| best.broken == 0.0);
    let text = match wanted.format {
        StudyFormat::Table => table(&study, &found),
        StudyFormat::Json => json::text(&value(&study, &found)),
    };
    Ok((text, kept))
}

fn word(level: &Level) -> String {
    match level {
        Level::Number(x) => ten(*x),
        Level::Word(word) => word.clone(),
    }
}

fn goal(study: &Study) -> (String, &'static str) {
    study
        .goal
        .as_ref()
        .map_or_else(Default::default, |(column, _)| (column.text.clone(), column.formula.unit))
}

fn table(study: &Study, found: &Optimum) -> String {
    let (name, unit) = goal(study);
    let heading = if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") };
    let verb = if found.maximise { "largest" } else { "smallest" };
    let mut grid = Grid::default();
    let mut cells = vec!["evaluations".to_owned(), "search".to_owned(), heading];
    cells.extend(study.variable_headings());
    grid.row(cells);
    let skipped = found.path.len().saturating_sub(MOST_STEPS);
    for (k, step) in found.path.iter().enumerate() {
        if k > 2 && k < 3 + skipped {
            if k == 3 {
                grid.heading(format!("  … {skipped} more …"));
            }
            continue;
        }
        let search = if step.local { "local" } else { "global" };
        let mut cells = vec![step.evaluations.to_string(), search.to_owned(), ten(step.value)];
        cells.extend(step.levels.iter().map(word));
        grid.row(cells);
    }
    let mut out = format!("the {verb} {name}, {} evaluations\n{}", found.evaluations, grid.text(2));
    if let Some(best) = found.best() {
        for (heading, level) in study.variable_headings().iter().zip(&best.levels) {
            let _ = writeln!(out, "{heading} = {}", word(level));
        }
        let _ = writeln!(out, "{name} = {} {unit}", ten(best.value));
        if let Some(start) = found.start {
            let gain = (best.value - start) / start.abs();
            let _ = writeln!(
                out,
                "{} of the file: {} {unit}; change {}",
                name,
                six(start),
                percent(gain)
            );
        }
        if best.broken > 0.0 {
            out += "no point that was tried keeps all constraints; this one breaks them least\n";
        }
    }
    plain(&out)
}

fn value(study: &Study, found: &Optimum) -> Value {
    let (name, unit) = goal(study);
    let path: Value = found
        .path
        .iter()
        .map(|step| {
            let levels: Value = step
                .levels
                .iter()
                .map(|level| match level {
                    Level::Number(x) => json::number(*x),
                    Level::Word(word) => json!(word),
                })
                .collect();
            json!({
                "evaluations": step.evaluations,
                "local": step.local,
                "variables": levels,
                "value": json::number(step.value),
                "broken": json::number(step.broken),
            })
        })
        .collect();
    json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "goal": name,
        "unit": unit,
        "maximise": found.maximise,
        "variables": study.variable_headings(),
        "start": found.start.map(json::number),
        "evaluations": found.evaluations,
        "path": path,
    })
}
