//! `cargo xtask book`: the book under `docs/book` as HTML, by mdbook, which is installed if it is not there.

use std::path::Path;
use std::process::Command;

use crate::bench::target_directory;
use crate::step::{cargo, succeeds};
use crate::{Failure, Outcome, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "the book as HTML, by mdbook (installed if it is not there)";

/// The book's own folder, and where its pages go below the folder of builds.
const SOURCE: &str = "docs/book";
const TARGET: &str = "book";

/// The version that is installed where there is none.
const VERSION: &str = "0.4.52";

/// Builds it in the folder of builds.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("book", arguments)?;
    build(&target_directory()?.join(TARGET))
}

/// Builds it into a folder.
pub(crate) fn build(out: &Path) -> Outcome {
    if !succeeds(Command::new("mdbook").arg("--version")) {
        let install = ["install", "mdbook", "--locked", "--version", VERSION];
        eprintln!("mdbook is not there: cargo {}", install.join(" "));
        finish(Command::new(cargo()).args(install), "cargo install mdbook")?;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let current = std::env::current_dir().map_err(|e| Failure::CouldNotRun(e.to_string()))?;
    let out = current.join(out);
    finish(
        Command::new("mdbook").arg("build").arg(root.join(SOURCE)).arg("--dest-dir").arg(&out),
        "mdbook build",
    )?;
    eprintln!("open {}", out.join("index.html").display());
    Ok(())
}

/// Runs a command to its end.
fn finish(command: &mut Command, name: &str) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Failed(format!("{name}: {status}"))),
        Err(error) => Err(Failure::CouldNotRun(format!("{name}: {error}"))),
    }
}
