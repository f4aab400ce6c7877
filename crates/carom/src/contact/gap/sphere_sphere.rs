//! Sphere or point against sphere.
//!
//! gap = |c_b − c_a| − (r_a + r_b),  n = (c_b − c_a)/|c_b − c_a|
//!
//! Signs: n points from centre to centre; the gap is negative when the balls overlap. Rates: n turns
//! with the relative velocity of the centres across n, over their distance.
//! Valid for distinct centres; at concentric ones there is no normal. A point has radius zero.

use super::Flaw;
use super::skeleton::point_point;
use super::{Ball, Meeting};

/// The contact of two balls.
pub(super) fn meet(a: &Ball, b: &Ball) -> Result<Meeting, Flaw> {
    let bridge = point_point(a.center, b.center, a.radius + b.radius).ok_or(Flaw::NoNormal)?;
    Ok(bridge.grown(a.radius, b.radius))
}
