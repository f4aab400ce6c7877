//! Poses of the bodies' own frames, and their rates, column by column.

use nalgebra::{Rotation3, UnitQuaternion};
use serde_json::Value;

use super::super::short;
use crate::dynamics::Posture;
use crate::maths::Mat3;
use crate::model::Model;

/// Digits of positions and angles.
const DIGITS: usize = 7;
/// Digits of their rates, which only bend the way between two moments.
const RATE: usize = 4;

/// All bodies over time. In the plane: x, y, angle and their rates. In space: x, y, z, the quaternion w, x, y, z, and the
/// rates of x, y, z.
pub(super) struct Poses {
    planar: bool,
    bodies: Vec<Vec<Vec<f64>>>,
    last: Option<f64>,
}

impl Poses {
    pub fn new(model: &Model) -> Self {
        let planar = model.is_planar();
        let columns = if planar { 6 } else { 10 };
        Self { planar, bodies: vec![vec![Vec::new(); columns]; model.bodies.len()], last: None }
    }

    /// One moment.
    pub fn add(&mut self, at: &Posture<'_>) {
        let t = at.state().t;
        let passed = self.last.map_or(0.0, |last| t - last);
        self.last = Some(t);
        for (k, body) in at.model().bodies.iter().enumerate() {
            let place = at.model().body_at(k);
            let link = at.pose(place);
            let pose = link.then(&body.frame);
            let twist = at.frames().twist(place);
            let rate = twist.at(&(pose.position - link.position));
            let columns = &mut self.bodies[k];
            let row: Vec<f64> = if self.planar {
                let angle = angle(&pose.rotation);
                // The angle goes on from the one before as its rate foretells.
                let before = columns[2].last().zip(columns[5].last()).map(|(a, w)| a + w * passed);
                let turns =
                    before.map_or(0.0, |before| ((before - angle) / std::f64::consts::TAU).round());
                let angle = angle + turns * std::f64::consts::TAU;
                vec![pose.position.x, pose.position.y, angle, rate.x, rate.y, twist.ang.z]
            } else {
                let q = quaternion(&pose.rotation);
                let before: [Option<f64>; 4] =
                    std::array::from_fn(|c| columns[3 + c].last().copied());
                let along: f64 = q.iter().zip(before).map(|(a, b)| a * b.unwrap_or(0.0)).sum();
                let sign = if along < 0.0 { -1.0 } else { 1.0 };
                let p = pose.position;
                let q = q.map(|x| sign * x);
                vec![p.x, p.y, p.z, q[0], q[1], q[2], q[3], rate.x, rate.y, rate.z]
            };
            for (column, x) in columns.iter_mut().zip(row) {
                column.push(x);
            }
        }
    }

    /// For the scripts.
    pub fn value(&self) -> Value {
        let rates = if self.planar { 3 } else { 7 };
        let column = |c: usize, values: &Vec<f64>| -> Value {
            let digits = if c < rates { DIGITS } else { RATE };
            values.iter().map(|x| short(cleaned(*x), digits)).collect()
        };
        let body = |columns: &Vec<Vec<f64>>| -> Value {
            columns.iter().enumerate().map(|(c, values)| column(c, values)).collect()
        };
        self.bodies.iter().map(body).collect()
    }
}

/// Less than this [m or rad] is nothing in a picture.
fn cleaned(x: f64) -> f64 {
    if x.abs() < 1e-12 { 0.0 } else { x }
}

/// The angle about z.
fn angle(R: &Mat3) -> f64 {
    R.m21.atan2(R.m11)
}

/// w, x, y, z of a rotation.
fn quaternion(R: &Mat3) -> [f64; 4] {
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*R));
    [q.w, q.i, q.j, q.k]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::maths::spatial::rotation_by;

    #[test]
    fn quaternions_turn_as_the_matrix_does() {
        for r in [Vec3::new(0.3, -0.2, 1.1), Vec3::new(3.0, 0.1, 0.0), Vec3::new(0.0, 0.0, 3.1)] {
            let R = rotation_by(&r);
            let [w, x, y, z] = quaternion(&R);
            let axis = Vec3::new(x, y, z);
            let v = Vec3::new(0.5, -1.0, 2.0);
            let turned = v + axis.cross(&(axis.cross(&v) + v * w)) * 2.0;
            assert!((turned - R * v).norm() < 1e-12, "v + 2 q × (q × v + w v) = R v");
        }
    }
}
