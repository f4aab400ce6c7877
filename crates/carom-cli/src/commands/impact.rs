//! `carom impact`: velocities after an impact at the closed contacts, by one or several laws.

use std::path::PathBuf;

use carom::MachineError;
use carom::answer::{self, AnswerError, ImpactOptions};

use super::assess::contacts;
use super::folder::Folder;
use super::{machine, remark, tell};
use crate::args;
use crate::args::StrikeFormat;
use crate::{VerbResult, report, table};

/// What is written with `-o`.
const FILES: [&str; 2] = [report::FILE, "summary.json"];

/// Resolves the impact.
pub(crate) fn run(wanted: &args::Strike) -> VerbResult {
    let generalised = wanted.laws.is_empty() || wanted.laws.iter().any(|l| l == "generalised");
    if wanted.removal.is_some() && !generalised {
        return Err("--removal goes with the law `generalised`: add --law generalised".to_owned());
    }
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let machine = machine(&wanted.subject)?;
    let named = contacts(&machine, &wanted.subject.file, &wanted.contacts)?;
    let options = ImpactOptions {
        laws: wanted.laws.clone(),
        restitution: wanted.restitution,
        friction: wanted.friction,
        removal: wanted.removal.map(args::RemovalWay::removal),
    };
    let answer = machine.impact_at(&named, &options).map_err(|error| explained(&error))?;
    let text = || answer::json(&answer).map_err(|error| error.to_string());
    if answer.answered().next().is_none() {
        if wanted.format == StrikeFormat::Json {
            crate::print(&text()?)?;
        }
        let file = wanted.subject.file.display();
        if answer.unbounded {
            // Not the laws refuse: there is no impulse that is enough, by any of them.
            let why = answer.refusals().next().map_or("", |(_, why)| why);
            return Err(format!("{file}: {why}"));
        }
        let why: Vec<String> =
            answer.refusals().map(|(law, why)| format!("{file}: {law}: {why}")).collect();
        return Err(why.join("\n"));
    }
    tell(&answer.cautions);
    if let Some(folder) = folder {
        let [page, summary] = FILES;
        let page =
            (page, Some(report::impact::html(&machine, &answer, Some(&report::own_command()))?));
        folder.write(&[page, (summary, Some(text()?))])?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        StrikeFormat::Table => Ok(table::impact::text(&answer)),
        StrikeFormat::Json => text(),
    }
}

/// The message, and which argument would help.
fn explained(error: &MachineError) -> String {
    match error {
        MachineError::Answer(AnswerError::Law { error }) => format!("--law {error}"),
        MachineError::Answer(answer) if answer.is_nothing_closed() => {
            format!("{error}; move it there, or name contacts with --contact")
        }
        error => error.to_string(),
    }
}
