//! Friction of contacts under force laws.

use carom::dynamics::Mechanism;
use carom::file::open_text;
use carom::simulate::{Outcome, Scenario, SimulateError, Stopped, Wishes, simulate};

/// The block's mass \[kg\], its first speed \[m/s\] and its kinetic friction.
const BLOCK: (f64, f64, f64) = (2.0, 1.0, 0.3);

/// Friction laws with the same kinetic coefficient.
const LAWS: [&str; 4] = [
    "0.3",
    r#"{ type = "stribeck", kinetic = 0.3, static = 0.4, speed = 0.01 }"#,
    r#"{ type = "lugre", kinetic = 0.3, static = 0.4, speed = 0.01, stiffness = 1e4, damping = 10 }"#,
    r#"{ type = "bristle", kinetic = 0.3, static = 0.4, speed = 0.01, stiffness = 1e5, damping = 500, dwell = 0.1 }"#,
];

fn block(friction: &str, extra: &str) -> String {
    format!(
        r#"
carom = 1
space = "planar"
gravity = [0, -9.81]
[bodies.block]
mass = 2
inertia = 0.1
contact.foot = {{ point = [0, 0] }}
[ground]
contact.floor = {{ plane = [0, 1] }}
[joints.slide]
type = "planar"
connects = ["ground", "block"]
position = [0, 0, 0]
velocity = [1, 0, 0]
[contacts.rub]
between = ["block.foot", "ground.floor"]
restitution = 0.2
stiffness = "1e7 N/m"
law = "exact"
friction = {friction}
{extra}
"#
    )
}

fn run(text: &str, until: f64) -> Result<Outcome, Stopped> {
    let opened = open_text("block.toml", text, &[]).unwrap();
    let mut mechanism = Mechanism::new(opened.model());
    let state = &opened.assembled.state;
    let wishes = Wishes { until: Some(until), ..Wishes::default() };
    let scenario = Scenario::new(&mechanism.at(state).unwrap(), &wishes)?;
    simulate(opened.model(), state, &scenario)
}

#[test]
fn a_block_slides_as_far_as_its_friction_lets_it() {
    let (mass, speed, mu) = BLOCK;
    for law in LAWS {
        let out = run(&block(law, ""), 0.5).unwrap();
        let (x, v) = (out.state.q[0], out.state.v[0]);
        // v²/(2 μ g); the last millimetres per second and the bending of bristles add or take below a per mille.
        let distance = speed * speed / (2.0 * mu * 9.81);
        assert!((x / distance - 1.0).abs() < 1e-3, "{law}: {x} {distance}");
        assert!(v.abs() < 1e-3, "{law}: {v}");
        let ledger = out.samples.last().unwrap().ledger;
        assert!((ledger.friction_loss / (0.5 * mass * speed * speed) - 1.0).abs() < 1e-6, "{law}");
        // 100 × tolerance × energy.
        assert!(out.drift < 1e-7, "{law}: {}", out.drift);
    }
}

#[test]
fn a_block_that_slides_on_loses_speed_evenly() {
    let (_, speed, mu) = BLOCK;
    for law in LAWS {
        let out = run(&block(law, ""), 0.2).unwrap();
        // The foot's first bounces of some micrometres press unevenly, but their mean is the weight.
        let expected = speed - mu * 9.81 * 0.2;
        assert!((out.state.v[0] - expected).abs() < 2e-3, "{law}: {}", out.state.v[0]);
    }
}

#[test]
fn friction_that_a_run_does_not_have_is_refused() {
    let sticks = run(&block("\"stick\"", ""), 0.1).unwrap_err();
    assert!(matches!(sticks.reason, SimulateError::Sticks { .. }), "{sticks}");
    let bristles = r#"{ type = "lugre", kinetic = 0.3, static = 0.4, speed = 0.1, stiffness = 1e4, damping = 1 }"#;
    let rigid = run(&block(bristles, "[simulation]\ncontact = \"piecewise\""), 0.1).unwrap_err();
    assert!(matches!(rigid.reason, SimulateError::Bristles { law: "lugre", .. }), "{rigid}");
}

#[test]
fn a_friction_law_is_judged_with_its_numbers() {
    for (law, part) in [
        ("-0.1", "a coefficient of friction"),
        (r#"{ type = "lugre", kinetic = 0.3 }"#, "`static` is missing"),
        (r#"{ type = "lugree", kinetic = 0.3 }"#, "lugre"),
        (r#"{ type = "coulomb", kinetic = 0.3, dwell = 1 }"#, "dwell"),
        (
            r#"{ type = "stribeck", kinetic = 0.3, static = 0.2, speed = 1 }"#,
            "at least the kinetic",
        ),
        (r#"{ type = "stribeck", kinetic = 0.3, static = 0.4, speed = 0 }"#, "a positive speed"),
        (r#"{ type = "coulomb", kinetic = 0.3, band = "1 m" }"#, "m/s"),
    ] {
        let error = open_text("block.toml", &block(law, ""), &[]).unwrap_err().to_string();
        assert!(error.contains(part), "{law}: {error}");
    }
}
