//! Moreira, Flores, Claro, Lankarani: dissipative contact models.

mod ball;
mod claims;
mod figures;
mod spheres;

use super::{Figure, Paper};

/// The paper.
pub(super) const PAPER: Paper = Paper {
    number: "001",
    title: "Moreira, Flores, Claro, Lankarani: dissipative contact models",
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
