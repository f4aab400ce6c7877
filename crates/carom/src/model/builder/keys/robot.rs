//! Keys of `[robot]`: a robot's file under a model file, and what was decided when it was read.

use super::{Key, Kind, Section, may, must};
use crate::maths::units::Dimension;

/// `payload = { … }`
pub const PAYLOAD: Section = Section {
    what: "a payload",
    types: &[],
    keys: &[
        must("mass", Kind::Quantity(Dimension::MASS), "m [kg]."),
        may("at", Kind::Vector, "Where, in the frame of the tip [m]; its origin if it is missing."),
    ],
};

/// Keys that a file reader writes; all others belong beside `source`.
pub const WRITTEN: [&str; 3] = ["imported", "notes", "doubts"];

const NOTES: Key = may("notes", Kind::Texts, "Decisions of the reader.");

/// `[robot]`
pub const ROBOT: Section = Section {
    what: "a robot",
    types: &[],
    keys: &[
        may("source", Kind::Text, "The robot's file (URDF or MJCF), from this file's folder."),
        may(
            "base",
            Kind::Choice(&["fixed", "floating"]),
            "Whether the root is ground; fixed if it is missing.",
        ),
        may("tip", Kind::Text, "The link whose origin becomes the marker `tip`."),
        may("payload", Kind::Inner(&PAYLOAD), "A point mass at the tip."),
        may("rotors", Kind::Parameters, "Joint to reflected rotor inertia [kg m²] or [kg]."),
        may("locked", Kind::Parameters, "Joint to the position it is held at."),
        may("keyframe", Kind::Text, "The keyframe of an MJCF file in which the robot stands."),
        may(
            "joint_limits",
            Kind::Choice(&["ranges", "stops"]),
            "Whether limits are contacts; ranges if it is missing.",
        ),
        may(
            "density",
            Kind::Densities,
            "[kg/m³], for links without a stated inertia; or a table of links.",
        ),
        may("drop", Kind::Texts, "Links that are left out, with all they carry."),
        may("weld", Kind::Texts, "Joints that are taken as fixed."),
        may("imported", Kind::Text, "The file that this model was written from."),
        NOTES,
        may("doubts", Kind::Texts, "Numbers that may not be meant."),
    ],
};
