//! Gonzalez, Kövecses, Font-Llagunes: load assessment of impacts.

mod claims;
mod figures;
mod pantograph;
mod sensitivity;
mod studies;

use super::{Figure, Paper};

/// The paper.
pub(super) const PAPER: Paper = Paper {
    number: "002",
    name: "Gonzalez et al.",
    topic: "load assessment of impacts",
    citation: "F. González, J. Kövecses, J. M. Font-Llagunes: Load Assessment and Analysis of Impacts in Multibody Systems. Manuscript for Multibody System Dynamics, without a date; its latest reference is of 2015.",
    claims: claims::claims,
    figures: &[
        Figure { name: "002-sec-2-2", make: sensitivity::figure },
        Figure { name: "002-fig-04", make: |lab| figures::study(lab, "002-fig-04") },
        Figure { name: "002-fig-05", make: |lab| figures::study(lab, "002-fig-05") },
        Figure { name: "002-fig-06", make: |lab| figures::study(lab, "002-fig-06") },
        Figure { name: "002-fig-07", make: |lab| figures::study(lab, "002-fig-07") },
        Figure { name: "002-fig-08", make: |lab| figures::study(lab, "002-fig-08") },
        Figure { name: "002-fig-09", make: |lab| figures::study(lab, "002-fig-09") },
        Figure { name: "002-fig-11", make: |lab| figures::study(lab, "002-fig-11") },
        Figure { name: "002-fig-12-left", make: |lab| figures::study(lab, "002-fig-12-left") },
        Figure { name: "002-fig-12-right", make: |lab| figures::study(lab, "002-fig-12-right") },
        Figure { name: "002-fig-15", make: figures::cases },
        Figure { name: "002-fig-16", make: figures::parabola },
    ],
};
