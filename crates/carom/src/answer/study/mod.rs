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
use crate::study::{Evaluator, Study};

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

/// Where a measure is unbounded among the points of a study.
#[derive(Clone, Copy, Debug, Default)]
struct Unbounded {
    /// At how many points it has no upper bound.
    above: usize,
    /// At how many it has no lower bound, as T_a = T − T_c.
    below: usize,
    /// The first of them all.
    first: Option<u64>,
}

impl Unbounded {
    /// Counts the value at a point.
    fn count(&mut self, point: u64, x: f64) {
        if x.is_infinite() {
            self.first.get_or_insert(point);
            *(if x > 0.0 { &mut self.above } else { &mut self.below }) += 1;
        }
    }

    /// Of values at points.
    fn of(points: impl Iterator<Item = u64>, values: &[f64]) -> Self {
        let mut out = Self::default();
        points.zip(values).for_each(|(point, x)| out.count(point, *x));
        out
    }

    /// What a user must know of it: which drives would have to stop, and that sums, fits and indices are without these points.
    fn caution(&self, study: &Study, measure: &str) -> Option<Caution> {
        let first = self.first?;
        let count = self.above + self.below;
        let points = if count == 1 { "1 point".to_owned() } else { format!("{count} points") };
        let (bound, rank) = if self.above > 0 {
            ("is unbounded", "ranked hardest, and left out")
        } else {
            ("has no lower bound", "left out")
        };
        let drives = Evaluator::new(study).drives_behind(&study.design.levels(first));
        let why = if drives.is_empty() {
            String::new()
        } else {
            format!(", first at point {first}, where {}", super::sentence::remedy(&drives))
        };
        let message = format!(
            "`{measure}` {bound} at {points}{why}: {rank} of Pearson's correlation, fits and indices"
        );
        Some(Caution::warning(CautionCode::MeasureUnbounded, "study.measures", message))
    }
}
