//! Stronge's law.

use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};

/// Energetic: expansion gives back e² of the work the normal impulse took in compression,
/// ∫ u_n dϖ over expansion = −e² ∫ u_n dϖ over compression.
///
/// Source: Stronge 1990. Sliding, sticking and reversal are followed in the impulse: exactly in the plane, by integrating the
/// slip's direction in space (Keller 1986).
///
/// Units: u in m/s, ϖ in N s, work in J. Sign: approaching is u < 0. Range: one closing contact, and no other that its impulse
/// would close, or several that do not feel each other; with more it refuses. It never creates energy.
///
/// When to choose it: one eccentric impact with friction, where Newton's e can create energy and Poisson's can dissipate for
/// e = 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Energetic;

impl ImpactLaw for Energetic {
    fn name(&self) -> &'static str {
        "energetic"
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if let Err(closing) = memory.alone(impact, Ending::Energetic, out)? {
            return Err(ImpactError::OneContactOnly { law: self.name(), closing });
        }
        Ok(())
    }
}
