//! What may stand behind `carom sweep` and `carom merge`.

use std::path::PathBuf;

use carom::study::log::Shard;
use clap::Args;

use super::Subject;

/// `carom sweep`.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub subject: Subject,
    /// The folder of the study: its log, and table.csv and table.json when it is complete
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
    pub shard: Option<Shard>,
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
}

/// `i/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, of)| {
        Some(Shard { part: part.trim().parse().ok()?, of: of.trim().parse().ok()? })
    });
    match parts {
        Some(shard) if (1..=shard.of).contains(&shard.part) && shard.of <= 1_000_000 => Ok(shard),
        _ => Err("expected a part and how many there are, such as 2/3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_some() {
        assert_eq!(shard("2/3"), Ok(Shard { part: 2, of: 3 }));
        for bad in ["0/3", "4/3", "2", "a/b", "1/0", "-1/3", "1/99999999"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
