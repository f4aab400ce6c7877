//! What must hold of an impact, and by how much it does.

use schemars::JsonSchema;
use serde::Serialize;

use super::laws::{ImpactSolution, constrained_energy};
use super::strike::Strike;
use crate::contact::IMMOBILE;
use crate::dynamics::Solution;
use crate::maths::digits::clean;

/// The audit of one impact.
///
/// Energy is judged by the contacts' own work ½ pᵀ (u⁺ + u⁻), eq. (6.7): where drives move, ΔT holds what they gave as well, νᵀ σ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Audit {
    /// T⁻ \[J\].
    pub kinetic_before: f64,
    /// T⁺ \[J\].
    pub kinetic_after: f64,
    /// ½ pᵀ (u⁺ + u⁻) \[J\]; positive is energy from nowhere.
    pub contact_work: f64,
    /// νᵀ σ of the drives \[J\].
    pub drive_work: f64,
    /// ΔT − contact work − drive work \[J\]: round-off.
    pub energy_residual: f64,
    /// T_c⁻ over the rows that are struck: those of closing points, of points that these drive together, and all that got an impulse \[J\].
    pub constrained_before: f64,
    /// T_c⁺ over the same rows \[J\].
    pub constrained_after: f64,
    /// T_a⁻ = T⁻ − T_c⁻ \[J\].
    pub admissible_before: f64,
    /// T_a⁺ \[J\]; the same unless drives move.
    pub admissible_after: f64,
    /// e* = √(T_c⁺/T_c⁻), the restitution delivered; none without an impulse, and where T_c⁻ is round-off.
    pub restitution_delivered: Option<f64>,
    /// The least normal impulse \[N s\]: not negative.
    pub least_impulse: f64,
    /// The least u_n⁺ \[m/s\]: not negative but for round-off.
    pub least_velocity: f64,
    /// The largest |p_t| − μ p_n \[N s\]: not positive but for round-off.
    pub cone: f64,
    /// The largest entry of M Δv − Aᵀ p − Dᵀ σ along a free velocity \[N s\] or \[N m s\].
    pub momentum_residual: f64,
    /// The largest |A v⁺ − u⁺| \[m/s\].
    pub velocity_residual: f64,
    /// The largest |D Δv| of the closures.
    pub closure_residual: f64,
    /// Whether drives move: then T and T_a depend on the frame.
    pub frame_dependent: bool,
    /// Whether drives move and friction acts: then T_c and e* hold slip that a drive gives and no impulse changes.
    pub driven_slip: bool,
}

impl Audit {
    /// The same for people: what round-off leaves of T⁻ and T_c⁻ is nothing. T_c and the contact work follow from u, so T is not the scale of
    /// their round-off.
    pub fn cleaned(&self) -> Self {
        let constrained_after = clean(self.constrained_after, self.constrained_before);
        let delivered = |e| if constrained_after == 0.0 { 0.0 } else { e };
        Self {
            kinetic_after: clean(self.kinetic_after, self.kinetic_before),
            contact_work: clean(self.contact_work, self.constrained_before),
            constrained_after,
            admissible_before: clean(self.admissible_before, self.kinetic_before),
            admissible_after: clean(self.admissible_after, self.kinetic_before),
            restitution_delivered: self.restitution_delivered.map(delivered),
            ..*self
        }
    }

    pub(super) fn new(
        strike: &Strike<'_>,
        solution: &ImpactSolution,
        velocities: &[f64],
        along: &[f64],
        change: &Solution,
    ) -> Self {
        let at = strike.at();
        let model = at.model();
        let twists = at.twists(velocities);
        let (kinetic_before, kinetic_after) =
            (at.kinetic_energy(), at.kinetic_form(&twists, velocities));
        let drive_work: f64 = model.drives.iter().map(|d| at.state().v[d.v] * along[d.v]).sum();
        let contact_work = solution.notes.contact_work;
        // If all impulses are zero there was no impact.
        let any = solution.impulses.iter().any(|p| *p != 0.0);
        let takes_part =
            |k: &usize| solution.impulses[*k] != 0.0 || any && strike.struck.contains(k);
        let force: Vec<usize> = (0..strike.rows.len()).filter(takes_part).collect();
        let constrained_before = constrained_energy(&strike.W, &force, &strike.u);
        let constrained_after = constrained_energy(&strike.W, &force, &solution.after);
        // The sum of what each row has alone: the scale of round-off in T_c⁻.
        let alone = |k: &usize| {
            let own = strike.W[k * strike.rows.len() + k];
            if own > 0.0 { 0.5 * strike.u[*k].powi(2) / own } else { 0.0 }
        };
        let alone: f64 = force.iter().map(alone).sum();
        let driven = model.drives.iter().any(|d| at.state().v[d.v] != 0.0);
        let is_normal = |row: &usize| strike.points.iter().any(|p| p.row == *row);
        let largest = |x: &mut dyn Iterator<Item = f64>| x.fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut out = Self {
            kinetic_before,
            kinetic_after,
            contact_work,
            drive_work,
            energy_residual: kinetic_after - kinetic_before - contact_work - drive_work,
            constrained_before,
            constrained_after,
            admissible_before: kinetic_before - constrained_before,
            admissible_after: kinetic_after - constrained_after,
            restitution_delivered: (constrained_before > IMMOBILE * alone)
                .then(|| (constrained_after / constrained_before).max(0.0).sqrt()),
            least_impulse: f64::INFINITY,
            least_velocity: f64::INFINITY,
            cone: f64::NEG_INFINITY,
            momentum_residual: largest(
                &mut (0..model.nv).filter(|c| at.layout().is_free(*c)).map(|c| along[c]),
            ),
            velocity_residual: 0.0,
            closure_residual: largest(&mut at.closure_rates(&change.x).into_iter()),
            frame_dependent: driven,
            driven_slip: driven && force.iter().any(|row| !is_normal(row)),
        };
        for (row, u) in strike.rows.iter().zip(&solution.after) {
            let of = |place: crate::model::Place| {
                place.map_or_else(crate::maths::Twist::zero, |b| twists[b.index()])
            };
            let missed = (row.rate(&of(row.a), &of(row.b)) - u).abs();
            out.velocity_residual = out.velocity_residual.max(missed);
        }
        for (point, contact) in strike.points.iter().zip(&strike.contacts) {
            let p = &solution.impulses[point.row..point.row + contact.rows()];
            let p_t = p[1..].iter().fold(0.0_f64, |s, x| s.hypot(*x));
            out.least_impulse = out.least_impulse.min(p[0]);
            out.least_velocity = out.least_velocity.min(solution.after[point.row]);
            out.cone = out.cone.max(p_t - contact.friction.coefficient() * p[0]);
        }
        out
    }
}
