//! The answer of a run as data: impacts of several points, columns, cautions, checkpoints.

use carom::answer::{CautionCode, Ran, RunAnswer, RunOptions, Severity, json, schema};
use carom::file::{Opened, open};
use carom::simulate::{Stopped, simulate, simulate_with};
use serde_json::Value;

fn model(name: &str, sets: &[(&str, &str)]) -> Opened {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let sets: Vec<(String, String)> =
        sets.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    open(&path, &sets).unwrap()
}

fn ran(opened: &Opened, options: &RunOptions) -> Vec<Ran> {
    let scenarios = options.scenarios(opened).unwrap();
    scenarios
        .into_iter()
        .map(|(law, scenario)| {
            let done = simulate(opened.model(), &opened.assembled.state, &scenario);
            let (outcome, stopped) = match done {
                Ok(outcome) => (outcome, None),
                Err(Stopped { reason, outcome }) => (*outcome.unwrap(), Some(reason)),
            };
            Ran { law, scenario, outcome, stopped }
        })
        .collect()
}

/// The answer, which has to be as its schema says.
fn answer(opened: &Opened, options: &RunOptions) -> RunAnswer {
    let answer = RunAnswer::new(opened, &[], &ran(opened, options), options).unwrap();
    let value: Value = serde_json::from_str(&json(&answer).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema("run").unwrap()).unwrap();
    let faults: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    answer
}

#[test]
fn corners_that_strike_together_are_one_impact_with_points_from_one() {
    for law in [None, Some("flores")] {
        let sets: &[(&str, &str)] = &[("contacts.floor.stiffness", "1e9 N/m^1.5")];
        let opened = model("box-on-plane.toml", if law.is_some() { sets } else { &[] });
        let mut options = RunOptions::until(1e-3);
        options = match law {
            Some(law) => options.law(law).method(carom::model::ContactTreatment::Continuous),
            None => options.method(carom::model::ContactTreatment::Piecewise),
        };
        let answer = answer(&opened, &options);
        let impact = &answer.runs[0].impacts[0];
        assert!(impact.count > 1 && impact.effective_mass.is_none(), "{impact:?}");
        // The T_c that `assess` and `impact` give, in J; a force law takes the corners that follow into it.
        assert!((impact.impact_energy - 1.03).abs() < 0.01, "{law:?}: {}", impact.impact_energy);
        assert!(impact.energy_lost <= impact.impact_energy * (1.0 + 1e-9));
        assert_eq!(impact.contacts, ["floor"]);
        for point in &impact.points {
            assert!((1..=4).contains(&point.point));
            assert_eq!(point.name, format!("floor.{}", point.point));
        }
        let shared: f64 = impact.points.iter().map(|p| p.impact_energy).sum();
        assert!((shared / impact.impact_energy - 1.0).abs() < 1e-6, "{shared}");
    }
}

#[test]
fn columns_have_one_length_and_one_set_of_names() {
    let opened = model("000/two-pendulums.toml", &[]);
    let options = RunOptions { poses: true, ..RunOptions::until(2.0) };
    let answer = answer(&opened, &options);
    let columns = answer.runs[0].columns.as_ref().unwrap();
    let n = columns.t.len();
    assert!(columns.all().all(|c| c.values.len() == n) && columns.event.len() == n);
    let names: Vec<String> = columns.all().map(carom::answer::Column::heading).collect();
    for name in ["q.pivot_1.angle [rad]", "kinetic [J]", "T_c.strike [J]", "pose.rod_2.x [m]"] {
        assert!(names.iter().any(|n| n == name), "{name} is not in {names:?}");
    }
    let [contact] = columns.contacts.as_slice() else { panic!("one point") };
    let names: Vec<&str> = contact.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names[..5],
        ["gap", "gap_rate", "normal_force", "friction_force.x", "friction_force.y"]
    );
    assert!(contact.columns.iter().all(|c| c.values.len() == contact.t.len()));
    // The trajectory is sampled inside the impact as the contact is.
    let impact = &answer.runs[0].impacts[0];
    let end = impact.parting.unwrap();
    let inside = columns.t.iter().filter(|t| (impact.onset..=end).contains(t)).count();
    assert!(inside > 20, "{inside} moments inside the impact");
}

#[test]
fn a_run_in_which_nothing_touches_tells_the_least_gap() {
    let opened = model("000/two-pendulums.toml", &[]);
    let answer = answer(&opened, &RunOptions::until(1.0));
    let run = &answer.runs[0];
    let gap = run.least_gap.as_ref().unwrap();
    assert!(run.impacts.is_empty() && gap.gap > 0.0 && gap.contact == "strike");
    assert_eq!(gap.between, ["rod_2", "rod_1"]);
    let caution = answer.cautions.iter().find(|c| c.code == CautionCode::NoImpact).unwrap();
    assert_eq!((caution.severity, caution.place.as_str()), (Severity::Note, "contacts.strike"));
    assert!(caution.message.contains("the least gap is") && answer.is_sound());
}

#[test]
fn a_caution_of_several_laws_is_one() {
    let opened = model("000/two-pendulums.toml", &[]);
    let options = RunOptions::until(1.0).law("flores").law("exact").law("ye");
    let answer = answer(&opened, &options);
    let quiet: Vec<_> =
        answer.cautions.iter().filter(|c| c.code == CautionCode::NoImpact).collect();
    assert_eq!(quiet.len(), 1, "{quiet:?}");
    assert_eq!(quiet[0].laws, ["flores", "exact", "ye"]);
}

#[test]
fn a_drift_is_a_caution_and_a_large_one_an_error() {
    let opened = model("000/two-pendulums.toml", &[]);
    let options = RunOptions::until(2.0);
    let mut runs = ran(&opened, &options);
    let largest = runs[0].outcome.largest_energy();
    let mut judged = |part: f64| {
        runs[0].outcome.drift = part * largest;
        let answer = RunAnswer::new(&opened, &[], &runs, &options).unwrap();
        let drift = answer.cautions.iter().find(|c| c.code == CautionCode::EnergyDrift);
        (drift.map(|c| c.severity), answer.is_sound())
    };
    assert_eq!(judged(0.9e-6), (None, true));
    assert_eq!(judged(1.1e-6), (Some(Severity::Warning), true));
    assert_eq!(judged(0.011), (Some(Severity::Error), false));
}

#[test]
fn a_checkpoint_is_read_back_to_the_last_bit_and_belongs_to_its_run() {
    let opened = model("000/two-pendulums.toml", &[]);
    let (_, scenario) = RunOptions::until(3.0).scenarios(&opened).unwrap().remove(0);
    let start = &opened.assembled.state;
    let stopped = simulate_with(opened.model(), start, &scenario, &mut |p| p.t < 1.5);
    let Err(Stopped { reason, outcome: Some(outcome) }) = stopped else { panic!("it was stopped") };
    let one = Ran { law: None, scenario, outcome: *outcome, stopped: Some(reason) };
    let text = one.checkpoint(&opened, &[]).unwrap().unwrap();
    let read = |text: &str, sets: &[(String, String)]| {
        RunOptions::earlier(&opened, sets, &one.scenario, text)
    };
    assert!(read(&text, &[]).unwrap() == one.outcome);
    let other = [("bodies.rod_1.mass".to_owned(), "2".to_owned())];
    let message = |result: Result<_, carom::answer::CheckpointError>| match result {
        Ok::<carom::simulate::Outcome, _>(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    };
    assert!(message(read(&text, &other)).contains("belongs to another run"));
    let old = text.replacen("\"format\":2", "\"format\":1", 1);
    assert!(message(read(&old, &[])).contains("another version of carom"));
    let damaged = text.replace("\"next_sample\"", "\"next\"");
    assert!(message(read(&damaged, &[])).contains("missing field `next_sample`"));
    assert!(message(read("{}", &[])).contains("no checkpoint of a run"));
}

/// A rod released at rest from the horizontal: the pivot carries 5/2 m g sin θ along it and 1/4 m g cos θ across, θ below the horizontal.
#[test]
fn reactions_over_time_are_those_of_a_falling_rod() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -10]\n[bodies.rod]\nmass = 3\nshape = { rod = 1 }\n\
        [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [-0.5, 0]]\n";
    let opened = carom::file::open_text("rod.toml", text, &[]).unwrap();
    let options = RunOptions { reactions: true, ..RunOptions::until(1.0).tolerance(1e-11) };
    let answer = answer(&opened, &options);
    let columns = answer.runs[0].columns.as_ref().unwrap();
    let of = |name: &str| columns.reactions.iter().find(|c| c.name == name).unwrap();
    let (x, y) = (of("joints.pivot.force.x"), of("joints.pivot.force.y"));
    let moment = of("joints.pivot.moment.z");
    assert_eq!((x.unit.as_str(), moment.unit.as_str()), ("N", "N m"));
    for (k, q) in columns.q[0].values.iter().enumerate() {
        let theta = -q;
        let (along, across) = (2.5 * 30.0 * theta.sin(), 0.25 * 30.0 * theta.cos());
        // Along the rod towards the pivot, and upwards across it.
        let expected = [
            -along * theta.cos() + across * theta.sin(),
            along * theta.sin() + across * theta.cos(),
        ];
        for (found, expected) in [x.values[k], y.values[k]].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{theta}: {found} against {expected}");
        }
        assert!(moment.values[k].abs() < 1e-9);
    }
    assert!(columns.t.len() > 100);
}

/// A ball of 2 kg above a floor; `of` is what its contact states, `plan` the rest of the file.
fn ball(of: &str, plan: &str) -> carom::Machine {
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, \"-9.81 m/s^2\"]\n[bodies.ball]\nmass = 2\nshape = {{ disc = 0.1 }}\n\
         contact.skin = {{ circle = 0.1 }}\n[ground]\ncontact.floor = {{ plane = [0, 1] }}\n[joints.free]\ntype = \"floating\"\n\
         connects = [\"ground\", \"ball\"]\nposition = [0, 1, 0]\n[contacts.drop]\nbetween = [\"ball.skin\", \"ground.floor\"]\n\
         {of}\n[simulation]\nduration = 0.6\n{plan}\n"
    );
    carom::Machine::from_text(&text).unwrap()
}

/// What was taken by default, in words.
fn taken(answer: &RunAnswer) -> Vec<String> {
    let found = answer.cautions.iter().filter(|c| c.code == CautionCode::DefaultTaken);
    found.map(carom::Caution::line).collect()
}

/// A law that nobody named is said, and is the one that delivers the restitution that the file states; no physical quantity is assumed.
#[test]
fn a_file_that_names_no_law_is_run_with_the_one_that_delivers_its_restitution() {
    let soft = "stiffness = \"1e8 N/m^1.5\"\nrestitution = 0.6";
    let options = RunOptions::default();
    let answer = ball(soft, "").run(&options).unwrap();
    let run = &answer.runs[0];
    assert_eq!((run.method.as_str(), run.laws["drop"].as_deref()), ("continuous", Some("exact")));
    assert!(
        matches!(&taken(&answer)[..], [one] if one.starts_with("note: contacts.drop: ") && one.contains("`exact`"))
    );
    // Gravity acts for the milliseconds of the contact, too: g t / u is 1e-3.
    assert!((run.impacts[0].restitution.unwrap() - 0.6).abs() < 2e-3);
    // The same as the law by name, which is not told.
    let named = ball(&format!("{soft}\nlaw = \"exact\""), "").run(&options).unwrap();
    assert_eq!((taken(&named), &named.runs[0].state), (Vec::new(), &run.state));
    // Rigid contacts need no law; that velocities jump is told, unless somebody asked for it.
    let answer = ball("restitution = 0.6", "").run(&options).unwrap();
    assert_eq!(answer.runs[0].method, "piecewise");
    assert!(matches!(&taken(&answer)[..], [one] if one.contains("no contact states a stiffness")));
    let asked = ball("restitution = 0.6", "contact = \"piecewise\"").run(&options).unwrap();
    assert_eq!((taken(&asked), &asked.runs[0].state), (Vec::new(), &answer.runs[0].state));
    // A restitution or a stiffness is never assumed.
    for (of, plan, words) in [
        ("", "", "needs a `law`"),
        ("stiffness = \"1e8 N/m^1.5\"", "", "needs a `law`"),
        ("restitution = 0.6", "contact = \"continuous\"", "needs a `law`"),
        ("stiffness = \"1e8 N/m^1.5\"", "contact = \"piecewise\"", "`restitution`"),
    ] {
        let error = ball(of, plan).run(&options).unwrap_err().to_string();
        assert!(error.contains(words), "{of} {plan}: {error}");
    }
    let law = ball("restitution = 0.6", "").run(&options.law("exact")).unwrap_err().to_string();
    assert!(law.contains("stiffness"), "{law}");
}

/// A ball strikes a rough floor aslant and slides throughout: P = m (1 + e) u, the slip falls by μ P (1/m + r²/I), and friction takes
/// μ P times the mean of the slips before and after.
#[test]
fn what_friction_took_of_an_impulse_is_told() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.ball]\nmass = 1\ninertia = 0.1\ncontact.skin = { sphere = 0.1 }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\n\
        position = [0, 0.15, 0]\nvelocity = [3, -2, 0]\n\
        [contacts.hit]\nbetween = [\"ball.skin\", \"ground.floor\"]\nrestitution = 0.5\nfriction = 0.3\n\
        stiffness = \"1e6 N/m^1.5\"\nlaw = \"exact\"\n";
    let opened = carom::file::open_text("ball.toml", text, &[]).unwrap();
    let options = RunOptions::until(0.1).method(carom::model::ContactTreatment::Piecewise);
    let found = answer(&opened, &options);
    let [impact] = found.runs[0].impacts.as_slice() else { panic!("{:?}", found.runs[0].impacts) };
    let (normal, friction) = (0.5 * 4.0 * 0.75, 0.9 * (3.0 + 2.01) / 2.0);
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
    near(impact.energy_lost, normal + friction);
    near(impact.friction_loss.unwrap(), friction);
    near(impact.points[0].friction_loss.unwrap(), friction);
    // Under a force law friction acts in the course of the contact, and the energies of the run have its work.
    let found = answer(&opened, &options.method(carom::model::ContactTreatment::Continuous));
    assert_eq!(found.runs[0].impacts[0].friction_loss, None);
    let end = found.runs[0].ledger.end.unwrap();
    assert!(end.friction_loss > 0.9 * friction, "{end:?}");
}
