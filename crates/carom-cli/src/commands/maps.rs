//! Maps over the skin and over the reach, which `carom tip` and `carom near` share.

use std::fs;
use std::path::Path;

use carom::answer::AnswerError;
use carom::answer::robot::{Limits, NearOptions, TipAnswer, TipOptions};
use carom::{Machine, MachineError};

use super::tell;
use crate::args::{Maps, Person};
use crate::{csv, figure};

/// A file of results: its name and its content.
pub(super) type File = (&'static str, Option<String>);

/// What is judged by the limits: the options of a tip with those of a person.
pub(super) fn person(wanted: &Person, tip: TipOptions) -> Result<NearOptions, String> {
    let usual = NearOptions::default();
    let told = |error: AnswerError| error.to_string();
    let limits = match &wanted.limits {
        Some(path) => Limits::read(&path.display().to_string(), &read(path)?).map_err(told)?,
        None => usual.limits,
    };
    let area = |text: &String| TipOptions::quantity("--area", text, "m^2");
    let padding = |text: &String| TipOptions::quantity("--padding", text, "N/m");
    Ok(NearOptions {
        tip,
        limits,
        area: wanted.area.as_ref().map(area).transpose().map_err(told)?.unwrap_or(usual.area),
        padding: wanted.padding.as_ref().map(padding).transpose().map_err(told)?,
        ..NearOptions::default()
    })
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let unreadable = |error| format!("{}: it cannot be read: {error}", path.display());
    // A FIFO or a device may never end.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("{}: it is not a regular file", path.display()));
    }
    fs::read_to_string(path).map_err(unreadable)
}

/// The names of the files that maps add.
pub(super) fn names(wanted: &Maps) -> Vec<&'static str> {
    let skin = wanted.skin.map(|_| "skin.csv");
    let workspace = wanted.workspace.map(|_| ["workspace.csv", "workspace.svg"]);
    skin.into_iter().chain(workspace.into_iter().flatten()).collect()
}

/// Adds the maps to an answer and says what they lack.
pub(super) fn add(
    machine: &Machine,
    wanted: &Maps,
    options: &NearOptions,
    answer: &mut TipAnswer,
) -> Result<(), MachineError> {
    if let Some(points) = wanted.skin {
        let skin = machine.skin(options, points)?;
        tell(&skin.cautions);
        answer.skin = Some(skin);
    }
    if let Some(poses) = wanted.workspace {
        answer.workspace = Some(machine.workspace(options, poses)?);
    }
    Ok(())
}

/// The files of the maps; `speed` draws the permitted speed over the reach in place of m_eff.
pub(super) fn files(
    answer: &TipAnswer,
    bodies: &[String],
    speed: bool,
) -> Result<Vec<File>, String> {
    let mut out: Vec<File> = Vec::new();
    if let Some(skin) = &answer.skin {
        out.push(("skin.csv", Some(csv::maps::skin(skin, bodies))));
    }
    if let Some(workspace) = &answer.workspace {
        out.push(("workspace.csv", Some(csv::maps::workspace(workspace))));
        let sheet = figure::workspace::draw(&answer.tip, workspace, speed)?;
        out.push(("workspace.svg", Some(sheet)));
    }
    Ok(out)
}
