//! `carom fit`: the parameters of contact laws from measurements.

use std::fmt::Write as _;
use std::io::Read as _;
use std::sync::atomic::Ordering;

use carom::answer::fit::{ContactFit, FitOptions};

use super::folder::Folder;
use super::{machine, remark, tell};
use crate::args::{Fit, StudyFormat};
use crate::{interrupt, report, table};

/// The answer in its folder.
const ANSWER: &str = "fit.json";
/// Every measurement beside the best law.
const RESIDUALS: &str = "residuals.csv";
/// The contact to paste.
const BLOCK: &str = "contact.toml";
/// The longest file of measurements \[bytes\].
const LONGEST: u64 = 256 << 20;

pub(crate) fn run(wanted: &Fit) -> Result<String, String> {
    let folder = wanted.out.as_ref().map(|path| {
        let names = [report::FILE, ANSWER, RESIDUALS, BLOCK];
        Folder::new(path, path.clone(), &names, wanted.overwrite)
    });
    let folder = folder.transpose()?;
    let machine = machine(&wanted.subject)?;
    let name = wanted.data.display().to_string();
    let data = text(wanted).map_err(|error| format!("{name}: it cannot be read: {error}"))?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = FitOptions {
        contact: wanted.contact.clone(),
        laws: wanted.laws.clone(),
        given: wanted.given.clone(),
        over_speed: wanted.over_speed,
        robust: wanted.robust,
        level: wanted.level,
        speed: wanted.speed.clone(),
        onset: wanted.onset.clone(),
        interval: wanted.interval.clone(),
        averaged: wanted.averaged,
        threads: wanted.jobs.map_or(cores, std::num::NonZero::get),
    };
    let stop = interrupt::listen("nothing was written")?;
    let goes_on = || !stop.load(Ordering::Relaxed);
    let answer =
        machine.fit(&name, &data, &options, &goes_on).map_err(|error| error.to_string())?;
    tell(&answer.cautions);
    if let Some(folder) = folder {
        let html = report::fit::html(&machine, &answer, Some(&report::own_command()))?;
        folder.write(&[
            (ANSWER, Some(super::json(&answer)?)),
            (RESIDUALS, Some(residuals(&answer))),
            (BLOCK, answer.block.clone()),
            (report::FILE, Some(html)),
        ])?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    Ok(match wanted.format {
        StudyFormat::Table => table::fit::text(&answer),
        StudyFormat::Json => super::json(&answer)?,
    })
}

fn text(wanted: &Fit) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(&wanted.data)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    let wrong = |message: String| std::io::Error::new(std::io::ErrorKind::InvalidData, message);
    if bytes.len() as u64 > LONGEST {
        return Err(wrong(format!("longer than {LONGEST} bytes, the most that is read")));
    }
    String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))
}

/// Every measurement beside what the best law gives, in SI units.
fn residuals(answer: &ContactFit) -> String {
    let mut out = "line,quantity,unit,at,observed,predicted,deviation\n".to_owned();
    for p in &answer.points {
        // Writing to a text does not fail.
        let _ = writeln!(
            out,
            "{},{},{},{:?},{:?},{:?},{:?}",
            p.line, p.quantity, p.unit, p.at, p.observed, p.predicted, p.deviation
        );
    }
    out
}
