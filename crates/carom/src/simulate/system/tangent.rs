//! The tangents of a contact point.

use crate::contact::friction::{FrictionLaw, Sliding};
use crate::contact::{ContactError, TouchPoint};
use crate::dynamics::{Forward, Posture, RowWrench};
use crate::maths::spatial::tangents;
use crate::maths::zero;
use crate::maths::{Twist, Vec3, Wrench};
use crate::model::Place;
use crate::simulate::mode::Spot;
use crate::simulate::resolution::Resolution;

/// From this many times the slowest slip on, a slip has a direction of its own.
const DIRECTED: f64 = 10.0;

/// The tangents of a point, their rows, and the slip of body j along them; in the plane the second is nothing.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct TangentFrame {
    pub tangents: [Vec3; 2],
    pub rows: [RowWrench; 2],
    pub slip: [f64; 2],
    /// The speed \[m/s\] of the bodies there.
    pub fastest: f64,
    /// A slower slip \[m/s\] has no direction.
    pub slowest: f64,
}

/// A direction that normals hardly have, two across it, and how far from its opposite a normal has to be.
const FROM: Vec3 = Vec3::new(3.0 / 7.0, 6.0 / 7.0, 2.0 / 7.0);
const ACROSS: [Vec3; 2] =
    [Vec3::new(-6.0 / 7.0, 2.0 / 7.0, 3.0 / 7.0), Vec3::new(2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0)];

/// Two tangents, carried from a fixed direction to the normal on the shortest way: as smooth as the normal, so that the direction of a
/// slip keeps its meaning while the normal turns.
fn carried_tangents(n: &Vec3) -> (Vec3, Vec3) {
    let along = 1.0 + FROM.dot(n);
    if along < zero::SOLVED {
        return tangents(n);
    }
    let turn = FROM.cross(n);
    let [first, second] = ACROSS.map(|e| e + turn.cross(&e) + turn.cross(&turn.cross(&e)) / along);
    (first, second)
}

impl TangentFrame {
    /// That of a spot.
    pub fn of(at: &Posture<'_>, spot: Spot, sizes: &Resolution) -> Result<Self, ContactError> {
        let touch = at.touch(spot.contact)?;
        let point = touch.points()[spot.point.min(touch.points().len() - 1)];
        Ok(Self::new(at, spot.contact, &point, sizes))
    }

    /// Bodies that are slower than the machine's speed are taken to be as fast: friction ends slower slips within times that are not resolved.
    pub fn new(at: &Posture<'_>, contact: usize, point: &TouchPoint, sizes: &Resolution) -> Self {
        let n = &point.normal;
        let planar = at.model().is_planar();
        let (first, second) =
            if planar { (Vec3::z().cross(n), Vec3::zeros()) } else { carried_tangents(n) };
        let tangents = [first, second];
        let rows = tangents.map(|t| at.contact_row(contact, point, &t));
        let twist = |place: Place| at.frames().twist(place);
        let part = |wrench: &Wrench, twist: &Twist| {
            wrench.force.dot(&twist.lin).abs() + wrench.moment.dot(&twist.ang).abs()
        };
        // A wheel that rolls is fast, though its point is at rest.
        let speed =
            |row: &RowWrench| part(&row.on_a, &twist(row.a)) + part(&row.on_b, &twist(row.b));
        let fastest = rows.iter().map(speed).fold(sizes.speed, f64::max);
        Self {
            tangents,
            rows,
            slip: rows.map(|r| at.rate(&r)),
            fastest,
            // Slower slips have no direction: their components are the round-off of the bodies' speeds.
            slowest: zero::EVALUATED * fastest,
        }
    }

    /// Pushes with the friction of a law; returns its power \[W\].
    pub fn push(
        &self,
        law: &dyn FrictionLaw,
        normal: f64,
        (z, z_dot): (&[f64], &mut [f64]),
        work: &mut Forward,
    ) -> f64 {
        let force = law.force(&Sliding { normal, slip: self.slip }, z, z_dot);
        for (row, force) in self.rows.iter().zip(force) {
            work.push(row, force);
        }
        force[0] * self.slip[0] + force[1] * self.slip[1]
    }

    /// The direction of the slip. Where there is hardly any, and beyond its end, it is that of before: friction holds its mode until
    /// the step ends, where the slip is seen to have passed zero. In the plane it is that all the time.
    pub fn direction(&self, before: [f64; 2], planar: bool) -> [f64; 2] {
        if planar {
            return before;
        }
        let along = self.slip[0] * before[0] + self.slip[1] * before[1];
        let across = [0, 1].map(|i| self.slip[i] - along * before[i]);
        let (on, turns) = (along.max(self.slowest), (along / self.slowest).clamp(0.0, 1.0));
        let [x, y] = [0, 1].map(|i| on * before[i] + turns * across[i]);
        let size = x.hypot(y);
        [x / size, y / size]
    }

    /// Whether the slip has a direction of its own.
    pub fn has_direction(&self) -> bool {
        self.speed() > DIRECTED * self.slowest
    }

    /// The direction of a slip that is one.
    pub fn along(&self) -> [f64; 2] {
        self.slip.map(|v| v / self.speed())
    }

    /// |u_t| \[m/s\].
    pub fn speed(&self) -> f64 {
        self.slip[0].hypot(self.slip[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_are_carried_without_a_jump() {
        let mut before: Option<(Vec3, Vec3)> = None;
        for k in 0..=2000 {
            let (s, c) = (f64::from(k) * 1e-3 * std::f64::consts::PI).sin_cos();
            let n = Vec3::new(s, 0.0, c);
            let (t, b) = carried_tangents(&n);
            for x in [t.norm() - 1.0, b.norm() - 1.0, t.dot(&n), b.dot(&n), t.dot(&b)] {
                assert!(x.abs() < 1e-14, "{k}: {x}");
            }
            if let Some((t_0, b_0)) = before {
                assert!((t - t_0).norm() < 0.02 && (b - b_0).norm() < 0.02, "{k}");
            }
            before = Some((t, b));
        }
    }
}
