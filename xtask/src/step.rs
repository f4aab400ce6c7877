//! One step of a task: a program that is announced, timed, and must succeed.

use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;

/// A call of cargo.
pub(crate) struct Step {
    arguments: Vec<&'static str>,
    environment: Vec<(&'static str, &'static str)>,
}

impl Step {
    /// `cargo` with these arguments.
    pub(crate) fn cargo(arguments: &[&'static str]) -> Self {
        Self { arguments: arguments.to_vec(), environment: Vec::new() }
    }

    /// The same with an environment variable.
    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.environment.push((name, value));
        self
    }

    /// The step as one would type it.
    fn typed(&self) -> String {
        let mut words: Vec<String> =
            self.environment.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
        words.push("cargo".to_owned());
        words.extend(self.arguments.iter().map(|&word| word.to_owned()));
        words.join(" ")
    }

    /// Announces the step, runs it with its output passed on, and says how long it took.
    pub(crate) fn run(&self, number: usize, of: usize) -> Result<(), Failure> {
        let typed = self.typed();
        eprintln!("[{number}/{of}] {typed}");
        let start = Instant::now();
        let status = Command::new(cargo())
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            .status()
            .map_err(|error| Failure::CouldNotRun(format!("cannot start cargo: {error}")))?;
        let seconds = start.elapsed().as_secs_f64();
        if status.success() {
            eprintln!("[{number}/{of}] done in {seconds:.1} s");
            Ok(())
        } else {
            Err(Failure::Failed(format!(
                "step {number} of {of} failed after {seconds:.1} s ({status}): {typed}"
            )))
        }
    }
}

/// Announces another program as one would type it, runs it with its output passed on, and says how long it took.
pub(crate) fn program(command: &mut Command) -> Result<(), Failure> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let typed = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    eprintln!("{typed}");
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|error| Failure::CouldNotRun(format!("cannot start `{typed}`: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        eprintln!("done in {seconds:.1} s");
        return Ok(());
    }
    Err(Failure::Failed(format!("failed after {seconds:.1} s ({status}): {typed}")))
}

/// The cargo that runs this task, so that its toolchain is used throughout.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Whether a program starts and succeeds, without showing its output.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn a_step_is_announced_as_one_would_type_it() {
        let step = Step::cargo(&["doc", "--no-deps"]).with("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(step.typed(), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }
}
