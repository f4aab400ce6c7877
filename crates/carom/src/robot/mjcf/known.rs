//! Attributes of the elements that state masses and kinematics. The names are those of MuJoCo's XML reference; others are refused, because a
//! mistyped one would change the answer silently.

const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

const COMPILER: &[&str] = &[
    "alignfree",
    "angle",
    "assetdir",
    "autolimits",
    "balanceinertia",
    "boundinertia",
    "boundmass",
    "conflict",
    "convexhull",
    "coordinate",
    "discardvisual",
    "eulerseq",
    "exactmeshinertia",
    "fitaabb",
    "fusestatic",
    "inertiafromgeom",
    "inertiagrouprange",
    "meshdir",
    "passthrough",
    "savecanonical",
    "savecompiled",
    "saveinertial",
    "settotalmass",
    "strippath",
    "texturedir",
    "usethread",
];
const BODY: &[&str] = &[
    "axisangle",
    "childclass",
    "euler",
    "fuse",
    "gravcomp",
    "mocap",
    "name",
    "pos",
    "quat",
    "simple",
    "sleep",
    "user",
    "xyaxes",
    "zaxis",
];
const FRAME: &[&str] =
    &["axisangle", "childclass", "euler", "name", "pos", "quat", "xyaxes", "zaxis"];
const INERTIAL: &[&str] =
    &["axisangle", "diaginertia", "euler", "fullinertia", "mass", "pos", "quat", "xyaxes", "zaxis"];
const JOINT: &[&str] = &[
    "actuatorfrclimited",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "armature",
    "axis",
    "class",
    "damping",
    "frictionloss",
    "group",
    "limited",
    "margin",
    "name",
    "pos",
    "range",
    "ref",
    "solimpfriction",
    "solimplimit",
    "solreffriction",
    "solreflimit",
    "springdamper",
    "springref",
    "springyield",
    "stiffness",
    "type",
    "user",
];
const FREEJOINT: &[&str] = &["align", "group", "name"];
const GEOM: &[&str] = &[
    "adhesion",
    "axisangle",
    "castshadow",
    "class",
    "conaffinity",
    "condim",
    "contype",
    "density",
    "euler",
    "fitscale",
    "fluidcoef",
    "fluidshape",
    "friction",
    "fromto",
    "gap",
    "group",
    "hfield",
    "margin",
    "mass",
    "material",
    "mesh",
    "name",
    "pos",
    "priority",
    "quat",
    "rgba",
    "shellinertia",
    "size",
    "solimp",
    "solmix",
    "solref",
    "surfacevel",
    "type",
    "user",
    "xyaxes",
    "zaxis",
];
const SITE: &[&str] = &[
    "axisangle",
    "class",
    "euler",
    "fromto",
    "group",
    "material",
    "mesh",
    "name",
    "pos",
    "quat",
    "rgba",
    "size",
    "type",
    "user",
    "xyaxes",
    "zaxis",
];

/// The ways to state an orientation.
pub(super) const fn orientations() -> [&'static str; 5] {
    ORIENTATIONS
}

/// All attributes of an element of a body or of a class; `None` for elements that change neither masses nor kinematics.
pub(super) fn attributes(tag: &str) -> Option<&'static [&'static str]> {
    Some(match tag {
        "compiler" => COMPILER,
        "body" => BODY,
        "frame" => FRAME,
        "inertial" => INERTIAL,
        "joint" => JOINT,
        "freejoint" => FREEJOINT,
        "geom" => GEOM,
        "site" => SITE,
        _ => return None,
    })
}
