//! Fenili, Souza, Schäfer: the constrained bar.

mod claims;
mod figures;
mod formula;
mod runs;

use super::{Figure, Paper};

/// The paper.
pub(super) const PAPER: Paper = Paper {
    number: "004",
    name: "Fenili et al.",
    topic: "the constrained bar",
    citation: "A. Fenili, L. C. Gadelha de Souza, B. Schäfer: The Determination of the Velocities after Impact for the Constrained Bar Problem. Research article, received 27 May 2009, accepted 23 November 2009.",
    claims: claims::claims,
    figures: &[
        Figure { name: "004-fig-04", make: |lab| figures::bar(lab, 0) },
        Figure { name: "004-fig-05", make: |lab| figures::bar(lab, 1) },
        Figure { name: "004-fig-06", make: |lab| figures::bar(lab, 2) },
        Figure { name: "004-fig-07", make: |lab| figures::bar(lab, 3) },
        Figure { name: "004-fig-08", make: |lab| figures::bar(lab, 4) },
        Figure { name: "004-fig-09", make: |lab| figures::bar(lab, 5) },
        Figure { name: "004-sec-6", make: figures::energy },
        Figure { name: "004-next-steps", make: figures::next_steps },
    ],
};
