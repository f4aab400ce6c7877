//! Cylinder against plane (space only): two points, the lowest of each rim.
//!
//! gap± = N · (C ± h e + R d − at),  d = −(N − (N·e) e)/|N − (N·e) e|,  n = −N
//!
//! C is the centre, e the axis, h the half length, R the radius, N the plane's outward normal. The
//! first point belongs to the rim at +h. A cylinder that lies touches with both; one that stands
//! with one only, so it can tip about it: stand it on a box if it is to rest. When the axis is along
//! N (within 1e-12) every point of a rim is as low, and d is the x axis of the cylinder's pose; the
//! gap is continuous there, d is not. Valid everywhere.

use super::skeleton::point_plane;
use super::{Barrel, HalfSpace, Patch};

/// Sine of the angle between axis and normal below which the cylinder stands upright.
const UPRIGHT: f64 = 1e-12;

/// The contact of a cylinder (a) with a half-space (b).
pub(super) fn meet(cylinder: &Barrel, plane: &HalfSpace) -> Patch {
    let [e1, e2, e] = cylinder.axes;
    let normal = plane.normal;
    // From components, so that it stays across the axis to the last bit however short it is.
    let across = -(e1 * e1.dot(&normal) + e2 * e2.dot(&normal));
    let down = across.direction(UPRIGHT).map_or(e1, |(d, _)| d);
    let rim = |h: f64| {
        let lowest = cylinder.center + e * h + down * cylinder.radius;
        point_plane(lowest, plane.at, normal).grown(0.0, 0.0)
    };
    Patch::of(&[rim(cylinder.half_length), rim(-cylinder.half_length)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{Dice, still};
    use crate::maths::{Vec3, spatial::rotation_by};

    fn cylinder(rotation: crate::maths::Mat3) -> Barrel {
        let axes = [0, 1, 2].map(|i| still(rotation.column(i).into_owned()));
        let center = still(Vec3::new(0.3, -0.2, 0.9));
        Barrel { center, axes, radius: 0.4, half_length: 0.7 }
    }

    #[test]
    fn no_sampled_point_of_a_rim_is_lower() {
        let mut dice = Dice::new(41);
        for _ in 0..100 {
            let body = cylinder(dice.rotation(false));
            let plane =
                HalfSpace { at: still(dice.vector(1.0)), normal: still(dice.direction(false)) };
            let patch = meet(&body, &plane);
            for (met, h) in patch.meetings().iter().zip([0.7, -0.7]) {
                let height = |i: i32| {
                    let (s, c) = (f64::from(i) * std::f64::consts::PI / 2000.0).sin_cos();
                    let x = body.center
                        + body.axes[2] * h
                        + (body.axes[0] * c + body.axes[1] * s) * 0.4;
                    plane.normal.value.dot(&(x.value - plane.at.value))
                };
                let least = (0..4000).map(height).fold(f64::INFINITY, f64::min);
                assert!(met.gap <= least + 1e-14 && met.gap > least - 1e-6);
                let arm = met.on_a.value - (body.center + body.axes[2] * h).value;
                assert!((arm.norm() - 0.4).abs() < 1e-14, "the point lies on the rim");
            }
        }
    }

    #[test]
    fn the_gap_is_continuous_where_the_cylinder_stands_upright() {
        let plane = HalfSpace { at: still(Vec3::zeros()), normal: still(Vec3::z()) };
        for tilt in [0.0, 1e-15, 0.9e-12, 1.1e-12, 1e-9, 1e-6] {
            let met = meet(&cylinder(rotation_by(&(Vec3::new(0.6, 0.8, 0.0) * tilt))), &plane);
            assert!((met.meetings()[1].gap - 0.2).abs() < 0.4 * tilt + 1e-12, "tilt {tilt}");
            assert!((met.meetings()[0].gap - 1.6).abs() < 0.4 * tilt + 1e-12, "tilt {tilt}");
        }
    }

    #[test]
    fn upright_the_points_stand_along_the_x_axis_of_the_cylinder() {
        let plane = HalfSpace { at: still(Vec3::zeros()), normal: still(Vec3::z()) };
        let met = meet(&cylinder(rotation_by(&(Vec3::z() * 0.5))), &plane);
        let expected = Vec3::new(0.3 + 0.4 * 0.5_f64.cos(), -0.2 + 0.4 * 0.5_f64.sin(), 0.2);
        assert!((met.meetings()[1].on_a.value - expected).norm() < 1e-15);
    }
}
