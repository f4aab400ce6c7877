//! What may stand behind `carom run`.

use std::path::PathBuf;

use carom::ContactTreatment;
use carom::answer::RunOptions;
use clap::{Args, ValueEnum};

use super::Subject;

/// `carom run`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command")]
pub(crate) struct Run {
    #[command(flatten)]
    pub subject: Subject,
    /// Write report.html, trajectory.csv, contacts.csv, impacts.csv, summary.json and checkpoint.json there
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write motion.gif there, too: the moving machine as a picture; of several laws the first
    #[arg(long, requires = "out")]
    pub gif: bool,
    /// The law of every contact instead of the file's (may be repeated: the runs are compared)
    #[arg(long = "law", value_name = "NAME")]
    pub laws: Vec<String>,
    /// Contact by force laws or by impulses, instead of the file's
    #[arg(long, value_enum)]
    pub method: Option<Method>,
    /// The law of impulses instead of the file's, with --method piecewise (newton, poisson, energetic, …)
    #[arg(long, value_name = "NAME")]
    pub impact: Option<String>,
    /// Until when [s], instead of the file's duration
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Relative error of a step, instead of the file's
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// Steps that a run may take before it stops and says why it came no further, instead of ten million; --from goes on
    #[arg(long, value_name = "N")]
    pub max_steps: Option<usize>,
    /// Seconds that the computation of a run may take before it stops and says why; --from goes on
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    pub max_time: Option<f64>,
    /// Go on with the run that was written there
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Which samples of contacts and motion to keep
    #[arg(long, value_enum, default_value_t = Samples::Thinned)]
    pub samples: Samples,
    /// Columns with the poses of all bodies
    #[arg(long)]
    pub poses: bool,
    /// Columns with the forces and moments of all joints and closures
    #[arg(long)]
    pub reactions: bool,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    pub format: RunFormat,
}

impl Run {
    /// What is asked beside what the file states.
    pub(crate) fn options(&self) -> RunOptions {
        let options = RunOptions {
            until: self.until,
            method: self.method.map(Method::treatment),
            tolerance: self.tolerance,
            laws: Vec::new(),
            impact: self.impact.clone(),
            all_samples: self.samples == Samples::All,
            poses: self.poses,
            reactions: self.reactions,
            joint_peaks: self.out.is_some(),
            max_steps: self.max_steps,
            max_time: self.max_time,
        };
        self.laws.iter().fold(options, |options, law| options.law(law))
    }
}

/// Which samples `run` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Samples {
    /// Those that a drawing needs: within 1e-3 of the peak
    Thinned,
    /// Each one
    All,
}

/// How `run` treats contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// A force law acts while bodies indent each other
    Continuous,
    /// Velocities jump at the onset
    Piecewise,
}

impl Method {
    /// The library's word for it.
    pub(crate) fn treatment(self) -> ContactTreatment {
        match self {
            Self::Continuous => ContactTreatment::Continuous,
            Self::Piecewise => ContactTreatment::Piecewise,
        }
    }
}

/// How `run` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    /// For people
    Table,
    /// For programs: everything, in full precision
    Json,
}

/// A number; the library says which ones can be used.
fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".to_owned())
}
