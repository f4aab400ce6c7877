//! What the solver of the contact problem must show: no refusal of what has an answer, no wrong "unique", no dependence on order, tangents or
//! handedness, and small residuals on public problems.

use std::path::Path;
use std::time::Instant;

use carom::maths::cone::{Admissible, ConeSolver, ContactPoint, ContactProblem, NoAnswer};
use carom_reference::random::Random;

use crate::scene::Scene;
use crate::second;

/// Starts of the search for other answers, and for any answer of a problem that was refused.
const OTHERS: usize = 30;
const ANY: usize = 300;
/// Velocities and impulses this far apart, of the largest, belong to different answers.
const APART: f64 = 1e-6;
/// Answers of a connected set are looked for this far from a given one, of the largest impulse.
const NEAR: f64 = 1e-4;
/// How many problems of a census are searched for other answers.
const SEARCHED: u64 = 1000;

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |m, x| m.max(x.abs()))
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |m, (x, y)| m.max((x - y).abs()))
}

fn velocities(problem: &ContactProblem<'_>, p: &[f64]) -> Vec<f64> {
    let rows = problem.W.chunks_exact(p.len()).zip(problem.c);
    rows.map(|(row, c)| c + row.iter().zip(p).map(|(w, p)| w * p).sum::<f64>()).collect()
}

/// What a census counts.
#[derive(Default)]
struct Census {
    answered: u64,
    blocked: u64,
    lost: u64,
    /// Refused or blocked, although many starts found an answer.
    solvable: u64,
    unique: u64,
    proved: u64,
    undecided: u64,
    /// Called unique, with another answer connected to it or isolated; proved to be the only one, with another.
    near: u64,
    isolated: u64,
    disproved: u64,
    /// Another impulse in another order, in other tangents or mirrored, unmarked.
    elsewhere: u64,
    residual: f64,
    work: (usize, usize),
}

impl Census {
    fn take(&mut self, count: u64, seed: u64, planar: bool, newton: bool) {
        let (mut random, mut other) = (Random::new(seed), Random::new(!seed));
        let mut solver = ConeSolver::default();
        for k in 0..count {
            let scene = Scene::random(&mut random, planar);
            let c = scene.c(newton);
            let problem = scene.problem(&c);
            match solver.solve(&problem) {
                Ok(()) => self.answered += 1,
                Err(why) => {
                    let proved = matches!(why, NoAnswer::Blocked { .. });
                    *(if proved { &mut self.blocked } else { &mut self.lost }) += 1;
                    let mut any = false;
                    second::search(&problem, None, ANY, &mut other, |_| {
                        any = true;
                        true
                    });
                    self.solvable += u64::from(any);
                    if any {
                        eprintln!("seed {seed}, problem {k}: {why:?}, but there is an answer");
                    }
                    continue;
                }
            }
            let size = largest(&solver.impulses);
            self.residual = self.residual.max(solver.residuals.velocity / size);
            let unique = solver.uniqueness;
            self.undecided += u64::from(unique.undecided);
            let p = solver.impulses.clone();
            if !unique.undecided {
                self.alter(&scene, newton, &p, (&mut solver, &mut other), (seed, k));
            }
            if unique.undecided || unique.impulses + unique.velocities > 0 {
                continue;
            }
            self.unique += 1;
            self.proved += u64::from(unique.proved);
            if k < SEARCHED {
                self.search(&problem, &p, unique.proved, (&mut other, seed, k));
            }
        }
        self.work = solver.factorisations();
    }

    /// Looks for another answer of a problem whose answer was called the only one.
    fn search(
        &mut self,
        problem: &ContactProblem<'_>,
        p: &[f64],
        proved: bool,
        (random, seed, k): (&mut Random, u64, u64),
    ) {
        let (u, size) = (velocities(problem, p), largest(p));
        let (mut near, mut isolated) = (false, false);
        second::search(problem, Some(p), OTHERS, random, |found| {
            let apart = distance(found, p).max(distance(&velocities(problem, found), &u));
            if apart > APART * size {
                // A point between two answers of a connected flat set is an answer.
                // It is looked for near p: another isolated answer may lie anywhere else.
                let step = NEAR * size;
                let part = step / distance(found, p).max(step);
                let beside: Vec<f64> =
                    p.iter().zip(found).map(|(x, y)| x + part * (y - x)).collect();
                let start = nalgebra::DVector::from_column_slice(&beside);
                let beside = second::newton(problem, start)
                    .is_some_and(|q| distance(&q, p) > 0.1 * step && distance(&q, p) < 10.0 * step);
                *(if beside { &mut near } else { &mut isolated }) = true;
            }
            near
        });
        if near || isolated {
            eprintln!("seed {seed}, problem {k}: another answer (connected: {near})");
        }
        self.near += u64::from(near);
        self.isolated += u64::from(isolated && !near);
        self.disproved += u64::from(proved && (near || isolated));
    }

    /// Solves the same impact in another order and in other tangents.
    fn alter(
        &mut self,
        scene: &Scene,
        newton: bool,
        p: &[f64],
        (solver, random): (&mut ConeSolver, &mut Random),
        (seed, k): (u64, u64),
    ) {
        let (altered, Q) = scene.altered(random);
        let c = altered.c(newton);
        let found = solver.solve(&altered.problem(&c));
        if found.is_ok() && solver.uniqueness.undecided {
            return;
        }
        let expected: Vec<f64> = Q
            .chunks_exact(p.len())
            .map(|row| row.iter().zip(p).map(|(q, p)| q * p).sum())
            .collect();
        let apart = distance(&expected, &solver.impulses) / largest(p);
        if found.is_err() || apart > 1e-10 {
            self.elsewhere += 1;
            eprintln!("seed {seed}, problem {k}: {apart:.1e} apart in another order, {found:?}");
        }
    }

    fn print(&self, name: &str, seconds: f64) {
        println!(
            "{name:<16} {:>8} {:>7} {:>9} {:>8} {:>7} {:>7} {:>9} {:>9} {:>8} {:>9} {:>9} {:>8.0e} {:>7.0}",
            self.answered,
            self.blocked,
            self.lost,
            self.solvable,
            self.unique,
            self.proved,
            self.undecided,
            self.near,
            self.isolated,
            self.disproved,
            self.elsewhere,
            self.residual,
            seconds,
        );
        eprintln!("factorisations on paths and Newton's steps: {:?}", self.work);
    }
}

/// Prints the censuses and the public problems, if the directory has them.
pub fn print(count: u64, seed: u64, problems: &Path) -> Result<(), String> {
    println!(
        "random impacts, seed {seed}: answered; refused with a proof, without; refused although {ANY} starts find an answer; called unique, \
         proved to be; undecided; of the first {SEARCHED} called unique: another answer connected, isolated, against the proof; other \
         impulses (1e-10) in another order and other tangents; residual; s"
    );
    println!(
        "{:<16} {:>8} {:>7} {:>9} {:>8} {:>7} {:>7} {:>9} {:>9} {:>8} {:>9} {:>9} {:>8} {:>7}",
        "census",
        "answered",
        "blocked",
        "not found",
        "solvable",
        "unique",
        "proved",
        "undecided",
        "connected",
        "isolated",
        "disproved",
        "elsewhere",
        "residual",
        "s"
    );
    for (name, planar, newton) in [
        ("plastic, space", false, false),
        ("plastic, plane", true, false),
        ("newton, space", false, true),
        ("newton, plane", true, true),
    ] {
        let start = Instant::now();
        let mut census = Census::default();
        // Newton's law refuses, and every refusal is searched: fewer of these say as much.
        census.take(if newton { count.div_ceil(10) } else { count }, seed, planar, newton);
        census.print(name, start.elapsed().as_secs_f64());
    }
    public(problems)
}

/// Solves the public problems.
fn public(problems: &Path) -> Result<(), String> {
    let Ok(folder) = std::fs::read_dir(problems) else {
        println!("\nno public problems: {} is not there", problems.display());
        return Ok(());
    };
    let mut files: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    files.sort();
    println!("\n{:<48} {:>8} {:>10} {:>8} {:>10}", "public problem", "contacts", "map", "s", "");
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "json")) {
        let bad = |what: &str| format!("{}: {what}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| bad(&error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| bad(&error.to_string()))?;
        let list = |name: &str| -> Result<Vec<f64>, String> {
            let list = value[name].as_array().ok_or_else(|| bad("a list is missing"))?;
            Ok(list.iter().filter_map(serde_json::Value::as_f64).collect())
        };
        let (mu, c, given) = (list("mu")?, list("q")?, list("W")?);
        let n = c.len();
        if mu.is_empty() || given.len() != n * n || !n.is_multiple_of(mu.len()) {
            return Err(bad("mu, q and W do not fit"));
        }
        let tangents = n / mu.len() - 1;
        let W: Vec<f64> = (0..n * n).map(|i| 0.5 * (given[i] + given[i % n * n + i / n])).collect();
        let point = |mu: &f64| {
            let admissible = if *mu > 0.0 { Admissible::Coulomb(*mu) } else { Admissible::Normal };
            ContactPoint { tangents, admissible, least: 0.0 }
        };
        let points: Vec<ContactPoint> = mu.iter().map(point).collect();
        let problem = ContactProblem { points: &points, W: &W, c: &c, round_off: 0.0 };
        let mut solver = ConeSolver::default();
        let start = Instant::now();
        let found = solver.solve(&problem);
        let seconds = start.elapsed().as_secs_f64();
        let name = file.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let missed = natural_map(&problem, &solver.impulses);
        let note = match found {
            Ok(()) if solver.uniqueness.undecided => "undecided".to_owned(),
            Ok(()) => String::new(),
            Err(why) => format!("{why:?}"),
        };
        println!("{name:<48} {:>8} {missed:>10.1e} {seconds:>8.2} {note:>10}", mu.len());
    }
    Ok(())
}

/// |p − P_K(p − ρ ũ)| / max(|p|, |ρ c|) with ρ = 1 / the largest diagonal entry of W.
fn natural_map(problem: &ContactProblem<'_>, p: &[f64]) -> f64 {
    let n = p.len();
    let u = velocities(problem, p);
    let rho = 1.0 / (0..n).fold(0.0_f64, |m, i| m.max(problem.W[i * (n + 1)]));
    let (mut missed, mut at) = (0.0, 0);
    for point in problem.points {
        let own = at..at + point.rows();
        at = own.end;
        let mu = if let Admissible::Coulomb(mu) = point.admissible { mu } else { 0.0 };
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let slip = norm(&u[own.start + 1..own.end]);
        let mut z: Vec<f64> = own.clone().map(|i| p[i] - rho * u[i]).collect();
        z[0] -= rho * mu * slip;
        // The projection onto the cone |z_t| ≤ μ z_n.
        let length = norm(&z[1..]);
        if mu * length <= -z[0] || (mu == 0.0 && z[0] <= 0.0) {
            z.fill(0.0);
        } else if length > mu * z[0] {
            let normal = (z[0] + mu * length) / (1.0 + mu * mu);
            z[1..].iter_mut().for_each(|t| *t *= mu * normal / length);
            z[0] = normal;
        }
        missed += z.iter().zip(&p[own]).map(|(z, p)| (z - p).powi(2)).sum::<f64>();
    }
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    missed.sqrt() / norm(p).max(rho * norm(problem.c))
}
