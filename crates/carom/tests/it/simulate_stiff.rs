//! Motions with springs and dampers that are far stiffer than anything moves, against closed forms.

use crate::simulate::{run, wishes, written};
use carom::model::ContactTreatment::Piecewise;

/// A slider on a spring of stiffness k and a damper c, from rest at x₀.
fn slider(k: f64, c: f64, more: &str) -> String {
    format!(
        r#"
carom = 1
space = "planar"
[bodies.slider]
mass = 1
contact.tip = {{ point = [0, 0] }}
[ground]
contact.wall = {{ plane = [1, 0], at = [-5, 0] }}
[joints.rail]
type = "prismatic"
connects = ["ground", "slider"]
axis = [1, 0]
position = 0.5
velocity = 0
[loads.bush]
type = "joint-spring"
joint = "rail"
rest = 0
stiffness = {k}
damping = {c}
{more}
"#
    )
}

#[test]
fn an_overdamped_slider_creeps_home_in_few_steps() {
    // x = A e^(a t) + B e^(b t), a and b the roots of s² + c s + k.
    for (k, c) in [(1e7, 1e7), (3e4, 2e5), (1e9, 1e9)] {
        let root = f64::sqrt(c * c - 4.0 * k);
        let (slow, fast): (f64, f64) = (-2.0 * k / (c + root), -0.5 * (c + root));
        let x = |t: f64| 0.5 * (slow * (fast * t).exp() - fast * (slow * t).exp()) / (slow - fast);
        for (tolerance, error) in [(1e-6, 1e-6), (1e-9, 1e-9), (1e-12, 1e-12)] {
            let opened = written(&slider(k, c, ""), &[]);
            let out = run(&opened, &wishes("", Piecewise, 2.0, tolerance));
            let off = out.state.q[0] - x(2.0);
            assert!(off.abs() < error, "{k} {c} {tolerance}: {off}");
            // Explicit steps are no longer than about 6/|fast|: a million and more.
            assert!(out.counts.steps < 1000, "{}", out.counts.steps);
            let energy = 0.5 * k * 0.25;
            // Works follow an estimate of order 5, which is loosened by tolerance^(−1/3)/10.
            let loosened = tolerance * (0.1 * tolerance.powf(-1.0 / 3.0)).max(100.0);
            assert!(out.drift < loosened * energy, "{tolerance}: {}", out.drift);
        }
    }
}

#[test]
fn a_spring_that_is_only_fast_is_integrated_as_before() {
    // Undamped: x = x₀ cos ω t. What rings is no stiffness, and keeps its energy.
    let omega = 1e3;
    let opened = written(&slider(omega * omega, 0.0, ""), &[]);
    let out = run(&opened, &wishes("", Piecewise, 0.1, 1e-10));
    assert!((out.state.q[0] - 0.5 * (omega * 0.1).cos()).abs() < 1e-7);
}

#[test]
fn a_stiff_machine_that_is_struck_goes_on_after_its_impact() {
    // A pull beyond the wall: it creeps to x = −F/k, but strikes the wall of e = 0 before and stays there.
    let more = r#"
[contacts.stop]
between = ["slider.tip", "ground.wall"]
restitution = 0
[loads.pull]
type = "force"
body = "slider"
force = [-1e8, 0]
"#;
    let (k, c) = (1e7, 1e7);
    let opened = written(&slider(k, c, more), &[]);
    let out = run(&opened, &wishes("", Piecewise, 2.0, 1e-9));
    // x = −10 + 10.5 e^(−t) but for the fast root: x = −5 at t = ln 2.1 + 2e-7.
    assert_eq!(out.stays.len(), 1);
    let root = f64::sqrt(c * c - 4.0 * k);
    let (slow, fast) = (-2.0 * k / (c + root), -0.5 * (c + root));
    let x =
        |t: f64| -10.0 + 10.5 * (slow * (fast * t).exp() - fast * (slow * t).exp()) / (slow - fast);
    assert!((x(out.stays[0].from) + 5.0).abs() < 1e-8, "{}", out.stays[0].from);
    assert!((out.state.q[0] + 5.0).abs() < 1e-12);
    assert!(out.counts.steps < 2000, "{}", out.counts.steps);
}
