//! `cargo xtask test`: everything that must hold before a change is merged.

use std::process::Command;
use std::time::Instant;

use crate::step::{Step, cargo, succeeds};
use crate::{Failure, Outcome, browser, expect_no_arguments, public, python};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "formatting, lints, all tests, pages in a browser, documentation, Python; stops at a failure; --quick: minutes, for daily work";

/// Parts of the toolchain that a minimal installation lacks: (cargo's verb, rustup's word).
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Runs the steps in order; with `--quick` those of daily work.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let [word] = arguments
        && word == "--quick"
    {
        require_components()?;
        return in_order(&quick());
    }
    expect_no_arguments("test", arguments)?;
    require_components()?;
    browser::prepare()?;
    // Before the hour of work: an environment that cannot be made is told at once.
    python::prepare()?;
    // All crates in every step: a part of them has other features, and cargo would build its dependencies again.
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
        Step::cargo(&["test", "--workspace", "--test", "browser", "--locked", "--", "--ignored"]),
        Step::cargo(&["doc", "--workspace", "--no-deps", "--locked"])
            .with("RUSTDOCFLAGS", "-D warnings"),
    ];
    in_order(&steps)?;
    public::run(&[])?;
    python::run(&[])
}

/// The steps of daily work: what is changed compiles without a lint, unit tests hold, and the rules of the house (layers, lengths of files, twins,
/// refusals) do. What takes longest stays with the whole: lints of tests, integration tests of runs, commands, pages, Python.
fn quick() -> [Step; 4] {
    [
        Step::cargo(&["fmt", "--all", "--check"]),
        Step::cargo(&[
            "clippy",
            "-p",
            "carom",
            "-p",
            "carom-cli",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]),
        Step::cargo(&["test", "--workspace", "--lib", "--locked"]),
        Step::cargo(&[
            "test",
            "--workspace",
            "--test",
            "it",
            "--locked",
            "--",
            "layering",
            "refusal",
            "twin",
            "analytic",
            "machine",
            "robot_near",
            "robot_urdf",
            "robot_refusal",
            "study",
        ]),
    ]
}

/// Runs steps until one fails, and says how long all of them took.
fn in_order(steps: &[Step]) -> Outcome {
    let start = Instant::now();
    for (k, step) in steps.iter().enumerate() {
        step.run(k + 1, steps.len())?;
    }
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
