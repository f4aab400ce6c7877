//! Velocity and force terms of the impact's own equation m_eff u̇ + z_c = τ_c + λ
//! (seed 002 eqs. 12-15).
//!
//! With closures and drives: u̇ = A v̇ + Ȧ v, and v̇ splits into what velocities (and drives) cause
//! and what loads cause; z_c = −m_eff u̇|velocity, τ_c = m_eff u̇|loads.

use super::effective::EffectiveMass;
use crate::dynamics::{Accelerations, DynamicsError, Posture, RowWrench, Terms};
use crate::maths::Twist;
use crate::model::Place;

/// z_c and τ_c of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactTerms {
    /// z_c \[N\]: Coriolis and centrifugal term.
    pub velocity: f64,
    /// τ_c \[N\]: gravity, springs, dampers, forces.
    pub force: f64,
    /// u̇ \[m/s²\] of the state's own motion without contact force.
    pub acceleration: f64,
}

impl ImpactTerms {
    /// At a posture, for a row that changes by `row_rate` as the bodies move.
    ///
    /// `None` for an immobile contact, where both terms are undefined.
    pub fn new(
        at: &Posture<'_>,
        row: &RowWrench,
        row_rate: &RowWrench,
        effective: &EffectiveMass,
    ) -> Result<Option<Self>, DynamicsError> {
        if effective.is_immobile() {
            return Ok(None);
        }
        let along = |motion: &Accelerations| {
            let of = |place: Place| place.map_or_else(Twist::zero, |b| motion.bodies[b.index()]);
            row.rate(&of(row.a), &of(row.b))
        };
        let turning = at.rate(row_rate);
        let from_velocity = along(&at.accelerations(Terms::Velocity)?) + turning;
        let from_loads = along(&at.accelerations(Terms::Loads)?);
        Ok(Some(Self {
            velocity: -effective.mass * from_velocity,
            force: effective.mass * from_loads,
            acceleration: from_velocity + from_loads,
        }))
    }
}
