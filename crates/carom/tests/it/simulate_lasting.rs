//! Contacts that last under a force law: what friction and moving supports cost, and what their energy balance is worth.

use crate::simulate::{run, tried, wishes, written};
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{Outcome, SimulateError};

const TOLERANCE: f64 = 1e-9;
/// The balance of energy drifts by so many tolerances at most, divided by the largest energy: what the documentation promises.
const DRIFT: f64 = 100.0;
/// A run with friction takes so many times the steps of the same file without it.
const DEARER: usize = 5;

fn outcome(text: &str, given: &[(&str, &str)], until: f64, tolerance: f64) -> Outcome {
    run(&written(text, given), &wishes("", Continuous, until, tolerance))
}

#[test]
fn friction_that_sticks_within_its_band_costs_a_few_times_the_steps_of_none() {
    let cases = [
        (include_str!("../cases/wheel-over-step.toml"), &["road", "step"][..], 1.5),
        (include_str!("../cases/gripper.toml"), &["left", "right", "table"][..], 1.0),
        (include_str!("../cases/frictional-impact.toml"), &["c"][..], 0.01),
    ];
    for (text, contacts, until) in cases {
        let keys: Vec<String> = contacts.iter().map(|c| format!("contacts.{c}.friction")).collect();
        let smooth: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "0")).collect();
        let smooth = outcome(text, &smooth, until, TOLERANCE);
        let rough = outcome(text, &[], until, TOLERANCE);
        assert!(
            rough.counts.steps <= DEARER * smooth.counts.steps,
            "{contacts:?}: {:?} {:?}",
            rough.counts,
            smooth.counts
        );
    }
}

#[test]
fn lasting_contacts_keep_the_balance_of_energy_to_a_hundred_tolerances() {
    let cases = [
        ("wheel", include_str!("../cases/wheel-over-step.toml"), 1.5, 1160),
        ("cam", include_str!("../cases/cam-follower.toml"), 1.0, 1500),
        ("table", include_str!("../cases/standing-on-moving-table.toml"), 0.2, 400),
    ];
    for (name, text, until, most) in cases {
        let out = outcome(text, &[], until, TOLERANCE);
        let largest = out.largest_energy();
        assert!(out.drift <= DRIFT * TOLERANCE * largest, "{name}: {} of {largest}", out.drift);
        assert!(out.counts.steps <= most, "{name}: {:?}", out.counts);
    }
}

#[test]
fn the_motion_of_lasting_contacts_follows_the_tolerance() {
    // The same wheel at a tolerance a hundred times smaller.
    let text = include_str!("../cases/wheel-over-step.toml");
    let [coarse, fine] = [1e-7, 1e-9].map(|tolerance| outcome(text, &[], 1.5, tolerance));
    let finest = outcome(text, &[], 1.5, 1e-11);
    let off = |out: &Outcome| (&out.state.q - &finest.state.q).abs().max();
    // Three impacts and a second on springs carry errors on, about a hundredfold.
    assert!(off(&coarse) < 1e-5, "{}", off(&coarse));
    assert!(off(&fine) < 1e-7, "{}", off(&fine));
}

#[test]
fn a_load_that_pushes_back_from_both_sides_of_its_jump_is_refused_by_name() {
    let text = include_str!("../cases/pile-driver.toml");
    let chatters = ("loads.soil.effort", "-60000*sign(v.pile)");
    for treatment in [Continuous, Piecewise] {
        let opened = written(text, &[chatters]);
        let stopped = tried(&opened, &wishes("", treatment, 1.5, TOLERANCE)).unwrap_err();
        let SimulateError::SlidingMode { ref load, .. } = stopped.reason else {
            panic!("{stopped}")
        };
        assert_eq!(load, "soil");
        let counts = stopped.outcome.unwrap().counts;
        assert!(counts.steps < 1000, "{counts:?}");
    }
    // A sign that does not hold the motion is no sliding mode: a pull that helps, and one too weak to hold the pile against its weight.
    for effort in ["60000*sign(v.pile)", "-2000*sign(v.pile)"] {
        let opened = written(text, &[("loads.soil.effort", effort)]);
        tried(&opened, &wishes("", Piecewise, 0.1, TOLERANCE)).unwrap_or_else(|e| panic!("{e}"));
    }
    // Nor are drag, which fades with the speed, and friction written smoothly.
    for effort in ["-5000*v.pile*abs(v.pile)", "-60000*v.pile/sqrt(v.pile^2 + 1e-6)"] {
        let opened = written(text, &[("loads.soil.effort", effort)]);
        tried(&opened, &wishes("", Continuous, 0.3, TOLERANCE)).unwrap_or_else(|e| panic!("{e}"));
    }
}
