//! Modarres Najafabadi, Kövecses, Angeles: multiple-point impacts.

mod claims;

use super::Paper;

/// The paper. It has no figures and no numbers; its statements are tried on four mechanisms.
pub(super) const PAPER: Paper = Paper {
    number: "003",
    name: "Modarres Najafabadi et al.",
    topic: "multiple-point impacts",
    citation: "S. A. Modarres Najafabadi, J. Kövecses, J. Angeles: A Novel Approach to Dynamics Analysis of Multiple-Point Impacts Involving Multibody Systems. McGill University; the copy has no date, its latest reference is of 2006.",
    claims: claims::claims,
    figures: &[],
};
