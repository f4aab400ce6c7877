//! What holds a drawn machine together: the ground between its joints, and stems to contact shapes beside a body's line.

use super::outline::Outline;
use super::{inward, local, points, solid, sticks};
use crate::maths::Vec3;
use crate::model::{Description, JointKind, Model, Row, ShapeKind};

/// Joints of the ground nearer to each other than this part of their distance from the origin are one.
const SAME: f64 = 1e-9;

/// The ground link of a mechanism: the shortest lines that join all joints of the ground.
pub(super) fn ground_links(model: &Model, ground: &mut Outline) {
    let mut open = ground_joints(model);
    let Some(first) = open.pop() else { return };
    let mut joined = vec![first];
    while !open.is_empty() {
        let pairs =
            joined.iter().flat_map(|a| open.iter().enumerate().map(move |(k, b)| (*a, k, *b)));
        let shortest =
            pairs.min_by(|(a, _, b), (c, _, d)| (b - a).norm().total_cmp(&(d - c).norm()));
        let Some((a, k, b)) = shortest else { return };
        ground.link(a, b);
        joined.push(b);
        open.swap_remove(k);
    }
}

/// Where joints and closures hold the machine to the ground, each place once.
fn ground_joints(model: &Model) -> Vec<Vec3> {
    let free = |kind: &JointKind| matches!(kind, JointKind::Planar | JointKind::Floating);
    let carried = model.bodies.iter().filter(|b| b.parent.is_none() && !free(&b.joint.kind));
    let mut all: Vec<Vec3> = carried.map(|b| b.joint.in_parent.position).collect();
    for row in model.closures.iter().flat_map(|c| &c.rows) {
        if let Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } = row {
            all.extend([a, b].into_iter().filter(|end| end.body.is_none()).map(|end| end.at));
        }
    }
    let mut once: Vec<Vec3> = Vec::new();
    for x in all {
        if once.iter().all(|y| (x - y).norm() > SAME * (x.norm() + y.norm())) {
            once.push(x);
        }
    }
    once
}

/// A stem to each contact shape of a body that its shape with a mass and its sticks do not reach.
pub(super) fn stems(
    model: &Model,
    body: usize,
    description: Option<&Description>,
    outline: &mut Outline,
) {
    let place = model.body_at(body);
    let own_body = &model.bodies[body];
    let center = local(own_body, &own_body.inertia.center);
    // The body without its contact shapes.
    let mut bare = Outline::default();
    let full = description.is_some_and(|d| solid::add(d, &own_body.name, center, model, &mut bare));
    sticks(model, own_body, &points(model, place), full, &mut bare);
    let to_own = inward(model, place);
    for shape in model.shapes.iter().filter(|shape| shape.body == place) {
        let Some((middle, size)) = extent(&shape.kind) else { continue };
        let middle = to_own.point(&middle);
        let from = bare.nearest(&middle).unwrap_or(center);
        if !bare.reaches(&middle) && (middle - from).norm() > size {
            outline.stem(from, middle);
        }
    }
}

/// The middle of a contact shape in the frame of its link, and how far it reaches from there; none of what is a plane.
fn extent(kind: &ShapeKind) -> Option<(Vec3, f64)> {
    Some(match kind {
        ShapeKind::Point { at } => (*at, 0.0),
        ShapeKind::Sphere { center, radius } | ShapeKind::Hollow { center, radius } => {
            (*center, *radius)
        }
        ShapeKind::Segment { start, end, .. } => ((start + end) / 2.0, 0.0),
        ShapeKind::Capsule { start, end, radius } => ((start + end) / 2.0, *radius),
        ShapeKind::Box { pose, half } => (pose.position, half.min()),
        ShapeKind::Cylinder { pose, radius, half_length } => {
            (pose.position, radius.min(*half_length))
        }
        ShapeKind::Convex { solid, radius } => {
            let count = solid.vertices.len().max(1);
            (solid.vertices.iter().sum::<Vec3>() / count as f64, *radius)
        }
        // From the middle of its frame a profile reaches to its nearest point at least.
        ShapeKind::Profile { pose, curve } => {
            let nearest = curve.samples.iter().map(|spot| spot.at.norm());
            (pose.position, nearest.fold(f64::INFINITY, f64::min))
        }
        ShapeKind::Plane { .. } => return None,
    })
}
