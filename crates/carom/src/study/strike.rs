//! One point of `impact`: the closed contacts struck by the file's law of impulses.

use super::evaluate::{Lack, PointError};
use super::measure::{Measured, energies, unbounded};
use crate::contact::ContactError;
use crate::dynamics::Posture;
use crate::impact::laws::{ImpactError, ImpactMemory, find};
use crate::impact::{Assessment, Strike, StrikeError, StrikeWishes};
use crate::maths::digits::six;
use crate::model::IMPACTS;

/// The impact of all closed contacts by the file's law.
pub(super) fn struck(at: &Posture<'_>, contact: usize) -> Result<Measured, PointError> {
    let law = IMPACTS[at.model().simulation.impact.unwrap_or(0)];
    let refused = |error: ImpactError| StrikeError::Law { why: error.to_string(), error };
    let law = find(law).map_err(refused)?.law;
    let mut out = Measured::new(at.model(), at.state().v.as_slice());
    let strike = match Strike::new(*at, None, &StrikeWishes::default()) {
        Err(StrikeError::NothingClosed { .. }) => {
            open(&mut out, at, contact)?;
            out.put("kinetic_energy", at.kinetic_energy());
            out.put("final_kinetic_energy", at.kinetic_energy());
            return Ok(out);
        }
        strike => strike?,
    };
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
        open(&mut out, at, contact)?;
    }
    if let Some(e) = audit.restitution_delivered {
        out.put("energetic_restitution", e);
    }
    // 0 − 0 is 0, −0 is not.
    out.put("energy_lost", 0.0 - audit.contact_work);
    out.put("final_kinetic_energy", audit.kinetic_after);
    Ok(out)
}

/// Of a contact that is open in this pose, and by how much.
fn open(out: &mut Measured, at: &Posture<'_>, contact: usize) -> Result<(), ContactError> {
    let stated = &at.model().contacts[contact];
    let gap = at.touch(contact)?.points().iter().map(|p| p.gap).reduce(f64::min);
    let told = gap.map_or_else(String::new, |gap| {
        format!(": its gap is {} {}", six(gap), stated.units().gap)
    });
    out.why = format!("contacts.{} is open in this pose{told}", stated.name);
    (out.lack, out.least_gap) = (Lack::Touch, gap.unwrap_or(f64::NAN));
    Ok(())
}
