//! Sphere or point inside a hollow (a round hole in the plane, a hollow ball in space).
//!
//! gap = (R − r) − |c − C|,  n = (c − C)/|c − C|
//!
//! c and r belong to the ball, C and R to the hollow. n points from the ball outward into the wall;
//! on the ball at c + r n, on the wall at C + R n. The wall has no outer side: a ball that has left
//! the hollow is in deep penetration. Valid for r < R.
//!
//! At concentric centres the gap is R − r and every direction is as near; n is then the x axis of
//! the hollow's body, so that a shaft may start in the middle of its bearing. The gap has a cone's
//! tip there, and its rate in n is only one of many.

use super::skeleton::noise;
use super::{Ball, Hole, Meeting};
use crate::contact::moving::Varying;

/// The contact of a ball (a) with a hollow around it (b).
pub(super) fn meet(ball: &Ball, hollow: &Hole) -> Meeting {
    let (c, center) = (ball.center, hollow.center);
    let (n, d) = (c - center)
        .direction(noise(&c, &center, hollow.radius))
        .unwrap_or((hollow.axis, Varying::constant(0.0)));
    Meeting {
        gap: (hollow.radius - ball.radius) - d.value,
        on_a: c + n * ball.radius,
        on_b: center + n * hollow.radius,
        normal: n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::still;
    use crate::maths::Vec3;

    fn at(x: f64, y: f64) -> Meeting {
        let hollow = Hole { center: still(Vec3::x()), radius: 1.0, axis: still(Vec3::y()) };
        meet(&Ball { center: still(Vec3::new(1.0 + x, y, 0.0)), radius: 0.75 }, &hollow)
    }

    #[test]
    fn the_gap_is_the_clearance_less_the_eccentricity() {
        let met = at(0.0, -0.125);
        assert_eq!(met.gap, 0.125);
        assert_eq!(met.normal.value, -Vec3::y());
        assert_eq!(met.on_a.value, Vec3::new(1.0, -0.875, 0.0));
        assert_eq!(met.on_b.value, Vec3::new(1.0, -1.0, 0.0));
        assert_eq!(at(0.5, 0.0).gap, -0.25);
    }

    #[test]
    fn in_the_middle_the_gap_is_the_clearance_and_the_normal_is_fixed_in_the_hollow() {
        let met = at(0.0, 0.0);
        assert_eq!((met.gap, met.normal.value), (0.25, Vec3::y()));
        assert_eq!(met.on_b.value - met.on_a.value, Vec3::y() * 0.25);
    }
}
