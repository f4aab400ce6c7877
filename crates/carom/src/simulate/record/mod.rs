//! What a run leaves behind: impacts, lasting contacts, reactions, samples and the ledger.

pub(in crate::simulate) mod blow;
pub(in crate::simulate) mod drift;
pub(in crate::simulate) mod duration;
pub(in crate::simulate) mod extremes;
pub(in crate::simulate) mod least_gap;
pub(in crate::simulate) mod outcome;
pub(in crate::simulate) mod peaks;
pub(in crate::simulate) mod reactions;
pub(in crate::simulate) mod samples;
pub(in crate::simulate) mod stays;
pub(in crate::simulate) mod thinning;
