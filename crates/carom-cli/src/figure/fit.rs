//! What was measured beside the best law, and the residuals in standard deviations.

use carom::answer::fit::ContactFit;

use super::axis::Axis;
use super::look::{GUIDE, PLAIN, look};
use super::panel::{Curve, Panel};
use super::{mm, sheet, write};
use crate::number::plain;

/// Height of a row of panels and of the heading \[mm\].
const PANELS: f64 = 62.0;
const HEAD: f64 = 7.0;
/// Points that a panel shows; of more every so many.
const MOST_POINTS: usize = 1500;
/// Points that are marked one by one; more are joined by a line.
const MOST_MARKS: usize = 120;
/// Room beyond the data, as a part of its span.
const ROOM: f64 = 0.06;

/// The sheet as SVG.
pub(crate) fn draw(answer: &ContactFit) -> Result<String, String> {
    let mut quantities: Vec<&str> = Vec::new();
    for p in &answer.points {
        if !quantities.contains(&p.quantity.as_str()) {
            quantities.push(&p.quantity);
        }
    }
    let law = answer.laws.first().map_or("", |l| l.law.as_str());
    let impacts = answer.kind == "impacts";
    let abscissa = if impacts { "approach speed [m/s]" } else { "time [s]" };
    sheet(HEAD + quantities.len() as f64 * PANELS, |area| {
        let (head, body) = area.split_vertically(mm(HEAD));
        let title = format!(
            "measured (marks) and by {law} (line); right: residuals in standard deviations"
        );
        write(&head, &plain(&title), (4.0, 0.6 * HEAD), 3.2)?;
        let parts = body.split_evenly((quantities.len(), 2));
        for (quantity, pair) in quantities.iter().zip(parts.chunks(2)) {
            let own: Vec<_> = answer.points.iter().filter(|p| p.quantity == *quantity).collect();
            let step = own.len().div_ceil(MOST_POINTS).max(1);
            let mut own: Vec<_> = own.into_iter().step_by(step).collect();
            own.sort_by(|a, b| a.at.total_cmp(&b.at));
            let Some(first) = own.first() else { continue };
            let x: Vec<f64> = own.iter().map(|p| p.at).collect();
            let over = wide(Axis::over(abscissa, &x));
            let label = format!("{} [{}]", quantity.replace('_', " "), first.unit);
            let values: Vec<f64> =
                own.iter().flat_map(|p| [p.observed, p.predicted]).chain([0.0]).collect();
            let scattered = |points: Vec<(f64, f64)>| {
                let look = if points.len() > MOST_MARKS { GUIDE } else { look(1).points() };
                Curve { points, look }
            };
            let curves = [
                scattered(own.iter().map(|p| (p.at, p.observed)).collect()),
                Curve { points: own.iter().map(|p| (p.at, p.predicted)).collect(), look: PLAIN },
            ];
            let y = wide(Axis::over(&label, &values));
            Panel { title: "", x: &over, y: &y, curves: &curves }.draw(&pair[0])?;
            let residuals: Vec<(f64, f64)> =
                own.iter().map(|p| (p.at, (p.observed - p.predicted) / p.deviation)).collect();
            let values: Vec<f64> = residuals.iter().map(|r| r.1).chain([-2.0, 2.0]).collect();
            let ends = [over.low, over.high].map(|x| x * over.factor);
            let mut curves = vec![scattered(residuals)];
            curves.push(Curve { points: ends.map(|x| (x, 0.0)).to_vec(), look: GUIDE });
            let y = wide(Axis::over("residual / deviation", &values));
            Panel { title: "", x: &over, y: &y, curves: &curves }.draw(&pair[1])?;
        }
        Ok(())
    })
}

/// With room beyond the data.
fn wide(axis: Axis) -> Axis {
    let room = ROOM * (axis.high - axis.low);
    Axis { low: axis.low - room, high: axis.high + room, ..axis }
}
