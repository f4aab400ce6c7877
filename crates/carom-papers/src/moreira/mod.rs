//! Moreira, Flores, Claro, Lankarani: dissipative contact models.

mod ball;
mod claims;
mod figures;
mod spheres;

use super::{Figure, Paper};

/// The paper.
pub(super) const PAPER: Paper = Paper {
    number: "001",
    name: "Moreira et al.",
    topic: "dissipative contact models",
    citation: "P. Moreira, P. Flores, J. C. Pimenta Claro, H. Lankarani: Influence of the dissipative contact models on the dynamic response of multibody systems. The copy has no date; its latest reference is of 2011.",
    claims: claims::claims,
    figures: &[
        Figure { name: "001-fig-01", make: figures::hooke },
        Figure { name: "001-fig-02", make: figures::hertz },
        Figure { name: "001-fig-03", make: figures::kelvin_voigt },
        Figure { name: "001-fig-04", make: figures::three_laws },
        Figure { name: "001-fig-06", make: figures::elastic_ball },
        Figure { name: "001-fig-07abc", make: figures::balls },
        Figure { name: "001-fig-07d", make: figures::restitutions },
    ],
};

/// The laws of figs. 4 and 7: eqs. 10, 12 and 17.
const THREE: [&str; 3] = ["hunt-crossley", "lankarani-nikravesh", "flores"];
