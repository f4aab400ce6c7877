//! Sobol's indices: which part of a measure's variance each variable has.
//!
//! From Saltelli's samples A, B and A with column i of B: first order by Saltelli et al., Comput. Phys. Commun. 181 (2010)
//! 259-270, table 2 (b); total by Jansen's form, table 2 (f).

use super::plan::Study;
use super::rows::Rows;
use super::spread::Estimate;
use crate::model::study::Sampling;

/// The indices of one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indices {
    /// S_i: by this variable alone.
    pub first: Estimate,
    /// S_Ti: by this variable and whatever it does together with others.
    pub total: Estimate,
}

/// Rows of values: A, A with each column of B, B.
type Table = [Vec<f64>];

/// Values of a measure by section and row; `None` if nothing varies. The intervals come from the scatter of the sections; of one section
/// there are none.
pub fn indices(sections: &[Vec<Vec<f64>>]) -> Option<Vec<Indices>> {
    let all = sections.concat();
    let pooled = of_rows(&all)?;
    let each: Vec<Vec<[f64; 2]>> = sections.iter().filter_map(|rows| of_rows(rows)).collect();
    let one = |(i, [first, total]): (usize, &[f64; 2])| {
        let of = |k: usize| each.iter().map(|found| found[i][k]).collect::<Vec<_>>();
        Indices { first: Estimate::new(*first, &of(0)), total: Estimate::new(*total, &of(1)) }
    };
    Some(pooled.iter().enumerate().map(one).collect())
}

/// Of a measure of a study that Saltelli's sample was drawn for, from its rows that are complete; `None` of other samples.
pub fn of_study(study: &Study, rows: &Rows, measure: usize) -> Option<Vec<Indices>> {
    let design = &study.design;
    if design.sampling() != Sampling::Saltelli {
        return None;
    }
    let width = design.axes().len() + 2;
    let mut sections: Vec<Vec<Vec<f64>>> = Vec::new();
    sections.resize_with(usize::try_from(design.sections()).unwrap_or(1), Vec::new);
    let mut current: (u64, Vec<f64>) = (u64::MAX, Vec::new());
    for (k, point) in rows.points.iter().enumerate() {
        let (row, column) = design.row(*point);
        if row != current.0 {
            current = (row, Vec::with_capacity(width));
        }
        let x = rows.measures[measure][k];
        if column == current.1.len() && x.is_finite() {
            current.1.push(x);
        }
        if current.1.len() == width {
            let section = usize::try_from(row % design.sections()).unwrap_or(0);
            sections[section].push(std::mem::take(&mut current.1));
        }
    }
    indices(&sections)
}

/// First order and total of each variable.
fn of_rows(rows: &Table) -> Option<Vec<[f64; 2]>> {
    let d = rows.first()?.len().checked_sub(2)?;
    let n = rows.len() as f64;
    let ends = rows.iter().flat_map(|row| [row[0], row[d + 1]]);
    let mean = ends.clone().sum::<f64>() / (2.0 * n);
    let variance = ends.map(|f| (f - mean).powi(2)).sum::<f64>() / (2.0 * n);
    if !(variance > 1e-28 * mean * mean) {
        return None;
    }
    let average = |of: &dyn Fn(&Vec<f64>) -> f64| rows.iter().map(of).sum::<f64>() / n / variance;
    let of = |i: usize| {
        // V_i = mean of f(B) (f(AB_i) − f(A)); V_Ti = half the mean of (f(A) − f(AB_i))²
        let first = average(&|r| (r[d + 1] - mean) * (r[i + 1] - r[0]));
        let total = average(&|r| 0.5 * (r[0] - r[i + 1]).powi(2));
        [first, total]
    };
    Some((0..d).map(of).collect())
}

#[cfg(test)]
#[path = "indices_tests.rs"]
mod tests;
