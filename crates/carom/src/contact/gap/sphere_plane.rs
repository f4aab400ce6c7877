//! Sphere or point against plane.
//!
//! gap = N · (c − at) − r,  n = −N
//!
//! N is the plane's outward normal; n points from the ball into the half-space. Behind the plane the
//! gap is negative, however deep. Rates: n turns with the plane's body alone.
//! Valid everywhere. A point has radius zero.

use super::skeleton::point_plane;
use super::{Ball, HalfSpace, Meeting};

/// The contact of a ball (a) with a half-space (b).
pub(super) fn meet(ball: &Ball, plane: &HalfSpace) -> Meeting {
    point_plane(ball.center, plane.at, plane.normal).grown(ball.radius, 0.0)
}
