//! Polygon or polyhedron against plane, rounded or not: the vertices of the face that is turned to the plane.
//!
//! gapₖ = N · (xₖ − at) − r,  n = −N,  k over the vertices of that face
//!
//! The face is the one around the lowest vertex whose outward normal is nearest to −N; in the plane it is a side, and its points go
//! along it to the right of n first. The gap is continuous; the points are those of another face when the body has rolled over:
//! `features` changes. Of a face with more vertices than there are places some are left out, never the lowest. Valid everywhere.

use super::convex::Core;
use super::skeleton::point_plane;
use super::{HalfSpace, Meeting, Patch};
use crate::contact::MOST_POINTS;

/// The contact of a convex set (a) with a half-space (b).
pub(super) fn meet(core: &Core<'_>, plane: &HalfSpace, planar: bool) -> Patch {
    let N = core.pose.inverse().vector(&plane.normal.value);
    let (lowest, _) = core.lowest(&N);
    let facing = |face: &usize| -core.normal(*face).dot(&N);
    let around = core.topology.around[lowest].iter();
    let face = around.copied().max_by(|f, g| facing(f).total_cmp(&facing(g)));
    let mut meetings = [Meeting::none(); MOST_POINTS];
    let mut count = 0;
    let mut add = |k: usize| {
        let x = core.moving_vertex(k);
        meetings[count] = point_plane(x, plane.at, plane.normal).grown(core.radius, 0.0);
        count += 1;
    };
    match face {
        Some(face) => {
            let rim = &core.topology.faces[face];
            let at = rim.iter().position(|k| *k == lowest).unwrap_or(0);
            // Seen along −N the rim runs to the right.
            let stride = rim.len().div_ceil(MOST_POINTS);
            let first = at % stride;
            (0..rim.len())
                .filter(|k| k % stride == first)
                .take(MOST_POINTS)
                .for_each(|k| add(rim[k]));
        }
        None => (0..core.count()).take(MOST_POINTS).for_each(&mut add),
    }
    let slots = if planar { 2 } else { MOST_POINTS };
    let features = face.map_or(0, |face| face as u64 + 1);
    Patch { meetings, count, slots: slots.min(core.count()), features, size: core.reach }
}
