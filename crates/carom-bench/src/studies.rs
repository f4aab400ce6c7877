//! What studies cost: points per second, of impacts and of poses.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use carom::file::parse_files;
use carom::study::{Evaluator, Study, evaluate};

const PENDULUM: &str = include_str!("../../../models/002/double-pendulum.toml");
const PANTOGRAPH: &str = include_str!("../../../models/002/pantograph.toml");

/// The case of one assessed pose.
pub const ASSESS: &str = "study-assess-pantograph";

/// The case of one point of an impact sweep at 1e-9.
pub const RUN: &str = "impact-study-double-pendulum";

/// Runs of the naive loop: each starts a process.
const NAIVE: u32 = 20;
/// Points of the sweep on two threads.
const POINTS: u64 = 20_000;

fn study(text: &str, rest: &str) -> Result<Study, String> {
    let file = [("bench.toml".to_owned(), format!("{text}\n{rest}"))];
    let loaded = parse_files(&file, &[]).map_err(|error| error.to_string())?;
    loaded.study().map_err(|error| error.to_string())
}

/// A thousand impacts of the double pendulum.
pub fn impacts(tolerance: f64) -> Result<Study, String> {
    let text = PENDULUM.replace("duration = \"5 ms\"", "duration = \"2 ms\"");
    let rest = format!(
        "tolerance = {tolerance}\n[study]\naction = \"run\"\nmeasures = [\"peak_force\"]\n\
         [study.variables]\nx_tip = {{ range = [\"-0.38 m\", \"0.38 m\"], count = 1000 }}"
    );
    study(&text, &rest)
}

/// A map of the pantograph.
pub fn poses() -> Result<Study, String> {
    study(
        PANTOGRAPH,
        "[study.variables]\ngamma = { range = [\"-45 deg\", \"45 deg\"], count = 1000 }\n\
         angle_1 = { range = [\"60 deg\", \"80 deg\"], count = 1000 }",
    )
}

/// Seconds of a point.
fn per_point(study: &Study, mut evaluator: Evaluator<'_>) -> f64 {
    let mut point = 0;
    crate::time(|| {
        point = (point + 1) % study.design.points();
        evaluator.row(point).map_or(f64::NAN, |row| row[0])
    })
}

/// Seconds of one `carom run` from the shell, where the command stands beside this program.
fn naive() -> Option<f64> {
    let own = std::env::current_exe().ok()?;
    let carom = own.parent()?.join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/002/double-pendulum.toml");
    let start = Instant::now();
    for _ in 0..NAIVE {
        let run = Command::new(&carom).arg("run").arg(&model).args(["--until", "0.002"]).output();
        run.ok().filter(|out| out.status.success())?;
    }
    Some(start.elapsed().as_secs_f64() / f64::from(NAIVE))
}

/// Prints all of it.
pub fn print() -> Result<(), String> {
    println!("\nstudies, points per second and core");
    for tolerance in [1e-6, 1e-9] {
        let study = impacts(tolerance)?;
        let seconds = per_point(&study, Evaluator::new(&study));
        println!("  impact of the double pendulum, tolerance {tolerance:e}: {:.0}", 1.0 / seconds);
    }
    match naive() {
        Some(seconds) => println!("  the same by a loop over `carom run`: {:.0}", 1.0 / seconds),
        None => println!("  (no `carom` beside this program to compare with)"),
    }
    let poses = poses()?;
    let compiled = per_point(&poses, Evaluator::new(&poses));
    let reading = per_point(&poses, Evaluator::reading(&poses));
    println!(
        "  pose of the pantograph, compiled study: {:.0} ({:.2} µs a point, bar 5)",
        1.0 / compiled,
        compiled * 1e6
    );
    println!(
        "  the same, read and built at every point: {:.0} ({:.2} µs a point; ratio {:.1})",
        1.0 / reading,
        reading * 1e6,
        reading / compiled
    );
    let start = Instant::now();
    let mut bytes = 0;
    evaluate(&poses, 0..POINTS, 2, &mut |block| {
        bytes += block.bytes.len();
        Ok::<bool, String>(true)
    })?;
    let million = start.elapsed().as_secs_f64() * 1e6 / POINTS as f64;
    println!(
        "  a million of them on two threads: {million:.1} s, {} MB of log",
        50 * bytes / 1_000_000
    );
    Ok(())
}
