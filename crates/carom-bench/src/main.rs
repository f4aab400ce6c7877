//! What one evaluation of m_eff and T_c costs (poses, velocities, factors, contact row, sweep), and what the contact laws
//! cost.
//!
//! `carom-bench` prints times; `--list` the cases; `--case NAME --repeat K` runs one case, for
//! callgrind; `--peers` what `cargo xtask peers` compares with other libraries. The baseline is the textbook route on the same mechanism in the same run: form M (and
//! D), factorise it densely, solve.
#![allow(non_snake_case, reason = "matrices carry the capital letters of the papers")]

use std::hint::black_box;
use std::time::Instant;

use carom::dynamics::Mechanism;
use carom::impact::routes;
use carom::kinematics::State;
use carom::model::{Model, Space};

mod contact;
mod impacts;
mod laws;
mod many;
mod mechanisms;
mod peers;
mod runs;
mod scene;
mod second;
mod studies;

/// Time spent on each case \[s\].
const PATIENCE: f64 = 0.15;
/// Batches are not made longer than this \[s\].
const SHORT: f64 = 2e-4;
/// The dense baseline is only run up to this many velocities.
const BASELINE_LIMIT: usize = 128;

/// Makes a mechanism of a size.
type Make = fn(usize) -> Option<Model>;

/// A named mechanism and how many joints or loops it has.
struct Case {
    name: String,
    units: usize,
    unit: &'static str,
    model: Make,
}

/// Cases of one kind in several sizes.
fn family(name: &str, unit: &'static str, sizes: [usize; 5], model: Make) -> [Case; 5] {
    sizes.map(|units| Case { name: format!("{name}-{units}"), units, unit, model })
}

fn cases() -> Vec<Case> {
    let chains = [2, 8, 32, 128, 512];
    let loops = [1, 4, 16, 64, 256];
    let spatial =
        family("spatial-chain", "joint", chains, |n| mechanisms::chain(n, Space::Spatial));
    let planar = family("planar-chain", "joint", chains, |n| mechanisms::chain(n, Space::Planar));
    let four_bars = family("four-bars", "loop", loops, mechanisms::four_bars);
    spatial.into_iter().chain(planar).chain(four_bars).collect()
}

/// One evaluation; the state is nudged so that none can be reused.
fn evaluate(mechanism: &mut Mechanism<'_>, state: &mut State) -> f64 {
    state.v[0] += 1e-9;
    let Ok(at) = mechanism.at(state) else { return f64::NAN };
    let Ok(touch) = at.touch(0) else { return f64::NAN };
    let point = &touch.points()[0];
    let load = at.effective_mass(&at.contact_row(0, point, &point.normal));
    load.mass + load.energy
}

/// The same answer by dense matrices (Nikravesh-Poursina eq. 31).
fn baseline(mechanism: &mut Mechanism<'_>, state: &mut State) -> f64 {
    state.v[0] += 1e-9;
    let Ok(at) = mechanism.at(state) else { return f64::NAN };
    let Ok(touch) = at.touch(0) else { return f64::NAN };
    let point = &touch.points()[0];
    let row = at.contact_row(0, point, &point.normal);
    let A = at.jacobian_row(&row);
    let mass = routes::closed_dependent(&at.matrices(), &A).unwrap_or(f64::NAN);
    mass + 0.5 * mass * A.dot(&state.v).powi(2)
}

/// Seconds per call, the best of many batches; NaN if the call has no finite answer. Batches are so short that most are not interrupted: then
/// the least of them is CPU time, whatever else the machine does.
fn time(mut call: impl FnMut() -> f64) -> f64 {
    if !call().is_finite() {
        return f64::NAN;
    }
    let start = Instant::now();
    let mut best = f64::INFINITY;
    let mut batch = 1_u32;
    while start.elapsed().as_secs_f64() < PATIENCE {
        let begin = Instant::now();
        for _ in 0..batch {
            black_box(call());
        }
        let took = begin.elapsed().as_secs_f64();
        best = best.min(took / f64::from(batch));
        if took < SHORT {
            batch *= 2;
        }
    }
    best
}

fn print_times() {
    println!(
        "{:<20} {:>12} {:>14} {:>16} {:>8}",
        "case", "µs", "ns per unit", "dense (31), µs", "ratio"
    );
    for case in cases() {
        let Some(model) = (case.model)(case.units) else { continue };
        let mut mechanism = Mechanism::new(&model);
        let mut state = State::as_written(&model);
        let own = time(|| evaluate(&mut mechanism, &mut state));
        let per_unit = own * 1e9 / case.units as f64;
        print!("{:<20} {:>12.3} {per_unit:>8.1}/{:<5}", case.name, own * 1e6, case.unit);
        if model.nv <= BASELINE_LIMIT {
            let other = time(|| baseline(&mut mechanism, &mut state));
            println!(" {:>16.3} {:>8.1}", other * 1e6, other / own);
        } else {
            println!();
        }
    }
}

fn run(case: &str, count: u64) -> Result<(), String> {
    if let Some(call) = laws::evaluation(case).or_else(|| impacts::evaluation(case)) {
        return repeat(count, call?);
    }
    if case == runs::IMPACT {
        let (model, state) = runs::model()?;
        let scenario = runs::scenario(&model, &state, 1e-9)?;
        let run = || runs::impact(&model, &state, &scenario);
        return repeat(count, || run().map_or(f64::NAN, |out| out.drift));
    }
    if case == studies::ASSESS || case == studies::RUN {
        let study = if case == studies::RUN { studies::impacts(1e-9) } else { studies::poses() }?;
        let mut evaluator = carom::study::Evaluator::new(&study);
        let mut point = 0;
        return repeat(count, || {
            point = (point + 1) % study.design.points();
            evaluator.row(point).map_or(f64::NAN, |row| row[0])
        });
    }
    let model = cases().into_iter().find(|c| c.name == case).and_then(|c| (c.model)(c.units));
    let model = model.ok_or_else(|| format!("no such case: {case}"))?;
    let mut mechanism = Mechanism::new(&model);
    let mut state = State::as_written(&model);
    repeat(count, || evaluate(&mut mechanism, &mut state))
}

fn repeat(count: u64, mut call: impl FnMut() -> f64) -> Result<(), String> {
    for _ in 0..count {
        if !black_box(call()).is_finite() {
            return Err("the case has no finite answer".to_owned());
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] => {
            print_times();
            many::print_times();
            laws::print_times();
            impacts::print_times();
            runs::print().and_then(|()| studies::print())
        }
        ["--list"] => {
            for name in cases()
                .into_iter()
                .map(|c| c.name)
                .chain(laws::names())
                .chain(impacts::names())
                .chain([runs::IMPACT, studies::ASSESS, studies::RUN].map(str::to_owned))
            {
                println!("{name}");
            }
            Ok(())
        }
        ["--peers"] => peers::print(),
        ["--case", name, "--repeat", count] => match count.parse::<u64>() {
            Ok(count) => run(name, count),
            Err(error) => Err(format!("{count}: {error}")),
        },
        ["--contact", count, seed, problems] => match (count.parse(), seed.parse()) {
            (Ok(count), Ok(seed)) => contact::print(count, seed, problems.as_ref()),
            _ => Err(format!("{count} {seed}: expected two whole numbers")),
        },
        _ => Err("usage: carom-bench [--list | --peers | --case NAME --repeat K | --contact COUNT SEED PROBLEMS]"
            .to_owned()),
    };
    match outcome {
        Ok(()) => 0.into(),
        Err(message) => {
            eprintln!("{message}");
            2.into()
        }
    }
}
