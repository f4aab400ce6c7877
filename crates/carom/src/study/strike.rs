//! One point of `impact`: the closed contacts struck by the file's law of impulses.

use super::evaluate::{Lack, PointError};
use super::measure::{Measured, energies, unbounded};
use crate::dynamics::Posture;
use crate::impact::laws::{ImpactError, ImpactMemory, find};
use crate::impact::{Assessment, Strike, StrikeError, StrikeWishes};
use crate::model::IMPACTS;

/// The impact of all closed contacts by the file's law.
pub(super) fn struck(at: &Posture<'_>, contact: usize) -> Result<Measured, PointError> {
    let law = IMPACTS[at.model().simulation.impact.unwrap_or(0)];
    let refused = |error: ImpactError| StrikeError::Law { why: error.to_string(), error };
    let law = find(law).map_err(refused)?.law;
    let strike = Strike::new(*at, None, &StrikeWishes::default())?;
    let mut out = Measured::new(at.model(), at.state().v.as_slice());
    let after = match strike.resolve(law, &mut ImpactMemory::default()) {
        // No impulse is enough: the energy and the impulses have no bound, and there is no state after.
        Err(error @ StrikeError::CannotSeparate { .. }) => {
            out.why = error.to_string();
            let own = strike.points.iter().find(|p| p.contact == contact);
            if let Some(point) = own {
                let effective = at.settled_mass(&strike.rows[point.row]);
                out.put("effective_mass", effective.mass);
                out.put("approach_speed", 0.0 - effective.rate);
            }
            unbounded(&mut out, at.kinetic_energy());
            return Ok(out);
        }
        after => after?,
    };
    let (audit, solution) = (&after.audit, &after.solution);
    // Of several points of the contact that which comes fastest counts.
    let own = strike.points.iter().filter(|p| p.contact == contact);
    if let Some(point) = own.min_by(|a, b| strike.u[a.row].total_cmp(&strike.u[b.row])) {
        let effective = at.settled_mass(&strike.rows[point.row]);
        let energy = Assessment::without_law(at, contact)?.impact_energy();
        out.put("effective_mass", effective.mass);
        out.put("approach_speed", 0.0 - strike.u[point.row]);
        out.put("impact_energy", energy);
        energies(&mut out, audit.kinetic_before, energy);
        out.put("impulse", solution.impulses[point.row]);
        out.put("separation_speed", solution.after[point.row]);
        if strike.u[point.row] < 0.0 {
            out.put("restitution", -solution.after[point.row] / strike.u[point.row]);
        }
    } else {
        out.why.push_str("the contact is not closed here");
        out.lack = Lack::Touch;
    }
    if let Some(e) = audit.restitution_delivered {
        out.put("energetic_restitution", e);
    }
    // 0 − 0 is 0, −0 is not.
    out.put("energy_lost", 0.0 - audit.contact_work);
    out.put("final_kinetic_energy", audit.kinetic_after);
    Ok(out)
}
