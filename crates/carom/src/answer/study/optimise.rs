//! What `optimise` answers.

use schemars::JsonSchema;
use serde::Serialize;

use std::path::Path;

use super::LevelValue;
use crate::answer::{Caution, CautionCode, version};
use crate::file::{LoadError, load};
use crate::model::study::Level;
use crate::study::optimise::{self, Improvement, Optimum};
use crate::study::{Evaluator, Study};

/// Why nothing is optimised.
#[derive(Debug, thiserror::Error)]
pub enum OptimiseRefused {
    /// The file cannot be loaded, or has no study.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The study cannot be searched, or no point has a value.
    #[error("{file}: {error}")]
    Search {
        /// The model file.
        file: String,
        /// Why.
        error: optimise::OptimiseError,
    },
}

/// Searches for the best design that the `[study]` of a file allows, with at most so many evaluations; the seed chooses where it begins.
pub fn optimise(
    file: &Path,
    sets: &[(String, String)],
    evaluations: usize,
    seed: u64,
) -> Result<OptimiseAnswer, OptimiseRefused> {
    let study = load(file, sets)?.study()?;
    let found = optimise::optimise(&study, evaluations, seed)
        .map_err(|error| OptimiseRefused::Search { file: file.display().to_string(), error })?;
    Ok(OptimiseAnswer::new(&study, &found))
}

/// A point that was better than all before it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImprovementAnswer {
    /// After how many evaluations it was found.
    pub evaluations: usize,
    /// Whether the local search found it.
    pub local: bool,
    /// The variables, in their units.
    pub variables: Vec<LevelValue>,
    /// The goal; `null` where it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Whether the goal is unbounded here.
    #[serde(skip_serializing_if = "is_false", default)]
    pub unbounded: bool,
    /// By how much constraints are broken, in their own units; zero if they are kept, `null` if without bound.
    #[schemars(with = "Option<f64>")]
    pub broken: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn is_false(x: &bool) -> bool {
    !x
}

impl ImprovementAnswer {
    fn new(step: &Improvement) -> Self {
        Self {
            evaluations: step.evaluations,
            local: step.local,
            variables: step.levels.iter().map(LevelValue::from).collect(),
            value: step.value,
            unbounded: step.value.is_infinite(),
            broken: step.broken,
        }
    }
}

/// What `optimise` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OptimiseAnswer {
    /// The version of carom.
    pub carom: String,
    /// What is made small or large.
    pub goal: String,
    /// Its unit.
    pub unit: String,
    /// Whether it is made large.
    pub maximise: bool,
    /// The variables with their units.
    pub variables: Vec<String>,
    /// The goal at the file's own values; `null` if they have none, or if it is unbounded there.
    #[schemars(with = "Option<f64>")]
    pub start: Option<f64>,
    /// Whether the goal is unbounded at the file's own values.
    #[serde(skip_serializing_if = "is_false", default)]
    pub start_unbounded: bool,
    /// The change of the goal from there, divided by it.
    pub change: Option<f64>,
    /// Evaluations in all.
    pub evaluations: usize,
    /// Whether the best point keeps all constraints.
    pub constraints_kept: bool,
    /// Each point that was better than all before it; the last one is the best.
    pub path: Vec<ImprovementAnswer>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl OptimiseAnswer {
    /// Of a search.
    fn new(study: &Study, found: &Optimum) -> Self {
        let (goal, unit) = study.goal.as_ref().map_or_else(Default::default, |(column, _)| {
            (column.text.clone(), column.formula.unit.to_owned())
        });
        let best = found.best();
        let change = best.zip(found.start).map(|(best, start)| (best.value - start) / start.abs());
        let constraints_kept = best.is_some_and(|best| best.broken == 0.0);
        let mut cautions = Vec::new();
        let mut unbounded = |place: &str, levels: &[Level]| {
            let drives = Evaluator::new(study).drives_behind(levels);
            let why = crate::answer::sentence::remedy(&drives);
            let message = format!("`{goal}` is unbounded {place}: {why}");
            cautions.push(Caution::warning(CautionCode::MeasureUnbounded, "study", message));
        };
        if let Some(best) = best.filter(|best| best.value.is_infinite()) {
            let place =
                if found.maximise { "at the best point" } else { "at every point that was tried" };
            unbounded(place, &best.levels);
        }
        let stated: Option<Vec<Level>> = study.stated().into_iter().collect();
        if let Some(levels) = stated.filter(|_| found.start.is_some_and(f64::is_infinite)) {
            unbounded("at the values of the file", &levels);
        }
        if !constraints_kept {
            let message =
                "no point that was tried keeps all constraints; this one breaks them least";
            let place = "study.constraints";
            cautions.push(Caution::warning(CautionCode::ConstraintsBroken, place, message));
        }
        Self {
            carom: version(),
            goal,
            unit,
            maximise: found.maximise,
            variables: study.variable_headings(),
            start: found.start,
            start_unbounded: found.start.is_some_and(f64::is_infinite),
            change: change.filter(|x| x.is_finite()),
            evaluations: found.evaluations,
            constraints_kept,
            path: found.path.iter().map(ImprovementAnswer::new).collect(),
            cautions,
        }
    }

    /// The best point.
    pub fn best(&self) -> Option<&ImprovementAnswer> {
        self.path.last()
    }
}
