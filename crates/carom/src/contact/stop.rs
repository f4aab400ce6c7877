//! Stops of a joint's coordinate as contacts: one point for each stop, the lower one first.

use super::{MOST_POINTS, Touch, TouchPoint};
use crate::dynamics::{Posture, RowWrench, force_variation};
use crate::maths::{Twist, Vec3, Wrench};
use crate::model::{JointKind, Place, Stop};

/// Gaps q − q_lower and q_upper − q; the normal is the coordinate's axis, away from the stop.
pub(super) fn touch(at: &Posture<'_>, stop: &Stop) -> Touch {
    let (q, axis) = (at.state().q[stop.q], at.frames().axis(stop.v));
    let on = at.frames().link(stop.body).origin();
    let gaps = [(stop.lower.map(|x| q - x), axis), (stop.upper.map(|x| x - q), -axis)];
    let none = TouchPoint { gap: 0.0, on_a: on, on_b: on, normal: axis };
    let (mut points, mut count) = ([none; MOST_POINTS], 0);
    for (gap, normal) in gaps {
        if let Some(gap) = gap {
            points[count] = TouchPoint { gap, normal, ..none };
            count += 1;
        }
    }
    Touch { points, count, slots: count, features: 0, size: 0.0 }
}

/// ± q̇ as a row: a couple, or forces at the joint.
pub(super) fn row(at: &Posture<'_>, stop: &Stop, direction: &Vec3) -> RowWrench {
    let (a, b) = (stop.parent, Some(stop.body));
    if stop.angular {
        return RowWrench::of_couple(a, b, *direction);
    }
    let p = at.frames().link(stop.body).origin();
    RowWrench::of_normal(at.frames(), (a, p), (b, p), direction)
}

/// How the row changes: the axis is carried by the parent, of a universal joint's second one by the first rotation, too.
pub(super) fn variation(
    at: &Posture<'_>,
    stop: &Stop,
    normal: &Vec3,
    motion: &dyn Fn(Place) -> Twist,
) -> RowWrench {
    let (a, b) = (stop.parent, Some(stop.body));
    let joint = &at.model().bodies[stop.body.index()].joint;
    let mut carried = motion(a).ang;
    if joint.kind == JointKind::Universal && stop.v > joint.v {
        let first = at.frames().axis(joint.v);
        carried += first * first.dot(&(motion(b).ang - motion(a).ang));
    }
    let turning = carried.cross(normal);
    if stop.angular {
        return RowWrench::of_couple(a, b, turning);
    }
    let (p, p_dot) = (at.frames().link(stop.body).origin(), motion(b).lin);
    let side = |place: Place, sign: f64| -> Wrench {
        let (n, n_dot) = (normal * sign, turning * sign);
        force_variation(at.frames(), motion, place, (&p, &p_dot), (&n, &n_dot))
    };
    RowWrench { a, on_a: side(a, -1.0), b, on_b: side(b, 1.0) }
}
