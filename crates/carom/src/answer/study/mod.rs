//! The answers of `sweep`, `merge`, `study`, `map`, `compare` and `optimise`.

mod compare;
mod digest;
mod map;
mod optimise;
mod reading;
mod sweep;

pub use crate::model::study::Action;
pub use crate::study::Advance;
pub use compare::{CompareAnswer, CompareError, CompareMeasure, CompareOptions, compare};
pub use digest::{
    CorrelationAnswer, DesignRow, DriverAnswer, FailedPoint, FitAnswer, IndexAnswer, MeasureName,
    SensitivityAnswer, StudyAnswer,
};
pub use map::{Extreme, MapAnswer, MapAxis, MapError, MapMeasure, MapOptions, map};
pub use optimise::{ImprovementAnswer, OptimiseAnswer, OptimiseRefused, optimise};
pub use reading::{StudyFolderError, StudyReading};
pub(crate) use sweep::header;
pub use sweep::{SweepAnswer, SweepOptions, SweepRefused, merge, sweep};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Caution, CautionCode};
use crate::model::study::Level;

/// The value of a variable: a number in the variable's unit, or a word.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LevelValue {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl From<&Level> for LevelValue {
    fn from(level: &Level) -> Self {
        match level {
            Level::Number(x) => Self::Number(*x),
            Level::Word(word) => Self::Word(word.clone()),
        }
    }
}

/// A measure that is unbounded at some points: it ranks hardest, and sums, fits and indices are without it.
fn unbounded(measure: &str, count: usize) -> Caution {
    let points = if count == 1 { "1 point" } else { &format!("{count} points") };
    let message = format!(
        "`{measure}` is unbounded at {points}: ranked hardest, and left out of Pearson's correlation, fits and indices"
    );
    Caution::warning(CautionCode::MeasureUnbounded, "study.measures", message)
}
