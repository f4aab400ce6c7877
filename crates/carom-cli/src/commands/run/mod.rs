//! `carom run`: the motion over time, every impact of it, and where the energy goes.

mod checkpoint;
pub(crate) mod short;
mod watch;

use std::path::PathBuf;

use carom::contact::catalogue;
use carom::dynamics::Mechanism;
use carom::file::Opened;
use carom::model::ContactTreatment;
use carom::simulate::{Outcome, Scenario, SimulateError, Stopped, Wishes, resume, simulate_with};

use self::watch::Watch;
use super::folder::Folder;
use super::{complain, opened, warn};
use crate::args::{Run, RunFormat};
use crate::{csv, json, report, table, warnings};

/// What a run writes beside its page.
const FILES: [&str; 5] =
    ["trajectory.csv", "contacts.csv", "impacts.csv", "summary.json", "checkpoint.json"];

/// One run.
pub(crate) struct Ran {
    /// The law asked for on the command line.
    pub law: Option<String>,
    /// What was asked.
    pub scenario: Scenario,
    /// What came out.
    pub outcome: Outcome,
    /// A number of everything that went in, the duration apart.
    pub inputs: String,
    /// Why it stopped before its end, with the place in the file.
    pub stopped: Option<String>,
}

impl Ran {
    /// Whether velocities jump at onsets.
    pub(crate) fn by_impulse(&self) -> bool {
        self.scenario.treatment == ContactTreatment::Piecewise
    }
}

/// Everything the printers need.
pub(crate) struct Report<'a> {
    /// The file, its model and state.
    pub opened: &'a Opened,
    /// The edits of the file.
    pub sets: &'a [(String, String)],
    /// The runs, one per law.
    pub runs: Vec<Ran>,
    /// What may not be meant.
    pub warnings: Vec<String>,
}

/// A run that is prepared.
struct Prepared {
    law: Option<String>,
    scenario: Scenario,
    inputs: String,
    folder: Option<Folder>,
    earlier: Option<Outcome>,
}

/// Runs the file with each law; true if all came to their end.
pub(crate) fn run(wanted: &Run) -> Result<(String, bool), String> {
    let opened = opened(&wanted.subject)?;
    let mut found = warnings::of_file(&opened);
    let prepared = prepare(wanted, &opened)?;
    // One page for all laws.
    let page = |path: &PathBuf| Folder::new(path, path.clone(), &[report::FILE], wanted.overwrite);
    let page = wanted.out.as_ref().map(page).transpose()?;
    let mut watch = Watch::new()?;
    let mut runs = Vec::with_capacity(prepared.len());
    let mut ended = true;
    let mut written = Vec::new();
    for Prepared { law, scenario, inputs, folder, earlier } in prepared {
        if watch.is_stopped() {
            complain(&format!("not begun: {}", law.as_deref().unwrap_or("the run")));
            continue;
        }
        let (outcome, stopped) = one(&opened, &scenario, earlier, law.as_deref(), &mut watch)?;
        let stopped = stopped.as_ref().map(|error| match error {
            SimulateError::Interrupted { .. } => "interrupted".to_owned(),
            error => opened.loaded.explain_simulation(error),
        });
        let ran = Ran { law, scenario, outcome, inputs, stopped };
        ended &= ran.stopped.is_none();
        found.extend(short::warnings(opened.model(), &ran));
        if let Some(folder) = folder {
            folder.write(&files(&opened, &wanted.subject.sets, &ran)?)?;
            written.push((folder.path, ran.stopped.is_some() && ran.outcome.checkpoint.is_some()));
        }
        runs.push(ran);
    }
    warn(&found);
    let report = Report { opened: &opened, sets: &wanted.subject.sets, runs, warnings: found };
    if let Some(folder) = &page
        && !report.runs.is_empty()
    {
        folder.write(&[(report::FILE, Some(report::run::html(&report)?))])?;
    }
    for ran in &report.runs {
        if let Some(reason) = &ran.stopped {
            let law = ran.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
            let (t, until) = (ran.outcome.state.t, ran.scenario.until);
            complain(&format!("{law}stopped at t = {t} s of {until} s: {reason}"));
        }
    }
    for ran in &report.runs {
        if let Some(event) = ran.outcome.ended_by.and_then(|k| opened.model().events.get(k)) {
            let law = ran.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
            let (t, until) = (ran.outcome.state.t, ran.scenario.until);
            complain(&format!("{law}ended at t = {t} s of {until} s by events.{}", event.name));
        }
    }
    for (path, goes_on) in &written {
        let hint = if *goes_on { "; --from goes on there" } else { "" };
        complain(&format!("wrote {}{hint}", path.display()));
    }
    if let Some(folder) = page {
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    let text = match wanted.format {
        RunFormat::Table => table::run::text(&report),
        RunFormat::Json => json::text(&json::run::value(&report)),
    };
    Ok((text, ended))
}

/// Everything that can be refused is refused before the first step.
fn prepare(wanted: &Run, opened: &Opened) -> Result<Vec<Prepared>, String> {
    let mut laws: Vec<Option<String>> = Vec::new();
    for law in &wanted.laws {
        catalogue::find(law).map_err(|error| format!("--law: {error}"))?;
        if !laws.contains(&Some(law.clone())) {
            laws.push(Some(law.clone()));
        }
    }
    let several = laws.len() > 1;
    if laws.is_empty() {
        laws.push(None);
    }
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism
        .at(&opened.assembled.state)
        .map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let mut out = Vec::with_capacity(laws.len());
    for law in laws {
        let wishes = Wishes {
            until: wanted.until,
            treatment: wanted.method.map(crate::args::Method::treatment),
            tolerance: wanted.tolerance,
            law: law.clone(),
            impact: wanted.impact.clone(),
        };
        let scenario = Scenario::new(&at, &wishes)
            .map_err(|error| opened.loaded.explain_simulation(&error))?;
        if law.is_some() && scenario.treatment == ContactTreatment::Piecewise {
            return Err(
                "--law goes with force laws: add --method continuous, or leave it out".to_owned()
            );
        }
        if wanted.impact.is_some() && scenario.treatment == ContactTreatment::Continuous {
            return Err(
                "--impact goes with impulses: add --method piecewise, or leave it out".to_owned()
            );
        }
        let inputs = inputs(opened, &wanted.subject.sets, &scenario);
        let below = |folder: &std::path::Path| match &law {
            Some(law) if several => folder.join(law),
            _ => folder.to_owned(),
        };
        let folder = match &wanted.out {
            Some(path) => Some(Folder::new(path, below(path), &FILES, wanted.overwrite)?),
            None => None,
        };
        let earlier = match &wanted.from {
            // A law that was interrupted before its first step begins now.
            Some(path) if several && path.is_dir() && !below(path).exists() => None,
            Some(path) => Some(checkpoint::read(&below(path), &inputs)?),
            None => None,
        };
        out.push(Prepared { law, scenario, inputs, folder, earlier });
    }
    Ok(out)
}

/// One run, from the beginning or from where it was.
fn one(
    opened: &Opened,
    scenario: &Scenario,
    earlier: Option<Outcome>,
    law: Option<&str>,
    watch: &mut Watch,
) -> Result<(Outcome, Option<SimulateError>), String> {
    let model = opened.model();
    watch.begin(law);
    let outcome = match earlier {
        Some(earlier) if earlier.ended_by.is_some() => {
            complain(&format!("an event had already ended the run at {} s", earlier.state.t));
            Ok(earlier)
        }
        Some(earlier) if earlier.state.t >= scenario.until => {
            complain(&format!("the run had already reached {} s", earlier.state.t));
            Ok(earlier)
        }
        Some(earlier) => resume(model, scenario, earlier, &mut |p| watch.goes_on(p)),
        None => {
            let start = &opened.assembled.state;
            simulate_with(model, start, scenario, &mut |p| watch.goes_on(p))
        }
    };
    let (outcome, stopped) = match outcome {
        Ok(outcome) => (outcome, None),
        Err(Stopped { reason, outcome: Some(outcome) }) => (*outcome, Some(reason)),
        Err(Stopped { reason, outcome: None }) => {
            return Err(opened.loaded.explain_simulation(&reason));
        }
    };
    watch.end(&outcome);
    Ok((outcome, stopped))
}

/// The files of a run; one that has no content is removed.
fn files(
    opened: &Opened,
    sets: &[(String, String)],
    ran: &Ran,
) -> Result<[(&'static str, Option<String>); 5], String> {
    let model = opened.model();
    let [trajectory, contacts, impacts, summary, checkpoint] = FILES;
    Ok([
        (trajectory, Some(csv::run::trajectory(model, &ran.outcome)?)),
        (contacts, Some(csv::run::contacts(model, &ran.outcome)?)),
        (impacts, Some(csv::run::impacts(model, ran)?)),
        (summary, Some(json::text(&json::run::summary(opened, sets, ran)))),
        (checkpoint, checkpoint::text(ran)),
    ])
}

/// FNV-1a of the file, its edits and what was chosen beside, the duration apart.
fn inputs(opened: &Opened, sets: &[(String, String)], scenario: &Scenario) -> String {
    let mut parts = vec![opened.loaded.source.text().to_owned()];
    parts.extend(sets.iter().map(|(path, value)| format!("{path}={value}")));
    parts.push(scenario.treatment.name().to_owned());
    parts.push(scenario.impact_law.name().to_owned());
    parts.push(format!("{:x}", scenario.tolerance.to_bits()));
    let laws = scenario.contacts.iter().filter_map(|c| c.law.as_ref());
    parts.extend(laws.map(|law| law.name().to_owned()));
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in &parts {
        // A byte that no text holds ends each part.
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("fnv1a64:{hash:016x}")
}
