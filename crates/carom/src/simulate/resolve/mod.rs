//! What happens at an event: velocities after an impact, the modes of all contacts, and the onset of slip.

pub(in crate::simulate) mod accumulate;
pub(in crate::simulate) mod equilibrium;
pub(in crate::simulate) mod force_law;
pub(in crate::simulate) mod friction_mode;
pub(in crate::simulate) mod impact;
pub(in crate::simulate) mod moreau;
pub(in crate::simulate) mod rest;
pub(in crate::simulate) mod slip_onset;

use crate::kinematics::State;
use crate::maths::Wrench;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Observation, Status};
use crate::simulate::record::outcome::{Event, EventKind, ImpactRecord};
use crate::simulate::scenario::Scenario;
use crate::simulate::system::Motion;
use crate::simulate::trajectory::Trajectory;

/// What an event at rigid contacts comes to.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Resolved {
    /// The state behind it: the positions before, and v⁺.
    pub y: Vec<f64>,
    /// The modes behind it, by spot.
    pub modes: Vec<Status>,
    pub events: Vec<Event>,
    pub impact: Option<Impact>,
    /// The last two flights of each spot between impulses \[s\], and the time of the last impulse \[s\].
    pub bounces: Vec<[f64; 3]>,
    /// Energy that impulses took \[J\].
    pub impulse_loss: f64,
}

/// Impulses at one instant.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Impact {
    /// The state before.
    pub before: State,
    /// Of the points that were struck.
    pub records: Vec<ImpactRecord>,
    /// Points that took part: each with the position of its record, if it was struck, and its loss \[J\] (all of it, and that of friction).
    pub struck: Vec<(usize, Option<usize>, [f64; 2])>,
    /// Impulses on the bodies.
    pub wrenches: Vec<Wrench>,
}

/// Resolves an event at rigid contacts: a function of the state, the modes before and the guards that fired. `watch` is memory: it is left in
/// the modes in which it was found.
pub(in crate::simulate) struct Resolver<'a, 'm> {
    scenario: &'m Scenario,
    /// Evaluates the motion in modes that are tried.
    watch: &'a mut Motion<'m>,
    t: f64,
    /// What is seen of the state so far in the modes tried last.
    seen: Vec<Observation>,
    out: Resolved,
}

impl<'m> Trajectory<'m> {
    /// A resolver at the state from which the next step begins.
    pub fn resolver(&mut self, t: f64, bounces: &[[f64; 3]]) -> Resolver<'_, 'm> {
        let out = Resolved {
            y: self.step.y.clone(),
            modes: self.watch.spots.iter().map(|s| s.1).collect(),
            events: Vec::new(),
            impact: None,
            bounces: bounces.to_vec(),
            impulse_loss: 0.0,
        };
        let Self { scenario, watch, step, .. } = self;
        Resolver { scenario, watch, t, seen: step.before.clone(), out }
    }
}

impl Resolver<'_, '_> {
    /// Observes the state so far in the modes that are tried.
    fn observe(&mut self) -> Result<(), SimulateError> {
        self.watch.observe(self.t, &self.out.y).at_time(self.t)?;
        self.watch.copy_seen(&mut self.seen);
        Ok(())
    }

    /// Notes an event.
    fn note(&mut self, k: usize, kind: EventKind) {
        let spot = self.watch.spots[k].0;
        self.out.events.push(Event { t: self.t, spot, kind, accumulation: None });
    }

    /// The modes tried last are the answer.
    fn resolved(mut self) -> Resolved {
        for (mode, spot) in self.out.modes.iter_mut().zip(&mut self.watch.spots) {
            std::mem::swap(mode, &mut spot.1);
        }
        self.out
    }
}
