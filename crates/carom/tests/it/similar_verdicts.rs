//! The same machine with all lengths × a, times × b and masses × c: `assess`, `impact` and `check` give the same verdicts.

use carom::Machine;
use carom::answer::{AssessAnswer, CautionCode, CheckAnswer, ImpactOptions};

const HEAD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[parameters]\na = 1\nb = 1\nc = 1\nx = 0\ny = 0\n";

/// A rod on a pivot; the normal is turned from it by `x`.
const ROD: &str = r#"
[bodies.rod]
mass = "3*c"
shape = { rod = "a" }
markers.tip = ["a/2", 0]
[ground]
markers.wall = ["a*cos(0.7)", "a*sin(0.7)"]
[joints.pivot]
type = "revolute"
connects = ["ground", "rod"]
at = [[0, 0], ["-a/2", 0]]
position = 0.7
velocity = "1/b"
[contacts.k]
between = ["ground.wall", "rod.tip"]
normal = ["cos(0.7 - x)", "sin(0.7 - x)"]
restitution = 0.5
"#;

/// A ball above a floor by `x` of the size, that moves towards it at `y` of its speed along it.
const BALL: &str = r#"
[bodies.ball]
mass = "c"
shape = { disc = "0.1*a" }
contact.skin = { circle = "0.1*a" }
[ground]
contact.floor = { plane = [0, 1] }
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = ["0.3*a", "0.1*a + x*a", 0]
velocity = ["a/b", "y*a/b", "2/b"]
[contacts.k]
between = ["ball.skin", "ground.floor"]
restitution = 0.5
"#;

/// A ball that a drive moves at `x`.
const DRIVEN: &str = r#"
[bodies.ball]
mass = "c"
shape = { disc = "0.1*a" }
contact.skin = { circle = "0.1*a" }
[ground]
contact.wall = { plane = [-1, 0], at = ["0.1*a", 0] }
[joints.s]
type = "prismatic"
connects = ["ground", "ball"]
[drives.d]
joint = "s"
motion = "x*a/b*t"
[contacts.k]
between = ["ball.skin", "ground.wall"]
restitution = 0.5
"#;

/// A slider-crank, `x` from its dead centre; it touches the wall there.
const CRANK: &str = r#"
[bodies.crank]
mass = "0.4*c"
shape = { rod = "0.15*a" }
[bodies.rod]
mass = "0.8*c"
shape = { rod = "0.4*a" }
[bodies.slider]
mass = "1.2*c"
inertia = "0.001*c*a^2"
contact.nose = { point = [0, 0] }
[ground]
contact.wall = { plane = [1, 0], at = ["0.25*a", 0] }
[joints.pivot]
type = "revolute"
connects = ["ground", "crank"]
at = [[0, 0], ["-0.075*a", 0]]
position = "pi + x"
velocity = "10/b"
[joints.pin]
type = "revolute"
connects = ["crank", "rod"]
at = [["0.075*a", 0], ["-0.2*a", 0]]
guess = "-pi - x"
[joints.guide]
type = "prismatic"
connects = ["ground", "slider"]
guess = "0.25*a"
[closures.wrist]
type = "revolute"
connects = ["rod", "slider"]
at = [["0.2*a", 0], [0, 0]]
[contacts.k]
between = ["slider.nose", "ground.wall"]
restitution = 0.5
"#;

/// A stop of a prismatic joint, `x` of the size before it.
const STOP: &str = r#"
[bodies.block]
mass = "c"
shape = { point = true }
[joints.s]
type = "prismatic"
connects = ["ground", "block"]
position = "a + x*a"
velocity = "y*a/b"
[contacts.k]
joint = "s"
upper = "a"
restitution = 0.5
"#;

/// Cautions that are about the contact; others doubt a unit of the file by its size.
fn codes(all: &[carom::answer::Caution]) -> Vec<CautionCode> {
    let about = [CautionCode::Unbounded, CautionCode::Penetration, CautionCode::OpenContact];
    all.iter().map(|c| c.code).filter(|code| about.contains(code)).collect()
}

/// What all verbs say, in words; T_c as a share of T to six digits.
fn verdicts(text: &str, scales: [f64; 3], x: f64, y: f64) -> Vec<String> {
    let mut machine = Machine::from_text(&format!("{HEAD}{text}")).unwrap();
    for (name, value) in ["a", "b", "c", "x", "y"].iter().zip(scales.iter().chain([&x, &y])) {
        machine.set(&format!("parameters.{name}"), &format!("{value:e}")).unwrap();
    }
    let AssessAnswer { contacts, cautions, .. } =
        machine.assess(machine.contact("k").unwrap()).unwrap();
    let row = &contacts[0].rows[0];
    let mut out = vec![
        format!("{:?} {:?} {} {}", row.motion, row.standing, row.immobile, row.unbounded),
        format!("{} {:?}", contacts[0].touching, codes(&cautions)),
        format!("{:.6?}", contacts[0].energies.impact_share),
    ];
    let options = ImpactOptions { laws: vec!["newton".to_owned()], ..ImpactOptions::default() };
    out.push(match machine.impact(&options) {
        Ok(answer) => {
            format!("{:?}", answer.laws.iter().map(law_says).collect::<Vec<_>>())
        }
        Err(_) => "refused".to_owned(),
    });
    let CheckAnswer { contacts, cautions, .. } = machine.check().unwrap();
    let point = &contacts[0].points[0];
    out.push(format!("{:?} {:?} {:?}", point.motion, point.standing, codes(&cautions)));
    out
}

fn law_says(law: &carom::answer::LawImpact) -> String {
    let value = serde_json::to_value(law).unwrap();
    let struck = value["impulses"].as_array();
    struck.map_or("refused".to_owned(), |p| {
        format!("{:?}", p.iter().map(|p| *p != 0.0).collect::<Vec<_>>())
    })
}

#[test]
fn lengths_times_and_masses_change_no_verdict() {
    let mut cases: Vec<(&str, f64, f64)> = Vec::new();
    cases.extend([0.0, 3e-10, 3e-9, 3e-7, 0.1].map(|x| (ROD, x, 0.0)));
    for x in [0.0, 3e-10, 3e-9, -3e-9] {
        cases.extend([-1.0, -1e-11, -1e-13, 0.0, 1e-11].map(|y| (BALL, x, y)));
    }
    cases.extend([0.0, 3.0, -3.0, 1e-9].map(|x| (DRIVEN, x, 0.0)));
    cases.extend([0.0, 1e-10, 1e-8, -1e-8, 1e-5, -1e-5, 0.01].map(|x| (CRANK, x, 0.0)));
    for x in [0.0, 3e-10, -3e-9] {
        cases.extend([1.0, 0.0, -1.0].map(|y| (STOP, x, y)));
    }
    let scales = [
        [1e-6, 1.0, 1.0],
        [1e6, 1.0, 1.0],
        [1.0, 1e-6, 1.0],
        [1.0, 1e6, 1.0],
        [1.0, 1.0, 1e-9],
        [1.0, 1.0, 1e9],
        [3e5, 7e-4, 1e-7],
    ];
    for (text, x, y) in cases {
        let expected = verdicts(text, [1.0; 3], x, y);
        for scale in scales {
            assert_eq!(verdicts(text, scale, x, y), expected, "{scale:?}, {x}, {y}:{text}");
        }
    }
}
