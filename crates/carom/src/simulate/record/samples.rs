//! What a run writes down on its way: samples, contacts while they touch, the ledger.

use crate::maths::Wrench;
use crate::simulate::SimulateError;
use crate::simulate::mode::Status;
use crate::simulate::record::outcome::{Ledger, Sample};
use crate::simulate::run::Runner;

impl Runner<'_> {
    /// Even samples up to a time, and looks at contacts that touch or stay.
    pub fn samples_until(&mut self, t: f64) -> Result<(), SimulateError> {
        let (t_old, until) = (self.method.t_old(), self.scenario.until);
        self.observe_contacts()?;
        loop {
            let at = until * self.record.next_sample as f64 / self.scenario.samples as f64;
            if at > t {
                return Ok(());
            }
            if at > t_old {
                self.method.interpolate(&mut self.system, at, &mut self.step.between)?;
                std::mem::swap(&mut self.step.y, &mut self.step.between);
                let done = self.sample(at, false);
                std::mem::swap(&mut self.step.y, &mut self.step.between);
                done?;
            }
            self.record.next_sample += 1;
        }
    }

    /// Writes down the state of `y`.
    pub fn sample(&mut self, t: f64, event: bool) -> Result<(), SimulateError> {
        let ledger = self.ledger(t)?;
        // What projections take is an error of the run, too.
        let missing = (ledger.balance() - self.record.energy.begin).abs();
        let missing = missing + self.record.energy.projection_loss.abs();
        self.record.out.drift = self.record.out.drift.max(missing);
        let impact_energies = if self.records_energies() {
            let energies = self.watch.energies_along();
            let energies = energies.map_err(|error| SimulateError::Motion { t, error })?;
            energies.iter().map(|e| e.0).collect()
        } else {
            Vec::new()
        };
        let mut reactions = Vec::new();
        self.write_reactions(t, &mut reactions)?;
        let mut state = self.watch.place(t, &self.step.y).clone();
        if !event {
            self.watch.make_unit(&mut state);
        }
        self.insert_sample(Sample { state, ledger, impact_energies, reactions, event });
        Ok(())
    }

    /// Whether samples have T_c along the contacts: not where the first impact is all that is asked for, and nothing within it.
    fn records_energies(&self) -> bool {
        self.records_inside() || self.scenario.first_of.is_none()
    }

    /// Records a sample behind all that are not later: those inside a step are not found in the order of time.
    pub fn insert_sample(&mut self, sample: Sample) {
        let t = sample.state.t;
        let before = self.record.out.samples.iter().rposition(|s| s.state.t <= t);
        self.record.out.samples.insert(before.map_or(0, |k| k + 1), sample);
    }

    /// What joints and closures transmit at the state observed last, if it is asked for.
    pub fn write_reactions(&mut self, t: f64, out: &mut Vec<f64>) -> Result<(), SimulateError> {
        out.clear();
        if self.scenario.reactions {
            self.watch.transmit().map_err(|error| SimulateError::Motion { t, error })?;
            let parts = |w: &Wrench| [w.force, w.moment];
            let all = self.watch.transmitted.iter().flat_map(parts);
            out.extend(all.flat_map(|x| [x.x, x.y, x.z]));
        }
        Ok(())
    }

    /// Energies and works at `y`.
    pub fn ledger(&mut self, t: f64) -> Result<Ledger, SimulateError> {
        self.watch.observe(t, &self.step.y).map_err(|error| SimulateError::Motion { t, error })?;
        let y = std::mem::take(&mut self.step.y);
        let ledger = self.ledger_of(t, &y);
        self.step.y = y;
        ledger
    }

    /// Energies and works at a y that was observed last.
    pub fn ledger_of(&mut self, t: f64, y: &[f64]) -> Result<Ledger, SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let [kinetic, potential] = self.watch.energies().map_err(wrong)?;
        let works = &y[self.watch.works_at()..];
        let mut elastic = 0.0;
        for ((spot, status), see) in self.watch.spots.iter().zip(self.watch.seen()) {
            if let (Status::Touching(onset), Some(law)) = (status, &self.watch.laws[spot.contact]) {
                elastic += law.elastic_energy(-see.gap, onset);
            }
        }
        let n = self.watch.accounts.len();
        let taken: f64 = works[..n].iter().sum();
        Ok(Ledger {
            kinetic,
            potential,
            contact_elastic: elastic,
            contact_loss: taken - elastic,
            impulse_loss: self.record.energy.impulse_loss,
            damper_loss: -works[n],
            load_work: works[n + 1],
            drive_work: works[n + 2],
            friction_loss: -works[n + 3],
            projection_loss: self.record.energy.projection_loss,
        })
    }
}
