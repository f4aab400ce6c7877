//! `carom impact`: velocities after an impact at the closed contacts, by one or several laws.

use std::path::PathBuf;

use carom::dynamics::Mechanism;
use carom::file::Opened;
use carom::impact::laws::{Generalised, ImpactLaw, ImpactMemory, Removal, find};
use carom::impact::{Strike, StrikeError, StrikeWishes, Struck};

use super::assess::named_contacts;
use super::folder::Folder;
use super::{complain, opened, warn};
use crate::args;
use crate::args::StrikeFormat;
use crate::{Outcome, json, report, table, warnings};

/// The laws that are compared unless others are asked for.
const USUAL: [&str; 6] = ["newton", "poisson", "energetic", "generalised", "sequential", "plastic"];

/// What is written with `-o`.
const FILES: [&str; 2] = [report::FILE, "summary.json"];

/// Everything the printers need.
pub(crate) struct Report<'a> {
    /// The file, its model and state.
    pub opened: &'a Opened,
    /// The edits of the file.
    pub sets: &'a [(String, String)],
    /// The contacts that take part.
    pub strike: Strike<'a>,
    /// What each law says: an answer, or why it refuses.
    pub laws: Vec<(&'static str, Result<Struck, String>)>,
    /// What may not be meant, and what an impact did that it should not.
    pub warnings: Vec<String>,
}

/// Resolves the impact.
pub(crate) fn run(wanted: &args::Strike) -> Outcome {
    let laws = laws(wanted)?;
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let opened = opened(&wanted.subject)?;
    let file = wanted.subject.file.display();
    let named = named_contacts(opened.model(), &wanted.subject.file, &wanted.contacts)?;
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism
        .at(&opened.assembled.state)
        .map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let explain = |error: StrikeError| match error {
        StrikeError::Dynamics(error) => opened.loaded.explain_dynamics(&error),
        StrikeError::Contact(error) => opened.loaded.explain_contact(&error),
        error @ StrikeError::NothingClosed { .. } => {
            format!("{file}: {error}; move it there, or name contacts with --contact")
        }
        error => format!("{file}: {error}"),
    };
    let wishes = StrikeWishes { restitution: wanted.restitution, friction: wanted.friction };
    let chosen = (!wanted.contacts.is_empty()).then_some(named.as_slice());
    let strike = Strike::new(at, chosen, &wishes).map_err(explain)?;
    let mut memory = ImpactMemory::default();
    let mut answers = Vec::with_capacity(laws.len());
    for law in laws {
        let answer = match strike.resolve(law.as_ref(), &mut memory) {
            Ok(struck) => Ok(struck),
            Err(StrikeError::Law { error, at }) => Err(format!("{error}{at}")),
            Err(error @ StrikeError::NoRestitution { .. }) => {
                Err(format!("{error}; write one, or give --restitution"))
            }
            Err(error) => return Err(explain(error)),
        };
        answers.push((law.name(), answer));
    }
    if answers.iter().all(|(_, answer)| answer.is_err()) {
        let why: Vec<String> = answers
            .iter()
            .filter_map(|(name, answer)| {
                Some(format!("{file}: {name}: {}", answer.as_ref().err()?))
            })
            .collect();
        return Err(why.join("\n"));
    }
    let mut found = warnings::of_file(&opened);
    found.extend(warnings::of_strike(&strike, &wishes));
    for (name, answer) in &answers {
        match answer {
            Ok(struck) => found.extend(warnings::of_struck(name, &strike, struck)),
            // The table says it too; of a law nobody named that is enough.
            Err(why) if !wanted.laws.is_empty() => found.push(format!("warning: {name}: {why}")),
            Err(_) => {}
        }
    }
    warn(&found);
    let sets = &wanted.subject.sets;
    let report = Report { opened: &opened, sets, strike, laws: answers, warnings: found };
    if let Some(folder) = folder {
        let [page, summary] = FILES;
        let summary = (summary, Some(json::text(&json::impact::value(&report))));
        folder.write(&[(page, Some(report::impact::html(&report)?)), summary])?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        StrikeFormat::Table => Ok(table::impact::text(&report)),
        StrikeFormat::Json => Ok(json::text(&json::impact::value(&report))),
    }
}

/// The laws asked for, or the usual ones.
fn laws(wanted: &args::Strike) -> Result<Vec<Box<dyn ImpactLaw>>, String> {
    let usual: Vec<String> = USUAL.iter().map(|name| (*name).to_owned()).collect();
    let names = if wanted.laws.is_empty() { &usual } else { &wanted.laws };
    if wanted.removal.is_some() && !names.iter().any(|name| name == "generalised") {
        return Err("--removal goes with the law `generalised`: add --law generalised".to_owned());
    }
    let mut out: Vec<Box<dyn ImpactLaw>> = Vec::new();
    for name in names {
        let entry = find(name).map_err(|error| format!("--law {error}"))?;
        if out.iter().any(|law| law.name() == entry.name) {
            continue;
        }
        match wanted.removal {
            Some(way) if entry.name == "generalised" => {
                let removal: Removal = way.removal();
                out.push(Box::new(Generalised { removal }));
            }
            _ => out.push(Box::new(entry.law)),
        }
    }
    Ok(out)
}
