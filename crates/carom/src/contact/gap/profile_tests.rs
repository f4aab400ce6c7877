//! Profiles against the circle they are, against samples, and over lobes.

use super::*;
use crate::contact::proof_tests::{BODY, Dice, model};
use crate::contact::{Touch, touch};
use crate::maths::profile::Profile;
use crate::maths::{Pose, Vec3};
use crate::model::{Place, ShapeKind, Space};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Of shapes below 1 m.
const ROUND_OFF: f64 = 1e-13;

fn met(kinds: [&ShapeKind; 2], poses: [Pose; 2]) -> Touch {
    let [a, b] = kinds.map(Clone::clone);
    let model = model(Space::Planar, &[(BODY[0], a), (BODY[1], b)], &[(0, 1)]);
    touch(&model, 0, &|place: Place| poses[usize::from(place == BODY[1])]).unwrap()
}

/// r(φ) = a + b cos 3φ as a table; three lobes with hollows between them if b is large.
fn lobes(a: f64, b: f64) -> ShapeKind {
    let radii: Vec<f64> =
        (0..720).map(|k| a + b * (3.0 * TAU * f64::from(k) / 720.0).cos()).collect();
    ShapeKind::Profile { pose: Pose::identity(), curve: Arc::new(Profile::radii(&radii).unwrap()) }
}

/// A circle about a point as a profile: the eccentric circle of a table through exact points is not exact, a centred one is.
fn round(center: Vec3, radius: f64) -> [ShapeKind; 2] {
    let curve = Arc::new(Profile::radii(&[radius; 8]).unwrap());
    let profile = ShapeKind::Profile { pose: Pose::translation(center), curve };
    [profile, ShapeKind::Sphere { center, radius }]
}

#[test]
fn a_round_profile_is_the_circle() {
    let mut dice = Dice::new(701);
    let mut seen = 0;
    for round_number in 0..600 {
        let [profile, circle] = round(dice.point(0.3, true), dice.between(0.2, 0.4));
        let at = dice.point(0.3, true);
        let other = match round_number % 5 {
            0 => ShapeKind::Point { at },
            1 => ShapeKind::Plane { at, normal: dice.direction(true) },
            2 => {
                ShapeKind::Capsule { start: at, end: at + dice.direction(true) * 0.6, radius: 0.1 }
            }
            3 => ShapeKind::Box {
                pose: Pose { rotation: dice.rotation(true), position: at },
                half: Vec3::new(0.3, 0.2, 0.0),
            },
            _ => ShapeKind::Sphere { center: at, radius: 0.2 },
        };
        let poses =
            [0, 1].map(|_| Pose { rotation: dice.rotation(true), position: dice.point(0.7, true) });
        let (one, two) = (met([&profile, &other], poses), met([&circle, &other], poses));
        // Deep inside the centre of the circle no longer tells by which side.
        if two.gap() < -0.15 {
            continue;
        }
        seen += 1;
        let p = one.points().iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
        let q = two.points().iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
        assert!((p.gap - q.gap).abs() < ROUND_OFF, "{round_number}: {} {}", p.gap, q.gap);
        // Over a corner the normal is known as well as the way to it is long.
        let near = ROUND_OFF / q.gap.abs().clamp(1e-3, 1.0);
        assert!((p.normal - q.normal).norm() < near, "{round_number}");
        assert!((p.on_a - q.on_a).norm() < near && (p.on_b - q.on_b).norm() < near);
    }
    assert!(seen > 400, "{seen}");
}

#[test]
fn the_least_gap_is_the_least_distance_of_sampled_points() {
    let mut dice = Dice::new(702);
    let (profile, r) = (lobes(0.5, 0.1), 0.07);
    let ShapeKind::Profile { curve, .. } = &profile else { unreachable!() };
    let fine: Vec<Vec3> = (0..40_000).map(|k| curve.at(TAU * f64::from(k) / 40_000.0).at).collect();
    for _ in 0..100 {
        let center = dice.direction(true) * dice.between(0.65, 1.5);
        let found =
            met([&profile, &ShapeKind::Sphere { center, radius: r }], [Pose::identity(); 2]);
        let least = fine.iter().map(|p| (p - center).norm()).fold(f64::INFINITY, f64::min) - r;
        // Sampling misses the minimum by (half a step)²/2 (1/d + κ): d is above 0.05 m.
        assert!(found.gap() <= least + ROUND_OFF && found.gap() > least - 1e-7);
    }
}

#[test]
fn a_circle_between_two_lobes_touches_both() {
    let profile = lobes(0.5, 0.2);
    // Opposite the lobe at φ = 0 lies the hollow at φ = 180°.
    let ball = ShapeKind::Sphere { center: Vec3::new(-0.85, 0.0, 0.0), radius: 0.4 };
    let touched = met([&profile, &ball], [Pose::identity(); 2]);
    let [p, q] = touched.points() else { panic!("{:?}", touched.points()) };
    assert!((p.gap - q.gap).abs() < ROUND_OFF && (p.normal.y + q.normal.y).abs() < ROUND_OFF);
    assert!((p.on_a.y + q.on_a.y).abs() < ROUND_OFF && p.on_a.y.abs() > 0.1);
    // A small one touches the ground of the hollow only.
    let ball = ShapeKind::Sphere { center: Vec3::new(-0.34, 0.0, 0.0), radius: 0.02 };
    let touched = met([&profile, &ball], [Pose::identity(); 2]);
    let lowest = touched.points().iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
    assert!(
        (lowest.gap - 0.02).abs() < 1e-12
            && (lowest.on_a - Vec3::new(-0.3, 0.0, 0.0)).norm() < 1e-10
    );
}

#[test]
fn a_plane_touches_each_lobe_that_looks_at_it() {
    let profile = lobes(0.5, 0.1);
    let plane = ShapeKind::Plane { at: Vec3::new(-0.6, 0.0, 0.0), normal: Vec3::x() };
    let touched = met([&profile, &plane], [Pose::identity(); 2]);
    // The lobes at ±120° are as near.
    let [p, q] = touched.points() else { panic!("{:?}", touched.points()) };
    assert!((p.gap - q.gap).abs() < ROUND_OFF && (p.on_a.y + q.on_a.y).abs() < ROUND_OFF);
    assert_eq!([p.normal, q.normal], [-Vec3::x(); 2]);
}

#[test]
fn a_flat_follower_passes_from_its_face_to_its_corner_without_a_jump() {
    let profile = lobes(0.5, 0.02);
    let plate = ShapeKind::Box { pose: Pose::identity(), half: Vec3::new(0.1, 0.05, 0.0) };
    let mut before: Option<Touch> = None;
    for k in 0..4000 {
        let x = -0.6 + 1.2 * f64::from(k) / 4000.0;
        let pose = Pose::translation(Vec3::new(x, 0.56, 0.0));
        let now = met([&profile, &plate], [Pose::identity(), pose]);
        if let Some(before) = before {
            assert!((now.gap() - before.gap()).abs() < 1.2 * 3e-4, "at {x}");
        }
        before = Some(now);
    }
}

#[test]
fn a_one_sided_segment_is_the_face_of_a_box() {
    let mut dice = Dice::new(703);
    let profile = lobes(0.3, 0.02);
    let (start, end) = (Vec3::new(-1.0, 0.2, 0.0), Vec3::new(1.0, 0.2, 0.0));
    let edge = ShapeKind::Segment { start, end, side: Some(Side::Left) };
    let block = ShapeKind::Box {
        pose: Pose::translation(Vec3::new(0.0, -0.3, 0.0)),
        half: Vec3::new(1.0, 0.5, 0.0),
    };
    for _ in 0..100 {
        let pose = Pose {
            rotation: dice.rotation(true),
            position: Vec3::new(dice.signed(), dice.between(0.45, 0.7), 0.0),
        };
        let [one, two] =
            [&edge, &block].map(|other| met([&profile, other], [pose, Pose::identity()]));
        assert_eq!(one.points().len(), two.points().len());
        assert!((one.gap() - two.gap()).abs() < ROUND_OFF);
    }
}
