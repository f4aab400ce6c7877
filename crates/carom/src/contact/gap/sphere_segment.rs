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
        point_point(c, start, length.value).unwrap_or_else(|| point_plane(c, start, normal))
    } else if u > length.value {
        point_point(c, end, length.value).unwrap_or_else(|| point_plane(c, end, normal))
    } else {
        point_plane(c, start, normal)
    };
    Ok(bridge.grown(ball.radius, 0.0))
}

/// N: the direction turned to the outer side, in the x-y plane.
fn outward(along: &Moving, side: Side) -> Moving {
    let left = Moving::constant(Vec3::z()).cross(along);
    match side {
        // A segment with two sides is a capsule without radius.
        Side::Left | Side::Both => left,
        Side::Right => -left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::still;

    /// From the origin to (2, 0), outside above.
    fn floor() -> Edge {
        Edge { start: still(Vec3::zeros()), end: still(Vec3::x() * 2.0), side: Some(Side::Left) }
    }

    fn at(x: f64, y: f64, radius: f64) -> Meeting {
        meet(&Ball { center: still(Vec3::new(x, y, 0.0)), radius }, &floor()).unwrap()
    }

    #[test]
    fn over_the_segment_the_gap_is_the_height_less_the_radius_with_sign() {
        for y in [0.7, 0.0, -0.7] {
            let met = at(1.5, y, 0.2);
            assert!((met.gap - (y - 0.2)).abs() < 1e-15);
            assert_eq!(met.normal.value, -Vec3::y());
            assert!((met.on_b.value - Vec3::x() * 1.5).norm() < 1e-15);
            assert!((met.on_a.value - Vec3::new(1.5, y - 0.2, 0.0)).norm() < 1e-15);
        }
    }

    #[test]
    fn the_other_side_turns_the_normal() {
        let below = Edge { side: Some(Side::Right), ..floor() };
        let ball = Ball { center: still(Vec3::new(1.0, -0.7, 0.0)), radius: 0.2 };
        let met = meet(&ball, &below).unwrap();
        assert!((met.gap - 0.5).abs() < 1e-15);
        assert_eq!(met.normal.value, Vec3::y());
    }

    #[test]
    fn beyond_an_end_the_gap_is_the_distance_to_it_on_both_sides() {
        for (x, y) in [(-0.3, 0.4), (-0.3, -0.4), (2.3, 0.4), (2.3, -0.4), (2.5, 0.0)] {
            let met = at(x, y, 0.1);
            assert!((met.gap - 0.4).abs() < 1e-15, "at {x}, {y}");
            let end = Vec3::x() * if x < 0.0 { 0.0 } else { 2.0 };
            assert!((met.on_b.value - end).norm() < 1e-15);
        }
    }

    #[test]
    fn on_the_outer_side_gap_and_normal_pass_the_ends_smoothly() {
        for (end, y) in [(0.0, 0.5), (2.0, 0.5), (0.0, 1e-6), (2.0, 1e-6)] {
            let (before, after) = (at(end - 1e-9, y, 0.1), at(end + 1e-9, y, 0.1));
            assert!((before.gap - after.gap).abs() < 1e-11);
            assert!((before.normal.value - after.normal.value).norm() < 1.1e-9 / y);
        }
    }

    #[test]
    fn on_the_inner_side_the_gap_jumps_to_the_distance_beyond_the_end() {
        assert!((at(2.0 - 1e-9, -0.5, 0.1).gap + 0.6).abs() < 1e-15);
        assert!((at(2.0 + 1e-9, -0.5, 0.1).gap - 0.4).abs() < 1e-15);
    }

    #[test]
    fn at_an_end_the_normal_is_that_of_the_segment() {
        for x in [0.0, -1e-320, 2.0, 2.0 + 4.0 * f64::EPSILON] {
            let met = at(x, 0.0, 0.1);
            assert_eq!(met.normal.value, -Vec3::y());
            assert!((met.gap + 0.1).abs() < 1e-15);
        }
    }

    #[test]
    fn a_segment_of_no_length_has_no_normal() {
        let dot = Edge { end: still(Vec3::zeros()), ..floor() };
        let ball = Ball { center: still(Vec3::y()), radius: 0.1 };
        assert_eq!(meet(&ball, &dot).unwrap_err(), Flaw::NoNormal);
    }
}
