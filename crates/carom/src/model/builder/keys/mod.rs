//! Every key of the format: the one table that names unknown keys and writes the schema.

mod action;
mod machine;
mod robot;
mod study;

pub use action::{
    CONSEQUENCES, CONTACT, CONTACT_LAW, CROSSINGS, DRIVE, EVENT, FRICTIONS, INITIAL, LAWS, LOADS,
    MATERIAL, PARTINGS, SIMULATION, STARTS, TARGET, TREATMENTS,
};
pub use machine::{
    BODY, CLOSURES, CONTACT_SHAPES, GROUND, JOINT, JOINT_TYPES, MARKER, MASS_SHAPES, VISUAL_MESH,
    VISUAL_SHAPES,
};
pub use robot::{PAYLOAD, ROBOT, WRITTEN};
pub use study::{
    ACTIONS, SAMPLINGS, SCALES, STUDY, UNCERTAIN, UNCERTAIN_INPUT, UNCERTAIN_SAMPLINGS,
    UNCERTAINTY, VARIABLE,
};

use crate::maths::units::Dimension;

/// A key of a section.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What may stand there.
    pub kind: Kind,
    /// Whether it has to be there.
    pub required: bool,
    /// One line for people.
    pub doc: &'static str,
}

/// What may stand at a key.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The number of the format.
    Format,
    /// Any text.
    Text,
    /// `true` or `false`.
    Bool,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A number, a quantity or an expression of that dimension.
    Quantity(Dimension),
    /// A quantity whose dimension depends on other keys.
    Varied,
    /// One quantity or a list of them.
    Quantities,
    /// As many quantities as the space has directions.
    Vector,
    /// A vector, or for a universal joint two.
    Axis,
    /// Two vectors.
    TwoVectors,
    /// A list of vectors.
    Vectors,
    /// An expression, a list of quantities, or a list of vectors.
    Profile,
    /// Two orientations: an angle each in the plane, three in space.
    TwoOrientations,
    /// One orientation.
    Orientation,
    /// Two names.
    TwoNames,
    /// An expression, or in space a list of three.
    Torque,
    /// A list of expressions.
    Force,
    /// A coefficient or `"stick"`.
    Friction,
    /// A shape that gives mass and inertia.
    MassShape,
    /// A table of named contact shapes.
    ContactShapes,
    /// A table of named solids and meshes.
    Visuals,
    /// A table of named points.
    Markers,
    /// A table of named numbers.
    Parameters,
    /// A table of named functions.
    Functions,
    /// One quantity, or a table of links to quantities.
    Densities,
    /// A table of joints to coefficients.
    Coefficients,
    /// A table of markers to wanted positions and velocities.
    Targets,
    /// A condition or a list of them.
    Conditions,
    /// A list of quantities or words.
    Levels,
    /// A list of texts.
    Texts,
    /// A list of texts, or a table of names to texts.
    Measures,
    /// A table of named things, each of one of these sections.
    Named(&'static [Section]),
    /// One section.
    Inner(&'static Section),
}

/// A table of keys, for the words of `type` it is meant for (none: it has no `type`).
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// What it describes.
    pub what: &'static str,
    /// Values of `type`.
    pub types: &'static [&'static str],
    /// Its keys beside `type`.
    pub keys: &'static [Key],
}

const fn must(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: true, doc }
}

const fn may(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: false, doc }
}

/// The top level.
pub const TOP: Section = Section {
    what: "the top level",
    types: &[],
    keys: &[
        must("carom", Kind::Format, "The format of this file: 1."),
        may("title", Kind::Text, "What the model is."),
        may(
            "model",
            Kind::Text,
            "A file that this one completes: its keys stand over those there.",
        ),
        must("space", Kind::Choice(&["planar", "spatial"]), "Motion in the x-y plane or in space."),
        may("robot", Kind::Inner(&ROBOT), "A robot's file that this one stands over."),
        may("gravity", Kind::Vector, "Acceleration of free fall [m/s²]; zero if it is missing."),
        may("parameters", Kind::Parameters, "Named numbers for expressions."),
        may("functions", Kind::Functions, "Functions for expressions: \"(x, y) -> x^2 + y\"."),
        may("bodies", Kind::Named(&[BODY]), "Rigid bodies."),
        may("ground", Kind::Inner(&GROUND), "Markers and contact shapes of the ground."),
        may("joints", Kind::Named(&[JOINT]), "Joints of the tree; each carries its second body."),
        may("closures", Kind::Named(&CLOSURES), "What closes loops."),
        may("materials", Kind::Named(&[MATERIAL]), "Materials of contacts, beside the known ones."),
        may("contacts", Kind::Named(&[CONTACT]), "Pairs that may touch."),
        may("loads", Kind::Named(&LOADS), "Springs, dampers, forces, torques."),
        may("drives", Kind::Named(&[DRIVE]), "Prescribed motions."),
        may("events", Kind::Named(&[EVENT]), "Expressions whose zeros a run finds."),
        may("initial", Kind::Inner(&INITIAL), "Pose and velocity asked for in space."),
        may("simulation", Kind::Inner(&SIMULATION), "How long and how a run goes."),
        may("study", Kind::Inner(&STUDY), "What changes from point to point, and what is kept."),
        may("uncertainty", Kind::Inner(&UNCERTAINTY), "Numbers that are not known exactly."),
    ],
};
