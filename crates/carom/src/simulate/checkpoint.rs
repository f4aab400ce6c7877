//! Runs that stop and go on: what is remembered between two steps.

use crate::maths::ode::Memory;
use crate::model::Model;
use crate::simulate::SimulateError;
use crate::simulate::budget::Spent;
use crate::simulate::locate::user_event::Lookout;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::record::blow::Striking;
use crate::simulate::record::outcome::Outcome;
use crate::simulate::record::thinning::Thinning;
use crate::simulate::resolution::Resolution;
use crate::simulate::run::Runner;
use crate::simulate::scenario::Scenario;
use crate::simulate::step::clock::Clock;
use crate::simulate::step::stiffness::Stiffness;
use crate::simulate::stopped::Stopped;
use crate::simulate::trajectory::Began;
use serde::{Deserialize, Serialize};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// t \[s\].
    pub t: f64,
    /// Where it ends \[s\].
    pub until: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Impacts so far.
    pub impacts: usize,
}

/// A run between two steps, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Until when the run was to go \[s\].
    #[serde(with = "crate::maths::exact")]
    pub until: f64,
    /// q₀, from which positions are counted.
    #[serde(with = "crate::maths::exact")]
    pub origin: Vec<f64>,
    /// How every spot stands.
    pub spots: Vec<(Spot, Status)>,
    /// Spots whose works stand in the integrator's state, in their order there.
    #[serde(default)]
    pub accounts: Vec<usize>,
    /// The sizes of the machine so far.
    pub resolution: Resolution,
    /// What was seen of every spot after the last step.
    pub before: Vec<Observation>,
    /// The impact that a spot is in, as a position in [`Outcome::impacts`].
    pub current: Vec<Option<usize>>,
    /// The last two flights of each spot between impulses \[s\], and the time of the last impulse \[s\].
    #[serde(with = "crate::maths::exact")]
    pub bounces: Vec<[f64; 3]>,
    /// The expressions of the events of the user.
    pub lookouts: Vec<Lookout>,
    /// What is known of the stiffness of the motion.
    pub stiffness: Stiffness,
    /// The number of the next even sample.
    pub next_sample: usize,
    /// Balance of the ledger at the beginning \[J\].
    #[serde(with = "crate::maths::exact")]
    pub begin: f64,
    /// Lost in impulses \[J\].
    #[serde(with = "crate::maths::exact")]
    pub impulse_loss: f64,
    /// Lost in projections \[J\].
    #[serde(with = "crate::maths::exact")]
    pub projection_loss: f64,
    /// When \[s\].
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// The variable that the integrator's steps are taken in.
    pub clock: Clock,
    /// Blows under way.
    pub striking: Vec<Striking>,
    /// Records of contacts that are not yet kept or left out.
    pub thinning: Thinning,
    /// The integrator.
    pub memory: Memory,
}

impl Checkpoint {
    /// What a run has to remember to go on with the same bits.
    fn of(run: &Runner<'_>) -> Self {
        Self {
            until: run.path.scenario.until,
            origin: run.path.watch.origin.clone(),
            spots: run.path.watch.spots.clone(),
            accounts: run.path.watch.accounts.clone(),
            resolution: run.path.watch.resolution,
            before: run.path.step.before.clone(),
            current: run.record.current.clone(),
            bounces: run.history.bounces.clone(),
            lookouts: run.path.user_events.lookouts.clone(),
            stiffness: run.history.stiffness,
            next_sample: run.record.next_sample,
            begin: run.record.energy.begin,
            impulse_loss: run.record.energy.impulse_loss,
            projection_loss: run.record.energy.projection_loss,
            t: run.path.step.time,
            clock: run.path.method.clock(),
            striking: run.record.striking.clone(),
            thinning: run.record.thinning.clone(),
            memory: run.path.method.memory(),
        }
    }
}

impl<'m> Runner<'m> {
    /// Whether to take another step.
    pub fn ask(&mut self, watch: &mut dyn FnMut(&Progress) -> bool) -> Result<(), SimulateError> {
        let t = self.path.method.t();
        let (until, steps) = (self.path.scenario.until, self.record.out.counts.steps);
        let progress = Progress { t, until, steps, impacts: self.record.out.impacts.len() };
        // A slip that begins is told by a step as a whole.
        let goes_on = watch(&progress) || self.path.slip_begins();
        if goes_on {
            self.history.spent.require(&self.path, &self.record)
        } else {
            Err(SimulateError::Interrupted { t })
        }
    }

    /// What is left behind.
    pub fn finish(mut self, done: Result<(), SimulateError>) -> Result<Outcome, Stopped> {
        let goes_on = done.as_ref().is_err_and(SimulateError::can_go_on);
        let whole = done.is_ok() || goes_on;
        if !goes_on {
            self.record.flush_frames();
        }
        self.record.update_blows();
        self.record.out.counts.evaluations = self.path.system.evaluations;
        self.record.out.counts.observations = self.path.observations;
        self.record.out.checkpoint = whole.then(|| Checkpoint::of(&self));
        self.record.out.state =
            self.path.watch.place(self.path.step.time, &self.path.step.y).clone();
        if !goes_on {
            self.observer().round_least_gap();
        }
        match done {
            Ok(()) => Ok(self.record.out),
            Err(reason) => Err(Stopped { reason, outcome: Some(Box::new(self.record.out)) }),
        }
    }

    /// Stands where an earlier run stopped.
    pub fn resume(
        model: &'m Model,
        scenario: &'m Scenario,
        mut earlier: Outcome,
    ) -> Result<Self, SimulateError> {
        let wrong = |reason: &str| SimulateError::Checkpoint { reason: reason.to_owned() };
        let Some(from) = earlier.checkpoint.take() else {
            return Err(wrong("it failed, and left no state to go on from"));
        };
        fits(model, scenario, &from, &earlier).map_err(wrong)?;
        let mut runner = Self::with(model, &earlier.state, scenario, from.spots)?;
        for motion in [&mut runner.path.system, &mut runner.path.watch] {
            motion.origin.copy_from_slice(&from.origin);
            motion.resolution = from.resolution;
            motion.set_accounts(&from.accounts);
            motion.recall_far(&from.before);
            motion.evaluations = earlier.counts.evaluations;
        }
        runner.path.observations = earlier.counts.observations;
        runner.control().resize_method();
        let recalled = runner.path.method.recall(&from.memory, from.clock, from.t);
        recalled.map_err(|error| SimulateError::Checkpoint { reason: error.to_string() })?;
        runner.path.step.y.clone_from(&from.memory.y);
        runner.path.step.between.resize(from.memory.y.len(), 0.0);
        runner.path.step.time = from.t;
        runner.path.step.after.clone_from(&from.before);
        runner.path.step.before = from.before;
        (runner.path.user_events.lookouts, runner.history.stiffness) =
            (from.lookouts, from.stiffness);
        for (k, (spot, _)) in runner.path.watch.spots.iter().enumerate() {
            let open = |s: &crate::simulate::Stay| s.spot == *spot && s.to.is_none();
            runner.record.stays[k] = earlier.stays.iter().rposition(open);
        }
        for (began, record) in runner.path.began.iter_mut().zip(&from.current) {
            let impact = record.map(|record| &earlier.impacts[record]);
            *began = impact.map(|i| Began { t: i.onset, indented: i.began_indented });
        }
        (runner.record.current, runner.history.bounces) = (from.current, from.bounces);
        (runner.record.striking, runner.record.thinning) = (from.striking, from.thinning);
        (runner.record.energy.begin, runner.record.next_sample) = (from.begin, from.next_sample);
        (runner.record.energy.impulse_loss, runner.record.energy.projection_loss) =
            (from.impulse_loss, from.projection_loss);
        if from.until != scenario.until {
            let passed = from.t / scenario.until * scenario.samples as f64;
            // Counts of samples fit.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let passed = passed.max(0.0) as usize;
            runner.record.next_sample = passed + 1;
        }
        if runner.path.slides_in_space() {
            let seen = runner.path.watch.observe(from.t, &runner.path.step.y);
            seen.map_err(|error| SimulateError::Motion { t: from.t, error })?;
        }
        runner.history.spent = Spent::new(earlier.counts.steps, from.t);
        runner.record.out = earlier;
        Ok(runner)
    }
}

/// Whether the numbers of a checkpoint are those of this model and scenario.
fn fits(
    model: &Model,
    scenario: &Scenario,
    from: &Checkpoint,
    earlier: &Outcome,
) -> Result<(), &'static str> {
    let n = from.spots.len();
    let state = &earlier.state;
    if from.origin.len() != model.nq || state.q.len() != model.nq || state.v.len() != model.nv {
        return Err("it has another number of coordinates");
    }
    let known = |spot: &Spot| spot.contact < model.contacts.len();
    if scenario.contacts.len() != model.contacts.len()
        || !from.spots.iter().all(|(spot, _)| known(spot))
        || !from.accounts.iter().all(|k| *k < n)
        || [from.before.len(), from.current.len(), from.bounces.len()] != [n; 3]
    {
        return Err("it has other contacts");
    }
    if from.lookouts.len() != model.events.len() {
        return Err("it has other events");
    }
    if earlier.ended_by.is_some() {
        return Err("an event ended it");
    }
    let lawful = |(spot, status): &(Spot, Status)| match status {
        Status::Touching(_) | Status::Parted(_) => scenario.contacts[spot.contact].law.is_some(),
        Status::Open | Status::Staying(_) => true,
    };
    if !from.spots.iter().all(lawful) {
        return Err("contacts were treated in another way");
    }
    if from.striking.iter().any(|s| s.blow >= earlier.blows.len()) {
        return Err("its impacts are missing");
    }
    let recorded = |k: usize| k < earlier.impacts.len();
    let joints = model.bodies.len() + model.closures.len();
    if earlier.reactions.len() != earlier.impacts.len()
        || earlier.reactions.iter().any(|r| ![0, joints].contains(&r.len()))
    {
        return Err("the reactions of its impacts are missing");
    }
    if !from.current.iter().flatten().all(|k| recorded(*k)) {
        return Err("its impacts are missing");
    }
    if !(from.t < scenario.until) {
        return Err("it has already come as far as is asked for");
    }
    Ok(())
}
