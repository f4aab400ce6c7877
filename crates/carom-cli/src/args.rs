//! What may stand on the command line.

mod fit;
mod impact;
mod import;
mod laws;
mod reading;
#[cfg(feature = "reproduce")]
mod reproduce;
mod robot;
mod run;
mod study;

pub(crate) use fit::Fit;
pub(crate) use impact::{RemovalWay, Strike, StrikeFormat};
pub(crate) use import::Import;
pub(crate) use laws::{Laws, LawsFormat};
pub(crate) use reading::Reading;
#[cfg(feature = "reproduce")]
pub(crate) use reproduce::{Reproduce, ReproduceFormat};
pub(crate) use robot::{Maps, MassChoice, Near, Person, RobotFormat, Tip, TipPlace};
pub(crate) use run::{Run, RunFormat};
pub(crate) use study::{Compare, Map, Merge, Optimise, Study, StudyFormat, Sweep, Uncertainty};

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::new::TEMPLATES;
use crate::report::FILE as REPORT;

/// How hard does your mechanism hit?
///
/// A machine is one TOML file: bodies, joints, closures, contacts. carom says how heavy each contact
/// feels and how much of the kinetic energy an impact there can use.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Tables as wide as their content, with all of their columns; they fit into 100 places otherwise
    #[arg(long, global = true)]
    pub wide: bool,
    /// Nothing on stderr but errors: no cautions, no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Open the page that was written, with -o (by $BROWSER, or as the desktop does)
    #[arg(long, global = true)]
    pub open: bool,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Write a commented model file that runs, to begin with: pendulum, four-bar, slider-crank, arm, drop, robot
    New(New),
    /// Write the model file of a robot's file (URDF or MJCF)
    Import(Import),
    /// Say what was understood of a model file, and what may not be meant
    Check(Check),
    /// Effective mass, apparent masses and impact energy of every contact
    Assess(Assess),
    /// Velocities and impulses after an impact at the closed contacts, by one or several laws
    Impact(Strike),
    /// How heavy the tip of a robot is, in every direction
    Tip(Tip),
    /// How fast the tip of a robot may move near a person (ISO/TS 15066; a design estimate)
    Near(Box<Near>),
    /// Simulate: every impact of the motion, and where the energy goes
    Run(Run),
    /// The contact laws: what each delivers, and the impact of two bodies under one
    Laws(Box<Laws>),
    /// Do the [study] of a file at all of its points
    Sweep(Sweep),
    /// Join the shards of a sweep
    Merge(Merge),
    /// Read a sweep: ranking, correlations, fits, sensitivities, figures
    Study(Study),
    /// A measure over two variables, as a map
    Map(Map),
    /// Two designs beside each other, measure by measure
    Compare(Compare),
    /// Make a measure as small or large as the [study] of a file allows
    Optimise(Optimise),
    /// Parameters of contact laws from measured impacts or forces over time, with intervals and a ranking
    Fit(Box<Fit>),
    /// Every measure with its interval, from the [uncertainty] of a file, and which uncertain number matters
    Uncertainty(Uncertainty),
    /// The numbers, tables and figures of the papers, beside what carom computes
    #[cfg(feature = "reproduce")]
    Reproduce(Reproduce),
    /// Print the JSON schema of the model file, for editors, or of the answer of a verb
    Schema(Schema),
    /// Print the completions of a shell
    Completions(Completions),
    /// Print the manual page of this command, or write those of all verbs
    Man(Man),
}

impl Verb {
    /// The page that the verb writes, if it was asked for one.
    pub(crate) fn page(&self) -> Option<PathBuf> {
        let (folder, name) = match self {
            Self::Assess(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Impact(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Tip(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Near(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Run(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Study(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Fit(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Sweep(wanted) => (&wanted.out, REPORT),
            Self::Merge(wanted) => (&wanted.out, REPORT),
            Self::Optimise(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Compare(wanted) => (wanted.out.as_ref()?, REPORT),
            Self::Map(wanted) => (&wanted.out, REPORT),
            Self::Uncertainty(wanted) => (wanted.out.as_ref()?, REPORT),
            #[cfg(feature = "reproduce")]
            Self::Reproduce(wanted) => (wanted.out.as_ref()?, crate::report::INDEX),
            _ => return None,
        };
        Some(folder.join(name))
    }
}

/// `carom new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The kind of machine; the list of them is printed if none is named
    #[arg(value_name = "TEMPLATE", value_parser = PossibleValuesParser::new(TEMPLATES.map(|t| t.name)))]
    pub template: Option<String>,
    /// The file to write; named as the template unless this is given
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub overwrite: bool,
}

/// `carom completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `carom man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write the pages of the command and of all its verbs there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `carom schema`.
#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The schema of what this verb prints with --format json
    #[arg(long, value_name = "VERB")]
    pub answer: Option<String>,
}

/// A model file and edits of it.
#[derive(Debug, Args)]
pub(crate) struct Subject {
    /// The model file, or a robot's file (URDF or MJCF); - reads a model from standard input
    pub file: PathBuf,
    /// Change a value before use: --set parameters.theta="0 deg" (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = edit)]
    pub sets: Vec<(String, String)>,
    #[command(flatten)]
    pub reading: Reading,
}

/// `carom check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub subject: Subject,
    /// How to print it
    #[arg(long, value_enum, default_value_t = CheckFormat::Table)]
    pub format: CheckFormat,
}

/// `carom assess`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command")]
pub(crate) struct Assess {
    #[command(flatten)]
    pub subject: Subject,
    /// Only this contact (may be repeated); all of the file otherwise
    #[arg(long = "contact", value_name = "NAME")]
    pub contacts: Vec<String>,
    /// Compare with this joint locked (may be repeated: all of them at once)
    #[arg(long = "lock", value_name = "JOINT")]
    pub locked: Vec<String>,
    /// Half angle [deg] of the cone about the normal in which extremes are looked for
    #[arg(long, value_name = "ANGLE", default_value_t = 15.0, value_parser = cone, allow_negative_numbers = true)]
    pub cone: f64,
    /// Exact derivatives of m_eff and T_c by masses, inertias, rotors and joint positions
    #[arg(long)]
    pub gradients: bool,
    /// m_eff by four formulas of the papers in two sets of coordinates, beside each other
    #[arg(long)]
    pub routes: bool,
    /// What the rival methods of the papers would say of m_eff
    #[arg(long)]
    pub rivals: bool,
    /// Projectors on what an impact stops and lets pass (JSON)
    #[arg(long)]
    pub projectors: bool,
    /// All of these
    #[arg(long)]
    pub all: bool,
    /// Write report.html, contacts.csv and summary.json there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = AssessFormat::Table)]
    pub format: AssessFormat,
}

/// How `check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
}

/// How `assess` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssessFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
    /// For spreadsheets: one line per contact row
    Csv,
}

/// `path=value`; the first `=` splits.
fn edit(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) => Ok((path.trim().to_owned(), value.trim().to_owned())),
        None => Err("no `=` in it; write a path and a value, such as bodies.rod.mass=3".to_owned()),
    }
}

/// An angle from 0 to 90 degrees.
fn cone(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(angle) if (0.0..=90.0).contains(&angle) => Ok(angle),
        _ => Err("expected an angle from 0 to 90 [deg]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_first_equals_sign_splits() {
        let (path, value) = edit("initial.branch=q.elbow >= 0").unwrap();
        assert_eq!((path.as_str(), value.as_str()), ("initial.branch", "q.elbow >= 0"));
        assert!(edit("bodies.rod.mass").is_err());
    }

    #[test]
    fn a_cone_has_a_finite_angle() {
        assert_eq!(cone("15"), Ok(15.0));
        for bad in ["-1", "91", "nan", "inf", "wide"] {
            assert!(cone(bad).is_err(), "{bad}");
        }
    }
}
