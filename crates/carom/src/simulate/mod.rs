//! Motion over time: every onset, peak, parting and release located, contact by force law or by impulse.
//!
//! [`Scenario`] says what is asked, [`simulate`] runs it. Flight and impacts are integrated by DOP853, contacts that last by
//! Radau IIA; every event is landed on with a step.

mod budget;
mod checkpoint;
mod error;
mod guard;
mod locate;
mod mode;
mod record;
mod resolution;
mod resolve;
mod run;
mod scenario;
mod step;
mod stopped;
mod system;
mod trajectory;

pub use crate::model::StartRule;
pub use budget::{Budget, MAX_STEPS};
pub use checkpoint::{Checkpoint, Progress};
pub use error::SimulateError;
pub use locate::user_event::{Lookout, UserEventRecord};
pub use mode::{Grip, Observation, Spot, Status};
pub use record::blow::{Blow, Striking};
pub use record::drift::DriftLevel;
pub use record::duration::{LONG, Meanwhile};
pub use record::least_gap::{Creep, LeastGap};
pub use record::outcome::{
    ContactSample, Counts, Event, EventKind, ImpactRecord, Ledger, Outcome, Sample,
};
pub use record::reactions::JointPeak;
pub use record::stays::Stay;
pub use record::thinning::{Frame, Thinning};
pub use resolution::Resolution;
pub(crate) use resolve::force_law::RESOLVED;
pub use scenario::{
    ContactPlan, DEFAULT_LAW, LEAST_ONSET_SPEED, SAMPLES, Scenario, TOLERANCE, Wishes,
};
pub use step::clock::Clock;
pub use step::stiffness::Stiffness;
pub use stopped::Stopped;
pub use system::MotionError;

use crate::kinematics::State;
use crate::model::Model;

/// Runs a scenario from a state.
///
/// A run that cannot begin or stops before its end is an error, which holds the reason and what was computed until then.
pub fn simulate(model: &Model, start: &State, scenario: &Scenario) -> Result<Outcome, Stopped> {
    simulate_with(model, start, scenario, &mut |_| true)
}

/// Runs a scenario from a state; `watch` is asked before every step and stops the run with `false`.
///
/// A run that was stopped ends with [`SimulateError::Interrupted`]; [`resume`] continues it from [`Stopped::outcome`].
pub fn simulate_with(
    model: &Model,
    start: &State,
    scenario: &Scenario,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Outcome, Stopped> {
    run::Runner::new(model, start, scenario)?.run(watch, run::Runner::begin)
}

/// Goes on with a run from its [`Outcome::checkpoint`]; all that follows has the bits of a run that never stopped.
///
/// The scenario has to be that of the run. Its duration may be another one: then the motion is the same within the
/// tolerance, since steps end at other times.
pub fn resume(
    model: &Model,
    scenario: &Scenario,
    earlier: Outcome,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Outcome, Stopped> {
    run::Runner::resume(model, scenario, earlier)?.run(watch, |_| Ok(()))
}
