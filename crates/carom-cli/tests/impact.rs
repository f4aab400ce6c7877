//! `carom impact` as a person or a script meets it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Round-off of a few bodies.
const ROUND_OFF: f64 = 1e-12;

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(name).display().to_string()
}

fn called(arguments: &[&str]) -> Output {
    Command::new(common::binary()).arg("impact").args(arguments).output().unwrap()
}

fn done(arguments: &[&str]) -> (String, String) {
    let output = called(arguments);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    (String::from_utf8(output.stdout).unwrap(), err)
}

fn refused(arguments: &[&str]) -> String {
    let output = called(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    valid(&done(&all).0)
}

/// The JSON of an impact; it holds to its schema.
fn valid(text: &str) -> Value {
    common::valid("impact", text)
}

fn velocities(law: &Value) -> Vec<f64> {
    law["v_after"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn one_file_gives_both_answers_of_the_cradle() {
    let file = model("003/cradle.toml");
    let value = json(&[&file, "--law", "sequential", "--law", "newton"]);
    let laws = value["laws"].as_array().unwrap();
    let expected = [[0.0, 0.0, 1.0], [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]];
    for (law, expected) in laws.iter().zip(expected) {
        for (x, y) in velocities(law).iter().zip(expected) {
            assert!((x - y).abs() < ROUND_OFF, "{law}");
        }
    }
}

#[test]
fn all_laws_stand_side_by_side() {
    let (text, _) = done(&[&model("impacts/rod.toml"), "--wide"]);
    let head = text.lines().find(|line| line.contains("before")).unwrap();
    let places: Vec<usize> = ["newton", "poisson", "energetic", "sequential", "plastic"]
        .iter()
        .map(|law| head.find(law).unwrap())
        .collect();
    assert!(places.is_sorted(), "{head}");
    assert!(text.contains("generalised refuses"), "{text}");
}

#[test]
fn energy_from_nowhere_is_in_the_table_the_json_and_a_warning() {
    let file = model("impacts/rod.toml");
    let sets = [
        &file,
        "--law",
        "newton",
        "--restitution",
        "1",
        "--friction",
        "0.4",
        "--set",
        "parameters.slide=0.5",
        "--set",
        "parameters.angle=40 deg",
    ];
    let (text, warned) = done(&sets);
    assert!(text.contains("CREATED"), "{text}");
    assert!(warned.contains("newton: the contacts do positive work"), "{warned}");
    let value = json(&sets);
    assert_eq!(value["laws"][0]["creates_energy"], true);
    assert!(value["laws"][0]["audit"]["contact_work"].as_f64().unwrap() > 0.0);
    assert!(value["cautions"].to_string().contains("creates energy"));
}

#[test]
fn wishes_replace_what_the_file_states() {
    let file = model("impacts/sphere.toml");
    let value =
        json(&[&file, "--law", "energetic", "--restitution", "0.25", "--friction", "stick"]);
    let law = &value["laws"][0];
    assert!((law["u_after"][0].as_f64().unwrap() - 0.5).abs() < ROUND_OFF, "{law}");
    assert_eq!(law["modes"][0], "sticks");
    let smooth = json(&[&file, "--law", "newton", "--friction", "none"]);
    assert_eq!(smooth["contacts"][0]["rows"], 1);
}

#[test]
fn removal_is_offered_for_comparison() {
    let file = model("003/ball-in-corner.toml");
    for (way, name) in [("one-pass", "generalised-one-pass"), ("repeated", "generalised-repeated")]
    {
        let value = json(&[&file, "--law", "generalised", "--removal", way]);
        assert_eq!(value["laws"][0]["law"], name);
        assert!(value["laws"][0]["repeats"].as_u64().unwrap() > 0);
    }
}

#[test]
fn named_contacts_take_part_and_others_do_not() {
    let file = model("003/cradle.toml");
    let value = json(&[&file, "--law", "newton", "--contact", "first_second"]);
    assert_eq!(value["contacts"].as_array().unwrap().len(), 1);
    let v = velocities(&value["laws"][0]);
    assert!(v[0].abs() < ROUND_OFF && (v[1] - 1.0).abs() < ROUND_OFF, "{v:?}");
}

#[test]
fn every_value_of_the_json_is_finite() {
    let (text, _) = done(&[&model("003/biped.toml"), "--format", "json"]);
    let value = valid(&text);
    for law in value["laws"].as_array().unwrap() {
        if law.get("refused").is_none() {
            assert!(!law["audit"].to_string().contains("null"), "{law}");
        }
    }
}

#[test]
fn what_cannot_be_resolved_is_said() {
    let cradle = model("003/cradle.toml");
    assert!(refused(&[&cradle, "--law", "newtonn"]).contains("did you mean `newton`"));
    assert!(refused(&[&cradle, "--contact", "first_secnd"]).contains("first_second"));
    assert!(refused(&[&cradle, "--restitution", "1.2"]).contains("from 0 to 1"));
    assert!(refused(&[&cradle, "--friction", "-1"]).contains("at least 0"));
    let open = refused(&[&model("000/two-pendulums.toml")]);
    assert!(open.contains("no contact is closed") && open.contains("--contact"), "{open}");
    let many = refused(&[&model("003/ball-in-corner.toml"), "--law", "energetic"]);
    assert!(many.contains("sequential-energetic"), "{many}");
}

/// A model file of a test; gone with it.
struct Written(std::path::PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_stop_that_turns_is_measured_in_units_of_rotation_and_has_no_friction() {
    let rod = Written::new(
        "stop",
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.rod]\nmass = \"2 kg\"\ninertia = \"0.3 kg m^2\"\ncenter = [\"0.5 m\", 0]\n\
         [joints.p]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nposition = \"90 deg\"\n\
         velocity = \"2 rad/s\"\n[contacts.stop]\njoint = \"p\"\nupper = \"90 deg\"\nrestitution = 0.5\n",
    );
    // I = 0.3 + 2 · 0.5² = 0.8 kg m², so p = I (1 + e) ω = 2.4 N m s.
    let (table, _) = done(&[rod.path(), "--law", "newton"]);
    let line = |name: &str| table.lines().find(|l| l.contains(name)).unwrap().to_owned();
    assert!(line("normal velocity").contains("rad/s"), "{table}");
    assert!(line("normal impulse").contains("N m s") && line("normal impulse").contains("2.4"));
    let value = json(&[rod.path(), "--law", "newton"]);
    assert_eq!(value["contacts"][0]["units"]["impulse"], "N m s");
    assert_eq!(value["contacts"][0]["units"]["mass"], "kg m²");
    let why = refused(&[rod.path(), "--friction", "0.3"]);
    assert!(why.contains("contacts.stop") && why.contains("μ = 0.3"), "{why}");
}

#[test]
fn slip_that_a_drive_gives_is_marked_beside_the_energies() {
    // A ball that only falls meets a belt that a drive moves: no impulse changes the slip.
    let belt = Written::new(
        "belt",
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.belt]\nmass = \"1 kg\"\nshape = { point = true }\ncontact.top = { plane = [0, 1] }\n\
         [bodies.ball]\nmass = \"1 kg\"\nshape = { point = true }\ncontact.foot = { point = [0, 0] }\n\
         [joints.slide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"belt\"]\naxis = [1, 0]\n\
         [joints.fall]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\n\
         position = 0\nvelocity = \"-1 m/s\"\n\
         [drives.run]\njoint = \"slide\"\nmotion = \"2*t\"\n\
         [contacts.belt]\nbetween = [\"belt.top\", \"ball.foot\"]\nrestitution = 0.5\nfriction = 0.3\n",
    );
    let (table, warnings) = done(&[belt.path(), "--law", "newton"]);
    assert!(table.contains("e* delivered (with slip that a drive gives)"), "{table}");
    assert!(warnings.contains("slip that the drive gives"), "{warnings}");
    let marked = |arguments: &[&str]| {
        let value = json(arguments);
        let warned = value["cautions"].to_string().contains("slip that the drive gives");
        (value["laws"][0]["audit"]["driven_slip"].as_bool().unwrap(), warned)
    };
    assert_eq!(marked(&[belt.path(), "--law", "newton"]), (true, true));
    assert_eq!(marked(&[belt.path(), "--law", "newton", "--friction", "none"]), (false, false));
}

#[test]
fn the_json_is_printed_when_every_law_refuses() {
    let file = model("003/ball-in-corner.toml");
    let output = called(&[&file, "--law", "energetic", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let value = valid(std::str::from_utf8(&output.stdout).unwrap());
    assert!(value["laws"][0]["refused"].as_str().unwrap().contains("sequential-energetic"));
    assert_eq!(value["cautions"][0]["code"], "law-refuses");
}

#[test]
fn bodies_have_velocities_before_and_after() {
    let value = json(&[&model("003/cradle.toml"), "--law", "newton"]);
    let speed = |list: &Value, k: usize| list[k]["center_velocity"][0].as_f64().unwrap();
    assert!((speed(&value["bodies"], 0) - 1.0).abs() < ROUND_OFF);
    let after = &value["laws"][0]["bodies_after"];
    assert!((speed(after, 2) - 2.0 / 3.0).abs() < ROUND_OFF, "{after}");
}

#[test]
fn reaction_impulses_that_are_not_unique_are_marked() {
    // Three cranks of one length carry a coupler: one crank more than is needed.
    let file = model("three-crank-parallelogram.toml");
    let arguments = [file.as_str(), "--law", "plastic", "--contact", "wall"];
    let output = called(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(not unique: one of many)"), "{text}");
    let value = json(&arguments);
    assert!(!value["reactions_not_unique"].as_array().unwrap().is_empty());
    assert!(value["cautions"].to_string().contains("reactions-not-unique"));
    let joints = value["laws"][0]["joints"].as_array().unwrap();
    assert!(joints.iter().any(|j| j["unique"] == false));
}

/// A file of the reviewers' cases.
fn case(name: &str) -> String {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    cases.join(format!("{name}.toml")).display().to_string()
}

#[test]
fn impacts_that_were_refused_have_their_answers() {
    // Gauss and Seidel's method from zero, written apart: 0.2095, 0.3363, 0.2414 N s, to the digits given.
    let three = json(&[&case("refused-three-contacts"), "--law", "plastic"]);
    let impulses = three["laws"][0]["impulses"].as_array().unwrap();
    let rows = impulses.len() / 3;
    for (k, expected) in [0.2095, 0.3363, 0.2414].iter().enumerate() {
        let found = impulses[k * rows].as_f64().unwrap();
        assert!((found - expected).abs() < 5e-5, "{k}: {found}");
    }
    // Impulses within all cones stop every point. The shortest of them need no impulse at one point, which then rests.
    let eight = json(&[&case("refused-eight-sticking"), "--law", "plastic"]);
    assert!(eight["laws"][0]["law_residual"].as_f64().unwrap() < 1e-12);
    let modes = eight["laws"][0]["modes"].as_array().unwrap();
    assert!(modes.iter().all(|mode| mode == "sticks" || mode == "rests"), "{modes:?}");
    let after = eight["laws"][0]["u_after"].as_array().unwrap();
    assert_eq!(after.len(), 24);
    assert!(after.iter().all(|u| u.as_f64().unwrap().abs() < 1e-11), "{after:?}");
    let boxes = json(&[&case("refused-four-boxes"), "--law", "newton"]);
    assert!(boxes["laws"][0]["law_residual"].as_f64().unwrap() < 1e-11);
}

#[test]
fn two_sticking_contacts_that_share_their_friction_are_not_unique() {
    let file = case("not-unique-two-sticking");
    let value = json(&[&file, "--law", "plastic"]);
    let unique = &value["laws"][0]["uniqueness"];
    assert_eq!(unique["impulses"], false, "{value}");
    assert_eq!(unique["velocities"], true, "{value}");
    assert_eq!(unique["undecided"], false, "{value}");
    assert_eq!(unique["free_impulses"], 1, "{value}");
    assert_eq!(value["laws"][0]["impulses_unique"], "least-norm");
    let (text, warnings) = done(&[&file, "--law", "plastic"]);
    assert!(format!("{text}{warnings}").contains("impulses are not unique"), "{text}{warnings}");
}

#[test]
fn a_doubled_contact_changes_nothing_by_the_laws_at_the_end() {
    let text = std::fs::read_to_string(model("impacts/rod.toml")).unwrap();
    let doubled = {
        let table = text.find("[contacts.").unwrap();
        let rest = &text[table..];
        let end = rest[1..].find("\n[").map_or(rest.len(), |end| end + 1);
        let again = rest[..end].replacen("[contacts.", "[contacts.again_", 1);
        format!("{text}\n{again}\n")
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doubled-rod.toml");
    std::fs::write(&path, doubled).unwrap();
    for law in ["newton-at-end", "poisson-at-end", "plastic-at-end"] {
        let one = json(&[&model("impacts/rod.toml"), "--law", law]);
        let two = json(&[path.to_str().unwrap(), "--law", law]);
        let after = |value: &Value| -> Vec<f64> {
            let list = value["laws"][0]["v_after"].as_array().unwrap();
            list.iter().map(|v| v.as_f64().unwrap()).collect()
        };
        for (x, y) in after(&one).iter().zip(after(&two)) {
            assert!((x - y).abs() < 1e-11, "{law}: {x} {y}");
        }
        assert_eq!(two["laws"][0]["uniqueness"]["impulses"], false, "{law}");
    }
}
