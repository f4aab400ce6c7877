//! `carom tip` and `carom near` as a person or a script meets them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{carom, model, valid};

const POSE: &str = "20,-60,80,-50,-70,10 deg";

fn done(arguments: &[&str]) -> String {
    let output = carom(arguments);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carom-robot-{}-{name}", std::process::id()));
    // It may not be there.
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn the_tip_of_an_arm_has_three_masses_and_a_page() {
    let file = model("robot-arm.toml");
    let out = folder("tip").join("out");
    let shown = out.display().to_string();
    let asked = ["tip", &file, "--tip", "wrist_3.tip", "--q", POSE, "--payload", "1.5 kg"];
    let mut all = asked.to_vec();
    all.extend(["--payload-at", "0,0,50 mm", "--lock", "joint_2", "--direction", "1,0,0"]);
    all.extend(["--speed", "0.25 m/s"]);
    let text = done(&all);
    for word in ["standard's constant", "joints free", "joints locked", "lightest", "payload"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let mut printed = all.clone();
    printed.extend(["--format", "json", "-o", &shown]);
    let value = valid("tip", &done(&printed));
    assert_eq!(value["mass_used"], "locked");
    assert!((value["standard_mass"].as_f64().unwrap() - 10.02445).abs() < 1e-9);
    assert!(value["impact_energy"].as_f64().unwrap() > 0.0);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("How heavy is the tip") && page.contains("equal-area"));
    assert!(page.len() < 3_000_000, "{}", page.len());
    valid("tip", &fs::read_to_string(out.join("summary.json")).unwrap());
    assert!(fs::read_to_string(out.join("directions.svg")).unwrap().contains("m_eff"));
    // Nothing is written over without a word.
    assert!(refused(&printed).contains("--overwrite"));
}

#[test]
fn a_planar_model_has_a_tip_too() {
    let file = model("four-bar.toml");
    let value = valid("tip", &done(&["tip", &file, "--tip", "coupler", "--format", "json"]));
    assert_eq!(value["principal"].as_array().unwrap().len(), 2);
    assert!(value["principal"][1]["effective_mass"].is_null());
    let out = folder("planar").join("out");
    done(&["tip", &file, "--tip", "coupler", "-o", &out.display().to_string()]);
}

#[test]
fn one_pose_near_a_person_is_a_table_of_regions() {
    let file = model("robot-arm.toml");
    let out = folder("near").join("out");
    let asked = ["near", &file, "--tip", "wrist_3.tip", "--direction", "1,0,0"];
    let output = carom(&asked);
    let (text, err) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    let (text, err) = (common::joined(&text.unwrap()), err.unwrap());
    assert!(err.lines().next().unwrap().contains("static push of the joints is unknown"), "{err}");
    assert!(err.contains("not confirmed") && err.contains("motors not counted"), "{err}");
    assert!(text.contains("design estimate") && text.contains("ISO/PAS 5672"), "{text}");
    assert!(text.contains("hand, fingers"));
    let mut all = asked.to_vec();
    let shown = out.display().to_string();
    let effort = "150,150,150,28,28,28 N m";
    all.extend(["--effort", effort, "--format", "json", "-o", &shown]);
    let value = valid("near", &done(&all));
    assert_eq!(value["regions"].as_array().unwrap().len(), 15);
    assert!(value["static_push"].as_f64().unwrap() > 0.0);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("ISO/PAS 5672") && !out.join("profile.csv").exists());
}

#[test]
fn a_path_near_a_person_gives_a_profile() {
    let file = model("robot-arm.toml");
    let place = folder("path");
    let path = place.join("path.csv");
    let head = "t,q1 [deg],q2 [deg],q3 [deg],q4 [deg],q5 [deg],q6 [deg],v1,v2,v3,v4,v5,v6";
    let line = |k: i32| {
        let s = f64::from(k) / 200.0;
        format!("{s},{},-60,80,-50,-70,10,{},0,0,0,0,0", 20.0 + 40.0 * s, 2.0 * s)
    };
    let lines: Vec<String> = std::iter::once(head.to_owned()).chain((0..200).map(line)).collect();
    let text = lines.join("\n");
    fs::write(&path, &text).unwrap();
    let out = place.join("out").display().to_string();
    let shown = path.display().to_string();
    let asked = ["near", &file, "--tip", "wrist_3.tip", "--path", &shown, "-o", &out];
    let told = done(&asked);
    assert!(told.contains("Slow samples") && told.contains("too fast"), "{told}");
    let profile = fs::read_to_string(place.join("out/profile.csv")).unwrap();
    assert_eq!(profile.lines().count(), 201);
    assert!(profile.starts_with("sample,t [s],speed [m/s],m_R [kg],T_c [J],allowed speed [m/s]"));
    assert!(fs::read_to_string(place.join("out/path.svg")).unwrap().contains("force / limit"));
    valid("near", &fs::read_to_string(place.join("out/summary.json")).unwrap());
    fs::write(&path, text.replace("\n0.5,", "\n0.5;")).unwrap();
    let other = place.join("other").display().to_string();
    let wrong = ["near", &file, "--tip", "wrist_3.tip", "--path", &shown, "-o", &other];
    let message = refused(&wrong);
    assert!(message.starts_with(&format!("{shown}:102: column 1")), "{message}");
    assert!(!place.join("other").exists());
}

#[test]
fn bad_options_and_limits_are_refused_with_what_was_found() {
    let file = model("robot-arm.toml");
    let place = folder("limits");
    let limits = place.join("l.toml");
    let shown = limits.display().to_string();
    fs::write(&limits, done(&["near", "--template"])).unwrap();
    let message = refused(&["near", &file, "--tip", "wrist_3", "--limits", &shown]);
    assert!(message.contains("l.toml:7:10: source: an empty text found"), "{message}");
    let no = place.join("none.toml").display().to_string();
    let message = refused(&["near", &file, "--tip", "wrist_3", "--limits", &no]);
    assert!(message.contains("none.toml") && message.contains("cannot be read"), "{message}");
    for (more, expected) in [
        (["--q", "1,2 deg"], "2 numbers, expected 6"),
        (["--q", "1,2,3,4,5,6 mm"], "joint_1"),
        (["--payload", "heavy"], "--payload"),
        (["--payload", "-1 kg"], "-1 is not a mass"),
        (["--lock", "joint_9"], "there is no joint `joint_9`"),
        (["--direction", "0,0,0"], "has no direction"),
        (["--direction", "1"], "1 numbers, expected 3"),
        (["--speed", "2 kg"], "--speed"),
        (["--mass", "locked"], "no joint is locked"),
    ] {
        let mut all = vec!["tip", &file, "--tip", "wrist_3.tip"];
        all.extend(more);
        let message = refused(&all);
        assert!(message.contains(expected), "{more:?}: {message}");
    }
    assert!(refused(&["tip", &file, "--tip", "hand"]).contains("no moving body or marker `hand`"));
    let area = refused(&["near", &file, "--tip", "wrist_3", "--area", "1 cm"]);
    assert!(area.contains("--area"), "{area}");
    assert!(refused(&["near"]).contains("--tip"));
}

#[test]
fn maps_over_skin_and_reach_are_written_with_a_page() {
    let file = model("robots/arm.urdf");
    let place = folder("maps");
    for verb in ["tip", "near"] {
        let out = place.join(verb);
        let shown = out.display().to_string();
        let asked =
            [verb, &file, "--tip", "tool_tip", "--skin=3000", "--workspace=2000", "-o", &shown];
        let told = done(&asked);
        for word in
            ["visible points of the skin", "the worst points of the skin", "2000 poses within"]
        {
            assert!(told.contains(word), "{word}: {told}");
        }
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains("The skin") && page.contains("Over the workspace"));
        assert!(page.len() < 3_000_000, "{}", page.len());
        let summary = valid(verb, &fs::read_to_string(out.join("summary.json")).unwrap());
        let robot = if verb == "tip" { &summary } else { &summary["robot"] };
        assert_eq!(robot["skin"]["worst"].as_array().unwrap().len(), 10);
        let visible = usize::try_from(robot["skin"]["visible"].as_u64().unwrap()).unwrap();
        let skin = fs::read_to_string(out.join("skin.csv")).unwrap();
        assert_eq!(skin.lines().count(), visible + 1);
        let cells = fs::read_to_string(out.join("workspace.csv")).unwrap();
        let poses: f64 = cells
            .lines()
            .skip(1)
            .map(|l| l.split(',').nth(3).unwrap().parse::<f64>().unwrap())
            .sum();
        assert_eq!(poses, 2000.0);
        assert!(out.join("workspace.svg").exists());
    }
    let planar = model("four-bar.toml");
    let message = refused(&["tip", &planar, "--tip", "coupler", "--skin"]);
    assert!(message.contains("a planar model has no skin"), "{message}");
    let none = refused(&["tip", &file, "--tip", "tool_tip", "--package", "a=/no/such/folder"]);
    assert!(none.contains("there is no folder"), "{none}");
}

#[test]
fn a_density_is_a_quantity_of_a_link_or_of_all() {
    let place = folder("density");
    let file = place.join("r.urdf");
    let text = "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"><collision><geometry><box size=\"1 2 3\"/></geometry></collision></link>\
        <joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint></robot>";
    fs::write(&file, text).unwrap();
    let shown = file.display().to_string();
    for density in ["500 kg/m^3", "a=500"] {
        let model = done(&["import", &shown, "--density", density]);
        assert!(model.contains("mass = 3000.0"), "{model}");
        assert!(model.contains("inertia = [3250.0, 2500.0, 1250.0, 0.0, 0.0, 0.0]"), "{model}");
    }
    assert!(refused(&["import", &shown, "--density", "2 kg"]).contains("--density"));
    assert!(refused(&["import", &shown]).contains("no <inertial>"));
}

#[test]
fn quantities_of_a_robot_have_their_units() {
    let place = folder("units");
    let arm = model("robots/arm.urdf");
    let over = |rest: &str| {
        let text = format!("carom = 1\n[robot]\nsource = \"{arm}\"\ntip = \"tool_tip\"\n{rest}\n");
        fs::write(place.join("over.toml"), text).unwrap();
        place.join("over.toml").display().to_string()
    };
    for (rest, key) in [
        ("density = \"2 kg\"", "robot.density"),
        ("density = { forearm = \"3 m\" }", "robot.density.forearm"),
        ("payload = { mass = \"1 m\" }", "robot.payload.mass"),
        ("payload = { mass = \"1 kg\", at = [0, \"1 kg\", 0] }", "robot.payload.at.1"),
        ("rotors = { joint_1 = \"1 N\" }", "robot.rotors.joint_1"),
        ("locked = { joint_1 = \"1 kg\" }", "robot.locked.joint_1"),
        ("payload = { at = [0, 0, 0] }", "robot.payload.mass"),
    ] {
        let message = refused(&["check", &over(rest)]);
        assert!(message.contains(key) && message.contains("over.toml:"), "{message}");
    }
    for rest in [
        "rotors = { joint_1 = \"2 kg*m^2\" }",
        "locked = { joint_1 = \"20 deg\" }",
        "payload = { mass = \"500 g\" }",
    ] {
        done(&["check", &over(rest)]);
    }
}

#[test]
fn a_model_file_elsewhere_names_meshes_from_its_own_folder() {
    let place = folder("elsewhere");
    let (robots, models) = (place.join("robots/meshes"), place.join("models"));
    fs::create_dir_all(&robots).unwrap();
    fs::create_dir_all(&models).unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    fs::write(robots.join("t.obj"), tetrahedron).unwrap();
    let urdf = place.join("robots/r.urdf");
    let text = "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"><inertial><mass value=\"1\"/>\
        <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
        <visual><geometry><mesh filename=\"meshes/t.obj\"/></geometry></visual></link>\
        <joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint></robot>";
    fs::write(&urdf, text).unwrap();
    let shown = |path: &std::path::Path| path.display().to_string();
    for (out, name, package) in [
        (place.join("robots/r.toml"), "meshes/t.obj", false),
        (place.join("above.toml"), "robots/meshes/t.obj", false),
        (models.join("r.toml"), "../robots/meshes/t.obj", true),
    ] {
        done(&["import", &shown(&urdf), "-o", &shown(&out)]);
        assert!(fs::read_to_string(&out).unwrap().contains(&format!("mesh = \"{name}\"")));
        let out = shown(&out);
        let robots = format!("r={}", shown(&place.join("robots")));
        let mut words = vec!["tip", &out, "--tip", "a", "--skin=200"];
        if package {
            let message = refused(&words);
            assert!(message.contains("outside the folder of the model file"), "{message}");
            words.extend(["--package", &robots]);
        }
        done(&words);
    }
}
