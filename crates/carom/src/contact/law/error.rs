//! What can be wrong with a law, its parameters or an impact under it.

use super::Parameter;
use crate::maths::ode::OdeError;
use thiserror::Error;

/// Why a law cannot be made, or an impact under it has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LawError {
    /// A name that is not in the catalogue.
    #[error("there is no contact law `{name}`{hint}")]
    UnknownLaw {
        /// The name.
        name: String,
        /// What may be meant, beginning with a separator.
        hint: String,
    },
    /// A parameter the law cannot do without.
    #[error("{law}: {parameter} is missing: {}", parameter.doc())]
    Missing {
        /// The law.
        law: &'static str,
        /// What is missing.
        parameter: Parameter,
    },
    /// A parameter the law has no use for.
    #[error("{law} takes no {parameter}; it takes {takes}")]
    Surplus {
        /// The law.
        law: &'static str,
        /// What was given.
        parameter: Parameter,
        /// What it takes.
        takes: String,
    },
    /// A value outside the range in which the law is valid.
    #[error("{law}: {what} {} is not {expected}", shown(*found))]
    OutOfRange {
        /// The law.
        law: &'static str,
        /// Of what.
        what: &'static str,
        /// The value.
        found: f64,
        /// The range.
        expected: &'static str,
    },
    /// An approach speed the law would divide by.
    #[error("{law}: its damping has no bound at an approach speed of {} m/s", shown(*found))]
    NeedsSpeed {
        /// The law.
        law: &'static str,
        /// δ̇⁻ \[m/s\].
        found: f64,
    },
    /// A force that resists nothing: the pair would go through each other.
    #[error("{law}: its force does not stop the approach at {} m/s", shown(*speed))]
    DoesNotResist {
        /// The law.
        law: &'static str,
        /// δ̇⁻ \[m/s\].
        speed: f64,
    },
    /// An impact that has not come to its end after very many steps.
    #[error("{law}: the impact has not ended after {steps} steps of integration, at {} s", shown(*time))]
    DoesNotEnd {
        /// The law.
        law: &'static str,
        /// Steps taken.
        steps: usize,
        /// How far it came \[s\].
        time: f64,
    },
    /// A force that is not a number.
    #[error(
        "{law}: its force is {} at an indentation of {} m and {} m/s",
        shown(*found),
        shown(*delta),
        shown(*delta_dot)
    )]
    NotFinite {
        /// The law.
        law: &'static str,
        /// F.
        found: f64,
        /// δ \[m\].
        delta: f64,
        /// δ̇ \[m/s\].
        delta_dot: f64,
    },
    /// The integration failed.
    #[error("{law}: {problem}")]
    Integration {
        /// The law.
        law: &'static str,
        /// How.
        problem: OdeError,
    },
}

/// A number with its exponent where it would be a row of zeros.
fn shown(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || !size.is_finite() || (1e-5..1e15).contains(&size) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

impl LawError {
    /// Whether m_eff and δ̇⁻ are what they have to be for any law.
    pub(super) fn check_onset(
        law: &'static str,
        effective_mass: f64,
        speed: f64,
    ) -> Result<(), Self> {
        if !(effective_mass > 0.0 && effective_mass.is_finite()) {
            let (what, expected) = ("an effective mass of", "a positive finite mass [kg]");
            return Err(Self::OutOfRange { law, what, found: effective_mass, expected });
        }
        if !(speed >= 0.0 && speed.is_finite()) {
            let (what, expected) = ("an approach speed of", "a finite speed of at least 0 [m/s]");
            return Err(Self::OutOfRange { law, what, found: speed, expected });
        }
        Ok(())
    }
}
