//! Model files: text → [`Description`] → [`Model`], with every fault at its line and column. Robots' files become model files first.

mod looks;
mod meshes;
mod open;
mod overlay;
pub mod report;
mod robot;
pub mod schema;
mod tables;
pub mod toml;

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use thiserror::Error;

pub use meshes::{Meshes, Places};
pub use open::{OpenError, Opened, open, open_in, open_text, stand};
pub use overlay::{import, parse_files};
pub use report::Source;

use crate::model::description::{Origin, SetError};
use crate::model::study::PlanPart;
use crate::model::{Built, Description, Finding, Model, StudyPlan, Visual, Warning, build};
use crate::study::Study;
pub use crate::study::{check_regular, open_regular, read_regular};

/// The largest file that is read.
pub const MOST_BYTES: u64 = 64 << 20;

/// How many faults are written out in full; the rest are counted.
const MOST_SHOWN: usize = 100;

/// A model and what it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What may not be meant.
    pub warnings: Vec<Warning>,
    /// The study, if the file has one.
    pub study: Option<StudyPlan>,
    /// Its uncertainties, if it has any.
    pub uncertainty: Option<StudyPlan>,
    /// The file as a tree, after all edits; studies edit it further and build again.
    pub description: Description,
    /// The text, for messages.
    pub source: Source,
    /// What is drawn beside the contact shapes.
    pub visuals: Vec<Visual>,
    /// Where mesh files may lie.
    pub places: Places,
}

impl Loaded {
    /// The same file with further edits, judged again.
    pub fn edited(&self, sets: &[(String, String)]) -> Result<Self, LoadError> {
        judged(self.source.clone(), self.description.clone(), sets, self.places.clone())
    }

    /// The study of the file, judged.
    pub fn study(&self) -> Result<Study, LoadError> {
        self.planned(PlanPart::Study)
    }

    /// The study or the uncertainties of the file, judged.
    pub fn planned(&self, part: PlanPart) -> Result<Study, LoadError> {
        let name = || self.source.name().to_owned();
        let plan = match part {
            PlanPart::Study => {
                self.study.as_ref().ok_or_else(|| LoadError::NoStudy { name: name() })?
            }
            PlanPart::Uncertainty => {
                let none = || LoadError::NoUncertainty { name: name() };
                self.uncertainty.as_ref().ok_or_else(none)?
            }
        };
        let refused = |findings| LoadError::Refused { source_text: self.source.clone(), findings };
        let uncertain = self.uncertainty.as_ref();
        Study::new(&self.description, &self.model, plan, uncertain).map_err(refused)
    }
}

/// Why a model cannot be loaded. Its text is complete: names, lines, columns, excerpts.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{name}: cannot be read: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is larger than [`MOST_BYTES`].
    #[error("{name}: larger than 64 MB; a model file is text written by people or their scripts")]
    TooLarge {
        /// The file.
        name: String,
    },
    /// The file is not text.
    #[error("{name}:{line}: not a text file: byte {at} is no text (UTF-8 is expected)")]
    Binary {
        /// The file.
        name: String,
        /// The line of that byte, counted from 1.
        line: usize,
        /// The first byte that is no text, counted from 0.
        at: usize,
    },
    /// Nothing stands in the file.
    #[error("{name}: the file is empty; a model begins with `carom = 1` and `space = \"planar\"`")]
    Empty {
        /// The file.
        name: String,
    },
    /// Files that complete each other without end.
    #[error("{name}: completes a file that completes another, more than {most} deep")]
    TooDeep {
        /// The file.
        name: String,
        /// The most.
        most: usize,
    },
    /// A text alone that completes a file.
    #[error(
        "{name}: it completes another file (`model` or `source` of [robot]), which a text without a place cannot name"
    )]
    NoPlace {
        /// What stands for the file.
        name: String,
    },
    /// Uncertainties are asked for where there are none.
    #[error(
        "{name}: the file has no [uncertainty]: which numbers are not known exactly, and how they are distributed, is written there (see docs/model-file.md)"
    )]
    NoUncertainty {
        /// The file.
        name: String,
    },
    /// A study is asked for where there is none.
    #[error(
        "{name}: the file has no [study]: what changes from point to point is written there (see docs/model-file.md)"
    )]
    NoStudy {
        /// The file.
        name: String,
    },
    /// An edit that cannot be made.
    #[error("--set {0}")]
    Set(#[from] SetError),
    /// The text is not TOML.
    #[error("{}", render_syntax(.source_text, .faults))]
    Syntax {
        /// The text.
        source_text: Source,
        /// What is wrong.
        faults: Vec<toml::SyntaxFault>,
    },
    /// The model has faults.
    #[error("{}", render_findings(.source_text, .findings))]
    Refused {
        /// The text.
        source_text: Source,
        /// What is wrong.
        findings: Vec<Finding>,
    },
}

impl LoadError {
    /// The faults of the model; empty for every other error.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Refused { findings, .. } => findings,
            _ => &[],
        }
    }

    /// How many things are wrong.
    pub fn count(&self) -> usize {
        match self {
            Self::Refused { findings, .. } => findings.len(),
            Self::Syntax { faults, .. } => faults.len(),
            _ => 1,
        }
    }
}

/// Reads a model file and builds its model; `sets` are edits by path, as of `--set`.
pub fn load(path: &Path, sets: &[(String, String)]) -> Result<Loaded, LoadError> {
    overlay::load(path, sets, &[])
}

/// The text of a file.
fn read(path: &Path) -> Result<Source, LoadError> {
    let name = path.display().to_string();
    let unreadable = |source| LoadError::Unreadable { name: name.clone(), source };
    let file = open_regular(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a large file, even one without end.
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(LoadError::TooLarge { name });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(&name, &text)),
        Err(error) => Err(binary(name, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

/// Builds the model of a text; `name` stands for the file in messages.
pub fn parse(name: &str, text: &str, sets: &[(String, String)]) -> Result<Loaded, LoadError> {
    let source = Source::new(name, text);
    let description = describe(&source)?;
    judged(source, description, sets, Places::default())
}

/// Edits a description and builds its model.
fn judged(
    source: Source,
    mut description: Description,
    sets: &[(String, String)],
    places: Places,
) -> Result<Loaded, LoadError> {
    if overlay::completed(&description).is_some() || robot::source_of(&description).is_some() {
        return Err(LoadError::NoPlace { name: source.name().to_owned() });
    }
    for (path, value) in sets {
        description.set(path, value)?;
    }
    for file in description.mesh_files().into_iter().map(str::to_owned).collect::<Vec<_>>() {
        let known = description.meshes.get(&file).is_some_and(Result::is_ok);
        if !known {
            let mesh = places.read(&file).map(std::sync::Arc::new);
            description.meshes.insert(file, mesh);
        }
    }
    tables::read_tables(&mut description, &places);
    match build(&description) {
        Ok(Built { model, warnings, study, uncertainty, visuals }) => {
            Ok(Loaded { model, warnings, study, uncertainty, description, source, visuals, places })
        }
        Err(findings) => Err(LoadError::Refused { source_text: source, findings }),
    }
}

/// The tree of a text, before anything is judged.
pub fn describe(source: &Source) -> Result<Description, LoadError> {
    let name = source.name().to_owned();
    let text = source.text();
    if text.len() as u64 > MOST_BYTES {
        return Err(LoadError::TooLarge { name });
    }
    if let Some(at) = text.find('\0') {
        return Err(binary(name, text.as_bytes(), at));
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(LoadError::Empty { name });
    }
    toml::describe(text).map_err(|faults| LoadError::Syntax { source_text: source.clone(), faults })
}

fn binary(name: String, bytes: &[u8], at: usize) -> LoadError {
    let line = bytes[..at].split(|b| *b == b'\n').count();
    LoadError::Binary { name, line, at }
}

fn render_syntax(source: &Source, faults: &[toml::SyntaxFault]) -> String {
    let mut out = String::new();
    for fault in faults.iter().take(MOST_SHOWN) {
        let origin = fault.span.clone().map(Origin::Text);
        out += &source.render("", origin.as_ref(), &fault.message);
    }
    ended(out, faults.len())
}

fn render_findings(source: &Source, findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings.iter().take(MOST_SHOWN) {
        let message = finding.mistake.to_string();
        out += &source.render(&finding.path, finding.origin.as_ref(), &message);
    }
    ended(out, findings.len())
}

/// Says how many are not shown, and ends without an empty line.
fn ended(mut out: String, count: usize) -> String {
    if count > MOST_SHOWN {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "… and {} more", count - MOST_SHOWN);
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
