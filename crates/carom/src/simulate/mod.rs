//! Motion over time: every onset, peak, parting and release located, contact by force law or by impulse.
//!
//! [`Scenario`] says what is asked, [`simulate`] runs it. Flight and impacts are integrated by DOP853, contacts that last by
//! Radau IIA; every event is landed on with a step.

mod at_rest;
mod bearing;
mod blow;
mod bounces;
mod breakaway;
mod centre;
mod checkpoint;
mod clock;
mod creep;
mod crossing;
mod dead_centre;
mod drift;
mod error;
mod extremes;
mod follow;
mod frames;
mod gripping;
mod guard;
mod impulse;
mod instants;
mod least;
mod locate;
mod looks;
mod method;
mod modes;
mod moreau;
mod motion;
mod notes;
mod pace;
mod reaction;
mod record;
mod resolution;
mod rub;
mod run;
mod scenario;
mod sharing;
mod short;
mod spot;
mod standing;
mod stay;
mod staying;
mod stiffness;
mod stopped;

pub use crate::model::StartRule;
pub use blow::{Blow, Striking};
pub use checkpoint::{Checkpoint, Progress};
pub use clock::Clock;
pub use crossing::{Lookout, UserEventRecord};
pub use drift::DriftLevel;
pub use error::SimulateError;
pub use frames::{Frame, Thinning};
pub use least::{Creep, LeastGap};
pub(crate) use modes::RESOLVED;
pub use motion::MotionError;
pub use reaction::JointPeak;
pub use record::{ContactSample, Counts, Event, EventKind, ImpactRecord, Ledger, Outcome, Sample};
pub use resolution::Resolution;
pub use scenario::{ContactPlan, LEAST_ONSET_SPEED, SAMPLES, Scenario, TOLERANCE, Wishes};
pub use short::{LONG, Meanwhile};
pub use spot::{Grip, Observation, Spot, Status};
pub use stay::Stay;
pub use stiffness::Stiffness;
pub use stopped::Stopped;

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
    run::Runner::new(model, start, scenario)?.run(watch)
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
    run::Runner::resume(model, scenario, earlier)?.go_on(watch)
}
