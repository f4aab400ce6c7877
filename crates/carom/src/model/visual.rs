//! What is drawn of a body and has no part in its mechanics: simple solids, and meshes in files.

use super::ShapeKind;
use crate::maths::{Pose, Vec3};

/// Something that is drawn of a body or of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// The body's name; `None` for the ground.
    pub body: Option<String>,
    /// `body.visual.NAME`, for messages.
    pub path: String,
    /// What it looks like.
    pub look: Look,
}

/// What something looks like, in the body's own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// A ball, box, capsule or cylinder.
    Shape(ShapeKind),
    /// A mesh in a file.
    Mesh {
        /// The file as it is named: from the folder of the model file, or `package://NAME/…`.
        file: String,
        /// Factors of its lengths along its axes.
        scale: Vec3,
        /// Its frame.
        pose: Pose,
    },
}
