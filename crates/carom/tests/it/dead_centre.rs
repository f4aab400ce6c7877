//! Runs under force laws through dead centres, and which contacts are one impact.

use carom::dynamics::{Mechanism, assemble};
use carom::file::parse;
use carom::model::{ContactTreatment, Model};
use carom::simulate::{Outcome, Scenario, Wishes, simulate};

use crate::workshop::load;

fn run(model: &Model, until: f64, treatment: ContactTreatment) -> Outcome {
    let state = assemble(model).unwrap().state;
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&state).unwrap();
    let wishes = Wishes { until: Some(until), treatment: Some(treatment), ..Wishes::default() };
    let scenario = Scenario::new(&at, &wishes).unwrap();
    simulate(model, &state, &scenario).unwrap_or_else(|stopped| panic!("{stopped}"))
}

/// 000/slider-crank with its block held and a law at the contact.
fn slider_crank(theta: &str, more: &[(&str, String)]) -> Model {
    let mut sets = vec![
        ("joints.block_guide.locked", "true".to_owned()),
        ("contacts.faces.stiffness", "1e6".to_owned()),
        ("contacts.faces.law", "flores".to_owned()),
        ("joints.pivot.velocity", "2".to_owned()),
        ("theta", theta.to_owned()),
    ];
    sets.extend(more.iter().cloned());
    load("000/slider-crank.toml", &sets)
}

fn kinetic(out: &Outcome) -> [f64; 2] {
    [out.samples.first(), out.samples.last()].map(|s| s.unwrap().ledger.kinetic)
}

#[test]
fn a_slider_that_grazes_at_its_dead_centre_keeps_its_energy_under_a_force_law() {
    let block = [("joints.block_guide.position", "3.2".to_owned())];
    for k in 0..12 {
        let theta = format!("{} deg", 30 * k);
        let out = run(&slider_crank(&theta, &block), 10.0, ContactTreatment::Continuous);
        let [begin, end] = kinetic(&out);
        assert!((end / begin - 1.0).abs() < 1e-7, "{theta}: {begin} J, {end} J");
        assert!(out.impacts.is_empty(), "{theta}: {:?}", out.impacts);
        assert_eq!(out.least_gap.map(|least| least.gap), Some(0.0), "{theta}");
    }
}

#[test]
fn a_force_law_pushes_where_every_motion_leads_into_the_block() {
    // At the inner dead centre with the block before it, the slider presses on the block, which gives way.
    let out = run(&slider_crank("180 deg", &[]), 0.1, ContactTreatment::Continuous);
    let [only] = &out.impacts[..] else { panic!("{:?}", out.impacts) };
    assert!(only.effective_mass.is_infinite());
    assert_eq!((only.approach_speed, only.impact_energy), (0.0, 0.0));
    assert!(only.peak_force.unwrap() > 1e3 && only.max_indentation > 0.0);
    assert!(out.relative_drift() < 1e-9, "{}", out.relative_drift());
    assert!(out.long_blows().is_empty(), "it is pressed, not struck");
}

/// A block that has come to rest on a soft floor and slides into a wall of the same ground.
const SLIDES_INTO_WALL: &str = r#"
carom = 1
space = "planar"
gravity = [0, -10]
[bodies.block]
mass = 2
inertia = 1
contact.sole = { point = [0, 0] }
contact.nose = { point = [0, 0] }
[ground]
contact.floor = { plane = [0, 1] }
contact.wall = { plane = [-1, 0], at = [3, 0] }
[bodies.lift]
mass = 1
shape = { point = true }
[joints.x]
type = "prismatic"
connects = ["ground", "lift"]
axis = [1, 0]
velocity = 1
[joints.y]
type = "prismatic"
connects = ["lift", "block"]
axis = [0, 1]
position = 1e-3
[contacts.floor]
between = ["block.sole", "ground.floor"]
law = "kelvin-voigt"
stiffness = 1e5
damping = 200
[contacts.wall]
between = ["block.nose", "ground.wall"]
law = "hooke"
stiffness = 1e7
[simulation]
duration = 3.5
"#;

#[test]
fn a_contact_that_lasts_is_no_part_of_a_later_impact() {
    let model = parse("slides.toml", SLIDES_INTO_WALL, &[]).unwrap().model;
    let out = run(&model, 3.5, ContactTreatment::Continuous);
    let wall = out.blows.iter().find(|blow| out.impacts[blow.impacts[0]].spot.contact == 1);
    let wall = wall.expect("it strikes the wall alone");
    assert_eq!(wall.impacts.len(), 1);
    // ½ (2 + 1) kg (1 m/s)².
    assert!((wall.impact_energy / 1.5 - 1.0).abs() < 1e-6, "{}", wall.impact_energy);
    assert!(out.impacts.iter().any(|i| i.spot.contact == 0 && i.parting.is_none()));
}

#[test]
fn a_contact_that_sticks_has_the_energy_along_its_tangents() {
    // Modarres Najafabadi et al.: T_c of all rows of the corner that strikes.
    let out = run(&load("003/rocking-block.toml", &[]), 1.0, ContactTreatment::Piecewise);
    assert!((out.blows[0].impact_energy - 0.717_241).abs() < 1e-6, "{:?}", out.blows[0]);
    for blow in &out.blows {
        assert!(blow.energy_lost <= blow.impact_energy * (1.0 + 1e-9), "{blow:?}");
    }
}
