//! Works of contacts as entries of y: memory follows what touches.

use crate::simulate::mode::Observation;
use crate::simulate::system::Motion;

impl Motion<'_> {
    /// Where the work of a spot stands in y; nowhere before a force law has acted on it.
    pub fn account(&self, spot: usize) -> Option<usize> {
        let account = self.accounts.iter().position(|k| *k == spot);
        account.map(|account| self.works_at() + account)
    }

    /// The work of a spot \[J\].
    pub fn work_of(&self, spot: usize, y: &[f64]) -> f64 {
        self.account(spot).map_or(0.0, |at| y[at])
    }

    /// Gives these spots works in y.
    pub fn set_accounts(&mut self, accounts: &[usize]) {
        self.accounts.clear();
        self.accounts.extend_from_slice(accounts);
        let dimension = self.dimension();
        self.felt.resize(dimension, false);
        self.room.resize(dimension, 0.0);
    }

    /// Takes over what was seen last of all spots that are not out of reach.
    pub fn copy_seen(&self, out: &mut [Observation]) {
        let near = self.far.iter().zip(out.iter_mut().zip(&self.seen)).filter(|(far, _)| !**far);
        near.for_each(|(_, (out, seen))| *out = *seen);
    }
}
