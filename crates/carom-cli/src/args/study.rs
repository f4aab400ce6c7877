//! What may stand behind the verbs of studies.

use std::path::PathBuf;

use carom::answer::study::Action;
use clap::{Args, ValueEnum};

use super::Subject;

/// `carom sweep`.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub subject: Subject,
    /// The folder of the study: its log, and table.csv, table.json and report.html when it is complete
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Threads; as many as there are cores if it is missing
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Go on with the sweep that is in the folder
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// Begin anew over the sweep that is in the folder
    #[arg(long)]
    pub overwrite: bool,
    /// Only part i of N, for several machines; `carom merge` joins them
    #[arg(long, value_name = "i/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom merge`.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The folders of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The folder of the whole study
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom study`.
#[derive(Debug, Args)]
pub(crate) struct Study {
    /// The folder of a sweep
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The measure that designs are ranked by; the peak force if the study has it
    #[arg(long, value_name = "MEASURE")]
    pub by: Option<String>,
    /// A second measure that is to be small: the designs that no other one beats in both (Pareto's front)
    #[arg(long, value_name = "MEASURE")]
    pub against: Option<String>,
    /// How many designs of each end of the ranking
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
    /// Leave sensitivities out: they evaluate the model again, near the file's own values
    #[arg(long)]
    pub quick: bool,
    /// Draw the study into this SVG file: curves and correlations, or a map of two variables
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
    /// Write report.html there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the figure and the report that are there
    #[arg(long)]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom map`.
#[derive(Debug, Args)]
pub(crate) struct Map {
    #[command(flatten)]
    pub subject: Subject,
    /// The variable to the right: joints.elbow.position="0 deg..90 deg"
    #[arg(long, value_name = "PATH=FROM..TO", value_parser = axis)]
    pub x: (String, String, String),
    /// The variable upwards
    #[arg(long, value_name = "PATH=FROM..TO", value_parser = axis)]
    pub y: (String, String, String),
    /// The contact; the only one if it is missing
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// What is drawn (may be repeated); effective_mass and impact_energy if it is missing
    #[arg(long = "measure", value_name = "QUANTITY")]
    pub measures: Vec<String>,
    /// Points along each axis
    #[arg(long, value_name = "N", default_value_t = 61, value_parser = clap::value_parser!(u16).range(2..=501))]
    pub count: u16,
    /// An SVG file for the figure alone; any other name is a folder for map.svg, map.csv and report.html
    #[arg(short, long, value_name = "FILE|DIR")]
    pub out: PathBuf,
    /// Replace what is there
    #[arg(long)]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The first model file
    pub first: PathBuf,
    /// The second
    pub second: PathBuf,
    /// Change a value of both before use (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = super::edit)]
    pub sets: Vec<(String, String)>,
    /// The contact, of a file with several
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// What is compared
    #[arg(long, value_enum, default_value_t = Doing::Assess)]
    pub action: Doing,
    /// Write report.html and compare.csv there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom optimise`.
#[derive(Debug, Args)]
pub(crate) struct Optimise {
    #[command(flatten)]
    pub subject: Subject,
    /// How many evaluations the searches may take, at most
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = at_least_one)]
    pub evaluations: usize,
    /// Begin with other points
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The folder of the search: its log, optimum.json and report.html
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads; as many as there are cores if it is missing. Their number changes no digit
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Go on with the search that is in the folder
    #[arg(long, conflicts_with = "overwrite", requires = "out")]
    pub resume: bool,
    /// Begin anew over the search that is in the folder
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `carom uncertainty`.
#[derive(Debug, Args)]
pub(crate) struct Uncertainty {
    #[command(flatten)]
    pub subject: Subject,
    /// The folder of the sample: its log, table.csv, table.json and report.html; it can be gone on with, and divided
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads; as many as there are cores if it is missing. Their number changes no digit
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Go on with the sample that is in the folder
    #[arg(long, conflicts_with = "overwrite", requires = "out")]
    pub resume: bool,
    /// Begin anew over the sample that is in the folder
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// Only part i of N, for several machines; `carom merge` joins them
    #[arg(long, value_name = "i/N", value_parser = shard, requires = "out")]
    pub shard: Option<(u64, u64)>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// What is done to a file that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Doing {
    /// The frozen pose
    Assess,
    /// The first impact of a simulation
    Run,
}

impl Doing {
    /// The library's word for it.
    pub(crate) fn action(self) -> Action {
        match self {
            Self::Assess => Action::Assess,
            Self::Run => Action::Run,
        }
    }
}

/// How studies are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
}

/// `path=from..to`.
fn axis(text: &str) -> Result<(String, String, String), String> {
    let parts = text.split_once('=').and_then(|(path, ends)| {
        let (from, to) = ends.split_once("..")?;
        Some([path, from, to].map(|part| part.trim().to_owned()))
    });
    match parts {
        Some([path, from, to]) if ![&path, &from, &to].iter().any(|p| p.is_empty()) => {
            Ok((path, from, to))
        }
        _ => {
            Err("expected a path and two ends, such as parameters.angle=\"0 deg..90 deg\""
                .to_owned())
        }
    }
}

/// `i/N`.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text
        .split_once('/')
        .and_then(|(part, of)| Some((part.trim().parse().ok()?, of.trim().parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) && of <= 1_000_000 => Ok((part, of)),
        _ => Err("expected a part and how many there are, such as 2/3".to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "a whole number from 1 on".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_some() {
        assert_eq!(shard("2/3"), Ok((2, 3)));
        for bad in ["0/3", "4/3", "2", "a/b", "1/0", "-1/3", "1/99999999"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
