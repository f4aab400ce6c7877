//! One definition of what an impact strikes and of what cannot separate, in all verbs (review of issue 16), by what the command prints.
//!
//! `CAROM_BINARY=/path/to/another/carom cargo test --test separate` runs them on another build: every one is red on commit 8b6185f.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;
use std::process::Output;

use common::{carom, model, valid};
use serde_json::Value;

fn case(name: &str) -> String {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    cases.join(format!("{name}.toml")).display().to_string()
}

fn written(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("separate-{name}"));
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The JSON of a command, whatever its exit code.
fn json(arguments: &[&str]) -> Value {
    let output = carom(&[arguments, &["--format", "json"]].concat());
    valid(arguments[0], &text(&output.stdout))
}

fn both(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    // Some operations on exact data: a few last digits.
    assert!((found / expected - 1.0).abs() <= 1e-12, "{found} is not {expected}");
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["cautions"].as_array().unwrap().iter().map(|c| c["code"].as_str().unwrap()).collect()
}

#[test]
fn a_ball_in_a_corner_has_one_energy_in_all_verbs_and_a_run_tells_what_its_law_creates() {
    // n_floor · n_wall = −1/2: T_c = ½ uᵀ W⁻¹ u with u = (−1, 1/5) and W = [[1, −1/2], [−1/2, 1]] is 0.56 J.
    let file = model("003/ball-in-corner.toml");
    near(&json(&["assess", &file])["together"]["energies"]["impact_energy"], 0.56);
    let impact = json(&["impact", &file, "--law", "newton"]);
    let audit = &impact["laws"][0]["audit"];
    near(&audit["constrained_before"], 0.56);
    let run = json(&["run", &file]);
    let first = &run["runs"][0]["impacts"][0];
    near(&first["impact_energy"], 0.56);
    near(&first["energetic_restitution"], audit["restitution_delivered"].as_f64().unwrap());
    assert_eq!(first["contacts"], serde_json::json!(["floor", "wall"]));
    let impulses: Vec<f64> = first["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["impulse"].as_f64().unwrap())
        .collect();
    for point in first["points"].as_array().unwrap() {
        // No point has more than the machine.
        assert!((0.0..=0.56 * (1.0 + 1e-12)).contains(&point["impact_energy"].as_f64().unwrap()));
    }
    let expected = &impact["laws"][0]["impulses"];
    for (k, p) in impulses.iter().enumerate() {
        near(&expected[k], *p);
    }
    assert!(codes(&run).contains(&"impact-creates-energy"), "{:?}", codes(&run));
}

#[test]
fn a_run_that_a_driven_contact_stops_is_unbounded_and_not_without_impact() {
    let file = case("driven-hammer");
    let arguments = ["run", &file, "--set", "ground.contact.wall.at=[0.2, 0]", "--until", "0.1"];
    let run = json(&arguments);
    assert_eq!(run["runs"][0]["unbounded"], true);
    assert_eq!(run["runs"][0]["drives"], serde_json::json!(["push"]));
    assert!(run["runs"][0]["least_gap"].is_null());
    assert!(codes(&run).contains(&"unbounded") && !codes(&run).contains(&"no-impact"));
    let told = both(&carom(&arguments));
    assert!(told.contains("unbounded") && !told.contains("without closing"), "{told}");
}

#[test]
fn a_block_between_a_driven_ram_and_a_wall_is_unbounded_at_every_speed_of_the_block() {
    // W = ½ [[1, −1], [−1, 1]] and u = (v − 3, −v): x = (1, 1) has W x = 0 and xᵀ u = −3 whatever v is.
    let file = case("squeezed-block");
    for speed in ["-1", "0", "1", "3", "4"] {
        let set = format!("joints.bslide.velocity={speed}");
        let with = |verb| [verb, file.as_str(), "--set", &set];
        let energies = json(&with("assess"))["together"]["energies"].clone();
        assert_eq!(energies["unbounded"], true, "v = {speed}");
        assert_eq!(energies["drives"], serde_json::json!(["push"]));
        assert!(energies["impact_energy"].is_null() && energies["constrained_energy"].is_null());
        let check = json(&with("check"));
        assert!(codes(&check).contains(&"unbounded") && codes(&check).contains(&"cannot-run"));
        let impact = json(&with("impact"));
        assert_eq!((&impact["unbounded"], &impact["drives"][0]), (&true.into(), &"push".into()));
        let run = json(&with("run"));
        assert_eq!(run["runs"][0]["drives"], serde_json::json!(["push"]), "v = {speed}");
    }
}

#[test]
fn a_light_bead_keeps_its_energy_beside_a_heavy_body() {
    // ½ · 1e-4 kg · (1e-3 m/s)² = 5e-11 J, beside 5e8 J of a body that has nothing to do with it.
    let file = case("bead-beside-train");
    let contact = &json(&["assess", &file])["contacts"][0];
    near(&contact["energies"]["impact_energy"], 5e-11);
    assert!(contact["sentence"].as_str().unwrap().contains("can use"), "{contact}");
    let audit = &json(&["impact", &file, "--law", "newton"])["laws"][0]["audit"];
    near(&audit["restitution_delivered"], 0.5);
    near(&audit["contact_work"], -0.75 * 5e-11);
}

#[test]
fn of_two_contacts_of_a_driven_ram_the_one_at_the_wall_cannot_separate() {
    let file = case("two-noses");
    let told = both(&carom(&["run", &file]));
    assert!(told.contains("contact `fixed` cannot separate"), "{told}");
    let impact = json(&["impact", &file]);
    assert_eq!(impact["unbounded"], true);
    let study = written(
        "sweep.toml",
        &format!(
            "model = {file:?}\n[study]\ncontact = \"fixed\"\naction = \"impact\"\nmeasures = [\"impact_energy\"]\n\
             [study.variables.sp]\nvalues = [\"3 m/s\", \"-3 m/s\"]\n"
        ),
    );
    for action in ["assess", "impact", "run"] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("separate-{action}"));
        let _ = std::fs::remove_dir_all(&folder);
        let set = format!("study.action={action}");
        let answer = json(&["sweep", &study, "--set", &set, "-o", folder.to_str().unwrap()]);
        let of = |c: &&Value| c["code"] == "measure-unbounded";
        let caution = answer["cautions"].as_array().unwrap().iter().find(of).unwrap();
        assert!(caution["message"].as_str().unwrap().contains("the drive `push`"), "{caution}");
        let table = std::fs::read_to_string(folder.join("table.csv")).unwrap();
        assert!(table.lines().nth(1).unwrap().contains("inf"), "{action}: {table}");
    }
}

#[test]
fn no_point_loses_more_than_it_has() {
    let file = model("box-on-plane.toml");
    let set = "contacts.floor.restitution=0.7";
    let run = json(&["run", &file, "--set", set, "--impact", "sequential"]);
    let assessed = json(&["assess", &file, "--set", set]);
    let first = &run["runs"][0]["impacts"][0];
    let joint = assessed["contacts"][0]["energies"]["impact_energy"].as_f64().unwrap();
    near(&first["impact_energy"], joint);
    let sum = |value: &Value| ["energy_lost", "impact_energy"].map(|k| value[k].as_f64().unwrap());
    for impact in run["runs"][0]["impacts"].as_array().unwrap() {
        // The impulses of one impact together take no more than T_c: the bodies lose what is left of ½ uᵀW⁺u.
        let [lost, had] = sum(impact);
        assert!((0.0..=had * (1.0 + 1e-12)).contains(&lost), "{impact}");
        // The work p·(u⁻ + u⁺)/2 of one point may exceed its share only by what the impulse of another gives back.
        let points = impact["points"].as_array().unwrap();
        let returned: f64 = points.iter().map(|point| (-sum(point)[0]).max(0.0)).sum();
        for point in points {
            let [lost, had] = sum(point);
            assert!(lost - returned <= had * (1.0 + 1e-12), "{point}");
        }
    }
}

#[test]
fn the_mass_of_a_driven_body_decides_nothing() {
    let file = case("driven-hammer-free-block");
    // ½ m (3 m/s)² of the block, whatever the driven hammer weighs.
    for (hammer, block) in [("1e-20", 1.0), ("5", 1.0), ("5", 1e20), ("1e20", 1.0)] {
        let sets = [format!("bodies.hammer.mass={hammer}"), format!("parameters.mb={block}")];
        let answer = json(&["assess", &file, "--set", &sets[0], "--set", &sets[1]]);
        near(&answer["contacts"][0]["energies"]["impact_energy"], 4.5 * block);
    }
}

#[test]
fn only_points_that_touch_are_counted_and_open_ones_are_labelled() {
    let told = both(&carom(&["assess", &model("impacts/box-on-edge.toml")]));
    assert!(told.contains("in 2 rows, 2 of them independent"), "{told}");
    assert!(told.contains("if it touched here"), "{told}");
}

#[test]
fn the_stop_of_an_angle_has_a_stiffness_by_radians_and_no_direction() {
    let told = both(&carom(&["assess", &case("door-with-stops")]));
    assert!(told.contains("N m/rad"), "{told}");
    for absent in ["N/m^1", "direction, from i to j"] {
        assert!(!told.contains(absent), "{absent} in {told}");
    }
}

#[test]
fn an_elastic_run_loses_nothing() {
    let run = json(&["run", &model("002/double-pendulum.toml"), "--law", "hertz"]);
    assert_eq!(run["runs"][0]["ledger"]["end"]["contact_loss"], 0.0);
}

#[test]
fn an_inertia_beside_a_shape_is_doubted_and_a_start_inside_is_refused_beforehand() {
    // A disc of 0.05 m and 1.3 kg with 0.1 kg m² has a radius of gyration of 0.28 m.
    let ball = |inertia: &str, height: f64| {
        format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[bodies.ball]\nmass = 1.3\nshape = {{ disc = 0.05 }}\n{inertia}\n\
             contact.s = {{ circle = 0.05 }}\n[ground]\ncontact.floor = {{ plane = [0, 1] }}\n[joints.j]\ntype = \"floating\"\n\
             connects = [\"ground\", \"ball\"]\nposition = [0, {height}, 0]\n[contacts.c]\nbetween = [\"ball.s\", \"ground.floor\"]\n\
             restitution = 0.5\n[simulation]\nduration = 1\ncontact = \"piecewise\"\n"
        )
    };
    let answer = |inertia, height| json(&["check", &written("ball.toml", &ball(inertia, height))]);
    assert!(codes(&answer("inertia = 0.1", 0.1)).contains(&"inertia-doubtful"));
    assert!(!codes(&answer("inertia = 0.0016", 0.1)).contains(&"inertia-doubtful"));
    assert!(!codes(&answer("", 0.1)).contains(&"inertia-doubtful"));
    assert!(codes(&answer("", 0.04)).contains(&"cannot-run"));
}

/// A study of the two noses, whose contact `fixed` a drive closes on a wall; a new folder for its sweep.
fn noses(name: &str, speeds: &str, rest: &str) -> (String, String) {
    let file = case("two-noses");
    let study = format!(
        "model = {file:?}\n[study]\ncontact = \"fixed\"\n{rest}\n[study.variables.sp]\n{speeds}\n"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("separate-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    (written(&format!("{name}.toml"), &study), folder.display().to_string())
}

#[test]
fn studies_name_the_drive_and_what_to_do_wherever_they_speak() {
    let remedy = ["the drive `push`", "replace the drive by an `effort`"];
    let told = |output: &Output| {
        let text = both(output);
        assert!(remedy.iter().all(|words| text.contains(words)), "{text}");
    };
    let measures = "measures = [\"impact_energy\", \"effective_mass\"]";
    let (study, folder) = noses("told", "values = [\"3 m/s\", \"1 m/s\", \"-3 m/s\"]", measures);
    for action in ["assess", "run"] {
        let set = format!("study.action={action}");
        told(&carom(&["sweep", &study, "-o", &folder, "--overwrite", "--set", &set]));
        let table = std::fs::read_to_string(Path::new(&folder).join("table.csv")).unwrap();
        // Points that cannot separate have all of their measures, and no error.
        for line in table.lines().skip(1).take(2) {
            assert!(line.ends_with("inf,inf,,"), "{action}: {line}");
        }
        told(&carom(&["study", &folder]));
        let page = std::fs::read_to_string(Path::new(&folder).join("report.html")).unwrap();
        assert!(page.contains("push") && page.contains("would have to stop at once"));
        let answer = json(&["study", &folder]);
        let found: Vec<&Value> = answer["cautions"].as_array().unwrap().iter().collect();
        // An infinite mass is a wall and no reason to doubt.
        let mass =
            found.iter().find(|c| c["message"].as_str().unwrap().starts_with("`effective_mass`"));
        assert_eq!(mass.unwrap()["severity"], "note", "{found:?}");
    }
    // A sweep without a bounded point is a study all the same.
    let (study, folder) = noses("all", "values = [\"3 m/s\", \"1 m/s\"]", measures);
    assert!(carom(&["sweep", &study, "-o", &folder]).status.success());
    assert_eq!(json(&["study", &folder])["ranked"], 2);
    // One that is refused everywhere says why.
    let (study, folder) = noses("refused", "path = \"bodies.ram.mass\"\nvalues = [-1]", measures);
    assert_eq!(carom(&["sweep", &study, "-o", &folder]).status.code(), Some(3));
    let why = both(&carom(&["study", &folder]));
    assert!(why.contains("not a positive mass"), "{why}");
    let range = "range = [\"-3 m/s\", \"3 m/s\"]\ncount = 3";
    for goal in ["maximise", "minimise"] {
        let (study, _) = noses(goal, range, &format!("{goal} = \"impact_energy\""));
        told(&carom(&["optimise", &study, "--evaluations", "20"]));
    }
    let file = case("two-noses");
    told(&carom(&["compare", &file, &file, "--contact", "fixed"]));
    let svg = Path::new(&folder).with_extension("svg").display().to_string();
    let (x, y) = ("parameters.sp=-3 m/s..3 m/s", "bodies.ram.mass=1 kg..5 kg");
    let map = ["map", &file, "--contact", "fixed", "--x", x, "--y", y, "--count", "3", "-o", &svg];
    told(&carom(&[&map[..], &["--overwrite"]].concat()));
    let answer = json(&[&map[..], &["--overwrite"]].concat());
    // The greatest T_c is the unbounded one, not the greatest of the others.
    let energy = &answer["measures"][1];
    assert_eq!(energy["unbounded"], 3, "{energy}");
    assert!(energy["most"]["value"].is_null() && energy["most"]["x"] == 3.0, "{energy}");
    assert_eq!(energy["least"]["value"], 0.0, "{energy}");
}

#[test]
fn a_study_of_runs_has_the_energy_and_the_count_of_the_run() {
    let file = model("box-on-plane.toml");
    let joint = json(&["assess", &file])["contacts"][0]["energies"]["impact_energy"].clone();
    let text = format!(
        "model = {file:?}\n[study]\naction = \"run\"\nmeasures = [\"impact_energy\", \"impacts\", \"energy_lost\"]\n\
         [study.variables.mass]\npath = \"simulation.duration\"\nvalues = [1e-3]\n"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("separate-runs");
    let _ = std::fs::remove_dir_all(&folder);
    let study = written("runs.toml", &text);
    let swept = json(&["sweep", &study, "-o", folder.to_str().unwrap()]);
    assert_eq!(swept["failed"], 0, "{swept}");
    let table = std::fs::read_to_string(folder.join("table.csv")).unwrap();
    let row: Vec<f64> =
        table.lines().nth(1).unwrap().split(',').skip(2).filter_map(|x| x.parse().ok()).collect();
    near(&joint, row[0]);
    assert!(row[1] == 1.0 && row[2] <= row[0], "{table}");
}

#[test]
fn the_shares_of_the_points_of_an_impact_add_up_to_its_energy() {
    let run = json(&["run", &model("box-on-plane.toml"), "--until", "1e-3"]);
    let first = &run["runs"][0]["impacts"][0];
    let points = first["points"].as_array().unwrap();
    assert!(points.len() > 1);
    let sum = |key: &str| points.iter().map(|p| p[key].as_f64().unwrap()).sum::<f64>();
    near(&first["impact_energy"], sum("impact_energy"));
    // A point alone would have ½ m_eff u², which is another number.
    for point in points {
        let [m, u] = ["effective_mass", "approach_speed"].map(|key| point[key].as_f64().unwrap());
        near(&point["energy_alone"], 0.5 * m * u * u);
    }
}

#[test]
fn what_stands_when_a_run_begins_is_no_impact() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -10]\n[bodies.ball]\nmass = 2\nshape = { point = true }\n\
                contact.p = { point = [0, 0] }\n[ground]\ncontact.floor = { plane = [0, 1] }\n[joints.fall]\ntype = \"prismatic\"\n\
                connects = [\"ground\", \"ball\"]\naxis = [0, 1]\n[contacts.c]\nbetween = [\"ball.p\", \"ground.floor\"]\n\
                restitution = 0.3\nstiffness = \"1e8 N/m^1.5\"\nlaw = \"flores\"\n[simulation]\nduration = 0.01\n";
    for start in ["", "start = \"in-contact\"\n"] {
        let run = json(&["run", &written("stands.toml", &format!("{text}{start}"))]);
        let run = &run["runs"][0];
        assert_eq!(run["impacts"], serde_json::json!([]), "{start}");
        let stay = &run["stays"][0];
        assert_eq!((&stay["contact"], &stay["from"]), (&"c".into(), &0.0.into()), "{stay}");
        // m g, statically; twice that if the spring is not yet loaded (less what damping takes).
        let peak = stay["peak_force"].as_f64().unwrap();
        if start.is_empty() {
            assert!(peak > 30.0 && peak < 40.0 * (1.0 + 1e-3), "{stay}");
        } else {
            assert!((peak / 20.0 - 1.0).abs() < 1e-6, "{stay}");
        }
    }
}

#[test]
fn a_contact_that_touches_and_is_not_struck_rests() {
    let struck = json(&["impact", &case("dead-centre-rod"), "--law", "newton"]);
    assert_eq!(struck["laws"][0]["modes"][0], "rests", "{}", struck["laws"][0]);
    assert_eq!(struck["contacts"][0]["standing"], "touching");
}

#[test]
fn shares_of_the_kinetic_energy_are_not_given_beside_drives() {
    let driven = &json(&["assess", &case("driven-hammer-free-block")])["contacts"][0]["energies"];
    assert_eq!(driven["frame_dependent"], true);
    assert!(driven["xi"].is_null() && driven["impact_share"].is_null(), "{driven}");
    assert!(driven["impact_energy"].as_f64().unwrap() > 0.0);
    let free = &json(&["assess", &model("000/slider-crank.toml")])["contacts"][0]["energies"];
    let [share, impact, kinetic] =
        ["impact_share", "impact_energy", "kinetic_energy"].map(|k| free[k].as_f64().unwrap());
    assert!((share - impact / kinetic).abs() < 1e-15);
}

#[test]
fn a_pin_transmits_no_moment_and_rows_of_closures_have_units() {
    let file = case("redundant-impact");
    let answer = json(&["impact", &file, "--law", "newton"]);
    let law = &answer["laws"][0];
    assert!(!answer["reactions_not_unique"].as_array().unwrap().is_empty());
    for joint in law["joints"].as_array().unwrap() {
        let moment = joint["on_body"]["moment"].as_array().unwrap();
        let zero = moment.iter().all(|x| x.as_f64().unwrap().abs() < 1e-12);
        assert!(zero || joint["transmits_moment"] == true, "{joint}");
    }
    for closure in law["closures"].as_array().unwrap() {
        let units = closure["units"].as_array().unwrap();
        assert_eq!(units.len(), closure["impulses"].as_array().unwrap().len());
        assert!(units.iter().all(|unit| unit == "N s" || unit == "N m s"));
    }
    let text = both(&carom(&["impact", &file, "--law", "newton"]));
    assert!(
        !text.contains("moment (not unique") || text.contains("(not unique: one of many) [N m s]"),
        "{text}"
    );
}

/// A door of 1 kg m² about its hinge, between stops at -10 and 30 degrees, that turns with w.
const DOOR: &str = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[parameters]
w = "2 rad/s"
[bodies.door]
mass = "3 kg"
shape = { rod = "1 m" }
[joints.hinge]
type = "revolute"
connects = ["ground", "door"]
at = [[0, 0], ["-0.5 m", 0]]
velocity = "w"
[contacts.stop]
joint = "hinge"
lower = "-10 deg"
upper = "30 deg"
restitution = 0.5
[study]
contact = "stop"
measures = ["impact_energy", "approach_speed", "gap", "share"]
[study.variables.w]
values = ["2 rad/s", "-2 rad/s", "0 rad/s"]
"#;

/// The numbers of a row of a table, behind the number of the point.
fn cells(table: &str, row: usize) -> Vec<f64> {
    let line = table.lines().nth(row + 1).unwrap();
    line.split(',').skip(1).filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn an_open_joint_is_assessed_at_the_stop_that_it_moves_to_in_all_verbs() {
    let file = written("door.toml", DOOR);
    // ½ J w² = 2 J at either stop, and nothing where it does not move.
    let folder = format!("{}/separate-door", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    assert!(carom(&["sweep", &file, "-o", &folder]).status.success());
    let table = std::fs::read_to_string(Path::new(&folder).join("table.csv")).unwrap();
    for (row, (w, stop)) in [(2.0, 30.0_f64), (-2.0, 10.0)].into_iter().enumerate() {
        let set = format!("parameters.w={w} rad/s");
        let answer = json(&["assess", &file, "--set", &set]);
        near(&answer["contacts"][0]["energies"]["impact_energy"], 2.0);
        for (found, expected) in
            cells(&table, row)[1..].iter().zip([2.0, 2.0, stop.to_radians(), 1.0])
        {
            near(&Value::from(*found), expected);
        }
    }
    assert_eq!(cells(&table, 2)[1], 0.0, "nothing closes");
}

#[test]
fn a_point_that_separates_has_no_impact_energy_in_a_study() {
    let stop = DOOR.replace("upper = \"30 deg\"\n", "").replace("-10 deg", "0 deg");
    let file = written("separates.toml", &stop);
    let answer = json(&["assess", &file]);
    assert_eq!(answer["contacts"][0]["energies"]["impact_energy"], 0.0);
    let compared = json(&["compare", &file, &file]);
    let measures = compared["measures"].as_array().unwrap();
    let energy = measures.iter().find(|m| m["measure"] == "impact_energy").unwrap();
    assert_eq!(energy["first"], 0.0, "as in assess");
}

#[test]
fn shares_of_an_energy_that_depends_on_the_frame_are_not_given_by_studies() {
    // A ram of 5 kg driven with 3 m/s strikes a free block of 1000 kg: T = 22.5 J, T_c = 4500 J.
    let text = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[bodies.ram]
mass = "5 kg"
shape = { disc = "0.1 m" }
contact.face = { circle = "0.1 m" }
[bodies.block]
mass = "1000 kg"
shape = { disc = "0.1 m" }
contact.face = { circle = "0.1 m" }
[joints.slide]
type = "prismatic"
connects = ["ground", "ram"]
[joints.free]
type = "prismatic"
connects = ["ground", "block"]
position = "200 mm"
[drives.push]
joint = "slide"
motion = "3 m/s*t"
[contacts.hit]
between = ["ram.face", "block.face"]
"#;
    let file = written("driven.toml", text);
    let compared = json(&["compare", &file, &file]);
    let measures = compared["measures"].as_array().unwrap();
    let of = |name: &str| measures.iter().find(|m| m["measure"] == name).unwrap()["first"].clone();
    near(&of("impact_energy"), 4500.0);
    assert_eq!((of("share"), of("admissible_energy")), (Value::Null, Value::Null));
}

/// A box that lands first on two of its corners, and while these are compressed on the other two: one impact.
#[test]
fn the_forces_of_an_impact_are_no_other_forces_to_its_own_corners() {
    let text = r#"
carom = 1
space = "spatial"
gravity = [0, 0, "-9.81 m/s^2"]
[bodies.box]
mass = 2
shape = { box = [0.3, 0.2, 0.1] }
contact.faces = { box = [0.3, 0.2, 0.1] }
[ground]
contact.floor = { plane = [0, 0, 1] }
[joints.free]
type = "floating"
connects = ["ground", "box"]
position = [0, 0, 0.051, 0, 0, 0]
velocity = [0, 0, -1, 0, 2, 0]
[contacts.floor]
between = ["box.faces", "ground.floor"]
stiffness = "1e5 N/m"
law = "kelvin-voigt"
damping = "0 N s/m"
[simulation]
duration = "0.1 s"
"#;
    let answer = json(&["run", &written("corners.toml", text), "--method", "continuous"]);
    let run = &answer["runs"][0];
    let [impact] = &run["impacts"].as_array().unwrap()[..] else { panic!("{run}") };
    assert_eq!(impact["count"], 4);
    // Only gravity acts besides: g times twice the compression, or the whole contact if it is shorter, over the approach speed.
    let of = |key: &str| impact[key].as_f64().unwrap();
    let twice = 2.0 * (of("time_of_max_indentation") - of("onset"));
    let expected = 9.81 * of("duration").min(twice) / of("approach_speed");
    let told = of("speed_change_by_other_forces");
    assert!((told / expected - 1.0).abs() < 0.2, "{told} and {expected}");
    for point in impact["points"].as_array().unwrap() {
        assert!(point["restitution"].is_null() && point["energetic_restitution"].is_null());
    }
    let cautions = answer["cautions"].as_array().unwrap();
    let long: Vec<&Value> = cautions.iter().filter(|c| c["code"] == "not-short").collect();
    assert!(long.len() == 1 && long[0]["message"].as_str().unwrap().starts_with("1 impact is"));
}

/// A door at its stop: everything a study says of the stop is by angle.
#[test]
fn studies_of_a_stop_that_turns_are_in_radians() {
    let text = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[bodies.door]
mass = "3 kg"
shape = { rod = "1 m" }
[joints.hinge]
type = "revolute"
connects = ["ground", "door"]
at = [[0, 0], ["-0.5 m", 0]]
position = "29 deg"
velocity = "2 rad/s"
[contacts.stop]
joint = "hinge"
lower = "-10 deg"
upper = "30 deg"
stiffness = "1000 N m/rad"
law = "kelvin-voigt"
damping = "6 N m s/rad"
[simulation]
duration = "1 s"
"#;
    let file = written("door-stop.toml", text);
    let answer = json(&["compare", &file, &file]);
    let measures = answer["measures"].as_array().unwrap();
    let unit = |name: &str| {
        let found = measures.iter().find(|m| m["measure"] == name);
        found.unwrap()["unit"].as_str().unwrap().to_owned()
    };
    let expected = [
        ("effective_mass", "kg m²"),
        ("approach_speed", "rad/s"),
        ("max_indentation", "rad"),
        ("peak_force", "N m"),
        ("impulse", "N m s"),
        ("impact_energy", "J"),
    ];
    for (name, expected) in expected {
        assert_eq!(unit(name), expected, "{name}");
    }
    // Damping by metres is no damping of an angle; a contact of points is no stop that turns.
    let wrong = written("door-metres.toml", &text.replace("N m s/rad", "N s/m"));
    let output = carom(&["check", &wrong]);
    assert_eq!(output.status.code(), Some(2));
    assert!(both(&output).contains("contacts.stop.damping"));
    let output = carom(&["compare", &file, &model("box-on-plane.toml")]);
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
}

/// A slider-crank that touches its head just before the outer dead centre: `assess`, `impact` and `run` agree where the pose decides, and
/// where it does not, the first two say so.
#[test]
fn so_near_to_a_dead_centre_that_poses_do_not_decide_all_verbs_say_so() {
    let text = r#"
carom = 1
space = "planar"
gravity = [0,0]
[parameters]
r = "37 mm"
l = "113 mm"
th = "0 deg"
rate = "10 rad/s"
xs = "r*cos(th)+sqrt(l^2-(r*sin(th))^2)"
[bodies.crank]
mass = 0.4
shape = { rod = "r" }
[bodies.con]
mass = 0.3
shape = { rod = "l" }
[bodies.piston]
mass = 0.5
shape = { point = true }
contact.p = { point = [0,0] }
[ground]
contact.head = { plane = [-1,0], at = ["xs",0] }
[joints.a]
type = "revolute"
connects = ["ground","crank"]
at = [[0,0],["-r/2",0]]
position = "th"
velocity = "rate"
[joints.b]
type = "revolute"
connects = ["crank","con"]
at = [["r/2",0],["-l/2",0]]
guess = "-th - asin(r*sin(th)/l)"
[joints.g]
type = "prismatic"
connects = ["ground","piston"]
guess = "xs"
[closures.c]
type = "revolute"
connects = ["con","piston"]
at = [["l/2",0],[0,0]]
[contacts.head]
between = ["piston.p","ground.head"]
restitution = 0.5
[simulation]
duration = "2 s"
contact = "piecewise"
"#;
    let file = written("near-dead-centre.toml", text);
    let says = |verb: &str, set: &str| {
        let answer = json(&[verb, &file, "--set", set]);
        let cautions = answer["cautions"].as_array().unwrap().clone();
        cautions.iter().any(|c| c["code"] == "dead-centre")
    };
    for (angle, undecided) in [("-1e-6 deg", true), ("-1e-4 deg", true), ("-1e-2 deg", false)] {
        let set = format!("parameters.th={angle}");
        assert_eq!([says("assess", &set), says("impact", &set)], [undecided; 2], "{angle}");
        let run = json(&["run", &file, "--set", &set, "--until", "0.1"]);
        assert_eq!(run["runs"][0]["impacts"].as_array().unwrap().is_empty(), undecided, "{angle}");
    }
}
