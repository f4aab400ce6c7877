//! What a machine was made from, so that it can be stored, sent and made again; and where an error lies in it.

use super::{Machine, MachineError};
use crate::file::{LoadError, OpenError, parse_files, stand};
use crate::model::description::Origin;

/// One thing that is wrong, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultPlace {
    /// The file, or `--set` for an edit; empty if it is not about a file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The key of the file, such as `bodies.rod.mass`.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl Machine {
    /// Makes a machine from the names and texts of its files, the lowest first (a file that completes another stands after it), with
    /// edits by path: what [`Machine::files`] and [`Machine::sets`] give.
    pub fn from_files(
        files: &[(String, String)],
        sets: &[(String, String)],
    ) -> Result<Self, MachineError> {
        let loaded = parse_files(files, sets).map_err(OpenError::from)?;
        Ok(Self::new(stand(loaded)?, sets.to_vec(), true))
    }

    /// Names and texts of the files it was made from, the lowest first; empty text for a machine of parts.
    pub fn files(&self) -> Vec<(String, String)> {
        let files = self.opened.loaded.source.files();
        files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    /// The edits that were made to the files, in their order.
    pub fn sets(&self) -> &[(String, String)] {
        &self.sets
    }
}

impl MachineError {
    /// Everything that is wrong, each with its place; one entry with the whole message for an error that is not about a file.
    pub fn faults(&self) -> Vec<FaultPlace> {
        if let Self::Open(OpenError::Load(error)) = self {
            let found = located(error);
            if !found.is_empty() {
                return found;
            }
        }
        let whole = FaultPlace {
            file: String::new(),
            line: None,
            column: None,
            path: String::new(),
            message: self.to_string(),
        };
        vec![whole]
    }
}

/// The faults of a file.
fn located(error: &LoadError) -> Vec<FaultPlace> {
    let at = |source: &crate::file::Source, byte: usize| {
        let (line, column) = source.position(byte);
        (source.file_name_at(byte).to_owned(), Some(line), Some(column))
    };
    match error {
        LoadError::Syntax { source_text, faults } => {
            let one = |fault: &crate::file::toml::SyntaxFault| {
                let place = fault.span.as_ref().map(|span| at(source_text, span.start));
                let name = source_text.name().to_owned();
                let (file, line, column) = place.unwrap_or((name, None, None));
                FaultPlace {
                    file,
                    line,
                    column,
                    path: String::new(),
                    message: fault.message.clone(),
                }
            };
            faults.iter().map(one).collect()
        }
        LoadError::Refused { source_text, findings } => {
            let one = |finding: &crate::model::Finding| {
                let (file, line, column) = match &finding.origin {
                    Some(Origin::Text(span)) => at(source_text, span.start),
                    Some(Origin::Set(_)) => ("--set".to_owned(), None, None),
                    None => (source_text.name().to_owned(), None, None),
                };
                let (path, message) = (finding.path.clone(), finding.mistake.to_string());
                FaultPlace { file, line, column, path, message }
            };
            findings.iter().map(one).collect()
        }
        _ => Vec::new(),
    }
}
