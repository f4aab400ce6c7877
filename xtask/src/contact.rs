//! `cargo xtask contact [COUNT] [SEED]`: what the solver of the contact problem shows on random impacts and on public problems.
//!
//! The public problems are those that Siconos tests itself with, as JSON in `../shared/contact/problems`; without them the rest is printed.

use std::process::Command;

use crate::bench::target_directory;
use crate::step::{Step, program};
use crate::{Failure, Outcome};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "the contact solver on random impacts and public problems: [COUNT] [SEED]";

/// Where the public problems are looked for, from the root of the workspace.
const PROBLEMS: &str = "../shared/contact/problems";

/// Builds `carom-bench` and has it print the censuses.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let Some(bad) = arguments.iter().find(|word| word.parse::<u64>().is_err()) {
        let what = format!("`contact` takes a count and a seed, found `{bad}`");
        return Err(Failure::CouldNotRun(what));
    }
    let word = |k: usize, default: &'static str| arguments.get(k).map_or(default, String::as_str);
    Step::cargo(&["build", "--profile", "dist", "-p", "carom-bench", "--locked"]).run(1, 1)?;
    let bench = target_directory()?
        .join("dist")
        .join(format!("carom-bench{}", std::env::consts::EXE_SUFFIX));
    program(Command::new(bench).args(["--contact", word(0, "10000"), word(1, "1"), PROBLEMS]))
}
