//! Sphere or point against a solid cylinder with flat ends (space only).
//!
//! With z = e · (c − C) along the axis and ρ the radial vector of the ball's centre, R the radius and
//! h the half length:
//!
//! * beside it (|z| ≤ h, |ρ| > R): gap = |ρ| − R − r, n = −ρ/|ρ|;
//! * over an end (|z| > h, |ρ| ≤ R): gap = |z| − h − r, n = ∓e;
//! * beyond the rim: gap = |y − c| − r with y the nearest point of the rim;
//! * inside: the nearer of side and end, negative.
//!
//! n points from the ball into the cylinder. The gap is continuous everywhere, the normal outside.
//! Valid except on the axis inside, where the side is nearest in all directions: no normal there.

use super::skeleton::{Bridge, noise, point_plane, point_point};
use super::{Ball, Barrel, Flaw, Meeting};

/// The contact of a ball (a) with a cylinder (b).
pub(super) fn meet(ball: &Ball, cylinder: &Barrel) -> Result<Meeting, Flaw> {
    Ok(from_point(ball, cylinder)?.grown(ball.radius, 0.0))
}

fn from_point(ball: &Ball, cylinder: &Barrel) -> Result<Bridge, Flaw> {
    let [e1, e2, e] = cylinder.axes;
    let c = ball.center;
    let from_center = c - cylinder.center;
    let z = e.dot(&from_center);
    // From components, so that it stays across the axis to the last bit however short it is.
    let radial = e1 * e1.dot(&from_center) + e2 * e2.dot(&from_center);
    let (over_end, over_side) =
        (z.value.abs() - cylinder.half_length, radial.value.norm() - cylinder.radius);

    let up = if z.value < 0.0 { -e } else { e };
    let end = cylinder.center + up * cylinder.half_length;
    let to_end = || point_plane(c, end, up);
    if over_side <= 0.0 && over_end >= over_side {
        return Ok(to_end());
    }
    let (out, _) =
        radial.direction(noise(&c, &cylinder.center, cylinder.radius)).ok_or(Flaw::NoNormal)?;
    if over_end > 0.0 {
        return Ok(
            point_point(c, end + out * cylinder.radius, cylinder.radius).unwrap_or_else(to_end)
        );
    }
    Ok(point_plane(c, cylinder.center + out * cylinder.radius, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{Dice, still};
    use crate::maths::Vec3;

    fn upright() -> Barrel {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(still);
        Barrel { center: still(Vec3::zeros()), axes, radius: 0.4, half_length: 0.7 }
    }

    #[test]
    fn outside_the_gap_is_the_least_distance_over_the_cylinder() {
        let mut dice = Dice::new(21);
        for _ in 0..300 {
            let c = dice.vector(1.5);
            let rho = c.x.hypot(c.y);
            if rho <= 0.4 && c.z.abs() <= 0.7 {
                continue;
            }
            // The profile in the half plane (ρ, z) is a rectangle; sample it densely.
            let least = (0..=2000)
                .flat_map(|i| {
                    let s = f64::from(i) / 2000.0;
                    [(0.4 * s, 0.7), (0.4 * s, -0.7), (0.4, 0.7 * (2.0 * s - 1.0))]
                })
                .map(|(r, z)| (rho - r).hypot(c.z - z))
                .fold(f64::INFINITY, f64::min);
            let gap = meet(&Ball { center: still(c), radius: 0.2 }, &upright()).unwrap().gap;
            assert!((gap - (least - 0.2)).abs() < 1e-5, "{gap} against {}", least - 0.2);
            assert!(gap <= least - 0.2 + 1e-12);
        }
    }

    #[test]
    fn the_middle_of_a_long_cylinder_has_no_normal() {
        let at = |z: f64| Ball { center: still(Vec3::new(0.0, 0.0, z)), radius: 0.0 };
        assert!(matches!(meet(&at(0.1), &upright()), Err(Flaw::NoNormal)));
        assert!((meet(&at(0.6), &upright()).unwrap().gap + 0.1).abs() < 1e-15);
    }
}
