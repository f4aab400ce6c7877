//! What the tests of pages need: Node with its packages, and a browser. What is missing is installed where that is possible.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::succeeds;
use crate::{Failure, Outcome};

/// Names under which a browser is looked for; the tests look for the same.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Where the tests stand, from the root of the workspace.
const TESTS: &str = "crates/carom-cli/tests/browser";

/// Finds or installs everything.
pub(crate) fn prepare() -> Outcome {
    let named = std::env::var_os("CHROMIUM").is_some();
    need(named || BROWSERS.iter().any(|name| found(name)), "a browser", &["chromium"])?;
    need(found("node") && found("npm"), "Node.js with npm", &["nodejs", "npm"])?;
    packages()
}

/// Packages of the system that stand for what is missing; without the right to install them the message says what to do.
fn need(there: bool, what: &str, packages: &[&str]) -> Outcome {
    if there {
        return Ok(());
    }
    let list = packages.join(" ");
    let missing = || {
        Failure::CouldNotRun(format!(
            "the tests of the pages need {what}; install it, on Debian with: apt-get install {list}"
        ))
    };
    if !(found("apt-get") && is_root()) {
        return Err(missing());
    }
    eprintln!("installing {list}: the tests of the pages need {what}");
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "--no-install-recommends"]).args(packages);
    let updated = succeeds(Command::new("apt-get").arg("update"));
    if updated && succeeds(&mut install) { Ok(()) } else { Err(missing()) }
}

/// The packages of the lock file, unless they are there.
fn packages() -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(TESTS);
    if is_current(&folder) {
        return Ok(());
    }
    eprintln!("npm ci in {TESTS}");
    let mut install = Command::new("npm");
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
    let status = install.status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::CouldNotRun(format!(
            "the packages of {TESTS} cannot be installed: see what `npm ci` says there"
        ))),
    }
}

/// Whether what is installed is at least as new as the lock file.
fn is_current(folder: &Path) -> bool {
    let time = |name: &str| folder.join(name).metadata().and_then(|m| m.modified()).ok();
    match (time("node_modules/.package-lock.json"), time("package-lock.json")) {
        (Some(installed), Some(locked)) => installed >= locked,
        _ => false,
    }
}

/// Whether a program is on the path.
fn found(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    on(&path, name).is_some()
}

fn on(path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|place| place.is_file())
}

/// Whether packages may be installed.
fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_path_and_nowhere_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = std::env::join_paths([folder.join("src"), folder.to_owned()]).unwrap();
        assert_eq!(on(&path, "Cargo.toml"), Some(folder.join("Cargo.toml")));
        assert_eq!(on(&path, "no-such-browser"), None);
    }
}
