//! A study's log as columns.

use super::log::{Entry, LogError, Reader};
use super::plan::Study;
use crate::model::study::Level;

/// The points with measures, and those with errors; a point that has some of its measures is among both. A point whose contact never touches
/// has measures and no error.
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
    /// Points whose contact never touches, with how far apart it stayed.
    pub untouched: Vec<(u64, String)>,
    /// Points of the study that the log does not have.
    pub missing: u64,
}

/// Texts of each kind that are kept; the rest are counted.
const MOST_TEXTS: usize = 1000;

impl Rows {
    /// None yet of so many points.
    pub fn new(study: &Study, points: u64) -> Self {
        Self {
            points: Vec::new(),
            levels: vec![Vec::new(); study.design.variables().len()],
            measures: vec![Vec::new(); study.measures.len()],
            failed: Vec::new(),
            untouched: Vec::new(),
            missing: points,
        }
    }

    /// Reads all records.
    pub fn read(study: &Study, reader: &mut Reader) -> Result<Self, LogError> {
        let mut out = Self::new(study, reader.header().points);
        while let Some((point, entry)) = reader.next_record()? {
            out.push(study, point, entry);
        }
        Ok(out)
    }

    /// Adds a point behind those before it.
    pub fn push(&mut self, study: &Study, point: u64, entry: Entry) {
        self.missing -= 1;
        let untouched = matches!(entry, Entry::Untouched(..));
        let (values, text) = entry.parts();
        if let Some(text) = text {
            let list = if untouched { &mut self.untouched } else { &mut self.failed };
            let kept = list.len() < MOST_TEXTS;
            list.push((point, if kept { text } else { String::new() }));
        }
        if let Some(values) = values {
            self.points.push(point);
            let levels = study.design.levels(point);
            self.levels.iter_mut().zip(levels).for_each(|(to, level)| to.push(level));
            self.measures.iter_mut().zip(values).for_each(|(to, x)| to.push(x));
        }
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
