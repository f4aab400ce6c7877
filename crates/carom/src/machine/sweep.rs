//! A study in memory: every design point of the file's `[study]`, in columns.

use serde::Serialize;

use super::{Machine, MachineError, ManyOptions};
use crate::answer::study::LevelValue;
use crate::file::OpenError;
use crate::study::{Evaluator, PointError, Study};

/// The design points of a study and what was measured at each, in columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepColumns {
    /// The variables, by name.
    pub variables: Vec<(String, Vec<LevelValue>)>,
    /// The measures with their units, such as `impact_energy [J]`; NaN where there is none.
    pub measures: Vec<(String, Vec<f64>)>,
    /// Points without all of their measures, and why.
    pub failed: Vec<(u64, String)>,
}

impl Machine {
    /// The `[study]` of the model file, checked.
    pub fn study(&self) -> Result<Study, MachineError> {
        Ok(self.opened.loaded.study().map_err(OpenError::from)?)
    }

    /// Evaluates every design point of a study. The numbers do not depend on the number of threads.
    pub fn sweep(&self, study: &Study, options: ManyOptions) -> SweepColumns {
        let n = study.design.points();
        let threads = (options.threads.max(1) as u64).min(n.max(1));
        let size = n.div_ceil(threads);
        let parts: Vec<_> = std::thread::scope(|scope| {
            let part = |k: u64| (k * size).min(n)..((k + 1) * size).min(n);
            let works: Vec<_> =
                (0..threads).map(|k| scope.spawn(move || points(study, part(k)))).collect();
            works.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
        });
        let variables = study.design.variables();
        let mut out = SweepColumns {
            variables: variables.iter().map(|v| (v.name.clone(), Vec::new())).collect(),
            measures: study.measures.iter().map(|m| (m.heading(), Vec::new())).collect(),
            failed: Vec::new(),
        };
        for point in 0..n {
            for ((_, column), level) in out.variables.iter_mut().zip(study.design.levels(point)) {
                column.push(LevelValue::from(&level));
            }
        }
        for (first, part) in (0..threads).map(|k| k * size).zip(parts) {
            // A thread that panicked has a fault of carom: its points say so.
            let rows = part.unwrap_or_default();
            let missing = size.min(n.saturating_sub(first));
            for k in 0..missing {
                let row = usize::try_from(k).ok().and_then(|k| rows.get(k).cloned());
                let (values, error) = row.unwrap_or_else(|| broken(study));
                for ((_, column), x) in out.measures.iter_mut().zip(values) {
                    column.push(x);
                }
                out.failed.extend(error.map(|text| (first + k, text)));
            }
        }
        out
    }
}

/// Measures of a point, NaN where there is none, and why.
type Row = (Vec<f64>, Option<String>);

fn broken(study: &Study) -> Row {
    (vec![f64::NAN; study.measures.len()], Some(PointError::Broken.to_string()))
}

fn points(study: &Study, range: std::ops::Range<u64>) -> Vec<Row> {
    let mut evaluator = Evaluator::new(study);
    let one = |point| match evaluator.partial(point) {
        Ok((values, error)) => (values, error.map(|error| error.to_string())),
        Err(error) => (vec![f64::NAN; study.measures.len()], Some(error.to_string())),
    };
    range.map(one).collect()
}
