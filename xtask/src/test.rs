//! `cargo xtask test`: everything that must hold before a change is merged.

use std::process::Command;
use std::time::Instant;

use crate::step::{Step, cargo, succeeds};
use crate::{Failure, Outcome, browser, expect_no_arguments, public, python};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "formatting, lints, all tests, pages in a browser, documentation, Python; stops at a failure";

/// Parts of the toolchain that a minimal installation lacks: (cargo's verb, rustup's word).
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Runs the steps in order.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("test", arguments)?;
    require_components()?;
    browser::prepare()?;
    // Before the hour of work: an environment that cannot be made is told at once.
    python::prepare()?;
    let steps = [
        Step::cargo(&["fmt", "--all", "--check"]),
        Step::cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]),
        // Without the verb `reproduce` nothing has the feature `internals`: the command needs only what is public.
        Step::cargo(&["check", "-p", "carom-cli", "--no-default-features", "--lib", "--locked"]),
        Step::cargo(&["test", "--workspace", "--locked"]),
        Step::cargo(&[
            "test",
            "-p",
            "carom-cli",
            "--test",
            "browser",
            "--locked",
            "--",
            "--ignored",
        ]),
        Step::cargo(&["doc", "--workspace", "--no-deps", "--locked"])
            .with("RUSTDOCFLAGS", "-D warnings"),
    ];
    let start = Instant::now();
    for (k, step) in steps.iter().enumerate() {
        step.run(k + 1, steps.len())?;
    }
    public::run(&[])?;
    python::run(&[])?;
    eprintln!("all {} steps passed in {:.1} s", steps.len(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Names the command that installs what is missing; installing is left to the owner of the machine.
fn require_components() -> Outcome {
    let missing: Vec<&str> = COMPONENTS
        .iter()
        .filter(|(verb, _)| !succeeds(Command::new(cargo()).args([verb, "--version"])))
        .map(|&(_, component)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::CouldNotRun(format!(
        "the toolchain lacks {}; install with: rustup component add {}",
        missing.join(" and "),
        missing.join(" ")
    )))
}
