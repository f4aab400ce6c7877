//! A study in memory: every design point of the file's `[study]`, in columns.

use serde::Serialize;

use std::convert::Infallible;

use super::records::columns;
use super::{Machine, MachineError, ManyOptions};
use crate::answer::study::LevelValue;
use crate::file::OpenError;
use crate::study::{Study, evaluate};

/// The design points of a study and what was measured at each, in columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepColumns {
    /// The variables, by name.
    pub variables: Vec<(String, Vec<LevelValue>)>,
    /// The measures with their units, such as `impact_energy [J]`; NaN where there is none.
    pub measures: Vec<(String, Vec<f64>)>,
    /// Points without all of their measures, counted from the first of these, and why.
    pub failed: Vec<(u64, String)>,
    /// Points whose contact never touches, counted likewise, and how far apart it stayed. What an impact would bring is zero there.
    pub untouched: Vec<(u64, String)>,
}

impl Machine {
    /// The `[study]` of the model file, checked.
    pub fn study(&self) -> Result<Study, MachineError> {
        Ok(self.opened.loaded.study().map_err(OpenError::from)?)
    }

    /// Evaluates every design point of a study. The numbers do not depend on the number of threads.
    pub fn sweep(&self, study: &Study, options: ManyOptions) -> SweepColumns {
        let mut bytes = Vec::new();
        let all = 0..study.design.points();
        // The sink never fails, so neither does the evaluation.
        let _: Result<(), Infallible> = evaluate(study, all, options.threads, &mut |block| {
            bytes.extend_from_slice(&block.bytes);
            Ok(true)
        });
        columns(study, &bytes, 0)
    }
}
