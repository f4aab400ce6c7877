//! Robots of other formats: text → [`Robot`] → the text of a model file.
//!
//! [`Robot`] is the intermediate form: links, joints and closures as the formats of robots state them. [`urdf::read`] and [`mjcf::read`] fill it,
//! `tree` judges its topology, `merge` joins welded links to bodies, and [`write`] writes the model file. Every decision on the way is a
//! [`Note`].

mod closure;
mod couple;
pub mod density;
mod joint;
mod merge;
pub mod mjcf;
mod names;
mod options;
mod plausible;
mod shapes;
mod tree;
pub mod urdf;
mod visuals;
mod write;
mod xml;

use std::ops::Range;

pub use closure::{Closure, ClosureKind};
pub use joint::{Joint, JointMotion, Keyframe, Mimic, Start};
pub(crate) use names::mapped;
pub use options::Options;
pub use write::model_file;

use crate::maths::{Mat3, Pose, Vec3};

/// Something that is wrong with a robot's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the text it is about; `None` for the whole text or an option.
    pub span: Option<Range<usize>>,
    /// What was found and what was expected.
    pub message: String,
}

impl Fault {
    fn at(span: &Range<usize>, message: impl Into<String>) -> Self {
        Self { span: Some(span.clone()), message: message.into() }
    }

    fn of_all(message: impl Into<String>) -> Self {
        Self { span: None, message: message.into() }
    }
}

/// A decision that was made while a robot was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// One sentence.
    pub message: String,
    /// Whether the numbers may not be what is meant; otherwise it explains.
    pub doubt: bool,
}

impl Note {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), doubt: false }
    }

    fn doubt(message: impl Into<String>) -> Self {
        Self { message: message.into(), doubt: true }
    }
}

/// A robot: links and the joints between them.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    /// Its name.
    pub name: String,
    /// Its links.
    pub links: Vec<Link>,
    /// Its joints; parents and children are positions in [`Robot::links`].
    pub joints: Vec<Joint>,
    /// What holds links or joints together beside the tree of joints.
    pub closures: Vec<Closure>,
    /// Poses that the file names.
    pub keyframes: Vec<Keyframe>,
    /// Acceleration of free fall \[m/s²\], if the file states it.
    pub gravity: Option<Vec3>,
}

/// A rigid part, in its own frame.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name in the file.
    pub name: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// Mass and inertia; `None` if the link has none.
    pub inertial: Option<Inertial>,
    /// Collision geometry.
    pub shapes: Vec<Shape>,
    /// Whether it only stands between two joints of one link of the file, and has no mass of its own.
    pub between: bool,
    /// What it looks like.
    pub visuals: Vec<Shape>,
}

/// Mass and inertia of a link.
#[derive(Clone, Debug)]
pub struct Inertial {
    /// m \[kg\], at least zero.
    pub mass: f64,
    /// Mass centre in the link's frame \[m\].
    pub center: Vec3,
    /// Inertia about the mass centre, in the link's axes \[kg m²\].
    pub inertia: Mat3,
    /// Where the mass stands in the text.
    pub mass_span: Range<usize>,
    /// Where the inertia stands in the text.
    pub inertia_span: Range<usize>,
}

/// A piece of geometry.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its frame in the link's.
    pub pose: Pose,
    /// What it is; axes along z.
    pub geometry: Geometry,
}

/// Kinds of geometry.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Edge lengths \[m\].
    Box([f64; 3]),
    /// Radius \[m\].
    Sphere(f64),
    /// Radius and length \[m\].
    Cylinder(f64, f64),
    /// Radius and length of the cylindrical part \[m\].
    Capsule(f64, f64),
    /// Half axes \[m\].
    Ellipsoid([f64; 3]),
    /// A half space below z = 0.
    Plane,
    /// A mesh in a file.
    Mesh {
        /// The file as it is named.
        file: String,
        /// Factors of its lengths along its axes.
        scale: [f64; 3],
        /// Where it stands in the text.
        span: Range<usize>,
    },
}

/// R_z(yaw) R_y(pitch) R_x(roll).
fn roll_pitch_yaw([roll, pitch, yaw]: [f64; 3]) -> Mat3 {
    let (sr, cr) = roll.sin_cos();
    let (sp, cp) = pitch.sin_cos();
    let (sy, cy) = yaw.sin_cos();
    Mat3::new(
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
        -sp,
        cp * sr,
        cp * cr,
    )
}

/// The angles of [`roll_pitch_yaw`]. Roll is read after yaw has been taken off, so that it is exact at a pitch of ±90° too, where only the sum of
/// roll and yaw is determined.
fn angles_of(R: &Mat3) -> [f64; 3] {
    let yaw = R[(1, 0)].atan2(R[(0, 0)]);
    let pitch = (-R[(2, 0)]).atan2(R[(0, 0)].hypot(R[(1, 0)]));
    let (s, c) = yaw.sin_cos();
    let roll = (s * R[(0, 2)] - c * R[(1, 2)]).atan2(c * R[(1, 1)] - s * R[(0, 1)]);
    [roll, pitch, yaw]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_and_their_rotation_belong_together() {
        let quarter = std::f64::consts::FRAC_PI_2;
        for angles in [
            [0.3, -0.7, 1.9],
            [2.0, quarter, -3.0],
            [0.4, -quarter, 0.1],
            [0.1, quarter - 1e-9, 2.5],
            [0.0; 3],
        ] {
            let R = roll_pitch_yaw(angles);
            let difference = roll_pitch_yaw(angles_of(&R)) - R;
            assert!(difference.norm() < 1e-15 * 8.0, "{angles:?}: {}", difference.norm());
        }
    }
}
