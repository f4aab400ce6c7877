//! Keys of what acts on the machine: contacts, loads, drives, the initial state.

use super::machine::AT;
use super::{Key, Kind, Section, may, must};
use crate::maths::units::Dimension;
use crate::model::contact::{ContactTreatment, FrictionKind, IMPACTS, Parting, StartRule};
use crate::model::event::{Consequence, Crossing};

/// Where a contact's points come from.
const CONTACT_PLACE: [Key; 9] = [
    may("between", Kind::TwoNames, "Two shapes, or two markers with a normal."),
    may(
        "among",
        Kind::Texts,
        "Instead of between: all pairs of shapes or bodies by pattern, such as \"ball_*\".",
    ),
    may("joint", Kind::Text, "Instead of between: the joint whose stops it is."),
    may(
        "rope",
        Kind::Quantity(Dimension::LENGTH),
        "Length [m] of a rope between two markers: it pulls where it is taut.",
    ),
    COORDINATE,
    may("lower", Kind::Varied, "The joint's least position [m] or [rad]."),
    may("upper", Kind::Varied, "The joint's greatest position [m] or [rad]."),
    may("normal", Kind::Vector, "From the first to the second; with markers only."),
    may("normal_in", Kind::Text, "The body the normal is fixed in; ground if it is missing."),
];

/// What a contact's law takes.
const LAW_KEYS: [Key; 14] = [
    may("restitution", Kind::Quantity(Dimension::NONE), "e, from 0 to 1."),
    may("stiffness", Kind::Varied, "K [N/m^n]; its unit fixes n."),
    may(
        "exponent",
        Kind::Quantity(Dimension::NONE),
        "n > 0; the law's own, or 1.5, if it is missing.",
    ),
    may("materials", Kind::TwoNames, "One for each side; with the shapes they give K and n."),
    may(
        "length",
        Kind::Quantity(Dimension::LENGTH),
        "Of parallel cylinders [m]; with materials in the plane.",
    ),
    may(
        "reference_force",
        Kind::Quantity(Dimension::FORCE),
        "Where K and n of parallel cylinders are matched [N].",
    ),
    may(
        "depth",
        Kind::Quantity(Dimension::LENGTH),
        "To which a flat or hollow partner of a cylinder gives way [m].",
    ),
    may("law", Kind::Choice(&LAWS), "A law of the catalogue."),
    may("damping", Kind::Varied, "c [N s/m] of `kelvin-voigt`; of a stop that turns [N m s/rad]."),
    may("max_damping", Kind::Varied, "c_max of `impact`, in the units of `damping`."),
    may("damping_depth", Kind::Varied, "d_max of `impact` [m]; of a stop that turns [rad]."),
    may(
        "force",
        Kind::Varied,
        "[N], of `expression`: an expression of delta, delta_dot, onset_speed, effective_mass.",
    ),
    may("parting", Kind::Choice(&PARTINGS), "When the pair parts; the law's own if missing."),
    may("friction", Kind::Friction, "μ ≥ 0, \"stick\", or a table with a friction law."),
];

const CONTACT_KEYS: [Key; CONTACT_PLACE.len() + LAW_KEYS.len()] = {
    let mut all = [LAW_KEYS[0]; CONTACT_PLACE.len() + LAW_KEYS.len()];
    let mut k = 0;
    while k < all.len() {
        all[k] = if k < CONTACT_PLACE.len() {
            CONTACT_PLACE[k]
        } else {
            LAW_KEYS[k - CONTACT_PLACE.len()]
        };
        k += 1;
    }
    all
};

/// `[contacts.NAME]`
pub const CONTACT: Section = Section { what: "a contact", types: &[], keys: &CONTACT_KEYS };

/// `contact` of a joint with a clearance.
pub const CONTACT_LAW: Section =
    Section { what: "the contact of a joint", types: &[], keys: &LAW_KEYS };

const KINETIC: Key = must("kinetic", Kind::Quantity(Dimension::NONE), "μ_k ≥ 0.");
const STATIC: Key = must("static", Kind::Quantity(Dimension::NONE), "μ_s ≥ μ_k.");
const SPEED: Key = must(
    "speed",
    Kind::Quantity(Dimension::VELOCITY),
    "v_s [m/s], at which friction has fallen from μ_s to μ_k by 1/e.",
);
const BAND: Key = may(
    "band",
    Kind::Quantity(Dimension::VELOCITY),
    "v_d [m/s], below which the direction is smooth; 1 mm/s if it is missing.",
);
const VISCOUS: Key = may("viscous", Kind::Varied, "σ₂ [s/m], of bristle [N s/m]; zero if missing.");
const BENDING: Key = must("stiffness", Kind::Varied, "σ₀ [1/m], of bristle [N/m].");
const BENDING_LOSS: Key = must("damping", Kind::Varied, "σ₁ [s/m], of bristle [N s/m].");

/// Friction laws with their numbers.
pub const FRICTIONS: [Section; 4] = [
    Section {
        what: "Coulomb friction",
        types: &[FrictionKind::Coulomb.name()],
        keys: &[KINETIC, BAND],
    },
    Section {
        what: "Stribeck friction",
        types: &[FrictionKind::Stribeck.name()],
        keys: &[KINETIC, STATIC, SPEED, VISCOUS, BAND],
    },
    Section {
        what: "LuGre friction",
        types: &[FrictionKind::LuGre.name()],
        keys: &[KINETIC, STATIC, SPEED, BENDING, BENDING_LOSS, VISCOUS],
    },
    Section {
        what: "bristle friction",
        types: &[FrictionKind::Bristle.name()],
        keys: &[
            KINETIC,
            STATIC,
            SPEED,
            BENDING,
            BENDING_LOSS,
            must("dwell", Kind::Quantity(Dimension::TIME), "τ_dw [s]."),
            VISCOUS,
            BAND,
        ],
    },
];

/// The rules of parting.
pub const PARTINGS: [&str; 2] = [Parting::ZeroForce.name(), Parting::ZeroIndentation.name()];

/// `[materials.NAME]`
pub const MATERIAL: Section = Section {
    what: "a material",
    types: &[],
    keys: &[
        must("young", Kind::Quantity(Dimension::PRESSURE), "E [Pa]."),
        must("poisson", Kind::Quantity(Dimension::NONE), "ν, above -1 and up to 0.5."),
        may("density", Kind::Quantity(Dimension::DENSITY), "[kg/m³]"),
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

/// Which way an event's expression crosses zero.
pub const CROSSINGS: [&str; 3] =
    [Crossing::Rises.name(), Crossing::Falls.name(), Crossing::Crosses.name()];

/// What a run does at an event.
pub const CONSEQUENCES: [&str; 2] = [Consequence::Record.name(), Consequence::Stop.name()];

/// `[events.NAME]`
pub const EVENT: Section = Section {
    what: "an event",
    types: &[],
    keys: &[
        must("expression", Kind::Varied, "It crosses zero: of t, q.…, v.…, gap.…"),
        may("when", Kind::Choice(&CROSSINGS), "Which way; crosses if it is missing."),
        may("then", Kind::Choice(&CONSEQUENCES), "Write down, or end; record if it is missing."),
    ],
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

/// How a run treats contacts.
pub const TREATMENTS: [&str; 2] =
    [ContactTreatment::Continuous.name(), ContactTreatment::Piecewise.name()];

/// `[simulation]`
pub const SIMULATION: Section = Section {
    what: "the simulation",
    types: &[],
    keys: &[
        may("duration", Kind::Quantity(Dimension::TIME), "How long [s]."),
        may(
            "contact",
            Kind::Choice(&TREATMENTS),
            "Force laws or impulses; if missing, impulses where all contacts state a restitution alone.",
        ),
        may("impact", Kind::Choice(&IMPACTS), "The law of impulses; newton if missing."),
        may("tolerance", Kind::Quantity(Dimension::NONE), "Error of a step; 1e-9 if missing."),
        may(
            "start",
            Kind::Choice(&STARTS),
            "What closed contacts do at the start; apart if missing.",
        ),
    ],
};

/// Words of `start`.
pub const STARTS: [&str; 2] = [StartRule::Apart.name(), StartRule::InContact.name()];

/// A target of `[initial]`.
pub const TARGET: Section = Section {
    what: "a target",
    types: &[],
    keys: &[
        may("at", Kind::Vector, "Wanted position [m]; a component may be \"free\"."),
        may("velocity", Kind::Vector, "Wanted velocity [m/s]; a component may be \"free\"."),
    ],
};
