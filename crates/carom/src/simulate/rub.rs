//! The tangents of a contact point.

use crate::contact::TouchPoint;
use crate::contact::friction::{FrictionLaw, Sliding};
use crate::dynamics::{Forward, Posture, RowWrench};
use crate::maths::Vec3;
use crate::maths::spatial::tangents;

/// Slower than this \[m/s\] the direction of a slip is round-off.
pub(super) const SLOWEST: f64 = 1e-8;

/// The tangents of a point, their rows, and the slip of body j along them; in the plane the second is nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub {
    pub tangents: [Vec3; 2],
    pub rows: [RowWrench; 2],
    pub slip: [f64; 2],
}

impl Rub {
    pub fn new(at: &Posture<'_>, contact: usize, point: &TouchPoint) -> Self {
        let n = &point.normal;
        let planar = at.model().is_planar();
        let (first, second) =
            if planar { (Vec3::z().cross(n), Vec3::zeros()) } else { tangents(n) };
        let tangents = [first, second];
        let rows = tangents.map(|t| at.contact_row(contact, point, &t));
        Self { tangents, rows, slip: rows.map(|r| at.rate(&r)) }
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
        let (on, turns) = (along.max(SLOWEST), (along / SLOWEST).clamp(0.0, 1.0));
        let [x, y] = [0, 1].map(|i| on * before[i] + turns * across[i]);
        let size = x.hypot(y);
        [x / size, y / size]
    }

    /// |u_t| \[m/s\].
    pub fn speed(&self) -> f64 {
        self.slip[0].hypot(self.slip[1])
    }
}
