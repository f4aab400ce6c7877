//! Spheres, points and planes at rest: the same numbers as `sphere_sphere` and `sphere_plane`, without their rates.
//!
//! These pairs are evaluated in every step of most runs. The operations and their order are those of the general route, so
//! that both give the same bits; a test demands it.

use crate::contact::TouchPoint;
use crate::maths::{Pose, Vec3};
use crate::model::ShapeKind;

/// A sphere, or a point, at its place in the world.
struct Ball {
    center: Vec3,
    radius: f64,
}

fn ball(kind: &ShapeKind, pose: &Pose) -> Option<Ball> {
    match kind {
        ShapeKind::Point { at } => Some(Ball { center: pose.point(at), radius: 0.0 }),
        ShapeKind::Sphere { center, radius } => {
            Some(Ball { center: pose.point(center), radius: *radius })
        }
        _ => None,
    }
}

/// A way from x to y = x + d n, grown by radii.
fn grown(x: &Vec3, y: &Vec3, n: Vec3, d: f64, [r_x, r_y]: [f64; 2]) -> TouchPoint {
    TouchPoint { gap: d - (r_x + r_y), on_a: x + n * r_x, on_b: y - n * r_y, normal: n }
}

fn mirrored(met: &TouchPoint) -> TouchPoint {
    TouchPoint { gap: met.gap, on_a: met.on_b, on_b: met.on_a, normal: -met.normal }
}

/// The contact of two shapes; none of other pairs, and where there is no normal.
pub(in crate::contact) fn meet(
    (a, pose_a): (&ShapeKind, &Pose),
    (b, pose_b): (&ShapeKind, &Pose),
    swap_equals: bool,
) -> Option<TouchPoint> {
    match (a, b) {
        (_, ShapeKind::Plane { at, normal }) => {
            Some(ball_plane(&ball(a, pose_a)?, (at, normal), pose_b))
        }
        (ShapeKind::Plane { at, normal }, _) => {
            Some(mirrored(&ball_plane(&ball(b, pose_b)?, (at, normal), pose_a)))
        }
        _ => {
            let (a, b) = (ball(a, pose_a)?, ball(b, pose_b)?);
            if swap_equals { Some(mirrored(&ball_ball(&b, &a)?)) } else { ball_ball(&a, &b) }
        }
    }
}

/// gap = N · (c − at) − r,  n = −N
fn ball_plane(ball: &Ball, (at, normal): (&Vec3, &Vec3), pose: &Pose) -> TouchPoint {
    let N = pose.vector(normal);
    let d = N.dot(&(ball.center - pose.point(at)));
    let foot = ball.center - N * d;
    grown(&ball.center, &foot, -N, d, [ball.radius, 0.0])
}

/// gap = |c_b − c_a| − (r_a + r_b),  n = (c_b − c_a)/|c_b − c_a|
fn ball_ball(a: &Ball, b: &Ball) -> Option<TouchPoint> {
    let size = a.radius + b.radius;
    let between = b.center - a.center;
    let length = between.norm();
    let noise = 8.0 * f64::EPSILON * a.center.amax().max(b.center.amax()).max(size);
    let apart = size > 0.0 && length > noise;
    apart.then(|| grown(&a.center, &b.center, between / length, length, [a.radius, b.radius]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{BODY, Dice, model};
    use crate::contact::{BodyMotion, patch, touch};
    use crate::model::{Place, Space};

    /// A point, a sphere or a plane.
    fn shape(dice: &mut Dice, kind: usize, planar: bool) -> ShapeKind {
        match kind {
            0 => ShapeKind::Point { at: dice.point(1.0, planar) },
            1 => ShapeKind::Sphere { center: dice.point(1.0, planar), radius: 0.3 },
            _ => ShapeKind::Plane { at: dice.point(1.0, planar), normal: dice.direction(planar) },
        }
    }

    #[test]
    fn they_have_the_bits_of_the_route_with_rates() {
        let mut met = 0;
        for (number, seed) in (0..400_u64).enumerate() {
            let planar = number % 2 == 0;
            let space = if planar { Space::Planar } else { Space::Spatial };
            let dice = &mut Dice::new(seed);
            let (first, second) = (number / 2 % 3, number / 6 % 3);
            let shapes = [first, second].map(|kind| shape(dice, kind, planar));
            let [one, other] = shapes;
            let shapes = [(BODY[0], one), (BODY[1], other)];
            let model = model(space, &shapes, &[(0, 1), (1, 0)]);
            let poses = [0, 1].map(|_| Pose {
                rotation: dice.rotation(planar),
                position: dice.point(2.0, planar),
            });
            let pose = |place: Place| poses[usize::from(place == BODY[1])];
            for contact in 0..2 {
                let general = patch(&model, contact, &pose, &|_| BodyMotion::rest());
                let (Ok(general), Ok(plain)) = (general, touch(&model, contact, &pose)) else {
                    continue;
                };
                let (general, plain) = (general.meetings()[0], plain.points()[0]);
                let bits = |x: &[Vec3; 3], gap: f64| {
                    let vectors = x.iter().flat_map(|x| x.iter().map(|x| x.to_bits()));
                    vectors.chain([gap.to_bits()]).collect::<Vec<u64>>()
                };
                let vectors = [general.on_a.value, general.on_b.value, general.normal.value];
                assert_eq!(
                    bits(&[plain.on_a, plain.on_b, plain.normal], plain.gap),
                    bits(&vectors, general.gap),
                    "seed {seed}"
                );
                met += 1;
            }
        }
        // Of nine ordered pairs six are supported.
        assert!(met > 500, "{met} contacts");
    }
}
