//! A rope between two material points: a unilateral distance.
//!
//! gap = L − |p_b − p_a|,  n = (p_a − p_b)/|p_b − p_a|,  ġap = n · (v_b − v_a)
//!
//! L is the rope's length. The gap is what the rope hangs slack; it is taut at zero, and longer than L where the gap is
//! negative (under a force law the elongation). n points from b to a, so that a positive contact force pulls the ends together.
//! The contact points are the ends themselves: the force acts along their line, so no other point of it gives another wrench.
//!
//! Where the ends coincide the rope is slack by its whole length and every direction is as good; n is then the x axis of a's body.

use super::Meeting;
use super::skeleton::noise;
use crate::contact::moving::Varying;
use crate::contact::placed::Frame;
use crate::maths::Vec3;

/// The contact of the two ends of a rope.
pub(in crate::contact) fn meet(
    (a, p_a): (&Frame, &Vec3),
    (b, p_b): (&Frame, &Vec3),
    length: f64,
) -> Meeting {
    let (on_a, on_b) = (a.point(p_a), b.point(p_b));
    let (normal, d) = (on_a - on_b)
        .direction(noise(&on_a, &on_b, length))
        .unwrap_or((a.vector(&Vec3::x()), Varying::constant(0.0)));
    Meeting { gap: length - d.value, on_a, on_b, normal }
}
