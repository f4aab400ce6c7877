//! What may stand behind `carom impact`.

use std::path::PathBuf;

use carom::answer::{ImpactFriction, Removal};
use clap::{Args, ValueEnum};

use super::Subject;

/// `carom impact`.
#[derive(Debug, Args)]
pub(crate) struct Strike {
    #[command(flatten)]
    pub subject: Subject,
    /// An impact law (may be repeated: they are compared); six of them otherwise
    #[arg(long = "law", value_name = "NAME")]
    pub laws: Vec<String>,
    /// e of every contact, instead of the file's
    #[arg(long, value_name = "E", value_parser = restitution, allow_hyphen_values = true)]
    pub restitution: Option<f64>,
    /// Friction of every contact, instead of the file's: a coefficient, `stick` or `none`
    #[arg(long, value_name = "MU", value_parser = friction, allow_hyphen_values = true)]
    pub friction: Option<ImpactFriction>,
    /// Only this contact, closed or not (may be repeated); all that are closed otherwise
    #[arg(long = "contact", alias = "contacts", value_name = "NAME")]
    pub contacts: Vec<String>,
    /// How `generalised` chooses its rows, instead of by complementarity
    #[arg(long, value_enum)]
    pub removal: Option<RemovalWay>,
    /// Write report.html and summary.json there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StrikeFormat::Table)]
    pub format: StrikeFormat,
}

/// How rows are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RemovalWay {
    /// Rows with (W⁺ u⁻) ≥ 0 are removed once
    OnePass,
    /// Until none is left to remove
    Repeated,
}

impl RemovalWay {
    /// The library's word for it.
    pub(crate) fn removal(self) -> Removal {
        match self {
            Self::OnePass => Removal::OnePass,
            Self::Repeated => Removal::Repeated,
        }
    }
}

/// How `impact` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrikeFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
}

fn restitution(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(e) if (0.0..=1.0).contains(&e) => Ok(e),
        _ => Err("expected a restitution from 0 to 1".to_owned()),
    }
}

fn friction(text: &str) -> Result<ImpactFriction, String> {
    match (text, text.parse::<f64>()) {
        ("stick", _) => Ok(ImpactFriction::Stick),
        ("none", _) => Ok(ImpactFriction::None),
        (_, Ok(mu)) if mu >= 0.0 && mu.is_finite() => Ok(ImpactFriction::Coulomb(mu)),
        _ => Err("expected a coefficient of at least 0, `stick` or `none`".to_owned()),
    }
}
