//! What counts as zero at a contact: one definition of touching, closing, resting and immobile.
//!
//! Nothing here is an absolute number of metres or seconds. Lengths are compared with the size of the machine, mobilities with those of
//! the same bodies free of joints, and speeds with the natural speed of a row,
//!
//! u_nat = √(2 T w_free),   w_free = A M_bodies⁻¹ Aᵀ,
//!
//! the largest contact velocity that bodies with the kinetic energy T can have. By the inequality of Cauchy and Schwarz |u| ≤ √(2 T W),
//! so a row with W ≤ ε² w_free that no drive moves has |u| ≤ ε u_nat: the thresholds of mobility and of speed fit together.

use super::TouchPoint;
use super::standing::{Approach, Standing};
use crate::dynamics::{Posture, RowWrench};
use crate::model::ContactGeometry;

/// Positions are known to this part of the machine's size and directions to this angle \[rad\]: what assembly and event location leave.
pub const POSE: f64 = 1e-9;
/// A row whose mobility is below this part of [`RowWrench::free_mobility`] is immobile. Mobilities are quadratic in directions: [`POSE`]².
pub const IMMOBILE: f64 = POSE * POSE;
/// A contact velocity below this part of the natural speed of its row is round-off.
const ROUND_OFF: f64 = 1e-12;

/// What counts as zero for one row of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Gaps up to this are closed \[m, rad at the stop of an angle\].
    pub length: f64,
    /// Contact velocities up to this are zero \[m/s or rad/s\].
    pub speed: f64,
    /// Mobilities W up to this are zero: the row is immobile \[1/kg or 1/(kg m²)\].
    pub mobility: f64,
    /// Contact velocities of an immobile row up to this are zero: a dead centre \[m/s or rad/s\].
    pub dead_centre_speed: f64,
}

impl Resolution {
    /// Of a row through a contact point.
    pub fn new(at: &Posture<'_>, contact: usize, point: &TouchPoint, row: &RowWrench) -> Self {
        let natural = row.free_mobility(at.model(), at.frames());
        Self::of_row(gap_resolution(at, contact, point), natural, at.kinetic_energy())
    }

    /// From the largest gap that is closed, the row's mobility on free bodies and T.
    pub fn of_row(length: f64, natural: f64, kinetic_energy: f64) -> Self {
        let speed = natural_speed(natural, kinetic_energy);
        Self {
            length,
            speed: ROUND_OFF * speed,
            mobility: IMMOBILE * natural,
            dead_centre_speed: POSE * speed,
        }
    }

    /// Whether nothing can move along a row with this mobility.
    pub fn is_immobile(&self, mobility: f64) -> bool {
        mobility <= self.mobility
    }

    /// Whether a closed row only grazes at a dead centre: hardly anything can move along it, and its gap opens again by itself, with this
    /// rate of u, before the bodies have come nearer than poses are known, u² / 2 u̇ ≤ length. Near a dead centre mobilities and depths
    /// are both quadratic in the angle that is left, so both bounds are [`POSE`] of their natural size.
    pub fn grazes(&self, mobility: f64, u: f64, acceleration: f64) -> bool {
        self.is_near_dead_centre(mobility)
            && acceleration > 0.0
            && u * u <= 2.0 * acceleration * self.length
    }

    /// Whether hardly anything can move along a row with this mobility.
    pub fn is_near_dead_centre(&self, mobility: f64) -> bool {
        mobility <= self.mobility / POSE
    }

    /// How two surfaces with this gap stand.
    pub fn standing(&self, gap: f64) -> Standing {
        Standing::within(gap, self.length)
    }

    /// How a row with this mobility and velocity u moves; a tangent does not close, it slides.
    pub fn approach(&self, is_normal: bool, mobility: f64, u: f64) -> Approach {
        let least = if self.is_immobile(mobility) { self.dead_centre_speed } else { self.speed };
        if u.abs() <= least {
            Approach::Resting
        } else if !is_normal {
            Approach::Sliding
        } else if u < 0.0 {
            Approach::Closing
        } else {
            Approach::Separating
        }
    }
}

/// √(2 T w): the largest velocity along a row that bodies with the kinetic energy T have, w the row's mobility on free bodies.
pub fn natural_speed(free_mobility: f64, kinetic_energy: f64) -> f64 {
    (2.0 * kinetic_energy.max(0.0) * free_mobility).sqrt()
}

/// The largest gap that is closed at a contact point: [`POSE`] times the machine's size, or times an angle's own size at its stop.
pub fn gap_resolution(at: &Posture<'_>, contact: usize, point: &TouchPoint) -> f64 {
    let machine = || machine_size(at).max(point.on_a.norm()).max(point.on_b.norm());
    let size = match &at.model().contacts[contact].geometry {
        // A turn of one radian is the natural size of an angle.
        ContactGeometry::Stop(stop) if stop.angular => at.state().q[stop.q].abs().max(1.0),
        ContactGeometry::Stop(stop) => at.state().q[stop.q].abs().max(machine()),
        _ => machine(),
    };
    POSE * size
}

/// The largest distance of a body or its mass centre from the origin \[m\].
pub fn machine_size(at: &Posture<'_>) -> f64 {
    let links = at.frames().links().iter();
    links.map(|link| link.origin().norm().max(link.arm().norm())).fold(0.0, f64::max)
}

impl Standing {
    /// Of a point of a contact at a posture.
    pub fn of(at: &Posture<'_>, contact: usize, point: &TouchPoint) -> Self {
        Self::within(point.gap, gap_resolution(at, contact, point))
    }
}

impl Approach {
    /// Of the normal of a contact point at a posture.
    pub fn of(at: &Posture<'_>, contact: usize, point: &TouchPoint) -> Self {
        let row = at.contact_row(contact, point, &point.normal);
        let resolution = Resolution::new(at, contact, point, &row);
        resolution.approach(true, at.settled_mobility(&row), at.rate(&row))
    }
}
