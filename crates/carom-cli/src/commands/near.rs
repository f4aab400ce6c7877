//! `carom near`: how fast the tip of a robot may move near a person.

use std::fs;
use std::path::Path;

use carom::MachineError;
use carom::answer::AnswerError;
use carom::answer::robot::{Limits, NearOptions, TipOptions};

use super::folder::Folder;
use super::{complain, json, machine, tell, tip};
use crate::args::{Near, RobotFormat, Subject};
use crate::{Outcome, csv, figure, report, table};

/// What is written with `-o`; the last two of a path only.
const FILES: [&str; 4] = [report::FILE, "summary.json", "profile.csv", "path.svg"];

/// Answers for one pose, or for a path; or prints the empty limits file.
pub(crate) fn run(wanted: &Near) -> Outcome {
    let (Some(file), Some(tip)) = (&wanted.file, &wanted.tip) else {
        return Ok(Limits::template().to_owned());
    };
    let subject = Subject { file: file.clone(), sets: wanted.sets.clone() };
    let written = if wanted.path.is_some() { &FILES[..] } else { &FILES[..2] };
    let folder =
        |path: &std::path::PathBuf| Folder::new(path, path.clone(), written, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let machine = machine(&subject)?;
    let file = file.display();
    let told = |error: MachineError| match error {
        // A message about another file names that file.
        MachineError::Answer(AnswerError::Asked { ref what, .. }) if what.contains(':') => {
            error.to_string()
        }
        error => format!("{file}: {error}"),
    };
    let tip = tip::options(&machine, tip, &wanted.place).map_err(told)?;
    let options = options(wanted, tip)?;
    let answer = machine.near(&options).map_err(told)?;
    tell(&answer.cautions);
    if let Some(folder) = folder {
        let posed = machine.posed(&options.tip).map_err(told)?;
        let strip = answer.path.as_ref().map(|path| figure::near::draw(&answer, path));
        let strip = strip.transpose()?;
        let command = report::own_command();
        let page = report::near::html(&posed, &answer, strip.clone(), Some(&command))?;
        let profile = answer.path.as_ref().map(|path| csv::path::text(&answer, path));
        let [name, summary, sheet, drawing] = FILES;
        let files = [
            (name, Some(page)),
            (summary, Some(json(&answer)?)),
            (sheet, profile),
            (drawing, strip),
        ];
        folder.write(&files[..written.len()])?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        RobotFormat::Table => Ok(table::near::text(&answer)),
        RobotFormat::Json => json(&answer),
    }
}

/// The options from words and files.
fn options(wanted: &Near, tip: TipOptions) -> Result<NearOptions, String> {
    let usual = NearOptions::default();
    let told = |error: AnswerError| error.to_string();
    let limits = match &wanted.limits {
        Some(path) => Limits::read(&path.display().to_string(), &read(path)?).map_err(told)?,
        None => usual.limits,
    };
    let area = |text: &String| TipOptions::quantity("--area", text, "m^2");
    let padding = |text: &String| TipOptions::quantity("--padding", text, "N/m");
    let effort = |text: &String| TipOptions::quantities("--effort", text, "N m");
    let path = |path: &std::path::PathBuf| -> Result<(String, String), String> {
        Ok((path.display().to_string(), read(path)?))
    };
    Ok(NearOptions {
        tip,
        limits,
        area: wanted.area.as_ref().map(area).transpose().map_err(told)?.unwrap_or(usual.area),
        padding: wanted.padding.as_ref().map(padding).transpose().map_err(told)?,
        effort: wanted.effort.as_ref().map(effort).transpose().map_err(told)?.unwrap_or_default(),
        free: wanted.free,
        path: wanted.path.as_ref().map(path).transpose()?,
    })
}

/// The text of a file.
fn read(path: &Path) -> Result<String, String> {
    let unreadable = |error| format!("{}: it cannot be read: {error}", path.display());
    // A FIFO or a device may never end.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("{}: it is not a regular file", path.display()));
    }
    fs::read_to_string(path).map_err(unreadable)
}
