//! Velocity and force terms of the impact's own equation m_eff u̇ + z_c = τ_c + λ
//! (eq. (4.6); Gonzalez et al. eqs. 12-15).
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

/// The accelerations of a state without contact forces, in two parts.
pub(super) struct FreeMotion {
    from_velocity: Accelerations,
    from_loads: Accelerations,
}

impl FreeMotion {
    /// At a posture.
    pub fn new(at: &Posture<'_>) -> Result<Self, DynamicsError> {
        Ok(Self {
            from_velocity: at.accelerations(Terms::Velocity)?,
            from_loads: at.accelerations(Terms::Loads)?,
        })
    }
}

impl ImpactTerms {
    /// Of a row that changes by `row_rate` as the bodies move.
    ///
    /// `None` for an immobile contact, where both terms are undefined.
    pub(super) fn new(
        at: &Posture<'_>,
        motion: &FreeMotion,
        (row, row_rate): (&RowWrench, &RowWrench),
        effective: &EffectiveMass,
    ) -> Option<Self> {
        if effective.is_immobile() {
            return None;
        }
        let along = |motion: &Accelerations| {
            let of = |place: Place| place.map_or_else(Twist::zero, |b| motion.bodies[b.index()]);
            row.rate(&of(row.a), &of(row.b))
        };
        let from_velocity = along(&motion.from_velocity) + at.rate(row_rate);
        let from_loads = along(&motion.from_loads);
        Some(Self {
            velocity: -effective.mass * from_velocity,
            force: effective.mass * from_loads,
            acceleration: from_velocity + from_loads,
        })
    }
}
