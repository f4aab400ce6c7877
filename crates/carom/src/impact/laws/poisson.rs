//! Poisson's law.

use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};
use crate::maths::zero;

/// Poisson: compression ends at rest; expansion gives back e times its impulse, p_n = (1 + e) p_c, or more where a contact
/// would otherwise close.
///
/// ```text
/// compression   0 ≤ p_c ⟂ u_c = u⁻ + W p_c ≥ 0
/// expansion     0 ≤ p_e − e p_c ⟂ u⁺ = u_c + W p_e ≥ 0
/// ```
///
/// Source: Glocker and Pfeiffer 1995, without tangential restitution. Each phase is the condition of a least energy.
///
/// Friction. One contact that carries the impact: its process is followed exactly to ϖ = (1 + e) ϖ_c. Several: Coulomb's
/// cone and the greatest dissipation at the end of each phase, with that phase's impulses.
///
/// Units: u in m/s, p in N s. Sign: approaching is u < 0. Range: any number of contacts; dependent contacts with
/// different e have no unique answer, and the shortest p_c is taken.
///
/// When to choose it: oblique impacts with friction, or impulses that shall hang together at contacts struck at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Poisson;

impl ImpactLaw for Poisson {
    fn name(&self) -> &'static str {
        "poisson"
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let rough = impact.rough();
        if memory.closing() == 0 || rough && memory.alone(impact, Ending::Poisson, out)?.is_ok() {
            return Ok(());
        }
        phases_at_end(impact, memory, out)
    }
}

/// Compression and expansion with friction judged at the velocities of each phase's end, for any number of contacts.
pub(super) fn phases_at_end(
    impact: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    if impact.rough() { rough(impact, memory, out) } else { smooth(impact, memory, out) }
}

fn smooth(
    impact: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    let k = memory.u.len();
    memory.c.copy_from_slice(&memory.u);
    memory.complementarity(impact, out)?;
    memory.spread(out);
    // u_c is zero where there is an impulse and not negative elsewhere: what round-off makes of it would matter between
    // contacts that hold each other.
    let mut short = 0.0_f64;
    for i in 0..k {
        let W = &memory.W[i * k..(i + 1) * k];
        let (mut u_c, mut given) = (memory.u[i], 0.0);
        for (j, w) in W.iter().enumerate() {
            let p = out.impulses[memory.first[j]];
            u_c += w * p;
            given += w * impact.contacts()[j].restitution * p;
        }
        let struck = out.impulses[memory.first[i]] > 0.0;
        memory.c[i] = given + if struck { 0.0 } else { u_c.max(0.0) };
        short = short.min(memory.c[i]);
    }
    for (i, &row) in memory.first.iter().enumerate() {
        out.impulses[row] *= 1.0 + impact.contacts()[i].restitution;
    }
    if short < -zero::SOLVED * memory.size {
        memory.complementarity(impact, out)?;
        for (&row, x) in memory.first.iter().zip(&memory.p) {
            out.impulses[row] += x;
        }
        // Two shortest parts have no shortest sum.
        out.notes.one_of_many = true;
    }
    let struck =
        impact.contacts().iter().zip(&memory.first).filter(|(_, at)| out.impulses[**at] > 0.0);
    let mut given = struck.map(|(contact, _)| contact.restitution);
    let first = given.next();
    out.notes.one_of_many |= given.any(|e| Some(e) != first);
    Ok(())
}

fn rough(
    impact: &ImpactProblem<'_>,
    memory: &mut ImpactMemory,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    memory.rows.copy_from_slice(impact.u());
    memory.c.fill(0.0);
    memory.cones(impact, out)?;
    let n = impact.rows();
    for (row, u) in memory.rows.iter_mut().enumerate() {
        let W = &impact.W()[row * n..(row + 1) * n];
        *u += W.iter().zip(&out.impulses).map(|(w, p)| w * p).sum::<f64>();
    }
    // Compression has ended at rest: what round-off leaves would matter between contacts that hold each other.
    // What compression leaves of velocities below this fraction of the largest before the impact is round-off.
    let rest =
        (memory.cone.residuals.velocity + zero::SOLVED * memory.fastest).max(impact.round_off());
    memory.rows.iter_mut().filter(|u| u.abs() <= rest).for_each(|u| *u = 0.0);
    for (i, &row) in memory.first.iter().enumerate() {
        memory.c[i] = impact.contacts()[i].restitution * out.impulses[row];
    }
    memory.cones(impact, out)
}
