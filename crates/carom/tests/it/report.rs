//! What a page is given to draw is what was computed.

use carom::dynamics::Mechanism;
use carom::file::{Opened, open, open_text};
use carom::report::motion::{Mark, RunData, pose};
use carom::report::scene::scene;
use carom::simulate::{Outcome, Scenario, Wishes, simulate};
use serde_json::Value;
use std::path::Path;

/// Positions of a page have seven digits, of a machine of a few metres.
const SHOWN: f64 = 1e-5;
/// Forces of a page have six digits: half a step of 1.00000.
const SHOWN_FORCE: f64 = 5e-6;

fn model(name: &str) -> Opened {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    open(&models.join(name), &[]).unwrap()
}

/// The tolerance of runs with many samples.
const FINE: f64 = 1e-12;

fn ran(opened: &Opened) -> Outcome {
    ran_with(opened, false)
}

/// The run with every sample of the engine, or with those that a drawing needs.
fn ran_with(opened: &Opened, samples_all: bool) -> Outcome {
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism.at(&opened.assembled.state).unwrap();
    let scenario = Scenario::new(&at, &Wishes::default()).unwrap();
    // With all samples also at a tolerance whose many steps a page has to thin out.
    let tolerance = if samples_all { FINE } else { scenario.tolerance };
    let scenario = Scenario { samples_all, tolerance, ..scenario };
    simulate(opened.model(), &opened.assembled.state, &scenario).unwrap()
}

fn value(opened: &Opened, outcome: &Outcome) -> Value {
    let data = RunData {
        model: opened.model(),
        outcome,
        name: String::new(),
        spots: outcome.spots.iter().map(|s| s.contact.to_string()).collect(),
        asked: outcome.blows.iter().map(|_| Some(0.5)).collect(),
        by_impulse: false,
    };
    data.value().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// x and y of a point of a planar body at every moment.
fn path(run: &Value, body: usize, point: [f64; 2]) -> Vec<[f64; 2]> {
    let [x, y, angle] = [0, 1, 2].map(|c| numbers(&run["poses"][body][c]));
    (0..x.len())
        .map(|k| {
            let (s, c) = angle[k].sin_cos();
            [x[k] + c * point[0] - s * point[1], y[k] + s * point[0] + c * point[1]]
        })
        .collect()
}

#[test]
fn a_pendulum_of_a_page_turns_about_its_pivot() {
    let opened = model("000/two-pendulums.toml");
    let run = value(&opened, &ran(&opened));
    // Rods of 6 m and 4 m, pinned at their ends at (0, 0) and (−2, 0).
    for (body, end, pivot) in [(0, -3.0, [0.0, 0.0]), (1, -2.0, [-2.0, 0.0])] {
        for at in path(&run, body, [end, 0.0]) {
            let off = (at[0] - pivot[0]).hypot(at[1] - pivot[1]);
            assert!(off < SHOWN, "body {body}: {at:?}");
        }
    }
}

#[test]
fn the_angle_of_a_page_never_jumps_by_a_turn() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.wheel]\nmass = 1\nshape = { disc = 1 }\n\
        [joints.axle]\ntype = \"revolute\"\nconnects = [\"ground\", \"wheel\"]\nvelocity = 40\n\
        [simulation]\nduration = 10\n";
    let opened = open_text("wheel.toml", text, &[]).unwrap();
    let run = value(&opened, &ran(&opened));
    let [t, angle] = [&run["t"], &run["poses"][0][2]].map(numbers);
    for (t, angle) in t.iter().zip(angle) {
        // ω t, with seven digits of 400 rad.
        assert!((angle - 40.0 * t).abs() < 1e-4, "{t}: {angle}");
    }
}

#[test]
fn peaks_events_and_partings_are_among_what_is_shown() {
    let opened = model("001/ball-on-table.toml");
    let outcome = ran_with(&opened, true);
    let run = value(&opened, &outcome);
    let kept = run["shown"]["contacts"][0].as_u64().unwrap();
    assert!(
        kept < outcome.contacts.len() as u64,
        "{} samples are enough to be thinned",
        outcome.contacts.len()
    );
    let times = numbers(&run["t"]);
    for event in &outcome.events {
        let near = times.iter().map(|t| (t - event.t).abs()).fold(f64::INFINITY, f64::min);
        assert!(near < 1e-9, "{event:?}");
    }
    let force = numbers(&run["spots"][0]["force"]);
    assert!(!outcome.impacts.is_empty());
    for impact in &outcome.impacts {
        let peak = impact.peak_force.unwrap();
        let near = force.iter().map(|f| (f / peak - 1.0).abs()).fold(f64::INFINITY, f64::min);
        assert!(near < SHOWN_FORCE, "{peak} N is not shown");
    }
    let t = numbers(&run["spots"][0]["t"]);
    assert!(t.windows(2).all(|w| w[0] <= w[1]), "in the order of time");
}

#[test]
fn contacts_are_drawn_where_bodies_touch() {
    let opened = model("000/two-pendulums.toml");
    let run = value(&opened, &ran(&opened));
    let places = &run["spots"][0]["places"];
    let tips = path(&run, 1, [2.0, 0.0]);
    let times = numbers(&run["t"]);
    let mut met = 0;
    for (t, at) in numbers(&places["t"]).iter().zip(places["at"].as_array().unwrap()) {
        let Some(k) = times.iter().position(|x| x == t) else { continue };
        let at = numbers(at);
        // The middle of the two surfaces is the tip but for half the indentation of at most a millimetre.
        assert!((at[0] - tips[k][0]).hypot(at[1] - tips[k][1]) < 1e-3, "t = {t}");
        met += 1;
    }
    assert!(met >= 6, "onset and parting of three impacts, found {met}");
}

#[test]
fn every_model_has_a_scene_in_which_every_body_is_seen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for name in [
        "robot-arm.toml",
        "four-bar.toml",
        "bennett.toml",
        "003/cradle.toml",
        "002/wheeled-robot.toml",
        "impacts/box-flat.toml",
    ] {
        let opened = open(&folder.join(name), &[]).unwrap();
        let drawn = scene(opened.model(), Some(&opened.loaded.description));
        let bodies = drawn["bodies"].as_array().unwrap();
        assert_eq!(bodies.len(), opened.model().bodies.len());
        for body in bodies {
            let parts = ["lines", "balls", "rods", "blocks"];
            let count: usize = parts.iter().map(|p| body[p].as_array().unwrap().len()).sum();
            assert!(count > 0, "{name}: {} is not seen", body["name"]);
        }
    }
}

#[test]
fn a_pose_in_space_keeps_its_marks() {
    let opened = model("robot-arm.toml");
    let (at, normal) = (carom::maths::Vec3::new(0.1, 0.2, 0.3), carom::maths::Vec3::x());
    let mark = Mark { name: "wall".to_owned(), contact: 0, at, normal, closing: true };
    let posed = pose(opened.model(), &opened.assembled.state, &[mark]).unwrap();
    assert_eq!(numbers(&posed["marks"][0]["at"]), [0.1, 0.2, 0.3]);
    // One side of the contact is the ground.
    let moves = posed["marks"][0]["moves"].as_array().unwrap();
    assert_eq!(moves.iter().filter(|m| m.as_bool() == Some(true)).count(), 1);
    for body in posed["poses"].as_array().unwrap() {
        let q: f64 = (3..7).map(|c| numbers(&body[c])[0].powi(2)).sum();
        assert!((q - 1.0).abs() < SHOWN, "a unit quaternion");
    }
}

/// A swinging arm in space whose contact ball sits beside its line; the ground carries two joints.
const ARM: &str = r#"
carom = 1
space = "spatial"
[bodies.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
center = [0.5, 0, 0]
contact.pad = { sphere = 0.02, at = [0.5, 0.3, 0] }
[bodies.other]
mass = 1
inertia = [0.1, 0.1, 0.1]
center = [0.5, 0, 0]
[joints]
pivot = { type = "revolute", connects = ["ground", "arm"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 1, 0] }
second = { type = "revolute", connects = ["ground", "other"], at = [[0, 2, 0], [0, 0, 0]], axis = [0, 1, 0] }
"#;

fn lines(outline: &Value, kind: &str) -> Vec<Value> {
    let all = outline["lines"].as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|line| line["kind"] == kind).map(|line| line["p"].clone()).collect()
}

#[test]
fn a_contact_shape_beside_the_line_of_its_body_hangs_on_a_stem() {
    let files = [("arm.toml".to_owned(), ARM.to_owned())];
    let loaded = carom::file::parse_files(&files, &[]).unwrap();
    let drawn = scene(&loaded.model, Some(&loaded.description));
    let stems = lines(&drawn["bodies"][0], "stem");
    assert_eq!(stems, [serde_json::json!([[0.5, 0, 0], [0.5, 0.3, 0]])]);
    assert!(lines(&drawn["bodies"][1], "stem").is_empty());
    assert_eq!(lines(&drawn["ground"], "link").len(), 1, "two joints of the ground are one link");
}
