//! `carom tip`: how heavy the tip of a robot is.

use std::path::PathBuf;

use carom::answer::robot::TipOptions;
use carom::{Machine, MachineError};

use super::folder::Folder;
use super::{json, machine, maps, remark, tell};
use crate::args::{RobotFormat, Tip, TipPlace};
use crate::{VerbResult, figure, report, table};

/// What is written with `-o` beside maps.
const FILES: [&str; 3] = [report::FILE, "directions.svg", "summary.json"];

/// Answers for one pose.
pub(crate) fn run(wanted: &Tip) -> VerbResult {
    let written: Vec<&str> = FILES.into_iter().chain(maps::names(&wanted.maps)).collect();
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &written, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let machine = machine(&wanted.subject)?;
    let file = wanted.subject.file.display();
    let told = |error: MachineError| format!("{file}: {error}");
    let mut options = options(&machine, &wanted.tip, &wanted.place).map_err(told)?;
    let speed = |text: &String| TipOptions::quantity("--speed", text, "m/s");
    options.speed = wanted.speed.as_ref().map(speed).transpose().map_err(|e| e.to_string())?;
    let mut answer = machine.tip(&options).map_err(told)?;
    tell(&answer.cautions);
    let judged = maps::person(&wanted.person, options.clone())?;
    maps::add(&machine, &wanted.maps, &judged, &mut answer).map_err(told)?;
    if let Some(folder) = folder {
        let posed = machine.posed(&options).map_err(told)?;
        let svg = figure::tip::draw(&answer)?;
        let maps = maps::files(&answer, &bodies(&machine), false)?;
        let drawn = report::tip::Drawn { directions: svg.clone(), reach: sheet(&maps) };
        let page = report::tip::html(&posed, &answer, drawn, Some(&report::own_command()))?;
        let [name, drawing, summary] = FILES;
        let mut files =
            vec![(name, Some(page)), (drawing, Some(svg)), (summary, Some(json(&answer)?))];
        files.extend(maps);
        folder.write(&files)?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        RobotFormat::Table => Ok(table::tip::text(&answer)),
        RobotFormat::Json => json(&answer),
    }
}

/// The names of the bodies in their order.
pub(super) fn bodies(machine: &Machine) -> Vec<String> {
    machine.model().bodies.iter().map(|b| b.name.clone()).collect()
}

/// The drawing of the reach among the files of maps.
pub(super) fn sheet(files: &[maps::File]) -> Option<String> {
    files.iter().find(|(name, _)| *name == "workspace.svg").and_then(|(_, text)| text.clone())
}

/// The options of a tip from words.
pub(super) fn options(
    machine: &Machine,
    tip: &str,
    place: &TipPlace,
) -> Result<TipOptions, MachineError> {
    let q = place.q.as_ref().map(|text| machine.joint_values("--q", text)).transpose()?;
    let payload = |text: &String| TipOptions::quantity("--payload", text, "kg");
    let at = |text: &String| TipOptions::vector("--payload-at", text, "m");
    let direction = |text: &String| TipOptions::vector("--direction", text, "");
    Ok(TipOptions {
        tip: tip.to_owned(),
        q: q.unwrap_or_default(),
        payload: place.payload.as_ref().map(payload).transpose()?.unwrap_or(0.0),
        payload_at: place.payload_at.as_ref().map(at).transpose()?,
        locked: place.locked.clone(),
        directions: place.directions.iter().map(direction).collect::<Result<_, _>>()?,
        speed: None,
        mass: place.mass.map(crate::args::MassChoice::mass),
    })
}
