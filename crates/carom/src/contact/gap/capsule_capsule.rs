//! Capsule against capsule; in space also capsule against segment, a capsule of radius zero.
//!
//! gap = |y − x| − (r_a + r_b),  n = (y − x)/|y − x|
//!
//! x and y are the nearest points of the two axes: both inside (skew lines, space only), an end and
//! a foot, or two ends. In the plane one of them is always an end.
//!
//! Parallel axes (sine of their angle within 1e-12) that run beside each other are equally near all
//! along: x is the middle of the common stretch, on the axis of a, and y its foot on b. The gap is
//! continuous there; the points jump to an end as soon as the axes turn, and their rates are those
//! of a motion that keeps the axes parallel.
//!
//! Valid while the axes do not cross: there is no normal there.

use super::skeleton::{Bridge, LineLine, foot, point_line, point_segment};
use super::{Flaw, Meeting, Rod};
use crate::contact::moving::{Moving, Varying};

/// Sine of the angle between two axes below which they are parallel. A larger one would be seen as
/// a jump of the gap by half of it times the length.
const PARALLEL: f64 = 1e-12;

/// The contact of two capsules.
pub(super) fn meet(a: &Rod, b: &Rod) -> Result<Meeting, Flaw> {
    Ok(between_axes(a, b).ok_or(Flaw::NoNormal)?.grown(a.radius, b.radius))
}

fn between_axes(a: &Rod, b: &Rod) -> Option<Bridge> {
    let (edge_a, edge_b) = (a.end - a.start, b.end - b.start);
    let sine = edge_a.value.cross(&edge_b.value).norm();
    if sine > PARALLEL * edge_a.value.norm() * edge_b.value.norm() {
        let feet = LineLine::new(&a.start, &edge_a, &b.start, &edge_b);
        if feet.within_edges() {
            // In the plane two lines meet at their feet: the axes cross, and this is none.
            return point_line(a.start + edge_a * feet.s, b.start, edge_b);
        }
    } else if let Some(middle) = middle_of_common_stretch(a, &edge_a, b) {
        return point_line(middle, b.start, edge_b);
    }
    from_an_end(a, b)
}

/// The middle of the stretch of a's axis beside which b's axis runs; none if they do not overlap.
fn middle_of_common_stretch(a: &Rod, edge_a: &Moving, b: &Rod) -> Option<Moving> {
    let u = foot(&b.start, &a.start, edge_a)?;
    let v = foot(&b.end, &a.start, edge_a)?;
    let (low, high) = if u.value < v.value { (u, v) } else { (v, u) };
    let low = if low.value < 0.0 { Varying::constant(0.0) } else { low };
    let high = if high.value > 1.0 { Varying::constant(1.0) } else { high };
    (low.value < high.value).then(|| a.start + *edge_a * ((low + high) * 0.5))
}

/// The shortest of the ways from an end of one axis to the other axis; none if an end is on it.
fn from_an_end(a: &Rod, b: &Rod) -> Option<Bridge> {
    let size = a.radius + b.radius;
    let mut best = point_segment(a.start, b.start, b.end, size)?;
    for next in [
        point_segment(a.end, b.start, b.end, size)?,
        point_segment(b.start, a.start, a.end, size)?.reversed(),
        point_segment(b.end, a.start, a.end, size)?.reversed(),
    ] {
        if next.d < best.d {
            best = next;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{Dice, still};
    use crate::maths::{Vec3, spatial::rotation_by};

    fn rod(start: Vec3, end: Vec3, radius: f64) -> Rod {
        Rod { start: still(start), end: still(end), radius }
    }

    /// min over s of the distance of a(s) from segment b, by golden section: the function is convex.
    fn least_distance(a: &Rod, b: &Rod) -> f64 {
        let to_b = |s: f64| {
            let x = a.start.value.lerp(&a.end.value, s);
            let edge = b.end.value - b.start.value;
            let t = ((x - b.start.value).dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
            (b.start.value + edge * t - x).norm()
        };
        let (mut low, mut high) = (0.0, 1.0);
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        for _ in 0..100 {
            let (s, t) = (high - golden * (high - low), low + golden * (high - low));
            if to_b(s) < to_b(t) {
                high = t;
            } else {
                low = s;
            }
        }
        to_b(f64::midpoint(low, high)).min(to_b(0.0)).min(to_b(1.0))
    }

    #[test]
    fn the_gap_is_the_least_distance_between_the_axes_less_the_radii() {
        let mut dice = Dice::new(51);
        let (mut inner, mut ends) = (0, 0);
        for round in 0..600 {
            let planar = round % 2 == 0;
            let [p, q, s, t] = [0; 4].map(|_| dice.point(1.0, planar));
            let (a, b) = (rod(p, q, 0.1), rod(s, t, 0.2));
            let least = least_distance(&a, &b);
            match meet(&a, &b) {
                Ok(met) => {
                    assert!((met.gap - (least - 0.3)).abs() < 1e-11);
                    assert!(!planar || least > 1e-9, "crossing axes have no normal");
                }
                Err(_) => assert!(planar && least < 1e-9, "only crossing axes have no normal"),
            }
            let within = |x: f64| x > 1e-6 && x < 1.0 - 1e-6;
            let (ea, eb) = (a.end - a.start, b.end - b.start);
            let feet = LineLine::new(&a.start, &ea, &b.start, &eb);
            if within(feet.s.value) && within(feet.t.value) { inner += 1 } else { ends += 1 }
        }
        assert!(inner > 50 && ends > 50, "both kinds of nearest points were met");
    }

    #[test]
    fn parallel_axes_touch_in_the_middle_of_their_common_stretch() {
        let a = rod(Vec3::new(0.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0), 0.1);
        let b = rod(Vec3::new(3.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.0), 0.2);
        let met = meet(&a, &b).unwrap();
        assert!((met.on_a.value - Vec3::new(1.5, 0.1, 0.0)).norm() < 1e-15);
        assert!((met.on_b.value - Vec3::new(1.5, 0.3, 0.0)).norm() < 1e-15);
        assert!((met.gap - 0.2).abs() < 1e-15);
        let longer = rod(Vec3::new(-3.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.0), 0.2);
        let met = meet(&a, &longer).unwrap();
        assert!((met.on_a.value - Vec3::new(0.5, 0.1, 0.0)).norm() < 1e-15);
        let apart = rod(Vec3::new(5.0, 4.0, 0.0), Vec3::new(7.0, 4.0, 0.0), 0.0);
        assert!((meet(&a, &apart).unwrap().gap - 4.9).abs() < 1e-14, "ends when apart");
    }

    #[test]
    fn the_gap_is_continuous_through_parallel_axes() {
        let a = rod(Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), 0.1);
        for axis in [Vec3::z(), Vec3::y(), Vec3::new(0.0, 0.6, 0.8)] {
            for angle in [0.0, 1e-14, 0.9e-12, 1.1e-12, 1e-10, 1e-8] {
                let turn = rotation_by(&(axis * angle));
                let at = |x: f64| turn * Vec3::new(x, 0.0, 0.0) + Vec3::new(0.0, 0.4, 0.0);
                let met = meet(&a, &rod(at(-1.0), at(1.0), 0.1)).unwrap();
                assert!((met.gap - 0.2).abs() < 1.01 * angle + 1e-12, "angle {angle}");
                assert!((met.normal.value - Vec3::y()).norm() < 1e-7);
            }
        }
    }

    #[test]
    fn axes_that_cross_in_the_plane_have_no_normal_however_flat_they_cross() {
        let a = rod(Vec3::new(-0.7, -0.3, 0.0), Vec3::new(0.9, 0.4, 0.0), 0.1);
        let mut dice = Dice::new(52);
        for angle in [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-11] {
            for _ in 0..100 {
                let middle = a.start.value.lerp(&a.end.value, dice.between(0.35, 0.65));
                let arm = rotation_by(&(Vec3::z() * angle)) * (a.end.value - a.start.value);
                let reach = dice.between(0.1, 0.3);
                let b = rod(middle - arm * reach, middle + arm * (0.4 - reach), 0.1);
                assert!(meet(&a, &b).is_err(), "angle {angle}");
            }
        }
    }

    #[test]
    fn a_capsule_of_no_length_is_a_sphere() {
        let dot = rod(Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 0.0), 0.25);
        let a = rod(Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), 0.25);
        assert!((meet(&a, &dot).unwrap().gap - 0.5).abs() < 1e-15);
        assert!((meet(&dot, &dot)).is_err());
    }
}
