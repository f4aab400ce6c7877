//! Robots of other formats: text → [`Robot`] → the text of a model file.
//!
//! [`Robot`] is the intermediate form: links and joints as the formats of robots state them (URDF today; MJCF has the same content under other
//! words). [`urdf::read`] fills it, [`tree`] judges its topology, [`merge`] joins welded links to bodies, and [`write`] writes the model file.
//! Every decision on the way is a [`Note`].

mod couple;
pub mod density;
mod merge;
mod names;
mod options;
mod plausible;
mod shapes;
mod tree;
pub mod urdf;
mod visuals;
mod write;

use std::ops::Range;

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
    fn new(message: impl Into<String>) -> Self {
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

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing.
    Fixed,
    /// Rotation about the axis.
    Turn,
    /// Translation along the axis.
    Slide,
    /// Translation across the axis and rotation about it.
    Planar,
    /// Everything.
    Free,
}

/// A joint: the child's frame stands at `origin` in the parent's when all coordinates are zero.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// What it lets move.
    pub motion: Motion,
    /// The link it stands on.
    pub parent: usize,
    /// The link it carries.
    pub child: usize,
    /// The child's frame in the parent's.
    pub origin: Pose,
    /// Unit vector in the child's frame.
    pub axis: Vec3,
    /// Least and greatest position \[rad or m\].
    pub range: Option<[f64; 2]>,
    /// Greatest effort \[N m or N\].
    pub max_effort: Option<f64>,
    /// Greatest speed \[rad/s or m/s\].
    pub max_speed: Option<f64>,
    /// Viscous damping \[N m s/rad or N s/m\].
    pub damping: f64,
    /// Constant friction \[N m or N\].
    pub friction: f64,
    /// q = multiplier · q_other + offset.
    pub mimic: Option<Mimic>,
    /// Reflected rotor inertia \[kg m² or kg\].
    pub rotor: f64,
    /// Turns of the motor per turn of the joint, if the file states it.
    pub reduction: Option<f64>,
    /// Held at this position.
    pub locked: Option<f64>,
}

/// A joint that follows another.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// The other joint, a position in [`Robot::joints`].
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// The constant \[rad or m\].
    pub offset: f64,
    /// Where it stands in the text.
    pub span: Range<usize>,
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
