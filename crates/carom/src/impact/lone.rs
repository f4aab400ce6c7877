//! m_eff, u and T_c of a contact with a single frictionless point, without the other quantities of an assessment: the fast path of studies and maps.

use super::assessment::AssessmentError;
use super::effective::EffectiveMass;
use crate::contact::{Approach, Resolution, TouchPoint};
use crate::dynamics::{Posture, RowWork, RowWrench};
use crate::model::Friction;

/// The normal of a contact's only point; its m_eff, u and T_c are those of [`super::Assessment`], to the last bit.
#[derive(Clone, Copy, Debug)]
pub struct LoneRow {
    /// The point.
    pub point: TouchPoint,
    /// The normal as a row.
    pub row: RowWrench,
    /// m_eff, W, u and T_c.
    pub effective: EffectiveMass,
    /// T_c \[J\]: zero where the point does not close.
    pub impact_energy: f64,
    /// T of the whole machine \[J\].
    pub kinetic_energy: f64,
}

impl LoneRow {
    /// The normal row; `None` if the contact has several rows, because it has several points or because it sticks and has tangents.
    pub fn new(
        at: &Posture<'_>,
        contact: usize,
        work: &mut RowWork,
    ) -> Result<Option<Self>, AssessmentError> {
        if at.model().contacts[contact].defaults.friction == Some(Friction::Stick) {
            return Ok(None);
        }
        let touch = at.touch(contact)?;
        let [point] = *touch.points() else { return Ok(None) };
        let row = at.contact_row(contact, &point, &point.normal);
        if let Some(error) = at.push_without_inertia(&row) {
            return Err(error.into());
        }
        let W = at.settled_mobility_in(&row, work);
        let natural = row.free_mobility(at.model(), at.frames());
        let kinetic_energy = at.kinetic_energy();
        let effective = EffectiveMass::from_mobility(W, natural, at.rate(&row), || kinetic_energy);
        let resolution = Resolution::of_row(0.0, natural, kinetic_energy);
        let closes = resolution.approach(true, W, effective.rate) == Approach::Closing;
        let impact_energy = if closes { effective.energy } else { 0.0 };
        Ok(Some(Self { point, row, effective, impact_energy, kinetic_energy }))
    }
}
