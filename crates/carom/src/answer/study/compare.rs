//! What `compare` answers: two files beside each other.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::optimise::is_false;
use crate::answer::{Caution, CautionCode, version};
use crate::file::{LoadError, load};
use crate::model::ContactUnits;
use crate::model::study::Action;
use crate::study::{Evaluator, PointError, QUANTITIES, Quantity};

/// Why two files cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A file cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file has no measures.
    #[error("{file}: {error}")]
    Point {
        /// The file.
        file: String,
        /// Why.
        error: PointError,
    },
    /// Neither file has any.
    #[error("neither file has a numeric result that could be compared")]
    Nothing,
    /// One contact is a stop of an angle and the other is none.
    #[error(
        "one of the contacts is a stop that turns, measured in rad, and the other is measured in m: they cannot be compared"
    )]
    Units,
}

/// What is compared.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The two files.
    pub files: [PathBuf; 2],
    /// Edits of both, as of `--set`.
    pub sets: Vec<(String, String)>,
    /// The contact; the only one if it is missing.
    pub contact: Option<String>,
    /// What is done to each.
    pub action: Action,
}

/// A measure of both files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareMeasure {
    /// Its name.
    pub measure: String,
    /// The letter of the papers.
    pub symbol: String,
    /// Its SI unit; empty for a plain number.
    pub unit: String,
    /// Of the first file; `null` if it has none, or if it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub first: Option<f64>,
    /// Of the second file.
    #[schemars(with = "Option<f64>")]
    pub second: Option<f64>,
    /// The second divided by the first, where that is a finite number.
    pub ratio: Option<f64>,
    /// Whether it is unbounded in the first file.
    #[serde(skip_serializing_if = "is_false", default)]
    pub first_unbounded: bool,
    /// Whether it is unbounded in the second file.
    #[serde(skip_serializing_if = "is_false", default)]
    pub second_unbounded: bool,
}

/// What `compare` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// The version of carom.
    pub carom: String,
    /// The first file.
    pub first: String,
    /// The second file.
    pub second: String,
    /// What was done to each.
    pub action: String,
    /// The measures that the action gives.
    pub measures: Vec<CompareMeasure>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

/// Measures both files.
pub fn compare(options: &CompareOptions) -> Result<CompareAnswer, CompareError> {
    let [first, second] = &options.files;
    let (a, b) = (measured(first, options)?, measured(second, options)?);
    if a.units != b.units {
        return Err(CompareError::Units);
    }
    let units = a.units;
    let ((a, of_a), (b, of_b)) = ((a.quantities, a.drives), (b.quantities, b.drives));
    if a.iter().chain(&b).all(Option::is_none) {
        return Err(CompareError::Nothing);
    }
    let which = QUANTITIES.iter().filter(|q| q.is_of(options.action));
    let measures: Vec<CompareMeasure> = which
        .zip(a.into_iter().zip(b))
        .map(|(q, (a, b))| CompareMeasure::new(q, units, a, b))
        .collect();
    // The apparent mass of a body that is fixed to the ground is infinite and no reason to doubt; an energy without bound is.
    let unbounded = [("first", of_a), ("second", of_b)].into_iter().filter(|(_, d)| !d.is_empty());
    let cautions = unbounded.map(|(which, drives)| {
        let why = crate::answer::sentence::remedy(&drives);
        let message = format!("`impact_energy` of the {which} file is unbounded: {why}");
        Caution::warning(CautionCode::MeasureUnbounded, "", message)
    });
    Ok(CompareAnswer {
        carom: version(),
        first: first.display().to_string(),
        second: second.display().to_string(),
        action: options.action.name().to_owned(),
        cautions: cautions.collect(),
        measures,
    })
}

impl CompareMeasure {
    fn new(q: &Quantity, units: ContactUnits, first: Option<f64>, second: Option<f64>) -> Self {
        let ratio = first.zip(second).map(|(a, b)| if a == b { 1.0 } else { b / a });
        Self {
            measure: q.name.to_owned(),
            symbol: q.symbol.to_owned(),
            unit: units.of(q.unit).to_owned(),
            first,
            second,
            ratio: ratio.filter(|x| x.is_finite()),
            first_unbounded: first.is_some_and(f64::is_infinite),
            second_unbounded: second.is_some_and(f64::is_infinite),
        }
    }
}

/// Every quantity by itself, so that one that is missing does not hide the others; and the drives that leave T_c without bound.
fn measured(file: &Path, options: &CompareOptions) -> Result<Measured, CompareError> {
    let mut loaded = load(file, &options.sets)?;
    loaded.description.remove("study");
    let action = options.action;
    let mut sets = vec![("study.action".to_owned(), action.name().to_owned())];
    if let Some(contact) = &options.contact {
        sets.push(("study.contact".to_owned(), contact.clone()));
    }
    let names: Vec<&str> = QUANTITIES.iter().filter(|q| q.is_of(action)).map(|q| q.name).collect();
    sets.push(("study.measures".to_owned(), format!("[{}]", names.join(", "))));
    let study = loaded.edited(&sets)?.study()?;
    let mut evaluator = Evaluator::new(&study);
    let found = evaluator
        .quantities(&[])
        .map_err(|error| CompareError::Point { file: file.display().to_string(), error })?;
    let own = QUANTITIES.iter().zip(found).filter(|(q, _)| q.is_of(action));
    let quantities = own.map(|(_, x)| x).collect();
    Ok(Measured { quantities, drives: evaluator.drives_behind(&[]), units: study.units })
}

/// What one file gives.
struct Measured {
    /// In the order of [`QUANTITIES`].
    quantities: Vec<Option<f64>>,
    /// The drives that leave T_c without bound.
    drives: Vec<String>,
    /// What its contact measures in.
    units: ContactUnits,
}
