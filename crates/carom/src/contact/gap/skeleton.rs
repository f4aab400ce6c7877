//! Shortest ways between points, planes and lines: what is left of shapes when their radii are
//! taken off.

use super::Meeting;
use crate::contact::moving::{Moving, Varying};

/// A straight way from a point x of skeleton a to a point y of skeleton b: y − x = d n.
///
/// Its rates are exact while the feature (point, plane, line) stays the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bridge {
    /// Where it starts, on a.
    pub x: Moving,
    /// Where it ends, on b.
    pub y: Moving,
    /// The unit vector from a to b.
    pub n: Moving,
    /// Signed distance \[m\].
    pub d: f64,
}

impl Bridge {
    /// The same way from b to a.
    pub fn reversed(self) -> Self {
        Self { x: self.y, y: self.x, n: -self.n, d: self.d }
    }

    /// The contact of the skeletons grown by their radii:
    /// gap = d − (r_a + r_b), on a at x + r_a n, on b at y − r_b n.
    pub fn grown(self, r_a: f64, r_b: f64) -> Meeting {
        Meeting {
            gap: self.d - (r_a + r_b),
            on_a: self.x + self.n * r_a,
            on_b: self.y - self.n * r_b,
            normal: self.n,
        }
    }
}

/// Length below which the direction of y − x is only rounding error: of the coordinates, and of what
/// they were computed from, shapes of a certain `size`.
pub(super) fn noise(x: &Moving, y: &Moving, size: f64) -> f64 {
    8.0 * f64::EPSILON * x.value.amax().max(y.value.amax()).max(size)
}

/// From a point to a point: d = |y − x| ≥ 0. None if they coincide within [`noise`].
pub(super) fn point_point(x: Moving, y: Moving, size: f64) -> Option<Bridge> {
    let (n, d) = (y - x).direction(noise(&x, &y, size))?;
    Some(Bridge { x, y, n, d: d.value })
}

/// From a point to a plane through `at` with outward normal N: d = N · (x − at), n = −N.
/// Behind the plane d is negative.
pub(super) fn point_plane(x: Moving, at: Moving, normal: Moving) -> Bridge {
    let d = normal.dot(&(x - at));
    Bridge { x, y: x - normal * d, n: -normal, d: d.value }
}

/// Where the foot of p lies on the line `start` + u `edge`: u = (p − start) · edge/|edge|².
/// None if the edge has no length.
pub(super) fn foot(p: &Moving, start: &Moving, edge: &Moving) -> Option<Varying> {
    let square = edge.dot(edge);
    (square.value > 0.0).then(|| (*p - *start).dot(edge) / square)
}

/// From a point to the nearest point of a segment: its interior, or the end beyond which the foot
/// lies. None if the point is on the segment.
///
/// `size` is a length of the shapes, see [`noise`].
pub(super) fn point_segment(p: Moving, start: Moving, end: Moving, size: f64) -> Option<Bridge> {
    let edge = end - start;
    let nearest = match foot(&p, &start, &edge) {
        Some(u) if u.value >= 1.0 => end,
        Some(u) if u.value > 0.0 => start + edge * u,
        _ => start,
    };
    point_point(p, nearest, size.max(edge.value.amax()))
}

/// From a line to a line that is not parallel to it, each given by a point and an edge vector.
///
/// With w = b − a and c = e_a × e_b the feet are at s = (w × e_b)·c/|c|² on a and
/// t = (w × e_a)·c/|c|² on b. The foot on b is then taken of the foot on a, so that the normal keeps
/// its accuracy when the lines are nearly parallel and s itself is ill conditioned.
pub(super) struct LineLine {
    /// Foot on a, as a multiple of its edge vector.
    pub s: Varying,
    /// Foot on b.
    pub t: Varying,
}

impl LineLine {
    /// The feet; c must not vanish.
    pub fn new(a: &Moving, edge_a: &Moving, b: &Moving, edge_b: &Moving) -> Self {
        let (w, c) = (*b - *a, edge_a.cross(edge_b));
        let square = c.dot(&c);
        Self { s: w.cross(edge_b).dot(&c) / square, t: w.cross(edge_a).dot(&c) / square }
    }

    /// Whether both feet lie within the edges.
    pub fn within_edges(&self) -> bool {
        let unit = 0.0..=1.0;
        unit.contains(&self.s.value) && unit.contains(&self.t.value)
    }
}

/// From a point x of a line to the line `start` + u `edge`. None if they meet there.
pub(super) fn point_line(x: Moving, start: Moving, edge: Moving) -> Option<Bridge> {
    let y = start + edge * foot(&x, &start, &edge)?;
    point_point(x, y, edge.value.amax())
}
