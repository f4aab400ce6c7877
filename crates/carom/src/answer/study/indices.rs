//! Sobol's indices and Morris' elementary effects as a study tells them.

use schemars::JsonSchema;
use serde::Serialize;

use super::StudyReading;
use crate::study::Study;

/// Sobol's indices of a measure for a variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexAnswer {
    /// The measure.
    pub measure: String,
    /// The variable.
    pub variable: String,
    /// First order: the part of the variance that the variable causes alone.
    pub first: f64,
    /// Its standard error; `null` of a sample that is too small to tell.
    #[schemars(with = "Option<f64>")]
    pub first_error: f64,
    /// Its 95 % confidence interval.
    #[schemars(with = "[Option<f64>; 2]")]
    pub first_interval: [f64; 2],
    /// Total: the part that it causes alone and together with others.
    pub total: f64,
    /// Its standard error.
    #[schemars(with = "Option<f64>")]
    pub total_error: f64,
    /// Its 95 % confidence interval.
    #[schemars(with = "[Option<f64>; 2]")]
    pub total_interval: [f64; 2],
}

/// Morris' elementary effects of a variable on a measure: changes of the measure, as over the whole range of the variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ElementaryAnswer {
    /// The measure.
    pub measure: String,
    /// The variable.
    pub variable: String,
    /// μ*: the mean size of the effects.
    pub size: f64,
    /// Its 95 % confidence interval; `null` of one trajectory.
    #[schemars(with = "[Option<f64>; 2]")]
    pub size_interval: [f64; 2],
    /// μ: the mean of the effects.
    pub mean: f64,
    /// σ: their standard deviation; large beside μ* where the measure is not linear, or the variable acts together with others.
    #[schemars(with = "Option<f64>")]
    pub deviation: f64,
}

/// The first variable of each axis.
pub(super) fn of_axes(study: &Study) -> Vec<usize> {
    let design = &study.design;
    let first = |axis| (0..design.variables().len()).find(|k| design.axis(*k) == Some(axis));
    (0..design.axes().len()).filter_map(first).collect()
}

/// Elementary effects of every measure for every axis.
pub(super) fn elementary(reading: &StudyReading) -> Vec<ElementaryAnswer> {
    let StudyReading { study, digest, .. } = reading;
    let mut out = Vec::new();
    for (m, all) in digest.elementary.iter().enumerate() {
        for (e, k) in all.iter().flatten().zip(of_axes(study)) {
            out.push(ElementaryAnswer {
                measure: study.measures[m].name.clone(),
                variable: study.design.variables()[k].name.clone(),
                size: e.size.value,
                size_interval: e.size.interval(),
                mean: e.mean.value,
                deviation: e.deviation,
            });
        }
    }
    out
}

/// Indices of every measure for every axis.
pub(super) fn indices(reading: &StudyReading) -> Vec<IndexAnswer> {
    let StudyReading { study, digest, .. } = reading;
    let axes = of_axes(study);
    let mut out = Vec::new();
    for (m, all) in digest.indices.iter().enumerate() {
        for (i, k) in all.iter().flatten().zip(&axes) {
            out.push(IndexAnswer {
                measure: study.measures[m].name.clone(),
                variable: study.design.variables()[*k].name.clone(),
                first: i.first.value,
                first_error: i.first.error,
                first_interval: i.first.interval(),
                total: i.total.value,
                total_error: i.total.error,
                total_interval: i.total.interval(),
            });
        }
    }
    out
}
