//! The motion at both ends of the last step and, by the dense output of the integrator, between them.

use crate::contact::law::Parting;
use crate::maths::root::{RootError, Width, bracketed};
use crate::maths::zero;
use crate::model::{ContactTreatment, Model};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::guard::Guard;
use crate::simulate::locate::user_event::UserEvents;
use crate::simulate::mode::{Grip, Observation, Spot, Status};
use crate::simulate::resolve::slip_onset::SlipOnset;
use crate::simulate::scenario::Scenario;
use crate::simulate::step::integrator::Method;
use crate::simulate::system::Motion;

/// What is integrated, what observes it, and the last step.
pub(in crate::simulate) struct Trajectory<'m> {
    pub model: &'m Model,
    pub scenario: &'m Scenario,
    /// What the integrator evaluates.
    pub system: Motion<'m>,
    /// What observes states beside the integrator, in the same modes.
    pub watch: Motion<'m>,
    pub method: Method,
    pub step: StepEnds,
    pub user_events: UserEvents,
    pub slip_onset: SlipOnset,
    /// By spot, since when its force law acts.
    pub began: Vec<Option<Began>>,
    /// States observed so far.
    pub observations: usize,
}

/// The beginning of a contact by force law.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Began {
    /// When \[s\].
    pub t: f64,
    /// Whether it was indented, at rest, where the run began.
    pub indented: bool,
}

/// The state and what is observed at both ends of the last step.
pub(in crate::simulate) struct StepEnds {
    /// The state from which the next step begins.
    pub y: Vec<f64>,
    /// Its time \[s\].
    pub time: f64,
    /// Observations where the step begins, by spot.
    pub before: Vec<Observation>,
    /// Observations where it ends.
    pub after: Vec<Observation>,
    /// Scratch memory: a state inside the step.
    pub between: Vec<f64>,
}

impl Trajectory<'_> {
    /// Where the last step begins and ends \[s\].
    pub fn span(&self) -> [f64; 2] {
        [self.method.t_old(), self.method.t()]
    }

    /// Lets the last step end earlier, and observes its new end.
    pub fn cut(&mut self, t: f64) -> Result<(), SimulateError> {
        self.method.accept_until(&mut self.system, t)?;
        self.observe_end()
    }

    /// Observes the state `y`, where the next step begins, into `before`.
    pub fn observe(&mut self, t: f64) -> Result<(), SimulateError> {
        self.observations += 1;
        let seen = self.watch.observe(t, &self.step.y);
        let seen = seen.at_time(t)?;
        let _ = seen;
        self.watch.copy_seen(&mut self.step.before);
        self.user_events.begin_with(&self.watch.courses);
        Ok(())
    }

    /// The same without user events, and without being counted.
    pub fn observe_again(&mut self, t: f64) -> Result<(), SimulateError> {
        let seen = self.watch.observe(t, &self.step.y);
        let seen = seen.at_time(t)?;
        let _ = seen;
        self.watch.copy_seen(&mut self.step.before);
        Ok(())
    }

    /// Observes a time inside the last step, by dense output.
    pub fn observe_inside(&mut self, t: f64) -> Result<&[Observation], SimulateError> {
        self.observations += 1;
        self.method.interpolate(&mut self.system, t, &mut self.step.between)?;
        let seen = self.watch.observe(t, &self.step.between);
        seen.at_time(t)
    }

    /// Observes the end of the last step into `after`.
    pub fn observe_end(&mut self) -> Result<(), SimulateError> {
        let t = self.method.t();
        self.observations += 1;
        let seen = self.watch.observe(t, self.method.y());
        let seen = seen.at_time(t)?;
        let _ = seen;
        self.watch.copy_seen(&mut self.step.after);
        self.user_events.after.copy_from_slice(&self.watch.courses);
        Ok(())
    }

    /// The time inside a stretch of the last step at which a function of what is seen is zero.
    pub fn time_of(
        &mut self,
        span: [f64; 2],
        of: impl Fn(&[Observation]) -> f64,
    ) -> Result<f64, SimulateError> {
        self.time_of_course(span, |watch| of(watch.seen()))
    }

    /// The same of any function of the observed state.
    pub fn time_of_course(
        &mut self,
        [low, high]: [f64; 2],
        of: impl Fn(&Motion<'_>) -> f64,
    ) -> Result<f64, SimulateError> {
        let mut failed = None;
        let value = |t: f64| match self.observe_inside(t) {
            Ok(_) => of(&self.watch),
            Err(error) => {
                failed = Some(error);
                f64::NAN
            }
        };
        let width = Width { absolute: zero::SOLVED * (high - low), relative: f64::EPSILON };
        match bracketed(value, low, high, width) {
            Ok(root) => Ok(root.x),
            // Interpolation may miss the sign at an end by its own error: the root is there.
            Err(RootError::NoSignChange { at_low, at_high, .. }) => {
                Ok(if at_low.abs() < at_high.abs() { low } else { high })
            }
            Err(_) => failed.map_or(Ok(high), Err),
        }
    }

    /// How far a step ends behind a jump, or before one.
    pub fn behind(&self, t: f64) -> f64 {
        10.0 * self.watch.resolution.instant(t)
    }

    /// The strongest force \[N\] at the ends of the last step.
    pub fn strongest(&self) -> f64 {
        let ends = self.step.before.iter().chain(&self.step.after);
        ends.map(|see| see.force).fold(0.0, f64::max)
    }

    pub fn rule(&self, spot: Spot) -> Parting {
        let law = self.scenario.contacts[spot.contact].law.as_ref();
        law.map_or(Parting::ZeroForce, |law| law.parting())
    }

    /// The machine's time of fall \[s\], or the duration of the run where nothing moves.
    pub fn unit_of_time(&self) -> f64 {
        self.watch.resolution.unit_of_time().unwrap_or(self.scenario.until)
    }

    /// Depth by approach speed of the elastic impact \[s\], times the 3 it lasts.
    pub fn elastic_time(&self, spot: Spot, onset: &crate::contact::law::Onset) -> Option<f64> {
        Some(3.0 * self.elastic_depth(spot, onset)? / onset.speed)
    }

    pub fn elastic_depth(&self, spot: Spot, onset: &crate::contact::law::Onset) -> Option<f64> {
        let law = self.watch.laws[spot.contact].as_ref()?;
        let energy = 0.5 * onset.effective_mass * onset.speed * onset.speed;
        law.elastic_depth(energy, onset).filter(|d| *d > 0.0)
    }

    pub fn is_piecewise(&self) -> bool {
        self.scenario.treatment == ContactTreatment::Piecewise
    }

    /// Takes the sizes of the state observed last.
    pub fn grow_resolution(&mut self, t: f64, points: bool) -> Result<(), SimulateError> {
        let grown = self.watch.grow_resolution(points, self.scenario.until);
        grown.at_time(t)?;
        self.system.resolution = self.watch.resolution;
        Ok(())
    }

    /// Whether something slides in space.
    pub fn slides_in_space(&self) -> bool {
        let slides =
            |s: &(Spot, Status)| matches!(s.1, Status::Staying(Grip::Slides(_) | Grip::Breaks(_)));
        !self.model.is_planar() && self.watch.spots.iter().any(slides)
    }

    /// Whether slips in space begin.
    pub fn slip_begins(&self) -> bool {
        self.slip_onset.since.is_some()
            || self.watch.spots.iter().any(|s| matches!(s.1, Status::Staying(Grip::Breaks(_))))
    }

    /// Which contacts that stick have reached their friction's limit when one does: those that share a load with it, too.
    pub fn at_friction_limit(&self, fired: &[(usize, Guard)]) -> Vec<bool> {
        let slips = fired.iter().any(|f| f.1 == Guard::Slips);
        let reached = |k: usize| {
            let (spot, status) = self.watch.spots[k];
            let limit = self.watch.dry[spot.contact].map_or(0.0, |d| d.breakaway)
                * self.step.after[k].force;
            // A friction below its limit by less than this part of it has reached it.
            let near = self.step.after[k].margin <= zero::LOCATED * limit;
            fired.contains(&(k, Guard::Slips)) || (status == Status::Staying(Grip::Sticks) && near)
        };
        (0..self.watch.spots.len()).map(|k| slips && reached(k)).collect()
    }
}
