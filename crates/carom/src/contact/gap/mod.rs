//! One pair of shapes a file: its equation, signs and validity.
//!
//! Every pair is written once, for bodies that move; at rest the rates are zero. The pairs are
//! written for one order of the two shapes, and mirrored for the other.

mod box_plane;
mod capsule_capsule;
mod capsule_plane;
pub(super) mod convex;
mod cylinder_plane;
mod hull_plane;
pub(super) mod marker_marker;
pub(super) mod plain;
mod profile;
pub(super) mod rope;
mod skeleton;
mod sphere_box;
mod sphere_capsule;
mod sphere_cylinder;
mod sphere_hollow;
mod sphere_plane;
mod sphere_segment;
mod sphere_sphere;

use super::MOST_POINTS;
use super::moving::Moving;
use super::placed::{Ball, Barrel, Block, Edge, HalfSpace, Hole, Placed, Rod};
use crate::maths::Vec3;

/// Why a pair gives no contact points; the caller knows the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// No file for this pair.
    Unsupported,
    /// A one-sided segment without a side.
    NoSide,
    /// The two shapes stand such that no normal is distinguished.
    NoNormal,
}

/// A contact point with the rates of its vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Signed distance \[m\], positive when open.
    pub gap: f64,
    /// The point of a's surface.
    pub on_a: Moving,
    /// The point of b's surface: on_b − on_a = gap · normal.
    pub on_b: Moving,
    /// Unit vector from a to b.
    pub normal: Moving,
}

impl Meeting {
    /// The same point with a and b exchanged.
    fn mirrored(self) -> Self {
        Self { gap: self.gap, on_a: self.on_b, on_b: self.on_a, normal: -self.normal }
    }

    /// Fills the unused places of a patch.
    fn none() -> Self {
        let zero = Moving::constant(Vec3::zeros());
        Self { gap: 0.0, on_a: zero, on_b: zero, normal: zero }
    }
}

/// All points of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    meetings: [Meeting; MOST_POINTS],
    count: usize,
    /// How many points the pair has at most.
    pub slots: usize,
    /// Tells the features that the points belong to from others; 0 where points keep their numbers.
    pub features: u64,
    /// The size of the shapes \[m\], where `slots` counts more than the points.
    pub size: f64,
}

impl Patch {
    /// These points, at most [`MOST_POINTS`].
    pub fn of<const N: usize>(points: &[Meeting; N]) -> Self {
        const { assert!(N > 0 && N <= MOST_POINTS) };
        let mut meetings = [Meeting::none(); MOST_POINTS];
        meetings[..N].copy_from_slice(points);
        Self { meetings, count: N, slots: N, features: 0, size: 0.0 }
    }

    /// The points.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings[..self.count]
    }

    fn mirrored(self) -> Self {
        Self { meetings: self.meetings.map(Meeting::mirrored), ..self }
    }
}

/// The contact of two placed shapes.
///
/// `swap_equals` decides which of two shapes of the same kind is written first, so that exchanging
/// them gives the mirrored result to the last bit.
pub(super) fn meet(
    a: &Placed<'_>,
    b: &Placed<'_>,
    swap_equals: bool,
    planar: bool,
) -> Result<Patch, Flaw> {
    if a.rank() > b.rank() || (a.rank() == b.rank() && swap_equals) {
        Ok(ordered(b, a, planar)?.mirrored())
    } else {
        ordered(a, b, planar)
    }
}

/// The contact of two placed shapes in the order of [`Placed::rank`].
///
/// Two shapes without thickness (points, segments in space) never overlap: such a pair would pass
/// through itself unseen and is refused.
fn ordered(a: &Placed<'_>, b: &Placed<'_>, planar: bool) -> Result<Patch, Flaw> {
    let meeting = match (a, b) {
        (Placed::Ball(a), Placed::Ball(b)) if a.radius + b.radius > 0.0 => {
            sphere_sphere::meet(a, b)?
        }
        (Placed::Ball(a), Placed::Edge(b)) => sphere_segment::meet(a, b)?,
        (Placed::Ball(a), Placed::Hole(b)) => sphere_hollow::meet(a, b),
        (Placed::Ball(a), Placed::Block(b)) => sphere_box::meet(a, b),
        (Placed::Ball(a), Placed::Rod(b)) if a.radius + b.radius > 0.0 => {
            sphere_capsule::meet(a, b)?
        }
        (Placed::Ball(a), Placed::Barrel(b)) => sphere_cylinder::meet(a, b)?,
        (Placed::Ball(a), Placed::HalfSpace(b)) => sphere_plane::meet(a, b),
        (Placed::Rod(a), Placed::Rod(b)) if a.radius + b.radius > 0.0 => {
            capsule_capsule::meet(a, b)?
        }
        (Placed::Edge(a), Placed::HalfSpace(b)) => {
            let bare = Rod { start: a.start, end: a.end, radius: 0.0 };
            return Ok(capsule_plane::meet(&bare, b));
        }
        (Placed::Rod(a), Placed::HalfSpace(b)) => return Ok(capsule_plane::meet(a, b)),
        (Placed::Block(a), Placed::HalfSpace(b)) => return Ok(box_plane::meet(a, b)),
        (Placed::Barrel(a), Placed::HalfSpace(b)) => return Ok(cylinder_plane::meet(a, b)),
        (Placed::Curved(a), Placed::HalfSpace(b)) => return profile::on_plane(a, b),
        (Placed::Edge(edge), Placed::Curved(_)) if edge.side.is_none() => {
            return Err(Flaw::NoSide);
        }
        (a, Placed::Curved(b)) => {
            let core = convex::Core::new(a, planar).ok_or(Flaw::Unsupported)?;
            return profile::meet(a, &core, b);
        }
        (a, Placed::HalfSpace(plane)) => {
            let core = convex::Core::new(a, planar).ok_or(Flaw::Unsupported)?;
            return Ok(hull_plane::meet(&core, plane, planar));
        }
        (a, b) => {
            let core = |shape| convex::Core::new(shape, planar).ok_or(Flaw::Unsupported);
            let (a, b) = (core(a)?, core(b)?);
            if a.is_thin() && b.is_thin() {
                return Err(Flaw::Unsupported);
            }
            return convex::meet(&a, &b, planar);
        }
    };
    Ok(Patch::of(&[meeting]))
}
