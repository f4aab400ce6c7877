//! Ropes: they pull where they are taut, and do nothing where they are slack.

use crate::simulate::{run, times, wishes, written};
use carom::file::open_text;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::EventKind;

/// Closed forms of event times: 1e-10 s is the bar of runs.
const EVENT: f64 = 1e-10;
/// States right after an event that lies at a closed form.
const STATE: f64 = 1e-9;
const G: f64 = 9.81;

/// A ball of 2 kg on a rope of 1 m from the origin; it does not turn, for it is a point.
fn ball(at: [f64; 2], velocity: [f64; 2], contact: &str) -> String {
    let ([x, y], [u, v]) = (at, velocity);
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, {}]\n\
         [bodies.ball]\nmass = 2\nshape = {{ disc = 0.05 }}\nmarkers.eye = [0, 0]\n\
         [ground.markers]\nhook = [0, 0]\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\n\
         position = [{x}, {y}, 0]\nvelocity = [{u}, {v}, 0]\n\
         [contacts.string]\nbetween = [\"ground.hook\", \"ball.eye\"]\nrope = 1\n{contact}\n",
        -G
    )
}

#[test]
fn a_falling_ball_is_caught_by_its_rope_and_keeps_what_runs_across_it() {
    // Free fall from (0.6, 0) is taut at (0.6, −0.8).
    for e in [0.0, 0.5, 1.0] {
        let text = ball([0.6, 0.0], [0.0, 0.0], &format!("restitution = {e}"));
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.5, 1e-11));
        let impact = &out.impacts[0];
        let speed = (2.0 * G * 0.8_f64).sqrt();
        assert!((impact.onset - (1.6 / G).sqrt()).abs() < EVENT, "{}", impact.onset);
        assert!((impact.approach_speed - 0.8 * speed).abs() < STATE);
        assert!((impact.effective_mass - 2.0).abs() < 1e-12);
        // Along the rope (0.6, −0.8): −e times the speed; across it (0.8, 0.6): what it was.
        let after = out.samples.iter().rfind(|s| s.event && s.state.t == impact.onset).unwrap();
        let v = &after.state.v;
        assert!((0.6 * v[0] - 0.8 * v[1] + e * 0.8 * speed).abs() < STATE, "{v}");
        assert!((0.8 * v[0] + 0.6 * v[1] + 0.6 * speed).abs() < STATE, "{v}");
        let impulse = impact.impulse.unwrap();
        assert!((impulse - 2.0 * (1.0 + e) * 0.8 * speed).abs() < 1e-8, "{impulse}");
    }
}

/// The angle above the horizontal where a ball with v² = 3.5 g L at the bottom leaves the circle: sin α = (3.5 − 2)/3.
const LEAVES: f64 = std::f64::consts::FRAC_PI_6;

#[test]
fn a_swing_over_the_top_goes_slack_and_is_caught_where_the_parabola_meets_the_circle() {
    let text = ball([0.0, -1.0], [(3.5 * G).sqrt(), 0.0], "restitution = 0");
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 2.0, 1e-11));
    let leaves = times(&out, EventKind::Release);
    let at = out.samples.iter().find(|s| s.event && s.state.t == leaves[0]).unwrap();
    let (q, v) = (&at.state.q, &at.state.v);
    assert!((q[1] - LEAVES.sin()).abs() < STATE, "{q}");
    assert!((q[0] - LEAVES.cos()).abs() < STATE, "{q}");
    let speed = (G * LEAVES.sin()).sqrt();
    assert!((v.rows(0, 2).norm() - speed).abs() < STATE);
    // On the parabola |p|² − 1 = t² (−g v cos α t + g² t²/4): taut again after 4 v cos α/g, at the angle −3 α.
    let caught = &out.impacts[0];
    let flight = 4.0 * speed * LEAVES.cos() / G;
    assert!((caught.onset - leaves[0] - flight).abs() < 1e-9, "{}", caught.onset - leaves[0]);
    let at = out.samples.iter().find(|s| s.event && s.state.t == caught.onset).unwrap();
    let angle = at.state.q[1].atan2(at.state.q[0]);
    // From the side it left on, counted on: π − (α → −3α mirrored).
    assert!((angle.sin() + (3.0 * LEAVES).sin()).abs() < STATE, "{angle}");
}

#[test]
fn an_elastic_rope_stretches_to_where_its_energy_is_that_of_the_fall() {
    // m g (L + δ) = k δ²/2 from the hook; the rope is taut after √(2 L/g).
    let contact = "restitution = 1\nlaw = \"hooke\"\nstiffness = \"4 kN/m\"";
    let text = ball([0.0, -1e-3], [0.0, 0.0], contact);
    let out = run(&written(&text, &[]), &wishes("", Continuous, 1.2, 1e-12));
    let impact = &out.impacts[0];
    let fall = 1.0 - 1e-3;
    assert!((impact.onset - (2.0 * fall / G).sqrt()).abs() < EVENT);
    let (k, w) = (4000.0, 2.0 * G);
    let stretch = (w + (w * w + 2.0 * k * w * fall).sqrt()) / k;
    assert!((impact.max_indentation / stretch - 1.0).abs() < 1e-9);
    assert!((impact.peak_force.unwrap() / (k * stretch) - 1.0).abs() < 1e-9);
    // ω τ = 2 (π − arctan(v ω/g)): taut from the approach on until δ is back at 0.
    let (omega, speed) = ((k / 2.0_f64).sqrt(), (2.0 * G * fall).sqrt());
    let taut = 2.0 * (std::f64::consts::PI - (speed * omega / G).atan()) / omega;
    let parted = impact.parting.unwrap();
    assert!((parted - impact.onset - taut).abs() < 1e-9, "{}", parted - impact.onset);
}

#[test]
fn two_carts_on_one_rope_share_their_momentum() {
    // In space, and between two bodies: the pull acts on both.
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n\
         [bodies.a]\nmass = 3\nshape = { sphere = 0.1 }\nmarkers.eye = [0.1, 0, 0]\n\
         [bodies.b]\nmass = 1\nshape = { sphere = 0.1 }\nmarkers.eye = [-0.1, 0, 0]\n\
         [joints.a]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n\
         position = [0, 0, 0, 0, 0, 0]\n\
         [joints.b]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\n\
         position = [0.7, 0, 0, 0, 0, 0]\nvelocity = [2, 0, 0, 0, 0, 0]\n\
         [contacts.tow]\nbetween = [\"a.eye\", \"b.eye\"]\nrope = \"0.9 m\"\nrestitution = 0.25\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-11));
    let impact = &out.impacts[0];
    assert!((impact.onset - 0.2).abs() < EVENT);
    assert!((impact.effective_mass - 0.75).abs() < 1e-13);
    let (a, b) = (out.state.v[0], out.state.v[6]);
    assert!((3.0 * a + b - 2.0).abs() < 1e-12, "momentum {a} {b}");
    assert!((a - b - 0.25 * 2.0).abs() < 1e-12, "restitution {a} {b}");
}

#[test]
fn what_a_rope_cannot_have_is_refused_where_it_stands() {
    let text = ball([0.6, 0.0], [0.0, 0.0], "restitution = 0");
    let fault = |set: (&str, &str)| {
        let sets = [(set.0.to_owned(), set.1.to_owned())];
        open_text("rope.toml", &text, &sets).unwrap_err().to_string()
    };
    let error = fault(("contacts.string.rope", "0"));
    assert!(error.contains("contacts.string.rope: 0 is not a positive length [m]"), "{error}");
    let error = fault(("contacts.string.rope", "3 kg"));
    assert!(error.contains("contacts.string.rope"), "{error}");
    let error = fault(("contacts.string.friction", "0.3"));
    assert!(error.contains("a rope has no normal, shapes, materials or friction"), "{error}");
    let error = fault(("contacts.string.between", "[\"ground.hook\", \"ball.ear\"]"));
    assert!(error.contains("`ball.ear`") && error.contains("eye"), "{error}");
    let error = fault(("contacts.string.between", "[\"ball.eye\", \"ball.eye\"]"));
    assert!(error.contains("ball"), "{error}");
}
