//! Two material points and a normal fixed in a body or in the ground.
//!
//! gap = n · (p_b − p_a),  ġap = n · (v_b − v_a) + ṅ · (p_b − p_a)
//!
//! The points of contact are the markers themselves wherever they are, so y − x = gap · n holds in
//! the direction of n only, and the second term of the rate vanishes when the normal does not turn
//! or the markers stand face to face, as they do in contact. Valid everywhere.

use super::Meeting;
use crate::contact::placed::Frame;
use crate::maths::Vec3;

/// The contact of a point of `a` with a point of `b` along a vector of `normal_in`.
pub(in crate::contact) fn meet(
    (a, p_a): (&Frame, &Vec3),
    (b, p_b): (&Frame, &Vec3),
    (normal_in, n): (&Frame, &Vec3),
) -> Meeting {
    let (on_a, on_b, normal) = (a.point(p_a), b.point(p_b), normal_in.vector(n));
    Meeting { gap: normal.dot(&(on_b - on_a)).value, on_a, on_b, normal }
}
