//! The history of a search: the best goal and its variables over the evaluations.

use carom::answer::study::{LevelValue, OptimiseAnswer};

use super::axis::Axis;
use super::look::PLAIN;
use super::panel::{Curve, Panel};
use super::{mm, sheet, write};
use crate::number::plain;

/// Height of a row of panels and of the heading \[mm\], and panels beside each other.
const PANELS: f64 = 56.0;
const HEAD: f64 = 7.0;
const ACROSS: usize = 3;
/// Variables that are drawn.
const MOST: usize = 11;

/// The sheet as SVG.
pub(crate) fn draw(answer: &OptimiseAnswer) -> Result<String, String> {
    let label = |name: &str, unit: &str| {
        if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
    };
    let mut panels =
        vec![(label(&answer.goal, &answer.unit), steps(answer, |k| answer.path[k].value))];
    for (v, heading) in answer.variables.iter().enumerate().take(MOST) {
        let number = |k: usize| match &answer.path[k].variables[v] {
            LevelValue::Number(x) => *x,
            LevelValue::Word(_) => f64::NAN,
        };
        let points = steps(answer, number);
        if points.iter().all(|(_, y)| y.is_finite()) {
            panels.push((heading.clone(), points));
        }
    }
    let rows = panels.len().div_ceil(ACROSS);
    sheet(HEAD + rows as f64 * PANELS, |area| {
        let (head, body) = area.split_vertically(mm(HEAD));
        write(
            &head,
            &plain(&format!("the best {} found so far", answer.goal)),
            (4.0, 0.6 * HEAD),
            3.2,
        )?;
        let over = Axis::over("evaluations", &[0.0, answer.evaluations as f64]);
        for ((label, points), part) in panels.iter().zip(body.split_evenly((rows, ACROSS))) {
            let values: Vec<f64> = points.iter().map(|(_, y)| *y).collect();
            let y = Axis::over(label, &values);
            let curves = [Curve { points: points.clone(), look: PLAIN }];
            Panel { title: "", x: &over, y: &y, curves: &curves }.draw(&part)?;
        }
        Ok(())
    })
}

/// A staircase over the evaluations.
fn steps(answer: &OptimiseAnswer, value: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(2 * answer.path.len() + 1);
    for (k, step) in answer.path.iter().enumerate() {
        let (x, y) = (step.evaluations as f64, value(k));
        if let Some((_, before)) = out.last().copied() {
            out.push((x, before));
        }
        out.push((x, y));
    }
    if let Some((_, last)) = out.last().copied() {
        out.push((answer.evaluations as f64, last));
    }
    out
}
