//! `carom near`: how fast the tip of a robot may move near a person.

use carom::MachineError;
use carom::answer::AnswerError;
use carom::answer::robot::{Limits, NearOptions, TipOptions};

use super::folder::Folder;
use super::{json, machine, maps, remark, tell, tip};
use crate::args::{Near, RobotFormat, Subject};
use crate::{VerbResult, csv, figure, report, table};

/// What is written with `-o`; the last two of a path only.
const FILES: [&str; 4] = [report::FILE, "summary.json", "profile.csv", "path.svg"];

/// Answers for one pose, or for a path; or prints the empty limits file.
pub(crate) fn run(wanted: &Near) -> VerbResult {
    let (Some(file), Some(tip)) = (&wanted.file, &wanted.tip) else {
        return Ok(Limits::template().to_owned());
    };
    let (sets, reading) = (wanted.sets.clone(), wanted.reading.clone());
    let subject = Subject { file: file.clone(), sets, reading };
    let own = if wanted.path.is_some() { &FILES[..] } else { &FILES[..2] };
    let written: Vec<&str> = own.iter().copied().chain(maps::names(&wanted.maps)).collect();
    let folder =
        |path: &std::path::PathBuf| Folder::new(path, path.clone(), &written, wanted.overwrite);
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
    let mut answer = machine.near(&options).map_err(told)?;
    tell(&answer.cautions);
    maps::add(&machine, &wanted.maps, &options, &mut answer.robot).map_err(told)?;
    if let Some(folder) = folder {
        let posed = machine.posed(&options.tip).map_err(told)?;
        let strip = answer.worst_path().map(figure::near::draw);
        let strip = strip.transpose()?;
        let command = report::own_command();
        let maps = maps::files(&answer.robot, &tip::bodies(&machine), true)?;
        let drawn = report::near::Drawn { strip: strip.clone(), reach: tip::sheet(&maps) };
        let page = report::near::html(&posed, &answer, drawn, Some(&command))?;
        let profile = answer.path.as_ref().map(|_| csv::path::text(&answer));
        let [name, summary, sheet, drawing] = FILES;
        let mut files = vec![
            (name, Some(page)),
            (summary, Some(json(&answer)?)),
            (sheet, profile),
            (drawing, strip),
        ];
        files.truncate(own.len());
        files.extend(maps);
        folder.write(&files)?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        RobotFormat::Table => Ok(table::near::text(&answer)),
        RobotFormat::Json => json(&answer),
    }
}

/// The options from words and files.
fn options(wanted: &Near, tip: TipOptions) -> Result<NearOptions, String> {
    let told = |error: AnswerError| error.to_string();
    let effort = |text: &String| TipOptions::quantities("--effort", text, "N m");
    let path = |path: &std::path::PathBuf| -> Result<(String, String), String> {
        Ok((path.display().to_string(), maps::read(path)?))
    };
    Ok(NearOptions {
        effort: wanted.effort.as_ref().map(effort).transpose().map_err(told)?.unwrap_or_default(),
        free: wanted.free,
        points: wanted.points.clone(),
        path: wanted.path.as_ref().map(path).transpose()?,
        ..maps::person(&wanted.person, tip)?
    })
}
