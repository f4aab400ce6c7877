//! A body and its inertia.

use super::{Drive, Joint, Place};
use crate::maths::{Mat3, Pose, Vec3, spatial::skew};

/// Inertia of a rigid body about a point O of it, in the axes of a frame fixed in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidInertia {
    /// m \[kg\].
    pub mass: f64,
    /// Mass centre from O \[m\].
    pub center: Vec3,
    /// Inertia about O \[kg m²\].
    pub about_origin: Mat3,
}

impl RigidInertia {
    /// From the inertia about the mass centre: J_O = J_c − m c̃ c̃.
    pub fn from_central(mass: f64, center: Vec3, central: Mat3) -> Self {
        let c = skew(&center);
        Self { mass, center, about_origin: central - c * c * mass }
    }

    /// The inertia about the mass centre.
    pub fn central(&self) -> Mat3 {
        let c = skew(&self.center);
        self.about_origin + c * c * self.mass
    }
}

/// A principal inertia below this part of the largest is round-off of zero: a slender rod has none
/// about its own line.
const NO_INERTIA: f64 = 1e-12;

/// The inverse of an inertia on the axes that have any; `None` for a point mass.
///
/// Turned into other axes, a slender rod's zero becomes round-off, whose inverse would be enormous.
pub fn rotational_mobility(central: &Mat3) -> Option<Mat3> {
    let eigen = central.symmetric_eigen();
    let least = NO_INERTIA * eigen.eigenvalues.max();
    let kept: Vec<usize> = (0..3).filter(|&k| eigen.eigenvalues[k] > least).collect();
    (!kept.is_empty()).then(|| {
        let inverse = |k: usize| {
            let e = eigen.eigenvectors.column(k);
            e * e.transpose() / eigen.eigenvalues[k]
        };
        kept.into_iter().map(inverse).sum()
    })
}

/// The least mass that a model takes \[kg\]; it stands for none, as of the links between two joints at one place that robots have.
pub const NO_MASS: f64 = 1e-60;

/// Gives bodies whose mass stands for none the scale of what they carry; parents stand before their children.
///
/// A row that acts on such a body would have an enormous mobility if the body were free, and everything would look dependent beside it.
pub(super) fn scale_by_what_is_carried(bodies: &mut [Body]) {
    let mut carried = vec![(0.0, 0.0); bodies.len()];
    for n in (0..bodies.len()).rev() {
        let body = &mut bodies[n];
        let (mass, inertia) = carried[n];
        if body.inertia.mass <= NO_MASS && mass > 0.0 {
            let J = Mat3::from_diagonal_element(inertia);
            body.scale = RigidInertia { mass, center: Vec3::zeros(), about_origin: J };
            body.rotational_mobility = rotational_mobility(&J);
        }
        if let Some(parent) = body.parent {
            let to = &mut carried[parent.index()];
            to.0 += body.scale.mass;
            let arm = body.joint.in_parent.position.norm_squared();
            to.1 += body.scale.about_origin.trace() / 3.0 + body.scale.mass * arm;
        }
    }
}

/// Marks the bodies whose whole motion is prescribed: every joint between them and the ground is locked or driven in all of its velocities.
/// Parents stand before their children.
pub(super) fn mark_prescribed(bodies: &mut [Body], drives: &[Drive]) {
    for n in 0..bodies.len() {
        let body = &bodies[n];
        let on_prescribed = body.parent.is_none_or(|parent| bodies[parent.index()].prescribed);
        let driven = |v: usize| drives.iter().any(|drive| drive.v == v);
        bodies[n].prescribed =
            on_prescribed && (body.joint.locked || body.joint.velocities().all(driven));
    }
}

/// A rigid body and the joint that carries it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name in the file.
    pub name: String,
    /// The body its joint stands on.
    pub parent: Place,
    /// The joint that carries it.
    pub joint: Joint,
    /// The body's own frame (the one the file's numbers refer to) in its link frame.
    pub frame: Pose,
    /// Inertia about the link frame's origin, in link axes.
    pub inertia: RigidInertia,
    /// What zero is told from round-off by: its own inertia, or what it carries if its mass stands for none.
    pub scale: RigidInertia,
    /// Inverse of the inertia about the mass centre, in link axes, on the axes that have any; a point
    /// mass has none.
    pub rotational_mobility: Option<Mat3>,
    /// Whether drives and locked joints prescribe its whole motion: then its mass decides nothing.
    pub prescribed: bool,
    /// Whether it is carried and no part of the robot: ISO/TS 15066 counts half of the robot's mass and all of the payload's.
    pub payload: bool,
}
