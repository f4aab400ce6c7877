//! `cargo xtask dist`: everything that a release hands out, in one folder with its checksums.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::target_directory;
use crate::sha256::sha256;
use crate::step::{cargo, program};
use crate::{Failure, Outcome, book, expect_no_arguments, wheel};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "what a release hands out, in target/release-files: binary, wheel, completions, manual, book, checksums";

/// The folder below that of builds.
const FOLDER: &str = "release-files";
/// The names of completions, as shells look for them.
const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "carom.bash"),
    ("zsh", "_carom"),
    ("fish", "carom.fish"),
    ("powershell", "_carom.ps1"),
];
/// Files of the repository that go along.
const BESIDE: [&str; 5] =
    ["README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE-MIT", "LICENSE-APACHE"];
/// The list of checksums, in the format of `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";

/// Makes them anew.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("dist", arguments)?;
    let target = target_directory()?;
    let out = target.join(FOLDER);
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|error| wrong(&out, &error))?;
    }
    fs::create_dir_all(&out).map_err(|error| wrong(&out, &error))?;
    let binary = command(&target, &out)?;
    for (shell, name) in COMPLETIONS {
        let text = Command::new(&binary).args(["completions", shell]).output();
        let text = text.map_err(|error| wrong(&binary, &error))?;
        if !text.status.success() {
            return Err(Failure::Failed(format!("carom completions {shell}: {}", text.status)));
        }
        let place = out.join("completions").join(name);
        write(&place, &text.stdout)?;
    }
    let manual = out.join("man");
    program(Command::new(&binary).arg("man").arg("-o").arg(&manual))?;
    for name in BESIDE {
        copy(&wheel::root().join(name), &out.join(name))?;
    }
    wheel::build("dist", &out)?;
    book::build(&out.join("book"))?;
    let mut files = Vec::new();
    list(&out, &mut files)?;
    let mut sums = String::new();
    for file in &files {
        let bytes = fs::read(file).map_err(|error| wrong(file, &error))?;
        let name = file.strip_prefix(&out).unwrap_or(file).display().to_string();
        let _ = writeln!(sums, "{}  {}", sha256(&bytes), name.replace('\\', "/"));
    }
    write(&out.join(SUMS), sums.as_bytes())?;
    println!("{}: {} files and {SUMS}", out.display(), files.len());
    Ok(())
}

/// The command, optimised as a whole and without symbols.
fn command(target: &Path, out: &Path) -> Result<PathBuf, Failure> {
    let mut build = Command::new(cargo());
    build.args(["build", "--locked", "--profile", "dist", "-p", "carom-cli"]);
    build.args(["--config", "profile.dist.strip=\"symbols\"", "--config", "profile.dist.debug=0"]);
    program(build.env("CARGO_TARGET_DIR", target))?;
    let name = format!("carom{}", std::env::consts::EXE_SUFFIX);
    let place = out.join(&name);
    copy(&target.join("dist").join(&name), &place)?;
    Ok(place)
}

/// All files below a folder, in the order of their names.
fn list(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| wrong(folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(&path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}

fn write(place: &Path, bytes: &[u8]) -> Outcome {
    let folder = place.parent().unwrap_or(Path::new("."));
    let done = fs::create_dir_all(folder).and_then(|()| fs::write(place, bytes));
    done.map_err(|error| wrong(place, &error))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(|_| ()).map_err(|error| wrong(from, &error))
}

fn wrong(place: &Path, error: &std::io::Error) -> Failure {
    Failure::CouldNotRun(format!("{}: {error}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_along_is_there() {
        for name in BESIDE {
            assert!(wheel::root().join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn the_citation_is_of_this_version() {
        let text = fs::read_to_string(wheel::root().join("CITATION.cff")).expect("it is there");
        let own = format!("version: {}", env!("CARGO_PKG_VERSION"));
        assert!(text.lines().any(|line| line == own), "{own}");
    }

    #[test]
    fn an_argument_is_refused_by_name() {
        assert!(matches!(run(&["--fast".to_owned()]), Err(Failure::CouldNotRun(_))));
    }
}
