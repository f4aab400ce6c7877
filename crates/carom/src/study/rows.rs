//! A study's log as columns.

use super::log::{Entry, LogError, Reader};
use super::plan::Study;
use crate::model::study::Level;

/// The points with measures, and those with errors; a point that has some of its measures is among both.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The points.
    pub points: Vec<u64>,
    /// Values of the variables by variable and row.
    pub levels: Vec<Vec<Level>>,
    /// Measures by measure and row; NaN where there is none.
    pub measures: Vec<Vec<f64>>,
    /// Points with an error, with its text.
    pub failed: Vec<(u64, String)>,
    /// Points of the study that the log does not have.
    pub missing: u64,
}

/// Errors that are kept; the rest are counted.
const MOST_ERRORS: usize = 1000;

impl Rows {
    /// Reads all records.
    pub fn read(study: &Study, reader: &mut Reader) -> Result<Self, LogError> {
        let mut out = Self {
            points: Vec::new(),
            levels: vec![Vec::new(); study.design.variables().len()],
            measures: vec![Vec::new(); study.measures.len()],
            failed: Vec::new(),
            missing: reader.header().points,
        };
        while let Some((point, entry)) = reader.next_record()? {
            out.missing -= 1;
            let (values, error) = match entry {
                Entry::Measures(values) => (Some(values), None),
                Entry::Failed(text) => (None, Some(text)),
                Entry::Partial(values, text) => (Some(values), Some(text)),
            };
            if let Some(text) = error {
                let kept = out.failed.len() < MOST_ERRORS;
                out.failed.push((point, if kept { text } else { String::new() }));
            }
            if let Some(values) = values {
                out.points.push(point);
                let levels = study.design.levels(point);
                out.levels.iter_mut().zip(levels).for_each(|(to, level)| to.push(level));
                out.measures.iter_mut().zip(values).for_each(|(to, x)| to.push(x));
            }
        }
        Ok(out)
    }

    /// How many rows have measures.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// A variable as numbers, in its unit; `None` if it has words.
    pub fn numbers(&self, variable: usize) -> Option<Vec<f64>> {
        let number = |level: &Level| match level {
            Level::Number(x) => Some(*x),
            Level::Word(_) => None,
        };
        self.levels[variable].iter().map(number).collect()
    }
}
