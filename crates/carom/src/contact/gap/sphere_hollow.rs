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
    let (n, d) =
        (c - center).direction(noise(&c, &center)).unwrap_or((hollow.axis, Varying::constant(0.0)));
    Meeting {
        gap: (hollow.radius - ball.radius) - d.value,
        on_a: c + n * ball.radius,
        on_b: center + n * hollow.radius,
        normal: n,
    }
}
