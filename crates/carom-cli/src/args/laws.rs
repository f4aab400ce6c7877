//! What may stand behind `carom laws`.

use std::path::PathBuf;

use carom::answer::laws::{LawQuestion, Sampling};
use carom::parts::Parting;
use clap::{Args, ValueEnum};

/// `carom laws`.
#[derive(Debug, Args)]
pub(crate) struct Laws {
    /// The law; all of them in a table if none is named
    pub name: Option<String>,
    /// How many moments of the impact to print (json, csv)
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    pub curve: Option<u32>,
    /// Draw a figure: of the catalogue, or of the impact
    #[arg(long, value_name = "FILE.svg")]
    pub figure: Option<PathBuf>,
    /// Replace the figure if its file is there
    #[arg(long, requires = "figure")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = LawsFormat::Table)]
    pub format: LawsFormat,
    // Last: its heading in the help goes on to the end.
    #[command(flatten)]
    pub impact: Impact,
}

/// An impact of two bodies on which only the contact acts. Values take units as in model files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Impact")]
pub(crate) struct Impact {
    /// Effective mass [kg]
    #[arg(long, value_name = "MASS", allow_hyphen_values = true)]
    pub mass: Option<String>,
    /// Approach speed [m/s]
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true)]
    pub speed: Option<String>,
    /// K [N/m^n]; its unit, if written, fixes the exponent
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub stiffness: Option<String>,
    /// Two materials (steel,aluminium or "E=210 GPa,nu=0.3,steel") instead of a stiffness: Hertz's theory, with --radii
    #[arg(long, value_name = "A,B", requires = "radii", conflicts_with = "stiffness")]
    pub materials: Option<String>,
    /// Two radii [m] (50 mm,inf): negative for a hollow, inf for a plane
    #[arg(long, value_name = "R,R", allow_hyphen_values = true)]
    pub radii: Option<String>,
    /// n; the law's own if it is not given
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub exponent: Option<String>,
    /// The restitution asked for
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub restitution: Option<String>,
    /// c [N s/m] of kelvin-voigt
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub damping: Option<String>,
    /// Greatest damping [N s/m] of impact
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub max_damping: Option<String>,
    /// Indentation [m] at which the damping of impact is full
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub damping_depth: Option<String>,
    /// Force [N] of expression: delta, delta_dot, onset_speed, effective_mass
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub force: Option<String>,
    /// When the pair parts; the law's own rule if it is not given
    #[arg(long, value_enum, value_name = "RULE")]
    pub parting: Option<PartingRule>,
}

impl Impact {
    /// In the words of the library.
    pub(crate) fn question(&self, sampling: Sampling) -> LawQuestion {
        LawQuestion {
            mass: self.mass.clone(),
            speed: self.speed.clone(),
            stiffness: self.stiffness.clone(),
            materials: self.materials.clone(),
            radii: self.radii.clone(),
            exponent: self.exponent.clone(),
            restitution: self.restitution.clone(),
            damping: self.damping.clone(),
            max_damping: self.max_damping.clone(),
            damping_depth: self.damping_depth.clone(),
            force: self.force.clone(),
            parting: self.parting.map(PartingRule::rule),
            sampling,
        }
    }

    /// The options given, by their words.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        [
            ("--mass", self.mass.is_some()),
            ("--speed", self.speed.is_some()),
            ("--stiffness", self.stiffness.is_some()),
            ("--materials", self.materials.is_some()),
            ("--radii", self.radii.is_some()),
            ("--exponent", self.exponent.is_some()),
            ("--restitution", self.restitution.is_some()),
            ("--damping", self.damping.is_some()),
            ("--max-damping", self.max_damping.is_some()),
            ("--damping-depth", self.damping_depth.is_some()),
            ("--force", self.force.is_some()),
            ("--parting", self.parting.is_some()),
        ]
        .into_iter()
        .filter_map(|(word, given)| given.then_some(word))
        .collect()
    }
}

/// When a pair counts as parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartingRule {
    /// As soon as the force is back at zero
    ZeroForce,
    /// When the indentation is back at zero; the force may pull before
    ZeroIndentation,
}

impl PartingRule {
    /// In the words of the library.
    fn rule(self) -> Parting {
        match self {
            Self::ZeroForce => Parting::ZeroForce,
            Self::ZeroIndentation => Parting::ZeroIndentation,
        }
    }
}

/// How `laws` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LawsFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
    /// For spreadsheets: one line per law, per restitution, or per moment of the impact
    Csv,
}
