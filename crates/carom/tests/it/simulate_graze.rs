//! Contacts that are closed without a force.

use carom::model::ContactTreatment::Piecewise;
use carom::simulate::EventKind;

use crate::simulate::{run, times, wishes, written};

/// A pendulum on a carriage that falls freely: its joint stands exactly on its stop, and nothing but round-off turns it.
const FALLING: &str = r#"
carom = 1
space = "planar"
gravity = [0, -9.81]
[bodies.carriage]
mass = 3
shape = { rectangle = [0.4, 0.3] }
[bodies.arm]
mass = 1.1
shape = { rod = 0.7 }
[ground]
[joints.free]
type = "floating"
connects = ["ground", "carriage"]
position = [0.3, 0.7, 0.4]
[joints.pin]
type = "revolute"
connects = ["carriage", "arm"]
at = [[0.1, 0.1], [-0.35, 0]]
position = 0.3
[loads.turn]
type = "effort"
joint = "pin"
effort = "EFFORT"
[contacts.stop]
joint = "pin"
lower = 0.3
restitution = 0
"#;

#[test]
fn a_joint_on_its_stop_with_a_torque_of_round_off_stays_there() {
    for effort in ["0", "1e-17", "-1e-17", "1e-16*sin(1e3*t)"] {
        let opened = written(&FALLING.replace("EFFORT", effort), &[]);
        let out = run(&opened, &wishes("", Piecewise, 0.2, 1e-9));
        assert!(out.counts.steps <= 30 || effort.contains("sin"), "{effort}: {:?}", out.counts);
        assert_eq!(out.events.len(), 1, "{effort}: {:?}", out.events);
        assert!((out.state.q[3] - 0.3).abs() < 1e-12, "{effort}: {}", out.state.q[3]);
        assert!((out.state.v[1] + 9.81 * 0.2).abs() < 1e-11, "{effort}: {}", out.state.v[1]);
    }
}

#[test]
fn a_torque_that_begins_presses_on_the_stop_or_leaves_it() {
    // From 0.1 s on. The pair of bodies turns without a force on it: the joint accelerates with the torque divided by the inertia that it feels.
    for (effort, leaves) in [("0.5", true), ("-0.5", false)] {
        let effort = format!("{effort}*max(0, sign(t - 0.1))");
        let opened = written(&FALLING.replace("EFFORT", &effort), &[]);
        let out = run(&opened, &wishes("", Piecewise, 0.2, 1e-9));
        assert_eq!(times(&out, EventKind::Release).len(), usize::from(leaves), "{:?}", out.events);
        let turned = out.state.q[3] - 0.3;
        assert!(if leaves { turned > 1e-3 } else { turned.abs() < 1e-12 }, "{effort}: {turned}");
        let pressed = out.stays.iter().any(|stay| stay.peak_force > 0.4);
        assert_eq!(pressed, !leaves, "{:?}", out.stays);
    }
}

/// A robot that falls, with one joint exactly on its stop: once 31 000 steps for 0.12 s.
#[test]
fn a_falling_robot_does_not_stall_at_a_stop() {
    let opened = written(include_str!("../cases/stalls-at-stop.toml"), &[]);
    let out = run(&opened, &wishes("", Piecewise, 0.2, 1e-9));
    // Its dampers let explicit steps be 7 ms long: 30 of them.
    assert!(out.counts.steps <= 35, "{:?}", out.counts);
    let fallen = out.state.v[2] + 9.81 * 0.2;
    assert!(fallen.abs() < 1e-9, "{fallen}");
}
