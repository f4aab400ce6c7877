//! What may stand behind `carom tip` and `carom near`.

use std::path::PathBuf;

use carom::answer::robot::RobotMass;
use clap::{Args, ValueEnum};

use super::{Reading, Subject};

/// A tip in a pose.
#[derive(Debug, Args)]
pub(crate) struct TipPlace {
    /// Positions of all joints in their order: "20,-60,80,-50,-70,10 deg"; those of the file otherwise
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub q: Option<String>,
    /// Mass of a point load at the tip: "1.5 kg"
    #[arg(long, value_name = "MASS", allow_hyphen_values = true)]
    pub payload: Option<String>,
    /// Where the load sits in the frame of the tip's body: "0,0,50 mm"
    #[arg(long, value_name = "X,Y,Z", requires = "payload", allow_hyphen_values = true)]
    pub payload_at: Option<String>,
    /// Lock this joint (may be repeated: all of them at once)
    #[arg(long = "lock", value_name = "JOINT")]
    pub locked: Vec<String>,
    /// A direction in world axes (may be repeated; the first one decides); the heaviest otherwise
    #[arg(long = "direction", value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub directions: Vec<String>,
    /// Which robot mass is used; that of locked joints if some are locked, otherwise that of free ones
    #[arg(long, value_enum, value_name = "WHICH")]
    pub mass: Option<MassChoice>,
}

/// Which robot mass is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MassChoice {
    /// Half the moving mass and the payload (ISO/TS 15066)
    Standard,
    /// m_eff with all joints free, rotors included
    Free,
    /// m_eff with the joints of --lock locked
    Locked,
}

impl MassChoice {
    /// The library's word for it.
    pub(crate) fn mass(self) -> RobotMass {
        match self {
            Self::Standard => RobotMass::Standard,
            Self::Free => RobotMass::Free,
            Self::Locked => RobotMass::Locked,
        }
    }
}

/// Maps of more than the tip in one pose.
#[derive(Debug, Args)]
pub(crate) struct Maps {
    /// m_eff and permitted speed on the skin, at about 20000 points of the bodies along their normals; --skin=N for N points
    #[arg(long, value_name = "POINTS", num_args = 0..=1, require_equals = true, default_missing_value = "20000")]
    pub skin: Option<usize>,
    /// m_eff and permitted speed over the reach, in 100000 poses within the joints' ranges; --workspace=N for N poses
    #[arg(long, value_name = "POSES", num_args = 0..=1, require_equals = true, default_missing_value = "100000")]
    pub workspace: Option<usize>,
}

/// What a person is judged by.
#[derive(Debug, Args)]
pub(crate) struct Person {
    /// Limits by body region, each with its source; otherwise the German recommendation of 2011
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
    /// Contact area of the pressure limits, "1 cm^2" unless stated
    #[arg(long, value_name = "AREA", allow_hyphen_values = true)]
    pub area: Option<String>,
    /// Stiffness of a padding, in series with the body: "20 N/mm"
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub padding: Option<String>,
}

/// `carom tip`.
#[derive(Debug, Args)]
pub(crate) struct Tip {
    #[command(flatten)]
    pub subject: Subject,
    /// The tip: a body (its origin) or a marker of one, BODY.MARKER
    #[arg(long, value_name = "BODY[.MARKER]")]
    pub tip: String,
    #[command(flatten)]
    pub place: TipPlace,
    /// Speed along the direction, for T_c: "0.25 m/s"
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true)]
    pub speed: Option<String>,
    #[command(flatten)]
    pub maps: Maps,
    #[command(flatten)]
    pub person: Person,
    /// Write report.html, directions.svg and summary.json there, of maps also skin.csv, workspace.csv and workspace.svg
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = RobotFormat::Table)]
    pub format: RobotFormat,
}

/// `carom near`.
#[derive(Debug, Args)]
pub(crate) struct Near {
    /// Print an empty limits file to be filled in, and do nothing else
    #[arg(long, exclusive = true)]
    pub template: bool,
    /// The model file, or a robot's file (URDF or MJCF)
    #[arg(required_unless_present = "template")]
    pub file: Option<PathBuf>,
    /// Change a value before use: --set parameters.theta="0 deg" (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = super::edit)]
    pub sets: Vec<(String, String)>,
    #[command(flatten)]
    pub reading: Reading,
    /// The tip: a body (its origin) or a marker of one, BODY.MARKER
    #[arg(long, value_name = "BODY[.MARKER]", required_unless_present = "template")]
    pub tip: Option<String>,
    #[command(flatten)]
    pub place: TipPlace,
    #[command(flatten)]
    pub maps: Maps,
    #[command(flatten)]
    pub person: Person,
    /// Effort limits of all joint velocities in their order, for the static push: "150,150,150,28,28,28 N m"; those of the file otherwise
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub effort: Option<String>,
    /// A path to be judged sample by sample: CSV with the columns t, q…, and v… or speed
    #[arg(long, value_name = "CSV")]
    pub path: Option<PathBuf>,
    /// Judge another point along the path too (may be repeated)
    #[arg(long = "point", value_name = "BODY[.MARKER]", requires = "path")]
    pub points: Vec<String>,
    /// Judge the path for a person who can give way (needs body masses) instead of a clamped one
    #[arg(long, requires = "path")]
    pub free: bool,
    /// Write report.html and summary.json there, of a path also profile.csv and path.svg, of maps skin.csv, workspace.csv and workspace.svg
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = RobotFormat::Table)]
    pub format: RobotFormat,
}

/// How `tip` and `near` print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobotFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
}
