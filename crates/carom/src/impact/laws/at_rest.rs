//! Contacts at rest: the same conditions on accelerations and forces.

use super::ImpactError;
use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::solution::ImpactSolution;

/// Coulomb's law at contacts that touch and do not approach, with the problem's velocities read as accelerations without contact
/// forces and its impulses as forces:
///
/// ```text
/// 0 ≤ F_n ⟂ u̇_n ≥ 0      F_t in the disc μ F_n, and of all in it the one with the least F_tᵀ u̇_t
/// ```
///
/// Cones at the end for any number of contacts: no process leads there.
pub(crate) fn forces_at_rest(
    contacts: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    memory.begin(contacts, out);
    memory.rows.copy_from_slice(contacts.u());
    memory.c.fill(0.0);
    memory.cones(contacts, out)?;
    memory.finish(contacts, out);
    Ok(())
}
