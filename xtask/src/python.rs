//! `cargo xtask python`: the Python package built, installed and tested.
//!
//! Three environments stand under `target/python`: `tools` builds the wheel, `env` has what the tests compare with
//! (Pinocchio, MuJoCo, SciPy, Dask), `empty` has the wheel and NumPy alone and is made anew each time. The first two are
//! used again while what they were made from is unchanged.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::target_directory;
use crate::step::program;
use crate::venv::Environment;
use crate::wheel::{self, PACKAGE, root};
use crate::{Failure, Outcome};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "the Python package's wheel, its tests, and a first answer in an empty environment; --bench: times";

/// What the tests need.
const REQUIREMENTS: &str = "crates/carom-py/tests/requirements.txt";
/// The profile of the wheel that is tested: that of `cargo test`, with which it shares some dependencies (not carom itself: features
/// of dev-dependencies differ), and which is incremental. Wheel with nothing changed: 13 s, `release` 76 s. With the library
/// changed, on a busy machine: 133 to 165 s; `release` was not measured so. Tests: 73 to 80 s on a busy machine, 59 s with `release`.
const PROFILE: &str = "dev";

/// Builds the wheel, tests it, and uses it where nothing else is.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments {
        [] => {}
        [word] if word == "--bench" => return bench(),
        [first, ..] => {
            return Err(Failure::CouldNotRun(format!("`python` takes --bench, found `{first}`")));
        }
    }
    let (environment, wheel) = installed()?;
    let mut tests = environment.call("python");
    tests.args(["-m", "pytest", "-q", "--durations=5"]).current_dir(root().join(PACKAGE));
    program(&mut tests)?;
    first_answer(&wheel)
}

/// The environment of the tests with the package as it is now.
pub(crate) fn with_wheel() -> Result<Environment, Failure> {
    installed().map(|(environment, _)| environment)
}

fn installed() -> Result<(Environment, PathBuf), Failure> {
    let environment = prepared()?;
    let wheel = wheel::build(PROFILE, &target_directory()?.join("python/wheels"))?;
    install(&environment, &wheel)?;
    Ok((environment, wheel))
}

/// Makes the environment of the tests, unless it stands.
pub(crate) fn prepare() -> Outcome {
    prepared().map(|_| ())
}

fn prepared() -> Result<Environment, Failure> {
    let text = fs::read_to_string(root().join(REQUIREMENTS))
        .map_err(|error| Failure::CouldNotRun(format!("{REQUIREMENTS}: {error}")))?;
    Environment::with(target_directory()?.join("python/env"), &text)
}

/// Replaces the package in an environment; what it depends on is there.
fn install(environment: &Environment, wheel: &Path) -> Outcome {
    let wheel = wheel.to_string_lossy();
    environment.pip(&["install", "--quiet", "--force-reinstall", "--no-deps", &wheel])
}

/// The wheel in an environment where nothing else is: dependencies as its metadata say, three lines, the command.
fn first_answer(wheel: &Path) -> Outcome {
    let empty = Environment::empty(target_directory()?.join("python/empty"))?;
    empty.pip(&["install", "--quiet", &wheel.to_string_lossy()])?;
    let script = root().join(PACKAGE).join("tests/first_answer.py");
    program(empty.call("python").arg(script).arg(root().join("models")))?;
    program(empty.call("carom").arg("--version"))
}

/// Times of the wheel that is handed out, beside those of Pinocchio.
fn bench() -> Outcome {
    let environment = prepared()?;
    let wheel = wheel::build("dist", &target_directory()?.join("wheels"))?;
    install(&environment, &wheel)?;
    let script = root().join(PACKAGE).join("bench/compare.py");
    program(environment.call("python").arg(script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_argument_is_refused_by_name() {
        let Err(Failure::CouldNotRun(reason)) = run(&["--quick".to_owned()]) else {
            panic!("an unknown argument must be refused");
        };
        assert!(reason.contains("`--quick`"), "{reason}");
    }

    #[test]
    fn the_requirements_have_lower_bounds_and_name_no_source() {
        let text = fs::read_to_string(root().join(REQUIREMENTS)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for line in lines {
            assert!(line.contains(">="), "{line}: no lower bound");
            assert!(!line.contains("://") && !line.starts_with('-'), "{line}: names a source");
        }
    }
}
