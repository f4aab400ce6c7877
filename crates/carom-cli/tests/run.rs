//! `carom run` as a person or a script meets it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::valid;
use serde_json::Value;

/// Nikravesh-Poursina example 5 gives the first onset and its m_eff to this many digits.
const PUBLISHED: f64 = 1e-9;
/// The ledger may drift by 100 tolerances of 1e-9 by the largest energy.
const DRIFT: f64 = 1e-7;
/// What a run writes.
const FILES: [&str; 6] = [
    "checkpoint.json",
    "contacts.csv",
    "impacts.csv",
    "report.html",
    "summary.json",
    "trajectory.csv",
];

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(name).display().to_string()
}

fn pendulums() -> String {
    model("000/two-pendulums.toml")
}

/// A place of the test's own where nothing is.
fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn written(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(common::binary());
    command.arg("run").args(arguments);
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn ended(arguments: &[&str], code: i32) -> String {
    let output = command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn done(arguments: &[&str]) -> String {
    ended(arguments, 0)
}

/// The answer; it holds to its schema.
fn json(arguments: &[&str]) -> Value {
    valid("run", &done(&[arguments, &["--format", "json"]].concat()))
}

/// What a run that must be refused says; nothing stands on stdout.
fn refused(arguments: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    stderr(&output)
}

fn files(folder: &Path) -> Vec<String> {
    let mut out: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    out.sort();
    out
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Cells by rows, the heading first.
fn cells(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

fn near(value: &Value, expected: f64, relative: f64) {
    let x = value.as_f64().unwrap();
    assert!((x / expected - 1.0).abs() <= relative, "{x} is not {expected}");
}

#[test]
fn two_pendulums_strike_three_times() {
    let table = done(&[&pendulums()]);
    let rows = ["1       strike   1.142445818  0.0811256", "balance", "right-hand sides", "e*"];
    for part in rows {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
    for arguments in [vec![], vec!["--method", "piecewise"]] {
        let value = json(&[&[pendulums().as_str()], arguments.as_slice()].concat());
        let run = &value["runs"][0];
        let impacts = run["impacts"].as_array().unwrap();
        assert_eq!(impacts.len(), 3);
        near(&impacts[0]["onset"], 1.142_445_818, PUBLISHED);
        near(&impacts[0]["effective_mass"], 0.081_125_630_8, PUBLISHED);
        assert_eq!(run["stopped"], Value::Null);
        assert!(run["ledger"]["relative_drift"].as_f64().unwrap() < DRIFT);
        let piecewise = !arguments.is_empty();
        assert_eq!(impacts[0]["impulse"].is_null(), !piecewise);
        assert_eq!(impacts[0]["peak_force"].is_null(), piecewise);
        if piecewise {
            near(&impacts[2]["restitution"], 0.3, 1e-10);
            // The pose does not move during an impulse.
            near(&impacts[2]["energetic_restitution"], 0.3, 1e-10);
        }
    }
}

#[test]
fn laws_are_compared_impact_by_impact() {
    let laws = ["--law", "flores", "--law", "exact", "--law", "flores"];
    let file = pendulums();
    let table = done(&[&[file.as_str()], laws.as_slice()].concat());
    assert_eq!(table.matches("spread  ").count(), 3, "{table}");
    let value = json(&[&[file.as_str()], laws.as_slice()].concat());
    let runs = value["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    let third = |run: &Value, key: &str| run["impacts"][2][key].as_f64().unwrap();
    for key in ["onset", "peak_force", "duration", "separation_speed"] {
        let [a, b] = [&runs[0], &runs[1]].map(|run| third(run, key));
        let spread = &value["comparison"][2][key];
        near(&spread["spread"], (a - b).abs(), 1e-12);
        near(&spread["relative"], 2.0 * (a - b).abs() / (a + b), 1e-12);
    }
    // `flores` takes more than it is asked to, so the rod comes back later.
    assert!(third(&runs[0], "onset") > third(&runs[1], "onset") + 0.1);
}

#[test]
fn a_folder_holds_the_whole_run() {
    let folder = place("whole-run");
    let out = folder.display().to_string();
    let file = pendulums();
    done(&[&file, "-o", &out]);
    assert_eq!(files(&folder), FILES);
    let value = json(&[&file, "--reactions"]);
    let run = &value["runs"][0];
    let text = read(&folder, "trajectory.csv");
    let trajectory = cells(&text);
    let heading = &trajectory[0];
    assert_eq!(&heading[..3], ["t [s]", "q.pivot_1.angle [rad]", "q.pivot_2.angle [rad]"]);
    assert!(trajectory.iter().all(|row| row.len() == heading.len()));
    // 501 even moments, two at each onset, parting and opening of three impacts, and those inside the impacts.
    let events = trajectory.iter().filter(|row| row.last() == Some(&"1")).count();
    // The start of the run is marked, too.
    assert_eq!(events, 1 + 2 * 9);
    assert!(trajectory.len() > 1 + 501 + 2 * 9 + 3 * 10, "{}", trajectory.len());
    let last = trajectory.last().unwrap();
    assert_eq!(last[1].parse::<f64>().unwrap(), run["state"]["q"][0].as_f64().unwrap());
    let text = read(&folder, "impacts.csv");
    let impacts = cells(&text);
    assert_eq!(impacts.len(), 4);
    let peak = impacts[0].iter().position(|h| *h == "peak force [N]").unwrap();
    assert_eq!(impacts[1][peak].parse().ok(), run["impacts"][0]["peak_force"].as_f64());
    let text = read(&folder, "contacts.csv");
    let contacts = cells(&text);
    assert!(contacts.len() > 3 * 10, "{}", contacts.len());
    let forces = contacts[1..].iter().map(|row| row[5].parse::<f64>().unwrap());
    let most = forces.fold(0.0, f64::max);
    let peak: f64 = impacts[1][peak].parse().unwrap();
    assert!(most <= peak && most > 0.9 * peak, "{most} {peak}");
    let summary = valid("run", &read(&folder, "summary.json"));
    let short = &summary["runs"][0];
    let all =
        ["inputs", "tolerance", "counts", "ledger", "closure_gap", "stopped", "state", "impacts"];
    for key in all {
        assert_eq!(short[key], run[key], "{key}");
    }
    assert!(short["columns"].is_null());
    let edited = json(&[&file, "--set", "bodies.rod_1.mass=1.1"]);
    assert_ne!(edited["runs"][0]["inputs"], run["inputs"]);
}

#[test]
fn what_is_there_is_not_replaced_unasked() {
    let folder = place("not-replaced");
    let out = folder.display().to_string();
    let file = pendulums();
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    done(&[&file, "-o", &out, "--until", "1"]);
    let before = read(&folder, "trajectory.csv");
    let message = refused(&[&file, "-o", &out]);
    assert!(message.contains("trajectory.csv is there already; --overwrite"), "{message}");
    assert_eq!(read(&folder, "trajectory.csv"), before);
    done(&[&file, "-o", &out, "--overwrite"]);
    assert_ne!(read(&folder, "trajectory.csv"), before);
    assert_eq!(read(&folder, "notes.txt"), "mine");
    assert_eq!(files(&folder).len(), FILES.len() + 1);
    assert!(refused(&[&file, "-o", &format!("{out}/a/b")]).contains("there is no folder"));
    let message = refused(&[&file, "-o", &format!("{out}/notes.txt")]);
    assert!(message.contains("is a file, not a folder"), "{message}");
    // Several laws, a folder each.
    done(&[&file, "--law", "exact", "--law", "ye", "-o", &format!("{out}/laws")]);
    assert_eq!(files(&folder.join("laws")), ["exact", "report.html", "ye"]);
    let of_one: Vec<&str> = FILES.into_iter().filter(|name| *name != "report.html").collect();
    assert_eq!(files(&folder.join("laws/ye")), of_one);
}

#[test]
fn what_cannot_run_is_refused() {
    let file = pendulums();
    let text = std::fs::read_to_string(&file).unwrap();
    let (text, _) = text.split_once("restitution = ").unwrap();
    // Neither restitution nor law nor duration.
    let bare = written("bare.toml", text);
    assert!(refused(&[&bare]).contains("no duration is given"));
    let message = refused(&[&bare, "--until", "1"]);
    assert!(message.contains("bare.toml:38:11") && message.contains("--law"), "{message}");
    let message = refused(&[&file, "--law", "florez"]);
    assert!(message.contains("did you mean `flores`?"), "{message}");
    for bad in ["0", "1", "-1e-9", "nan"] {
        assert!(refused(&[&file, "--tolerance", bad]).contains("1e-14 to 1e-2"), "{bad}");
    }
    for bad in ["0", "-3", "inf"] {
        assert!(refused(&[&file, "--until", bad]).contains("a positive time"), "{bad}");
    }
    for (option, bad) in [("--tolerance", "small"), ("--until", "soon")] {
        assert!(refused(&[&file, option, bad]).contains("expected a number"), "{bad}");
    }
    let message = refused(&[&file, "--law", "impact"]);
    assert!(message.contains("two-pendulums.toml:42:7: contacts.strike: law"), "{message}");
    assert!(message.contains("max_damping"), "{message}");
    let message = refused(&[&file, "--law", "kelvin-voigt"]);
    assert!(message.contains("the law is linear"), "{message}");
    let message = refused(&[&file, "--law", "exact", "--method", "piecewise"]);
    assert!(message.contains("--law goes with force laws"), "{message}");
    let message = refused(&[&file, "--impact", "poisson", "--method", "continuous"]);
    assert!(message.contains("--impact goes with impulses"), "{message}");
    let message = refused(&[&bare, "--until", "1", "--method", "piecewise"]);
    assert!(message.contains("contacts.strike: a piecewise impact needs"), "{message}");
    let inside = refused(&[&file, "--set", "joints.pivot_2.position=-40 deg"]);
    assert!(inside.contains("contacts.strike: the bodies start 0."), "{inside}");
    assert!(refused(&[&file, "--overwrite"]).contains("--out"));
}

#[test]
fn a_run_goes_on_where_it_stood() {
    let folder = place("goes-on");
    let [part, whole, rest] = ["part", "whole", "rest"].map(|n| folder.join(n));
    std::fs::create_dir(&folder).unwrap();
    let [a, b, c] = [&part, &whole, &rest].map(|p| p.display().to_string());
    let file = pendulums();
    done(&[&file, "--until", "4", "-o", &a]);
    done(&[&file, "-o", &b]);
    let message = refused(&[&file, "--from", &a, "--set", "bodies.rod_1.mass=2"]);
    assert!(message.contains("belongs to another run"), "{message}");
    let message = refused(&[&file, "--from", &a, "--tolerance", "1e-8"]);
    assert!(message.contains("belongs to another run"), "{message}");
    assert!(refused(&[&file, "--from", &c]).contains("cannot be read"));
    // To another end: the same motion within the tolerance.
    done(&[&file, "--from", &a, "-o", &c]);
    let end = |folder: &Path| {
        let summary = valid("run", &read(folder, "summary.json"));
        (
            summary["runs"][0]["state"]["t"].as_f64(),
            summary["runs"][0]["state"]["q"][1].as_f64().unwrap(),
        )
    };
    let (t, q) = end(&rest);
    assert_eq!(t, Some(8.0));
    assert!((q - end(&whole).1).abs() < 1e-6);
    assert_eq!(cells(&read(&rest, "impacts.csv")).len(), 4);
    // A run that is over is read again.
    let output = command(&[&file, "--from", &b]).output().unwrap();
    assert!(stderr(&output).contains("had already reached 8 s"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), done(&[&file, "--reactions"]));
    let damaged = read(&whole, "checkpoint.json").replace("\"next_sample\"", "\"next\"");
    std::fs::write(whole.join("checkpoint.json"), damaged).unwrap();
    let message = refused(&[&file, "--from", &b]);
    assert!(message.contains("is damaged: missing field `next_sample`"), "{message}");
}

/// Sends a signal to a run and waits for its end.
#[cfg(unix)]
fn interrupted(arguments: &[&str], after: Duration, signal: &str) -> Output {
    let mut command = command(arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(after);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_kept_and_goes_on_with_the_same_bits() {
    // A pendulum that swings for so long that nobody waits for it.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.rod]\nmass = 2\nshape = { rod = 1 }\n\
        [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\n\
        at = [[0, 0], [-0.5, 0]]\nposition = 0\n[simulation]\nduration = 20000\n";
    let file = written("long-swing.toml", text);
    let folder = place("interrupted");
    std::fs::create_dir(&folder).unwrap();
    let whole = folder.join("whole");
    let begun = Instant::now();
    done(&[&file, "-o", &whole.display().to_string()]);
    let third = begun.elapsed() / 3;
    // Ctrl-C, a batch system that ends a job, a terminal that is closed.
    for signal in ["-INT", "-TERM", "-HUP"] {
        let [part, rest] = ["part", "rest"].map(|n| folder.join(format!("{n}{signal}")));
        stopped_by(signal, &file, third, [&part, &rest, &whole]);
    }
}

#[cfg(unix)]
fn stopped_by(signal: &str, file: &str, after: Duration, [part, rest, whole]: [&Path; 3]) {
    let [a, b] = [part, rest].map(|p| p.display().to_string());
    let output = interrupted(&[file, "-o", &a], after, signal);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("stopped at t = ") && message.contains("interrupted"), "{message}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("what was reached"));
    assert_eq!(files(part), FILES);
    let summary = valid("run", &read(part, "summary.json"));
    let summary = &summary["runs"][0];
    assert_eq!(summary["stopped"], "interrupted");
    assert!(summary["state"]["t"].as_f64().unwrap() < 20000.0);
    done(&[file, "--from", &a, "-o", &b]);
    for name in FILES {
        assert!(read(rest, name) == read(whole, name), "{name} differs");
    }
}

#[test]
fn a_run_that_fails_prints_what_it_reached() {
    // A load that is not finite from 1 s on.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.cart]\nmass = 1\nshape = { point = true }\n\
        [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\nvelocity = 1\n\
        [loads.odd]\ntype = \"effort\"\njoint = \"rail\"\neffort = \"sqrt(1 - t)\"\n\
        [simulation]\nduration = 2\n";
    let file = written("fails.toml", text);
    let folder = place("failed");
    let out = folder.display().to_string();
    let table = ended(&[&file, "-o", &out], 1);
    assert!(table.contains("what follows is what was reached"), "{table}");
    assert_eq!(files(&folder), &FILES[1..], "a failure leaves no checkpoint");
    let output = command(&[&file, "--format", "json"]).output().unwrap();
    let value = valid("run", std::str::from_utf8(&output.stdout).unwrap());
    let run = &value["runs"][0];
    assert!(run["stopped"].is_string());
    let t = run["state"]["t"].as_f64().unwrap();
    assert!(t > 0.9 && t <= 1.0, "{t}");
    assert!(stderr(&output).contains("stopped at t = "), "{}", stderr(&output));
}

#[test]
fn a_file_without_contacts_runs() {
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -10]\n\
        [bodies.top]\nmass = 1\nshape = { box = [1, 2, 3] }\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"top\"]\nvelocity = [0, 0, 0, 1, 2, 3]\n";
    let file = written("free.toml", text);
    let folder = place("free");
    let table = done(&[&file, "--until", "2", "-o", &folder.display().to_string()]);
    assert!(table.contains("without contacts") && !table.contains("impact"), "{table}");
    let text = read(&folder, "trajectory.csv");
    let trajectory = cells(&text);
    assert!(trajectory.iter().all(|row| row.len() == trajectory[0].len()));
    assert_eq!(trajectory[0][7], "q.free.qz");
    let z: f64 = trajectory.last().unwrap()[3].parse().unwrap();
    // ½ g t².
    assert!((z + 20.0).abs() < 1e-8, "{z}");
}

#[test]
fn impacts_that_are_not_short_are_warned_of() {
    // A soft stop under gravity: the weight acts as long as the blow.
    let text = |stiffness: &str| {
        format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
             [bodies.ball]\nmass = 1\ninertia = 0.1\ncontact.skin = {{ sphere = 0.1 }}\n\
             [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
             [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.2, 0]\n\
             [contacts.drop]\nbetween = [\"ball.skin\", \"ground.floor\"]\nlaw = \"hooke\"\n\
             stiffness = \"{stiffness}\"\n[simulation]\nduration = 0.5\n"
        )
    };
    for (stiffness, short) in [("100 N/m", false), ("1e7 N/m", true)] {
        let value = json(&[&written("stop.toml", &text(stiffness))]);
        let impact = &value["runs"][0]["impacts"][0];
        assert_eq!(impact["short"], short);
        let cautions = value["cautions"].as_array().unwrap();
        assert_eq!(cautions.is_empty(), short, "{cautions:?}");
        if short {
            // (g/ω²)(1 − cos ωt) + (v/ω) sin ωt = 0 at tan(ωt/2) = −ωv/g.
            let (g, ω) = (9.81_f64, 1e7_f64.sqrt());
            let v = (2.0 * g * 0.1).sqrt();
            let duration = 2.0 / ω * (std::f64::consts::PI - (ω * v / g).atan());
            near(&impact["speed_change_by_other_forces"], g * duration / v, 1e-7);
        } else {
            assert_eq!(cautions[0]["code"], "not-short");
            assert_eq!(cautions[0]["place"], "contacts.drop");
            let message = cautions[0]["message"].as_str().unwrap();
            assert!(message.contains("not short against the motion"), "{message}");
        }
    }
}

#[test]
fn joints_and_energies_have_columns() {
    let folder = place("joint-columns");
    let out = folder.display().to_string();
    let file = pendulums();
    done(&[&file, "-o", &out]);
    let value = json(&[&file, "--reactions"]);
    let run = &value["runs"][0];
    let text = read(&folder, "impacts.csv");
    let impacts = cells(&text);
    let column = |name: &str| impacts[0].iter().position(|h| *h == name).unwrap();
    let force = column("joints.pivot_2 force [N]");
    let peak = &run["impacts"][1]["reactions"][1];
    assert_eq!(peak["of"], "joints.pivot_2");
    assert_eq!(impacts[2][force].parse().ok(), peak["magnitude"].as_f64());
    assert_eq!(impacts[2][column("joints.pivot_2 unique")], "true");
    let works = ["compression work [J]", "restitution work [J]", "energy lost [J]"];
    let [taken, back, lost] = works.map(|name| impacts[1][column(name)].parse::<f64>().unwrap());
    assert!((taken - back - lost).abs() < 1e-12 && taken > 4.31, "{taken} {back} {lost}");
    // T = T_c + T_a at every moment of the trajectory, and while something touches.
    let text = read(&folder, "trajectory.csv");
    let trajectory = cells(&text);
    let column = |name: &str| trajectory[0].iter().position(|h| *h == name).unwrap();
    let energies = ["kinetic [J]", "T_c.strike [J]", "T_a.strike [J]"].map(column);
    for row in &trajectory[1..] {
        let [total, along, rest] = energies.map(|k| row[k].parse::<f64>().unwrap());
        assert!((total - along - rest).abs() < 1e-12 * (1.0 + total), "{row:?}");
        assert!(rest > -1e-12, "{row:?}");
    }
    let text = read(&folder, "contacts.csv");
    let heading = &cells(&text)[0];
    assert_eq!(heading[3..6], ["gap [m]", "gap_rate [m/s]", "normal_force [N]"]);
    assert_eq!(heading[heading.len() - 2..], ["T_c [J]", "T_a [J]"]);
    // Nobody has asked for them here.
    let bare = json(&[&file]);
    assert!(bare["runs"][0]["impacts"][1]["reactions"].as_array().unwrap().is_empty());
    let impulses = json(&[&file, "--method", "piecewise", "--reactions"]);
    let first = &impulses["runs"][0]["impacts"][0];
    assert!(first["compression_work"].is_null());
    assert_eq!(first["reactions"].as_array().unwrap().len(), 2);
    // With a moving drive T_a has no meaning and no value.
    let folder = place("driven-columns");
    let out = folder.display().to_string();
    done(&[&model("001/ball-on-table.toml"), "--law", "exact", "--until", "0.3", "-o", &out]);
    let text = read(&folder, "trajectory.csv");
    let rows = cells(&text);
    let rest = rows[0].iter().position(|h| *h == "T_a.bounce [J]").unwrap();
    assert!(rows[10..].iter().all(|row| row[rest].is_empty() && !row[rest - 1].is_empty()));
}

#[test]
fn contacts_that_stay_are_told_with_their_forces() {
    let file = model("004/bar.toml");
    let given = ["--set", "parameters.theta=0", "--set", "parameters.bar_rate=0"];
    let more = ["--set", "parameters.support_rate=0", "--set", "parameters.wall_stiffness=400"];
    let arguments = [&[file.as_str()], given.as_slice(), more.as_slice()].concat();
    let table = done(&arguments);
    for part in ["contacts that stay", "F_N at onset", "0.2892809117  0.5643848", "10.7933 N"] {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
    let folder = place("stays");
    let out = folder.display().to_string();
    done(&[arguments.as_slice(), &["-o", &out]].concat());
    let value = json(&arguments);
    let stay = &value["runs"][0]["stays"][0];
    let text = read(&folder, "contacts.csv");
    let rows = cells(&text);
    let own = rows[1..].iter().filter(|row| stay["contact"] == row[1]);
    let forces: Vec<f64> = own.map(|row| row[5].parse().unwrap()).collect();
    assert_eq!(forces.first().copied(), stay["first_force"].as_f64());
    let most = forces.iter().copied().fold(0.0, f64::max);
    near(&stay["peak_force"], most, 1e-3);
    assert!(stay["peak_force"].as_f64().unwrap() >= most);
}

#[test]
fn events_are_listed_and_may_end_a_run() {
    let file = pendulums();
    let cross = ["--set", "events.low.expression=q.pivot_1 + pi/2"];
    let arguments = [&[file.as_str()], cross.as_slice()].concat();
    let value = json(&arguments);
    let run = &value["runs"][0];
    let own = |e: &&Value| e["event"] == "low";
    let events = run["events"].as_array().unwrap();
    let count = events.iter().filter(own).count();
    assert!(count == 4 && events.iter().any(|e| e["contact"] == "strike"));
    let times: Vec<f64> = events.iter().map(|e| e["t"].as_f64().unwrap()).collect();
    assert!(times.is_sorted());
    assert_eq!(run["ended_by"], Value::Null);
    let stop = ["--set", "events.low.then=stop", "--set", "events.low.when=falls"];
    let arguments = [arguments.as_slice(), stop.as_slice()].concat();
    let folder = place("event-ends");
    let out = folder.display().to_string();
    let output = command(&[arguments.as_slice(), &["-o", &out]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("by events.low"), "{}", stderr(&output));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("ended at t = ") && table.contains("low    "), "{table}");
    let summary = valid("run", &read(&folder, "summary.json"));
    let summary = &summary["runs"][0];
    assert_eq!(summary["ended_by"], "low");
    assert_eq!(summary["stopped"], Value::Null);
    let last = summary["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["event"], "low");
    assert_eq!(last["t"], summary["state"]["t"]);
    // The run is over: it is read again.
    let output = command(&[arguments.as_slice(), &["--from", &out]].concat()).output().unwrap();
    assert!(stderr(&output).contains("an event had already ended"), "{}", stderr(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), table);
    let message = refused(&[&file, "--set", "events.low.expression=q.pivot_9"]);
    assert!(message.contains("events.low.expression") && message.contains("pivot"), "{message}");
}

#[test]
fn corners_that_strike_together_are_one_row_with_the_corners_below() {
    let file = model("box-on-plane.toml");
    let arguments = [file.as_str(), "--method", "piecewise", "--until", "1e-3"];
    let table = done(&arguments);
    let row = table.lines().find(|line| line.starts_with("  1  ")).unwrap();
    assert!(row.contains("floor") && row.contains("1.03"), "{table}");
    assert!(table.contains("floor.1") && table.contains("floor.4"), "{table}");
    let value = json(&arguments);
    let impact = &value["runs"][0]["impacts"][0];
    near(&impact["impact_energy"], 1.03, 5e-3);
    let points = impact["points"].as_array().unwrap();
    assert_eq!(points.len() as u64, impact["count"].as_u64().unwrap());
    assert!(points.iter().all(|p| p["point"].as_u64() >= Some(1)));
}

#[test]
fn a_run_in_which_nothing_touches_says_how_near_it_came() {
    let output = command(&[&pendulums(), "--until", "1"]).output().unwrap();
    let table = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(table.contains("no impact: nothing strikes; the least gap is "), "{table}");
    assert!(table.contains("between `rod_2` and `rod_1`"), "{table}");
    assert!(stderr(&output).contains("note: contacts.strike: "), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_run_has_a_budget_of_steps_and_of_time() {
    let folder = place("budget");
    let (file, out) = (pendulums(), folder.display().to_string());
    let carom = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_carom")).arg("run").args(arguments).output().unwrap()
    };
    for budget in [["--max-steps", "20"], ["--max-time", "1e-9"]] {
        let stopped = carom(&[&file, "-o", &out, "--overwrite", budget[0], budget[1]]);
        let message = String::from_utf8_lossy(&stopped.stderr).into_owned();
        assert_eq!(stopped.status.code(), Some(1), "{message}");
        assert!(message.contains("are used up") && message.contains("--from goes on"), "{message}");
        assert!(carom(&[&file, "--from", &out]).status.success());
    }
    for bad in
        [["--max-steps", "0"], ["--max-time", "-1"], ["--max-time", "nan"], ["--max-steps", "few"]]
    {
        let refused = carom(&[&file, bad[0], bad[1]]);
        assert_eq!(refused.status.code(), Some(2), "{bad:?}");
    }
}
