//! `carom optimise`: the best design that the study of a file allows.

use std::fmt::Write as _;

use carom::answer::CautionCode;
use carom::answer::study::{LevelValue, OptimiseAnswer, OptimiseOptions, optimise};

use super::folder::Folder;
use super::sweep::Watch;
use super::{remark, unbounded};
use crate::args::{Optimise, StudyFormat};
use crate::number::{percent, six, ten};
use crate::report;
use crate::table::{Grid, page, study::slopes_grid};

/// Layout: steps of the path that are printed.
const MOST_STEPS: usize = 12;

/// The answer in its folder.
const ANSWER: &str = "optimum.json";

/// Searches; false if the best point still breaks a constraint, or the search was stopped.
pub(crate) fn run(wanted: &Optimise) -> Result<(String, bool), String> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let file = &wanted.subject;
    let names = [report::FILE, ANSWER];
    let replace = wanted.resume || wanted.overwrite;
    let folder = wanted.out.as_ref().map(|path| Folder::new(path, path.clone(), &names, replace));
    let folder = folder.transpose()?;
    let options = OptimiseOptions {
        file: file.file.clone(),
        sets: file.sets.clone(),
        evaluations: wanted.evaluations,
        seed: wanted.seed,
        threads: wanted.jobs.map_or(cores, std::num::NonZero::get),
        folder: wanted.out.clone(),
        resume: wanted.resume,
        overwrite: wanted.overwrite,
    };
    let mut watch = Watch::new("evaluations")?;
    let found = optimise(&options, &mut |advance| watch.goes_on(advance));
    watch.end();
    let answer = found.map_err(|error| error.to_string())?;
    unbounded(&answer.cautions);
    if let Some(folder) = folder {
        let html = report::optimise::html(&options, &answer, Some(&report::own_command()))?;
        let json = super::json(&answer)?;
        folder.write(&[(ANSWER, Some(json)), (report::FILE, Some(html))])?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    let text = match wanted.format {
        StudyFormat::Table => page(&table(&answer)),
        StudyFormat::Json => super::json(&answer)?,
    };
    Ok((text, answer.constraints_kept && !answer.stopped))
}

pub(crate) fn word(level: &LevelValue) -> String {
    match level {
        LevelValue::Number(x) => ten(*x),
        LevelValue::Word(word) => word.clone(),
    }
}

/// The goal with its unit; it may be unbounded.
pub(crate) fn goal(x: f64, unit: &str) -> String {
    if x.is_infinite() { "unbounded".to_owned() } else { format!("{} {unit}", ten(x)) }
}

fn table(answer: &OptimiseAnswer) -> String {
    let (name, unit) = (&answer.goal, &answer.unit);
    let verb = if answer.maximise { "largest" } else { "smallest" };
    let mut out = String::new();
    // What the best design is best because of comes before it.
    for caution in answer.cautions.iter().filter(|c| c.code != CautionCode::MeasureUnbounded) {
        let _ = writeln!(out, "{}", caution.message);
    }
    let _ = write!(
        out,
        "the {verb} {name}, {} evaluations\n{}",
        answer.evaluations,
        path_grid(answer).text(2)
    );
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
    }
    if let Some(grid) = slopes_grid(&answer.sensitivities) {
        let _ = write!(out, "\nsensitivities at the best design\n{}", grid.text(2));
    }
    out
}

/// Designs that were better than all before, the middle of a long path left out.
pub(crate) fn path_grid(answer: &OptimiseAnswer) -> Grid {
    let (name, unit) = (&answer.goal, &answer.unit);
    let heading = if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") };
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
    grid
}
