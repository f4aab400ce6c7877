//! Joints with a clearance: the contacts they become, and how these move.

use crate::simulate::{run, times, wishes, written};
use carom::answer::CheckAnswer;
use carom::dynamics::Mechanism;
use carom::file::{Opened, open_text};
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::EventKind;

/// The same machine written in two ways: round-off of the same operations.
const SAME: f64 = 1e-12;

const HEAD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
     [bodies.rod]\nmass = 2\nshape = { rod = 0.6 }\n";

/// A vertical rod on a pin of 10 mm with a play of 0.5 mm; `orientation` makes it hang.
fn pendulum(contact: &str) -> String {
    format!(
        "{HEAD}[joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [0, 0.3]]\n\
         position = \"60 deg\"\nradius = \"10 mm\"\nclearance = \"0.5 mm\"\ncontact = {{ {contact} }}\n"
    )
}

/// The same by hand.
fn by_hand(contact: &str) -> String {
    let lines = contact.replace(", ", "\n");
    format!(
        "{HEAD}[bodies.rod.contact]\npin = {{ circle = \"10 mm\", at = [0, 0.3] }}\n\
         [ground.contact]\nhole = {{ hollow = \"10.5 mm\" }}\n\
         [joints.pin]\ntype = \"planar\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [0, 0.3]]\n\
         position = [0, 0, \"60 deg\"]\n\
         [contacts.pin]\nbetween = [\"ground.hole\", \"rod.pin\"]\n{lines}\n"
    )
}

const HERTZIAN: &str = "stiffness = \"1e9 N/m^1.5\", law = \"hertz\"";

#[test]
fn a_clearance_is_the_hole_and_the_pin_that_one_would_write() {
    for (law, treatment) in [(HERTZIAN, Continuous), ("restitution = 0.6", Piecewise)] {
        let asked = wishes("", treatment, 0.2, 1e-10);
        let [short, long] =
            [pendulum(law), by_hand(law)].map(|text| run(&written(&text, &[]), &asked));
        assert!(short.impacts.len() > 3, "{}", short.impacts.len());
        assert_eq!(short.impacts.len(), long.impacts.len());
        for (a, b) in short.impacts.iter().zip(&long.impacts) {
            assert!((a.onset - b.onset).abs() < SAME);
            assert!((a.effective_mass / b.effective_mass - 1.0).abs() < SAME);
            assert!((a.approach_speed - b.approach_speed).abs() < SAME);
        }
        assert!((&short.state.q - &long.state.q).amax() < SAME);
        assert!((&short.state.v - &long.state.v).amax() < SAME);
    }
}

/// Onsets and partings of the first three impacts by SciPy: X, Y and θ of the rod's mass centre with F = K δ^1.5 along the
/// eccentricity of the pin, DOP853 with rtol 1e-13, a new start at every zero of the gap.
const SCIPY: [[f64; 2]; 4] = [
    [0.010_096_375_546_925_386, 0.011_187_063_301_559_521],
    [0.016_550_928_802_995_656, 0.018_140_937_885_350_154],
    [0.023_092_092_167_235_352, 0.024_209_920_157_472_52],
    [0.043_835_228_899_178_5, 0.044_913_376_344_066_794],
];
/// θ and ω after 50 ms from the same.
const SCIPY_END: [f64; 2] = [1.020_477_928_612_487_9, -1.258_843_966_963_191_7];
/// Two programs, four impacts behind each other that each multiply differences some ten times.
const PROGRAMS: f64 = 1e-9;

#[test]
fn a_pendulum_rattles_on_its_pin_as_scipy_says() {
    let out = run(&written(&pendulum(HERTZIAN), &[]), &wishes("", Continuous, 0.05, 1e-12));
    assert_eq!(out.impacts.len(), SCIPY.len());
    for (impact, [onset, parting]) in out.impacts.iter().zip(SCIPY) {
        assert!((impact.onset - onset).abs() < PROGRAMS, "{} {onset}", impact.onset);
        let parted = impact.parting.unwrap();
        assert!((parted - parting).abs() < PROGRAMS, "{parted} {parting}");
    }
    let (q, v) = (&out.state.q, &out.state.v);
    assert!((q[2] - SCIPY_END[0]).abs() < PROGRAMS, "{q}");
    assert!((v[2] - SCIPY_END[1]).abs() < 1e-6 * v[2].abs(), "{v}");
}

#[test]
fn check_says_what_a_clearance_became() {
    let opened = written(&pendulum(HERTZIAN), &[]);
    let answer = CheckAnswer::new(&opened, &[]).unwrap();
    let says = |c: &carom::answer::Caution| {
        c.place == "joints.pin"
            && c.message.contains("the contact pin")
            && c.message.contains("planar with the coordinates x, y, angle")
    };
    assert!(answer.cautions.iter().any(says), "{:?}", answer.cautions);
    let contact = &answer.contacts[0];
    assert_eq!(contact.name, "pin");
    let shapes: Vec<_> = contact.shapes.iter().flatten().map(|s| s.name.as_str()).collect();
    assert_eq!(shapes, ["ground.pin_hollow", "rod.pin_sphere"]);
    assert!((contact.points[0].gap - 0.5e-3).abs() < 1e-17);
}

/// Gaps of the contacts by their names.
fn gaps(opened: &Opened) -> Vec<(String, f64)> {
    let model = opened.model();
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&opened.assembled.state).unwrap();
    let gap = |k: usize| (model.contacts[k].name.clone(), at.touch(k).unwrap().gap());
    (0..model.contacts.len()).map(gap).collect()
}

#[test]
fn a_slide_with_a_clearance_has_two_pins_in_a_slot() {
    // Along a line at 30°, 2 mm to its left, turned by 3°: the pins stand ½ · 0.2 sin 3° higher and lower.
    let text = format!(
        "{HEAD}[joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"rod\"]\n\
         axis = [\"cos(30 deg)\", \"sin(30 deg)\"]\nposition = [0.1, \"2 mm\", \"3 deg\"]\n\
         radius = \"20 mm\"\nguide = 0.2\nclearance = \"8 mm\"\ncontact = {{ restitution = 0.5 }}\n"
    );
    let found = gaps(&written(&text, &[]));
    let names: Vec<_> = found.iter().map(|g| g.0.as_str()).collect();
    assert_eq!(names, ["rail.1.left", "rail.1.right", "rail.2.left", "rail.2.right"]);
    let rise = 0.1 * 3.0_f64.to_radians().sin();
    let expected = [0.006 + rise, 0.010 - rise, 0.006 - rise, 0.010 + rise];
    for ((name, gap), expected) in found.iter().zip(expected) {
        assert!((gap - expected).abs() < 1e-15, "{name}: {gap} {expected}");
    }
    // One number is the slide alone.
    let plain = written(&text.replace("[0.1, \"2 mm\", \"3 deg\"]", "0.1"), &[]);
    assert!(gaps(&plain).iter().all(|(_, gap)| (gap - 0.008).abs() < 1e-15));
}

#[test]
fn joints_in_space_become_balls_in_hollow_balls() {
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n\
         [bodies.arm]\nmass = 1\nshape = { box = [0.2, 0.1, 0.1] }\n\
         [bodies.tip]\nmass = 1\nshape = { sphere = 0.05 }\n\
         [joints.hinge]\ntype = \"revolute\"\nconnects = [\"ground\", \"arm\"]\naxis = [0, 1, 0]\n\
         at = [[0, 0, 0], [-0.1, 0, 0]]\nposition = \"20 deg\"\nvelocity = 3\n\
         radius = 0.01\nguide = 0.06\nclearance = \"1 mm\"\ncontact.restitution = 0.5\n\
         [joints.ball]\ntype = \"spherical\"\nconnects = [\"arm\", \"tip\"]\nat = [[0.1, 0, 0], [0, 0, 0]]\n\
         radius = 0.02\nclearance = \"2 mm\"\ncontact.restitution = 0.5\n";
    let opened = written(text, &[]);
    let found = gaps(&opened);
    let names: Vec<_> = found.iter().map(|g| g.0.as_str()).collect();
    assert_eq!(names, ["hinge.1", "hinge.2", "ball"]);
    for ((_, gap), expected) in found.iter().zip([1e-3, 1e-3, 2e-3]) {
        assert!((gap - expected).abs() < 1e-16, "{gap}");
    }
    // The stated turn and speed are those about the hinge's axis: the mass centre lies on its arm.
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism.at(&opened.assembled.state).unwrap();
    let energy = at.kinetic_energy();
    // Arm and tip turn about the hinge as one body: ½ Σ (I + m a²) ω².
    let inertia = (0.2_f64.powi(2) + 0.1_f64.powi(2)) / 12.0 + 0.01 + 0.4 * 0.0025 + 0.04;
    assert!((energy - 0.5 * inertia * 9.0).abs() < 1e-12, "{energy}");
}

#[test]
fn a_loop_closed_with_a_clearance_is_closed_by_a_contact() {
    // A crank of 0.1 m, a rod of 0.3 m, a slider on the x axis; the pin of the slider has play.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.crank]\nmass = 1\nshape = { rod = 0.1 }\n\
         [bodies.rod]\nmass = 1\nshape = { rod = 0.3 }\n\
         [bodies.slider]\nmass = 1\nshape = { point = true }\n\
         [joints.a]\ntype = \"revolute\"\nconnects = [\"ground\", \"crank\"]\nat = [[0, 0], [-0.05, 0]]\nposition = 0\nvelocity = 10\n\
         [joints.b]\ntype = \"revolute\"\nconnects = [\"crank\", \"rod\"]\nat = [[0.05, 0], [-0.15, 0]]\nposition = 0\n\
         [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"slider\"]\nposition = 0.4\n\
         [closures.pin]\ntype = \"revolute\"\nconnects = [\"rod\", \"slider\"]\nat = [[0.15, 0], [0, 0]]\n\
         radius = \"5 mm\"\nclearance = \"0.2 mm\"\ncontact = { restitution = 0.3 }\n";
    let opened = written(text, &[]);
    assert!(opened.model().closures.is_empty());
    let out = run(&opened, &wishes("", Piecewise, 0.3, 1e-9));
    assert!(!times(&out, EventKind::Impulse).is_empty());
    // Whatever happens, the pin stays in its hole.
    let least = out.samples.iter().map(|sample| {
        let mut mechanism = Mechanism::new(opened.model());
        mechanism.at(&sample.state).unwrap().touch(0).unwrap().gap()
    });
    let least = least.fold(f64::INFINITY, f64::min);
    assert!(least > -1e-9, "{least}");
}

#[test]
fn what_a_clearance_cannot_be_is_refused_where_it_stands() {
    let text = pendulum(HERTZIAN);
    let fault = |from: &str, to: &str| {
        assert!(text.contains(from));
        open_text("pin.toml", &text.replace(from, to), &[]).unwrap_err().to_string()
    };
    let error = fault("radius = \"10 mm\"\n", "");
    assert!(error.contains("`radius` is missing: of the pin or ball"), "{error}");
    let error = fault("clearance = \"0.5 mm\"\n", "");
    assert!(error.contains("the contact of a joint goes with its `clearance`"), "{error}");
    let error = fault("\"0.5 mm\"", "0");
    assert!(error.contains("joints.pin.clearance: 0 is not a positive clearance [m]"), "{error}");
    let error = fault("\"revolute\"", "\"universal\"");
    assert!(error.contains("a universal joint in the plane has no clearance"), "{error}");
    let error = fault("law = \"hertz\"", "law = \"hertz\", normal = [0, 1]");
    assert!(error.contains("unknown key `normal` of the contact of a joint"), "{error}");
    let error = fault("radius", "friction = 0.1\nradius");
    assert!(error.contains("belongs to its contact"), "{error}");
    let twice = format!(
        "{text}[contacts.pin]\njoint = \"pin\"\ncoordinate = \"angle\"\nlower = 0\nrestitution = 0\n"
    );
    let error = open_text("pin.toml", &twice, &[]).unwrap_err().to_string();
    assert!(error.contains("has a clearance, whose contact has this name"), "{error}");
}
