//! `carom run`: the motion over time, every impact of it, and where the energy goes.

mod watch;

use std::path::{Path, PathBuf};

use carom::answer::{CheckpointError, Ran, RunOptions, RunResult};
use carom::{Machine, PlannedRun, Runs};

use self::watch::Watch;
use super::folder::Folder;
use super::{complain, machine, remark};
use crate::args::{Run, RunFormat};
use crate::{csv, picture, report, table};

/// What a run writes beside its page.
const FILES: [&str; 5] =
    ["trajectory.csv", "contacts.csv", "impacts.csv", "summary.json", "checkpoint.json"];

/// The moving picture.
const PICTURE: &str = "motion.gif";

/// Runs the file with each law; true if all came to their end and can be trusted.
pub(crate) fn run(wanted: &Run) -> Result<(String, bool), String> {
    let machine = machine(&wanted.subject)?;
    let options = wanted.options();
    let prepared = prepare(wanted, &machine, &options)?;
    // One page for all laws.
    let names = if wanted.gif { &[report::FILE, PICTURE][..] } else { &[report::FILE] };
    let page = |path: &PathBuf| Folder::new(path, path.clone(), names, wanted.overwrite);
    let page = wanted.out.as_ref().map(page).transpose()?;
    let mut watch = Watch::new()?;
    let mut runs = Vec::with_capacity(prepared.len());
    let mut written = Vec::new();
    for (planned, folder) in prepared {
        if watch.is_stopped() {
            complain(&format!("not begun: {}", planned.law().unwrap_or("the run")));
            continue;
        }
        watch.begin(planned.law());
        planned.is_over().iter().for_each(|why| remark(why));
        let ran = machine
            .perform(planned, &mut |p| watch.goes_on(p))
            .map_err(|error| error.to_string())?;
        watch.end(&ran);
        if let Some(folder) = folder {
            folder.write(&files(&machine, &ran, &options)?)?;
            written.push((folder.path, ran.can_go_on()));
        }
        runs.push(ran);
    }
    let answer = machine.answer_runs(&runs, &options).map_err(|error| error.to_string())?;
    let runs = Runs { answer, ran: runs };
    let answer = &runs.answer;
    super::caution(&answer.cautions);
    if let Some(folder) = &page
        && !runs.ran.is_empty()
    {
        let text = report::run::html(&machine, &runs, Some(&report::own_command()))?;
        folder.write(&[(report::FILE, Some(text))])?;
        if wanted.gif {
            let data = machine.run_picture(&runs).map_err(|error| error.to_string())?;
            folder.write(&[(PICTURE, Some(picture::gif(&data)?))])?;
        }
    }
    answer.runs.iter().for_each(ended);
    for (path, goes_on) in &written {
        let hint = if *goes_on { "; --from goes on there" } else { "" };
        remark(&format!("wrote {}{hint}", path.display()));
    }
    if let Some(folder) = page {
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    let text = match wanted.format {
        RunFormat::Table => table::run::text(machine.model(), answer),
        RunFormat::Json => super::json(answer)?,
    };
    Ok((text, answer.is_sound()))
}

/// Says that an event ended a run.
fn ended(run: &RunResult) {
    let law = run.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
    let (t, until) = (run.state.t, run.until);
    if let Some(event) = &run.ended_by {
        remark(&format!("{law}ended at t = {t} s of {until} s by events.{event}"));
    }
}

/// Everything that can be refused is refused before the first step.
fn prepare(
    wanted: &Run,
    machine: &Machine,
    options: &RunOptions,
) -> Result<Vec<(PlannedRun, Option<Folder>)>, String> {
    let planned = machine.plan_runs(options).map_err(|error| error.to_string())?;
    let several = planned.len() > 1;
    let mut out = Vec::with_capacity(planned.len());
    for mut run in planned {
        let law = run.law().map(str::to_owned);
        let below = |folder: &Path| match &law {
            Some(law) if several => folder.join(law),
            _ => folder.to_owned(),
        };
        let folder = match &wanted.out {
            Some(path) => Some(Folder::new(path, below(path), &FILES, wanted.overwrite)?),
            None => None,
        };
        match &wanted.from {
            // A law that was interrupted before its first step begins now.
            Some(path) if several && path.is_dir() && !below(path).exists() => {}
            Some(path) => go_on(machine, &mut run, &below(path))?,
            None => {}
        }
        out.push((run, folder));
    }
    Ok(out)
}

/// Goes on with what the run in a folder left behind.
fn go_on(machine: &Machine, run: &mut PlannedRun, folder: &Path) -> Result<(), String> {
    let path = folder.join(FILES[4]);
    let shown = path.display();
    machine.go_on_from(run, &path).map_err(|error| match error {
        CheckpointError::Unreadable(error) => format!(
            "--from: {shown} cannot be read: {error}; a run leaves one there with -o, unless it failed"
        ),
        error => format!("--from: {shown}: {error}"),
    })
}

/// The files of a run; one that has no content is removed.
fn files(
    machine: &Machine,
    ran: &Ran,
    options: &RunOptions,
) -> Result<[(&'static str, Option<String>); 5], String> {
    let answer = machine.answer_runs(std::slice::from_ref(ran), options);
    let answer = answer.map_err(|error| error.to_string())?;
    let [trajectory, contacts, impacts, summary, checkpoint] = FILES;
    let [run] = answer.runs.as_slice() else { return Err("there is no run".to_owned()) };
    Ok([
        (trajectory, Some(csv::run::trajectory(run)?)),
        (contacts, Some(csv::run::contacts(run)?)),
        (impacts, Some(csv::run::impacts(machine.model(), run)?)),
        (summary, Some(super::json(&answer.summary())?)),
        (checkpoint, machine.checkpoint(ran).map_err(|error| error.to_string())?),
    ])
}
