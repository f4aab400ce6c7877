//! What zero is at a contact: dead centres, immobile rows, contacts that a drive closes, points that touch; in all verbs alike.

use std::fmt::Write as _;

use carom::contact::{Approach, Standing};
use carom::dynamics::{Mechanism, assemble};
use carom::file::parse;
use carom::impact::laws::{ImpactMemory, Newton};
use carom::impact::{Assessment, Options, Strike, StrikeError, StrikeWishes, Struck, Together};
use carom::model::Model;
use carom::simulate::{Scenario, Wishes, simulate};
use carom::study::Evaluator;

use crate::workshop::load;

/// Two ways to the same number, each with a few dozen operations.
const ROUND_OFF: f64 = 1e-12;

fn model(text: &str, sets: &[(&str, String)]) -> Model {
    let sets: Vec<_> = sets.iter().map(|(k, x)| ((*k).to_owned(), x.clone())).collect();
    parse("test.toml", text, &sets).unwrap_or_else(|error| panic!("{error}")).model
}

/// The core of the assessment of the first contact, and the impact by Newton's law.
fn both(model: &Model) -> (Assessment, Result<Struck, StrikeError>) {
    let state = assemble(model).expect("it can be assembled").state;
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&state).expect("the state is finite");
    let assessment = Assessment::new(&at, 0, &Options::default()).expect("it is defined");
    let struck = Strike::new(at, None, &StrikeWishes::default())
        .and_then(|strike| strike.resolve(&Newton, &mut ImpactMemory::default()));
    (assessment, struck)
}

/// A rod held by a pivot with the contact normal along it, or turned from it by `tilt`. `L` scales lengths.
const ROD: &str = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[parameters]
th = 0
tilt = 0
L = 1
w = 1
[bodies.rod]
mass = 3
shape = { rod = "L" }
markers.tip = ["L/2", 0]
[ground]
markers.wall = ["L*cos(th)", "L*sin(th)"]
[joints.pivot]
type = "revolute"
connects = ["ground", "rod"]
at = [[0, 0], ["-L/2", 0]]
position = "th"
velocity = "w"
[contacts.tip]
between = ["ground.wall", "rod.tip"]
normal = ["cos(th - tilt)", "sin(th - tilt)"]
restitution = 0.5
"#;

#[test]
fn a_rod_along_the_normal_is_not_struck_at_any_angle() {
    for k in 0..72 {
        for w in ["1e-6", "1", "-300"] {
            let th = format!("{}", f64::from(k) * 5.37_f64.to_radians());
            let rod = model(ROD, &[("parameters.th", th.clone()), ("parameters.w", w.to_owned())]);
            let (found, struck) = both(&rod);
            let row = &found.rows[0];
            assert!(row.effective.is_immobile(), "at {th}");
            assert_eq!((row.approach, row.standing), (Approach::Resting, Standing::Touching));
            assert_eq!((row.effective.energy, found.energies.closing), (0.0, 0.0), "at {th}");
            assert!(!found.energies.unbounded, "at {th}");
            let struck = struck.unwrap_or_else(|error| panic!("at {th}: {error}"));
            assert_eq!(struck.solution.impulses, [0.0], "at {th}");
            assert_eq!(struck.audit.restitution_delivered, None, "nothing is delivered");
        }
    }
}

/// A machine of one freedom has all of its T in every impact, however heavy the contact feels; assess and impact say so alike.
#[test]
fn a_nearly_immobile_contact_has_one_verdict() {
    for (tilt, L) in [("3e-7", "1"), ("3e-7", "1e-6"), ("3e-7", "1e6"), ("1e-8", "1"), ("0.1", "1")]
    {
        let sets = [("parameters.tilt", tilt.to_owned()), ("parameters.L", L.to_owned())];
        let (found, struck) = both(&model(ROD, &sets));
        let T = found.energies.total;
        assert_eq!(found.rows[0].approach, Approach::Closing, "{tilt}, {L}");
        let near = |x: f64| (x / T - 1.0).abs() < 1e-6;
        assert!(near(found.energies.closing), "{} of {T}", found.energies.closing);
        assert!(near(found.rows[0].effective.energy));
        let audit = struck.expect("it is struck").audit;
        assert!(near(audit.constrained_before), "{} of {T}", audit.constrained_before);
        assert!((audit.restitution_delivered.expect("it is struck") - 0.5).abs() < 1e-6);
    }
}

/// A block that hits another one; the other one is `m` heavy and free, or driven.
const BLOCKS: &str = r#"
carom = 1
space = "planar"
gravity = [0, 0]
[parameters]
m = 1
[bodies.hammer]
mass = "m"
shape = { disc = "0.1 m" }
contact.face = { circle = "0.1 m" }
[ground]
contact.wall = { plane = [-1, 0], at = ["0.1 m", 0] }
[joints.slide]
type = "prismatic"
connects = ["ground", "hammer"]
VELOCITY
[contacts.hit]
between = ["hammer.face", "ground.wall"]
restitution = 0.5
stiffness = 1e9
exponent = 1.5
law = "exact"
"#;

fn driven() -> String {
    BLOCKS.replace("VELOCITY", "[drives.push]\njoint = \"slide\"\nmotion = \"3 m/s*t\"")
}

#[test]
fn a_contact_that_a_drive_closes_is_the_limit_of_an_ever_heavier_block() {
    let mut last = 0.0;
    for exponent in 0..12 {
        let text = BLOCKS.replace("VELOCITY", "velocity = \"3 m/s\"");
        let m = 10_f64.powi(exponent);
        let (free, _) = both(&model(&text, &[("parameters.m", format!("{m}"))]));
        assert!(!free.energies.unbounded && free.energies.drives.is_empty());
        assert!((free.energies.closing / (4.5 * m) - 1.0).abs() < ROUND_OFF);
        assert!(free.energies.closing > last);
        last = free.energies.closing;
    }
    let (held, struck) = both(&model(&driven(), &[]));
    assert_eq!(held.energies.closing, f64::INFINITY);
    assert_eq!(held.rows[0].effective.energy, f64::INFINITY);
    assert!(held.energies.unbounded);
    assert_eq!(held.energies.drives, ["push"]);
    let error = struck.expect_err("nothing gives way").to_string();
    assert!(error.contains("contact `hit` cannot separate: the drive `push`"), "{error}");
    assert!(error.contains("`effort`"), "{error}");
}

#[test]
fn a_drive_that_stands_or_draws_back_closes_nothing() {
    for motion in ["0", "-3 m/s*t"] {
        let (held, _) = both(&model(&driven().replace("3 m/s*t", motion), &[]));
        assert!(!held.energies.unbounded, "{motion}");
        assert_eq!(held.energies.closing, 0.0, "{motion}");
    }
}

#[test]
fn the_run_of_a_driven_contact_names_the_drive() {
    let model = model(&driven(), &[]);
    let state = assemble(&model).unwrap().state;
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).unwrap();
    let mut scenario =
        Scenario::new(&at, &Wishes { until: Some(0.1), ..Wishes::default() }).unwrap();
    scenario.samples = 1;
    let error = simulate(&model, &state, &scenario).expect_err("nothing gives way").to_string();
    assert!(error.contains("cannot separate: the drive `push`"), "{error}");
}

#[test]
fn a_study_of_a_driven_contact_says_inf_and_ranks_it_hardest() {
    let study = "[study]\nmeasures = [\"impact_energy\", \"effective_mass\", \"peak_force\"]\n\
                 [study.variables]\nspeed = { path = \"drives.push.motion\", values = [\"3 m/s*t\", \"-3 m/s*t\"] }";
    let loaded = parse("test.toml", &format!("{}\n{study}", driven()), &[]).unwrap();
    let study = loaded.study().unwrap_or_else(|error| panic!("{error}"));
    let (values, missing) = Evaluator::new(&study).partial(0).expect("it has measures");
    assert_eq!(values, [f64::INFINITY; 3]);
    assert_eq!(missing, None);
    let (values, _) = Evaluator::new(&study).partial(1).expect("it has measures");
    assert_eq!(values[..2], [0.0, f64::INFINITY], "it draws back");
}

/// Modarres Najafabadi et al.: T_c of an impact is that of the points which touch.
#[test]
fn energies_are_those_of_the_points_that_touch() {
    let edge = load("impacts/box-on-edge.toml", &[]);
    let (found, struck) = both(&edge);
    let part: Vec<bool> = found.rows.iter().map(|r| r.takes_part).collect();
    assert_eq!(part, [false, true, true, false]);
    assert!(found.touching);
    assert!((found.energies.closing - 0.430_927).abs() < 1e-6, "{:?}", found.energies);
    let T_c = struck.unwrap().audit.constrained_before;
    assert!((found.energies.closing / T_c - 1.0).abs() < ROUND_OFF, "impact says {T_c}");
    let state = assemble(&edge).unwrap().state;
    let mut mechanism = Mechanism::new(&edge);
    let together = Together::new(&mechanism.at(&state).unwrap(), &[0]).unwrap();
    assert_eq!((together.rows.len(), together.touching), (2, true));
    assert!((together.energies.closing / T_c - 1.0).abs() < ROUND_OFF);
    // The same box above the floor: the nearest points, as if they touched.
    let lifted = "length/2*sin(lean) + height/2*cos(lean) + 0.01";
    let position = format!("[0, 0, \"{lifted}\", \"cos(lean/2)\", 0, \"sin(lean/2)\", 0]");
    let (above, _) = both(&load("impacts/box-on-edge.toml", &[("joints.free.position", position)]));
    assert!(!above.touching);
    assert!((above.energies.closing / T_c - 1.0).abs() < 1e-9);
}

#[test]
fn assess_impact_and_studies_agree_on_four_corners() {
    let (found, struck) = both(&load("box-on-plane.toml", &[]));
    let T_c = struck.unwrap().audit.constrained_before;
    assert!((found.energies.closing - 1.033_333).abs() < 1e-5);
    assert!((found.energies.closing / T_c - 1.0).abs() < 1e-10, "impact says {T_c}");
    assert_eq!(found.impact_energy(), found.energies.closing);
}

/// 000/slider-crank at its dead centres, the block held: T stays in runs and impacts.
#[test]
fn a_slider_crank_passes_its_dead_centres_without_loss() {
    for (theta, outcome_is) in [("0 deg", true), ("360 deg", true), ("180 deg", false)] {
        let sets = [
            ("joints.block_guide.locked", "true".to_owned()),
            ("contacts.faces.restitution", "0.5".to_owned()),
            ("joints.pivot.velocity", "2".to_owned()),
            ("theta", theta.to_owned()),
        ];
        let model = load("000/slider-crank.toml", &sets);
        let (found, struck) = both(&model);
        assert_eq!(found.energies.closing, 0.0, "{theta}");
        let audit = struck.unwrap().audit;
        assert_eq!(audit.kinetic_after, audit.kinetic_before, "{theta}");
        let state = assemble(&model).unwrap().state;
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).unwrap();
        let wishes = Wishes {
            until: Some(0.1),
            treatment: Some(carom::model::ContactTreatment::Piecewise),
            ..Wishes::default()
        };
        let scenario = Scenario::new(&at, &wishes).unwrap();
        let outcome = simulate(&model, &state, &scenario);
        if outcome_is {
            let outcome = outcome.unwrap();
            let ledger = &outcome.samples.last().unwrap().ledger;
            assert!((ledger.kinetic - 2.0).abs() < 1e-8, "{theta}: {}", ledger.kinetic);
            assert!(outcome.impacts.is_empty(), "{theta}");
        } else {
            // From here every motion leads into the block.
            let stopped = outcome.expect_err("no motion is possible");
            let error = stopped.to_string();
            assert!(error.contains("no motion is possible from this pose"), "{error}");
            assert!(stopped.outcome.is_none_or(|outcome| outcome.drift.abs() < 1e-9));
        }
    }
}

#[test]
fn the_core_computes_nothing_that_was_not_asked_for() {
    let (found, _) = both(&load("box-on-plane.toml", &[]));
    let row = &found.rows[0];
    assert!(found.projectors.is_none() && row.routes.is_none() && row.rivals.is_none());
    assert!(row.cone.is_none() && row.terms.is_none() && row.gradients.is_none());
    let model = load("box-on-plane.toml", &[]);
    let state = assemble(&model).unwrap().state;
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).unwrap();
    let all = Assessment::new(&at, 0, &Options::everything()).unwrap();
    assert_eq!(all.energies, found.energies, "the core does not depend on the rest");
    let row = &all.rows[0];
    assert!(all.projectors.is_some() && row.routes.is_some() && row.rivals.is_some());
    assert!(row.cone.is_some() && row.terms.is_some());
}

/// Three parallel cranks hold one coupler: how they share a reaction is not unique, in an impact as at rest.
#[test]
fn reaction_impulses_that_are_not_unique_are_marked() {
    let mut text = String::from(
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[ground]\nmarkers.b = [0.55, 0.5]\n",
    );
    for name in ["c0", "c1", "mid", "coupler"] {
        let marker = if name == "c0" { "markers.a = [0.2, 0]\n" } else { "" };
        let _ = write!(text, "[bodies.{name}]\nmass = 1\ninertia = 0.08\n{marker}");
    }
    for (name, x) in [("c0", 0.0), ("c1", 1.0), ("mid", 0.5)] {
        let _ = write!(
            text,
            "[joints.{name}]\ntype = \"revolute\"\nconnects = [\"ground\", \"{name}\"]\n\
             at = [[{x}, 0], [-0.5, 0]]\nposition = 0.9\nvelocity = -1\n"
        );
    }
    text += "[joints.top]\ntype = \"revolute\"\nconnects = [\"c0\", \"coupler\"]\n\
             at = [[0.5, 0], [-0.5, 0]]\nposition = -0.9\nvelocity = 1\n\
             [closures.one]\ntype = \"revolute\"\nconnects = [\"c1\", \"coupler\"]\nat = [[0.5, 0], [0.5, 0]]\n\
             [closures.two]\ntype = \"revolute\"\nconnects = [\"mid\", \"coupler\"]\nat = [[0.5, 0], [0, 0]]\n\
             [contacts.k]\nbetween = [\"ground.b\", \"c0.a\"]\nnormal = [0, 1]\nrestitution = 0\n";
    let parallel = model(&text, &[]);
    let state = assemble(&parallel).unwrap().state;
    let mut mechanism = Mechanism::new(&parallel);
    let at = mechanism.at(&state).unwrap();
    let expected = at.constraint_report().not_unique;
    let strike = Strike::new(at, Some(&[0]), &StrikeWishes::default()).unwrap();
    let struck = strike.resolve(&Newton, &mut ImpactMemory::default()).unwrap();
    assert!(struck.not_unique.contains(&"closures.one".to_owned()), "{:?}", struck.not_unique);
    assert_eq!(struck.not_unique, expected);
    assert_eq!(struck.solution.after, [0.0], "no restitution is 0, not round-off");
    let (_, lone) = both(&load("impacts/box-on-edge.toml", &[]));
    assert!(lone.unwrap().not_unique.is_empty());
}
