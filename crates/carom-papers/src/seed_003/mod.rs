//! Modarres Najafabadi, Kövecses, Angeles: multiple-point impacts.

mod claims;

use super::Paper;

/// The paper. It has no figures and no numbers; its statements are tried on four mechanisms.
pub(super) const PAPER: Paper = Paper {
    number: "003",
    title: "Modarres Najafabadi, Kövecses, Angeles: multiple-point impacts",
    claims: claims::claims,
    figures: &[],
};
