//! A compiled study gives the bits of one that reads its file at every point.

use std::path::Path;

use carom::file::{load, parse};
use carom::study::{Evaluator, Study};

/// Points of a study that are compared.
const COMPARED: u64 = 25;

fn study(model: &str, text: &str) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let file = std::fs::read_to_string(path).unwrap();
    let loaded = parse(model, &format!("{file}\n{text}"), &[]).unwrap();
    loaded.study().unwrap_or_else(|error| panic!("{model}: {error}"))
}

/// A row as it is told: bits, or the words of the error.
fn told(evaluator: &mut Evaluator<'_>, point: u64) -> Result<Vec<u64>, String> {
    let row = evaluator.row(point).map_err(|error| error.to_string())?;
    Ok(row.into_iter().map(f64::to_bits).collect())
}

/// Compares points all over a study, in an order that jumps.
fn compare(name: &str, study: &Study) -> usize {
    let (mut compiled, mut reading) = (Evaluator::new(study), Evaluator::reading(study));
    let points = study.design.points();
    let count = points.min(COMPARED);
    let mut failed = 0;
    for k in 0..count {
        let point = (k * 7 % count) * points / count;
        let (a, b) = (told(&mut compiled, point), told(&mut reading, point));
        assert_eq!(a, b, "{name}, point {point}");
        failed += usize::from(a.is_err());
    }
    failed
}

#[test]
fn a_compiled_study_gives_the_bits_of_one_that_is_read_at_every_point() {
    let cases = [
        // Stated positions, guesses, targets of velocities, a shape on the ground.
        (
            "002/pantograph.toml",
            "gamma = { range = [\"-45 deg\", \"45 deg\"], count = 11 }\n\
             angle_1 = { range = [\"60 deg\", \"80 deg\"], count = 10 }",
        ),
        // Where joints and closures stand, masses, inertias, an energy.
        (
            "002/pantograph.toml",
            "inner_length = { range = [\"0.13 m\", \"0.16 m\"], count = 5 }\n\
             outer_mass = { range = [\"50 g\", \"200 g\"], count = 3 }\n\
             outer_inertia = { range = [1e-4, 1e-3], count = 3 }\n\
             energy = { path = \"initial.kinetic_energy\", values = [\"1 mJ\", \"20 mJ\"] }",
        ),
        // Positions of a point that are reached by Newton's method from several starts; link frames that change.
        (
            "002/double-pendulum.toml",
            "x_tip = { range = [\"-0.38 m\", \"0.38 m\"], count = 20 }\n\
             length_1 = { range = [\"0.45 m\", \"0.55 m\"], count = 3 }\n\
             mass_2 = { range = [\"1 kg\", \"3 kg\"], count = 2 }",
        ),
        // Rotors and stated velocities of a tree in space.
        (
            "robot-arm.toml",
            "angle_2 = { range = [\"-90 deg\", \"0 deg\"], count = 9 }\n\
             small_rotor = { range = [0, 0.1], count = 3 }\n\
             rate_3 = { range = [\"-1 rad/s\", \"1 rad/s\"], count = 3 }",
        ),
        ("spatial-four-bar.toml", "theta = { range = [\"0 deg\", \"360 deg\"], count = 37 }"),
        // The singular pose of the dead centre is a point of it.
        ("000/slider-crank.toml", "theta = { range = [\"0 deg\", \"90 deg\"], count = 31 }"),
    ];
    for (model, variables) in cases {
        let study = study(model, &format!("[study.variables]\n{variables}"));
        assert!(study.recipe.is_some(), "{model}: {variables}");
        compare(model, &study);
    }
}

#[test]
fn the_studies_of_the_papers_keep_their_bits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/studies");
    for name in ["000-fig-10.toml", "002-fig-16.toml"] {
        let loaded = load(&folder.join(name), &[]).unwrap();
        compare(name, &loaded.study().unwrap());
    }
}

#[test]
fn faults_of_single_points_are_told_in_the_same_words() {
    // No triangle has these sides, a mass is negative, a root of a negative number, a law outside its range.
    let cases = [
        ("002/pantograph.toml", "outer_length = { values = [\"0.2 m\", \"0.02 m\", \"0.19 m\"] }"),
        (
            "002/pantograph.toml",
            "end_mass = { values = [\"0.3 kg\", \"-0.1 kg\", \"0.2 kg\", \"0 kg\"] }",
        ),
        ("002/double-pendulum.toml", "x_tip = { range = [\"0 m\", \"2 m\"], count = 9 }"),
        (
            "002/double-pendulum.toml",
            "e = { path = \"contacts.tip.restitution\", values = [0, 0.5, 1, 0.2] }",
        ),
    ];
    for (model, variables) in cases {
        let study = study(model, &format!("[study.variables]\n{variables}"));
        let failed = compare(model, &study);
        let of_law = variables.starts_with("e =");
        assert!(failed > 0 || of_law, "{variables}: a point with a fault is what this is about");
    }
}

#[test]
fn what_is_more_than_a_number_is_read_at_every_point() {
    // A word; an inertia that follows from a length; a direction.
    let cases = [
        (
            "002/double-pendulum.toml",
            "law = { path = \"contacts.tip.law\", values = [\"gonthier\", \"flores\"] }",
        ),
        ("000/slider-crank.toml", "rod_length = { range = [1.8, 2.2], count = 5 }"),
    ];
    for (model, variables) in cases {
        let study = study(model, &format!("[study.variables]\n{variables}"));
        assert!(study.recipe.is_none(), "{variables}");
        compare(model, &study);
    }
}

#[test]
fn predictions_of_a_law_and_apparent_masses_are_those_of_a_read_point() {
    let study = study(
        "002/double-pendulum.toml",
        "[study]\nmeasures = [\"peak_force\", \"duration\", \"apparent_mass_i\", \"apparent_mass_j\"]\n\
         [study.variables]\nx_tip = { range = [\"-0.3 m\", \"0.3 m\"], count = 13 }\n\
         e = { path = \"contacts.tip.restitution\", range = [0.3, 0.9], count = 2 }",
    );
    assert!(study.recipe.is_some());
    assert_eq!(compare("double pendulum", &study), 0);
}
