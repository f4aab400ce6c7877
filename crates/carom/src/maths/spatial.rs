//! Rigid poses, velocities and forces in world axes.
//!
//! A [`Twist`] and a [`Wrench`] of a body are taken about a stated point of that body and are
//! expressed in world axes, so shifting them needs one cross product and no rotation.

use nalgebra::{Matrix3, Vector3};

/// A vector of three numbers.
pub type Vec3 = Vector3<f64>;
/// A three by three matrix.
pub type Mat3 = Matrix3<f64>;

/// Position and orientation of one frame in another: x_outer = rotation · x_inner + position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Columns are the inner frame's axes in the outer frame.
    pub rotation: Mat3,
    /// The inner frame's origin in the outer frame \[m\].
    pub position: Vec3,
}

impl Pose {
    /// The pose of a frame in itself.
    pub fn identity() -> Self {
        Self { rotation: Mat3::identity(), position: Vec3::zeros() }
    }

    /// A pure shift.
    pub fn translation(position: Vec3) -> Self {
        Self { rotation: Mat3::identity(), position }
    }

    /// A point of the inner frame, seen from the outer one.
    pub fn point(&self, inner: &Vec3) -> Vec3 {
        self.rotation * inner + self.position
    }

    /// A free vector of the inner frame, seen from the outer one.
    pub fn vector(&self, inner: &Vec3) -> Vec3 {
        self.rotation * inner
    }

    /// First `inner`, then `self`: the pose of a frame known in the inner frame.
    pub fn then(&self, inner: &Pose) -> Pose {
        Pose { rotation: self.rotation * inner.rotation, position: self.point(&inner.position) }
    }

    /// The pose of the outer frame in the inner one.
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.transpose();
        Pose { rotation, position: -(rotation * self.position) }
    }
}

/// Velocity of a body: angular velocity and velocity of its reference point, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// ω \[rad/s\].
    pub ang: Vec3,
    /// Velocity of the reference point \[m/s\].
    pub lin: Vec3,
}

impl Twist {
    /// At rest.
    pub fn zero() -> Self {
        Self { ang: Vec3::zeros(), lin: Vec3::zeros() }
    }

    /// Velocity of the body's material point that stands at `arm` from the reference point.
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.lin + self.ang.cross(arm)
    }
}

/// Force on a body: moment about its reference point and force, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench {
    /// Moment about the reference point \[N m\].
    pub moment: Vec3,
    /// Force \[N\].
    pub force: Vec3,
}

impl Wrench {
    /// No force.
    pub fn zero() -> Self {
        Self { moment: Vec3::zeros(), force: Vec3::zeros() }
    }

    /// A force whose point of action stands at `arm` from the reference point.
    pub fn of_force(force: Vec3, arm: &Vec3) -> Self {
        Self { moment: arm.cross(&force), force }
    }

    /// Power on a motion with the same reference point.
    pub fn power(&self, twist: &Twist) -> f64 {
        self.moment.dot(&twist.ang) + self.force.dot(&twist.lin)
    }
}

/// The matrix of r × ·.
pub fn skew(r: &Vec3) -> Mat3 {
    Mat3::new(0.0, -r.z, r.y, r.z, 0.0, -r.x, -r.y, r.x, 0.0)
}

/// The rotation by |r| about r (Rodrigues).
pub fn rotation_by(r: &Vec3) -> Mat3 {
    let angle = r.norm();
    let K = skew(r);
    let (s, c) = if angle < 1e-4 {
        let a2 = angle * angle;
        (1.0 - a2 / 6.0 + a2 * a2 / 120.0, 0.5 - a2 / 24.0 + a2 * a2 / 720.0)
    } else {
        (angle.sin() / angle, (1.0 - angle.cos()) / (angle * angle))
    };
    Mat3::identity() + K * s + K * K * c
}

/// The rotation that carries the z axis to the unit vector `axis` by the shortest way.
///
/// Where the shortest way is not unique (`axis` = −z) it turns about x.
pub fn rotation_from_z(axis: &Vec3) -> Mat3 {
    let z = Vec3::z();
    let sine = z.cross(axis);
    let s = sine.norm();
    if s < 1e-12 {
        return if axis.z > 0.0 {
            Mat3::identity()
        } else {
            Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0))
        };
    }
    rotation_by(&(sine / s * s.atan2(axis.z)))
}

/// Two unit vectors that complete `normal` to a right-handed triad (t₁, t₂, n).
pub fn tangents(normal: &Vec3) -> (Vec3, Vec3) {
    let helper = if normal.z.abs() < 0.9 { Vec3::z() } else { Vec3::x() };
    let first = helper.cross(normal).normalize();
    (first, normal.cross(&first))
}
