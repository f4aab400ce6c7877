//! What happens at events under force laws.

use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::guard::Guard;
use crate::simulate::mode::Status;
use crate::simulate::record::outcome::{EventKind, ImpactRecord};
use crate::simulate::record::{Observer, Recorder};
use crate::simulate::resolve::Resolved;
use crate::simulate::run::Runner;
use crate::simulate::system::turning_normal;
use crate::simulate::trajectory::{Began, Trajectory};

/// Losses below this many times the tolerance, in parts of the energy exchanged, are errors of the integration.
pub const RESOLVED: f64 = 10.0;

/// What happens at events under force laws: a law begins to act, stops, or acts again.
pub(in crate::simulate) struct ForceLaws<'a, 'm> {
    pub path: &'a mut Trajectory<'m>,
    pub record: &'a mut Recorder,
}

impl Runner<'_> {
    /// Goes through the guards that fired at `y`, and begins anew.
    pub fn resolve_events(
        &mut self,
        t: f64,
        fired: &[(usize, Guard)],
    ) -> Result<(), SimulateError> {
        self.record.flush_frames();
        self.path.observe_again(t)?;
        self.path.grow_resolution(t, false)?;
        for &(k, _) in fired.iter().filter(|f| f.1 == Guard::Closes) {
            self.laws().require_markers_together(t, k)?;
        }
        if self.path.is_piecewise() {
            if self.begins_onset(t, fired)? {
                return self.control().restart(t, None);
            }
            self.resolve_rigid(t, fired)?;
            self.control().restart(t, None)?;
            self.observer().record_stays(t);
            return Ok(());
        }
        self.laws().resolve(t, fired)?;
        self.control().restart(t, None)
    }

    /// Closed rigid contacts: impulses where bodies approach, then which contacts stay.
    pub fn resolve_rigid(&mut self, t: f64, fired: &[(usize, Guard)]) -> Result<(), SimulateError> {
        let at_limit = self.path.at_friction_limit(fired);
        let resolved = self.path.resolver(t, &self.history.bounces).rigid(fired, &at_limit)?;
        self.take(t, resolved)
    }

    /// Goes on from what an event at rigid contacts has come to.
    pub fn take(&mut self, t: f64, resolved: Resolved) -> Result<(), SimulateError> {
        let Resolved { y, modes, events, impact, bounces, impulse_loss } = resolved;
        self.path.step.y = y;
        for (spot, mode) in self.path.watch.spots.iter_mut().zip(modes) {
            spot.1 = mode;
        }
        self.history.bounces = bounces;
        self.record.energy.impulse_loss += impulse_loss;
        self.record.out.events.extend(events);
        impact.map_or(Ok(()), |impact| self.observer().record_impact(t, impact))
    }
}

impl<'m> ForceLaws<'_, 'm> {
    /// Goes through the guards that fired; without any, laws begin where closed points approach.
    fn resolve(&mut self, t: f64, fired: &[(usize, Guard)]) -> Result<(), SimulateError> {
        self.path.observe_again(t)?;
        let closes: Vec<bool> = (0..self.path.watch.spots.len())
            .map(|k| fired.is_empty() || fired.contains(&(k, Guard::Closes)))
            .collect();
        let grazes = self.path.watch.grazes(&closes).at_time(t)?;
        if fired.is_empty() {
            for k in (0..self.path.watch.spots.len()).filter(|k| !grazes[*k]) {
                let open = matches!(self.path.watch.spots[k].1, Status::Open);
                if open
                    && self.path.step.before[k].gap <= self.path.watch.unit(k).gap_digits()
                    && self.path.step.before[k].rate < 0.0
                {
                    self.touch(t, k)?;
                }
            }
        }
        for &(k, guard) in fired {
            let status = self.path.watch.spots[k].1;
            match (guard, status) {
                (Guard::Closes, _) if grazes[k] => {}
                (Guard::Closes, _) => self.touch(t, k)?,
                (Guard::Slackens, Status::Touching(onset)) => {
                    self.path.watch.spots[k].1 = Status::Parted(onset);
                    self.part(t, k);
                }
                (Guard::Tightens, Status::Parted(onset)) => {
                    self.path.watch.spots[k].1 = Status::Touching(onset);
                    if let Some(record) = self.record.current[k] {
                        let record = &mut self.record.out.impacts[record];
                        (record.parting, record.separation_speed) = (None, None);
                        record.parting_mass = None;
                    }
                    self.record.note(t, self.path.watch.spots[k].0, EventKind::Again);
                }
                (Guard::Leaves, _) => {
                    self.path.watch.spots[k].1 = Status::Open;
                    self.part(t, k);
                    (self.record.current[k], self.path.began[k]) = (None, None);
                }
                (Guard::Opens, _) => {
                    self.path.watch.spots[k].1 = Status::Open;
                    (self.record.current[k], self.path.began[k]) = (None, None);
                }
                _ => {}
            }
        }
        self.record.update_blows();
        Ok(())
    }

    /// A gap between markers along a normal that turns changes with u only where the markers meet.
    fn require_markers_together(&mut self, t: f64, k: usize) -> Result<(), SimulateError> {
        let spot = self.path.watch.spots[k].0;
        let Some(body) = turning_normal(&self.path.model.contacts[spot.contact].geometry) else {
            return Ok(());
        };
        let at = self.path.watch.posture().at_time(t)?;
        let met = at.touch(spot.contact).at_time(t)?.points()[0];
        let beside = met.on_b - met.on_a;
        let turning = at.frames().twist(Some(body)).ang.cross(&met.normal).dot(&beside);
        let u = at.rate(&at.contact_row(spot.contact, &met, &met.normal));
        // The part of u by which ġ may differ from it where a gap closes.
        if turning.abs() <= zero::MODES * u.abs() {
            return Ok(());
        }
        let apart = (beside - met.normal * met.normal.dot(&beside)).norm();
        Err(SimulateError::MarkersApart { t, contact: self.path.watch.name_of(k), apart })
    }

    /// The work of a spot gets its place in y: memory follows what touches.
    fn open_account(&mut self, k: usize) {
        if self.path.watch.account(k).is_some() {
            return;
        }
        let at = self.path.watch.totals_at();
        self.path.step.y.insert(at, 0.0);
        self.path.step.between.resize(self.path.step.y.len(), 0.0);
        let accounts: Vec<usize> = self.path.watch.accounts.iter().copied().chain([k]).collect();
        self.path.watch.set_accounts(&accounts);
    }

    /// A law begins to act.
    pub fn touch(&mut self, t: f64, k: usize) -> Result<(), SimulateError> {
        let spot = self.path.watch.spots[k].0;
        let (mass, mut speed) = self.path.watch.effective(k).at_time(t)?;
        // The law's own measure of mass and depth. At a dead centre m_eff = ∞ for an instant only: it is that of the bodies without joints.
        let mut law_mass = mass;
        if mass.is_infinite() {
            let Some(free) = self.path.watch.dead_centre_mass(k).at_time(t)? else {
                let own: Vec<bool> =
                    (0..self.path.watch.spots.len()).map(|other| other == k).collect();
                return Err(self.path.watch.blocked(t, &own));
            };
            (law_mass, speed) = (free, 0.0);
        }
        let Some(law) = self.path.watch.laws[spot.contact].clone() else { return Ok(()) };
        let name = || self.path.model.contacts[spot.contact].name.clone();
        let onset = law
            .onset(law_mass, speed.max(self.path.scenario.least_onset_speed))
            .map_err(|error| SimulateError::Law { contact: name(), error })?;
        self.path.watch.spots[k].1 = Status::Touching(onset);
        self.open_account(k);
        self.record.thinning.forget(k);
        let at = self.path.watch.states_at();
        for z in self.path.watch.states[k].clone() {
            self.path.step.y[at + z] = 0.0;
        }
        let see =
            crate::simulate::mode::Observation { gap: 0.0, rate: -speed, ..Default::default() };
        let first = law.force(&crate::simulate::system::indentation(&see), &onset);
        let speed = speed.max(0.0);
        self.record.current[k] = Some(self.record.out.impacts.len());
        self.path.began[k] = Some(Began { t, indented: false });
        let free = self.path.step.before[k].acceleration;
        self.record.out.impacts.push(ImpactRecord {
            peak_force: Some(first.max(0.0)),
            account: self.path.watch.work_of(k, &self.path.step.y),
            ..ImpactRecord::at(spot, t, [mass, speed, free])
        });
        self.observer().begin_reactions(t)?;
        self.record.note(t, self.path.watch.spots[k].0, EventKind::Onset);
        self.observer().join_blow(t, k)
    }

    /// A law stops acting.
    pub fn part(&mut self, t: f64, k: usize) {
        let work = self.path.watch.work_of(k, &self.path.step.y);
        let mass = self.path.watch.effective(k).ok().map(|(mass, _)| mass);
        if let Some(record) = self.record.current[k] {
            let record = &mut self.record.out.impacts[record];
            if record.parting.is_none() {
                record.parting = Some(t);
                record.separation_speed = Some(self.path.step.before[k].rate);
                record.parting_mass = mass;
                let lost = work - record.account;
                let exchanged = record.compression_work.abs().max(record.impact_energy);
                let resolved = lost.abs() > RESOLVED * self.path.scenario.tolerance * exchanged;
                record.energy_lost = if resolved { lost } else { 0.0 };
                self.record.note(t, self.path.watch.spots[k].0, EventKind::Parting);
            }
        }
    }

    fn observer(&mut self) -> Observer<'_, 'm> {
        Observer { path: self.path, record: self.record }
    }
}
