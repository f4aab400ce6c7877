//! The outer side of a planar segment, from where its partner stands.

use super::ContactError;
use crate::maths::{Pose, Vec3};
use crate::model::{ContactGeometry, Model, Place, ShapeKind, Side};

/// Height over a segment's line, relative to the segment's length, below which a partner stands on
/// the line: then its side cannot be told.
const ON_THE_LINE: f64 = 1e-9;

/// Fixes the outer side of the planar segments whose side the file leaves open.
///
/// The side on which the partner (a point, or the centre of a sphere) stands in the given pose is
/// outside. A segment without such a contact stays open: against a plane its side does not matter.
/// A written side is kept, wherever the partner stands. On an error no side is changed.
pub fn settle_sides(model: &mut Model, pose: &dyn Fn(Place) -> Pose) -> Result<(), ContactError> {
    let settled = settled_sides(model, pose)?;
    settle(model, &settled);
    Ok(())
}

/// The sides of all shapes as [`settle_sides`] finds them; none where the pose decides nothing.
pub(super) fn settled_sides(
    model: &Model,
    pose: &dyn Fn(Place) -> Pose,
) -> Result<Vec<Option<Side>>, ContactError> {
    if !model.is_planar() {
        return Ok(Vec::new());
    }
    (0..model.shapes.len()).map(|shape| side_of_partners(model, shape, pose)).collect()
}

/// Fixes the sides that were found.
pub(super) fn settle(model: &mut Model, settled: &[Option<Side>]) {
    for (shape, settled) in model.shapes.iter_mut().zip(settled) {
        if let (ShapeKind::Segment { side, .. }, Some(_)) = (&mut shape.kind, settled) {
            *side = *settled;
        }
    }
}

/// Whether the shape is a segment without a side.
pub(super) fn is_open(kind: &ShapeKind) -> bool {
    matches!(kind, ShapeKind::Segment { side: None, .. })
}

/// The side of an open segment on which all its partners stand; none if it needs no side.
fn side_of_partners(
    model: &Model,
    segment: usize,
    pose: &dyn Fn(Place) -> Pose,
) -> Result<Option<Side>, ContactError> {
    let shape = &model.shapes[segment];
    let ShapeKind::Segment { start, end, side: None } = shape.kind else {
        return Ok(None);
    };
    let carrier = pose(shape.body);
    let (start, end) = (carrier.point(&start), carrier.point(&end));
    let mut found: Option<(Side, usize)> = None;
    for (contact, partner) in partners(model, segment) {
        let Some(center) = reference_point(&model.shapes[partner].kind) else { continue };
        let p = pose(model.shapes[partner].body).point(&center);
        let side = side_of(&p, &start, &end).ok_or_else(|| ContactError::SideUnknown {
            contact: model.contacts[contact].name.clone(),
            shape: shape.name.clone(),
        })?;
        match found {
            Some((first, by)) if first != side => {
                return Err(ContactError::SidesDisagree {
                    shape: shape.name.clone(),
                    first: model.contacts[by].name.clone(),
                    second: model.contacts[contact].name.clone(),
                });
            }
            _ => found = Some((side, contact)),
        }
    }
    Ok(found.map(|(side, _)| side))
}

/// The contacts of a shape and the shapes at their other ends.
fn partners(model: &Model, shape: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    model.contacts.iter().enumerate().filter_map(move |(i, contact)| match contact.geometry {
        ContactGeometry::Shapes { a, b } if a == shape => Some((i, b)),
        ContactGeometry::Shapes { a, b } if b == shape => Some((i, a)),
        _ => None,
    })
}

/// The point whose side counts; none for shapes whose contact with a segment is not one-sided.
fn reference_point(kind: &ShapeKind) -> Option<Vec3> {
    match *kind {
        ShapeKind::Point { at } => Some(at),
        ShapeKind::Sphere { center, .. } => Some(center),
        _ => None,
    }
}

/// The side of p, looking from start to end; none if it is on the line.
fn side_of(p: &Vec3, start: &Vec3, end: &Vec3) -> Option<Side> {
    let edge = end - start;
    // height · length = (edge × (p − start)) · z
    let area = edge.cross(&(p - start)).z;
    if area.abs() <= ON_THE_LINE * edge.norm_squared() {
        return None;
    }
    Some(if area > 0.0 { Side::Left } else { Side::Right })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{BODY, model};
    use crate::contact::touch;
    use crate::model::Space;

    fn segment() -> ShapeKind {
        ShapeKind::Segment { start: Vec3::zeros(), end: Vec3::x() * 2.0, side: None }
    }

    fn ball() -> ShapeKind {
        ShapeKind::Sphere { center: Vec3::zeros(), radius: 0.1 }
    }

    /// A floor on the ground and two balls on bodies 0 and 1, each in contact with it.
    fn floor_and_balls(space: Space) -> Model {
        let shapes = [(None, segment()), (BODY[0], ball()), (BODY[1], ball())];
        model(space, &shapes, &[(0, 1), (2, 0)])
    }

    fn heights(first: f64, second: f64) -> impl Fn(Place) -> Pose {
        move |place| match place {
            None => Pose::identity(),
            p if p == BODY[0] => Pose::translation(Vec3::new(0.5, first, 0.0)),
            _ => Pose::translation(Vec3::new(1.5, second, 0.0)),
        }
    }

    fn side(model: &Model) -> Option<Side> {
        match model.shapes[0].kind {
            ShapeKind::Segment { side, .. } => side,
            _ => None,
        }
    }

    #[test]
    fn the_partner_stands_outside() {
        for (height, expected) in [(0.5, Side::Left), (-0.5, Side::Right)] {
            let mut model = floor_and_balls(Space::Planar);
            let pose = heights(height, 2.0 * height);
            settle_sides(&mut model, &pose).unwrap();
            assert_eq!(side(&model), Some(expected));
            assert!((touch(&model, 0, &pose).unwrap().gap() - 0.4).abs() < 1e-15);
            assert!((touch(&model, 1, &pose).unwrap().gap() - 0.9).abs() < 1e-15);
        }
    }

    #[test]
    fn a_written_side_is_kept() {
        let mut model = floor_and_balls(Space::Planar);
        model.shapes[0].kind =
            ShapeKind::Segment { start: Vec3::zeros(), end: Vec3::x(), side: Some(Side::Right) };
        settle_sides(&mut model, &heights(1.0, -1.0)).unwrap();
        assert_eq!(side(&model), Some(Side::Right));
    }

    #[test]
    fn a_partner_on_the_line_leaves_the_side_unknown() {
        let mut model = floor_and_balls(Space::Planar);
        let error = settle_sides(&mut model, &heights(0.9e-9 * 2.0, 1.0)).unwrap_err();
        let expected =
            ContactError::SideUnknown { contact: "contact-0".into(), shape: "shape-0".into() };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("write `side = "), "{error}");
        assert!(settle_sides(&mut model, &heights(1.1e-9 * 2.0, 1.0)).is_ok());
    }

    #[test]
    fn partners_on_different_sides_are_an_error_that_says_so() {
        let mut model = floor_and_balls(Space::Planar);
        let error = settle_sides(&mut model, &heights(1.0, -1.0)).unwrap_err();
        assert!(matches!(error, ContactError::SidesDisagree { .. }));
        assert!(error.to_string().contains("contact-0") && error.to_string().contains("contact-1"));
        assert_eq!(side(&model), None);
    }

    #[test]
    fn without_a_side_there_is_no_gap() {
        let model = floor_and_balls(Space::Planar);
        for contact in [0, 1] {
            let error = touch(&model, contact, &heights(1.0, 1.0)).unwrap_err();
            let ContactError::SideUnknown { shape, .. } = error else { panic!("{error}") };
            assert_eq!(shape, "shape-0");
        }
    }

    #[test]
    fn in_space_and_against_a_plane_a_segment_needs_no_side() {
        let mut spatial = floor_and_balls(Space::Spatial);
        settle_sides(&mut spatial, &heights(0.0, 0.0)).unwrap();
        assert_eq!(side(&spatial), None);

        let plane = ShapeKind::Plane { at: Vec3::zeros(), normal: Vec3::y() };
        let mut planar = model(Space::Planar, &[(BODY[0], segment()), (None, plane)], &[(0, 1)]);
        settle_sides(&mut planar, &heights(0.0, 0.0)).unwrap();
        assert_eq!(side(&planar), None);
        assert_eq!(touch(&planar, 0, &heights(0.3, 0.0)).unwrap().points().len(), 2);
    }
}
