//! Motion over time: every onset, peak, parting and release located, contact by force law or by impulse.
//!
//! [`Scenario`] says what is asked, [`simulate`] runs it. Flight and impacts are integrated by DOP853, contacts that last by
//! Radau IIA; every event is landed on with a step.

mod error;
mod guard;
mod impulse;
mod method;
mod modes;
mod motion;
mod record;
mod run;
mod scenario;
mod spot;
mod staying;

pub use error::SimulateError;
pub use motion::MotionError;
pub use record::{ContactSample, Counts, Event, EventKind, ImpactRecord, Ledger, Outcome, Sample};
pub use scenario::{ContactPlan, LEAST_ONSET_SPEED, SAMPLES, Scenario, TOLERANCE, Wishes};
pub use spot::{Observation, Spot, Status};

use crate::kinematics::State;
use crate::model::Model;

/// Runs a scenario from a state.
///
/// What was reached is kept when a run cannot go on; [`Outcome::stopped`] says why.
pub fn simulate(
    model: &Model,
    start: &State,
    scenario: &Scenario,
) -> Result<Outcome, SimulateError> {
    Ok(run::Runner::new(model, start, scenario)?.run())
}
