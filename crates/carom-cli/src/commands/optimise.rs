//! `carom optimise`: the best design that the study of a file allows.

use std::fmt::Write as _;

use carom::answer::CautionCode;
use carom::answer::study::{LevelValue, OptimiseAnswer, optimise};

use super::unbounded;
use crate::args::{Optimise, StudyFormat};
use crate::number::{percent, plain, six, ten};
use crate::table::Grid;

/// Layout: steps of the path that are printed.
const MOST_STEPS: usize = 12;

/// Searches; false if the best point still breaks a constraint.
pub(crate) fn run(wanted: &Optimise) -> Result<(String, bool), String> {
    let file = &wanted.subject;
    let answer = optimise(&file.file, &file.sets, wanted.evaluations, wanted.seed)
        .map_err(|error| error.to_string())?;
    unbounded(&answer.cautions);
    let text = match wanted.format {
        StudyFormat::Table => plain(&table(&answer)),
        StudyFormat::Json => super::json(&answer)?,
    };
    Ok((text, answer.constraints_kept))
}

fn word(level: &LevelValue) -> String {
    match level {
        LevelValue::Number(x) => ten(*x),
        LevelValue::Word(word) => word.clone(),
    }
}

/// The goal with its unit; it may be unbounded.
fn goal(x: f64, unit: &str) -> String {
    if x.is_infinite() { "unbounded".to_owned() } else { format!("{} {unit}", ten(x)) }
}

fn table(answer: &OptimiseAnswer) -> String {
    let (name, unit) = (&answer.goal, &answer.unit);
    let heading = if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") };
    let verb = if answer.maximise { "largest" } else { "smallest" };
    let mut grid = Grid::default();
    let mut cells = vec!["evaluations".to_owned(), "search".to_owned(), heading];
    cells.extend(answer.variables.iter().cloned());
    grid.row(cells);
    let skipped = answer.path.len().saturating_sub(MOST_STEPS);
    for (k, step) in answer.path.iter().enumerate() {
        if k > 2 && k < 3 + skipped {
            if k == 3 {
                grid.heading(format!("  … {skipped} more …"));
            }
            continue;
        }
        let search = if step.local { "local" } else { "global" };
        let mut cells = vec![step.evaluations.to_string(), search.to_owned(), goal(step.value, "")];
        cells.extend(step.variables.iter().map(word));
        grid.row(cells);
    }
    let mut out =
        format!("the {verb} {name}, {} evaluations\n{}", answer.evaluations, grid.text(2));
    if let Some(best) = answer.best() {
        for (heading, level) in answer.variables.iter().zip(&best.variables) {
            let _ = writeln!(out, "{heading} = {}", word(level));
        }
        let _ = writeln!(out, "{name} = {}", goal(best.value, unit));
        if let Some(start) = answer.start {
            let change = answer.change.map_or_else(|| "-".to_owned(), percent);
            let start = if start.is_infinite() {
                goal(start, unit)
            } else {
                format!("{} {unit}", six(start))
            };
            let _ = writeln!(out, "{name} of the file: {start}; change {change}");
        }
        for caution in &answer.cautions {
            if caution.code == CautionCode::ConstraintsBroken {
                out += &caution.message;
                out.push('\n');
            }
        }
    }
    out
}
