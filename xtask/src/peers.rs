//! `cargo xtask peers`: other libraries do the same work beside carom, in one run on one machine.
//!
//! `carom-bench --peers` and every peer print the same kind of lines:
//!
//! * `chain N m_eff T_c seconds`: one evaluation of a chain of N joints in space;
//! * `batch N m_eff T_c seconds`: the same, a state of many at once;
//! * `impact TOLERANCE peak_force duration separation_speed seconds`: one impact of the double pendulum of Gonzalez et al.
//!
//! Seconds are CPU time of one call, the least of many batches. A peer whose values differ from carom's has done other work: that is a failure, not a ratio. What
//! a machine lacks is said. Sources of the peers stand in `xtask/peers`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::target_directory;
use crate::step::Step;
use crate::venv::Environment;
use crate::wheel::root;
use crate::{Failure, Outcome, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "MuJoCo, Pinocchio, odeint and SciPy beside carom: values compared, then times and ratios";

/// Values of a chain come from matrices of a condition up to some 1e6 at 512 joints, in another order of operations.
const SAME_CHAIN: f64 = 1e-9;
/// Impacts are integrated by different methods; at a tolerance of 1e-9 their errors in the peak force are some 1e-8.
const SAME_IMPACT: f64 = 1e-6;

/// Pinocchio, and the headers of Eigen that its own need.
const PIN: &str = "pin>=3\ncmeel-eigen>=3.4";

/// One line of a program.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// `chain 8`, `impact 1e-9`.
    case: String,
    values: Vec<f64>,
    seconds: f64,
}

/// A peer: its name, and how it is made and run; the error says what this machine lacks.
type Peer = (&'static str, fn(&Path) -> Result<String, String>);

const PEERS: [Peer; 5] = [
    ("MuJoCo, C", mujoco),
    ("Pinocchio, C++", pinocchio),
    ("Pinocchio, Python", pinocchio_from_python),
    ("Boost odeint, C++", odeint),
    ("SciPy, Python", scipy),
];

/// Builds everything, compares values, prints times.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("peers", arguments)?;
    Step::cargo(&[
        "build",
        "--profile",
        "dist",
        "--bin",
        "carom-bench",
        "-p",
        "carom-bench",
        "--locked",
    ])
    .run(1, 1)?;
    let target = target_directory()?;
    let folder = target.join("peers");
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::CouldNotRun(format!("{}: {error}", folder.display())))?;
    let bench = target.join("dist").join(format!("carom-bench{}", std::env::consts::EXE_SUFFIX));
    let own = output(Command::new(bench).arg("--peers")).map_err(Failure::Failed)?;
    let own = lines(&own);
    let mut found: Vec<(&str, Vec<Line>)> = Vec::new();
    for (name, peer) in PEERS {
        eprintln!("{name} …");
        match peer(&folder) {
            Ok(text) => found.push((name, lines(&text))),
            Err(lacks) => println!("{name}: not on this machine: {lacks}"),
        }
    }
    let wrong = disagreements(&own, &found);
    if !wrong.is_empty() {
        return Err(Failure::Failed(wrong.join("\n")));
    }
    print(&own, &found);
    Ok(())
}

/// What carom's value of a case is compared with: a batch with the single call of a peer.
fn counterpart(case: &str) -> String {
    case.replace("batch", "chain")
}

/// Peers whose values are not carom's.
fn disagreements(own: &[Line], peers: &[(&str, Vec<Line>)]) -> Vec<String> {
    let mut out = Vec::new();
    for line in own {
        let same = if line.case.starts_with("impact") { SAME_IMPACT } else { SAME_CHAIN };
        for (name, theirs) in peers {
            let case = counterpart(&line.case);
            let Some(other) = theirs.iter().find(|other| other.case == case) else { continue };
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= same * a.abs();
            let all = line.values.len() == other.values.len()
                && line.values.iter().zip(&other.values).all(near);
            if !all {
                out.push(format!(
                    "{name}, {}: {:?}, carom has {:?}: not the same work",
                    line.case, other.values, line.values
                ));
            }
        }
    }
    out
}

/// Times of all, and carom's advantage over each and over the best.
fn print(own: &[Line], peers: &[(&str, Vec<Line>)]) {
    println!("\nCPU time of one call; × says how many times faster carom is");
    for line in own {
        println!("{:<16} {:<20} {:>12.3} µs", line.case, "carom", line.seconds * 1e6);
        let mut best = f64::INFINITY;
        for (name, theirs) in peers {
            let case = counterpart(&line.case);
            let Some(other) = theirs.iter().find(|other| other.case == case) else { continue };
            best = best.min(other.seconds);
            let ratio = other.seconds / line.seconds;
            println!("{:<16} {name:<20} {:>12.3} µs {ratio:>8.2} ×", "", other.seconds * 1e6);
        }
        if best.is_finite() {
            println!("{:<16} {:<20} {:>24.2} ×", "", "the best of them", best / line.seconds);
        }
    }
}

/// The lines of a program that name a case.
fn lines(text: &str) -> Vec<Line> {
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, key, numbers @ ..] = words.as_slice() else { return None };
        let numbers: Vec<f64> = numbers.iter().filter_map(|word| word.parse().ok()).collect();
        let known = ["chain", "batch", "impact"].contains(kind);
        let (seconds, values) = numbers.split_last()?;
        // 1e-09 and 1e-9 are one tolerance.
        let key: f64 = key.parse().ok()?;
        known.then(|| Line {
            case: format!("{kind} {key:?}").replace(".0", ""),
            values: values.to_vec(),
            seconds: *seconds,
        })
    };
    text.lines().filter_map(read).collect()
}

/// What a program prints; the error is what it says instead.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|error| format!("{name}: {error}"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let last: Vec<&str> = said.lines().filter(|l| l.contains("rror")).take(2).collect();
    Err(format!("{name} failed ({}): {}", out.status, last.join("; ")))
}

/// The environment of a package from PyPI.
fn package(folder: &Path, name: &str, requirement: &str) -> Result<Environment, String> {
    let made = Environment::with(folder.join(name), &format!("{requirement}\n"));
    made.map_err(|failure| match failure {
        Failure::Failed(reason) | Failure::CouldNotRun(reason) => {
            format!("`pip install {}`: {reason}", requirement.replace('\n', " "))
        }
    })
}

/// A folder that a line of Python names.
fn named_folder(environment: &Environment, code: &str) -> Result<PathBuf, String> {
    let text = output(environment.call("python").args(["-c", code]))?;
    Ok(PathBuf::from(text.trim()))
}

/// A source of `xtask/peers`.
fn source(name: &str) -> PathBuf {
    root().join("xtask/peers").join(name)
}

/// Compiles a source with the arguments, unless the program that is there was made from the same, and runs it.
fn compiled(
    compiler: &str,
    name: &str,
    folder: &Path,
    arguments: &[String],
) -> Result<String, String> {
    let program = folder.join(format!("{}-peer", name.replace('.', "-")));
    let mut made_from = format!("{compiler} {}\n", arguments.join(" "));
    for file in [name, "chain.h"] {
        let path = source(file);
        let text = fs::read_to_string(&path);
        made_from += &text.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let stamp = program.with_extension("made-from");
    let is_there = program.exists() && fs::read_to_string(&stamp).is_ok_and(|s| s == made_from);
    if !is_there {
        let mut call = Command::new(compiler);
        call.args(["-O3", "-DNDEBUG", "-o"]).arg(&program).arg(source(name)).args(arguments);
        output(call.arg("-lm"))?;
        fs::write(&stamp, made_from).map_err(|error| format!("{}: {error}", stamp.display()))?;
    }
    output(&mut Command::new(&program))
}

fn mujoco(folder: &Path) -> Result<String, String> {
    let environment = package(folder, "mujoco", "mujoco>=3.2")?;
    let place = named_folder(
        &environment,
        "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])",
    )?;
    let library = first_file(&place, "libmujoco.so")?;
    let arguments = [
        format!("-I{}", place.join("include").display()),
        library.display().to_string(),
        format!("-Wl,-rpath,{}", place.display()),
    ];
    compiled("cc", "mujoco.c", folder, &arguments)
}

/// The include folder of the C++ packages that come with `pin`.
fn cmeel(folder: &Path) -> Result<(Environment, PathBuf), String> {
    let environment = package(folder, "pin", PIN)?;
    let code = "import sysconfig, os; print(os.path.join(sysconfig.get_paths()['purelib'], 'cmeel.prefix'))";
    let place = named_folder(&environment, code)?;
    Ok((environment, place))
}

fn pinocchio(folder: &Path) -> Result<String, String> {
    let (_, place) = cmeel(folder)?;
    let include = place.join("include");
    if !include.join("pinocchio/algorithm/crba.hpp").exists() {
        return Err("the package `pin` has no C++ headers here".to_owned());
    }
    let eigen = [include.join("eigen3"), PathBuf::from("/usr/include/eigen3")];
    let Some(eigen) = eigen.iter().find(|folder| folder.join("Eigen/Core").exists()) else {
        return Err("Eigen's headers; on Debian: apt-get install libeigen3-dev".to_owned());
    };
    let library = place.join("lib");
    // Its list of joints is longer than Boost's lists are without these two.
    let arguments = [
        "-DBOOST_MPL_LIMIT_LIST_SIZE=30".to_owned(),
        "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS".to_owned(),
        "-std=c++17".to_owned(),
        format!("-I{}", include.display()),
        format!("-I{}", eigen.display()),
        format!("-L{}", library.display()),
        "-lpinocchio_default".to_owned(),
        format!("-Wl,-rpath,{0},-rpath-link,{0}", library.display()),
    ];
    compiled("c++", "pinocchio.cpp", folder, &arguments)
}

fn pinocchio_from_python(folder: &Path) -> Result<String, String> {
    let environment = package(folder, "pin", PIN)?;
    output(environment.call("python").arg(source("pinocchio_chain.py")))
}

fn odeint(folder: &Path) -> Result<String, String> {
    let header = "boost/numeric/odeint.hpp";
    let mut places = vec![PathBuf::from("/usr/include"), PathBuf::from("/usr/local/include")];
    // The C++ packages of `pin` bring Boost along.
    if let Ok((_, place)) = cmeel(folder) {
        places.push(place.join("include"));
    }
    let Some(place) = places.iter().find(|place| place.join(header).exists()) else {
        return Err(format!("{header}; on Debian: apt-get install libboost-dev"));
    };
    let arguments = ["-std=c++17".to_owned(), format!("-I{}", place.display())];
    compiled("c++", "odeint.cpp", folder, &arguments)
}

fn scipy(folder: &Path) -> Result<String, String> {
    let environment = package(folder, "scipy", "scipy>=1.11")?;
    output(environment.call("python").arg(source("scipy_impact.py")))
}

/// The file of a folder whose name begins so.
fn first_file(folder: &Path, start: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = entries.flatten().map(|entry| entry.path());
    let fits = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    files.find(fits).ok_or_else(|| format!("no {start} in {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_their_case_whatever_the_digits() {
        let found = lines("chain 8 2.5 0.125 1e-6\nsomething else\nimpact 1e-09 4 5 6 2e-5\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].case, "chain 8");
        assert_eq!(found[0].values, [2.5, 0.125]);
        assert_eq!((found[1].case.as_str(), found[1].seconds), ("impact 1e-9", 2e-5));
    }

    #[test]
    fn a_peer_with_other_values_is_a_disagreement() {
        let own = lines("chain 8 2.5 0.125 1e-6\nbatch 8 2.5 0.125 1e-7");
        let same = lines("chain 8 2.5000000001 0.125 1e-6");
        let other = lines("chain 8 2.6 0.125 1e-9");
        assert_eq!(disagreements(&own, &[("a", same)]), Vec::<String>::new());
        let wrong = disagreements(&own, &[("b", other)]);
        assert_eq!(wrong.len(), 2, "the single call and the batch: {wrong:?}");
        assert!(wrong[0].contains("not the same work"), "{wrong:?}");
    }
}
