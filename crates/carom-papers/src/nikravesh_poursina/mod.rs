//! Nikravesh, Poursina: effective mass for continuous contact models.

mod claims;
mod cost;
mod example_5;
mod figures;
mod formulas;

use super::{Figure, Paper};

/// The paper.
pub(super) const PAPER: Paper = Paper {
    number: "000",
    name: "Nikravesh-Poursina",
    topic: "effective mass for continuous contact models",
    citation: "P. E. Nikravesh, M. Poursina: Determination of Effective Mass for Continuous Contact Models in Multibody Dynamics. The copy has no date; its latest reference is of 2022.",
    claims: claims::claims,
    figures: &[
        Figure { name: "000-fig-02", make: figures::two_models },
        Figure { name: "000-fig-10", make: figures::crank_angle },
        Figure { name: "000-fig-12", make: figures::two_pendulums },
        Figure { name: "000-eqs-09-13", make: figures::accuracy },
    ],
};

/// The example files.
const ROD: &str = "000/rod-on-wall.toml";
const SLIDING: &str = "000/sliding-mass.toml";
const PENDULUMS: &str = "000/double-pendulum-strikes-pendulum.toml";
const SLIDER_CRANK: &str = "000/slider-crank.toml";
const CHAIN: &str = "two-ends-of-one-chain.toml";
