//! `carom uncertainty` as a user meets it: known distributions, threads, shards, kills, refusals; and goals over a sample.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// What is written for a complete sample.
const FILES: [&str; 3] = ["table.csv", "table.json", "study.log"];
/// The shares that a search is to be exact to.
const FOUND: f64 = 1e-6;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-unsure-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A block that slides against a wall: m_eff is its mass, T_c half of it times the speed squared.
    fn block(&self, more: &str) -> String {
        let text = format!(
            "carom = 1\ntitle = \"a block\"\nspace = \"planar\"\ngravity = [0, 0]\n\
             [parameters]\nx = 0\nz = 0\nspeed = \"2 m/s\"\n\
             [bodies.block]\nmass = \"3 kg\"\nshape = {{ point = true }}\ncontact.nose = {{ point = [0, 0] }}\n\
             [ground]\ncontact.wall = {{ plane = [-1, 0] }}\n\
             [joints.slide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"block\"]\naxis = [1, 0]\nvelocity = \"speed\"\n\
             [contacts.hit]\nbetween = [\"ground.wall\", \"block.nose\"]\nrestitution = 0.5\n\
             stiffness = \"1e6 N/m^1.5\"\nlaw = \"flores\"\n[simulation]\nduration = \"50 ms\"\n{more}"
        );
        let path = self.at("block.toml");
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(common::binary());
    command.args(arguments);
    command
}

fn carom(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = carom(&[arguments, &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const INPUTS: &str = "[uncertainty]\npoints = 512\nmeasures = [\"effective_mass\", \"impact_energy\"]\n\
    [uncertainty.inputs.mass]\npath = \"bodies.block.mass\"\ndistribution = \"normal\"\ndeviation = \"0.3 kg\"\n\
    [uncertainty.inputs.speed]\ndistribution = \"uniform\"\nlow = \"1.9 m/s\"\nhigh = \"2.1 m/s\"\n";

#[test]
fn intervals_of_a_normal_mass_hold_the_quantiles_of_the_table() {
    let folder = Folder::new("normal");
    let file = folder.block(INPUTS);
    let value = json(&["uncertainty", &file]);
    let mass = value["measures"].as_array().unwrap().iter();
    let mass = mass.clone().find(|m| m["measure"]["name"] == "effective_mass").unwrap();
    // Quantiles of the normal distribution at 5 % and 95 %: mean ∓ 1.644854 standard deviations.
    let known = [("mean", 3.0), ("deviation", 0.3), ("median", 3.0)];
    let tails = [("p5", 3.0 - 0.3 * 1.644_854), ("p95", 3.0 + 0.3 * 1.644_854)];
    for (name, truth) in known.into_iter().chain(tails) {
        let found = &mass["spread"][name];
        let [low, high, error] = ["low", "high", "error"].map(|k| found[k].as_f64().unwrap());
        // Twice the 95 % interval: a sample of this seed is not to fail by chance.
        let middle = found["value"].as_f64().unwrap();
        assert!((middle - truth).abs() < high - low, "{name}: {found} {truth}");
        assert!(error > 0.0 && error < 0.02, "{name}: {found}");
    }
    // m_eff knows the mass alone; T_c = ½ m v²: variances m² v⁴/4 (0.01 + 4 · 0.000833) but for products.
    let share = |m: &Value, input: &str| {
        let all = m["influences"].as_array().unwrap();
        all.iter().find(|i| i["input"] == input).unwrap()["share"]["value"].as_f64().unwrap()
    };
    assert!(share(mass, "mass") > 0.95 && share(mass, "speed").abs() < 0.05, "{mass}");
    let energy = value["measures"].as_array().unwrap().iter();
    let energy = energy.clone().find(|m| m["measure"]["name"] == "impact_energy").unwrap();
    assert!((share(energy, "mass") - 0.75).abs() < 0.08, "{energy}");
    assert!(value["headline"].as_str().unwrap().contains("mass matters most"), "{value}");
    let steps = energy["convergence"].as_array().unwrap();
    assert!(steps.len() > 2 && steps.last().unwrap()["points"] == 512, "{energy}");
}

#[test]
fn a_distribution_ends_where_the_model_refuses_and_that_is_said() {
    let folder = Folder::new("truncated");
    let file = folder.block(
        "[uncertainty]\npoints = 64\nmeasures = [\"effective_mass\"]\n[uncertainty.inputs.mass]\n\
         path = \"bodies.block.mass\"\ndistribution = \"normal\"\nmean = \"1 kg\"\ndeviation = \"1 kg\"\n",
    );
    let output = carom(&["uncertainty", &file]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Φ(−1) = 0.1587 lies below zero.
    assert!(said.contains("truncated below 0 kg") && said.contains("0.159"), "{said}");
    let value = json(&["uncertainty", &file]);
    let mass = &value["measures"][0];
    assert!(mass["range"][0].as_f64().unwrap() > 0.0, "{mass}");
    // E = μ + σ φ(α)/(1 − Φ(α)) with α = −1.
    let [mean, low, high] =
        ["value", "low", "high"].map(|k| mass["spread"]["mean"][k].as_f64().unwrap());
    assert!((mean - 1.287_600).abs() < high - low, "{mass}");
}

#[test]
fn threads_shards_and_kills_change_no_byte() {
    let folder = Folder::new("bytes");
    let file = folder.block(
        "[uncertainty]\naction = \"run\"\npoints = 128\nlaws = [\"flores\", \"hunt-crossley\"]\n\
         [uncertainty.inputs.mass]\npath = \"bodies.block.mass\"\ndistribution = \"triangular\"\n\
         low = \"2 kg\"\nhigh = \"5 kg\"\n[uncertainty.inputs.stiffness]\npath = \"contacts.hit.stiffness\"\n\
         distribution = \"lognormal\"\nrelative = 0.3\n",
    );
    let whole = folder.at("whole");
    assert!(carom(&["uncertainty", &file, "-o", &whole, "-j", "1"]).status.success());
    let same = |other: &str| {
        for name in FILES {
            let [a, b] =
                [&whole, other].map(|f| std::fs::read(PathBuf::from(f).join(name)).unwrap());
            assert!(a == b, "{other}: {name}");
        }
    };
    let threads = folder.at("threads");
    assert!(carom(&["uncertainty", &file, "-o", &threads, "-j", "3"]).status.success());
    same(&threads);
    let shards: Vec<String> = (1..=3).map(|k| folder.at(&format!("shard-{k}"))).collect();
    for (k, shard) in shards.iter().enumerate() {
        let part = format!("{}/3", k + 1);
        assert!(carom(&["uncertainty", &file, "-o", shard, "--shard", &part]).status.success());
    }
    let merged = folder.at("merged");
    let all: Vec<&str> = shards.iter().map(String::as_str).collect();
    assert!(carom(&[&["merge"], &all[..], &["-o", &merged]].concat()).status.success());
    same(&merged);
    assert!(PathBuf::from(&merged).join("report.html").exists());
    // kill -9 at some times, until one round ends by itself.
    let killed = folder.at("killed");
    let mut rounds = 0;
    loop {
        let mut child = command(&["uncertainty", &file, "-o", &killed, "--resume", "-j", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 60 * rounds));
        child.kill().unwrap();
        rounds += 1;
        if child.wait().unwrap().success() || rounds > 12 {
            break;
        }
    }
    assert!(carom(&["uncertainty", &file, "-o", &killed, "--resume"]).status.success());
    same(&killed);
    let value = json(&["uncertainty", &file]);
    assert_eq!(value["laws"].as_array().unwrap().len(), 2);
    let first = &value["measures"][0];
    assert_eq!(first["measure"]["name"], "peak_force");
    assert_eq!(first["laws"].as_array().unwrap().len(), 2);
    assert!(first["law_share"]["value"].as_f64().unwrap() > 0.0, "{first}");
    // `study` on such a folder tells the same.
    let [a, b] = [&["study", &whole][..], &["uncertainty", &file]].map(json);
    assert_eq!(a["headline"], b["headline"]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::new("refused");
    let input = |text: &str| {
        let file = folder.block(&format!(
            "[uncertainty]\npoints = 64\nmeasures = [\"effective_mass\"]\n[uncertainty.inputs.a]\n{text}"
        ));
        refused(&["uncertainty", &file])
    };
    let mass = "path = \"bodies.block.mass\"\n";
    for (text, said) in [
        ("distribution = \"gauss\"", "gauss"),
        ("distribution = \"normal\"", "deviation"),
        ("distribution = \"normal\"\ndeviation = -1", "not positive"),
        ("distribution = \"uniform\"\nlow = 2\nhigh = 1", "not below"),
        ("distribution = \"uniform\"\nlow = 1\nhigh = 2\nmean = 1", "does not belong"),
        ("distribution = \"triangular\"\nlow = 4\nhigh = 5", "between"),
        ("distribution = \"table\"\nvalues = [1, 2]\nweights = [1]", "one weight for each"),
        ("distribution = \"normal\"\ndeviation = \"1 m\"\nmean = \"1 kg\"", "[kg] and [m]"),
    ] {
        let found = input(&format!("{mass}{text}\n"));
        assert!(found.contains(said), "{text}: {found}");
    }
    let misspelt =
        input("path = \"bodies.blok.mass\"\ndistribution = \"uniform\"\nlow = 1\nhigh = 2\n");
    assert!(misspelt.contains("is `block` meant?"), "{misspelt}");
    let none = refused(&["uncertainty", &folder.block("")]);
    assert!(none.contains("no [uncertainty]"), "{none}");
    let odd = refused(&["uncertainty", &folder.block(&INPUTS.replace("512", "100"))]);
    assert!(odd.contains("a multiple of 16"), "{odd}");
    let mixed = folder.block("[study]\n[study.variables.speed]\nvalues = [1, \"fast\"]\n");
    assert!(refused(&["sweep", &mixed, "-o", &folder.at("mixed")]).contains("speed"));
    assert!(!PathBuf::from(folder.at("mixed")).exists());
}

/// m = 1 + (x + z − 0.3)², z = ±0.1 with equal probability.
fn robust(goal: &str, more: &str) -> String {
    format!(
        "[study]\nminimise = \"{goal}\"\n{more}[study.variables.x]\nrange = [-1, 1]\n\
         [uncertainty]\npoints = 32\n[uncertainty.inputs.z]\ndistribution = \"table\"\nvalues = [-0.1, 0.1]\n"
    )
}

#[test]
fn statistics_of_a_design_are_made_small() {
    let folder = Folder::new("robust");
    let found = |goal: &str, more: &str| {
        let file = folder.block(&robust(goal, more));
        let set = "bodies.block.mass=1 + (x + z - 0.3)^2";
        let value = json(&["optimise", &file, "--set", set, "--evaluations", "400"]);
        let best = value["path"].as_array().unwrap().last().unwrap().clone();
        (best["variables"][0].as_f64().unwrap(), best["value"].as_f64().unwrap())
    };
    // Scrambled points have as many of either value. mean m = 1 + (x − 0.3)² + 0.01; the larger of both values is p95;
    // their standard deviation is 2 · 0.1 · |x − 0.3| √(32/31).
    let (x, value) = found("mean(effective_mass)", "");
    assert!((x - 0.3).abs() < FOUND && (value - 1.01).abs() < FOUND, "{x} {value}");
    let (x, value) = found("p95(effective_mass)", "");
    assert!((x - 0.3).abs() < FOUND && (value - 1.01).abs() < FOUND, "{x} {value}");
    // A constraint on a statistic: x as large as std ≤ 0.02 √(32/31) allows.
    let limit = 0.02 * (32.0_f64 / 31.0).sqrt();
    let (x, _) = found("-x", &format!("constraints = \"std(effective_mass) <= {limit}\"\n"));
    assert!((x - 0.4).abs() < FOUND, "{x}");
    let text = robust("p95(effective_mass)", "");
    let alone = folder.block(text.split("[uncertainty]").next().unwrap());
    assert!(refused(&["optimise", &alone]).contains("[uncertainty]"));
}
