//! What may stand behind `carom reproduce`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use carom_papers::PAPERS;

/// `carom reproduce`.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// The papers; all if none is named
    #[arg(value_name = "PAPER", value_parser = PossibleValuesParser::new(PAPERS.map(|p| p.number)))]
    pub papers: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ReproduceFormat::Table)]
    pub format: ReproduceFormat,
    /// Write index.html, the comparison and the data as CSV and each figure as SVG there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
}

/// How `reproduce` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReproduceFormat {
    /// For people
    Table,
    /// For a page: a summary, and one table a paper
    Markdown,
    /// For programs; `carom schema --answer reproduce` describes it
    Json,
}
