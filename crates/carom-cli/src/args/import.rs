//! `carom import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `carom import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The robot's file (URDF or MJCF)
    pub file: PathBuf,
    /// The model file to write; without it, it is printed
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// Whether the root link is ground or free
    #[arg(long, value_enum, default_value_t = Base::Fixed)]
    pub base: Base,
    /// Reflected rotor inertia of a joint [kg m^2 or kg] (may be repeated)
    #[arg(long = "rotor", value_name = "JOINT=VALUE", value_parser = number)]
    pub rotors: Vec<(String, f64)>,
    /// The keyframe of an MJCF file in which the robot stands
    #[arg(long, value_name = "NAME")]
    pub keyframe: Option<String>,
    /// What joint limits become: ranges for maps, or stops that can be struck
    #[arg(long, value_enum, default_value_t = Limits::Ranges)]
    pub joint_limits: Limits,
    /// Leave this link out, with all it carries, or this closure (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub drop: Vec<String>,
    /// Take this joint as fixed (may be repeated)
    #[arg(long, value_name = "JOINT")]
    pub weld: Vec<String>,
    /// Mass and inertia from a density, "2700 kg/m^3", of all links without a stated inertia; LINK=DENSITY for one link (may be repeated)
    #[arg(long = "density", value_name = "[LINK=]DENSITY")]
    pub densities: Vec<String>,
    /// Folder of a package that mesh files are named by, package://NAME/… (may be repeated)
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = super::package)]
    pub packages: Vec<(String, PathBuf)>,
    /// The link whose origin becomes the marker `tip`
    #[arg(long, value_name = "LINK")]
    pub tip: Option<String>,
}

/// What the root link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Base {
    /// Ground
    Fixed,
    /// A free body
    Floating,
}

/// What joint limits become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Limits {
    /// The `range` of a joint
    Ranges,
    /// Also a contact of the joint's coordinate
    Stops,
}

/// `joint=value`; the last `=` splits, because names may have one.
fn number(text: &str) -> Result<(String, f64), String> {
    let expected = "expected a joint and a number, such as elbow=0.2";
    let (joint, value) = text.rsplit_once('=').ok_or(expected)?;
    match value.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok((joint.trim().to_owned(), x)),
        _ => Err(format!("{expected}, at least 0")),
    }
}
