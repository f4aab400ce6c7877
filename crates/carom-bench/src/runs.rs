//! What a run costs: one impact of the double pendulum of Gonzalez et al., from a general model file.

use carom::dynamics::Mechanism;
use carom::file::open_text;
use carom::kinematics::State;
use carom::model::Model;
use carom::simulate::{Outcome, Scenario, Wishes, simulate};

/// The case of one impact.
pub const IMPACT: &str = "impact-double-pendulum";

const TEXT: &str = include_str!("../../../models/002/double-pendulum.toml");

/// The model and its state.
pub fn model() -> Result<(Model, State), String> {
    let sets = [("contacts.tip.law", "hunt-crossley"), ("contacts.tip.restitution", "0.5")];
    let sets: Vec<(String, String)> =
        sets.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let opened = open_text("double-pendulum.toml", TEXT, &sets).map_err(|e| e.to_string())?;
    let state = opened.assembled.state.clone();
    Ok((opened.loaded.model, state))
}

/// What is asked for: one impact from the onset to the end of the contact, without trajectory and joint reactions. odeint and SciPy are
/// asked for the same in `xtask/peers`.
pub fn scenario(model: &Model, state: &State, tolerance: f64) -> Result<Scenario, String> {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state).map_err(|e| e.to_string())?;
    let first_of = model.contact("tip");
    let wishes =
        Wishes { until: Some(2e-3), tolerance: Some(tolerance), first_of, ..Wishes::default() };
    let mut scenario = Scenario::new(&at, &wishes).map_err(|e| e.to_string())?;
    (scenario.samples, scenario.peaks) = (1, false);
    Ok(scenario)
}

/// The impact.
pub fn impact(model: &Model, state: &State, scenario: &Scenario) -> Result<Outcome, String> {
    simulate(model, state, scenario).map_err(|e| e.to_string())
}

/// Time, right-hand sides and steps of one impact.
pub fn print() -> Result<(), String> {
    let (model, state) = model()?;
    let scenario = scenario(&model, &state, 1e-9)?;
    let run = || impact(&model, &state, &scenario);
    let out = run()?;
    let seconds = crate::time(|| run().map_or(f64::NAN, |out| out.drift));
    let first = out.impacts.first().ok_or("no impact")?;
    let counts = out.counts;
    println!("\n{IMPACT}: {:.1} µs, {} impact(s)", seconds * 1e6, out.impacts.len());
    println!("  peak force {:.4} N", first.peak_force.unwrap_or(f64::NAN));
    println!(
        "  {} right-hand sides (bar 450), {} further looks",
        counts.evaluations, counts.observations
    );
    Ok(())
}
