//! Newton's law in Moreau's form.

use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};

/// Newton: 0 ≤ u_n⁺ + e min(u_n⁻, 0) ⟂ p_n ≥ 0 at each contact, with its own e.
///
/// Moreau's form (Moreau 1988; Glocker 2001): a row that closes is thrown back with e times its speed or faster, a row
/// that already parts is only kept from closing. The impulses are those of the least ½ pᵀ W p + pᵀ (u⁻ + e min(u⁻, 0)) over
/// p ≥ 0.
///
/// Friction. If one contact carries the impact (no other closes, before or after) its process is followed exactly to
/// u_n⁺ = −e u_n⁻. With several at once there is no order of events to follow: Coulomb's cone and the greatest dissipation at
/// the velocities of the end, u_t⁺ = −κ p_t on the cone's border, together with the condition above on the normals.
///
/// Units: u in m/s, p in N s. Sign: approaching is u < 0, p ≥ 0 pushes apart. Range: any number of contacts, dependent ones
/// too; with friction, or with different e at coupled contacts, it can create energy, and then says so.
///
/// When to choose it: e is known from drop tests, impacts are central or friction is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newton;

impl ImpactLaw for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        moreau(impact, memory, out, Ending::Newton)
    }
}

/// Newton's law, or the plastic one: then no contact has an e. One contact with friction by its process.
pub(super) fn moreau(
    impact: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
    ending: Ending,
) -> Result<(), ImpactError> {
    if memory.closing() == 0 || impact.rough() && memory.alone(impact, ending, out)?.is_ok() {
        return Ok(());
    }
    moreau_at_end(impact, memory, out, ending)
}

/// The same with friction judged at the velocities of the end, for any number of contacts.
pub(super) fn moreau_at_end(
    impact: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
    ending: Ending,
) -> Result<(), ImpactError> {
    let aim = |i: usize, u: f64| match ending {
        Ending::Plastic => u,
        _ => u + impact.contacts()[i].restitution * u.min(0.0),
    };
    if impact.rough() {
        memory.rows.copy_from_slice(impact.u());
        for (i, &row) in memory.first.iter().enumerate() {
            memory.rows[row] = aim(i, impact.u()[row]);
        }
        memory.c.fill(0.0);
        return memory.cones(impact, out);
    }
    for i in 0..memory.c.len() {
        memory.c[i] = aim(i, memory.u[i]);
    }
    memory.complementarity(impact, out)?;
    memory.spread(out);
    Ok(())
}
