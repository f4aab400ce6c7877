//! Which variable matters most: main effects, and on a whole grid the parts of the variance.
//!
//! A main effect is the mean of the target over all rows with one value of a variable (of samples: over a slice of its range). Its share is the
//! variance of these means divided by the variance of all rows: on a whole grid exactly the first-order index of Sobol for values that are equally
//! probable, and the total index is the mean variance along the variable's axis divided by that of all rows.

use super::indices::Indices;
use super::plan::Study;
use super::rows::Rows;
use super::spread::Estimate;
use crate::model::study::{Level, Sampling};

/// Slices of the range of a sampled variable.
const SLICES: usize = 8;
/// A grid of more points is not taken apart.
const MOST_POINTS: u64 = 1 << 22;

/// The target over one variable, whatever the others are.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The variable.
    pub variable: usize,
    /// The values, or the mean values of slices; positions in the list of words where the variable has words.
    pub values: Vec<f64>,
    /// The mean of the target at each, and its standard deviation over the other variables.
    pub means: Vec<f64>,
    /// The same length.
    pub deviations: Vec<f64>,
    /// The share of the variance that the means explain.
    pub share: f64,
    /// Relative change of the target divided by that of the variable, of the line through all rows at their mean.
    pub elasticity: Option<f64>,
}

/// The effects on a measure, the largest share first; variables that do not vary are left out.
pub fn effects(study: &Study, rows: &Rows, target: usize) -> Vec<Effect> {
    let y = &rows.measures[target];
    let finite: Vec<usize> = (0..rows.len()).filter(|k| y[*k].is_finite()).collect();
    let (mean, variance) = moments(finite.iter().map(|k| y[*k]));
    let mut out: Vec<Effect> = (0..rows.levels.len())
        .filter(|k| study.design.axis(*k).is_some())
        .filter_map(|variable| {
            let numbers = rows.numbers(variable);
            let x = |row: usize| match (&numbers, &rows.levels[variable][row]) {
                (Some(x), _) => x[row],
                (None, level) => position(study, variable, level),
            };
            let mut order = finite.clone();
            order.sort_by(|a, b| x(*a).total_cmp(&x(*b)).then(a.cmp(b)));
            let parts = parts(&order, &x);
            if parts.len() < 2 {
                return None;
            }
            let mut effect = Effect {
                variable,
                values: Vec::new(),
                means: Vec::new(),
                deviations: Vec::new(),
                share: 0.0,
                elasticity: numbers.as_ref().and_then(|x| elasticity(x, y, &finite)),
            };
            for part in &parts {
                let (value, _) = moments(part.iter().map(|k| x(*k)));
                let (own, spread) = moments(part.iter().map(|k| y[*k]));
                effect.values.push(value);
                effect.means.push(own);
                effect.deviations.push(spread.sqrt());
                effect.share += part.len() as f64 * (own - mean).powi(2);
            }
            effect.share /= finite.len() as f64 * variance;
            effect.share.is_finite().then_some(effect)
        })
        .collect();
    out.sort_by(|a, b| b.share.total_cmp(&a.share));
    out
}

/// The indices of a measure on a whole grid, one for each axis; `None` where a point has no value or nothing varies.
pub fn grid_indices(study: &Study, rows: &Rows, measure: usize) -> Option<Vec<Indices>> {
    let axes = study.design.axes();
    let points = study.design.points();
    let whole = study.design.sampling() == Sampling::Grid
        && points <= MOST_POINTS
        && rows.len() as u64 == points
        && axes.iter().filter(|n| **n > 1).count() > 1;
    let y = &rows.measures[measure];
    if !whole || y.iter().any(|y| !y.is_finite()) {
        return None;
    }
    let (mean, variance) = moments(y.iter().copied());
    // What is round-off of the mean is no variance.
    if !(variance > 1e-28 * mean * mean) {
        return None;
    }
    let mut stride = y.len();
    let index = |n: &usize| {
        stride /= n;
        let (mut means, mut along) = (vec![0.0; *n], 0.0);
        let lines = y.len() / n;
        for line in 0..lines {
            let first = line / stride * stride * n + line % stride;
            let values = (0..*n).map(|k| y[first + k * stride]);
            values.clone().enumerate().for_each(|(k, y)| means[k] += y);
            along += moments(values).1;
        }
        let first = moments(means.iter().map(|sum| sum / lines as f64)).1 / variance;
        // Every combination is there: no error.
        let exact = |value| Estimate { value, error: 0.0, half_width: 0.0 };
        Indices { first: exact(first), total: exact(along / lines as f64 / variance) }
    };
    Some(axes.iter().map(index).collect())
}

/// Rows in order of a variable: those with the same value together, or slices of equal numbers where there are many values.
fn parts(order: &[usize], x: &dyn Fn(usize) -> f64) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for &k in order {
        match out.last_mut() {
            Some(part) if x(part[0]) == x(k) => part.push(k),
            _ => out.push(vec![k]),
        }
    }
    if 2 * out.len() > order.len().max(2 * SLICES) {
        let size = order.len().div_ceil(SLICES).max(1);
        out = order.chunks(size).map(<[usize]>::to_vec).collect();
    }
    out
}

/// Where a word stands among the values of its variable.
fn position(study: &Study, variable: usize, level: &Level) -> f64 {
    use crate::model::study::Domain;
    let Domain::Values(levels) = &study.design.variables()[variable].domain else { return 0.0 };
    levels.iter().position(|l| l == level).map_or(0.0, |k| k as f64)
}

/// Slope of the line through the rows, times mean x divided by mean y.
fn elasticity(x: &[f64], y: &[f64], rows: &[usize]) -> Option<f64> {
    let (mx, xx) = moments(rows.iter().map(|k| x[*k]));
    let (my, _) = moments(rows.iter().map(|k| y[*k]));
    let xy = rows.iter().map(|k| (x[*k] - mx) * (y[*k] - my)).sum::<f64>() / rows.len() as f64;
    Some(xy / xx * mx / my).filter(|e| e.is_finite())
}

/// Mean and variance.
fn moments(x: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = x.clone().count() as f64;
    let mean = x.clone().sum::<f64>() / n;
    (mean, x.map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}
