//! `carom impact`: velocities after an impact at the closed contacts, by one or several laws.

use std::path::PathBuf;

use carom::answer::{self, AnswerError, ImpactAnswer, ImpactOptions};
use carom::impact::StrikeError;

use super::assess::named_contacts;
use super::folder::Folder;
use super::{complain, opened, tell};
use crate::args;
use crate::args::StrikeFormat;
use crate::{Outcome, report, table};

/// What is written with `-o`.
const FILES: [&str; 2] = [report::FILE, "summary.json"];

/// Resolves the impact.
pub(crate) fn run(wanted: &args::Strike) -> Outcome {
    let generalised = wanted.laws.is_empty() || wanted.laws.iter().any(|l| l == "generalised");
    if wanted.removal.is_some() && !generalised {
        return Err("--removal goes with the law `generalised`: add --law generalised".to_owned());
    }
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let opened = opened(&wanted.subject)?;
    let named = named_contacts(opened.model(), &wanted.subject.file, &wanted.contacts)?;
    let options = ImpactOptions {
        laws: wanted.laws.clone(),
        restitution: wanted.restitution,
        friction: wanted.friction,
        removal: wanted.removal.map(args::RemovalWay::removal),
    };
    let chosen = (!wanted.contacts.is_empty()).then_some(named.as_slice());
    let answer = ImpactAnswer::new(&opened, &wanted.subject.sets, chosen, &options)
        .map_err(|error| explained(&error))?;
    let text = || answer::json(&answer).map_err(|error| error.to_string());
    if answer.answered().next().is_none() {
        if wanted.format == StrikeFormat::Json {
            crate::print(&text()?)?;
        }
        let file = wanted.subject.file.display();
        let why: Vec<String> =
            answer.refusals().map(|(law, why)| format!("{file}: {law}: {why}")).collect();
        return Err(why.join("\n"));
    }
    tell(&answer.cautions);
    if let Some(folder) = folder {
        let [page, summary] = FILES;
        let page = (page, Some(report::impact::html(&opened, &answer)?));
        folder.write(&[page, (summary, Some(text()?))])?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        StrikeFormat::Table => Ok(table::impact::text(&answer)),
        StrikeFormat::Json => text(),
    }
}

/// The message, and which argument would help.
fn explained(error: &AnswerError) -> String {
    match error {
        AnswerError::Law { error } => format!("--law {error}"),
        AnswerError::Impact { error: StrikeError::NothingClosed { .. }, .. } => {
            format!("{error}; move it there, or name contacts with --contact")
        }
        error => error.to_string(),
    }
}
