//! Any two convex hulls of vertices, rounded or not: polygons, polyhedra, boxes, capsules, segments, balls.
//!
//! gap = max over n of (least n · x of b − greatest n · x of a) − (r_a + r_b),  |n| = 1
//!
//! * Along the best axis of faces and edges ([`axis`]) the features overlap, or the sets are inside each other: the points are the
//!   corners of the overlap ([`corners`]), one to [`crate::contact::MOST_POINTS`], each with the gap and the normal of its own pair of
//!   features (vertex and face, edge and edge). The least of them is the gap.
//! * Otherwise the sets are apart across a vertex or an edge ([`nearest`]): one point.
//!
//! The gap is continuous everywhere. Normals are continuous where the sets are rounded and apart; between sharp ones they jump where
//! a vertex passes a vertex or an edge, and the points belong to other features then: `features` changes.
//! Without a normal where vertices or edges of rounded sets without faces coincide.

mod axis;
mod core;
mod corners;
mod nearest;

use self::axis::Pair;
pub(in crate::contact) use self::core::Core;
use self::corners::{Corners, overlap};
use self::nearest::nearest;
use super::{Flaw, Meeting, Patch};
use crate::contact::MOST_POINTS;

/// The least gap of an overlap may differ from the distance along the axis by this many ε of the coordinates.
const ROUND_OFF: f64 = 256.0 * f64::EPSILON;

/// How many points two sets have at most.
pub(in crate::contact) fn most_points(a: &Core<'_>, b: &Core<'_>, planar: bool) -> usize {
    match a.count().min(b.count()) {
        1 => 1,
        _ if planar => 2,
        2 => 2,
        _ => MOST_POINTS,
    }
}

/// The contact of two convex sets.
pub(super) fn meet(a: &Core<'_>, b: &Core<'_>, planar: bool) -> Result<Patch, Flaw> {
    let pair = Pair::new(a, b, planar);
    let best = pair.separation().ok_or(Flaw::Unsupported)?;
    let slots = most_points(a, b, planar);
    let found = overlap(&pair, &best, slots);
    let heights = found.all().iter().map(|corner| pair.height(corner, &best.n));
    let least = heights.fold(f64::INFINITY, f64::min);
    let noise = ROUND_OFF * (pair.size + pair.shift.amax());
    let found = if best.s > 0.0 && least > best.s + noise {
        Corners::one(nearest(&pair, &best))
    } else {
        found
    };
    let mut meetings = [Meeting::none(); MOST_POINTS];
    let mut count = 0;
    for corner in found.all() {
        let bridge = pair.bridge(corner, &best.n).ok_or(Flaw::NoNormal)?;
        meetings[count] = bridge.grown(a.radius, b.radius);
        count += 1;
    }
    if count == 0 {
        return Err(Flaw::NoNormal);
    }
    let slots = most_points(a, b, planar);
    Ok(Patch {
        meetings,
        count: count.min(slots),
        slots,
        features: found.features,
        size: pair.size,
    })
}
