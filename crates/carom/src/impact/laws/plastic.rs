//! The plastic impact.

use super::memory::ImpactMemory;
use super::newton::moreau;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};

/// Plastic: 0 ≤ u_n⁺ ⟂ p_n ≥ 0, Newton's law with e = 0 whatever the contacts ask for.
///
/// Of all motions that part no contact the wrong way, v⁺ is the nearest to v⁻ in the metric of M (Moreau 1988). A contact
/// that the others lift opens: that is a biped's heel strike, and the bar of Fenili et al. (eq. 4.33).
///
/// Units, signs and friction as in [`Newton`](super::Newton). Range: any contacts; without friction it always has an answer and
/// never creates energy.
///
/// When to choose it: contacts that close and stay, feet, latches, clay; or as the lower limit of all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plastic;

impl ImpactLaw for Plastic {
    fn name(&self) -> &'static str {
        "plastic"
    }

    fn takes_restitution(&self) -> bool {
        false
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        moreau(impact, memory, out, Ending::Plastic)
    }
}
