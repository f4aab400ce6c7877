//! Friction judged at the velocities of the end, for one contact as for many.

use super::memory::ImpactMemory;
use super::newton::moreau_at_end;
use super::poisson::phases_at_end;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};

/// The law whose conditions hold at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndLaw {
    /// 0 ≤ u_n⁺ + e min(u_n⁻, 0) ⟂ p_n ≥ 0.
    Newton,
    /// Compression, then p_n ≥ e p_c.
    Poisson,
    /// 0 ≤ u_n⁺ ⟂ p_n ≥ 0.
    Plastic,
}

/// Newton's, Poisson's or the plastic law with Coulomb's condition at the velocities of the end, whatever the number of contacts:
/// p_t in the disc μ p_n with the greatest dissipation −p_tᵀ u_t⁺ (Moreau 1988).
///
/// [`Newton`](super::Newton) and the others follow one contact through its impact, and judge several at the end, so that a second contact at the same
/// point changes the answer. This law judges one contact as it judges many: a contact that is doubled changes nothing.
///
/// Units: u in m/s, p in N s. Sign: approaching is u < 0. Range: any contacts. Without friction it is the inner law.
///
/// When to choose it: answers shall not depend on how many points stand for one contact; time-stepping codes use this law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtEnd {
    /// The law.
    pub inner: EndLaw,
}

impl ImpactLaw for AtEnd {
    fn name(&self) -> &'static str {
        match self.inner {
            EndLaw::Newton => "newton-at-end",
            EndLaw::Poisson => "poisson-at-end",
            EndLaw::Plastic => "plastic-at-end",
        }
    }

    fn takes_restitution(&self) -> bool {
        self.inner != EndLaw::Plastic
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if memory.closing() == 0 {
            return Ok(());
        }
        match self.inner {
            EndLaw::Newton => moreau_at_end(impact, memory, out, Ending::Newton),
            EndLaw::Plastic => moreau_at_end(impact, memory, out, Ending::Plastic),
            EndLaw::Poisson => phases_at_end(impact, memory, out),
        }
    }
}
