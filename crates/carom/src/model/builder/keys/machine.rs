//! Keys of what the machine is: bodies, ground, joints, closures, shapes.

use super::action::CONTACT_LAW;
use super::{Key, Kind, Section, may, must};
use crate::maths::units::Dimension;

const TITLE: Key =
    may("title", Kind::Text, "What it is called elsewhere, such as in a robot's file.");
const MARKERS: Key = may("markers", Kind::Markers, "Named points: [x, y] or { at, direction }.");
const SHAPES: Key = may("contact", Kind::ContactShapes, "Named contact shapes.");
const VISUALS: Key =
    may("visual", Kind::Visuals, "Named solids and meshes that are drawn, and have no mechanics.");

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
        may("payload", Kind::Bool, "Whether a robot carries it: no part of the robot's own mass."),
        TITLE,
        MARKERS,
        SHAPES,
        VISUALS,
    ],
};

/// `[ground]`
pub const GROUND: Section =
    Section { what: "the ground", types: &[], keys: &[MARKERS, SHAPES, VISUALS] };

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
pub(super) const AT: Key = may("at", Kind::TwoVectors, "Its point in each body's frame [m].");
const AXIS: Key = may("axis", Kind::Axis, "Its axis, the same in both frames at zero position.");
const ORIENTATION: Key =
    may("orientation", Kind::TwoOrientations, "Its frame in each body: roll, pitch, yaw [rad].");

const CLEARANCE: Key = may(
    "clearance",
    Kind::Quantity(Dimension::LENGTH),
    "Radial play [m]: the joint becomes a contact of revolute, prismatic or spherical parts.",
);
const PLAY: Key = may("contact", Kind::Inner(&CONTACT_LAW), "The law of that contact.");

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
        may("range", Kind::Quantities, "Least and greatest position, for maps; no stop."),
        may("max_effort", Kind::Varied, "Greatest effort of its motor [N m] or [N]."),
        may("max_speed", Kind::Varied, "Greatest speed of its motor [rad/s] or [m/s]."),
        may("dry_friction", Kind::Varied, "Constant friction [N m] or [N]; kept, not used yet."),
        TITLE,
        may(
            "friction",
            Kind::Friction,
            "μ or a law, on the joint's reaction; revolute and prismatic.",
        ),
        may(
            "radius",
            Kind::Quantity(Dimension::LENGTH),
            "Of a revolute joint's pin [m], with friction or a clearance.",
        ),
        may(
            "guide",
            Kind::Quantity(Dimension::LENGTH),
            "Between the bearings of a prismatic joint [m].",
        ),
        CLEARANCE,
        PLAY,
    ],
};

/// `[closures.NAME]`
pub const CLOSURES: [Section; 5] = [
    Section {
        what: "a closing joint",
        types: &JOINT_TYPES,
        keys: &[
            CONNECTS,
            AT,
            AXIS,
            ORIENTATION,
            may("radius", Kind::Quantity(Dimension::LENGTH), "Of the pin with a clearance [m]."),
            may(
                "guide",
                Kind::Quantity(Dimension::LENGTH),
                "Between the two pins with a clearance [m].",
            ),
            CLEARANCE,
            PLAY,
        ],
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

/// A marker that is a table.
pub const MARKER: Section = Section {
    what: "a marker",
    types: &[],
    keys: &[
        must("at", Kind::Vector, "The point in the body's frame [m]."),
        may("direction", Kind::Vector, "A direction in the body's frame."),
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

/// A mesh that is drawn.
pub const VISUAL_MESH: Section = Section {
    what: "a mesh",
    types: &[],
    keys: &[
        must(
            "mesh",
            Kind::Text,
            "An STL or OBJ file, from this file's folder, or package://NAME/….",
        ),
        may("scale", Kind::Vector, "Factors of its lengths along its axes; 1 if it is missing."),
        SHAPE_AT,
        SHAPE_ORIENTATION,
    ],
};

/// The contact shapes that may also stand under `visual`.
pub const VISUAL_SHAPES: [&str; 4] = ["sphere", "box", "capsule", "cylinder"];

const ROUNDING: Key = may(
    "rounding",
    Kind::Quantity(Dimension::LENGTH),
    "All points nearer than this belong to it, too [m]; 0 if it is missing.",
);

/// Contact shapes: the key that names the kind is the first of each section.
pub const CONTACT_SHAPES: [Section; 14] = [
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
            may(
                "side",
                Kind::Choice(&["left", "right", "both"]),
                "The outer side from start to end.",
            ),
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
    Section {
        what: "a polygon",
        types: &[],
        keys: &[
            must("polygon", Kind::Vectors, "Its corners one after the other [m]; convex."),
            ROUNDING,
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
    Section {
        what: "a regular polygon",
        types: &[],
        keys: &[
            must("regular", Kind::Quantities, "How many corners, and their distance [m]."),
            ROUNDING,
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
    Section {
        what: "a polyhedron",
        types: &[],
        keys: &[
            must("polyhedron", Kind::Vectors, "Points whose convex hull it is [m]."),
            ROUNDING,
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
    Section {
        what: "a profile",
        types: &[],
        keys: &[
            must(
                "profile",
                Kind::Profile,
                "r(phi) [m]: an expression of phi, or a list of radii; or a list of points [m].",
            ),
            may(
                "angles",
                Kind::Quantities,
                "Angle of each radius [rad]; equal steps from 0 if it is missing.",
            ),
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
    Section {
        what: "a mesh",
        types: &[],
        keys: &[
            must(
                "mesh",
                Kind::Text,
                "An STL or OBJ file; it touches as the convex hull of its points.",
            ),
            may(
                "scale",
                Kind::Vector,
                "Factors of its lengths along its axes; 1 if it is missing.",
            ),
            ROUNDING,
            SHAPE_AT,
            SHAPE_ORIENTATION,
        ],
    },
];
