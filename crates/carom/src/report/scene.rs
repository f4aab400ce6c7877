//! What a machine looks like: lines, balls and planes in the frames of its bodies.
//!
//! Contact shapes are drawn as they are, and shapes with a mass as the file states them. What has neither is drawn as sticks through
//! its joints, contact points and mass centre. Everything is in the body's own frame, whose pose [`super::motion`] gives over time.

mod frame;
mod outline;
mod solid;

use serde_json::{Value, json};

use super::short;
use crate::maths::{Pose, Vec3};
use crate::model::{
    Anchor, Body, ContactGeometry, Description, JointKind, Load, Model, Place, Row,
};

use self::outline::Outline;

/// Digits of lengths.
const DIGITS: usize = 6;

/// The scene of a model. The description, if there is one, tells the shapes that have a mass.
pub fn scene(model: &Model, description: Option<&Description>) -> Value {
    let bodies: Value = (0..model.bodies.len())
        .map(|k| {
            let place = model.body_at(k);
            let mut outline = Outline::default();
            shapes(model, place, &mut outline);
            let body = &model.bodies[k];
            let solid = description.is_some_and(|d| {
                solid::add(d, &body.name, local(body, &body.inertia.center), model, &mut outline)
            });
            let points = points(model, place);
            sticks(model, body, &points, solid, &mut outline);
            frame::stems(model, k, description, &mut outline);
            dots(model, place, &mut outline);
            let mut value = outline.value();
            value["name"] = json!(body.name);
            value["center"] = vector(&local(body, &body.inertia.center));
            value
        })
        .collect();
    let mut ground = Outline::default();
    shapes(model, None, &mut ground);
    dots(model, None, &mut ground);
    guides(model, &mut ground);
    if !model.is_planar() {
        frame::ground_links(model, &mut ground);
    }
    let end = |end: &Anchor| {
        let body = end.body.map_or(-1, |b| i64::from(b.0));
        json!([body, vector(&own(model, end.body, &end.at))])
    };
    let springs = model.loads.iter().filter_map(|load| match load {
        Load::Spring { a, b, .. } => Some(json!({ "a": end(a), "b": end(b) })),
        _ => None,
    });
    // A spring with the length of a rope is drawn as that rope.
    let ropes = model.contacts.iter().filter_map(|contact| match &contact.geometry {
        ContactGeometry::Rope { a, b, length } => {
            Some(json!({ "a": end(a), "b": end(b), "rope": short(*length, DIGITS) }))
        }
        _ => None,
    });
    let springs: Value = springs.chain(ropes).collect();
    json!({
        "planar": model.is_planar(),
        "gravity": vector(&model.gravity),
        "bodies": bodies,
        "ground": ground.value(),
        "springs": springs,
    })
}

/// A point of a link frame in the body's own frame.
fn local(body: &Body, at: &Vec3) -> Vec3 {
    body.frame.inverse().point(at)
}

/// The same of a body or the ground.
fn own(model: &Model, place: Place, at: &Vec3) -> Vec3 {
    place.map_or(*at, |b| local(&model.bodies[b.index()], at))
}

/// The body's own frame in the frame of the link, and back.
fn inward(model: &Model, place: Place) -> Pose {
    place.map_or_else(Pose::identity, |b| model.bodies[b.index()].frame.inverse())
}

fn vector(x: &Vec3) -> Value {
    x.iter().map(|c| short(*c, DIGITS)).collect()
}

/// Contact shapes.
fn shapes(model: &Model, place: Place, outline: &mut Outline) {
    let to_own = inward(model, place);
    for shape in model.shapes.iter().filter(|s| s.body == place) {
        outline.shape(&shape.kind, &to_own, model.is_planar());
    }
}

/// Where a body is held, touched or pulled, in its own frame: the ends of sticks.
fn points(model: &Model, place: Place) -> Vec<Vec3> {
    let mut out: Vec<Vec3> = Vec::new();
    let mut add = |x: Vec3| {
        // Points nearer than this to each other [m] are one.
        if !out.iter().any(|y| (x - y).norm() < 1e-9) {
            out.push(x);
        }
    };
    if let Some(b) = place {
        let body = &model.bodies[b.index()];
        if !matches!(
            body.joint.kind,
            JointKind::Planar | JointKind::Floating | JointKind::Prismatic
        ) {
            add(local(body, &Vec3::zeros()));
        }
    }
    for child in model.bodies.iter().filter(|b| b.parent == place) {
        if !matches!(child.joint.kind, JointKind::Planar | JointKind::Floating) {
            add(own(model, place, &child.joint.in_parent.position));
        }
    }
    for row in model.closures.iter().flat_map(|c| &c.rows) {
        if let Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } = row {
            for end in [a, b].into_iter().filter(|end| end.body == place) {
                add(own(model, place, &end.at));
            }
        }
    }
    for contact in &model.contacts {
        match contact.geometry {
            ContactGeometry::Points { a, b, .. } | ContactGeometry::Rope { a, b, .. } => {
                for end in [a, b].into_iter().filter(|end| end.body == place) {
                    add(own(model, place, &end.at));
                }
            }
            ContactGeometry::Shapes { a, b } => {
                for shape in [a, b].map(|k| &model.shapes[k]) {
                    if let crate::model::ShapeKind::Point { at } = shape.kind
                        && shape.body == place
                    {
                        add(own(model, place, &at));
                    }
                }
            }
            ContactGeometry::Stop(_) => {}
        }
    }
    for load in &model.loads {
        if let Load::Spring { a, b, .. } = load {
            for end in [a, b].into_iter().filter(|end| end.body == place) {
                add(own(model, place, &end.at));
            }
        }
    }
    out
}

/// Sticks through the points of a body; a plate if there are three or more of them in a plane.
fn sticks(model: &Model, body: &Body, points: &[Vec3], solid: bool, outline: &mut Outline) {
    let center = local(body, &body.inertia.center);
    // A body whose shape is drawn reaches its joints; sticks would only cross it.
    if (solid || outline.is_full()) && points.iter().all(|p| outline.reaches(p)) {
        return;
    }
    if model.is_planar() && points.len() > 2 {
        let hull = outline::hull(points);
        if hull.len() > 2 {
            outline.plate(hull);
            return;
        }
    }
    match points {
        [] if outline.is_empty() => outline.block(center),
        [] => {}
        [only] if (only - center).norm() < 1e-9 && outline.is_empty() => outline.block(center),
        [only] => outline.stick(*only, center),
        [a, b] if near_line(&center, a, b) => outline.stick(*a, *b),
        many => many.iter().for_each(|p| outline.stick(*p, center)),
    }
}

/// Whether a point is hardly beside the line of two others.
fn near_line(x: &Vec3, a: &Vec3, b: &Vec3) -> bool {
    let along = b - a;
    let length = along.norm();
    length > 0.0 && along.cross(&(x - a)).norm() < 0.02 * length * length
}

/// Joints that turn, on the body that carries them.
fn dots(model: &Model, place: Place, outline: &mut Outline) {
    for child in model.bodies.iter().filter(|b| b.parent == place) {
        let turns = matches!(
            child.joint.kind,
            JointKind::Revolute
                | JointKind::Universal
                | JointKind::Spherical
                | JointKind::Cylindrical
        );
        if turns {
            outline.joint(own(model, place, &child.joint.in_parent.position));
        }
    }
    for closure in &model.closures {
        if !["revolute", "spherical", "universal"].contains(&closure.kind) {
            continue;
        }
        if let Some(Row::InPlane { a, .. }) = closure.rows.first()
            && a.body == place
        {
            outline.joint(own(model, place, &a.at));
        }
    }
}

/// The lines along which bodies slide on the ground.
fn guides(model: &Model, ground: &mut Outline) {
    for body in model.bodies.iter().filter(|b| b.parent.is_none()) {
        if body.joint.kind == JointKind::Prismatic {
            let fixed = &body.joint.in_parent;
            ground.guide(fixed.position, fixed.rotation.column(2).into_owned());
        }
    }
}
