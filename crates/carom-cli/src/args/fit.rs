//! What may stand behind `fit`.

use std::path::PathBuf;

use clap::Args;

use super::{StudyFormat, Subject};

/// `carom fit`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command")]
pub(crate) struct Fit {
    #[command(flatten)]
    pub subject: Subject,
    /// Measurements as CSV with units in the heads: impacts (peak_force [N], duration [ms], …) or a force over time (t [s], force [N])
    #[arg(value_name = "DATA.csv")]
    pub data: PathBuf,
    /// The contact; the only one if it is missing
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// Only this law (may be repeated); all of the catalogue otherwise
    #[arg(long = "law", value_name = "LAW")]
    pub laws: Vec<String>,
    /// A parameter that is given, in SI units: exponent=1.5 (may be repeated)
    #[arg(long = "fix", value_name = "NAME=VALUE", value_parser = given)]
    pub given: Vec<(String, f64)>,
    /// The restitution falls with the approach speed: e = 1 − (1 − e_ref) (v/v_ref)^β
    #[arg(long)]
    pub over_speed: bool,
    /// Outliers count linearly, not by their squares (Huber)
    #[arg(long)]
    pub robust: bool,
    /// Confidence of the intervals
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    pub level: f64,
    /// The approach speed, where neither the data nor the model state it: "0.3 m/s"
    #[arg(long, value_name = "SPEED")]
    pub speed: Option<String>,
    /// When the impact of a signal begins: "2 ms"; fitted if it is missing
    #[arg(long, value_name = "TIME")]
    pub onset: Option<String>,
    /// The time between samples of a signal without a column t: "0.1 ms"
    #[arg(long, value_name = "TIME")]
    pub interval: Option<String>,
    /// A sample is the mean force since the one before, not that of the instant
    #[arg(long)]
    pub averaged: bool,
    /// The folder of the answer: fit.json, residuals.csv, contact.toml and report.html
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// Threads; as many as there are cores if it is missing. Their number changes no digit
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StudyFormat::Table)]
    pub format: StudyFormat,
}

/// `name=value`.
fn given(text: &str) -> Result<(String, f64), String> {
    let parts = text.split_once('=');
    let number = |value: &str| value.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    parts.and_then(|(name, value)| Some((name.trim().to_owned(), number(value)?))).ok_or_else(
        || "expected a parameter and a number in SI units, such as exponent=1.5".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::given;

    #[test]
    fn what_is_given_is_a_name_and_a_number() {
        assert_eq!(given("exponent=1.5"), Ok(("exponent".to_owned(), 1.5)));
        for bad in ["exponent", "exponent=", "exponent=nan", "exponent=1 m"] {
            assert!(given(bad).is_err(), "{bad}");
        }
    }
}
