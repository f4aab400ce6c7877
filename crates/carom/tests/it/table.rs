//! Tables and functions of the file in expressions: in drives, loads, parameters, studies and edits.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::simulate::{run, wishes};
use carom::file::{Opened, open};
use carom::model::ContactTreatment::Piecewise;
use carom::study::Evaluator;

/// A folder of a test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-table-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn opened(path: &Path, sets: &[(&str, &str)]) -> Opened {
    let sets: Vec<_> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    open(path, &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(path: &Path, sets: &[(&str, &str)]) -> String {
    let sets: Vec<_> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    open(path, &sets).unwrap_err().to_string()
}

/// A cart of 2 kg on a rail with an effort, and what else the file has.
fn cart(effort: &str, rest: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n{rest}\n\
         [bodies.cart]\nmass = 2\nshape = {{ point = true }}\n\
         [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\nposition = 0\nvelocity = 0\n\
         [loads.push]\ntype = \"effort\"\njoint = \"rail\"\neffort = '{effort}'\n"
    )
}

/// Where the cart is at the end, and how fast.
fn goes(path: &Path, sets: &[(&str, &str)], until: f64) -> [f64; 2] {
    let out = run(&opened(path, sets), &wishes("", Piecewise, until, 1e-11));
    [out.state.q[0], out.state.v[0]]
}

fn agree(found: [f64; 2], expected: [f64; 2]) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
    }
}

#[test]
fn a_periodic_spline_drives_as_the_sine_it_was_made_of() {
    let folder = Folder::new("spline");
    let mut text = String::from("angle [deg]; lift [mm]\n");
    for k in 0..=720 {
        let angle = 0.5 * f64::from(k);
        // The last value is the first one.
        let lift = if k == 720 { 0.0 } else { 5.0 * angle.to_radians().sin() };
        writeln!(text, "{angle:?}; {lift:?}").unwrap();
    }
    folder.write("sine.csv", &text);
    let mut text = cart("0", "[parameters]\nspeed = \"360 deg/s\"");
    let drive = "[drives.rail]\njoint = \"rail\"\nmotion = 'table(\"sine.csv\", speed*t*(1 s), \"periodic\")'\n";
    text = text.replace("position = 0\nvelocity = 0\n", "") + drive;
    let path = folder.write("cart.toml", &text);
    let out = run(&opened(&path, &[]), &wishes("", Piecewise, 2.3, 1e-10));
    let angle = std::f64::consts::TAU * 2.3;
    // h⁴/384 f⁗ of the spline, h = 0.5°; its slope: h³/24.
    let h = 0.5_f64.to_radians();
    assert!((out.state.q[0] - 0.005 * angle.sin()).abs() < 0.005 * h.powi(4));
    let speed = 0.005 * std::f64::consts::TAU * angle.cos();
    assert!((out.state.v[0] - speed).abs() < 0.005 * std::f64::consts::TAU * h.powi(3));
}

#[test]
fn a_parameter_of_a_table_is_the_number_that_stands_there() {
    let folder = Folder::new("parameter");
    folder.write("map.csv", "1 10\n2 20\n4 0\n");
    let rest = "[parameters]\nchoice = 1.5\nforce = 'table(\"map.csv\", choice, \"linear\")'";
    let path = folder.write("cart.toml", &cart("force", rest));
    agree(goes(&path, &[], 1.0), [15.0 / 4.0, 15.0 / 2.0]);
    agree(goes(&path, &[("parameters.choice", "3")], 1.0), [10.0 / 4.0, 10.0 / 2.0]);
    let error = fault(&path, &[("parameters.choice", "5")]);
    assert!(error.contains("parameters.force") && error.contains("not a finite number"), "{error}");
}

#[test]
fn a_function_of_the_file_is_the_expression_it_stands_for() {
    let folder = Folder::new("function");
    let rest = "[parameters]\ntop = 6\nslope = \"ramp(0.5)\"\n\
         [functions]\nramp = \"(x) -> top*min(max(x, 0), 1)\"\nbump = \"(x, w) -> ramp(x/w) - ramp((x - w)/w)\"";
    let path = folder.write("cart.toml", &cart("bump(t - 0.2, 0.25) + slope - 3", rest));
    let by_hand = "6*min(max((t - 0.2)/0.25, 0), 1) - 6*min(max(((t - 0.2) - 0.25)/0.25, 0), 1)";
    let other = folder.write("other.toml", &cart(by_hand, ""));
    agree(goes(&path, &[], 1.0), goes(&other, &[], 1.0));
    // A triangle of 0.5 s and 6 N: 0.75 m/s; its corners are found.
    let out = run(&opened(&path, &[]), &wishes("", Piecewise, 1.0, 1e-11));
    assert!((out.state.v[0] - 0.75).abs() < 1e-12, "{}", out.state.v[0]);
    // What a function uses is edited as everything else.
    let [_, v] = goes(&path, &[("parameters.top", "12")], 1.0);
    assert!((v - (1.5 + 1.5)).abs() < 1e-11, "{v}");
}

#[test]
fn a_study_over_what_a_function_uses_sees_it_at_every_point() {
    let folder = Folder::new("study");
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [parameters]\nbase = 1\nheavy = \"double(base)\"\n\
         [functions]\ndouble = \"(x) -> 2*x*base\"\n\
         [bodies.cart]\nmass = \"heavy\"\nshape = { point = true }\ncontact.nose = { circle = 0.1 }\n\
         [ground.contact]\nwall = { plane = [-1, 0], at = [0.1, 0] }\n\
         [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\nvelocity = 1\n\
         [contacts.hit]\nbetween = [\"ground.wall\", \"cart.nose\"]\nrestitution = 0.5\n\
         [study]\nmeasures = [\"effective_mass\"]\nvariables.base = { range = [1, 3], count = 3 }\n";
    let path = folder.write("cart.toml", text);
    for (base, mass) in [("1", 2.0), ("2", 8.0), ("3", 18.0)] {
        let opened = opened(&path, &[("parameters.base", base)]);
        assert!((opened.model().bodies[0].inertia.mass - mass).abs() < 1e-14);
    }
    let study = carom::file::load(&path, &[]).unwrap().study().unwrap();
    let (mut compiled, mut reading) = (Evaluator::new(&study), Evaluator::reading(&study));
    for (point, mass) in [2.0, 8.0, 18.0_f64].into_iter().enumerate() {
        let [a, b] = [&mut compiled, &mut reading].map(|e| e.row(point as u64).unwrap());
        assert_eq!(a, b);
        assert!(a.iter().any(|x| (x - mass).abs() < 1e-12), "{a:?} {mass}");
    }
}

#[test]
fn faults_name_the_file_and_the_line_or_the_place_in_the_text() {
    let folder = Folder::new("faults");
    let path = folder.write("cart.toml", &cart("table(\"force.csv\", t)", ""));
    let error = fault(&path, &[]);
    assert!(error.contains("`force.csv`: there is no such file"), "{error}");
    folder.write("force.csv", "0 0\n1 two\n");
    let error = fault(&path, &[]);
    assert!(error.contains("force.csv:2: `two` is not a number"), "{error}");
    assert!(error.contains("cart.toml:16:"), "{error}");
}
