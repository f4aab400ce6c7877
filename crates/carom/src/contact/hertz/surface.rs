//! What a placed shape looks like where it is touched: a surface with its curvatures, or an edge.

use super::PrincipalCurvatures;
use crate::contact::TouchPoint;
use crate::contact::placed::{Barrel, Block, Edge, Placed, Rod};
use crate::maths::Vec3;

/// Part of a capsule's axis, near its ends, within which rounding decides what touches; it counts as
/// an end.
const NEAR_END: f64 = 1e-9;

/// What touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Feature {
    /// A smooth surface.
    Surface(Surface),
    /// Something without a curvature: a corner, an edge, a rim.
    Sharp(&'static str),
}

/// A smooth surface at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// Its word in messages.
    pub what: &'static str,
    /// Its curvatures.
    pub curvatures: PrincipalCurvatures,
    /// The first principal direction, where the two curvatures differ.
    pub axis: Option<Vec3>,
}

impl Feature {
    fn flat(what: &'static str) -> Self {
        Self::Surface(Surface { what, curvatures: PrincipalCurvatures::PLANE, axis: None })
    }

    fn round(what: &'static str, radius: f64) -> Self {
        let curvatures = PrincipalCurvatures::sphere(radius);
        Self::Surface(Surface { what, curvatures, axis: None })
    }

    fn along(what: &'static str, radius: f64, axis: Vec3) -> Self {
        let curvatures = PrincipalCurvatures::cylinder(radius);
        Self::Surface(Surface { what, curvatures, axis: Some(axis) })
    }

    /// Its word in messages.
    pub fn what(&self) -> &'static str {
        match self {
            Self::Surface(surface) => surface.what,
            Self::Sharp(what) => what,
        }
    }

    /// What `shape` shows to its partner. `on_shape` is the point on it, `outward` the normal from it
    /// to the partner.
    pub fn of(shape: &Placed<'_>, partner: &Placed<'_>, on_shape: &Vec3, outward: &Vec3) -> Self {
        // Boxes, cylinders and planar segments meet nothing but balls and planes.
        let center = match partner {
            Placed::Ball(ball) => Some(ball.center.value),
            _ => None,
        };
        match (shape, center) {
            (Placed::Ball(ball), _) if ball.radius == 0.0 => Self::Sharp("a point"),
            (Placed::Ball(ball), _) => Self::round("a sphere", ball.radius),
            (Placed::Hole(hole), _) => Self::round("a hollow", -hole.radius),
            (Placed::HalfSpace(_), _) => Self::flat("a plane"),
            (Placed::Rod(rod), _) => of_rod(rod, &(on_shape - outward * rod.radius)),
            (Placed::Edge(edge), Some(c)) => of_segment(edge, &c),
            (Placed::Block(block), Some(c)) => of_block(block, &c),
            (Placed::Barrel(barrel), Some(c)) => of_barrel(barrel, &c),
            (Placed::Hull(_), _) => Self::Sharp("a polygon or polyhedron"),
            (Placed::Curved(_), _) => Self::Sharp("a profile, whose curvature changes along it"),
            (Placed::Edge(_), None) => Self::Sharp("the end of a segment"),
            (Placed::Block(_), None) => Self::Sharp("a corner of a box"),
            (Placed::Barrel(_), None) => Self::Sharp("the rim of a cylinder"),
        }
    }
}

/// A capsule, touched through the point x of its axis.
fn of_rod(rod: &Rod, x: &Vec3) -> Feature {
    if rod.radius == 0.0 {
        return Feature::Sharp("a segment in space");
    }
    let edge = rod.end.value - rod.start.value;
    let square = edge.norm_squared();
    // A capsule without length is a ball.
    let u = if square > 0.0 { (x - rod.start.value).dot(&edge) / square } else { 0.0 };
    if u > NEAR_END && u < 1.0 - NEAR_END {
        Feature::along("the side of a capsule", rod.radius, edge / square.sqrt())
    } else {
        Feature::round("the end of a capsule", rod.radius)
    }
}

/// A planar segment, touched by a ball around c.
fn of_segment(segment: &Edge, c: &Vec3) -> Feature {
    let edge = segment.end.value - segment.start.value;
    let length = edge.norm();
    let u = edge.dot(&(c - segment.start.value)) / length;
    if u < 0.0 || u > length {
        Feature::Sharp("the end of a segment")
    } else {
        Feature::flat("a segment")
    }
}

/// A box, touched by a ball around c: outside along one axis it is the face, along several an edge.
fn of_block(block: &Block, c: &Vec3) -> Feature {
    let beyond =
        |i: usize| block.axes[i].value.dot(&(c - block.center.value)).abs() > block.half[i];
    match (0..block.dimensions).filter(|i| beyond(*i)).count() {
        0 | 1 => Feature::flat("a face of a box"),
        2 if block.dimensions == 3 => Feature::Sharp("an edge of a box"),
        _ => Feature::Sharp("a corner of a box"),
    }
}

/// A cylinder, touched by a ball around c; the cases are those of its gap function.
fn of_barrel(barrel: &Barrel, c: &Vec3) -> Feature {
    let [e1, e2, e] = barrel.axes.map(|axis| axis.value);
    let from_center = c - barrel.center.value;
    let over_end = e.dot(&from_center).abs() - barrel.half_length;
    let over_side = e1.dot(&from_center).hypot(e2.dot(&from_center)) - barrel.radius;
    if over_side <= 0.0 && over_end >= over_side {
        Feature::flat("the flat end of a cylinder")
    } else if over_end > 0.0 {
        Feature::Sharp("the rim of a cylinder")
    } else {
        Feature::along("the side of a cylinder", barrel.radius, e)
    }
}

/// What both shapes show at a contact point.
pub(super) fn features(a: &Placed<'_>, b: &Placed<'_>, point: &TouchPoint) -> [Feature; 2] {
    [Feature::of(a, b, &point.on_a, &point.normal), Feature::of(b, a, &point.on_b, &-point.normal)]
}
