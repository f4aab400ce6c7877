//! Samples of the state, and the ledger of energies.

use crate::maths::Wrench;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::Status;
use crate::simulate::record::Observer;
use crate::simulate::record::Recorder;
use crate::simulate::record::outcome::{Ledger, Sample};
use crate::simulate::scenario::Scenario;

impl Observer<'_, '_> {
    /// Evenly spaced samples up to a time, and the records of contacts that touch or rest.
    pub fn samples_until(&mut self, t: f64) -> Result<(), SimulateError> {
        let (t_old, until) = (self.path.method.t_old(), self.path.scenario.until);
        self.observe_contacts()?;
        loop {
            let at = until * self.record.next_sample as f64 / self.path.scenario.samples as f64;
            if at > t {
                return Ok(());
            }
            if at > t_old {
                self.path.method.interpolate(
                    &mut self.path.system,
                    at,
                    &mut self.path.step.between,
                )?;
                std::mem::swap(&mut self.path.step.y, &mut self.path.step.between);
                let done = self.sample(at, false);
                std::mem::swap(&mut self.path.step.y, &mut self.path.step.between);
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
        let impact_energies = if self.path.scenario.records_energies() {
            let energies = self.path.watch.energies_along();
            let energies = energies.at_time(t)?;
            energies.iter().map(|e| e.0).collect()
        } else {
            Vec::new()
        };
        let mut reactions = Vec::new();
        self.write_reactions(t, &mut reactions)?;
        let mut state = self.path.watch.place(t, &self.path.step.y).clone();
        if !event {
            self.path.watch.make_unit(&mut state);
        }
        self.record.insert_sample(Sample { state, ledger, impact_energies, reactions, event });
        Ok(())
    }

    /// What joints and closures transmit at the state observed last, if it is asked for.
    pub fn write_reactions(&mut self, t: f64, out: &mut Vec<f64>) -> Result<(), SimulateError> {
        out.clear();
        if self.path.scenario.reactions {
            self.path.watch.transmit().at_time(t)?;
            let parts = |w: &Wrench| [w.force, w.moment];
            let all = self.path.watch.transmitted.iter().flat_map(parts);
            out.extend(all.flat_map(|x| [x.x, x.y, x.z]));
        }
        Ok(())
    }

    /// Energies and works at `y`.
    pub fn ledger(&mut self, t: f64) -> Result<Ledger, SimulateError> {
        self.path.watch.observe(t, &self.path.step.y).at_time(t)?;
        let y = std::mem::take(&mut self.path.step.y);
        let ledger = self.ledger_of(t, &y);
        self.path.step.y = y;
        ledger
    }

    /// Energies and works at a y that was observed last.
    pub fn ledger_of(&mut self, t: f64, y: &[f64]) -> Result<Ledger, SimulateError> {
        let [kinetic, potential] = self.path.watch.energies().at_time(t)?;
        let works = &y[self.path.watch.works_at()..];
        let mut elastic = 0.0;
        for ((spot, status), see) in self.path.watch.spots.iter().zip(self.path.watch.seen()) {
            if let (Status::Touching(onset), Some(law)) =
                (status, &self.path.watch.laws[spot.contact])
            {
                elastic += law.elastic_energy(-see.gap, onset);
            }
        }
        let n = self.path.watch.accounts.len();
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

impl Recorder {
    /// Records a sample behind all that are not later: those inside a step are not found in the order of time.
    pub fn insert_sample(&mut self, sample: Sample) {
        let t = sample.state.t;
        let before = self.out.samples.iter().rposition(|s| s.state.t <= t);
        self.out.samples.insert(before.map_or(0, |k| k + 1), sample);
    }
}

impl Scenario {
    /// Whether samples have T_c along the contacts: not where the first impact is all that is asked for, and nothing within it.
    fn records_energies(&self) -> bool {
        self.records_inside() || self.first_of.is_none()
    }
}
