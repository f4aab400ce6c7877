//! Every key of the format: the one table that names unknown keys and writes the schema.

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
    /// A table of named points.
    Markers,
    /// A table of named numbers.
    Parameters,
    /// A table of joints to coefficients.
    Coefficients,
    /// A table of markers to wanted positions and velocities.
    Targets,
    /// A condition or a list of them.
    Conditions,
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
        must("space", Kind::Choice(&["planar", "spatial"]), "Motion in the x-y plane or in space."),
        may("gravity", Kind::Vector, "Acceleration of free fall [m/s²]; zero if it is missing."),
        may("parameters", Kind::Parameters, "Named numbers for expressions."),
        may("bodies", Kind::Named(&[BODY]), "Rigid bodies."),
        may("ground", Kind::Inner(&GROUND), "Markers and contact shapes of the ground."),
        may("joints", Kind::Named(&[JOINT]), "Joints of the tree; each carries its second body."),
        may("closures", Kind::Named(&CLOSURES), "What closes loops."),
        may("contacts", Kind::Named(&[CONTACT]), "Pairs that may touch."),
        may("loads", Kind::Named(&LOADS), "Springs, dampers, forces, torques."),
        may("drives", Kind::Named(&[DRIVE]), "Prescribed motions."),
        may("initial", Kind::Inner(&INITIAL), "Pose and velocity asked for in space."),
    ],
};

const MARKERS: Key = may("markers", Kind::Markers, "Named points: [x, y] or { at, direction }.");
const SHAPES: Key = may("contact", Kind::ContactShapes, "Named contact shapes.");

/// `[bodies.NAME]`
pub const BODY: Section = Section {
    what: "a body",
    types: &[],
    keys: &[
        may("mass", Kind::Quantity(Dimension::MASS), "m [kg]; required unless density is given."),
        may("density", Kind::Varied, "[kg/m³], of plates [kg/m²], of rods [kg/m]; needs a shape."),
        may("shape", Kind::MassShape, "Gives the inertia unless it is written."),
        may("inertia", Kind::Quantities, "About the mass centre [kg m²]: 1, 3 or 6 numbers."),
        may("center", Kind::Vector, "Mass centre in the body frame [m]."),
        MARKERS,
        SHAPES,
    ],
};

/// `[ground]`
pub const GROUND: Section = Section { what: "the ground", types: &[], keys: &[MARKERS, SHAPES] };

/// The words for joints.
pub const JOINT_TYPES: [&str; 8] = [
    "weld",
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "floating",
];

const CONNECTS: Key = must("connects", Kind::TwoNames, "The two bodies, or ground.");
const AT: Key = may("at", Kind::TwoVectors, "Its point in each body's frame [m].");
const AXIS: Key = may("axis", Kind::Axis, "Its axis, the same in both frames at zero position.");
const ORIENTATION: Key =
    may("orientation", Kind::TwoOrientations, "Its frame in each body: roll, pitch, yaw [rad].");

/// `[joints.NAME]`
pub const JOINT: Section = Section {
    what: "a joint",
    types: &JOINT_TYPES,
    keys: &[
        CONNECTS,
        AT,
        AXIS,
        ORIENTATION,
        may("position", Kind::Quantities, "Kept by assembly [rad] or [m]."),
        may("guess", Kind::Quantities, "Where assembly starts."),
        may("velocity", Kind::Quantities, "Kept when velocities are made consistent."),
        may("rotor", Kind::Quantities, "Reflected rotor inertia [kg m²] or [kg]."),
        may("locked", Kind::Bool, "Held at its position."),
    ],
};

/// `[closures.NAME]`
pub const CLOSURES: [Section; 5] = [
    Section {
        what: "a closing joint",
        types: &JOINT_TYPES,
        keys: &[CONNECTS, AT, AXIS, ORIENTATION],
    },
    Section {
        what: "a distance",
        types: &["distance"],
        keys: &[CONNECTS, AT, must("length", Kind::Quantity(Dimension::LENGTH), "[m]")],
    },
    Section {
        what: "a point on a line",
        types: &["point-on-line"],
        keys: &[CONNECTS, AT, must("direction", Kind::Vector, "Of the line, in its body.")],
    },
    Section {
        what: "a point on a circle",
        types: &["point-on-circle"],
        keys: &[
            CONNECTS,
            AT,
            must("radius", Kind::Quantity(Dimension::LENGTH), "[m]"),
            may("axis", Kind::Vector, "Of the circle, in its body; space only."),
        ],
    },
    Section {
        what: "a coupling",
        types: &["coupling"],
        keys: &[
            must("joints", Kind::Coefficients, "Joint or \"joint.coordinate\" to coefficient."),
            may("offset", Kind::Varied, "Σ c q = offset; zero if it is missing."),
        ],
    },
];

/// `[contacts.NAME]`
pub const CONTACT: Section = Section {
    what: "a contact",
    types: &[],
    keys: &[
        must("between", Kind::TwoNames, "Two shapes, or two markers with a normal."),
        may("normal", Kind::Vector, "From the first to the second; with markers only."),
        may("normal_in", Kind::Text, "The body the normal is fixed in; ground if it is missing."),
        may("restitution", Kind::Quantity(Dimension::NONE), "e, from 0 to 1."),
        may("stiffness", Kind::Varied, "K [N/m^n]; its unit fixes n."),
        may("exponent", Kind::Quantity(Dimension::NONE), "n ≥ 1; 1.5 if it is missing."),
        may("law", Kind::Choice(&LAWS), "A law of the catalogue."),
        may("friction", Kind::Friction, "μ ≥ 0, or \"stick\"."),
    ],
};

/// The names of the contact laws.
pub const LAWS: [&str; 22] = [
    "hooke",
    "hertz",
    "kelvin-voigt",
    "anagnostopoulos",
    "poursina-nikravesh",
    "poursina-nikravesh-general",
    "exact-linear",
    "hunt-crossley",
    "herbert-mcwhannell",
    "lee-wang",
    "lankarani-nikravesh",
    "gonthier-approximate",
    "zhiying-qishao",
    "flores",
    "ye",
    "hu-guo",
    "carvalho-martins",
    "exact",
    "gonthier",
    "zhang-sharf",
    "impact",
    "expression",
];

const JOINT_NAME: Key = must("joint", Kind::Text, "The joint.");
const COORDINATE: Key = may("coordinate", Kind::Text, "Which, of a joint with several.");
const BODY_NAME: Key = must("body", Kind::Text, "The body.");
const FRAME: Key = may(
    "frame",
    Kind::Choice(&["world", "body"]),
    "The axes of the components; world if it is missing.",
);
const STIFFNESS: Key = may("stiffness", Kind::Varied, "k [N/m] or [N m/rad].");
const DAMPING: Key = may("damping", Kind::Varied, "c [N s/m] or [N m s/rad].");

/// `[loads.NAME]`
pub const LOADS: [Section; 5] = [
    Section {
        what: "a spring",
        types: &["spring"],
        keys: &[
            may("connects", Kind::TwoNames, "The two bodies, or ground."),
            AT,
            may("between", Kind::TwoNames, "Two markers, instead of connects and at."),
            STIFFNESS,
            DAMPING,
            may("length", Kind::Quantity(Dimension::LENGTH), "Free length [m]."),
        ],
    },
    Section {
        what: "a joint spring",
        types: &["joint-spring"],
        keys: &[
            JOINT_NAME,
            COORDINATE,
            STIFFNESS,
            DAMPING,
            may("rest", Kind::Varied, "Free position [rad] or [m]; zero if it is missing."),
        ],
    },
    Section {
        what: "a force",
        types: &["force"],
        keys: &[
            may("body", Kind::Text, "The body, with at."),
            may("at", Kind::Vector, "Where, in the body's frame [m]."),
            may("marker", Kind::Text, "Where, instead of body and at."),
            must("force", Kind::Force, "Components [N]: expressions of t, q.…, v.…"),
            FRAME,
        ],
    },
    Section {
        what: "a torque",
        types: &["torque"],
        keys: &[
            BODY_NAME,
            must("torque", Kind::Torque, "[N m]: expressions of t, q.…, v.…"),
            FRAME,
        ],
    },
    Section {
        what: "an effort",
        types: &["effort"],
        keys: &[
            JOINT_NAME,
            COORDINATE,
            must("effort", Kind::Varied, "[N] or [N m]: an expression of t, q.…, v.…"),
        ],
    },
];

/// `[drives.NAME]`
pub const DRIVE: Section = Section {
    what: "a drive",
    types: &[],
    keys: &[JOINT_NAME, COORDINATE, must("motion", Kind::Varied, "An expression of t.")],
};

/// `[initial]`
pub const INITIAL: Section = Section {
    what: "the initial state",
    types: &[],
    keys: &[
        may("points", Kind::Targets, "\"body.marker\" to { at, velocity }."),
        may("branch", Kind::Conditions, "Conditions on positions such as \"q.elbow > 0\"."),
        may("kinetic_energy", Kind::Quantity(Dimension::ENERGY), "T [J] after scaling."),
    ],
};

/// A marker that is a table.
pub const MARKER: Section = Section {
    what: "a marker",
    types: &[],
    keys: &[
        must("at", Kind::Vector, "The point in the body's frame [m]."),
        may("direction", Kind::Vector, "A direction in the body's frame."),
    ],
};

/// A target of `[initial]`.
pub const TARGET: Section = Section {
    what: "a target",
    types: &[],
    keys: &[
        may("at", Kind::Vector, "Wanted position [m]; a component may be \"free\"."),
        may("velocity", Kind::Vector, "Wanted velocity [m/s]; a component may be \"free\"."),
    ],
};

/// The words for shapes that give mass and inertia.
pub const MASS_SHAPES: [&str; 12] = [
    "point",
    "rod",
    "disc",
    "ring",
    "rectangle",
    "polygon",
    "sphere",
    "hollow-sphere",
    "box",
    "cylinder",
    "capsule",
    "cone",
];

const SHAPE_AT: Key = may("at", Kind::Vector, "Its place in the body's frame [m].");
const SHAPE_ORIENTATION: Key = may("orientation", Kind::Orientation, "Its axes in the body.");

/// Contact shapes: the key that names the kind is the first of each section.
pub const CONTACT_SHAPES: [Section; 9] = [
    Section {
        what: "a point",
        types: &[],
        keys: &[must("point", Kind::Vector, "A point of the body.")],
    },
    Section {
        what: "a sphere",
        types: &[],
        keys: &[must("sphere", Kind::Quantity(Dimension::LENGTH), "Radius [m]."), SHAPE_AT],
    },
    Section {
        what: "a circle",
        types: &[],
        keys: &[must("circle", Kind::Quantity(Dimension::LENGTH), "Radius [m]."), SHAPE_AT],
    },
    Section {
        what: "a plane",
        types: &[],
        keys: &[must("plane", Kind::Vector, "The outward normal."), SHAPE_AT],
    },
    Section {
        what: "a segment",
        types: &[],
        keys: &[
            must("segment", Kind::TwoVectors, "Start and end [m]."),
            may("side", Kind::Choice(&["left", "right"]), "The outer side from start to end."),
        ],
    },
    Section {
        what: "a hollow",
        types: &[],
        keys: &[must("hollow", Kind::Quantity(Dimension::LENGTH), "Radius [m]."), SHAPE_AT],
    },
    Section {
        what: "a box",
        types: &[],
        keys: &[must("box", Kind::Vector, "Edge lengths [m]."), SHAPE_AT, SHAPE_ORIENTATION],
    },
    Section {
        what: "a capsule",
        types: &[],
        keys: &[
            must("capsule", Kind::Quantity(Dimension::LENGTH), "Radius [m]."),
            must("from", Kind::Vector, "Centre of one end [m]."),
            must("to", Kind::Vector, "Centre of the other end [m]."),
        ],
    },
    Section {
        what: "a cylinder",
        types: &[],
        keys: &[
            must("cylinder", Kind::Quantities, "Radius and length [m]."),
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
];
