//! Convex shapes against the signed distance of their Minkowski difference, and against themselves written otherwise.

use super::proof_tests::{BODY, Dice, model};
use super::{Touch, touch};
use crate::maths::polytope::{Polytope, corner_signs};
use crate::maths::{Pose, Vec3};
use crate::model::{Place, ShapeKind, Space};
use carom_reference::convex_sets::signed_distance;
use std::sync::Arc;

/// Gaps of shapes of about 1 m \[m\]: some ten thousand times the round-off of a coordinate.
const GAP: f64 = 1e-12;
/// Normals, which are directions of differences that are as short as 1e-3 m.
const NORMAL: f64 = 1e-9;
/// Pairs of each kind. The reference tries all planes through three points of a difference, which limits their number.
const PAIRS: usize = 150;

/// A shape, and the points whose hull it is.
fn shape(dice: &mut Dice, kind: usize, planar: bool) -> (ShapeKind, Vec<Vec3>, f64) {
    let flat = |p: Vec3| if planar { Vec3::new(p.x, p.y, 0.0) } else { p };
    match kind {
        0 => {
            let half =
                Vec3::new(dice.between(0.1, 0.5), dice.between(0.1, 0.5), dice.between(0.1, 0.5));
            let corners = corner_signs().map(|s| flat(Vec3::from(s).component_mul(&half)));
            (ShapeKind::Box { pose: Pose::identity(), half }, corners.to_vec(), 0.0)
        }
        1 => {
            let ends = [dice.point(0.4, planar), dice.point(0.4, planar)];
            let [start, end] = ends;
            (ShapeKind::Capsule { start, end, radius: 0.1 }, ends.to_vec(), 0.1)
        }
        _ => {
            let points: Vec<Vec3> = if planar {
                let mut angles: Vec<f64> = (0..6).map(|_| dice.between(0.0, 6.2)).collect();
                angles.sort_by(f64::total_cmp);
                angles.iter().map(|a| Vec3::new(0.5 * a.cos(), 0.3 * a.sin(), 0.0)).collect()
            } else {
                (0..6).map(|_| dice.vector(0.5)).collect()
            };
            let solid = if planar { Polytope::polygon(&points) } else { Polytope::hull(&points) };
            let radius = if kind == 2 { 0.0 } else { 0.05 };
            let solid = Arc::new(solid.expect("random points lie in no plane"));
            (ShapeKind::Convex { solid, radius }, points, radius)
        }
    }
}

/// Two bodies in two poses.
fn met(kinds: [ShapeKind; 2], poses: [Pose; 2], planar: bool) -> Option<Touch> {
    let space = if planar { Space::Planar } else { Space::Spatial };
    let [a, b] = kinds;
    let model = model(space, &[(BODY[0], a), (BODY[1], b)], &[(0, 1)]);
    touch(&model, 0, &|place: Place| poses[usize::from(place == BODY[1])]).ok()
}

#[test]
fn gaps_and_normals_are_those_of_the_minkowski_difference() {
    let mut dice = Dice::new(601);
    let (mut apart, mut inside, mut many) = (0, 0, 0);
    for planar in [true, false] {
        for round in 0..16 * PAIRS {
            let (first, second) = (round % 4, round / 4 % 4);
            if first == 1 && second == 1 || first * second > 8 && !planar {
                // Two capsules have a file of their own; two large differences take the reference minutes.
                continue;
            }
            let (a, points_a, r_a) = shape(&mut dice, first, planar);
            let (b, points_b, r_b) = shape(&mut dice, second, planar);
            let poses = [0, 1].map(|_| Pose {
                rotation: dice.rotation(planar),
                position: dice.point(0.7, planar),
            });
            let placed = |points: &[Vec3], pose: &Pose| -> Vec<[f64; 3]> {
                points.iter().map(|p| pose.point(p).into()).collect()
            };
            let (a_world, b_world) = (placed(&points_a, &poses[0]), placed(&points_b, &poses[1]));
            let centers = (poses[1].position - poses[0].position).norm();
            // All planes through three points of a difference are many.
            if !planar && centers < 0.6 && round % 8 != 0 {
                continue;
            }
            let (d, n) = signed_distance(&a_world, &b_world, planar);
            let touched = met([a, b], poses, planar).expect("it has a normal");
            let gap = d - r_a - r_b;
            let why = || format!("planar {planar}, {first}–{second}, round {round}");
            assert!((touched.gap() - gap).abs() < GAP, "{}: {} {gap}", why(), touched.gap());
            let nearest = touched.points().iter().filter(|p| (p.gap - gap).abs() < GAP);
            let turned = nearest.map(|p| (p.normal - Vec3::from(n)).norm()).fold(2.0, f64::min);
            assert!(d.abs() < 1e-3 || turned < NORMAL, "{}: {turned}", why());
            if d > 0.0 {
                apart += 1;
            } else {
                inside += 1;
            }
            many += usize::from(touched.points().len() > 1);
        }
    }
    assert!(apart > 500 && inside > 500 && many > 500, "{apart} {inside} {many}");
}

#[test]
fn a_box_as_a_polyhedron_has_the_gaps_of_the_box() {
    let mut dice = Dice::new(602);
    for round in 0..400 {
        let half = Vec3::new(0.2, 0.3, 0.5);
        let block = ShapeKind::Box { pose: Pose::identity(), half };
        let corners = corner_signs().map(|s| Vec3::from(s).component_mul(&half));
        let solid = Arc::new(Polytope::hull(&corners).unwrap());
        let hull = ShapeKind::Convex { solid, radius: 0.0 };
        let other = if round % 2 == 0 {
            ShapeKind::Plane { at: Vec3::zeros(), normal: Vec3::z() }
        } else {
            shape(&mut dice, 2, false).0
        };
        let poses =
            [0, 1].map(|_| Pose { rotation: dice.rotation(false), position: dice.vector(0.6) });
        let of = |kind: &ShapeKind| met([kind.clone(), other.clone()], poses, false).unwrap();
        let (one, two) = (of(&block), of(&hull));
        assert!((one.gap() - two.gap()).abs() < 1e-14, "round {round}");
    }
}

#[test]
fn polygons_have_the_gaps_of_prisms_in_space() {
    let mut dice = Dice::new(603);
    for round in 0..400 {
        let [a, b] = [0, 1].map(|_| shape(&mut dice, 2, true));
        let prism = |points: &[Vec3]| {
            let ends = [-2.0, 2.0].map(|z| points.iter().map(move |p| Vec3::new(p.x, p.y, z)));
            let solid = Polytope::hull(&ends.into_iter().flatten().collect::<Vec<_>>()).unwrap();
            ShapeKind::Convex { solid: Arc::new(solid), radius: 0.0 }
        };
        let poses =
            [0, 1].map(|_| Pose { rotation: dice.rotation(true), position: dice.point(0.6, true) });
        let solids = [prism(&a.1), prism(&b.1)];
        let (plane, space) =
            (met([a.0, b.0], poses, true).unwrap(), met(solids, poses, false).unwrap());
        assert!((plane.gap() - space.gap()).abs() < 1e-13, "round {round}");
        let lowest = |touch: &Touch| {
            touch.points().iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap().normal
        };
        assert!((lowest(&plane) - lowest(&space)).norm() < 1e-9, "round {round}");
    }
}

/// A box of these half edges, turned about z and shifted.
fn slab(half: [f64; 3]) -> ShapeKind {
    ShapeKind::Box { pose: Pose::identity(), half: Vec3::from(half) }
}

#[test]
fn faces_that_lie_on_each_other_touch_at_the_corners_of_their_overlap() {
    let turned = |angle: f64, x: f64| Pose {
        rotation: crate::maths::spatial::rotation_by(&(Vec3::z() * angle)),
        position: Vec3::new(x, 0.0, 0.2),
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    for (kinds, pose, count) in [
        // The same, shifted, crosswise, turned by 45°.
        ([slab([0.3, 0.3, 0.1]), slab([0.3, 0.3, 0.1])], turned(0.0, 0.0), 4),
        ([slab([0.3, 0.3, 0.1]), slab([0.3, 0.3, 0.1])], turned(0.0, 0.2), 4),
        ([slab([0.5, 0.1, 0.1]), slab([0.5, 0.1, 0.1])], turned(quarter, 0.0), 4),
        ([slab([0.3, 0.3, 0.1]), slab([0.3, 0.3, 0.1])], turned(0.5 * quarter, 0.0), 8),
        ([slab([0.3, 0.3, 0.1]), slab([0.1, 0.1, 0.1])], turned(0.3, 0.0), 4),
    ] {
        let touched = met(kinds, [Pose::identity(), pose], false).unwrap();
        assert_eq!(touched.points().len(), count);
        for p in touched.points() {
            assert!(p.gap.abs() < 1e-15 && (p.normal - Vec3::z()).norm() < 1e-15);
            assert!((p.on_a.z - 0.1).abs() < 1e-15);
        }
    }
}

#[test]
fn a_plank_that_slides_over_an_edge_keeps_its_features_in_the_plane() {
    let (plank, table) = (slab([0.5, 0.05, 0.0]), slab([0.4, 0.2, 0.0]));
    let at = |x: f64| {
        let pose = Pose::translation(Vec3::new(x, 0.25, 0.0));
        met([table.clone(), plank.clone()], [Pose::identity(), pose], true).unwrap()
    };
    // Its end passes the end of the table at 0.1 and −0.1.
    for x in [0.1, -0.1] {
        let (before, after) = (at(x - 1e-9), at(x + 1e-9));
        assert_eq!((before.features(), before.points().len()), (after.features(), 2));
        for (p, q) in before.points().iter().zip(after.points()) {
            assert!((p.on_a - q.on_a).norm() < 1e-8 && (p.gap - q.gap).abs() < 1e-15);
        }
    }
}
