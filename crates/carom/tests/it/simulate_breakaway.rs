//! Contacts in space that stick and begin to slip, against motions that are known beforehand.

use crate::simulate::{run, times, wishes, written};
use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome};

/// Event times [s]: the load is known to round-off, and so is when it reaches the limit.
const EVENT: f64 = 1e-12;
const G: f64 = 9.81;
const MASS: f64 = 0.5;
const RADIUS: f64 = 0.05;
/// Friction's acceleration of the slip of a solid sphere over that of its centre: 1 + m r²/J.
const SLIP: f64 = 3.5;

/// A solid sphere on the floor, pulled at its centre.
fn sphere(friction: &str, force: [&str; 2], v: [f64; 2]) -> String {
    let [x, y] = force;
    let [v_x, v_y] = v;
    let (turn_x, turn_y) = (-v_y / RADIUS, v_x / RADIUS);
    format!(
        r#"
carom = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies.ball]
mass = {MASS}
shape = {{ sphere = {RADIUS} }}
contact.skin = {{ sphere = {RADIUS} }}
[ground]
contact.floor = {{ plane = [0, 0, 1] }}
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = [0, 0, {RADIUS}, 1, 0, 0, 0]
velocity = [{v_x}, {v_y}, 0, {turn_x}, {turn_y}, 0]
[contacts.touch]
between = ["ball.skin", "ground.floor"]
restitution = 0
friction = {friction}
[loads.pull]
type = "force"
body = "ball"
frame = "world"
force = ["{x}", "{y}", 0]
[simulation]
start = "in-contact"
"#
    )
}

/// The slip of the sphere on the floor.
fn slip_of(out: &Outcome) -> [f64; 2] {
    let v = &out.state.v;
    [v[0] - RADIUS * v[4], v[1] + RADIUS * v[3]]
}

#[test]
fn a_rolling_sphere_that_is_pulled_aside_slips_at_the_limit_and_then_as_the_closed_form_says() {
    // F = a t e: it rolls with 5/7 F/m until 2/7 F = μ m g, and then slips along e with (F − μ m g)/m.
    let (mu, rate, duration) = (0.2, 8.0, 0.7);
    for (beta, gamma) in [(0.3_f64, 2.1_f64), (4.0, 0.4), (1.3, 1.3)] {
        let force = [rate * beta.cos(), rate * beta.sin()].map(|f| format!("{f}*t"));
        let start = [0.8 * gamma.cos(), 0.8 * gamma.sin()];
        let text = sphere(&mu.to_string(), [&force[0], &force[1]], start);
        let t_0 = SLIP * mu * MASS * G / rate;
        let gained = 5.0 / 7.0 * rate * t_0 * t_0 / (2.0 * MASS)
            + rate * (duration * duration - t_0 * t_0) / (2.0 * MASS)
            - mu * G * (duration - t_0);
        // The error follows the tolerance until the last digits of slips begin to count.
        for (tolerance, error) in [(1e-6, 1e-8), (1e-8, 1e-10), (1e-10, 1e-11), (1e-12, 1e-11)] {
            let out = run(&written(&text, &[]), &wishes("", Piecewise, duration, tolerance));
            let slips = times(&out, EventKind::Slips);
            assert!(slips.len() == 1 && (slips[0] - t_0).abs() < EVENT, "{slips:?} {t_0}");
            assert!(times(&out, EventKind::Sticks).is_empty());
            for (x, e) in [beta.cos(), beta.sin()].into_iter().enumerate() {
                let off = out.state.v[x] - (start[x] + gained * e);
                assert!(off.abs() < error, "{beta} {tolerance}: {off}");
            }
        }
    }
}

/// The pull under which the slip is k τ² (cos c τ, sin c τ), τ = t − t₀, with this coefficient of friction: before t₀ it is not
/// enough to let the sphere slip.
fn turning_pull(t_0: f64, k: f64, c: f64, mu: &str) -> [String; 2] {
    let tau = format!("(t-{t_0})");
    let along = format!("(2*{k}*{tau} + {SLIP}*{G}*{mu})");
    let across = format!("({k}*{c}*{tau}^2)");
    let (sin, cos) = (format!("sin({c}*{tau})"), format!("cos({c}*{tau})"));
    [
        format!("{MASS}*({along}*{cos} - {across}*{sin})"),
        format!("{MASS}*({along}*{sin} + {across}*{cos})"),
    ]
}

#[test]
fn a_slip_whose_direction_turns_from_its_beginning_is_the_one_the_pull_was_made_for() {
    let (t_0, duration) = (0.4, 0.9);
    for (k, c) in [(2.0, 3.0), (0.5, 8.0), (6.0, -5.0)] {
        let [x, y] = turning_pull(t_0, k, c, "0.25");
        let text = sphere("0.25", [&x, &y], [0.0; 2]);
        for (tolerance, error) in [(1e-7, 1e-7), (1e-9, 1e-9), (1e-11, 1e-10)] {
            let out = run(&written(&text, &[]), &wishes("", Piecewise, duration, tolerance));
            let slips = times(&out, EventKind::Slips);
            assert!(slips.len() == 1 && (slips[0] - t_0).abs() < EVENT, "{slips:?}");
            let tau = duration - t_0;
            let expected = [(c * tau).cos(), (c * tau).sin()].map(|d| k * tau * tau * d);
            let slip = slip_of(&out);
            for x in 0..2 {
                let off = slip[x] - expected[x];
                assert!(off.abs() < error, "{k} {c} {tolerance}: {off}");
            }
        }
    }
}

#[test]
fn friction_that_weakens_with_speed_lets_a_sphere_break_away_in_space() {
    // μ(v) of Stribeck at v = k τ². Where it weakens, errors grow with 7/2 g |dμ/dv|, up to 60 /s: a hundredfold.
    let (t_0, duration, k, c, v_s) = (0.4, 0.8, 3.0, 4.0, 0.05);
    let speed = format!("({k}*(t-{t_0})^2)");
    let mu = format!("(0.2 + 0.1*exp(-({speed}/{v_s})^2))");
    let [x, y] = turning_pull(t_0, k, c, &mu);
    let friction =
        format!(r#"{{ type = "stribeck", kinetic = 0.2, static = 0.3, speed = {v_s} }}"#);
    let text = sphere(&friction, [&x, &y], [0.0; 2]);
    let out = run(&written(&text, &[]), &wishes("", Piecewise, duration, 1e-10));
    let slips = times(&out, EventKind::Slips);
    assert!(slips.len() == 1 && (slips[0] - t_0).abs() < EVENT, "{slips:?}");
    let tau = duration - t_0;
    let (slip, size) = (slip_of(&out), k * tau * tau);
    assert!((slip[0] - size * (c * tau).cos()).abs() < 1e-8, "{slip:?}");
    assert!((slip[1] - size * (c * tau).sin()).abs() < 1e-8, "{slip:?}");
}

/// A body on feet, pulled off its centre by a force that turns; `side` = −1 is its mirror image.
fn on_feet(feet: &[([f64; 2], f64)], order: &[usize], side: f64) -> String {
    let place = |(k, ([x, y], _)): (usize, &([f64; 2], f64))| {
        format!("contact.p{k} = {{ point = [{x}, {}, -0.05] }}", side * y)
    };
    let rub = |k: &usize| {
        let mu = feet[*k].1;
        format!(
            "[contacts.c{k}]\nbetween = [\"table.p{k}\", \"ground.floor\"]\nrestitution = 0\nfriction = {mu}"
        )
    };
    let places: Vec<String> = feet.iter().enumerate().map(place).collect();
    let rubs: Vec<String> = order.iter().map(rub).collect();
    let (places, rubs) = (places.join("\n"), rubs.join("\n"));
    let (y, pull) = (side * -0.03, side * 4.0);
    format!(
        r#"
carom = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies.table]
mass = 2
inertia = [0.03, 0.04, 0.05]
{places}
[ground]
contact.floor = {{ plane = [0, 0, 1] }}
[joints.free]
type = "floating"
connects = ["ground", "table"]
position = [0, 0, 0.05, 1, 0, 0, 0]
{rubs}
[loads.pull]
type = "force"
body = "table"
at = [-0.05, {y}, 0.03]
force = ["4*cos(4*t + 3.6)", "{pull}*sin(7*t + 3.6)", 0]
[simulation]
start = "in-contact"
"#
    )
}

#[test]
fn bodies_on_feet_break_away_and_come_to_rest_as_their_mirror_images_do() {
    let tripod = vec![([0.2, 0.0], 0.27), ([-0.1, 0.17], 0.22), ([-0.1, -0.17], 0.25)];
    let four =
        vec![([0.2, 0.1], 0.25), ([0.2, -0.1], 0.15), ([-0.2, 0.1], 0.2), ([-0.2, -0.1], 0.23)];
    for feet in [tripod, four] {
        let order: Vec<usize> = (0..feet.len()).collect();
        let back: Vec<usize> = order.iter().rev().copied().collect();
        let wish = wishes("", Piecewise, 2.0, 1e-10);
        let out = run(&written(&on_feet(&feet, &order, 1.0), &[]), &wish);
        let slips = times(&out, EventKind::Slips).len();
        assert!(slips >= 3, "it slips");
        let others = [
            (on_feet(&feet, &order, -1.0), -1.0, 1e-10),
            (on_feet(&feet, &back, 1.0), 1.0, 1e-10),
            (on_feet(&feet, &order, 1.0), 1.0, 1e-6),
        ];
        for (text, side, tolerance) in others {
            let other = run(&written(&text, &[]), &wishes("", Piecewise, 2.0, tolerance));
            assert_eq!(times(&other, EventKind::Slips).len(), slips);
            let signs = [1.0, side, 1.0, side, 1.0, side];
            for (i, sign) in signs.into_iter().enumerate() {
                let off = out.state.v[i] - sign * other.state.v[i];
                assert!(off.abs() < (10.0 * tolerance).max(1e-9), "{side} {tolerance} {i}: {off}");
            }
        }
        assert!(out.drift < 1e-8, "{}", out.drift);
    }
}

#[test]
fn a_ball_in_a_groove_rolls_on_both_sides_and_slides_until_it_does() {
    // Sides at γ to the floor: it turns about the line through both points, R cos γ below its centre, so a = g_x/(1 + 2/(5 cos² γ)).
    let gamma = 0.5_f64;
    let rolls = 1.0 / (1.0 + 0.4 / gamma.cos().powi(2));
    let height = RADIUS / gamma.cos();
    let (sin, cos) = gamma.sin_cos();
    for (mu, speed) in [([0.3, 0.3], 0.0), ([0.2, 0.3], 0.0), ([0.3, 0.3], 0.5)] {
        let [first, second] = mu;
        let text = format!(
            r#"
carom = 1
space = "spatial"
gravity = [1, 0, -9.5]
[bodies.ball]
mass = 1.3
shape = {{ sphere = {RADIUS} }}
contact.skin = {{ sphere = {RADIUS} }}
[ground]
contact.left = {{ plane = [0, {sin}, {cos}] }}
contact.right = {{ plane = [0, {}, {cos}] }}
[joints.free]
type = "floating"
connects = ["ground", "ball"]
position = [0, 0, {height}, 1, 0, 0, 0]
velocity = [{speed}, 0, 0, 0, 0, 0]
[contacts.left]
between = ["ball.skin", "ground.left"]
restitution = 0
friction = {first}
[contacts.right]
between = ["ball.skin", "ground.right"]
restitution = 0
friction = {second}
[simulation]
start = "in-contact"
"#,
            -sin
        );
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.5, 1e-10));
        let sticks = times(&out, EventKind::Sticks);
        // Momentum about the line of contact: m v + J ω/(R cos γ) is that of the beginning and the pull.
        let carried = speed * rolls;
        let off = out.state.v[0] - (carried + rolls * 0.5);
        assert!(off.abs() < 1e-9, "{mu:?} {speed}: {off}");
        assert_eq!(sticks.len(), if speed > 0.0 { 2 } else { 0 }, "{sticks:?}");
    }
}
