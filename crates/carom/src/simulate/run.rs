//! The run: steps, the events inside them, and what is written down.

use crate::contact::{Standing, machine_size};
use crate::dynamics::{Mechanism, Projection};
use crate::kinematics::State;
use crate::maths::zero;
use crate::model::{Model, StartRule};
use crate::simulate::SimulateError;
use crate::simulate::budget::Spent;
use crate::simulate::checkpoint::Progress;
use crate::simulate::error::AtTime;
use crate::simulate::locate::Locator;
use crate::simulate::locate::broad_phase::BroadPhase;
use crate::simulate::locate::singular_pose::{explain_pose, require_decided};
use crate::simulate::locate::sliding_mode::require_no_sliding_mode;
use crate::simulate::locate::switch::{Schedule, instants, require_motions};
use crate::simulate::locate::user_event::UserEvents;
use crate::simulate::mode::{Grip, Observation, Spot, Status};
use crate::simulate::record::outcome::Outcome;
use crate::simulate::record::{Observer, Recorder};
use crate::simulate::resolution::Resolution;
use crate::simulate::resolve::force_law::ForceLaws;
use crate::simulate::resolve::slip_onset::SlipOnset;
use crate::simulate::scenario::Scenario;
use crate::simulate::step::Control;
use crate::simulate::step::integrator::Method;
use crate::simulate::step::stiffness::Stiffness;
use crate::simulate::stopped::Stopped;
use crate::simulate::system::Motion;
use crate::simulate::trajectory::{StepEnds, Trajectory};

/// The most events of a run.
const MOST_EVENTS: usize = 1_000_000;
/// The most steps in a row that do not advance the time.
const MOST_IDLE_STEPS: usize = 200;
/// The most events within a millionth of the machine's time of fall: with more, modes alternate without end.
const MOST_CROWDED: usize = 5000;

/// A run: the loop over steps, events and records.
pub(in crate::simulate) struct Runner<'m> {
    pub path: Trajectory<'m>,
    pub history: History,
    pub broad_phase: BroadPhase,
    pub schedule: Schedule,
    pub projector: Projector<'m>,
    pub record: Recorder,
}

/// What earlier steps and events mean for the next ones.
pub(in crate::simulate) struct History {
    /// The last two flights of each spot between impulses \[s\], and the time of the last impulse \[s\].
    pub bounces: Vec<[f64; 3]>,
    pub stiffness: Stiffness,
    /// What is used up of the budget.
    pub spent: Spent,
    /// Consecutive steps that have not moved time.
    idle_steps: usize,
    /// Since when events crowd \[s\], and how many have.
    crowd: (f64, usize),
}

impl History {
    /// Refuses one step after the other that ends at the same time.
    fn require_progress(
        &mut self,
        t: f64,
        moved: f64,
        sizes: &Resolution,
    ) -> Result<(), SimulateError> {
        self.idle_steps = if moved > sizes.instant(t) { 0 } else { self.idle_steps + 1 };
        if self.idle_steps > MOST_IDLE_STEPS {
            return Err(SimulateError::StepTooSmall { t, h: moved });
        }
        Ok(())
    }

    /// Refuses modes that alternate for ever: events that crowd within a part of this unit of time.
    pub fn require_few_events(&mut self, t: f64, unit: f64) -> Result<(), SimulateError> {
        let (since, count) = self.crowd;
        self.crowd = if t - since > zero::MODES * unit { (t, 0) } else { (since, count + 1) };
        if self.crowd.1 > MOST_CROWDED {
            return Err(SimulateError::TooManyEvents { t, events: MOST_CROWDED });
        }
        Ok(())
    }
}

/// Brings states back onto closures and unit quaternions.
pub(in crate::simulate) struct Projector<'m> {
    pub mechanism: Mechanism<'m>,
    scratch: Projection,
    state: State,
}

impl<'m> Runner<'m> {
    pub fn new(
        model: &'m Model,
        start: &State,
        scenario: &'m Scenario,
    ) -> Result<Self, SimulateError> {
        scenario.check(model)?;
        let mut mechanism = Mechanism::for_motion(model);
        let at = mechanism.at(start).at_time(start.t)?;
        let mut spots = Vec::new();
        for contact in 0..model.contacts.len() {
            let touch = at.touch(contact).at_time(start.t)?;
            for point in 0..touch.slots() {
                spots.push((Spot { contact, point }, Status::Open));
            }
            for met in touch.points() {
                let inside = Standing::of(&at, contact, met) == Standing::Penetrating;
                if inside && scenario.start == StartRule::Apart {
                    let (depth, unit) = (-met.gap, model.contacts[contact].units().gap);
                    let contact = model.contacts[contact].name.clone();
                    return Err(SimulateError::Penetrating { contact, depth, unit });
                }
            }
        }
        Self::with_mechanism(mechanism, start, scenario, spots)
    }

    /// A run that begins at a state with given modes of its contact points.
    pub fn with(
        model: &'m Model,
        start: &State,
        scenario: &'m Scenario,
        spots: Vec<(Spot, Status)>,
    ) -> Result<Self, SimulateError> {
        scenario.check(model)?;
        Self::with_mechanism(Mechanism::for_motion(model), start, scenario, spots)
    }

    /// The same with the memory of a mechanism for motions; the runner's others are copies of it.
    fn with_mechanism(
        mut mechanism: Mechanism<'m>,
        start: &State,
        scenario: &'m Scenario,
        spots: Vec<(Spot, Status)>,
    ) -> Result<Self, SimulateError> {
        let model = mechanism.model();
        let at = mechanism.at(start).at_time(start.t)?;
        let (projection, size) = (Projection::new(at.layout()), machine_size(&at));
        let laws = scenario.contacts.iter().map(|c| c.law.clone()).collect::<Vec<_>>();
        let frictions = scenario.contacts.iter().map(|c| c.friction.clone()).collect::<Vec<_>>();
        let dry = scenario.contacts.iter().map(|c| c.dry).collect::<Vec<_>>();
        let system = Motion::new(mechanism.clone(), start, spots, laws, frictions, dry);
        let system = system.at_time(start.t)?;
        let points: Vec<Spot> = system.spots.iter().map(|s| s.0).collect();
        let (n, dimension) = (system.spots.len(), system.dimension());
        let instants = instants(model, [start.t.min(0.0), scenario.until]);
        require_motions(model, &instants, size)?;
        let nothing = vec![Observation::default(); n];
        Ok(Self {
            path: Trajectory {
                model,
                scenario,
                watch: system.clone(),
                system,
                method: Method::new(dimension),
                step: StepEnds {
                    y: vec![0.0; dimension],
                    time: start.t,
                    before: nothing.clone(),
                    after: nothing,
                    between: vec![0.0; dimension],
                },
                user_events: UserEvents::new(model.events.len()),
                slip_onset: SlipOnset::default(),
                observations: 0,
                began: vec![None; n],
            },
            history: History {
                bounces: vec![[f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY]; n],
                stiffness: Stiffness::default(),
                spent: Spent::new(0, start.t),
                idle_steps: 0,
                crowd: (f64::NEG_INFINITY, 0),
            },
            broad_phase: BroadPhase::new(model, &points, scenario),
            schedule: Schedule::new(model, instants),
            projector: Projector { mechanism, scratch: projection, state: start.clone() },
            record: Recorder::new(model, start, scenario, points),
        })
    }

    /// What finds the events of the last step.
    pub fn locator(&mut self) -> Locator<'_, 'm> {
        let out = &self.record.out;
        let touched = (!out.events.is_empty()).then_some(0.0);
        Locator {
            least_gap: touched.or_else(|| out.least_gap.map(|least| least.gap)),
            path: &mut self.path,
            schedule: &mut self.schedule,
            broad_phase: &mut self.broad_phase,
        }
    }

    /// What decides how steps go on.
    pub fn control(&mut self) -> Control<'_, 'm> {
        let Self { path, history, schedule, .. } = self;
        Control { path, stiffness: &mut history.stiffness, schedule }
    }

    /// What happens at events under force laws.
    pub fn laws(&mut self) -> ForceLaws<'_, 'm> {
        ForceLaws { path: &mut self.path, record: &mut self.record }
    }

    /// What observes and records.
    pub fn observer(&mut self) -> Observer<'_, 'm> {
        Observer { path: &mut self.path, record: &mut self.record }
    }

    /// Runs from its beginning to the end, or as far as it goes; `watch` is asked before every step.
    pub fn run(
        mut self,
        watch: &mut dyn FnMut(&Progress) -> bool,
        begin: impl Fn(&mut Self) -> Result<(), SimulateError>,
    ) -> Result<Outcome, Stopped> {
        let done = begin(&mut self).and_then(|()| self.go(watch));
        self.finish(done)
    }

    /// The start: in equilibrium if it is asked for, with impulses where bodies approach.
    pub fn begin(&mut self) -> Result<(), SimulateError> {
        let t = self.record.out.state.t;
        self.path.watch.write_velocities(&self.record.out.state, &mut self.path.step.y);
        self.path.observe(t)?;
        self.path.grow_resolution(t, true)?;
        self.path.observe(t)?;
        self.laws().start_in_equilibrium(t)?;
        self.record.energy.begin = self.observer().ledger(t)?.balance();
        self.observer().sample(t, true)?;
        self.path.user_events.arm();
        self.resolve_events(t, &[])?;
        let jumped = !self.record.out.events.is_empty();
        self.cross(t, jumped);
        if jumped { self.observer().sample(t, true) } else { Ok(()) }
    }

    pub fn go(&mut self, watch: &mut dyn FnMut(&Progress) -> bool) -> Result<(), SimulateError> {
        while self.path.method.t() < self.path.scenario.until && self.record.out.ended_by.is_none()
        {
            if self.observer().is_complete()? {
                break;
            }
            self.leap()?;
            self.ask(watch)?;
            if let Some(after) =
                self.schedule.instant(self.path.method.t(), &self.path.watch.resolution)
            {
                self.pass(after)?;
                continue;
            }
            let limit = self.control().limit();
            self.control().refine_slips()?;
            self.path.store_onset_forces();
            let step = self.path.method.step(&mut self.path.system, limit);
            let step = step.map_err(|error| explain_pose(&mut self.path, error))?;
            self.record.out.counts.steps += 1;
            self.record.out.counts.rejected += step.rejected;
            let fired = self.locator().events()?;
            let t = self.path.method.t();
            let moved = t - self.path.step.time;
            self.history.require_progress(t, moved, &self.path.watch.resolution)?;
            require_no_sliding_mode(&mut self.path, &self.schedule.switches, step.rejected)?;
            self.path.step.y.copy_from_slice(self.path.method.y());
            self.path.step.time = t;
            self.observer().extremes()?;
            self.observer().record_creep();
            self.observer().record_least_gap()?;
            self.observer().samples_until(t)?;
            if self.record.out.events.len() + self.record.out.user_events.len() > MOST_EVENTS {
                return Err(SimulateError::TooManyEvents { t, events: MOST_EVENTS });
            }
            if fired.is_empty() {
                if !self.path.user_events.crossed.is_empty() {
                    self.observer().sample(t, true)?;
                }
                let slides = self.path.slides_in_space();
                let mut begun = self.correct_onset(t)?;
                if self.project(t)? || slides {
                    // Gaps are those of the projected state.
                    self.path.observe(t)?;
                    begun |= self.control().update_slip_directions();
                } else {
                    std::mem::swap(&mut self.path.step.before, &mut self.path.step.after);
                    self.path.user_events.begin_at_end();
                }
                self.cross(t, false);
                if begun || self.control().lasts(t) || self.control().changes_method(t)? {
                    self.control().restart(t, None)?;
                } else if let Some(other) = self.control().switches_method(t)? {
                    self.control().restart(t, Some(other))?;
                } else if let Some(approach) = self.control().approach(t) {
                    self.control().restart(t, Some(approach))?;
                }
                continue;
            }
            self.history.require_few_events(t, self.path.unit_of_time())?;
            self.history.stiffness = Stiffness::default();
            self.observer().sample(t, true)?;
            self.resolve_events(t, &fired)?;
            self.observer().sample(t, true)?;
            self.cross(t, true);
        }
        Ok(())
    }

    /// Back onto closures, unit quaternions and contacts that stay; whether there are any.
    fn project(&mut self, t: f64) -> Result<bool, SimulateError> {
        let turning = self.path.model.bodies.iter().any(|b| b.joint.kind.quaternion().is_some());
        let closed = !self.path.model.closures.is_empty() || turning;
        let spots = self.path.watch.spots.iter().zip(&self.path.step.after).enumerate();
        let deviates = spots.into_iter().any(|(k, ((_, status), see))| {
            let (unit, sticks) =
                (self.path.watch.unit(k), *status == Status::Staying(Grip::Sticks));
            let slip = if sticks { see.slip.abs() } else { 0.0 };
            let moves = see.rate.abs().max(slip) > unit.speed_digits();
            status.stays() && (see.gap.abs() > unit.gap_digits() || moves)
        });
        if !closed && !deviates {
            return Ok(false);
        }
        self.projector.state.copy_from(self.path.watch.place(t, &self.path.step.y));
        let [kinetic, potential] = self.path.watch.energies().at_time(t)?;
        let before = kinetic + potential;
        if closed {
            let state = &mut self.projector.state;
            let gap = self.projector.mechanism.project(state, &mut self.projector.scratch);
            let gap = gap.at_time(t)?;
            self.record.out.closure_gap = self.record.out.closure_gap.max(gap);
            for k in 0..self.path.model.nq {
                self.path.step.y[k] = state.q[k] - self.path.watch.origin[k];
            }
            self.path.watch.write_velocities(state, &mut self.path.step.y);
        }
        if deviates {
            let stays: Vec<bool> = self.path.watch.spots.iter().map(|s| s.1.stays()).collect();
            self.path.watch.settle(t, &mut self.path.step.y, &stays).at_time(t)?;
            let resolved = self.path.resolver(t, &self.history.bounces).without_slips()?;
            self.take(t, resolved)?;
        }
        self.path.watch.place(t, &self.path.step.y);
        let after: f64 = self.path.watch.energies().at_time(t)?.iter().sum();
        if !deviates {
            let energy = &mut self.record.energy;
            energy.largest_kinetic = energy.largest_kinetic.max(kinetic);
            require_decided(&mut self.path, t, before - after, energy.largest_kinetic)?;
        }
        self.record.energy.projection_loss += before - after;
        self.path.method.replace(&self.path.step.y, t)?;
        Ok(true)
    }
}
