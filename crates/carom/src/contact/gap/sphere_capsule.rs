//! Sphere or point against capsule; in space also sphere against segment, a capsule of radius zero.
//!
//! gap = |y − c| − (r + r_capsule),  n = (y − c)/|y − c|
//!
//! c is the ball's centre and y the nearest point of the capsule's axis: the foot of c, or the end
//! beyond which the foot lies. Gap and normal are continuous where the foot passes an end; rates of
//! the normal jump there, as the curvature does. Valid while c is not on the axis: there is no
//! normal there.

use super::skeleton::point_segment;
use super::{Ball, Flaw, Meeting, Rod};

/// The contact of a ball (a) with a capsule (b).
pub(super) fn meet(ball: &Ball, capsule: &Rod) -> Result<Meeting, Flaw> {
    let bridge = point_segment(ball.center, capsule.start, capsule.end, capsule.radius)
        .ok_or(Flaw::NoNormal)?;
    Ok(bridge.grown(ball.radius, capsule.radius))
}
