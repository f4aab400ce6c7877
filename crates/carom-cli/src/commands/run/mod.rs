//! `carom run`: the motion over time, every impact of it, and where the energy goes.

mod watch;

use std::path::{Path, PathBuf};

use carom::Runs;
use carom::answer::{self, Ran, RunAnswer, RunOptions, RunResult};
use carom::file::Opened;
use carom::simulate::{Outcome, Scenario, Stopped, resume, simulate_with};

use self::watch::Watch;
use super::folder::Folder;
use super::{complain, machine};
use crate::args::{Run, RunFormat};
use crate::{csv, report, table};

/// What a run writes beside its page.
const FILES: [&str; 5] =
    ["trajectory.csv", "contacts.csv", "impacts.csv", "summary.json", "checkpoint.json"];

/// A run that is prepared.
struct Prepared {
    law: Option<String>,
    scenario: Scenario,
    folder: Option<Folder>,
    earlier: Option<Outcome>,
}

/// Runs the file with each law; true if all came to their end and can be trusted.
pub(crate) fn run(wanted: &Run) -> Result<(String, bool), String> {
    let machine = machine(&wanted.subject)?;
    let opened = machine.opened();
    let (sets, options) = (&wanted.subject.sets, wanted.options());
    let prepared = prepare(wanted, opened, &options)?;
    // One page for all laws.
    let page = |path: &PathBuf| Folder::new(path, path.clone(), &[report::FILE], wanted.overwrite);
    let page = wanted.out.as_ref().map(page).transpose()?;
    let mut watch = Watch::new()?;
    let mut runs = Vec::with_capacity(prepared.len());
    let mut written = Vec::new();
    for Prepared { law, scenario, folder, earlier } in prepared {
        if watch.is_stopped() {
            complain(&format!("not begun: {}", law.as_deref().unwrap_or("the run")));
            continue;
        }
        let ran = one(opened, (law, scenario), earlier, &mut watch)?;
        if let Some(folder) = folder {
            folder.write(&files(opened, sets, &ran, &options)?)?;
            let goes_on = ran.stopped.is_some() && ran.outcome.checkpoint.is_some();
            written.push((folder.path, goes_on));
        }
        runs.push(ran);
    }
    let answer = answered(opened, sets, &runs, &options)?;
    let runs = Runs { answer, ran: runs };
    let answer = &runs.answer;
    for caution in &answer.cautions {
        complain(&caution.line());
    }
    if let Some(folder) = &page
        && !runs.ran.is_empty()
    {
        let text = report::run::html(&machine, &runs, Some(&report::own_command()))?;
        folder.write(&[(report::FILE, Some(text))])?;
    }
    answer.runs.iter().for_each(told);
    for (path, goes_on) in &written {
        let hint = if *goes_on { "; --from goes on there" } else { "" };
        complain(&format!("wrote {}{hint}", path.display()));
    }
    if let Some(folder) = page {
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    let text = match wanted.format {
        RunFormat::Table => table::run::text(machine.model(), answer),
        RunFormat::Json => answer::json(answer).map_err(|error| error.to_string())?,
    };
    Ok((text, answer.is_sound()))
}

fn answered(
    opened: &Opened,
    sets: &[(String, String)],
    runs: &[Ran],
    options: &RunOptions,
) -> Result<RunAnswer, String> {
    RunAnswer::new(opened, sets, runs, options)
        .map_err(|error| opened.loaded.explain_dynamics(&error))
}

/// Says that an event ended a run.
fn told(run: &RunResult) {
    let law = run.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
    let (t, until) = (run.state.t, run.until);
    if let Some(event) = &run.ended_by {
        complain(&format!("{law}ended at t = {t} s of {until} s by events.{event}"));
    }
}

/// Everything that can be refused is refused before the first step.
fn prepare(wanted: &Run, opened: &Opened, options: &RunOptions) -> Result<Vec<Prepared>, String> {
    let scenarios = options.scenarios(opened).map_err(|error| error.explain(opened))?;
    let several = scenarios.len() > 1;
    let mut out = Vec::with_capacity(scenarios.len());
    for (law, scenario) in scenarios {
        let below = |folder: &Path| match &law {
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
            Some(path) => Some(earlier(wanted, opened, &scenario, &below(path))?),
            None => None,
        };
        out.push(Prepared { law, scenario, folder, earlier });
    }
    Ok(out)
}

/// What the run in a folder left behind.
fn earlier(
    wanted: &Run,
    opened: &Opened,
    scenario: &Scenario,
    folder: &Path,
) -> Result<Outcome, String> {
    let path = folder.join(FILES[4]);
    let shown = path.display();
    let text = carom::file::read_regular(&path).map_err(|error| {
        format!("--from: {shown} cannot be read: {error}; a run leaves one there with -o, unless it failed")
    })?;
    RunOptions::earlier(opened, &wanted.subject.sets, scenario, &text)
        .map_err(|error| format!("--from: {shown}: {error}"))
}

/// One run, from the beginning or from where it was.
fn one(
    opened: &Opened,
    (law, scenario): (Option<String>, Scenario),
    earlier: Option<Outcome>,
    watch: &mut Watch,
) -> Result<Ran, String> {
    let model = opened.model();
    watch.begin(law.as_deref());
    let done = match earlier {
        Some(earlier) if earlier.ended_by.is_some() => {
            complain(&format!("an event had already ended the run at {} s", earlier.state.t));
            Ok(earlier)
        }
        Some(earlier) if earlier.state.t >= scenario.until => {
            complain(&format!("the run had already reached {} s", earlier.state.t));
            Ok(earlier)
        }
        Some(earlier) => resume(model, &scenario, earlier, &mut |p| watch.goes_on(p)),
        None => {
            let start = &opened.assembled.state;
            simulate_with(model, start, &scenario, &mut |p| watch.goes_on(p))
        }
    };
    let (outcome, stopped) = match done {
        Ok(outcome) => (outcome, None),
        Err(Stopped { reason, outcome: Some(outcome) }) => (*outcome, Some(reason)),
        Err(Stopped { reason, outcome: None }) => {
            return Err(opened.loaded.explain_simulation(&reason));
        }
    };
    watch.end(&outcome);
    Ok(Ran { law, scenario, outcome, stopped })
}

/// The files of a run; one that has no content is removed.
fn files(
    opened: &Opened,
    sets: &[(String, String)],
    ran: &Ran,
    options: &RunOptions,
) -> Result<[(&'static str, Option<String>); 5], String> {
    let answer = answered(opened, sets, std::slice::from_ref(ran), options)?;
    let [trajectory, contacts, impacts, summary, checkpoint] = FILES;
    let [run] = answer.runs.as_slice() else { return Err("there is no run".to_owned()) };
    let wrong = |error: serde_json::Error| error.to_string();
    Ok([
        (trajectory, Some(csv::run::trajectory(run)?)),
        (contacts, Some(csv::run::contacts(run)?)),
        (impacts, Some(csv::run::impacts(opened.model(), run)?)),
        (summary, Some(answer::json(&answer.summary()).map_err(wrong)?)),
        (checkpoint, ran.checkpoint(opened, sets).map_err(wrong)?),
    ])
}
