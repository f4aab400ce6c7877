//! Instruction counts of a program under valgrind's callgrind.
//!
//! Unlike times, counts hardly depend on what else the machine does. Setting-up is counted too, so
//! the cost of one repetition is the difference (I(2k) − I(k)) / k of two runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::step::succeeds;

/// How to get valgrind where there is none.
pub(crate) const HOW_TO_GET: &str =
    "valgrind is not installed (on Debian and Ubuntu: apt install valgrind)";

/// Whether valgrind can be run.
pub(crate) fn is_available() -> bool {
    succeeds(Command::new("valgrind").arg("--version"))
}

/// Instructions that `program` executes with these arguments.
///
/// The profile is left at `directory/callgrind.LABEL.out` for `callgrind_annotate`.
pub(crate) fn instructions(
    program: &Path,
    arguments: &[&str],
    directory: &Path,
    label: &str,
) -> Result<u64, Failure> {
    std::fs::create_dir_all(directory).map_err(|error| {
        Failure::CouldNotRun(format!("cannot create {}: {error}", directory.display()))
    })?;
    let profile = profile_path(directory, label);
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(&profile);
    let run = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(out_file)
        .arg(program)
        .args(arguments)
        .output()
        .map_err(|error| Failure::CouldNotRun(format!("cannot start valgrind: {error}")))?;
    if !run.status.success() {
        return Err(Failure::Failed(format!(
            "{} {} failed under callgrind ({}):\n{}",
            program.display(),
            arguments.join(" "),
            run.status,
            String::from_utf8_lossy(&run.stderr)
        )));
    }
    let text = std::fs::read_to_string(&profile).map_err(|error| {
        Failure::CouldNotRun(format!("cannot read {}: {error}", profile.display()))
    })?;
    total(&text).ok_or_else(|| {
        Failure::CouldNotRun(format!("{} has no `summary:` of Ir", profile.display()))
    })
}

/// Instructions per call of a function, all that it calls included, from the profile left by [`instructions`]: of those whose
/// name ends so. None if nobody calls one.
pub(crate) fn per_call(directory: &Path, label: &str, function: &str) -> Option<f64> {
    let text = std::fs::read_to_string(profile_path(directory, label)).ok()?;
    let (cost, calls) = inclusive(&text, function);
    (calls > 0).then(|| cost as f64 / calls as f64)
}

/// Inclusive cost of all calls of functions whose name ends so, and how many there are.
///
/// A call stands in three lines: `cfn=(id) name`, the name only where the id is new; `calls=count …`; position and cost.
fn inclusive(profile: &str, function: &str) -> (u64, u64) {
    let mut wanted = std::collections::HashSet::new();
    let (mut cost, mut calls) = (0, 0);
    let mut lines = profile.lines();
    let mut called = "";
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("cfn=").or_else(|| line.strip_prefix("fn=")) {
            let (id, name) = name.split_once(' ').unwrap_or((name, ""));
            if name.ends_with(function) {
                wanted.insert(id);
            }
            called = id;
        } else if let Some(count) = line.strip_prefix("calls=") {
            let number = |text: Option<&str>| text.and_then(|x| x.parse().ok()).unwrap_or(0);
            let spent = lines.next().and_then(|line| line.split_whitespace().nth(1));
            if wanted.contains(called) {
                calls += number(count.split_whitespace().next());
                cost += number(spent);
            }
        }
    }
    (cost, calls)
}

/// Where a profile goes. `%` has a meaning to valgrind and `/` to the file system, so anything but
/// letters, digits, `-` and `.` becomes `-`.
fn profile_path(directory: &Path, label: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    directory.join(format!("callgrind.{}.out", label.chars().map(plain).collect::<String>()))
}

/// The instruction count of a callgrind profile: the first number of its `summary:`, provided that
/// the first event is Ir (instructions read).
fn total(profile: &str) -> Option<u64> {
    let field = |name: &str| {
        let line = profile.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()
    };
    (field("events:")? == "Ir").then_some(())?;
    field("summary:")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{inclusive, profile_path, total};
    use std::path::Path;

    #[test]
    fn the_total_is_the_first_number_of_the_summary() {
        let profile = "version: 1\ncreator: callgrind\nevents: Ir\nsummary: 7247606\n\nfn=(1)\n";
        assert_eq!(total(profile), Some(7_247_606));
        let with_caches = "events: Ir Dr Dw\nsummary: 12 5 3\n";
        assert_eq!(total(with_caches), Some(12));
    }

    #[test]
    fn a_profile_without_instructions_gives_no_total() {
        assert_eq!(total("events: Dr\nsummary: 12\n"), None);
        assert_eq!(total("events: Ir\n"), None);
        assert_eq!(total(""), None);
    }

    #[test]
    fn calls_are_summed_over_all_callers() {
        let profile = "fn=(1) main\n1 10\ncfn=(2) <Motion as System>::rate\ncalls=3 7\n2 300\n\
                       cfn=(3) other\ncalls=1 7\n2 5\nfn=(4) more\ncfn=(2)\ncalls=1 7\n9 120\n";
        assert_eq!(inclusive(profile, "System>::rate"), (420, 4));
        assert_eq!(inclusive(profile, "nobody"), (0, 0));
    }

    #[test]
    fn a_label_cannot_leave_its_directory() {
        let path = profile_path(Path::new("out"), "chain/64 %p");
        assert_eq!(path, Path::new("out/callgrind.chain-64--p.out"));
    }
}
