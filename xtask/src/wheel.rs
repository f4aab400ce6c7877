//! `cargo xtask wheel`: the Python package as a wheel.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::target_directory;
use crate::step::program;
use crate::venv::Environment;
use crate::{Failure, Outcome};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "the Python package as a wheel in target/wheels; --quick: less optimised";

/// What builds wheels.
const TOOLS: &str = "maturin>=1.9,<2\n";
/// The package, from the root of the workspace.
pub(crate) const PACKAGE: &str = "crates/carom-py";

/// Builds the wheel that is handed out.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let profile = match arguments {
        [] => "dist",
        [word] if word == "--quick" => "release",
        [first, ..] => {
            return Err(Failure::CouldNotRun(format!("`wheel` takes --quick, found `{first}`")));
        }
    };
    let wheel = build(profile, &target_directory()?.join("wheels"))?;
    println!("{}", wheel.display());
    Ok(())
}

/// Builds a wheel of that profile into a folder, where it replaces others.
pub(crate) fn build(profile: &str, to: &Path) -> Result<PathBuf, Failure> {
    let target = target_directory()?;
    let tools = Environment::with(target.join("python/tools"), TOOLS)?;
    for old in wheels(to) {
        fs::remove_file(&old).map_err(|error| {
            Failure::CouldNotRun(format!("cannot remove {}: {error}", old.display()))
        })?;
    }
    let mut maturin = tools.call("python");
    maturin.args(["-m", "maturin", "build", "--locked", "--profile", profile, "--out"]).arg(to);
    maturin.current_dir(root().join(PACKAGE));
    // Artefacts of the same profile are those of the other steps.
    maturin.env("CARGO_TARGET_DIR", &target);
    program(&mut maturin)?;
    match wheels(to).as_slice() {
        [wheel] => Ok(wheel.clone()),
        found => Err(Failure::Failed(format!(
            "{} wheels in {}, expected one",
            found.len(),
            to.display()
        ))),
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The wheels of the package in a folder.
fn wheels(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| is_wheel(path)).collect()
}

fn is_wheel(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| name.starts_with("carom-"))
        && path.extension().is_some_and(|end| end == "whl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_known_by_its_name() {
        assert!(is_wheel(Path::new("target/wheels/carom-0.2.0-cp310-abi3-linux_x86_64.whl")));
        assert!(!is_wheel(Path::new("target/wheels/numpy-2.4.6-cp311-cp311-linux_x86_64.whl")));
        assert!(!is_wheel(Path::new("target/wheels/carom-0.2.0.tar.gz")));
    }

    #[test]
    fn an_unknown_argument_is_refused_by_name() {
        let Err(Failure::CouldNotRun(reason)) = run(&["--fast".to_owned()]) else {
            panic!("an unknown argument must be refused");
        };
        assert!(reason.contains("`--fast`"), "{reason}");
    }
}
