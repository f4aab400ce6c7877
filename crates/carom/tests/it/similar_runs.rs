//! Runs of similar machines, and of one machine at another time of day.
//!
//! With all lengths × L, times × √L (gravity stays), masses × m, a rigid run is the same run in other units: positions × L, velocities
//! × √L, the same events in the same order. A threshold in metres or seconds would break that. With L and m powers of 4
//! every product and every root is exact in binary floating point, so that the runs agree bit for bit. Contacts of a machine do not know what the clock
//! shows either: a kick at 1e6 s has the consequences of one at 1 s.

use std::fmt::Write as _;

use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome, Spot};

use crate::simulate::{run, wishes, written};

const PARAMETERS: &str = "[parameters]\nscale = 1\nmass = 1\n";

/// A box that is dropped tilted on a rough floor and rattles.
const BOX: &str = r#"
space = "spatial"
gravity = [0, 0, -9.81]
[ground]
contact.floor = { plane = [0, 0, 1] }
[bodies.box]
mass = "2*mass"
inertia = ["0.01*scale^2*mass", "0.012*scale^2*mass", "0.015*scale^2*mass"]
contact.faces = { box = ["0.2*scale", "0.3*scale", "0.1*scale"] }
[joints.free]
type = "floating"
connects = ["ground", "box"]
position = [0, 0, "0.15*scale", 0.9983881831784487, 0.04347662614376824, 0.03648038745396645, 0]
velocity = ["-0.986*sqrt(scale)", "-0.416*sqrt(scale)", "-1.0*sqrt(scale)", 0, 0, 0]
[contacts.floor]
between = ["box.faces", "ground.floor"]
restitution = 0.5
friction = 0.312
"#;

/// A box on a rough floor that is pulled beside its centre, harder and harder, until it slips and turns.
const PULLED_BOX: &str = r#"
space = "spatial"
gravity = [0, 0, -9.81]
[ground]
contact.floor = { plane = [0, 0, 1] }
[bodies.box]
mass = "2*mass"
inertia = ["0.01*scale^2*mass", "0.012*scale^2*mass", "0.015*scale^2*mass"]
contact.faces = { box = ["0.2*scale", "0.3*scale", "0.1*scale"] }
[joints.free]
type = "floating"
connects = ["ground", "box"]
position = [0, 0, "0.05*scale", 1, 0, 0, 0]
[loads.pull]
type = "force"
body = "box"
at = ["0.02*scale", "0.01*scale", 0]
force = ["4*mass*t/sqrt(scale)", "3*mass*t/sqrt(scale)", 0]
[contacts.floor]
between = ["box.faces", "ground.floor"]
restitution = 0
friction = 0.3
"#;

/// A disc with spin that bounces on a rough floor until it rests or rolls.
const BOUNCING_BALL: &str = r#"
space = "planar"
gravity = [0, -9.81]
[ground]
contact.floor = { plane = [0, 1] }
[bodies.ball]
mass = "mass"
shape = { disc = "0.1*scale" }
contact.rim = { circle = "0.1*scale" }
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = ["0.3*scale", "0.7*scale", 0.2]
velocity = ["0.4*sqrt(scale)", 0, "3/sqrt(scale)"]
[contacts.floor]
between = ["ball.rim", "ground.floor"]
restitution = 0.6
friction = 0.2
"#;

/// A ball in space that slides on the floor until it rolls.
const ROLLING_BALL: &str = r#"
space = "spatial"
gravity = [0, 0, -9.81]
[ground]
contact.floor = { plane = [0, 0, 1] }
[bodies.ball]
mass = "1.5*mass"
shape = { sphere = "0.1*scale" }
contact.skin = { sphere = "0.1*scale" }
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = ["0.3*scale", "-0.2*scale", "0.1*scale", 1, 0, 0, 0]
velocity = ["1.2*sqrt(scale)", "0.3*sqrt(scale)", 0, "2/sqrt(scale)", "-1/sqrt(scale)", "0.5/sqrt(scale)"]
[contacts.floor]
between = ["ball.skin", "ground.floor"]
restitution = 0.3
friction = 0.25
"#;

/// Three dominoes; a finger pushes the first one. Corners of each are points against the box of the next.
fn dominoes() -> String {
    let mut text = String::from(
        "space = \"planar\"\ngravity = [0, -9.81]\n[ground]\ncontact.floor = { plane = [0, 1] }\n",
    );
    for k in 0..3 {
        let x = 0.025 * f64::from(k);
        writeln!(text, "[bodies.d{k}]\nmass = \"0.02*mass\"\nshape = {{ rectangle = [\"0.008*scale\", \"0.048*scale\"] }}\n\
             contact.hull = {{ box = [\"0.008*scale\", \"0.048*scale\"] }}\n\
             contact.top = {{ point = [\"0.004*scale\", \"0.024*scale\"] }}\n\
             [joints.f{k}]\ntype = \"floating\"\nconnects = [\"ground\", \"d{k}\"]\n\
             position = [\"{x}*scale\", \"0.024*scale\", 0]\n\
             [contacts.g{k}]\nbetween = [\"d{k}.hull\", \"ground.floor\"]\nrestitution = 0.1\nfriction = 0.5").unwrap();
        if k > 0 {
            let before = k - 1;
            writeln!(text, "[contacts.h{k}]\nbetween = [\"d{before}.top\", \"d{k}.hull\"]\nrestitution = 0.1\nfriction = 0.2").unwrap();
        }
    }
    text + "[loads.finger]\ntype = \"force\"\nbody = \"d0\"\nat = [\"-0.004*scale\", \"0.02*scale\"]\n\
            force = [\"0.15*mass*max(0, sign(0.1*sqrt(scale) - t))\", 0]\n"
}

/// A machine and how long it runs at a scale of one \[s\].
fn machines() -> [(&'static str, String, f64); 5] {
    [
        ("box", BOX.to_owned(), 0.25),
        ("pulled box", PULLED_BOX.to_owned(), 2.0),
        ("bouncing ball", BOUNCING_BALL.to_owned(), 3.0),
        ("rolling ball", ROLLING_BALL.to_owned(), 1.0),
        ("dominoes", dominoes(), 0.5),
    ]
}

const TOLERANCE: f64 = 1e-10;

fn scaled(text: &str, until: f64, scale: f64, mass: f64) -> Outcome {
    let sets =
        [("parameters.scale", format!("{scale:e}")), ("parameters.mass", format!("{mass:e}"))];
    let sets = [(sets[0].0, sets[0].1.as_str()), (sets[1].0, sets[1].1.as_str())];
    let opened = written(&format!("carom = 1\n{text}{PARAMETERS}"), &sets);
    run(&opened, &wishes("", Piecewise, until * scale.sqrt(), TOLERANCE))
}

/// What happened where, without the times.
fn list(out: &Outcome) -> Vec<(Spot, EventKind)> {
    out.events.iter().map(|e| (e.spot, e.kind)).collect()
}

/// By entry of q: 1 of a length, 0 of an angle or a quaternion. The bodies are all free.
fn lengths(out: &Outcome) -> Vec<i32> {
    let planar = out.state.q.len() == out.state.v.len();
    let one: &[i32] = if planar { &[1, 1, 0] } else { &[1, 1, 1, 0, 0, 0, 0] };
    one.iter().copied().cycle().take(out.state.q.len()).collect()
}

/// The end of a run in units of a scale: positions, then velocities.
fn end(out: &Outcome, scale: f64) -> Vec<f64> {
    let time = scale.sqrt();
    let positions = out.state.q.iter().zip(lengths(out)).map(|(q, l)| q / scale.powi(l));
    let planar = out.state.q.len() == out.state.v.len();
    let turns = |k: usize| if planar { k % 3 == 2 } else { k % 6 > 2 };
    let speeds = out.state.v.iter().enumerate();
    let speeds = speeds.map(|(k, v)| if turns(k) { v * time } else { v / scale * time });
    positions.chain(speeds).collect()
}

#[test]
fn scales_and_masses_of_powers_of_four_give_the_same_bits() {
    for (name, text, until) in machines() {
        let one = scaled(&text, until, 1.0, 1.0);
        assert!(one.events.len() >= 2, "{name}: {:?}", one.events);
        for (scale, mass) in
            [(4.0, 1.0), (0.0625, 16.0), (1_048_576.0, 0.25), (1.0 / 262_144.0, 4.0)]
        {
            let other = scaled(&text, until, scale, mass);
            let what = format!("{name} at {scale} with masses of {mass}");
            assert_eq!(list(&one), list(&other), "{what}");
            let time = scale.sqrt();
            for (a, b) in one.events.iter().zip(&other.events) {
                assert_eq!((a.t * time).to_bits(), b.t.to_bits(), "{what}: {a:?} {b:?}");
            }
            for (a, b) in end(&one, 1.0).iter().zip(end(&other, scale)) {
                assert_eq!(a.to_bits(), b.to_bits(), "{what}: {a} {b}");
            }
            for (a, b) in one.impacts.iter().zip(&other.impacts) {
                let p = a.impulse.unwrap() * mass * time;
                assert_eq!(p.to_bits(), b.impulse.unwrap().to_bits(), "{what}: {a:?} {b:?}");
            }
            assert_eq!(one.counts, other.counts, "{what}");
        }
    }
}

#[test]
fn scales_of_powers_of_ten_give_the_same_events() {
    for (name, text, until) in machines() {
        let one = scaled(&text, until, 1.0, 1.0);
        for (scale, mass) in [(1e-6, 1.0), (1e-3, 1e3), (10.0, 1e-3), (1e3, 1.0), (1e6, 1e-6)] {
            let other = scaled(&text, until, scale, mass);
            let what = format!("{name} at {scale} with masses of {mass}");
            assert_eq!(list(&one), list(&other), "{what}");
            for (k, (a, b)) in end(&one, 1.0).iter().zip(end(&other, scale)).enumerate() {
                // In metres, radians and seconds at a scale of one: speeds are below 10 m/s, rates below 100 rad/s.
                assert!((a - b).abs() <= 100.0 * TOLERANCE, "{what}: {k}: {a} {b}");
            }
        }
    }
}

/// A ball at rest on the floor that is kicked upwards at `begin` and bounces to rest.
const KICKED_BALL: &str = r#"
carom = 1
space = "planar"
gravity = [0, -9.81]
[parameters]
begin = "1 s"
[ground]
contact.floor = { plane = [0, 1] }
[bodies.ball]
mass = 1
shape = { disc = 0.1 }
contact.rim = { circle = 0.1 }
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = [0, 0.1, 0]
[loads.kick]
type = "force"
body = "ball"
force = [0, "100*max(0, sign(t - begin))*max(0, sign(begin + 0.05 - t))"]
[contacts.floor]
between = ["ball.rim", "ground.floor"]
restitution = 0.6
friction = 0.2
"#;

#[test]
fn a_kick_has_the_same_consequences_at_any_time_of_day() {
    let kicked = |begin: f64| {
        let opened = written(KICKED_BALL, &[("parameters.begin", &format!("{begin} s"))]);
        run(&opened, &wishes("", Piecewise, begin + 4.0, 1e-9))
    };
    let first = kicked(1.0);
    assert!(first.impacts.len() > 10, "{}", first.impacts.len());
    for begin in [0.25, 64.0, 3600.0, 1e6] {
        let other = kicked(begin);
        assert_eq!(list(&first), list(&other), "{begin}");
        // The clock resolves no less than this at the kick, and with it the duration of the kick.
        let digits = 4.0 * f64::EPSILON * begin;
        for (a, b) in first.events.iter().zip(&other.events).skip(1) {
            let off = (b.t - begin) - (a.t - 1.0);
            assert!(off.abs() <= 1e-7 + 100.0 * digits, "{begin}: {a:?} {b:?}");
        }
        for (a, b) in first.impacts.iter().zip(&other.impacts) {
            // The kick gives 4.5 m/s; its duration is rounded to the clock's digits.
            let off = a.approach_speed - b.approach_speed;
            assert!(off.abs() <= 1e-9 + 200.0 * digits, "{begin}: {a:?} {b:?}");
        }
    }
}
