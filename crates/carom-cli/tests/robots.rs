//! Robots' files on the command line: `import`, and a URDF in the place of a model file.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::PathBuf;

use common::{carom, model};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is gone already need not be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Exit code, stdout and stderr.
fn ran(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = carom(arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn import_writes_a_model_file_once_and_says_what_it_decided() {
    let folder = Folder::new("import");
    let (urdf, out) = (model("robots/arm.urdf"), folder.file("arm.toml"));
    let (code, stdout, stderr) = ran(&["import", &urdf, "-o", &out]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, format!("wrote {out}\n"));
    assert_eq!(stderr.matches("base: link `base` is ground").count(), 1, "{stderr}");
    assert!(!stderr.contains("motors not counted"), "{stderr}");
    let written = std::fs::read_to_string(&out).unwrap();
    let (code, _, stderr) = ran(&["check", &out]);
    assert_eq!(code, Some(0), "{stderr}");

    let (code, _, stderr) = ran(&["import", &urdf, "-o", &out, "--weld", "joint_6"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("is there already; --overwrite replaces it"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), written);
    let again = ["import", &urdf, "-o", &out, "--weld", "joint_6", "--overwrite"];
    assert_eq!(ran(&again).0, Some(0));
    assert_ne!(std::fs::read_to_string(&out).unwrap(), written);

    let stops = [
        "import",
        &urdf,
        "--joint-limits",
        "stops",
        "--base",
        "floating",
        "--rotor",
        "joint_6=0.5",
    ];
    let (code, stdout, stderr) = ran(&stops);
    assert_eq!(code, Some(0), "{stderr}");
    for part in ["[contacts.stop_joint_1]", "type = \"floating\"", "rotor = 0.5"] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn a_bad_robot_ends_with_code_2_and_writes_nothing() {
    let folder = Folder::new("bad");
    let (urdf, out) = (folder.file("bad.urdf"), folder.file("bad.toml"));
    let good = std::fs::read_to_string(model("robots/arm.urdf")).unwrap();
    std::fs::write(&urdf, good.replace("<mass value=\"11\"/>", "<mass value=\"heavy\"/>")).unwrap();
    for arguments in
        [["import", &urdf, "-o", &out].as_slice(), &["check", &urdf], &["assess", &urdf]]
    {
        let (code, stdout, stderr) = ran(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert_eq!(stdout, "");
        assert!(stderr.contains("bad.urdf:29:"), "{stderr}");
        assert!(stderr.contains("\"heavy\" is not a number"), "{stderr}");
    }
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn an_arm_without_motors_says_so_with_every_answer() {
    let folder = Folder::new("motors");
    let good = std::fs::read_to_string(model("robots/arm.urdf")).unwrap();
    let bare = good.replace("rotor_inertia value=\"", "rotor_inertia value=\"0\" was=\"");
    std::fs::write(folder.file("arm.urdf"), bare).unwrap();
    std::fs::copy(model("robots/arm.toml"), folder.file("arm.toml")).unwrap();
    let file = folder.file("arm.toml");
    for verb in ["check", "assess", "run", "tip", "near"] {
        let tip: &[&str] = if matches!(verb, "tip" | "near") { &["--tip", "wrist_3"] } else { &[] };
        let (code, _, stderr) = ran(&[&[verb, file.as_str()], tip].concat());
        assert_eq!(code, Some(0), "{verb}: {stderr}");
        let told = stderr.matches("motors not counted: m_eff is a lower bound").count();
        assert_eq!(told, 1, "{verb}: {stderr}");
    }
    let (code, _, stderr) = ran(&["assess", &model("robots/arm.toml")]);
    assert_eq!(code, Some(0));
    assert!(!stderr.contains("motors"), "{stderr}");
}

#[test]
fn every_verb_reads_a_robot_by_the_same_options() {
    let folder = Folder::new("reading");
    let good = std::fs::read_to_string(model("robots/arm.urdf")).unwrap();
    let bare = good.replace("rotor_inertia value=\"", "rotor_inertia value=\"0\" was=\"");
    let extra = "<link name=\"flap\"/><joint name=\"hinge\" type=\"revolute\"><parent link=\"wrist_3\"/><child link=\"flap\"/><limit effort=\"1\" velocity=\"1\"/></joint></robot>";
    let urdf = folder.file("arm.urdf");
    std::fs::write(&urdf, bare.replace("</robot>", extra)).unwrap();
    let tip =
        ["tip", urdf.as_str(), "--tip", "tool_tip", "--direction", "1,0,0", "--format", "json"];
    // What the refusal offers can be typed behind the same verb.
    let (code, _, stderr) = ran(&tip);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("--drop flap") && stderr.contains("--weld hinge"), "{stderr}");
    let mass = |more: &[&str]| {
        let (code, stdout, stderr) = ran(&[&tip[..], more].concat());
        assert_eq!(code, Some(0), "{more:?}: {stderr}");
        let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        (answer["free_mass"].as_f64().unwrap(), stderr)
    };
    let (bare, told) = mass(&["--weld", "hinge"]);
    assert!(told.contains("motors not counted"), "{told}");
    assert_eq!(mass(&["--drop", "flap"]).0, bare);
    let (driven, told) =
        mass(&["--drop", "flap", "--rotor", "joint_1=3 kg m^2", "--rotor", "joint_2=1"]);
    assert!(driven > bare && !told.contains("motors not counted"), "{driven} {bare} {told}");
    // The same by a file over it, and by an edit.
    let over = folder.file("over.toml");
    let text = "carom = 1\n[robot]\nsource = \"arm.urdf\"\ndrop = [\"flap\"]\nrotors = { joint_1 = 3, joint_2 = 1 }\n";
    std::fs::write(&over, text).unwrap();
    let (code, stdout, stderr) = ran(&[&["tip", over.as_str()], &tip[2..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(answer["free_mass"].as_f64().unwrap(), driven);
    let (edited, _) = mass(&[
        "--drop",
        "flap",
        "--set",
        "joints.joint_1.rotor=3",
        "--set",
        "joints.joint_2.rotor=1",
    ]);
    assert_eq!(edited, driven);
    let (floats, _) = mass(&["--drop", "flap", "--base", "floating"]);
    assert!(floats != bare);
    let (code, stdout, stderr) =
        ran(&["check", &urdf, "--drop", "flap", "--joint-limits", "stops", "--format", "json"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("stop_joint_1"), "stops become contacts");
    // A model file says it itself, and a study's log has to tell what it is of.
    for (verb, out) in [("tip", None), ("sweep", Some("o"))] {
        let mut arguments = vec![verb, over.as_str(), "--rotor", "joint_1=3"];
        arguments.extend(out.map_or([].as_slice(), |_| &["-o", "never"]));
        arguments.extend(if verb == "tip" { &["--tip", "tool_tip"][..] } else { &[] });
        let (code, _, stderr) = ran(&arguments);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains("--rotor") && stderr.contains("under [robot]"), "{stderr}");
    }
}

#[test]
fn links_and_joints_go_by_the_names_of_the_robots_file() {
    let folder = Folder::new("original");
    let good = std::fs::read_to_string(model("robots/arm.urdf")).unwrap();
    let renamed =
        good.replace("\"tool_tip\"", "\"tool tip/0\"").replace("\"joint_3\"", "\"joint 3\"");
    let urdf = folder.file("arm.urdf");
    std::fs::write(&urdf, renamed).unwrap();
    let (code, stdout, stderr) = ran(&["tip", &urdf, "--tip", "tool tip/0", "--lock", "joint 3"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("wrist_3.tool_tip_0") && stdout.contains("joint_3 locked"), "{stdout}");
}
