//! Impacts of mechanisms: closed forms, and the audit of every law on every kind of mechanism.

use carom::dynamics::{Mechanism, assemble};
use carom::impact::laws::{
    ContactMode, Energetic, Generalised, IMPACT_LAWS, ImpactFriction, ImpactLaw, ImpactMemory,
    Newton, Plastic, Poisson, Removal, Sequential, SingleLaw,
};
use carom::impact::projector::Projectors;
use carom::impact::{ImpactRows, Strike, StrikeError, StrikeWishes, Struck};
use carom::kinematics::State;
use carom::model::Model;
use carom_reference::constrained_bar::ConstrainedBar;
use carom_reference::random::Random;
use nalgebra::DMatrix;

use crate::workshop::load;

/// Round-off of a sweep over a few bodies.
const ROUND_OFF: f64 = 1e-12;

fn resolved(
    model: &Model,
    state: &State,
    law: &dyn ImpactLaw,
    wishes: &StrikeWishes,
) -> Result<Struck, StrikeError> {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state)?;
    let strike = Strike::new(at, None, wishes)?;
    strike.resolve(law, &mut ImpactMemory::default())
}

fn of_file(file: &str, sets: &[(&str, &str)], law: &dyn ImpactLaw) -> Struck {
    wished(file, sets, law, &StrikeWishes::default())
}

fn wished(file: &str, sets: &[(&str, &str)], law: &dyn ImpactLaw, wishes: &StrikeWishes) -> Struck {
    let sets: Vec<(&str, String)> = sets.iter().map(|(k, x)| (*k, (*x).to_owned())).collect();
    let model = load(file, &sets);
    let state = assemble(&model).unwrap().state;
    let struck = resolved(&model, &state, law, wishes).unwrap();
    sound(&struck, law.name());
    struck
}

/// Residuals of an impact's solution: of W p + u⁻, complementarity and momentum, in SI units of problems near 1.
const SOLVED: f64 = 1e-10;
/// The same of what is computed from the solution through cones and closures: a digit less.
const THROUGH_CLOSURES: f64 = 1e-9;
/// Energies \[J\] below this are not what their residuals are compared with: a machine at rest has none.
const LEAST_ENERGY: f64 = 1e-3;

/// What every audit must say.
fn sound(struck: &Struck, law: &str) {
    let audit = &struck.audit;
    let size = audit.kinetic_before.max(LEAST_ENERGY);
    assert!(audit.least_impulse >= 0.0, "{law}: {audit:?}");
    assert!(audit.least_velocity > -SOLVED, "{law}: {audit:?}");
    assert!(audit.cone < THROUGH_CLOSURES, "{law}: {audit:?}");
    assert!(audit.energy_residual.abs() < SOLVED * size, "{law}: {audit:?}");
    assert!(audit.momentum_residual < SOLVED, "{law}: {audit:?}");
    assert!(audit.velocity_residual < THROUGH_CLOSURES, "{law}: {audit:?}");
    assert!(audit.closure_residual < THROUGH_CLOSURES, "{law}: {audit:?}");
    if !audit.frame_dependent {
        let apart = (audit.admissible_after - audit.admissible_before).abs();
        assert!(apart < THROUGH_CLOSURES * size, "{law}: T_a changed: {audit:?}");
    }
}

#[test]
fn a_plastic_impact_of_the_constrained_bar_is_equation_4_33() {
    let model = load("004/bar.toml", &[]);
    let bar = ConstrainedBar::TABLE_1;
    let mut random = Random::new(1);
    let mut memory = ImpactMemory::default();
    let mut mechanism = Mechanism::new(&model);
    let mut state = assemble(&model).unwrap().state;
    for round in 0..1000 {
        let theta = random.within(-1.4, 1.4);
        // At contact: d − y_s + y_w = ℓ sin θ.
        let y_s = random.within(-0.5, 0.5);
        let y_w = bar.length * theta.sin() - bar.distance + y_s;
        let mut v: [f64; 3] = std::array::from_fn(|_| random.within(-3.0, 3.0));
        if bar.gap_rate(theta, v) > 0.0 {
            v = v.map(|x| -x);
        }
        state.q.copy_from_slice(&[y_s, theta, y_w]);
        state.v.copy_from_slice(&v);
        for e in [0.0, random.uniform()] {
            let expected = bar.with_restitution(theta, v, e);
            let expected = [expected.support, expected.bar, expected.wall];
            let law: &dyn ImpactLaw = if e == 0.0 { &Plastic } else { &Newton };
            let wishes = StrikeWishes { restitution: Some(e), friction: None };
            let at = mechanism.at(&state).unwrap();
            let strike = Strike::new(at, None, &wishes).unwrap();
            let struck = strike.resolve(law, &mut memory).unwrap();
            let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (x, y) in struck.velocities.iter().zip(expected) {
                assert!((x - y).abs() < ROUND_OFF * size, "{round} e = {e}: {x} {y}");
            }
        }
    }
}

#[test]
fn generalised_restitution_reverses_the_constrained_motion_and_leaves_the_admissible() {
    let mut random = Random::new(2);
    for file in ["two-supports.toml", "004/bar.toml", "000/slider-crank.toml", "four-bar.toml"] {
        let model = load(file, &[]);
        let state = assemble(&model).unwrap().state;
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).unwrap();
        let e = random.uniform();
        let wishes = StrikeWishes { restitution: Some(e), friction: Some(ImpactFriction::None) };
        let strike = Strike::new(at, None, &wishes).unwrap();
        let law = Generalised { removal: Removal::Complementarity };
        let struck = strike.resolve(&law, &mut ImpactMemory::default()).unwrap();
        assert!(struck.solution.notes.active.iter().all(|x| *x), "{file}: all rows take part");
        let mut A = DMatrix::zeros(strike.rows.len(), model.nv);
        for (k, row) in strike.rows.iter().enumerate() {
            A.row_mut(k).copy_from(&at.jacobian_row(row).transpose());
        }
        let W_inverse = ImpactRows::new(&at, &strike.rows).inverse();
        let projectors = Projectors::new(&at.matrices(), &A, &W_inverse).unwrap();
        let expected = (&projectors.admissible - &projectors.constrained * e) * &state.v;
        for (x, y) in struck.velocities.iter().zip(expected.iter()) {
            assert!((x - y).abs() < SOLVED * (1.0 + y.abs()), "{file}: {x} {y}");
        }
        let delivered = struck.audit.restitution_delivered.unwrap();
        assert!((delivered - e).abs() < SOLVED, "{file}: e* = {delivered} for {e}");
    }
}

#[test]
fn guides_without_friction_are_the_ideal_slide_of_the_constrained_bar() {
    let bar = ConstrainedBar::TABLE_1;
    let before = [-0.5, 4.4, 0.0];
    let smooth = StrikeWishes { restitution: None, friction: Some(ImpactFriction::None) };
    for (e, law) in [(0.5, &Newton as &dyn ImpactLaw), (0.5, &Poisson), (0.0, &Plastic)] {
        let struck = wished("impacts/bar-in-guides.toml", &[], law, &smooth);
        let v = &struck.velocities;
        let expected = bar.with_restitution(bar.onset_angle(), before, e);
        let found = [v[1], v[3], v[4]];
        for (x, y) in found.iter().zip([expected.support, expected.bar, expected.wall]) {
            assert!((x - y).abs() < 1e-11, "{law:?}: {found:?}");
        }
        // The rails can be pressed from both sides at once: that is not unique, and marked. Poisson's shares of the shortest
        // compression, different at tip and rails, are not the shortest impulses.
        let shares = law.name() == "poisson";
        let notes = &struck.solution.notes;
        assert!(notes.uniqueness.impulses > 0, "{law:?}");
        assert_eq!(notes.are_shortest(), !shares, "{law:?}");
    }
    // Rough guides take energy beside the tip.
    let rough = of_file("impacts/bar-in-guides.toml", &[], &Plastic);
    let ideal = wished("impacts/bar-in-guides.toml", &[], &Plastic, &smooth);
    assert!(rough.audit.contact_work < ideal.audit.contact_work);
}

#[test]
fn a_rocking_block_keeps_housners_share_and_its_other_corner_lifts() {
    for (width, height) in [(0.2, 1.0), (0.4, 1.0), (0.7, 1.0)] {
        let sets = [("width", format!("{width} m")), ("height", format!("{height} m"))];
        let sets: Vec<(&str, &str)> = sets.iter().map(|(k, x)| (*k, x.as_str())).collect();
        let sin2 = width * width / (width * width + height * height);
        let struck = of_file("003/rocking-block.toml", &sets, &Plastic);
        let rate = struck.velocities[2];
        let expected = -(1.0 - 1.5 * sin2);
        assert!((rate - expected).abs() < ROUND_OFF, "{width}: {rate} against {expected}");
        // One corner is struck and sticks, the other lifts.
        let modes = &struck.solution.notes.modes;
        assert_eq!(modes.iter().filter(|m| **m == ContactMode::Sticks).count(), 1, "{modes:?}");
        let lifted = modes.iter().position(|m| *m == ContactMode::Open).unwrap();
        assert!(struck.solution.after[2 * lifted] > 0.0);
    }
}

#[test]
fn a_smooth_rocking_block_lifts_its_corner_only_if_slender() {
    let smooth = StrikeWishes { restitution: None, friction: Some(ImpactFriction::None) };
    for (width, lifts) in [("0.6 m", true), ("0.8 m", false)] {
        // sin²α < 1/3 is width < height/√2.
        let struck = wished("003/rocking-block.toml", &[("width", width)], &Plastic, &smooth);
        assert_eq!(struck.solution.notes.modes.contains(&ContactMode::Open), lifts, "{width}");
        let largest = struck.solution.after.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        assert_eq!(largest > 1e-9, lifts, "{width}: both corners rest");
    }
}

#[test]
fn one_cradle_gives_both_known_answers() {
    let in_turn = of_file("003/cradle.toml", &[], &Sequential { inner: SingleLaw::Newton });
    let at_once = of_file("003/cradle.toml", &[], &Newton);
    let expected = [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
    for (k, together) in expected.iter().enumerate() {
        let sent = if k == 2 { 1.0 } else { 0.0 };
        assert!((in_turn.velocities[k] - sent).abs() < ROUND_OFF);
        assert!((at_once.velocities[k] - together).abs() < ROUND_OFF);
    }
    let five = of_file(
        "003/cradle.toml",
        &[("apart", "0 m")],
        &Sequential { inner: SingleLaw::Energetic },
    );
    for (k, v) in five.velocities.iter().enumerate() {
        assert!((v - if k == 4 { 1.0 } else { 0.0 }).abs() < ROUND_OFF, "{:?}", five.velocities);
    }
}

#[test]
fn a_ball_in_a_corner_penetrates_neither_wall() {
    let law = Generalised { removal: Removal::Complementarity };
    let struck = of_file("003/ball-in-corner.toml", &[], &law);
    assert!(struck.solution.notes.repeats > 0);
    // e* = 1 keeps all energy, however often it acts.
    assert!(struck.audit.contact_work.abs() < ROUND_OFF);
    let newton = of_file("003/ball-in-corner.toml", &[], &Newton);
    assert!(newton.solution.after.iter().all(|u| *u > -ROUND_OFF));
    let model = load("003/ball-in-corner.toml", &[]);
    let state = assemble(&model).unwrap().state;
    let refused = resolved(&model, &state, &Energetic, &StrikeWishes::default()).unwrap_err();
    assert!(refused.to_string().contains("sequential-energetic"), "{refused}");
}

#[test]
fn a_heel_strike_loses_the_constrained_energy_and_the_stance_foot_lifts_or_stays() {
    let mut seen = [false; 2];
    for swing in ["-4 rad/s", "-0.5 rad/s", "1.4 rad/s"] {
        for lean in ["4 deg", "15 deg", "35 deg"] {
            let sets = [("swing_rate", swing), ("lean", lean)];
            let struck = of_file("003/biped.toml", &sets, &Plastic);
            let notes = &struck.solution.notes;
            // The swing foot sticks; what happens at the stance foot is complementary.
            assert_eq!(notes.modes[1], ContactMode::Sticks, "{swing} {lean}");
            let (p, u) = (struck.solution.impulses[0], struck.solution.after[0]);
            assert!(p.min(u).abs() < SOLVED, "{swing} {lean}: p = {p}, u = {u}");
            seen[usize::from(p > 0.0)] = true;
            let lost = struck.audit.kinetic_before - struck.audit.kinetic_after;
            if notes.modes.iter().all(|m| *m != ContactMode::Slides) {
                assert!((lost - struck.audit.constrained_before).abs() < SOLVED, "{swing} {lean}");
                assert!(struck.audit.restitution_delivered.unwrap() < 1e-6);
            }
        }
    }
    assert!(seen[0], "the stance foot lifts somewhere: {seen:?}");
}

#[test]
fn a_box_that_lands_flat_has_unique_velocities_and_marked_impulses() {
    let smooth = StrikeWishes { restitution: None, friction: Some(ImpactFriction::None) };
    // In space: four corners, rank 3; all close, so u⁺ = −e u⁻ at each.
    let struck = wished(
        "box-on-plane.toml",
        &[("joints.free.velocity", "[0.5, 0, -1, 0, 1, 0]")],
        &Newton,
        &smooth,
    );
    assert!(struck.solution.notes.are_shortest());
    let expected = [0.5, 0.0, 0.3, 0.0, -0.3, 0.0];
    for (x, y) in struck.velocities.iter().zip(expected) {
        assert!((x - y).abs() < ROUND_OFF, "{:?}", struck.velocities);
    }
    // In the plane, with friction: corners whose tangents move together.
    for law in [&Newton as &dyn ImpactLaw, &Poisson, &Plastic] {
        let struck = of_file("impacts/box-flat.toml", &[], law);
        assert!(struck.solution.notes.uniqueness.impulses > 0, "{law:?}");
        let e = if law.name() == "plastic" { 0.0 } else { 0.4 };
        assert!((struck.velocities[1] - e).abs() < THROUGH_CLOSURES, "{:?}", struck.velocities);
    }
    let edge = of_file("impacts/box-on-edge.toml", &[], &Newton);
    assert_eq!(edge.solution.impulses.len(), 2);
    assert_eq!(edge.solution.notes.uniqueness.impulses, 0);
    assert_eq!(edge.solution.notes.uniqueness.velocities, 0);
    for u in &edge.solution.after {
        assert!((u - 0.3).abs() < ROUND_OFF, "{:?}", edge.solution.after);
    }
}

#[test]
fn a_sphere_in_space_sticks_from_the_textbooks_friction() {
    // v_t = √(1.2² + 0.9²) = 1.5, v_n = 2, e = 0.7.
    let limit = 2.0 * 1.5 / (7.0 * 1.7 * 2.0);
    for law in [&Newton as &dyn ImpactLaw, &Poisson, &Energetic] {
        for (factor, mode) in [(0.999, ContactMode::Slides), (1.001, ContactMode::Sticks)] {
            let mu = format!("{}", factor * limit);
            let struck = of_file("impacts/sphere.toml", &[("friction", &mu)], law);
            assert_eq!(struck.solution.notes.modes[0], mode, "{law:?}");
        }
    }
}

#[test]
fn every_law_is_sound_on_every_shipped_mechanism() {
    let files = [
        "000/slider-crank.toml",
        "002/pantograph.toml",
        "003/biped.toml",
        "003/cradle.toml",
        "003/rocking-block.toml",
        "004/bar.toml",
        "box-on-plane.toml",
        "bricard.toml",
        "four-bar.toml",
        "impacts/bar-in-guides.toml",
        "impacts/box-flat.toml",
        "impacts/rod.toml",
        "impacts/sphere.toml",
        "robot-arm.toml",
        "two-supports.toml",
    ];
    for file in files {
        let model = load(file, &[]);
        let state = assemble(&model).unwrap().state;
        for friction in [None, Some(ImpactFriction::None), Some(ImpactFriction::Coulomb(0.2))] {
            let wishes = StrikeWishes { restitution: Some(0.5), friction };
            let mut answered = 0;
            for entry in &IMPACT_LAWS {
                match resolved(&model, &state, entry.law, &wishes) {
                    Ok(struck) => {
                        answered += 1;
                        sound(&struck, &format!("{file}, {}", entry.name));
                    }
                    Err(StrikeError::Law { .. }) => {}
                    Err(other) => panic!("{file}: {other}"),
                }
            }
            assert!(answered >= 5, "{file}: {answered} laws answer");
        }
    }
}

#[test]
fn a_moving_drive_is_booked() {
    // The table of Moreira et al. feeds energy in: at the ball's first onset it moves.
    let model = load("001/ball-on-table.toml", &[]);
    let mut state = assemble(&model).unwrap().state;
    let mut random = Random::new(3);
    for _ in 0..20 {
        state.t = random.within(0.0, 1.0);
        state.follow_drives(&model);
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).unwrap();
        let wishes = StrikeWishes { restitution: Some(0.8), friction: None };
        let strike = Strike::new(at, Some(&[0]), &wishes).unwrap();
        let struck = strike.resolve(&Newton, &mut ImpactMemory::default()).unwrap();
        let audit = &struck.audit;
        assert!(audit.frame_dependent && audit.contact_work <= ROUND_OFF, "{audit:?}");
        assert!(audit.energy_residual.abs() < SOLVED, "{audit:?}");
        if struck.solution.impulses[0] > 0.0 {
            // The drive holds the table against the ball's impulse.
            assert!((struck.drives[0].abs() - struck.solution.impulses[0]).abs() < ROUND_OFF);
            assert!((audit.drive_work).abs() > 0.0);
        }
    }
}

#[test]
fn what_an_impact_lacks_is_said() {
    let model = load("000/two-pendulums.toml", &[]);
    let state = assemble(&model).unwrap().state;
    let wishes = StrikeWishes::default();
    let open = resolved(&model, &state, &Newton, &wishes).unwrap_err();
    assert!(matches!(open, StrikeError::NothingClosed { .. }), "{open}");
    assert!(open.to_string().contains("open by"), "{open}");
    let model = load("000/rod-on-wall.toml", &[]);
    let state = assemble(&model).unwrap().state;
    let mut bare = model.clone();
    bare.contacts[0].defaults.restitution = None;
    let missing = resolved(&bare, &state, &Newton, &wishes).unwrap_err();
    assert!(matches!(missing, StrikeError::NoRestitution { .. }), "{missing}");
    assert!(resolved(&bare, &state, &Plastic, &wishes).is_ok(), "plastic takes none");
}
