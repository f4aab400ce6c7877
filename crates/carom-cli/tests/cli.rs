//! The command as a person or a script meets it: exit codes, stdout, stderr.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A model of the repository.
fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(name).display().to_string()
}

/// A file of the test's own.
fn written(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn carom(arguments: &[&str]) -> Output {
    Command::new(common::binary()).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// What a run that must succeed prints.
fn done(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

/// The JSON of a verb; it holds to the schema that the library has for it.
fn json(arguments: &[&str]) -> Value {
    common::valid(arguments[0], &done(arguments))
}

/// The messages of the cautions with a code.
fn cautions(value: &Value, code: &str) -> Vec<String> {
    let all = value["cautions"].as_array().unwrap().iter();
    let of_code = all.filter(|c| c["code"] == code);
    of_code.map(|c| c["message"].as_str().unwrap().to_owned()).collect()
}

/// What a run that must be refused says; nothing stands on stdout.
fn refused(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    stderr(&output).to_owned()
}

fn models() -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = vec![PathBuf::from(model(""))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                out.push(path.display().to_string());
            }
        }
    }
    assert!(out.len() > 10);
    out
}

#[test]
fn every_model_is_checked_and_assessed_in_every_format() {
    for file in models() {
        assert!(done(&["check", &file]).contains("degree"), "{file}");
        assert!(json(&["check", &file, "--format", "json"])["bodies"].is_array());
        let table = done(&["assess", &file, "--all"]);
        assert!(table.contains("effective mass"), "{file}");
        let value = json(&["assess", &file, "--format", "json", "--all"]);
        let lines = done(&["assess", &file, "--format", "csv"]).lines().count();
        let contacts = value["contacts"].as_array().unwrap();
        let rows: usize = contacts.iter().map(|c| c["rows"].as_array().unwrap().len()).sum();
        assert_eq!(lines, rows + 1, "{file}");
        for row in contacts.iter().flat_map(|c| c["rows"].as_array().unwrap()) {
            let Some(m) = row["effective_mass"].as_f64() else {
                assert_eq!(row["immobile"], true, "{file}");
                continue;
            };
            for route in ["joint", "body"] {
                for value in row["routes"][route].as_object().unwrap().values() {
                    let Some(x) = value.as_f64() else { continue };
                    assert!((x / m - 1.0).abs() < 1e-9, "{file}: {x} {m}");
                }
            }
        }
    }
}

#[test]
fn the_slider_crank_of_the_paper() {
    let file = model("000/slider-crank.toml");
    let table = done(&["assess", &file]);
    for part in ["0.801475 kg", "4.03715 kg", "closing", "`slider` hits `block` like 0.801 kg"] {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
    let value = json(&["assess", &file, "--format", "json", "--projectors"]);
    let contact = &value["contacts"][0];
    let row = &contact["rows"][0];
    assert!((row["effective_mass"].as_f64().unwrap() - 0.801_475_1).abs() < 1e-7);
    assert_eq!(row["immobile"], false);
    assert_eq!(contact["i"], "slider");
    // T = T_c + T_a, and W holds 1/m_eff.
    let energy = |key: &str| contact["energies"][key].as_f64().unwrap();
    let sum = energy("constrained_energy") + energy("admissible_energy");
    assert!((energy("kinetic_energy") - sum).abs() < 1e-14);
    let product = contact["W"][0][0].as_f64().unwrap() * row["effective_mass"].as_f64().unwrap();
    assert!((product - 1.0).abs() < 1e-15);
    assert_eq!(contact["projectors"]["P_c"].as_array().unwrap().len(), 4);
    assert_eq!(value["state"]["velocities"][0], "pivot.angle");
}

#[test]
fn at_the_dead_centre_the_slider_is_a_wall() {
    let file = model("000/slider-crank.toml");
    let set = "parameters.theta=0 deg";
    let value = json(&["assess", &file, "--set", set, "--format", "json"]);
    let row = &value["contacts"][0]["rows"][0];
    assert!((row["effective_mass"].as_f64().unwrap() - 1.0).abs() < 1e-14);
    assert_eq!(row["apparent_masses"]["i"]["mass"], Value::Null);
    assert_eq!(row["apparent_masses"]["i"]["immobile"], true);
}

#[test]
fn an_immobile_contact_is_an_answer() {
    let file = model("000/rod-on-wall.toml");
    let set = "parameters.theta=90 deg";
    let table = done(&["assess", &file, "--set", set]);
    assert!(table.contains("like a wall"), "{table}");
    let value = json(&["assess", &file, "--set", set, "--format", "json"]);
    let row = &value["contacts"][0]["rows"][0];
    assert_eq!(row["effective_mass"], Value::Null);
    assert_eq!(row["immobile"], true);
    assert_eq!(row["constrained_energy"], 0.0);
    let csv = done(&["assess", &file, "--set", set, "--format", "csv"]);
    assert!(csv.lines().nth(1).unwrap().contains(",inf,true,"), "{csv}");
}

#[test]
fn csv_has_units_and_full_precision() {
    let file = model("000/slider-crank.toml");
    let csv = done(&["assess", &file, "--format", "csv"]);
    let (heading, row) = csv.split_once('\n').unwrap();
    let column = heading.split(',').position(|h| h == "m_eff [kg]").unwrap();
    let m: f64 = row.split(',').nth(column).unwrap().parse().unwrap();
    let value = json(&["assess", &file, "--format", "json"]);
    assert_eq!(value["contacts"][0]["rows"][0]["effective_mass"].as_f64(), Some(m));
    assert_eq!(heading.split(',').count(), row.trim_end().split(',').count());
    let message = refused(&["assess", &file, "--gradients", "--format", "csv"]);
    assert!(message.contains("--format json"), "{message}");
}

#[test]
fn four_corners_of_a_box_have_rank_three() {
    let file = model("box-on-plane.toml");
    let value = json(&["assess", &file, "--format", "json"]);
    let contact = &value["contacts"][0];
    assert_eq!(contact["rows"].as_array().unwrap().len(), 4);
    assert_eq!(contact["rank"], 3);
    // ½ m v_z² + ½ Iyy ω_y²: sliding and spinning pass the floor by.
    let expected = 1.0 + 0.5 * (2.0 / 12.0) * (0.09 + 0.01) * 4.0;
    let found = contact["energies"]["constrained_energy"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-12, "{found}");
    assert!(done(&["assess", &file]).contains("3 of 4"));
}

#[test]
fn a_separating_contact_has_no_impact_energy() {
    let file = model("000/rod-on-wall.toml");
    let set = "parameters.rate=-1 rad/s";
    let table = done(&["assess", &file, "--set", set]);
    assert!(table.contains("separate: no impact"), "{table}");
    assert!(table.contains("not impact energy"), "{table}");
    let value = json(&["assess", &file, "--set", set, "--format", "json"]);
    let contact = &value["contacts"][0];
    assert_eq!(contact["energies"]["impact_energy"], 0.0);
    assert_eq!(contact["rows"][0]["motion"], "separating");
}

#[test]
fn a_moving_drive_marks_what_depends_on_the_frame() {
    let text = std::fs::read_to_string(model("000/rod-on-wall.toml")).unwrap()
        + "\n[bodies.weight]\nmass = 1\nshape = { point = true }\n\
           [joints.lift]\ntype = \"prismatic\"\nconnects = [\"ground\", \"weight\"]\naxis = [1, 0]\n\
           [drives.lift]\njoint = \"lift\"\nmotion = \"2*t\"\n";
    let file = written("driven.toml", &text);
    assert!(done(&["assess", &file]).contains("depends on the frame"));
    assert!(done(&["check", &file]).contains("driven by `lift`"));
    let value = json(&["assess", &file, "--format", "json"]);
    assert_eq!(value["contacts"][0]["energies"]["frame_dependent"], true);
}

#[test]
fn locked_joints_and_cones_are_compared() {
    let file = model("robot-arm.toml");
    let table = done(&[
        "assess", &file, "--lock", "joint_5", "--lock", "joint_6", "--cone", "30", "--wide",
    ]);
    assert!(table.contains("with `joint_5`, `joint_6` locked"), "{table}");
    assert!(table.contains("up to 30°"), "{table}");
    let value = json(&["assess", &file, "--lock", "joint_5", "--format", "json"]);
    let row = &value["contacts"][0]["rows"][0];
    let locked = row["locked"]["effective_mass"].as_f64().unwrap();
    assert!(locked >= row["effective_mass"].as_f64().unwrap());
    assert!(refused(&["assess", &file, "--lock", "joint5"]).contains("did you mean `joint_5`"));
    refused(&["assess", &file, "--cone", "-3"]);
    refused(&["assess", &file, "--cone", "NaN"]);
}

#[test]
fn unknown_names_come_with_the_nearest() {
    let file = model("000/slider-crank.toml");
    let message = refused(&["assess", &file, "--contact", "fases"]);
    assert!(message.contains("did you mean `faces`?"), "{message}");
    assert!(refused(&["assess", &file, "--contact", "elephant"]).contains("there is `faces`"));
    done(&["assess", &file, "--contact", "faces"]);
}

#[test]
fn bad_edits_are_refused() {
    let file = model("000/slider-crank.toml");
    assert!(refused(&["assess", &file, "--set", "bodies.rod.mass"]).contains("no `=`"));
    let message = refused(&["check", &file, "--set", "bodies.rod.mass=-1"]);
    assert!(message.contains("--set bodies.rod.mass=-1"), "{message}");
    assert!(refused(&["check", &file, "--set", "=3"]).contains("is not a path"));
    assert!(refused(&["check", &file, "--set", "bodies.rod.mas=3"]).contains("mass"));
}

#[test]
fn what_cannot_be_read_is_refused() {
    assert!(refused(&["check", "no-such-file.toml"]).contains("no-such-file.toml"));
    assert!(refused(&["check", &model("")]).contains("cannot be read"));
    assert!(refused(&["check", &written("empty.toml", "")]).contains("empty"));
    let message = refused(&["check", &written("odd.toml", "carom = 1\nspace = planar\n")]);
    assert!(message.contains("odd.toml:2:9"), "{message}");
    refused(&["levitate"]);
    refused(&["assess"]);
}

#[test]
fn a_loop_that_cannot_close_names_its_closure() {
    let mut text = String::from("carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n");
    for name in ["a", "b", "c"] {
        let _ = writeln!(text, "[bodies.{name}]\nmass = 1\nshape = {{ rod = 0.1 }}");
    }
    let joints = [
        ("joints.one", ["ground", "a"], [0.0, -0.05]),
        ("joints.two", ["a", "b"], [0.05, -0.05]),
        ("joints.three", ["ground", "c"], [5.0, -0.05]),
        ("closures.last", ["b", "c"], [0.05, 0.05]),
    ];
    for (name, [a, b], [x, y]) in joints {
        let _ = writeln!(
            text,
            "[{name}]\ntype = \"revolute\"\nconnects = [\"{a}\", \"{b}\"]\nat = [[{x}, 0], [{y}, 0]]"
        );
    }
    let file = written("far.toml", &text);
    let message = refused(&["check", &file]);
    assert!(message.contains("closures.last by 4."), "{message}");
    assert!(message.contains("far.toml:25:"), "{message}");
    assert!(refused(&["assess", &file]).contains("closures.last"));
}

#[test]
fn a_pair_without_a_gap_function_is_refused_where_it_stands() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.a]\nmass = 1\ninertia = 1\ncontact.p = { hollow = 1 }\n\
        [ground]\ncontact.q = { hollow = 1 }\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n\
        [contacts.odd]\nbetween = [\"a.p\", \"ground.q\"]\n";
    let message = refused(&["assess", &written("hollows.toml", text)]);
    let expected = "hollows.toml:14:11: contacts.odd: contact of a hollow with a hollow";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn without_a_contact_there_is_nothing_to_assess() {
    let text = "carom = 1\nspace = \"planar\"\n[bodies.a]\nmass = 1\ninertia = 1\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n";
    let file = written("lonely.toml", text);
    assert!(refused(&["assess", &file]).contains("[contacts.strike]"));
    // The missing gravity is a warning, on stderr, and in the JSON.
    let output = carom(&["check", &file, "--format", "json"]);
    assert!(stderr(&output).contains("no gravity"));
    let value = common::valid("check", stdout(&output));
    assert_eq!(value["cautions"].as_array().unwrap().len(), 1);
    assert_eq!(value["cautions"][0]["code"], "model-file");
}

#[test]
fn check_knows_energies_accelerations_and_reactions() {
    // A rod let go level: v̇ = 3g/2L at the pivot, which carries a quarter of the weight.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.rod]\nmass = 2\nshape = { rod = 1 }\n\
        [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\n\
        at = [[0, 1], [-0.5, 0]]\nposition = 0\nvelocity = 3\n";
    let file = written("level.toml", text);
    let value = json(&["check", &file, "--format", "json"]);
    let near = |found: &Value, expected: f64| {
        let x = found.as_f64().unwrap();
        assert!((x - expected).abs() < 1e-12, "{x} is not {expected}");
    };
    let (motion, pivot) = (&value["motion"], &value["joints"][0]);
    near(&motion["kinetic_energy"], 0.5 * (2.0 / 3.0) * 9.0);
    near(&motion["potential_energy"], 2.0 * 9.81);
    near(&motion["linear_momentum"][1], 3.0);
    near(&motion["linear_momentum"][0], 0.0);
    near(&motion["angular_momentum"][2], 2.0);
    near(&pivot["acceleration"][0], -1.5 * 9.81);
    near(&pivot["reaction"]["force"][1], 2.0 * 9.81 / 4.0);
    near(&pivot["reaction"]["force"][0], -2.0 * 0.5 * 9.0);
    near(&pivot["reaction"]["moment"][2], 0.0);
    assert_eq!(pivot["reaction"]["unique"], true);
    near(&value["bodies"][0]["center_acceleration"][1], -0.75 * 9.81);
    let table = done(&["check", &file]);
    for part in ["-14.715 rad/s²", "3 J", "19.62 J", "(-9, 4.905)"] {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
}

#[test]
fn a_closure_pushes_its_second_body() {
    // The slider slides freely: the wrist's force along the guide is its mass times acceleration.
    let value = json(&["check", &model("000/slider-crank.toml"), "--format", "json"]);
    let wrist = &value["closures"][0];
    let force = wrist["reaction"]["force"][0].as_f64().unwrap();
    let acceleration = value["joints"][2]["acceleration"][0].as_f64().unwrap();
    assert!(acceleration.abs() > 1.0 && (force - acceleration).abs() < 1e-13, "{force}");
    assert_eq!(wrist["multipliers"].as_array().unwrap().len(), 2);
}

#[test]
fn reactions_that_are_not_unique_are_marked() {
    let file = model("three-crank-parallelogram.toml");
    assert_eq!(done(&["check", &file]).matches("not unique: one of many").count(), 6);
    let value = json(&["check", &file, "--format", "json"]);
    assert_eq!(value["joints"][0]["reaction"]["unique"], false);
    assert_eq!(value["closures"][1]["reaction"]["unique"], false);
}

#[test]
fn redundant_closures_are_a_warning() {
    let output = carom(&["check", &model("three-crank-parallelogram.toml")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("1 of 4 closure rows"), "{}", stderr(&output));
    assert!(stdout(&output).contains("3 independent of 4 closure rows"));
}

#[test]
fn escapes_in_a_title_do_not_reach_the_terminal() {
    let text = "carom = 1\ntitle = \"\\u001b[31mred\"\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.a]\nmass = 1\ninertia = 1\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n";
    assert!(!done(&["check", &written("red.toml", text)]).contains('\u{1b}'));
}

#[test]
fn the_schema_is_json() {
    let schema: Value = serde_json::from_str(&done(&["schema"])).unwrap();
    assert!(schema["properties"]["bodies"].is_object());
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let file = model("002/pantograph.toml");
    for arguments in [vec!["schema"], vec!["assess", &file, "--format", "json"], vec!["--help"]] {
        let mut child = Command::new(common::binary())
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The read end is gone before the command writes.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_bodies_is_summarised() {
    const N: usize = 100_000;
    let mut text = String::from("carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n");
    text += "[ground]\ncontact.wall = { plane = [0, 1], at = [0, -1] }\n";
    for k in 0..N {
        let parent = if k == 0 { "ground".to_owned() } else { format!("b{}", k - 1) };
        let (x, v) = if k == 0 { (0.0, -1e-5) } else { (0.5, 0.0) };
        let _ = writeln!(text, "[bodies.b{k}]\nmass = 1\nshape = {{ rod = 1 }}");
        if k == N - 1 {
            text += "contact.tip = { point = [0.5, 0] }\n";
        }
        let _ = writeln!(
            text,
            "[joints.j{k}]\ntype = \"revolute\"\nconnects = [\"{parent}\", \"b{k}\"]\n\
             at = [[{x}, 0], [-0.5, 0]]\nposition = 0\nvelocity = {v}"
        );
    }
    let _ = writeln!(text, "[contacts.tip]\nbetween = [\"b{}.tip\", \"ground.wall\"]", N - 1);
    let file = written("chain.toml", &text);
    let check = done(&["check", &file]);
    assert!(check.contains("100000 degrees of freedom") && check.lines().count() < 40, "{check}");
    let table = done(&["assess", &file]);
    // Across, one more rod changes nothing: (m/3)² − m_eff² = (m/6)², so m_eff = m √3/6.
    let line = table.lines().find(|l| l.contains("effective mass  ")).unwrap();
    assert!(line.contains("0.288675 kg"), "{line}");
}

#[test]
fn stiffness_from_materials_is_printed_with_its_origin() {
    let file = model("001/two-spheres.toml");
    let table = done(&["check", &file]);
    assert!(table.contains("2.39777e10 N/m^1.5  1.5  Hertz: steel on steel"), "{table}");
    let checked = json(&["check", &file, "--format", "json"]);
    let stiffness = &checked["contacts"][0]["stiffness"];
    let assessed = json(&["assess", &file, "--format", "json"]);
    assert_eq!(&assessed["contacts"][0]["stiffness"], stiffness);
    // Moreira et al. eq. 3 by hand: 207e9/(1.5 · 0.91) √0.025.
    let k = stiffness["K"].as_f64().unwrap();
    assert!((k / (207e9 / 1.365 * 0.025_f64.sqrt()) - 1.0).abs() < 1e-14, "{k}");
    assert_eq!(stiffness["n"], 1.5);
    assert_eq!(stiffness["materials"][1]["name"], "steel");
    let row = &assessed["contacts"][0]["rows"][0];
    // F = K (5/2 T_c/K)^{3/5}.
    let energy = row["constrained_energy"].as_f64().unwrap();
    let peak = k * (2.5 * energy / k).powf(0.6);
    assert!((row["elastic_peak"].as_f64().unwrap() / peak - 1.0).abs() < 1e-14);
    assert!(row["elastic_area"]["peak_pressure"].as_f64().unwrap() > 3.5e9);
    let table = done(&["assess", &file]);
    assert!(table.contains("elastic peak force") && table.contains("peak pressure"), "{table}");
    let csv = done(&["assess", &file, "--format", "csv"]);
    assert!(
        csv.lines().next().unwrap().contains("K [N/m^n],n,law,peak force by the law [N]"),
        "{csv}"
    );
    // A written stiffness says that it is.
    let value = json(&["assess", &model("002/two-discs.toml"), "--format", "json"]);
    assert_eq!(value["contacts"][0]["stiffness"]["from"], "stiffness");
    assert!(assessed["cautions"].as_array().unwrap().iter().all(|c| c["severity"] == "note"));
    // The pair has the radius R = 25 mm; rubber at this speed is pressed too wide beside it.
    let soft = ["assess", &file, "--set", "contacts.spheres.materials=[rubber, rubber]"];
    let warned = json(&[soft.as_slice(), &["--format", "json"]].concat());
    let row = &warned["contacts"][0]["rows"][0];
    let area = &row["elastic_area"];
    let a = area["half_axes"][0].as_f64().unwrap();
    let size = area["relative_size"].as_f64().unwrap();
    assert!((size - a / 0.025).abs() < 1e-12 && size > 0.3, "{size}");
    let text = cautions(&warned, "large-contact");
    assert!(text[0].contains("asks for a small part"), "{text:?}");
    let message = refused(&["assess", &file, "--set", "contacts.spheres.materials=[steel, stell]"]);
    assert!(message.contains("is `steel` meant?"), "{message}");
}

#[test]
fn parallel_cylinders_are_printed_with_their_reference() {
    let file = model("002/two-discs.toml");
    let text = std::fs::read_to_string(&file).unwrap().replace(
        "stiffness = \"1e9 N/m^1.5\"",
        "materials = [\"steel\", \"brass\"]\nlength = \"20 mm\"\nreference_force = \"5 kN\"",
    );
    let file = written("cylinders.toml", &text);
    let table = common::joined(&done(&["check", &file]));
    assert!(
        table.contains("steel on brass, parallel cylinders of 0.02 m, matched at 5000 N"),
        "{table}"
    );
    let value = json(&["check", &file, "--format", "json"]);
    let stiffness = &value["contacts"][0]["stiffness"];
    assert_eq!(stiffness["from"], "materials, line contact");
    let n = stiffness["n"].as_f64().unwrap();
    assert!(n > 1.0 && n < 1.2, "{n}");
    let flat = text.replace("length = \"20 mm\"", "length = \"20 mm\"\ndepth = \"1 m\"");
    let message = refused(&["assess", &written("too-deep.toml", &flat)]);
    assert!(
        message.contains("two cylinders need none") && message.contains("materials ="),
        "{message}"
    );
}

/// A block that a drive pushes against a wall.
fn driven(free: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [ground]\ncontact.wall = {{ plane = [-1, 0], at = [1, 0] }}\n\
         [bodies.ram]\nmass = 1\nshape = {{ point = true }}\ncontact.nose = {{ point = [0, 0] }}\n\
         [joints.slide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ram\"]\naxis = [1, 0]\n\
         at = [[1, 0], [0, 0]]\n\
         {free}\n[contacts.hit]\nbetween = [\"ram.nose\", \"ground.wall\"]\nrestitution = 0.5\n"
    )
}

#[test]
fn a_driven_contact_that_cannot_give_way_is_unbounded_and_names_its_drive() {
    let text = driven("[drives.push]\njoint = \"slide\"\nmotion = \"2*t\"");
    let file = written("driven-ram.toml", &text);
    let value = json(&["assess", &file, "--format", "json"]);
    let contact = &value["contacts"][0];
    let energies = &contact["energies"];
    assert_eq!(energies["impact_energy"], Value::Null, "{contact}");
    assert_eq!(energies["unbounded"], true);
    assert_eq!(energies["drives"][0], "push");
    assert_eq!(contact["rows"][0]["unbounded"], true);
    assert!(cautions(&value, "unbounded")[0].contains("`push`"), "{value}");
    let table = done(&["assess", &file]);
    assert!(table.contains("unbounded") && table.contains("`effort`"), "{table}");
    let csv = done(&["assess", &file, "--format", "csv"]);
    let (heading, row) = csv.split_once('\n').unwrap();
    let column = heading.split(',').position(|h| h == "T_c closing [J]").unwrap();
    assert_eq!(row.split(',').nth(column), Some("inf"), "{csv}");
    let checked = json(&["check", &file, "--format", "json"]);
    assert_eq!(cautions(&checked, "unbounded").len(), 1, "{checked}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("driven-ram");
    done(&["assess", &file, "-o", folder.to_str().unwrap(), "--overwrite"]);
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("unbounded"), "the page says it");
}

#[test]
fn an_open_contact_says_what_it_would_be_if_it_touched_here() {
    let text = driven("position = \"-0.5 m\"\nvelocity = \"2 m/s\"");
    let file = written("open-ram.toml", &text);
    let table = done(&["assess", &file]);
    assert!(table.contains("If it touched here: `ram` hits `wall` like 1 kg"), "{table}");
    assert!(table.contains("how much energy, if it touched here"), "{table}");
    let value = json(&["assess", &file, "--format", "json"]);
    assert_eq!(value["contacts"][0]["touching"], false);
    assert_eq!(value["contacts"][0]["struck"], "wall");
    assert_eq!(cautions(&value, "open-contact").len(), 1);
    // A note stands in the text itself, not on stderr.
    assert_eq!(stderr(&carom(&["assess", &file])), "");
}

#[test]
fn energies_together_are_those_of_the_points_that_touch() {
    let file = model("impacts/box-on-edge.toml");
    let value = json(&["assess", &file, "--format", "json"]);
    let energies = &value["contacts"][0]["energies"];
    let found = energies["impact_energy"].as_f64().unwrap();
    assert!((found - 0.430_927).abs() < 1e-6, "{found}");
}

#[test]
fn bodies_have_velocities_in_the_json_of_assess_and_check() {
    let file = model("000/slider-crank.toml");
    for verb in ["assess", "check"] {
        let value = json(&[verb, &file, "--format", "json"]);
        let body = &value["bodies"][0];
        assert!(body["center_velocity"][0].is_number(), "{verb}: {body}");
        assert!(body["angular_velocity"][2].as_f64().unwrap().abs() > 0.0, "{verb}: {body}");
    }
}

#[test]
fn gradients_stand_in_the_page_of_an_assessment() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gradients");
    let file = model("000/slider-crank.toml");
    let to = folder.to_str().unwrap();
    done(&["assess", &file, "--gradients", "-o", to, "--overwrite"]);
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("Derivatives of row n") && page.contains("crank.mass"));
    // Four digits, and no line break before the unit.
    assert!(page.contains("0.8015\u{a0}kg"), "a number of the answer");
}

#[test]
fn check_says_all_that_run_would_refuse() {
    let text = driven("position = \"-0.5 m\"").replace("restitution = 0.5\n", "");
    let second = "[contacts.again]\nbetween = [\"ram.nose\", \"ground.wall\"]\n";
    let file = written("cannot-run.toml", &format!("{text}{second}"));
    let value = json(&["check", &file, "--format", "json"]);
    let found = cautions(&value, "cannot-run");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("duration") && found[1].contains("`law`"), "{found:?}");
    assert!(stderr(&carom(&["check", &file])).contains("note: contacts.again: `run` would refuse"));
    let shipped = json(&["check", &model("000/two-pendulums.toml"), "--format", "json"]);
    assert!(cautions(&shipped, "cannot-run").is_empty(), "{shipped}");
}

#[test]
fn check_doubts_an_inertia_that_is_larger_than_its_body() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.wrist]\nmass = 1.2\ninertia = 0.21\n\
        [joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"wrist\"]\n\
        at = [[0, 0], [0.05, 0]]\n";
    let value = json(&["check", &written("wrist.toml", text), "--format", "json"]);
    let found = cautions(&value, "inertia-doubtful");
    assert!(found.len() == 1 && found[0].contains("radius of gyration"), "{value}");
    // An inertia that follows from a shape is that of the shape.
    let shaped = text.replace("inertia = 0.21", "shape = { rod = 1 }");
    let value = json(&["check", &written("shaped.toml", &shaped), "--format", "json"]);
    assert!(cautions(&value, "inertia-doubtful").is_empty(), "{value}");
}

#[test]
fn a_stop_that_turns_is_out_by_an_angle() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.rod]\nmass = 1\nshape = { rod = 1 }\n\
        [joints.p]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nposition = \"91 deg\"\n\
        [contacts.stop]\njoint = \"p\"\nupper = \"90 deg\"\nrestitution = 0.5\n";
    let value = json(&["check", &written("beyond.toml", text), "--format", "json"]);
    let found = cautions(&value, "penetration");
    assert!(found[0].contains("0.0174533 rad beyond its stop"), "{found:?}");
}

#[test]
fn extras_are_computed_when_they_are_asked_for() {
    let file = model("000/slider-crank.toml");
    let row = |arguments: &[&str]| {
        let value = json(&[&["assess", file.as_str(), "--format", "json"], arguments].concat());
        let contact = value["contacts"][0].clone();
        ["rivals", "routes"]
            .map(|k| !contact["rows"][0][k].is_null())
            .into_iter()
            .chain([!contact["projectors"].is_null()])
            .collect::<Vec<bool>>()
    };
    assert_eq!(row(&[]), [false, false, false]);
    assert_eq!(row(&["--rivals"]), [true, false, false]);
    assert_eq!(row(&["--routes", "--projectors"]), [false, true, true]);
    assert_eq!(row(&["--all"]), [true, true, true]);
}
