//! Sphere (circle) or point against a one-sided segment of a planar model.
//!
//! N is the outward normal: the direction from start to end turned by +90° (`left`) or −90°
//! (`right`). With s = (c − start) · N the signed height over the segment's line:
//!
//! * foot of c within the segment: gap = s − r, n = −N. Below the segment the gap is negative,
//!   however deep: the segment is the surface of a body that fills the strip behind it;
//! * foot beyond an end E: gap = |c − E| − r, n = (E − c)/|E − c|: the distance to the end, positive
//!   for a point. If c and E coincide, n = −N.
//!
//! The gap is continuous, and so is n, where the foot passes an end on the outer side (s > 0) and
//! where c crosses the segment. On the inner side (s < 0) the gap jumps where the foot passes an end,
//! from s − r within to |s| − r beyond: a ball that comes round the end from behind is not held
//! inside, but must not be led under the segment. A chain of segments should be closed, or its ends
//! out of reach.
//!
//! In space a segment is a capsule of radius zero: see `sphere_capsule`.

use super::skeleton::{point_plane, point_point};
use super::{Ball, Edge, Flaw, Meeting};
use crate::contact::moving::Moving;
use crate::maths::Vec3;
use crate::model::Side;

/// The contact of a ball (a) with a one-sided segment (b).
pub(super) fn meet(ball: &Ball, segment: &Edge) -> Result<Meeting, Flaw> {
    let side = segment.side.ok_or(Flaw::NoSide)?;
    let (c, start, end) = (ball.center, segment.start, segment.end);
    let (along, length) = (end - start).direction(0.0).ok_or(Flaw::NoNormal)?;
    let normal = outward(&along, side);
    let u = along.dot(&(c - start)).value;
    let bridge = if u < 0.0 {
        point_point(c, start).unwrap_or_else(|| point_plane(c, start, normal))
    } else if u > length.value {
        point_point(c, end).unwrap_or_else(|| point_plane(c, end, normal))
    } else {
        point_plane(c, start, normal)
    };
    Ok(bridge.grown(ball.radius, 0.0))
}

/// N: the direction turned to the outer side, in the x-y plane.
fn outward(along: &Moving, side: Side) -> Moving {
    let left = Moving::constant(Vec3::z()).cross(along);
    match side {
        Side::Left => left,
        Side::Right => -left,
    }
}
