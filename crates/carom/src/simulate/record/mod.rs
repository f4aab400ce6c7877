//! What a run leaves behind: impacts, lasting contacts, reactions, samples and the ledger.

pub(in crate::simulate) mod blow;
pub(in crate::simulate) mod drift;
pub(in crate::simulate) mod duration;
pub(in crate::simulate) mod extremes;
pub(in crate::simulate) mod first;
pub(in crate::simulate) mod least_gap;
pub(in crate::simulate) mod outcome;
pub(in crate::simulate) mod peaks;
pub(in crate::simulate) mod reactions;
pub(in crate::simulate) mod samples;
pub(in crate::simulate) mod stays;
pub(in crate::simulate) mod thinning;

use self::blow::Striking;
use self::outcome::{Counts, Event, EventKind, Outcome};
use self::peaks::PeakSearch;
use self::thinning::{Frame, Thinning};
use crate::kinematics::State;
use crate::model::Model;
use crate::simulate::mode::Spot;
use crate::simulate::scenario::Scenario;
use crate::simulate::trajectory::Trajectory;

/// What no component of the motion's integrals holds of the energy \[J\].
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simulate) struct EnergyAccount {
    /// Balance of the ledger at the beginning.
    pub begin: f64,
    /// Lost in impulses.
    pub impulse_loss: f64,
    /// Lost in projections onto closures and closed contacts.
    pub projection_loss: f64,
    /// The largest T at a projection so far.
    pub largest_kinetic: f64,
}

/// What has been recorded of a run, and what is under way.
#[derive(Debug)]
pub(in crate::simulate) struct Recorder {
    /// The impact that a spot is in, as a position in [`Outcome::impacts`].
    pub current: Vec<Option<usize>>,
    /// The lasting contact that a spot is in, as a position in [`Outcome::stays`].
    pub stays: Vec<Option<usize>>,
    pub peaks: PeakSearch,
    /// Records of the last step, the first [`Self::frames_used`] of which are in use.
    pub frames: Vec<Frame>,
    pub frames_used: usize,
    /// Greatest values located inside the last step \[s\].
    pub marks: Vec<f64>,
    pub thinning: Thinning,
    /// Impacts at several points that are under way.
    pub striking: Vec<Striking>,
    /// The number of the next even sample.
    pub next_sample: usize,
    pub energy: EnergyAccount,
    pub out: Outcome,
}

impl Recorder {
    /// Notes an event.
    pub fn note(&mut self, t: f64, spot: Spot, kind: EventKind) {
        self.out.events.push(Event { t, spot, kind, accumulation: None });
    }

    /// Of a run of which nothing is recorded yet.
    pub fn new(model: &Model, start: &State, scenario: &Scenario, spots: Vec<Spot>) -> Self {
        let n = spots.len();
        Self {
            current: vec![None; n],
            stays: vec![None; n],
            peaks: PeakSearch::new(model.bodies.len() + model.closures.len(), n),
            frames: Vec::new(),
            frames_used: 0,
            marks: Vec::new(),
            thinning: Thinning::new(n),
            striking: Vec::new(),
            next_sample: 0,
            energy: EnergyAccount::default(),
            out: Outcome {
                spots,
                samples: Vec::with_capacity(scenario.samples + 1),
                contacts: Vec::new(),
                impacts: Vec::new(),
                blows: Vec::new(),
                reactions: Vec::new(),
                stays: Vec::new(),
                events: Vec::new(),
                user_events: Vec::new(),
                ended_by: None,
                least_gap: None,
                creep: Vec::new(),
                drift: 0.0,
                closure_gap: 0.0,
                counts: Counts::default(),
                state: start.clone(),
                checkpoint: None,
            },
        }
    }
}

/// Observes the trajectory and records what it sees. Nothing of it steers the run.
pub(in crate::simulate) struct Observer<'a, 'm> {
    pub path: &'a mut Trajectory<'m>,
    pub record: &'a mut Recorder,
}
