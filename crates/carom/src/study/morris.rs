//! Morris' elementary effects: how much a measure changes when one variable takes a step through most of its range, wherever the others are.
//!
//! μ* is the mean size of the effects, μ their mean, σ their standard deviation (Morris, Technometrics 33 (1991) 161-174; Campolongo et al.,
//! Environ. Model. Softw. 22 (2007) 1509-1518 for μ*). An effect is divided by its step, so that it is the change over the whole range if
//! the measure is linear.

use super::plan::Study;
use super::rows::Rows;
use super::spread::{Estimate, deviation, mean};
use crate::model::study::Sampling;

/// The effects of one variable on one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elementary {
    /// μ*: the mean size of the effects.
    pub size: Estimate,
    /// μ: the mean of the effects.
    pub mean: Estimate,
    /// σ: their standard deviation; large beside μ* where the measure is not linear, or the variable acts together with others.
    pub deviation: f64,
}

/// The effects by axis, from trajectories that are complete; `None` of other samples.
pub fn elementary(study: &Study, rows: &Rows, measure: usize) -> Option<Vec<Elementary>> {
    if study.design.sampling() != Sampling::Morris {
        return None;
    }
    let axes = study.design.axes().len();
    let mut effects = vec![Vec::new(); axes];
    let places = |point: u64| study.design.shares(point);
    let values = &rows.measures[measure];
    for k in 1..rows.len() {
        let (before, after) = (rows.points[k - 1], rows.points[k]);
        let (from, to) = (study.design.row(before), study.design.row(after));
        let change = values[k] - values[k - 1];
        if from.0 != to.0 || from.1 + 1 != to.1 || !change.is_finite() {
            continue;
        }
        let (a, b) = (places(before), places(after));
        if let Some(axis) = (0..axes).find(|i| a[*i] != b[*i]) {
            effects[axis].push(change / (b[axis] - a[axis]));
        }
    }
    let one = |list: Vec<f64>| {
        // Trajectories are independent: each effect is a section of its own.
        let sizes: Vec<f64> = list.iter().map(|x| x.abs()).collect();
        Elementary {
            size: Estimate::new(mean(&sizes), &sizes),
            mean: Estimate::new(mean(&list), &list),
            deviation: deviation(&list),
        }
    };
    effects.iter().all(|list| !list.is_empty()).then(|| effects.into_iter().map(one).collect())
}
