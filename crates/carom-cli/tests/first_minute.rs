//! What a new user meets first (issue 23, section 1): templates, standard input, completions, the manual, tables that fit a terminal, a picture.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{binary, carom, model, valid};

/// What a table may take of a line.
const COLUMNS: usize = 100;
const TEMPLATES: [&str; 6] = ["pendulum", "four-bar", "slider-crank", "arm", "drop", "robot"];

/// An empty folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("first-minute-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn within(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(binary()).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command that must succeed prints.
fn done(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The places that a text takes; dots above letters take none.
fn width(line: &str) -> usize {
    line.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

fn fits(what: &str, text: &str) {
    for line in text.lines() {
        assert!(width(line) <= COLUMNS, "{what}: {} places\n{line}", width(line));
    }
}

#[test]
fn every_template_is_written_understood_and_runs_into_an_impact() {
    let place = folder("templates");
    let list = done(&within(&place, &["new"]));
    for name in TEMPLATES {
        assert!(list.contains(&format!("  {name} ")), "{list}");
        let file = format!("{name}.toml");
        let told = done(&within(&place, &["new", name]));
        assert!(told.contains(&format!("carom run {file} -o out --open")), "{told}");
        let checked = valid("check", &done(&within(&place, &["check", &file, "--format", "json"])));
        let cautions = checked["cautions"].as_array().unwrap();
        assert!(cautions.iter().all(|c| c["severity"] == "note"), "{name}: {cautions:?}");
        let cannot = cautions.iter().any(|c| c["code"] == "cannot-run");
        assert!(!cannot, "{name}: {cautions:?}");
        fits(name, &done(&within(&place, &["assess", &file])));
        let run = valid("run", &done(&within(&place, &["run", &file, "--format", "json"])));
        assert!(!run["runs"][0]["impacts"].as_array().unwrap().is_empty(), "{name}");
        // What was written is not replaced, unless that is said.
        let again = within(&place, &["new", name]);
        assert_eq!(again.status.code(), Some(2));
        assert!(text(&again.stderr).contains("--overwrite"));
        done(&within(&place, &["new", name, "--overwrite"]));
    }
    done(&within(&place, &["new", "drop", "-o", "fall.toml"]));
    assert!(place.join("fall.toml").is_file());
    let unknown = within(&place, &["new", "pendulm"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("pendulum"), "the nearest one is named");
}

#[test]
fn a_model_comes_through_standard_input() {
    let file = model("000/slider-crank.toml");
    let piped = |arguments: &[&str], input: &[u8]| {
        let mut child = Command::new(binary())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    };
    let bytes = std::fs::read(&file).unwrap();
    for (verb, more) in [("check", ""), ("assess", ""), ("run", "--until=0.5"), ("impact", "")] {
        let mut arguments = vec!["--format", "json", "--set", "parameters.theta=20 deg"];
        if !more.is_empty() {
            arguments.push(more);
        }
        let from_file = done(&carom(&[&[verb, file.as_str()], &arguments[..]].concat()));
        let from_pipe = done(&piped(&[&[verb, "-"], &arguments[..]].concat(), &bytes));
        let same = from_file.replace(&serde_json::to_string(&file).unwrap(), "\"<stdin>\"");
        assert_eq!(from_pipe, same, "{verb}");
    }
    let wrong = piped(&["check", "-"], b"carom = 1\nspace = \"planer\"\n");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).starts_with("<stdin>:2:9: space:"), "{}", text(&wrong.stderr));
    let bytes = piped(&["check", "-"], &[0xff, 0xfe]);
    assert_eq!(bytes.status.code(), Some(2));
}

#[test]
fn quiet_leaves_errors_alone_on_stderr_and_pipes_have_no_colour() {
    let hammer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/driven-hammer.toml");
    let hammer = hammer.to_str().unwrap();
    let told = text(&carom(&["assess", hammer]).stderr);
    assert!(told.starts_with("warning: ") && !told.contains('\u{1b}'), "{told}");
    assert_eq!(text(&carom(&["assess", hammer, "--quiet"]).stderr), "");
    assert_eq!(text(&carom(&["-q", "assess", hammer]).stderr), "");
    let refused = carom(&["run", hammer, "--until", "0.1", "-q"]);
    let why = text(&refused.stderr);
    assert!(why.starts_with("error: ") && refused.status.code() == Some(1), "{why}");
    assert_eq!(text(&carom(&["run", "none.toml", "-q"]).stderr).lines().count(), 1);
}

#[test]
fn tables_fit_a_terminal_and_wide_ones_have_all_columns() {
    // Names of files are as long as they are: short ones, from the folder of the models.
    let folder = PathBuf::from(model("")).canonicalize().unwrap();
    let mut files: Vec<String> = Vec::new();
    for place in ["", "000/", "001/", "002/", "003/", "004/", "impacts/", "robots/"] {
        let all = std::fs::read_dir(folder.join(place)).unwrap();
        let names = all.map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned());
        let is_model = |name: &String| Path::new(name).extension().is_some_and(|end| end == "toml");
        files.extend(names.filter(is_model).map(|name| format!("{place}{name}")));
    }
    assert!(files.len() > 20);
    for file in &files {
        for verb in ["check", "assess", "impact"] {
            fits(&format!("{verb} {file}"), &text(&within(&folder, &[verb, file]).stdout));
        }
    }
    let swing = "000/two-pendulums.toml";
    let arm = "robots/arm.urdf";
    let out = folder_of_figures();
    let flores = "--mass 2 --speed 0.5 --stiffness 2.4e10 --restitution 0.8";
    let mut blow = vec!["laws", "flores"];
    blow.extend(flores.split(' '));
    for arguments in [
        &["laws"][..],
        &["laws", "poursina-nikravesh"],
        &blow,
        &["run", swing],
        &["run", swing, "--law", "flores", "--law", "exact", "--until", "2"],
        &["run", "box-on-plane.toml", "--until", "0.2"],
        &["tip", arm, "--tip", "tool"],
        &["near", arm, "--tip", "tool"],
        &["compare", "002/double-pendulum.toml", "studies/002-fig-06.toml"],
        &["optimise", "studies/000-fig-10.toml"],
        &["study", &out],
        #[cfg(feature = "reproduce")]
        &["reproduce", "000"],
        #[cfg(feature = "reproduce")]
        &["reproduce", "003"],
        &["new"],
    ] {
        fits(&arguments.join(" "), &done(&within(&folder, arguments)));
    }
    let laws = done(&carom(&["laws"]));
    let wide = done(&carom(&["laws", "--wide"]));
    assert!(!laws.contains("0 < e ≤ 1") && wide.contains("0 < e ≤ 1") && wide.contains("Hertz 1"));
    assert!(wide.lines().any(|line| width(line) > COLUMNS));
    // JSON and CSV are what they are.
    let [narrow, full] = [&[][..], &["--wide"]].map(|more| {
        let run = ["run", swing, "--until", "2", "--format", "json"];
        done(&within(&folder, &[&run, more].concat()))
    });
    assert_eq!(narrow, full);
}

/// A study that has been swept.
fn folder_of_figures() -> String {
    let out = folder("swept").join("study").display().to_string();
    done(&carom(&["sweep", &model("studies/000-fig-10.toml"), "-o", &out, "-q"]));
    out
}

#[test]
fn completions_and_the_manual_name_every_verb() {
    let help = done(&carom(&["--help"]));
    let verbs: Vec<&str> = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .collect();
    assert!(verbs.len() >= 16, "{verbs:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = done(&carom(&["completions", shell]));
        for verb in &verbs {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
    }
    assert_eq!(carom(&["completions", "cmd"]).status.code(), Some(2));
    let page = done(&carom(&["man"]));
    assert!(page.contains(".TH") && page.contains("assess"), "{page}");
    let out = folder("man");
    done(&carom(&["man", "-o", out.to_str().unwrap()]));
    for verb in &verbs {
        let page = std::fs::read_to_string(out.join(format!("carom-{verb}.1"))).unwrap();
        assert!(page.contains("SYNOPSIS"), "{verb}");
    }
}

/// The width, height and number of pictures of a GIF, read block by block.
fn pictures(bytes: &[u8]) -> (usize, usize, usize) {
    assert_eq!(&bytes[..6], b"GIF89a");
    let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let (mut at, mut count) = (13 + 3 * 256, 0);
    let skip = |mut at: usize| {
        while bytes[at] != 0 {
            at += 1 + usize::from(bytes[at]);
        }
        at + 1
    };
    loop {
        match bytes[at] {
            0x21 => at = skip(at + 2),
            0x2c => {
                count += 1;
                assert!(short(at + 1) + short(at + 5) <= short(6), "within the picture");
                assert!(short(at + 3) + short(at + 7) <= short(8), "within the picture");
                at = skip(at + 11);
            }
            0x3b => return (short(6), short(8), count),
            other => panic!("a block {other:#x} at {at}"),
        }
    }
}

#[test]
fn a_run_is_drawn_as_a_moving_picture_and_its_page_is_opened() {
    let out = folder("gif").join("out");
    let file = model("000/two-pendulums.toml");
    let to = out.to_str().unwrap();
    let missing = carom(&["run", &file, "--gif"]);
    assert_eq!(missing.status.code(), Some(2), "it goes with -o");
    done(&carom(&["run", &file, "--until", "4", "-o", to, "--gif"]));
    let bytes = std::fs::read(out.join("motion.gif")).unwrap();
    let (width, height, count) = pictures(&bytes);
    // Four seconds at twenty pictures a second.
    assert_eq!((width, count), (480, 80));
    assert!((200..=480).contains(&height));
    assert!(bytes.len() < 1_000_000);
    let again = carom(&["run", &file, "--until", "4", "-o", to, "--gif"]);
    assert_eq!(again.status.code(), Some(2));
    let nowhere = carom(&["assess", &file, "--open"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(text(&nowhere.stderr).contains("-o DIR"));
    #[cfg(unix)]
    opened(&file, to, &out);
}

/// `$BROWSER` is given the page.
#[cfg(unix)]
fn opened(file: &str, to: &str, out: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let browser = out.parent().unwrap().join("browser");
    let note = out.parent().unwrap().join("opened");
    let script =
        format!("#!/bin/sh\necho \"$1\" > '{}.part'\nmv '{0}.part' '{0}'\n", note.display());
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let begun = |browser: &Path| {
        let mut command = Command::new(binary());
        command.args(["assess", file, "-o", to, "--overwrite", "--open"]);
        command.env("BROWSER", browser).output().unwrap()
    };
    done(&begun(&browser));
    // The command does not wait for the reader.
    let page = (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::read_to_string(&note).ok()
    });
    assert_eq!(page.unwrap().trim(), out.join("report.html").to_str().unwrap());
    let none = begun(Path::new("/no/such/browser"));
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("cannot be started"));
}
