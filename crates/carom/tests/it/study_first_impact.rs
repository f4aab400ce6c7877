//! A study whose measures speak of the first impact alone ends its runs there.

use std::path::Path;

use carom::file::parse;
use carom::study::{Evaluator, Study};

/// Quantities of a run that speak of the first impact.
const FIRST: &str = "\"onset\", \"peak_force\", \"time_of_peak\", \"max_indentation\", \"duration\", \"separation_speed\", \
    \"restitution\", \"energy_lost\", \"impact_energy\", \"kinetic_energy\", \"share\", \"compression_work\", \"parting_mass\"";

fn of_file(model: &str, study: &str) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let text = std::fs::read_to_string(path).unwrap();
    parse(model, &format!("{text}\n{study}"), &[]).unwrap().study().unwrap()
}

#[test]
fn the_first_impact_has_the_bits_that_it_has_in_a_whole_run() {
    let cases = [
        ("002/double-pendulum.toml", "x_tip = { range = [\"-0.3 m\", \"0.3 m\"], count = 5 }"),
        (
            "000/two-pendulums.toml",
            "e = { path = \"contacts.strike.restitution\", values = [0.4, 0.7] }",
        ),
    ];
    for (model, variables) in cases {
        let study = |measures: &str| {
            of_file(
                model,
                &format!(
                    "[study]\naction = \"run\"\nmeasures = [{measures}]\n[study.variables]\n{variables}"
                ),
            )
        };
        let (short, whole) = (study(FIRST), study(&format!("{FIRST}, \"impacts\"")));
        let (mut first, mut all) = (Evaluator::new(&short), Evaluator::new(&whole));
        for point in 0..short.design.points() {
            let (first, all) = (first.row(point).unwrap(), all.row(point).unwrap());
            let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first), bits(&all[..first.len()]), "{model}, point {point}");
        }
    }
}

/// A ball that flies to a floor, under a law that delivers the restitution it is given; no duration is stated.
const BALL: &str = "carom = 1\nspace = \"planar\"\n\
    [bodies.ball]\nmass = 2\ninertia = 0.01\ncontact.s = { circle = 0.1 }\n\
    [ground]\ncontact.floor = { plane = [0, 1] }\n\
    [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.1, 0]\nvelocity = [0, -1, 0]\n\
    [contacts.floor]\nbetween = [\"ground.floor\", \"ball.s\"]\nrestitution = 0.5\nstiffness = \"1e8 N/m^1.5\"\nlaw = \"exact\"\n\
    [study]\naction = \"run\"\n\
    [study.variables]\ny = { path = \"joints.free.position.1\", values = [0.1, 0.6, 3.1] }\n";

#[test]
fn no_duration_has_to_be_stated() {
    let text = |measures: &str| {
        BALL.replace("[study.variables]", &format!("measures = [{measures}]\n[study.variables]"))
    };
    let study = parse("ball.toml", &text("\"onset\", \"restitution\""), &[]).unwrap();
    let study = study.study().unwrap();
    let mut evaluator = Evaluator::new(&study);
    for (point, y) in [(0, 0.1), (1, 0.6), (2, 3.1)] {
        let row = evaluator.row(point).unwrap();
        assert!((row[0] - (y - 0.1)).abs() < 1e-12, "it flies with 1 m/s: {row:?}");
        assert!((row[1] - 0.5).abs() < 1e-7, "the law delivers it: {row:?}");
    }
    // What speaks of the whole run needs its end.
    let study = parse("ball.toml", &text("\"onset\", \"impacts\""), &[]).unwrap();
    let refused = Evaluator::new(&study.study().unwrap()).row(0).unwrap_err().to_string();
    assert!(refused.contains("no duration is given"), "{refused}");
}

#[test]
fn a_contact_that_is_never_struck_is_told_so() {
    let away = BALL.replace("velocity = [0, -1, 0]", "velocity = [0, 1, 0]");
    let away = away.replace("action = \"run\"", "action = \"run\"\nmeasures = [\"onset\"]");
    let away = away.replace("values = [0.1, 0.6, 3.1]", "values = [0.6]");
    let study = parse("ball.toml", &away, &[]).unwrap().study().unwrap();
    let why = Evaluator::new(&study).row(0).unwrap_err().to_string();
    assert!(why.contains("does not touch within"), "{why}");
}
