//! Contacts at a dead centre: W = 0 and u = 0 within round-off, so that neither the sign of u nor m_eff = ∞ decides what happens.

use crate::contact::{Approach, Resolution};
use crate::simulate::system::{Motion, MotionError};

impl Motion<'_> {
    /// Which of the closed spots only graze at a dead centre, by [`Resolution::grazes`].
    pub fn grazes(&mut self, closed: &[bool]) -> Result<Vec<bool>, MotionError> {
        let Self { mechanism, state, seen, spots, rows, .. } = self;
        let at = mechanism.at(state)?;
        let mut out = vec![false; closed.len()];
        for k in (0..closed.len()).filter(|k| closed[*k] && seen[*k].acceleration > 0.0) {
            let spot = &spots[k].0;
            let touch = at.touch(spot.contact)?;
            let Some(point) = touch.points().get(spot.point) else { continue };
            let resolution = Resolution::new(&at, spot.contact, point, &rows[k]);
            let mobility = at.effective_mass(&rows[k]).mobility;
            out[k] = resolution.grazes(mobility, seen[k].rate, seen[k].acceleration);
        }
        Ok(out)
    }

    /// The mass \[kg\] of a spot's bodies without their joints along its row, if the row is at a dead centre: it is immobile, and its speed is
    /// zero within [`Resolution::dead_centre_speed`]. None where a drive closes the contact, or nothing moves at all.
    pub fn dead_centre_mass(&mut self, k: usize) -> Result<Option<f64>, MotionError> {
        let Self { mechanism, state, seen, spots, rows, .. } = self;
        let at = mechanism.at(state)?;
        let touch = at.touch(spots[k].0.contact)?;
        let Some(point) = touch.points().get(spots[k].0.point) else { return Ok(None) };
        let resolution = Resolution::new(&at, spots[k].0.contact, point, &rows[k]);
        let mobility = at.settled_mobility(&rows[k]);
        let rests = resolution.approach(true, mobility, seen[k].rate) == Approach::Resting;
        let free = rows[k].free_mobility(at.model(), at.frames());
        Ok((rests && resolution.is_immobile(mobility) && free > 0.0).then(|| free.recip()))
    }
}
