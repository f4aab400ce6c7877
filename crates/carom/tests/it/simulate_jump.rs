//! Loads and drives that change their course at once: the instant is known, and what follows is exact.

use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{EventKind, Outcome, SimulateError};

use crate::simulate::{run, times, tried, wishes, written};

/// Closed forms of a few operations; steps between are polynomials that DOP853 follows exactly.
const ROUND_OFF: f64 = 1e-12;
const G: f64 = 9.81;

/// A point of 2 kg on the floor, under a force.
fn point(force: [&str; 2], friction: f64) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[ground]\ncontact.f = {{ plane = [0, 1] }}\n\
         [bodies.c]\nmass = 1e-12\n[bodies.b]\nmass = 2\ncontact.p = {{ point = [0, 0] }}\n\
         [joints.x]\ntype = \"prismatic\"\nconnects = [\"ground\", \"c\"]\naxis = [1, 0]\n\
         [joints.y]\ntype = \"prismatic\"\nconnects = [\"c\", \"b\"]\naxis = [0, 1]\n\
         [loads.f]\ntype = \"force\"\nbody = \"b\"\nforce = [\"{}\", \"{}\"]\n\
         [contacts.s]\nbetween = [\"b.p\", \"ground.f\"]\nrestitution = 0\nfriction = {friction}\n\
         [simulation]\nstart = \"in-contact\"\n",
        force[0], force[1]
    )
}

/// A box of 2 kg on a table that is driven along x and y, with which it moves at first.
fn table([x, y]: [&str; 2], velocity: [f64; 2], restitution: f64, contact: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[bodies.car]\nmass = 1\ninertia = 1\n\
         [bodies.table]\nmass = 1\ninertia = 1\ncontact.top = {{ plane = [0, 1] }}\n\
         [bodies.b]\nmass = 2\nshape = {{ rectangle = [0.3, 0.2] }}\ncontact.s = {{ box = [0.3, 0.2] }}\n\
         [joints.jx]\ntype = \"prismatic\"\nconnects = [\"ground\", \"car\"]\naxis = [1, 0]\n\
         [joints.jy]\ntype = \"prismatic\"\nconnects = [\"car\", \"table\"]\naxis = [0, 1]\n\
         [drives.dx]\njoint = \"jx\"\nmotion = \"{x}\"\n[drives.dy]\njoint = \"jy\"\nmotion = \"{y}\"\n\
         [joints.f]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [0, 0.1, 0]\n\
         velocity = [{}, {}, 0]\n\
         [contacts.s]\nbetween = [\"b.s\", \"table.top\"]\nrestitution = {restitution}\nfriction = 0.3\n{contact}\
         [simulation]\nstart = \"in-contact\"\n",
        velocity[0], velocity[1]
    )
}

/// A run of rigid contacts at tolerances that must not matter.
fn runs(text: &str, until: f64, check: impl Fn(&Outcome)) {
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let out = run(&written(text, &[]), &wishes("", Piecewise, until, tolerance));
        check(&out);
    }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < ROUND_OFF, "{found} {expected}");
}

#[test]
fn a_contact_that_slips_just_before_it_lets_go_is_seen_to_slip() {
    // N = 2 g (1 − t), and a force that friction holds until t = 1 − d: then v(1) = μ g d²/2.
    let mu = 0.4;
    for d in [1e-1, 1e-3, 1e-6] {
        let force = (2.0 * mu * G * d).to_string();
        runs(&point([&force, "19.62*t"], mu), 1.1, |out| {
            near(times(out, EventKind::Slips)[0], 1.0 - d);
            near(times(out, EventKind::Release)[0], 1.0);
            near(out.state.v[0], mu * G * d * d / 2.0 + mu * G * d * 0.1);
        });
    }
}

#[test]
fn a_force_that_jumps_is_held_or_moves_at_once() {
    let jump = |force: f64| format!("{force}*(1+sign(t-0.5))/2");
    let (small, large, lift) = (jump(3.0), jump(9.0), jump(25.0));
    runs(&point([&small, "0"], 0.4), 1.0, |out| {
        assert!(times(out, EventKind::Slips).is_empty());
        near(out.state.q[0], 0.0);
    });
    runs(&point([&large, "0"], 0.4), 1.0, |out| {
        near(times(out, EventKind::Slips)[0], 0.5);
        near(out.state.q[0], 0.5 * (4.5 - 0.4 * G) * 0.25);
    });
    runs(&point(["0", &lift], 0.4), 1.0, |out| {
        near(times(out, EventKind::Release)[0], 0.5);
        near(out.state.q[1], 0.5 * (12.5 - G) * 0.25);
    });
    // A pulse of 1e-5 s that begins and ends between two looks at the loads.
    runs(&point(["0", "1e6*max(0, sign(1e-10 - (t - 0.5)^2))"], 0.4), 0.5 + 1e-5, |out| {
        near(times(out, EventKind::Release)[0], 0.5 - 1e-5);
        assert!((out.state.v[1] - 2e-5 * (5e5 - G)).abs() < 1e-8, "{}", out.state.v[1]);
    });
}

#[test]
fn a_force_that_ends_with_the_run_acts_to_its_end() {
    runs(&point(["0", "25*max(0,sign(1-t))"], 0.4), 1.0, |out| {
        near(out.state.v[1], 12.5 - G);
        assert_eq!((out.state.t, out.samples.last().map(|s| s.state.t)), (1.0, Some(1.0)));
    });
}

#[test]
fn a_force_that_a_motion_switches_moves_at_once() {
    // Another body passes x = 0.512345 at 1 m/s; the jump is found to 1e-12 s.
    let passes = 0.512_345;
    for (force, moves) in [(3.0, 0.0), (9.0, 4.5 - 0.4 * G)] {
        let force = format!("{force}*(1+sign(q.m - {passes}))/2");
        let other = "[bodies.m]\nmass = 1\n[joints.m]\ntype = \"prismatic\"\nconnects = [\"ground\", \"m\"]\n\
                     axis = [1, 0]\nvelocity = 1\n";
        let text = point([&force, "0"], 0.4).replace("[loads.f]", &format!("{other}[loads.f]"));
        runs(&text, 1.0, |out| {
            let left = 1.0 - passes;
            assert!(
                (out.state.q[0] - 0.5 * moves * left * left).abs() < 1e-11,
                "{}",
                out.state.q[0]
            );
        });
    }
}

#[test]
fn a_force_that_pulls_to_the_other_side_makes_parabolas() {
    // x″ = −4 sign(x − 0.3): √(1.5² + 2 · 4 · 0.3) at each crossing, v/2 s from one to the next.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[bodies.a]\nmass = 2\ninertia = 1\n\
                [joints.s]\ntype = \"prismatic\"\nconnects = [\"ground\", \"a\"]\naxis = [1, 0]\nvelocity = 1.5\n\
                [loads.m]\ntype = \"effort\"\njoint = \"s\"\neffort = \"-8*sign(q.s - 0.3)\"\n";
    let v = (1.5_f64.powi(2) + 2.4).sqrt();
    let since = 2.0 - (v - 1.5) / 4.0;
    let crossings = (since / (0.5 * v)).floor();
    let (s, side) = (since - 0.5 * v * crossings, if crossings % 2.0 == 0.0 { 1.0 } else { -1.0 });
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let out = run(&written(text, &[]), &wishes("", Continuous, 2.0, tolerance));
        for (found, exact) in [
            (out.state.q[0], 0.3 + side * (v * s - 2.0 * s * s)),
            (out.state.v[0], side * (v - 4.0 * s)),
        ] {
            assert!((found - exact).abs() < 1e-10, "{tolerance}: {found} {exact}");
        }
    }
}

#[test]
fn a_table_whose_acceleration_jumps_takes_a_box_along_as_far_as_friction_goes() {
    runs(&table(["2.5*max(0,t-1)^2", "0"], [0.0; 2], 0.0, ""), 2.0, |out| {
        near(times(out, EventKind::Slips)[0], 1.0);
        near(out.state.q[2], 0.5 * 0.3 * G);
    });
    runs(&table(["0", "-6*max(0,t-0.5)^2"], [0.0; 2], 0.0, ""), 0.6, |out| {
        near(times(out, EventKind::Release)[0], 0.5);
        near(out.state.q[3], 0.1 - 0.5 * G * 0.01);
    });
}

#[test]
fn a_table_that_stops_at_once_lets_a_box_slide_or_fly() {
    runs(&table(["0.5*min(t,1)", "0"], [0.5, 0.0], 0.0, ""), 2.0, |out| {
        near(times(out, EventKind::Slips)[0], 1.0);
        near(times(out, EventKind::Sticks)[0], 1.0 + 0.5 / (0.3 * G));
        near(out.state.q[2], 0.5 + 0.125 / (0.3 * G));
        assert!(out.drift < ROUND_OFF);
    });
    runs(&table(["0", "min(t,0.5)"], [0.0, 1.0], 0.0, ""), 0.6, |out| {
        near(times(out, EventKind::Release)[0], 0.5);
        near(out.state.q[3], 0.6 + 0.1 - 0.5 * G * 0.01);
        assert!(out.drift < ROUND_OFF);
    });
    // Under force laws the velocity jumps and nothing else.
    let law = "law = \"hunt-crossley\"\nstiffness = 1e5\n";
    let text = table(["0", "min(t,0.5)"], [0.0, 1.0], 0.5, law);
    let out = run(&written(&text, &[]), &wishes("", Continuous, 0.6, 1e-10));
    assert!(out.drift < 1e-8, "{}", out.drift);
}

#[test]
fn a_table_that_starts_at_once_strikes_what_lies_on_it() {
    // u⁻ = −1, so that the box leaves with e: v = 1 + e.
    let e = 0.5;
    runs(&table(["0", "max(0,t-0.5)"], [0.0; 2], e, ""), 0.6, |out| {
        assert_eq!(out.impacts.len(), 2);
        near(out.impacts[0].approach_speed, 1.0);
        near(out.state.q[3], 0.1 + (1.0 + e) * 0.1 - 0.5 * G * 0.01);
        assert!(out.drift < ROUND_OFF);
    });
}

#[test]
fn what_hangs_on_a_drive_that_stops_swings_on() {
    // A rod on a car: of its velocity v the moment of momentum about the pin is left, ω = m c v / J.
    let (mass, centre, J_c, v) = (3.0, 0.4, 0.05, 2.0);
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[bodies.car]\nmass = 1\ninertia = 1\n\
         [bodies.rod]\nmass = {mass}\ninertia = {J_c}\ncenter = [0, -{centre}]\n\
         [joints.j]\ntype = \"prismatic\"\nconnects = [\"ground\", \"car\"]\naxis = [1, 0]\n\
         [joints.pin]\ntype = \"revolute\"\nconnects = [\"car\", \"rod\"]\n\
         [drives.d]\njoint = \"j\"\nmotion = \"{v}*min(t, 0.3)\"\n[simulation]\n"
    );
    let out = run(&written(&text, &[]), &wishes("", Continuous, 0.4, 1e-10));
    let J = J_c + mass * centre * centre;
    near(out.state.v[1], mass * centre * v / J);
    near(out.state.q[1], 0.1 * mass * centre * v / J);
    assert!(out.drift < ROUND_OFF);
}

#[test]
fn a_drive_whose_position_jumps_is_refused() {
    let text = table(["0.1*sign(t-0.25)", "0"], [0.0; 2], 0.0, "");
    match tried(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-9)).err().map(|s| s.reason) {
        Some(SimulateError::DriveJumps { t, drive, from, to }) => {
            near(t, 0.25);
            assert_eq!((drive.as_str(), from, to), ("dx", -0.1, 0.1));
        }
        other => panic!("{other:?}"),
    }
}

/// A ram that a drive moves to and fro on a triangular wave: asin(sin t) turns where its argument is ±1 and f′ infinite.
#[test]
fn a_drive_by_arcsine_of_sine_is_a_triangular_wave() {
    let text = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[bodies.ram]
mass = 2
[bodies.ball]
mass = 1
contact.tip = { point = [0, 0] }
[ground]
contact.wall = { plane = [-1, 0], at = [500, 0] }
[joints.s]
type = "prismatic"
connects = ["ground", "ram"]
[joints.free]
type = "prismatic"
connects = ["ram", "ball"]
[drives.d]
joint = "s"
motion = "MOTION"
[contacts.k]
between = ["ball.tip", "ground.wall"]
restitution = 0.5
"#;
    let pi = std::f64::consts::PI;
    for (motion, until, q, v) in [
        ("asin(sin(t))", 10.0, 3.0 * pi - 10.0, -1.0),
        ("asin(sin(t))", 2.0, pi - 2.0, -1.0),
        ("acos(cos(2*t))", 2.0, 2.0 * pi - 4.0, -2.0),
    ] {
        let out = run(
            &written(&text.replace("MOTION", motion), &[]),
            &wishes("", Piecewise, until, 1e-9),
        );
        assert!((out.state.q[0] - q).abs() < 1e-12, "{motion}: {} {q}", out.state.q[0]);
        assert!((out.state.v[0] - v).abs() < 1e-12, "{motion}: {} {v}", out.state.v[0]);
        assert!(out.counts.steps < 1000, "{motion}: {:?}", out.counts);
        // The ball flies freely along the rail of the ram: in the world nothing pushes it, so it keeps its speed.
        let flies = out.state.v[0] + out.state.v[1];
        // acos(cos 2t) turns at t = 0, where the ram stands still.
        let began = if motion.starts_with("asin") { 1.0 } else { 0.0 };
        assert!((flies - began).abs() < 1e-8, "{motion}: {flies}");
        assert!(out.relative_drift() < 1e-8, "{motion}: {}", out.relative_drift());
    }
}
