//! The log of a sweep: records in the order of their points, appended and never changed.
//!
//! ```text
//! head    "caromlog"  length (4)  JSON  CRC-32 (4)
//! record  length of the payload (4)  point (8)  payload  CRC-32 of all before it (4)
//! ```
//!
//! A payload is a zero and the measures as 64-bit numbers, or a one and the text of an error, or a two, the measures
//! (NaN where there is none) and the text of an error, or a three, the measures (NaN where there is none) and how far apart the contact
//! stayed. All numbers are little-endian. A record that was being written when the power went is cut off on opening.

pub(super) mod header;
mod reader;

pub use header::{Header, Shard};
pub use reader::{Reader, Survey, survey};

use thiserror::Error;

use super::checksum::crc32;

/// The name of the log in its folder.
pub const FILE: &str = "study.log";
/// Longest text of an error that is kept.
const MOST_LETTERS: usize = 2000;

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// Its head is damaged, or it is none.
    #[error("{what}")]
    Header {
        /// What is wrong.
        what: &'static str,
    },
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
}

/// What a record says of its point.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The measures.
    Measures(Vec<f64>),
    /// Why there are none.
    Failed(String),
    /// Those that exist, NaN in the place of others, and why these do not.
    Partial(Vec<f64>, String),
    /// Those of a design whose contact never touches, NaN where there is none, and how far apart it stayed: an answer, no error.
    Untouched(Vec<f64>, String),
}

impl Entry {
    /// How many bytes its record has.
    pub fn length(&self) -> usize {
        let payload = match self {
            Self::Measures(values) => 8 * values.len(),
            Self::Failed(text) => text.len(),
            Self::Partial(values, text) | Self::Untouched(values, text) => {
                8 * values.len() + text.len()
            }
        };
        12 + 1 + payload + 4
    }

    /// The measures, where the point has some, and its text.
    pub fn parts(self) -> (Option<Vec<f64>>, Option<String>) {
        match self {
            Self::Measures(values) => (Some(values), None),
            Self::Failed(text) => (None, Some(text)),
            Self::Partial(values, text) | Self::Untouched(values, text) => {
                (Some(values), Some(text))
            }
        }
    }

    /// Whether something is missing that the point should have.
    pub fn has_error(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Partial(..))
    }
}

/// Appends a record to some bytes.
pub fn append(to: &mut Vec<u8>, point: u64, entry: &Entry) {
    let start = to.len();
    to.extend([0; 4]);
    to.extend(point.to_le_bytes());
    match entry {
        Entry::Measures(values) => {
            to.push(0);
            for x in values {
                to.extend(x.to_le_bytes());
            }
        }
        Entry::Failed(text) => {
            to.push(1);
            to.extend(kept(text));
        }
        Entry::Partial(values, text) | Entry::Untouched(values, text) => {
            to.push(if entry.has_error() { 2 } else { 3 });
            for x in values {
                to.extend(x.to_le_bytes());
            }
            to.extend(kept(text));
        }
    }
    let length = u32::try_from(to.len() - start - 12).unwrap_or(u32::MAX);
    to[start..start + 4].copy_from_slice(&length.to_le_bytes());
    let crc = crc32(&[&to[start..]]);
    to.extend(crc.to_le_bytes());
}

/// As much of an error as is kept.
fn kept(text: &str) -> &[u8] {
    let end = text.char_indices().nth(MOST_LETTERS).map_or(text.len(), |(k, _)| k);
    &text.as_bytes()[..end]
}

/// Reads a payload of that many measures.
fn entry(payload: &[u8], measures: usize) -> Option<Entry> {
    let number = |b: &[u8]| Some(f64::from_le_bytes(b.try_into().ok()?));
    let numbers = |b: &[u8]| b.chunks(8).map(number).collect::<Option<Vec<f64>>>();
    let text = |b: &[u8]| Some(std::str::from_utf8(b).ok()?.to_owned());
    match payload.split_first()? {
        (0, rest) if rest.len() == 8 * measures => numbers(rest).map(Entry::Measures),
        (1, rest) => text(rest).map(Entry::Failed),
        (kind @ (2 | 3), rest) => {
            let (values, why) = rest.split_at_checked(8 * measures)?;
            let found = if *kind == 2 { Entry::Partial } else { Entry::Untouched };
            Some(found(numbers(values)?, text(why)?))
        }
        _ => None,
    }
}
