//! `carom sweep` and `carom merge` as a user meets them: threads, shards, kills, full disks, closed pipes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The tables of a complete study.
const TABLES: [&str; 2] = ["table.csv", "table.json"];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-sweep-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A study over the double pendulum of Gonzalez et al.
    fn study(&self, text: &str) -> String {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let model = models.join("002/double-pendulum.toml").canonicalize().unwrap();
        let path = self.0.join("study.toml");
        let head = format!("carom = 1\nmodel = \"{}\"\n", model.display());
        std::fs::write(&path, format!("{head}{text}")).unwrap();
        path.display().to_string()
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

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn tables(folder: &str) -> Vec<Vec<u8>> {
    TABLES.iter().map(|name| std::fs::read(Path::new(folder).join(name)).unwrap()).collect()
}

fn grid(count: usize) -> String {
    format!(
        "[study]\nmeasures = [\"effective_mass\", \"share\", \"peak_force\"]\n[study.variables]\n\
         x_tip = {{ range = [\"-0.5 m\", \"0.38 m\"], count = {count} }}\n"
    )
}

#[test]
fn threads_and_shards_change_no_byte() {
    let folder = Folder::new("threads");
    let file = folder.study(&grid(1001));
    let mut all = Vec::new();
    for jobs in ["1", "2", "8"] {
        let out = folder.at(jobs);
        let output = carom(&["sweep", &file, "-o", &out, "-j", jobs]);
        // Tips beyond 0.45 m cannot be reached.
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("1001 points done") && text.contains("with an error"), "{text}");
        all.push(tables(&out));
    }
    let shards: Vec<String> = (1..=3).map(|k| folder.at(&format!("shard{k}"))).collect();
    for (k, out) in shards.iter().enumerate() {
        carom(&["sweep", &file, "-o", out, "--shard", &format!("{}/3", k + 1)]);
    }
    let whole = folder.at("whole");
    let merge = |dirs: &[&str]| carom(&[&["merge", "-o", &whole], dirs].concat());
    let two = merge(&[&shards[0], &shards[2]]);
    assert_eq!(code(&two), 2);
    assert!(stderr(&two).contains("shard 2/3 is missing"), "{}", stderr(&two));
    let output = merge(&[&shards[2], &shards[0], &shards[1]]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    all.push(tables(&whole));
    for other in &all[1..] {
        assert!(*other == all[0], "tables differ");
    }
    let log = |out: &str| std::fs::read(Path::new(out).join("study.log")).unwrap();
    assert!(log(&whole) == log(&folder.at("2")), "logs differ");
    assert_eq!(code(&merge(&[&shards[2], &shards[0], &shards[1]])), 2, "merged already");
}

#[test]
fn a_sweep_killed_at_fifty_times_ends_with_the_same_bytes() {
    let folder = Folder::new("kills");
    let file = folder.study(&grid(3000));
    let reference = folder.at("reference");
    carom(&["sweep", &file, "-o", &reference]);
    let wanted = tables(&reference);
    let (mut kills, mut rounds, mut chance) = (0, 0, 12345_u64);
    while kills < 50 {
        let out = folder.at(&format!("round{rounds}"));
        loop {
            let mut child = command(&["sweep", &file, "-o", &out, "--resume"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            std::thread::sleep(Duration::from_micros(chance >> 49));
            let ended = child.try_wait().unwrap();
            if ended.is_none() && kills < 50 {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                for name in TABLES {
                    // A final name holds a whole table, or nothing.
                    let found = std::fs::read(Path::new(&out).join(name));
                    assert!(found.is_err() || wanted.contains(&found.unwrap()));
                }
                continue;
            }
            let status = child.wait().unwrap();
            assert_eq!(status.code(), Some(3));
            break;
        }
        assert!(tables(&out) == wanted, "after {kills} kills");
        rounds += 1;
    }
}

#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let folder = Folder::new("interrupt");
    let file = folder.study(&grid(200_000));
    let out = folder.at("out");
    let child = command(&["sweep", &file, "-o", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until it is at work.
    while !Path::new(&out).join("study.log").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("--resume goes on"));
    let again = carom(&["sweep", &file, "-o", &out]);
    assert_eq!(code(&again), 2);
    assert!(stderr(&again).contains("--resume"), "{}", stderr(&again));
    let other = carom(&["sweep", &file, "-o", &out, "--resume", "--set", "parameters.mass_1=4 kg"]);
    assert_eq!(code(&other), 2);
    assert!(stderr(&other).contains("another model"), "{}", stderr(&other));
}

#[test]
fn the_second_process_in_a_folder_is_refused() {
    let folder = Folder::new("lock");
    let file = folder.study(SOUND);
    let out = folder.at("out");
    std::fs::create_dir_all(&out).unwrap();
    let held = std::fs::File::create(Path::new(&out).join(".study.lock")).unwrap();
    held.lock().unwrap();
    let output = carom(&["sweep", &file, "-o", &out]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("another carom"), "{}", stderr(&output));
    drop(held);
    assert_ne!(code(&carom(&["sweep", &file, "-o", &out])), 2);
}

#[test]
fn what_cannot_be_written_is_told_and_leaves_no_table() {
    let folder = Folder::new("full");
    let file = folder.study(&grid(3000));
    // Not even the administrator makes a folder there.
    let output = carom(&["sweep", &file, "-o", "/proc/carom-study"]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot be written"), "{}", stderr(&output));
    // A full disk: no file may grow beyond 40 blocks of 1 kB. The log alone is larger.
    for (name, blocks) in [("log", 40), ("table", 180)] {
        let out = folder.at(name);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let output = Command::new("bash")
            .args(["-c", &script, "bash", &common::binary(), "sweep", &file, "-o", &out])
            .output()
            .unwrap();
        assert_eq!(code(&output), 4, "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("cannot be written"), "{}", stderr(&output));
        for table in TABLES {
            assert!(!Path::new(&out).join(table).exists(), "{name}: {table}");
        }
        let resumed = carom(&["sweep", &file, "-o", &out, "--resume"]);
        assert_eq!(code(&resumed), 3, "{}", stderr(&resumed));
    }
    assert!(tables(&folder.at("log")) == tables(&folder.at("table")));
}

#[test]
fn a_reader_that_closes_its_pipe_changes_neither_the_tables_nor_the_exit_code() {
    let folder = Folder::new("pipe");
    let file = folder.study(&grid(20));
    let out = folder.at("out");
    let mut child = command(&["sweep", &file, "-o", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    // Some points of this grid fail: that is all the exit code tells.
    assert_eq!(code(&output), 3);
    assert!(!stderr(&output).contains("cannot be written"), "{}", stderr(&output));
    assert_eq!(tables(&out).len(), 2);
}

/// A study whose points all have measures.
const SOUND: &str = "[study]\nmeasures = [\"effective_mass\", \"share\"]\n[study.variables]\n\
                     x_tip = { range = [\"-0.3 m\", \"0.3 m\"], count = 3 }\n";

#[test]
fn a_sweep_replaces_no_file_that_it_did_not_write() {
    let folder = Folder::new("foreign");
    let study = folder.study(SOUND);
    for name in ["table.csv", "table.json", "report.html"] {
        let out = folder.at(&format!("of-{name}"));
        let file = Path::new(&out).join(name);
        std::fs::create_dir_all(&out).unwrap();
        std::fs::write(&file, "mine").unwrap();
        let refused = carom(&["sweep", &study, "-o", &out]);
        assert_eq!(code(&refused), 2, "{name}: {refused:?}");
        assert!(stderr(&refused).contains(name) && stderr(&refused).contains("move it away"));
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
        // Not even where a sweep was begun beside it.
        std::fs::remove_file(&file).unwrap();
        assert_eq!(code(&carom(&["sweep", &study, "-o", &out])), 0);
        std::fs::write(&file, "mine").unwrap();
        let refused = carom(&["sweep", &study, "-o", &out, "--resume"]);
        assert_eq!(code(&refused), 2, "{name}: {refused:?}");
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
        // Nor with --overwrite, which replaces what a sweep wrote.
        let refused = carom(&["sweep", &study, "-o", &out, "--overwrite"]);
        assert_eq!(code(&refused), 2, "{name}: {refused:?}");
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
        std::fs::remove_file(&file).unwrap();
        // Its own files are replaced, also those of another study.
        assert_eq!(code(&carom(&["sweep", &study, "-o", &out, "--resume"])), 0);
        let other = folder.at(&format!("of-{name}.toml"));
        let text = std::fs::read_to_string(&study).unwrap();
        std::fs::write(&other, text.replace("share", "kinetic_energy")).unwrap();
        let before = std::fs::read(&file).unwrap();
        let replaced = carom(&["sweep", &other, "-o", &out, "--overwrite"]);
        assert_eq!(code(&replaced), 0, "{name}: {replaced:?}");
        assert_ne!(std::fs::read(&file).unwrap(), before);
    }
    // A file that is no log keeps its name, too.
    let out = folder.at("of-log");
    let file = Path::new(&out).join("study.log");
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(&file, "mine").unwrap();
    for with in ["--overwrite", "--resume"] {
        let refused = carom(&["sweep", &study, "-o", &out, with]);
        assert_eq!(code(&refused), 2, "{refused:?}");
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    }
    // The page of a run is not that of a sweep.
    let out = folder.at("run");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let model = models.join("002/double-pendulum.toml").display().to_string();
    assert_eq!(code(&carom(&["run", &model, "-o", &out])), 0);
    let page = std::fs::read(Path::new(&out).join("report.html")).unwrap();
    let refused = carom(&["sweep", &study, "-o", &out]);
    assert_eq!(code(&refused), 2, "{refused:?}");
    assert!(stderr(&refused).contains("report.html"), "{}", stderr(&refused));
    assert_eq!(std::fs::read(Path::new(&out).join("report.html")).unwrap(), page);
    // Nor does a merge replace anything.
    let shard = folder.at("shard");
    assert_eq!(code(&carom(&["sweep", &study, "-o", &shard, "--shard", "1/1"])), 0);
    let refused = carom(&["merge", &shard, "-o", &out]);
    assert_eq!(code(&refused), 2, "{refused:?}");
    assert_eq!(std::fs::read(Path::new(&out).join("report.html")).unwrap(), page);
}

#[cfg(unix)]
#[test]
fn a_fifo_or_device_in_the_place_of_a_file_is_refused_at_once() {
    let folder = Folder::new("fifo");
    let fifo = folder.at("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    let study = folder.at("study");
    std::fs::create_dir_all(&study).unwrap();
    std::os::unix::fs::symlink(&fifo, Path::new(&study).join("study.log")).unwrap();
    let sweep = folder.study(SOUND);
    let here = folder.0.display().to_string();
    let cases: [&[&str]; 8] = [
        &["check", &fifo],
        &["run", "/dev/zero"],
        &["assess", "/dev/stdin"],
        &["assess", &here],
        &["sweep", &fifo, "-o", &folder.at("out")],
        &["sweep", &sweep, "-o", &study, "--resume"],
        &["study", &study],
        &["merge", &study, "-o", &folder.at("merged")],
    ];
    for case in cases {
        let mut child = command(case).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = std::time::Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > Duration::from_secs(20) {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let output = child.wait_with_output().unwrap();
        assert_eq!(status.code(), Some(2), "{case:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("not a regular file"), "{case:?}: {}", stderr(&output));
    }
}

#[test]
fn a_file_without_a_study_is_refused() {
    let folder = Folder::new("none");
    let file = folder.study("");
    let output = carom(&["sweep", &file, "-o", &folder.at("out")]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no [study]"), "{}", stderr(&output));
}

/// A ball is thrown up to h = v²/2g, towards a ceiling at 0.9 m: throws that do not reach it bring no impact, and are answers, not errors.
#[test]
fn a_design_that_never_touches_is_an_answer() {
    let folder = Folder::new("untouched");
    let file = folder.0.join("throw.toml");
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[parameters]\nh = 1.0\n\
        [bodies.ball]\nmass = 2\ninertia = 0.1\ncontact.top = { point = [0, 0] }\n\
        [ground]\ncontact.ceiling = { plane = [0, -1], at = [0, \"0.9 m\"] }\n\
        [joints.up]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\nvelocity = \"sqrt(2*9.81*h)\"\n\
        [contacts.blow]\nbetween = [\"ball.top\", \"ground.ceiling\"]\nrestitution = 0.5\nstiffness = \"1e6 N/m^1.5\"\nlaw = \"exact\"\n\
        [simulation]\nduration = 1\n\
        [study]\naction = \"run\"\ncontact = \"blow\"\nmeasures = [\"impact_energy\", \"onset\"]\n\
        [study.variables]\nh = { values = [0.8, 0.85, 1.0] }\n";
    std::fs::write(&file, text).unwrap();
    let out = folder.at("out");
    let output = carom(&["sweep", &file.display().to_string(), "-o", &out]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!stderr(&output).contains("error"), "{}", stderr(&output));
    let text = String::from_utf8(tables(&out)[0].clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "point,h,impact_energy [J],onset [s],error,untouched");
    // The top of the throw: g = 0.9 m − h at t = v/g.
    for (line, (h, gap)) in lines[1..3].iter().zip([(0.8_f64, "0.1"), (0.85, "0.05")]) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[2..5], ["0.0", "", ""], "{line}");
        let told =
            format!("contacts.blow does not touch within 1 s; the least gap is {gap} m at t = ");
        let t = cells[5].strip_prefix(&told).and_then(|rest| rest.strip_suffix(" s"));
        let t: f64 = t.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        assert!((t - (2.0 * h / 9.81).sqrt()).abs() < 1e-5, "{line}");
    }
    // T_c = m g (h − 0.9 m).
    let energy: f64 = lines[3].split(',').nth(2).unwrap().parse().unwrap();
    assert!((energy - 2.0 * 9.81 * 0.1).abs() < 1e-9, "{}", lines[3]);
    assert!(lines[3].ends_with(",,"), "{}", lines[3]);
    let study = carom(&["study", &out]);
    let text = String::from_utf8_lossy(&study.stdout).into_owned();
    assert!(
        text.contains(
            "2 of 3 designs never touch; the softest of those that touch is h = 1, as the given one"
        ),
        "{text}"
    );
    assert_eq!(text.matches("never touches\n").count(), 2, "{text}");
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert!(page.contains("which never touches") && page.contains("contact blow, 3 points"));
    assert!(!page.contains(": contact blow"));
}

/// Contacts that are open in some poses of a study of `impact`, and a stop that is not reached, whose gap is an angle.
#[test]
fn open_contacts_and_stops_that_are_not_reached_are_answers_with_their_gaps() {
    let folder = Folder::new("open");
    let ball = "carom = 1\nspace = \"planar\"\n[bodies.ball]\nmass = 2\ninertia = 0.1\ncontact.top = { point = [0, 0] }\n\
        [ground]\ncontact.ceiling = { plane = [0, -1], at = [0, \"0.9 m\"] }\n\
        [joints.up]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\nposition = 0.9\nvelocity = 3\n\
        [contacts.blow]\nbetween = [\"ball.top\", \"ground.ceiling\"]\nrestitution = 0.5\n\
        [study]\naction = \"impact\"\nmeasures = [\"impact_energy\", \"kinetic_energy\", \"restitution\"]\n\
        [study.variables]\ny = { path = \"joints.up.position\", values = [0.5, 0.9] }\n";
    let arm = "carom = 1\nspace = \"planar\"\n[bodies.arm]\nmass = 2\ninertia = 0.1\n\
        [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"arm\"]\nvelocity = 0.5\n\
        [contacts.stop]\njoint = \"pivot\"\nupper = 1.5\nrestitution = 0.5\nstiffness = \"1e4 N m/rad\"\nexponent = 1\n\
        [simulation]\nduration = 1\n[study]\naction = \"run\"\nmeasures = [\"impact_energy\"]\n\
        [study.variables]\nw = { path = \"joints.pivot.velocity\", values = [0.5, 3] }\n";
    // ½ m v² = 9 J; ½ J w² = 0.45 J.
    let wanted = [
        ("ball", ball, ",0.0,9.0,,,contacts.blow is open in this pose: its gap is 0.4 m", 9.0),
        (
            "arm",
            arm,
            ",0.0,,contacts.stop does not touch within 1 s; the least gap is 1 rad at t = 1 s",
            0.45,
        ),
    ];
    for (name, text, first, energy) in wanted {
        let (file, out) = (folder.at(&format!("{name}.toml")), folder.at(name));
        std::fs::write(&file, text).unwrap();
        let output = carom(&["sweep", &file, "-o", &out]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let table = String::from_utf8(tables(&out)[0].clone()).unwrap();
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1].ends_with(first), "{name}: {}", lines[1]);
        let found: f64 = lines[2].split(',').nth(2).unwrap().parse().unwrap();
        assert!((found - energy).abs() < 1e-9 * energy && lines[2].ends_with(",,"), "{}", lines[2]);
    }
}
