//! A spherical joint: position a unit quaternion (w, x, y, z), velocity the angular velocity of M
//! in F, expressed in F.

use super::Column;
use crate::maths::{Mat3, Pose, Vec3};

pub(super) const COLUMNS: [Column; 3] = [
    Column { axis: Vec3::new(1.0, 0.0, 0.0), angular: true },
    Column { axis: Vec3::new(0.0, 1.0, 0.0), angular: true },
    Column { axis: Vec3::new(0.0, 0.0, 1.0), angular: true },
];

pub(super) fn place(q: &[f64]) -> Pose {
    Pose { rotation: quaternion_rotation(q), position: Vec3::zeros() }
}

/// The rotation of the quaternion (w, x, y, z); its length does not matter.
pub fn quaternion_rotation(q: &[f64]) -> Mat3 {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    Mat3::new(
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )
}

/// q̇ = ½ (0, ω) q of a quaternion (w, x, y, z), ω in the axes of F.
pub fn quaternion_rate(q: &[f64], omega: &[f64], out: &mut [f64]) {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    let [a, b, c] = [omega[0], omega[1], omega[2]];
    out[0] = -0.5 * (a * x + b * y + c * z);
    out[1] = 0.5 * (a * w + b * z - c * y);
    out[2] = 0.5 * (b * w + c * x - a * z);
    out[3] = 0.5 * (c * w + a * y - b * x);
}

/// q ← exp(r/2) ⊗ q, renormalised: rotate further by the vector r of the outer frame.
pub fn rotate_quaternion(q: &mut [f64], r: &[f64]) {
    let half = 0.5 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]).sqrt();
    let (c, s) = (
        half.cos(),
        if half < 1e-4 { 0.5 - half * half / 12.0 } else { half.sin() / (2.0 * half) },
    );
    let (a, b, d) = (s * r[0], s * r[1], s * r[2]);
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    let turned = [
        c * w - a * x - b * y - d * z,
        c * x + a * w + b * z - d * y,
        c * y - a * z + b * w + d * x,
        c * z + a * y - b * x + d * w,
    ];
    let length = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (q, new) in q.iter_mut().zip(turned) {
        *q = new / length;
    }
}
