//! Input that would take the machine, a spreadsheet or a shell by surprise: refused with the limit's name, said, or neutralised.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use common::{binary, carom, model};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-hard-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("inner")).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn name(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is gone already need not be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn ran(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = carom(arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const HEAD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n";
/// A disc that touches the ground and comes down.
const DISC: &str = "[bodies.b]\nmass = 1\ninertia = 1\ncontact.s = { sphere = 0.1 }\n\
    [ground.contact]\nf = { plane = [0, 1] }\n\
    [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [0, 0.1, 0]\nvelocity = [0, -1, 0]\n";

#[test]
fn a_text_of_more_than_a_file_needs_is_refused_with_the_limit() {
    let folder = Folder::new("budget");
    let lines = format!("{HEAD}{}", "\n".repeat(60_000_000 - HEAD.len()));
    let values = format!("{HEAD}[parameters]\nx = [{}1]\n", "1,".repeat(5_000_000));
    for (name, text) in [("lines.toml", lines), ("values.toml", values)] {
        // 2 GB of address space: without the limit such a text takes more.
        let file = folder.file(name, &text);
        let script = format!("ulimit -v 2000000; exec '{}' check '{file}'", binary());
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(stderr.contains("more than 4000000 lines, keys and values"), "{stderr}");
    }
}

#[test]
fn contacts_beyond_what_is_solved_together_are_refused_with_the_limit() {
    let folder = Folder::new("contacts");
    let mut text = format!("{HEAD}{DISC}");
    for k in 0..5_000 {
        write!(text, "[contacts.c{k}]\nbetween = [\"b.s\", \"ground.f\"]\nrestitution = 0.5\n")
            .unwrap();
    }
    let file = folder.file("many.toml", &text);
    // One by one they can be looked at; all together they are a matrix of 200 MB, and 5 GB in a run.
    let limited = |verb: &str| {
        let script = format!("ulimit -v 2000000; exec '{}' {verb} '{file}'", binary());
        std::process::Command::new("sh").args(["-c", &script]).output().unwrap()
    };
    assert_eq!(limited("check").status.code(), Some(0));
    let expected = "5000 rows of touching points take part at once, more than are solved together (at most 2000)";
    for verb in ["impact", "run --until 0.01 --method piecewise"] {
        let output = limited(verb);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{verb}: {stderr}");
        assert!(stderr.contains(expected), "{verb}: {stderr}");
    }
}

#[test]
fn deep_nesting_and_long_names_are_refused_with_the_limit() {
    let folder = Folder::new("deep");
    let name = "n".repeat(1_000_000);
    let cases = [
        (format!("{HEAD}x = {}{}", "[".repeat(100_000), "]".repeat(100_000)), "recursion depth"),
        (format!("{HEAD}[{}]\n", vec!["a"; 1000].join(".")), "nested deeper than 32 levels"),
        (
            format!("{HEAD}[parameters]\nx = \"{}1{}\"\n", "(".repeat(9999), ")".repeat(9999)),
            "nested deeper than 60 levels",
        ),
        (
            format!("{HEAD}[bodies.{name}]\nmass = 1\n"),
            "a name of 1000000 letters: at most 200 are expected",
        ),
        (format!("{HEAD}[parameters]\n\"{name}\" = 1\n"), "at most 200 are expected"),
    ];
    for (k, (text, expected)) in cases.iter().enumerate() {
        let (code, _, stderr) = ran(&["check", &folder.file(&format!("{k}.toml"), text)]);
        assert_eq!(code, Some(2), "{k}");
        assert!(
            stderr.contains(expected) && stderr.len() < 2000,
            "{k}: {}",
            &stderr[..stderr.len().min(2000)]
        );
        assert!(stderr.contains(&format!("{k}.toml:")), "{k}: {stderr}");
    }
}

#[test]
fn ten_thousand_closure_rows_are_refused_with_the_limit() {
    let folder = Folder::new("rows");
    let mut text = format!("{HEAD}{DISC}");
    for k in 0..9_998 {
        write!(
            text,
            "[closures.c{k}]\ntype = \"point-on-line\"\nconnects = [\"ground\", \"b\"]\nat = [[0, 0.1], [0, 0]]\ndirection = [1, 0]\n"
        )
        .unwrap();
    }
    let (code, _, stderr) = ran(&["check", &folder.file("rows.toml", &text)]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("9998 closure rows") && stderr.contains("about 1000"), "{stderr}");
}

#[test]
fn what_is_odd_is_said() {
    let folder = Folder::new("odd");
    let spatial = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n[bodies.b]\nmass = 1\nshape = { sphere = 0.1 }\n\
        [joints.j]\ntype = \"spherical\"\nconnects = [\"ground\", \"b\"]\nposition = [2, 0, 0, 0]\n";
    let slow = format!("{HEAD}{}", DISC.replace("-1, 0]", "-1e-300, 0]"));
    let cases = [
        (HEAD.to_owned(), Some(0), "the file has no body: nothing can move"),
        (
            spatial.to_owned(),
            Some(0),
            "joints.j.position: the quaternion has the length 2, not 1: it was normalised",
        ),
        (slow, Some(0), "joints.j.velocity: -1e-300 counts as rest"),
        (
            format!("{HEAD}{}", DISC.replace("mass = 1", "mass = \"one\"")),
            Some(2),
            "unknown name `one`; expected a number, a quantity such as",
        ),
    ];
    for (text, wanted, expected) in cases {
        let (code, _, stderr) = ran(&["check", &folder.file("odd.toml", &text)]);
        assert_eq!(code, wanted, "{stderr}");
        assert!(stderr.contains(expected), "{expected}:\n{stderr}");
    }
}

#[test]
fn a_file_elsewhere_that_is_completed_does_not_show_its_lines() {
    let folder = Folder::new("elsewhere");
    folder.file("secret.toml", "token = \"abc123\"\nuser\n");
    folder.file("secret.urdf", "<robot><token>abc123</robot>");
    folder.file("inner/own.toml", "token = \"abc123\"\n");
    for (base, shown) in [
        ("model = \"../secret.toml\"\n", false),
        ("carom = 1\n[robot]\nsource = \"../secret.urdf\"\n", false),
        ("model = \"own.toml\"\n", true),
    ] {
        let (code, _, stderr) = ran(&["check", &folder.file("inner/top.toml", base)]);
        assert_eq!(code, Some(2));
        assert_eq!(stderr.contains("abc123"), shown, "{stderr}");
        assert!(stderr.contains(if shown { "own.toml:1:" } else { "secret." }), "{stderr}");
    }
}

#[test]
fn a_study_of_a_name_that_is_none_is_one_refusal() {
    let folder = Folder::new("study");
    let text = format!(
        "{HEAD}{DISC}[contacts.hit]\nbetween = [\"b.s\", \"ground.f\"]\n\
         [study]\nvariables.a = {{ path = \"joints.j.velocitty.1\", range = [-1, -2], count = 20 }}\n\
         variables.b = {{ path = \"bodies.b.mass\", range = [1, 2], count = 40 }}\n"
    );
    let file = folder.file("study.toml", &text);
    let out = folder.name("out");
    let (code, _, stderr) = ran(&["sweep", &file, "-o", &out]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("is `velocity` meant?"), "{stderr}");
    assert_eq!(stderr.matches("study.toml:").count(), 1, "{stderr}");
    assert!(!std::path::Path::new(&out).exists());
    // Whoever reads its first line closes the pipe.
    let good = folder.file("good.toml", &text.replace("velocitty", "velocity"));
    let mut child = std::process::Command::new(binary())
        .args(["sweep", &good, "-o", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_log_with_damaged_records_says_which_were_computed_again() {
    let folder = Folder::new("damaged");
    let file = folder.file(
        "study.toml",
        &format!(
            "{HEAD}{DISC}[contacts.hit]\nbetween = [\"b.s\", \"ground.f\"]\n\
             [study]\nvariables.a = {{ path = \"bodies.b.mass\", range = [1, 2], count = 40 }}\n"
        ),
    );
    let out = folder.name("out");
    assert_eq!(ran(&["sweep", &file, "-o", &out]).0, Some(0));
    let log = std::fs::read_dir(&out)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "log"))
        .unwrap();
    let table = std::fs::read(format!("{out}/table.csv")).unwrap();
    let sound = std::fs::read(&log).unwrap();
    // The records are of one length: the file's end divided by 40 after the head.
    let head = 16 + u32::from_le_bytes(sound[8..12].try_into().unwrap()) as usize;
    let length = (sound.len() - head) / 40;
    let mut bytes = sound.clone();
    for record in [3, 4, 17] {
        bytes[head + record * length + length / 2] ^= 0x55;
    }
    bytes.truncate(head + 30 * length + 5);
    std::fs::write(&log, &bytes).unwrap();
    let (code, stdout, stderr) = ran(&["sweep", &file, "-o", &out, "--resume", "--format", "json"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("damaged records of points 3-4, 17 were computed again"), "{stderr}");
    assert!(stderr.contains("it ended within a record"), "{stderr}");
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(answer["recomputed"], serde_json::json!([[3, 4], [17, 17]]));
    assert_eq!(std::fs::read(format!("{out}/table.csv")).unwrap(), table);
    assert_eq!(std::fs::read(&log).unwrap(), sound);
    let (_, _, stderr) = ran(&["sweep", &file, "-o", &out, "--resume"]);
    assert_eq!(stderr, "", "a sound log has nothing to say");
}

#[test]
fn regions_that_look_like_formulas_are_texts_in_tables() {
    let folder = Folder::new("formula");
    let limits = folder.file(
        "limits.toml",
        "source = \"a\"\nedition = \"1\"\nconfirmed = true\n[[regions]]\nname = \"=cmd|' /C calc'!A0\"\nforce_clamped = 100\nstiffness = 75\n",
    );
    let path = folder.file(
        "path.csv",
        "q1,q2,q3,q4,q5,q6,speed\n0.1,-0.5,1,0.2,0.3,0,0.2\n0.2,-0.5,1,0.2,0.3,0,0.2\n",
    );
    let out = folder.name("out");
    let arm = model("robots/arm.urdf");
    let (code, _, stderr) =
        ran(&["near", &arm, "--tip", "tool_tip", "--limits", &limits, "--path", &path, "-o", &out]);
    assert_eq!(code, Some(0), "{stderr}");
    let profile = std::fs::read_to_string(format!("{out}/profile.csv")).unwrap();
    assert!(profile.contains("\"'=cmd|") && !profile.contains("\"=cmd"), "{profile}");
}
