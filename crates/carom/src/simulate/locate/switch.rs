//! Instants at which loads and drives change their course: a step ends there, and the next one begins behind.
//!
//! What depends on time alone, |x|, sign, min and max, is known beforehand. Loads may jump, so that contacts stick, slip or part
//! at once. The velocity of a drive may jump, too: M Δv = Dᵀ Λ with the jumps given, then impulses where contacts approach.

use crate::kinematics::State;
use crate::maths::expression::{Tape, joined};
use crate::maths::ode::System;
use crate::maths::zero;
use crate::model::{Load, Model};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::Locator;
use crate::simulate::locate::course::crosses;
use crate::simulate::mode::Status;
use crate::simulate::record::outcome::EventKind;
use crate::simulate::resolution::Resolution;
use crate::simulate::run::Runner;
use crate::simulate::step::stiffness::Stiffness;
use crate::simulate::system::{Motion, MotionError};
use crate::simulate::trajectory::Trajectory;

/// The value of a switch at a state.
pub(in crate::simulate) fn value(switch: &Tape, state: &State) -> f64 {
    switch.value(state.t, state.q.as_slice(), state.v.as_slice())
}

/// The expressions of loads and drives.
fn tapes(model: &Model) -> impl Iterator<Item = &Tape> {
    let drives = model.drives.iter().map(|drive| &drive.motion);
    model.loads.iter().flat_map(Load::expressions).chain(drives)
}

/// What decides how loads and drives go on: expressions of time alone, and of the motion.
fn switches(model: &Model) -> [Vec<Tape>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    for found in tapes(model).map(Tape::switches) {
        for (all, switch) in out.iter_mut().zip(found) {
            all.extend(switch);
        }
    }
    out
}

/// The last time before each change, and the first after, in order.
pub(in crate::simulate) fn instants(model: &Model, within: [f64; 2]) -> Vec<[f64; 2]> {
    let [switches, _] = switches(model);
    let changes = switches.iter().flat_map(|switch| switch.sign_changes(within));
    let mut all = joined(changes.chain(tapes(model).flat_map(|tape| tape.folds(within))).collect());
    all.retain(|instant| instant[0] < within[1]);
    // A change at the end is not passed.
    for instant in &mut all {
        instant[1] = instant[1].min(within[1]);
    }
    all
}

/// When loads and drives change their course.
pub(in crate::simulate) struct Schedule {
    /// Changes that depend on time alone: the last time before each, and the first after, in order.
    instants: Vec<[f64; 2]>,
    /// What decides by the motion how loads go on.
    pub switches: Vec<Tape>,
    /// When the last step has ended just before one of the switches, or before contacts come to other features.
    pub leap_from: Option<f64>,
    /// Whether loads change with time.
    pub changing_loads: bool,
}

impl Schedule {
    pub fn new(model: &Model, instants: Vec<[f64; 2]>) -> Self {
        let [_, switches] = switches(model);
        let changing_loads = model.loads.iter().any(Load::changes_with_time);
        Self { instants, switches, leap_from: None, changing_loads }
    }

    /// The next instant after t: the last time before, and the first after.
    pub fn next_instant(&self, t: f64) -> [f64; 2] {
        let next = self.instants.partition_point(|instant| instant[1] <= t);
        self.instants.get(next).copied().unwrap_or([f64::INFINITY; 2])
    }

    /// The first time after an instant that is at t, as far as the clock resolves it.
    pub fn instant(&self, t: f64, resolution: &Resolution) -> Option<f64> {
        let [before, after] = self.next_instant(t);
        (before - t <= resolution.tick(t)).then_some(after)
    }
}

/// Refuses drives whose positions jump, in a machine of this size \[m\].
pub(in crate::simulate) fn require_motions(
    model: &Model,
    instants: &[[f64; 2]],
    size: f64,
) -> Result<(), SimulateError> {
    for &[t, after] in instants {
        for drive in &model.drives {
            let [a, b] = [t, after].map(|t| drive.motion.jet(t));
            let moves = (after - t) * (a.rate.abs() + b.rate.abs());
            let joint = &model.bodies[drive.body.index()].joint;
            let size = if joint.kind.is_angular(drive.v - joint.v) { 1.0 } else { size };
            // Compared with the drive's position and with how far it moves between the two times.
            if (b.value - a.value).abs() > zero::INTEGRATED * (size + a.value.abs()) + moves {
                let (drive, from, to) = (drive.name.clone(), a.value, b.value);
                return Err(SimulateError::DriveJumps { t, drive, from, to });
            }
        }
    }
    Ok(())
}

impl Motion<'_> {
    /// Δv of these jumps of driven velocities, at the state placed last.
    fn jolt(&mut self, jumps: &[f64]) -> Result<Vec<f64>, MotionError> {
        let Self { mechanism, state, work, .. } = self;
        mechanism.at(state)?.jolt(jumps, work)?;
        Ok(work.solution.x.clone())
    }
}

impl Locator<'_, '_> {
    /// A step that leads over a switch of the motion ends before it.
    pub fn cut_at_switches(&mut self, t_old: f64) -> Result<(), SimulateError> {
        let t = self.path.method.t();
        let mut first: Option<(usize, f64)> = None;
        for n in 0..self.schedule.switches.len() {
            let before =
                value(&self.schedule.switches[n], self.path.watch.place(t_old, &self.path.step.y));
            let after =
                value(&self.schedule.switches[n], self.path.watch.place(t, self.path.method.y()));
            if !crosses(before, after, 0.0) {
                continue;
            }
            let switch = self.schedule.switches[n].clone();
            let time =
                self.path.time_of_course([t_old, t], |watch| value(&switch, &watch.state))?;
            if first.is_none_or(|first| time < first.1) {
                first = Some((n, time));
            }
        }
        let Some((n, _)) = first else { return Ok(()) };
        let Trajectory { method, system, watch, .. } = &mut *self.path;
        let switch = &self.schedule.switches[n];
        let landed = method.land(system, &mut |t, y| value(switch, watch.place(t, y)))?;
        let before = landed - self.path.behind(landed);
        if before <= t_old {
            return self.path.observe_end();
        }
        self.path.method.accept_until(&mut self.path.system, before)?;
        self.schedule.leap_from = Some(self.path.method.t());
        self.path.observe_end()
    }
}

impl Runner<'_> {
    /// Moves the state from just before a switch of the motion to just behind it, with its rates.
    pub fn leap(&mut self) -> Result<(), SimulateError> {
        let t = self.path.method.t();
        if self.schedule.leap_from.take() != Some(t) {
            return Ok(());
        }
        self.history.require_few_events(t, self.path.unit_of_time())?;
        let mut rates = vec![0.0; self.path.step.y.len()];
        self.path.system.rate(t, &self.path.step.y, &mut rates).at_time(t)?;
        let way = 2.0 * self.path.behind(t);
        let before = self.path.step.y.clone();
        self.path.step.y.iter_mut().zip(rates).for_each(|(y, rate)| *y += way * rate);
        self.match_features((t, &before), t + way)?;
        self.pass(t + way)
    }

    /// Goes on behind an instant.
    pub fn pass(&mut self, after: f64) -> Result<(), SimulateError> {
        let (t, events) = (self.path.method.t(), self.record.out.events.len());
        self.path.step.time = after.min(self.path.scenario.until);
        if after >= self.path.scenario.until {
            let end = self.path.step.time;
            self.control().restart(end, None)?;
            return self.observer().sample(end, true);
        }
        let jolted = self.jolt(t, after)?;
        self.history.stiffness = Stiffness::default();
        self.resolve_events(after, &[])?;
        if jolted || self.record.out.events.len() > events {
            self.observer().sample(after, true)?;
        }
        self.cross(after, true);
        Ok(())
    }

    /// Velocities jump with those of drives; whether they do.
    fn jolt(&mut self, t: f64, after: f64) -> Result<bool, SimulateError> {
        let mut jumps = vec![0.0; self.path.model.nv];
        for drive in &self.path.model.drives {
            let [a, b] = [t, after].map(|t| drive.motion.jet(t));
            let jump = b.rate - a.rate;
            let most = a.rate.abs() + b.rate.abs() + (after - t) * a.second.abs();
            jumps[drive.v] = if jump.abs() > zero::INTEGRATED * most { jump } else { 0.0 };
        }
        if jumps.iter().all(|jump| *jump == 0.0) {
            return Ok(false);
        }
        self.observer().sample(t, true)?;
        self.path.watch.place(t, &self.path.step.y);
        let T_minus = self.path.watch.energies().at_time(t)?[0];
        let change = self.path.watch.jolt(&jumps).at_time(t)?;
        let v = self.path.watch.state.v.as_mut_slice();
        v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        self.path.watch.write_velocities(&self.path.watch.state, &mut self.path.step.y);
        self.path.observe_again(after)?;
        let drives = self.path.watch.totals_at() + 2;
        self.path.step.y[drives] += self.path.watch.energies().at_time(t)?[0] - T_minus;
        for k in 0..self.path.watch.spots.len() {
            if self.path.watch.spots[k].1.stays()
                && self.path.step.before[k].rate > self.path.watch.unit(k).rest()
            {
                self.path.watch.spots[k].1 = Status::Open;
                self.record.note(after, self.path.watch.spots[k].0, EventKind::Release);
            }
        }
        Ok(true)
    }
}
