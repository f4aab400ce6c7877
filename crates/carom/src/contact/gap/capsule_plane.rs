//! Capsule or segment against plane: two points, one for each end.
//!
//! gapₖ = N · (cₖ − at) − r,  n = −N,  k = start, end
//!
//! cₖ is the centre of an end, N the plane's outward normal. Each end is a ball on the plane; a
//! capsule that lies flat touches with both. The higher end's point lies on its ball, maybe inside the
//! capsule. A segment has radius zero, in the plane its outer side
//! does not matter here. Valid everywhere.

use super::{Ball, HalfSpace, Patch, Rod, sphere_plane};

/// The contact of a capsule (a) with a half-space (b).
pub(super) fn meet(capsule: &Rod, plane: &HalfSpace) -> Patch {
    let end = |center| sphere_plane::meet(&Ball { center, radius: capsule.radius }, plane);
    Patch::of(&[end(capsule.start), end(capsule.end)])
}
