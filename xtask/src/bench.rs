//! `cargo xtask bench`: what one evaluation costs, in time and in instructions.
//!
//! The program `carom-bench` does the work and speaks three sentences:
//!
//! * `carom-bench` times every case and prints a table for people;
//! * `carom-bench --list` prints the names of the cases, one a line;
//! * `carom-bench --case NAME --repeat K` evaluates one case K times and prints nothing.
//!
//! The last one is run under callgrind with k and 2k repetitions: (I(2k) − I(k)) / k instructions
//! per evaluation, free of what setting up costs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::Step;
use crate::{Failure, Outcome, callgrind, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "times, and instruction counts where valgrind is installed";

/// k: enough that one evaluation's share of rounding is far below a per mille, few enough that a
/// run fifty times slower than native stays short.
const REPETITIONS: u64 = 1000;

/// What the names of a whole run and of an impact at many contacts begin with, and their k: they cost as much as some thousand
/// evaluations.
const RUN: &str = "impact-";
const STRIKE: &str = "strike-";
const RUN_REPETITIONS: u64 = 10;
/// The run whose right-hand sides are counted, and their name in a profile.
const IMPACT: &str = "impact-double-pendulum";
const RIGHT_HAND_SIDE: &str = "Motion as carom::maths::ode::System>::rate";

/// Builds `carom-bench`, prints its times, then the instruction counts.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("bench", arguments)?;
    // The command itself is what studies are compared with.
    let build =
        ["build", "--profile", "dist", "--workspace", "--bin", "carom-bench", "--bin", "carom"];
    Step::cargo(&[&build[..], &["--locked"]].concat()).run(1, 1)?;
    let target = target_directory()?;
    let bench = target.join("dist").join(format!("carom-bench{}", std::env::consts::EXE_SUFFIX));

    let status = Command::new(&bench).status().map_err(|error| cannot_start(&bench, &error))?;
    if !status.success() {
        return Err(Failure::Failed(format!("carom-bench failed ({status})")));
    }
    if !callgrind::is_available() {
        eprintln!("{}: times only, no instruction counts", callgrind::HOW_TO_GET);
        return Ok(());
    }
    count(&bench, &target.join("callgrind"))
}

/// Prints the instructions per evaluation of every case.
fn count(bench: &Path, profiles: &Path) -> Outcome {
    let list =
        Command::new(bench).arg("--list").output().map_err(|error| cannot_start(bench, &error))?;
    if !list.status.success() {
        return Err(Failure::Failed(format!("carom-bench --list failed ({})", list.status)));
    }
    let list = String::from_utf8_lossy(&list.stdout);
    let cases: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    println!("\n{:<32} {:>14} {:>22}", "case", "instructions", "per joint, loop, force");
    let mut counted = Vec::new();
    for (k, case) in cases.iter().enumerate() {
        eprintln!("[{}/{}] counting {case}", k + 1, cases.len());
        let instructions = per_evaluation(bench, case, profiles)?;
        println!("{case:<32} {instructions:>14.0} {:>22.1}", instructions / units(case));
        counted.push(((*case).to_owned(), instructions));
    }
    let label = profile_label(IMPACT, 2 * RUN_REPETITIONS);
    let rate = callgrind::per_call(profiles, &label, RIGHT_HAND_SIDE).unwrap_or(f64::NAN);
    print_bars(&counted, rate);
    Ok(())
}

/// The number at the end of a case's name: its joints, loops or forces.
fn units(case: &str) -> f64 {
    case.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(1.0)
}

/// What must hold, beside what was counted: growth that is linear, and a cost per joint and loop.
fn print_bars(counted: &[(String, f64)], right_hand_side: f64) {
    use Friction::{Plane, Smooth, Space};
    let of = |name: &str| counted.iter().find(|c| c.0 == name).map_or(f64::NAN, |c| c.1);
    let strike = |friction, contacts| dearest_strike(counted, friction, contacts);
    println!("\n{:<52} {:>10} {:>8}", "what", "counted", "bar");
    let lines = [
        ("instructions a joint, spatial chain of 32", of("spatial-chain-32") / 32.0, 900.0),
        (
            "spatial chain, 512 joints against 32",
            of("spatial-chain-512") / of("spatial-chain-32"),
            17.0,
        ),
        (
            "planar chain, 512 joints against 32",
            of("planar-chain-512") / of("planar-chain-32"),
            17.0,
        ),
        ("instructions a loop, 256 four-bars", of("four-bars-256") / 256.0, 8000.0),
        ("four-bars, 256 loops against 16", of("four-bars-256") / of("four-bars-16"), 18.0),
        ("one contact force, the dearest law but `expression`", dearest_force(counted), 150.0),
        ("the restitution a law with hysteresis delivers", of("delivered-restitution"), 5000.0),
        ("an impact at 1 contact over forming W, dearest law", strike(Smooth, 1), 3e3),
        ("an impact at 10 contacts", strike(Smooth, 10), 1e5),
        ("an impact at 100 contacts", strike(Smooth, 100), 2e7),
        ("an impact at 1 contact with friction in the plane", strike(Plane, 1), 5e3),
        ("an impact at 10 contacts with friction in the plane", strike(Plane, 10), 2e5),
        ("an impact at 100 contacts with friction in the plane", strike(Plane, 100), 4e7),
        ("an impact at 1 contact with friction in space", strike(Space, 1), 1.15e5),
        ("an impact at 10 contacts with friction in space", strike(Space, 10), 2e6),
        ("an impact at 100 contacts with friction in space", strike(Space, 100), 3e8),
        ("a stack of 20 boxes with friction in space", of("strike-plastic-stack-80"), 3e8),
        ("one body with 100 points with friction in space", of("strike-plastic-points-100"), 3e8),
        ("a right-hand side of the double pendulum", right_hand_side, 1500.0),
    ];
    for (what, found, bar) in lines {
        println!("{what:<52} {found:>10.2} {bar:>8}");
    }
}

/// The most instructions of a force beyond those of the loop that calls it; the user's own expression costs what it costs.
fn dearest_force(counted: &[(String, f64)]) -> f64 {
    let own = |name: &str| name.starts_with("force-expression");
    let forces = counted.iter().filter(|c| c.0.starts_with("force-") && !own(&c.0));
    let of = |c: &(String, f64)| c.1 / units(&c.0);
    let nothing = counted.iter().find(|c| c.0.starts_with("force-none")).map_or(f64::NAN, of);
    forces.map(of).fold(f64::NAN, f64::max) - nothing
}

/// Friction of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Friction {
    Smooth,
    Plane,
    Space,
}

impl Friction {
    fn of(name: &str) -> Self {
        match (name.contains("rough"), name.contains("space")) {
            (false, _) => Self::Smooth,
            (true, false) => Self::Plane,
            (true, true) => Self::Space,
        }
    }
}

/// The most instructions of an impact at so many contacts.
fn dearest_strike(counted: &[(String, f64)], friction: Friction, contacts: usize) -> f64 {
    let of = |name: &str| {
        let apart = name.contains("-stack-") || name.contains("-points-");
        let counted = name.starts_with(STRIKE) && !apart && units(name) == contacts as f64;
        counted && Friction::of(name) == friction
    };
    counted.iter().filter(|c| of(&c.0)).map(|c| c.1).fold(f64::NAN, f64::max)
}

/// What the profile of a case is called.
fn profile_label(case: &str, repeat: u64) -> String {
    format!("{case}.{repeat}")
}

/// (I(2k) − I(k)) / k of one case.
fn per_evaluation(bench: &Path, case: &str, profiles: &Path) -> Result<f64, Failure> {
    let instructions = |repeat: u64| {
        let count = repeat.to_string();
        let arguments = ["--case", case, "--repeat", &count];
        callgrind::instructions(bench, &arguments, profiles, &profile_label(case, repeat))
    };
    let whole = case.starts_with(RUN) || case.starts_with(STRIKE);
    let k = if whole { RUN_REPETITIONS } else { REPETITIONS };
    let (once, twice) = (instructions(k)?, instructions(2 * k)?);
    Ok((twice as f64 - once as f64) / k as f64)
}

/// Cargo's target directory, wherever it was asked to be: this program stands in a profile's
/// directory inside it.
pub(crate) fn target_directory() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.to_owned()))
        .ok_or_else(|| Failure::CouldNotRun("cannot tell the target directory".to_owned()))
}

/// A program that does not start.
fn cannot_start(program: &Path, error: &std::io::Error) -> Failure {
    Failure::CouldNotRun(format!("cannot start {}: {error}", program.display()))
}
