//! `carom import`.

use std::path::PathBuf;

use clap::Args;

use super::Reading;

/// `carom import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The robot's file (URDF or MJCF)
    pub file: PathBuf,
    /// The model file to write; without it, it is printed
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// The link whose origin becomes the marker `tip`
    #[arg(long, value_name = "LINK")]
    pub tip: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
}
