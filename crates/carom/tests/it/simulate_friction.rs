//! Friction of rigid contacts and of joints, against closed forms.

use crate::simulate::{run, times, tried, wishes, written};
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{EventKind, SimulateError};

/// Closed forms of event times [s].
const EVENT: f64 = 1e-10;
/// Velocities and positions of runs at a tolerance of 1e-11.
const MOTION: f64 = 1e-9;

/// A point of 2 kg on a floor under gravity along a direction, with a velocity, friction and a pull along x.
fn point(gravity: &str, velocity: &str, friction: &str, pull: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = {gravity}\n\
         [bodies.block]\nmass = 2\ninertia = 1\ncontact.foot = {{ point = [0, 0] }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"block\"]\nvelocity = {velocity}\n\
         [loads.pull]\ntype = \"force\"\nbody = \"block\"\nat = [0, 0]\nforce = [\"{pull}\", 0]\n\
         [contacts.rub]\nbetween = [\"ground.floor\", \"block.foot\"]\nrestitution = 0\nfriction = {friction}\n"
    )
}

#[test]
fn a_rigid_block_slides_to_rest_and_stays_there() {
    let out = run(
        &written(&point("[0, -9.81]", "[1, 0, 0]", "0.3", "0"), &[]),
        &wishes("", Piecewise, 1.0, 1e-11),
    );
    let rest = times(&out, EventKind::Sticks);
    assert_eq!(rest.len(), 1);
    assert!((rest[0] - 1.0 / (0.3 * 9.81)).abs() < EVENT, "{rest:?}");
    assert!((out.state.q[0] - 0.5 / (0.3 * 9.81)).abs() < MOTION);
    assert!(out.state.v[0].abs() < 1e-14);
    let ledger = out.samples.last().unwrap().ledger;
    assert!(
        (ledger.friction_loss - 1.0).abs() < 1e-9 && out.drift < 1e-9,
        "{ledger:?} {}",
        out.drift
    );
}

#[test]
fn a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above() {
    for (angle, slides) in [(16.0_f64, false), (18.0, true)] {
        let (s, c) = angle.to_radians().sin_cos();
        let text = point(&format!("[{}, {}]", 9.81 * s, -9.81 * c), "[0, 0, 0]", "0.3", "0");
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-11));
        let expected = if slides { 9.81 * (s - 0.3 * c) } else { 0.0 };
        assert!((out.state.v[0] - expected).abs() < MOTION, "{angle}: {}", out.state.v[0]);
        assert!(out.drift < 1e-9);
    }
}

#[test]
fn a_block_that_is_pulled_slips_at_its_breakaway_force() {
    let weight = 2.0 * 9.81;
    let stribeck = "{ type = \"stribeck\", kinetic = 0.2, static = 0.4, speed = 1e-3 }";
    // With a coefficient that falls, the first 20 ms go by until it has fallen.
    for (friction, kinetic, near) in [("0.4", 0.4, MOTION), (stribeck, 0.2, 0.03)] {
        let text = point("[0, -9.81]", "[0, 0, 0]", friction, "10*t");
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.5, 1e-11));
        let slips = times(&out, EventKind::Slips);
        assert_eq!(slips.len(), 1);
        assert!((slips[0] - 0.4 * weight / 10.0).abs() < EVENT, "{slips:?}");
        // m v̇ = 10 t − μ_k m g
        let (a, b) = (slips[0], 1.5);
        let expected = (5.0 * (b * b - a * a) - kinetic * weight * (b - a)) / 2.0;
        assert!((out.state.v[0] - expected).abs() < near, "{} {expected}", out.state.v[0]);
    }
}

#[test]
fn a_disc_that_skids_begins_to_roll() {
    // I = m r²/2: it rolls at 2/3 of its speed after v₀/(3 μ g), and goes on without friction.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.disc]\nmass = 3\nshape = { disc = 0.2 }\ncontact.rim = { circle = 0.2 }\n\
         [ground]\ncontact.floor = { plane = [0, 1] }\n\
         [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"disc\"]\nposition = [0, 0.2, 0]\nvelocity = [2, 0, 0]\n\
         [contacts.rub]\nbetween = [\"ground.floor\", \"disc.rim\"]\nrestitution = 0\nfriction = 0.25\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-11));
    let rolls = times(&out, EventKind::Sticks);
    assert_eq!(rolls.len(), 1);
    assert!((rolls[0] - 2.0 / (3.0 * 0.25 * 9.81)).abs() < EVENT, "{rolls:?}");
    assert!((out.state.v[0] - 4.0 / 3.0).abs() < MOTION, "{}", out.state.v[0]);
    assert!((out.state.v[2] + 4.0 / 3.0 / 0.2).abs() < 10.0 * MOTION);
    assert!(out.drift < 1e-9, "{}", out.drift);
}

#[test]
fn a_point_that_slides_across_a_slope_turns_downhill_as_it_does_in_a_textbook() {
    // On a slope with tan α = μ the speed v and the angle φ from downhill keep v (1 + cos φ): it ends downhill with half of it.
    let (mu, g) = (0.5_f64, 9.81);
    let slope = mu.atan();
    let text = format!(
        "carom = 1\nspace = \"spatial\"\ngravity = [{}, 0, {}]\n\
         [bodies.block]\nmass = 2\nshape = {{ point = true }}\ncontact.foot = {{ point = [0, 0, 0] }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 0, 1] }}\n\
         [joints.x]\ntype = \"prismatic\"\nconnects = [\"ground\", \"x\"]\naxis = [1, 0, 0]\nvelocity = 0\n\
         [joints.y]\ntype = \"prismatic\"\nconnects = [\"x\", \"y\"]\naxis = [0, 1, 0]\nvelocity = 1\n\
         [joints.z]\ntype = \"prismatic\"\nconnects = [\"y\", \"block\"]\naxis = [0, 0, 1]\nvelocity = 0\n\
         [bodies.x]\nmass = 1e-9\nshape = {{ point = true }}\n[bodies.y]\nmass = 1e-9\nshape = {{ point = true }}\n\
         [contacts.rub]\nbetween = [\"ground.floor\", \"block.foot\"]\nrestitution = 0\nfriction = {mu}\n",
        g * slope.sin(),
        -g * slope.cos()
    );
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.3, 1e-11));
    let (x, y) = (out.state.v[0], out.state.v[1]);
    let speed = x.hypot(y);
    assert!((speed + x - 1.0).abs() < 1e-7, "{x} {y}");
    assert!(y < 0.5 && y > 0.0);
}

#[test]
fn a_ball_that_bounces_with_spin_grips_the_floor() {
    // A solid ball in the plane sticks if μ ≥ 2 v_t/(7 (1 + e) v_n): then v_t⁺ = 5/7 v_t (seed: issue 5).
    for (mu, sticks) in [(0.4, true), (0.05, false)] {
        let text = format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
             [bodies.ball]\nmass = 1\ninertia = {}\ncontact.rim = {{ circle = 0.1 }}\n\
             [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
             [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.2, 0]\nvelocity = [1, -1, 0]\n\
             [contacts.bounce]\nbetween = [\"ground.floor\", \"ball.rim\"]\nrestitution = 0.5\nfriction = {mu}\n",
            0.4 * 0.01
        );
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.2, 1e-11));
        let expected = if sticks { 5.0 / 7.0 } else { 1.0 - mu * 1.5 };
        assert!((out.state.v[0] - expected).abs() < 1e-12, "{mu}: {}", out.state.v[0]);
        assert!((out.state.v[1] - 0.5).abs() < 1e-12);
        assert!(out.drift < 1e-11, "{}", out.drift);
    }
}

#[test]
fn a_slider_in_a_guide_is_slowed_by_its_reaction() {
    // 2 kg slide along x with gravity across; the mass centre hangs 0.3 m below the guide of 0.2 m.
    let text = |guide: &str| {
        format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
             [bodies.cart]\nmass = 2\ninertia = 0.1\n\
             [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\nat = [[0, 0], [0, 0.3]]\naxis = [1, 0]\nvelocity = 2\n\
             friction = {{ type = \"coulomb\", kinetic = 0.1, band = 1e-6 }}\n{guide}\n"
        )
    };
    let out = run(&written(&text(""), &[]), &wishes("", Piecewise, 0.5, 1e-11));
    assert!((out.state.v[0] - (2.0 - 0.1 * 9.81 * 0.5)).abs() < MOTION, "{}", out.state.v[0]);
    assert!(out.drift < 1e-9);
    // With a guide: the deceleration a brakes at the rail, 0.3 m above the centre; the moment m a 0.3 presses both ends when
    // it exceeds the weight's share: N = |F/2 + M/ℓ| + |F/2 − M/ℓ|. With M = 0.3 m a, ℓ = 0.2: 2 M/ℓ = 3 m a < m g here.
    let out = run(&written(&text("guide = 0.2"), &[]), &wishes("", Piecewise, 0.5, 1e-11));
    assert!((out.state.v[0] - (2.0 - 0.1 * 9.81 * 0.5)).abs() < MOTION, "{}", out.state.v[0]);
    // With μ = 0.5 it does not: N = 2 M/ℓ = 3 m a = 3 N μ needs μ < 1/3: the cart jams.
    let rough = text("guide = 0.2").replace("kinetic = 0.1", "kinetic = 0.5");
    let out = tried(&written(&rough, &[]), &wishes("", Piecewise, 0.5, 1e-11)).unwrap_err();
    assert!(matches!(out.reason, SimulateError::Motion { .. }), "{:?}", out.reason);
}

#[test]
fn a_flywheel_on_a_pin_runs_down_evenly() {
    // ω̇ = −μ r m g / I while it turns about its mass centre.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.wheel]\nmass = 5\ninertia = 0.2\n\
         [joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"wheel\"]\nvelocity = 30\nfriction = 0.2\nradius = \"10 mm\"\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 2.0, 1e-11));
    let expected = 30.0 - 0.2 * 0.01 * 5.0 * 9.81 / 0.2 * 2.0;
    assert!((out.state.v[0] - expected).abs() < MOTION, "{}", out.state.v[0]);
    let lost = out.samples.last().unwrap().ledger.friction_loss;
    assert!((lost - 0.1 * (900.0 - expected * expected)).abs() < 1e-8, "{lost}");
}

/// A box of 2 kg on a rough floor that it stands on, in plane or space.
pub fn standing_box(space: &str, friction: f64, speed: f64, pull: &str) -> String {
    let (size, z, position, velocity) = if space == "planar" {
        ("[0.2, 0.1]", "", "[0, 0.05, 0]".to_owned(), format!("[{speed}, 0, 0]"))
    } else {
        let velocity = format!("[{speed}, 0, 0, 0, 0, 0]");
        ("[0.2, 0.1, 0.15]", ", 0", "[0, 0.05, 0, 0, 0, 0]".to_owned(), velocity)
    };
    let shape = if space == "planar" { "rectangle" } else { "box" };
    format!(
        "carom = 1\nspace = \"{space}\"\ngravity = [0, -9.81{z}]\n\
         [bodies.crate]\nmass = 2\nshape = {{ {shape} = {size} }}\ncontact.hull = {{ box = {size} }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1{z}] }}\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"crate\"]\nposition = {position}\nvelocity = {velocity}\n\
         [loads.pull]\ntype = \"force\"\nbody = \"crate\"\nat = [0, 0{z}]\nforce = [\"{pull}\", 0{z}]\n\
         [contacts.rub]\nbetween = [\"crate.hull\", \"ground.floor\"]\nrestitution = 0\nfriction = {friction}\n\
         [simulation]\nstart = \"in-contact\"\n"
    )
}

#[test]
fn a_box_on_several_rough_corners_stops_and_rests() {
    for space in ["planar", "spatial"] {
        let text = standing_box(space, 0.2, 0.7, "0");
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
        let stop = 0.7 / (0.2 * 9.81);
        let rest = times(&out, EventKind::Sticks);
        assert!(
            !rest.is_empty() && rest.iter().all(|t| (t - stop).abs() < EVENT),
            "{space}: {rest:?}"
        );
        assert!((out.state.q[0] - 0.35 * stop).abs() < MOTION, "{space}: {}", out.state.q[0]);
        assert!(
            out.state.v.norm() < 1e-12 && times(&out, EventKind::Release).is_empty(),
            "{space}"
        );
        assert!(out.drift < 1e-10, "{space}: {}", out.drift);
    }
}

#[test]
fn a_ladder_in_two_rough_corners_rests_or_slides() {
    // 2 m long, 57.3° steep, at rest: inside both cones for μ = 0.6, not for 0.1.
    for (mu, rests) in [(0.6, true), (0.1, false)] {
        let text = format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
             [bodies.ladder]\nmass = 3\nshape = {{ rod = 2 }}\ncontact.foot = {{ point = [1, 0] }}\ncontact.head = {{ point = [-1, 0] }}\n\
             [ground]\ncontact.floor = {{ plane = [0, 1] }}\ncontact.wall = {{ plane = [1, 0] }}\n\
             [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"ladder\"]\nposition = [\"cos(1)\", \"sin(1)\", -1]\n\
             [contacts.foot]\nbetween = [\"ground.floor\", \"ladder.foot\"]\nrestitution = 0\nfriction = {mu}\n\
             [contacts.head]\nbetween = [\"ground.wall\", \"ladder.head\"]\nrestitution = 0\nfriction = {mu}\n\
             [simulation]\nstart = \"in-contact\"\n"
        );
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.3, 1e-10));
        let turned = out.state.q[2] + 1.0;
        assert_eq!(turned.abs() < 1e-10, rests, "{mu}: {turned}");
        assert!(out.drift < 1e-8, "{mu}: {}", out.drift);
    }
}

#[test]
fn a_slip_that_turns_round_within_an_impact_is_followed_through_its_band() {
    // It passes the band of 1 mm/s in a fraction of a step. Against the same run with a tolerance a thousand times smaller.
    let friction = "{ type = \"stribeck\", kinetic = 0.2, static = 0.4, speed = 0.05 }";
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[ground]\ncontact.f = {{ plane = [0, 1] }}\n\
         [bodies.b]\nmass = 1\nshape = {{ rectangle = [0.3, 0.1] }}\ncontact.a = {{ point = [-0.15, -0.05] }}\n\
         contact.b = {{ point = [0.15, -0.05] }}\n\
         [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [0, 0.1, 0.2]\nvelocity = [0.3, 0, -1]\n\
         [contacts.a]\nbetween = [\"b.a\", \"ground.f\"]\nlaw = \"hunt-crossley\"\nstiffness = \"1e6 N/m^1.5\"\nrestitution = 0.5\n\
         friction = {friction}\n\
         [contacts.b]\nbetween = [\"b.b\", \"ground.f\"]\nlaw = \"hunt-crossley\"\nstiffness = \"1e6 N/m^1.5\"\nrestitution = 0.5\n\
         friction = {friction}\n"
    );
    let end = |tolerance| run(&written(&text, &[]), &wishes("", Continuous, 0.3, tolerance)).state;
    let exact = end(1e-13);
    for (tolerance, limit) in [(1e-8, 1e-6), (1e-10, 1e-8)] {
        let found = end(tolerance);
        for (v, exact) in found.v.iter().zip(&exact.v) {
            assert!((v - exact).abs() < limit, "{tolerance}: {v} {exact}");
        }
    }
}
