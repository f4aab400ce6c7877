//! Contacts that stay: from when to when, and with which force.

use crate::simulate::mode::Spot;
use crate::simulate::record::Observer;

use serde::{Deserialize, Serialize};

/// A contact that stayed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stay {
    /// Where.
    pub spot: Spot,
    /// Since when \[s\].
    #[serde(with = "crate::maths::exact")]
    pub from: f64,
    /// Until when \[s\]; none while it still stays.
    #[serde(with = "crate::maths::exact")]
    pub to: Option<f64>,
    /// F_N at the beginning \[N\].
    #[serde(with = "crate::maths::exact")]
    pub first_force: f64,
    /// The greatest F_N \[N\].
    #[serde(with = "crate::maths::exact")]
    pub peak_force: f64,
    /// When it acted \[s\].
    #[serde(with = "crate::maths::exact")]
    pub time_of_peak: f64,
    /// Whether F_N is unique all the time: rigid contacts that depend on each other share a load in many ways, of which the run takes one.
    pub unique: bool,
}

impl Stay {
    /// Takes what is greater.
    pub(in crate::simulate) fn raise(&mut self, t: f64, force: f64) {
        if force > self.peak_force {
            (self.peak_force, self.time_of_peak) = (force, t);
        }
    }
}

impl Observer<'_, '_> {
    /// After an event: stays that began or ended with it.
    pub fn record_stays(&mut self, t: f64) {
        for k in 0..self.path.watch.spots.len() {
            let (spot, status) = self.path.watch.spots[k];
            let stays = status.stays();
            let unique = self.path.watch.constraints.is_unique(k);
            match self.record.stays[k] {
                Some(open) if !stays => {
                    self.record.out.stays[open].to = Some(t);
                    self.record.stays[k] = None;
                }
                None if stays => {
                    self.record.stays[k] = Some(self.record.out.stays.len());
                    self.record.thinning.forget(k);
                    let force = self.path.step.before[k].force;
                    let (first_force, peak_force) = (force, force);
                    let (from, to, time_of_peak) = (t, None, t);
                    let stay =
                        Stay { spot, from, to, first_force, peak_force, time_of_peak, unique };
                    self.record.out.stays.push(stay);
                }
                Some(open) => self.record.out.stays[open].unique &= unique,
                _ => {}
            }
        }
    }
}
