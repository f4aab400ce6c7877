//! The answers of `sweep`, `merge`, `study`, `map`, `compare`, `optimise` and `uncertainty`.

mod compare;
mod digest;
mod indices;
mod map;
mod optimise;
mod reading;
mod spread;
mod sweep;
mod uncertainty;

pub use crate::model::study::Action;
pub use crate::study::Advance;
pub use compare::{CompareAnswer, CompareMeasure, CompareOptions, compare};
pub use digest::{DesignRow, FitAnswer, MeasureName, SensitivityAnswer, StudyAnswer};
pub use map::{MapAnswer, MapMeasure, MapOptions, map};
pub use optimise::{OptimiseAnswer, OptimiseOptions, optimise};
pub use reading::{StudyFolderError, StudyReading};
pub use spread::{EstimateAnswer, MeasureSpread, SpreadAnswer};
pub(crate) use sweep::header;
pub use sweep::{SweepAnswer, SweepOptions, SweepRefused, merge, sweep};
pub use uncertainty::{UncertaintyAnswer, UncertaintyReading};

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

/// Where a measure is infinite among the points of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unbounded {
    /// At how many points it is +∞.
    above: usize,
    /// At how many it is −∞, as T_a = T − T_c.
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

    /// What a user must know of the measures of a study: which are infinite where, which drives would have to stop there, and that sums, fits
    /// and indices are without these points. Measures that are infinite at the same points share a caution.
    fn cautions(study: &Study, found: &[Self]) -> Vec<Caution> {
        let mut groups: Vec<(Self, bool, Vec<String>)> = Vec::new();
        for (measure, found) in study.measures.iter().zip(found) {
            let (name, is_mass) =
                (format!("`{}`", measure.name), measure.formula.unit.starts_with("kg"));
            let same = |(other, mass, _): &&mut (Self, bool, Vec<String>)| {
                (other.first, other.above + other.below, *mass)
                    == (found.first, found.above + found.below, is_mass)
            };
            if found.first.is_none() {
                continue;
            }
            if let Some((_, _, names)) = groups.iter_mut().find(same) {
                names.push(name);
            } else {
                groups.push((*found, is_mass, vec![name]));
            }
        }
        let said = |(found, is_mass, names): &(Self, bool, Vec<String>)| {
            let all = found.above + found.below;
            let points = if all == 1 { "1 point".to_owned() } else { format!("{all} points") };
            let (names, be) = (names.join(", "), if names.len() == 1 { "is" } else { "are" });
            let left_out = "left out of Pearson's correlation, fits and indices";
            let first = found.first.unwrap_or_default();
            let drives = if *is_mass {
                Vec::new()
            } else {
                Evaluator::new(study).drives_behind(&study.design.levels(first))
            };
            let message = if *is_mass {
                format!(
                    "{names} {be} infinite at {points}, where nothing can move along the normal, as at a wall; {left_out}"
                )
            } else if drives.is_empty() {
                format!("{names} {be} infinite at {points}, first at point {first}; {left_out}")
            } else {
                let why = super::sentence::remedy(&drives);
                let rank = if found.above > 0 { "ranked hardest, and " } else { "" };
                format!(
                    "{names} {be} unbounded at {points}, first at point {first}: {why}; {rank}{left_out}"
                )
            };
            let (code, place) = (CautionCode::MeasureUnbounded, "study.measures");
            if *is_mass {
                Caution::note(code, place, message)
            } else {
                Caution::warning(code, place, message)
            }
        };
        groups.iter().map(said).collect()
    }
}
