//! How well the ledger of a run balances.

use crate::maths::zero;
use crate::simulate::record::outcome::{Ledger, Outcome};

/// A drift of more than this many times the tolerance, in parts of the largest energy, calls for caution.
const CAUTION: f64 = 1e3;
/// A drift above this part of the largest energy makes a run wrong.
const WRONG: f64 = 0.01;

/// What a drift of the energy means for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DriftLevel {
    /// What the tolerance lets expect.
    Fine,
    /// More than 1e3 × tolerance × the largest energy.
    Caution,
    /// More than 1 % of the largest energy.
    Error,
}

impl Outcome {
    /// The largest T + V + elastic energy of contacts \[J\], with V from its least value; where nothing moves, |V|.
    pub fn largest_energy(&self) -> f64 {
        let ledgers = || self.samples.iter().map(|s| &s.ledger);
        let least = ledgers().map(|l| l.potential).fold(f64::INFINITY, f64::min);
        let energy = |l: &Ledger| l.kinetic + (l.potential - least) + l.contact_elastic;
        let largest = ledgers().map(energy).fold(0.0, f64::max);
        let held = ledgers().map(|l| l.potential.abs()).fold(0.0, f64::max);
        // An energy below this part of V is the round-off of a machine at rest.
        if largest > zero::SOLVED * held { largest } else { held }
    }

    /// The drift divided by the largest energy; zero where there is no energy.
    pub fn relative_drift(&self) -> f64 {
        let largest = self.largest_energy();
        if largest > 0.0 { self.drift / largest } else { 0.0 }
    }

    /// What the drift means for a run of this tolerance.
    pub fn drift_level(&self, tolerance: f64) -> DriftLevel {
        match self.relative_drift() {
            drift if !(drift <= WRONG) => DriftLevel::Error,
            drift if drift > CAUTION * tolerance => DriftLevel::Caution,
            _ => DriftLevel::Fine,
        }
    }
}
