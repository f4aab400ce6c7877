//! A chart: panels in rows, a heading above, one legend below.

use super::axis::Axis;
use super::legend::{Entry, ROW, legend};
use super::look::{GUIDE, Look, PLAIN, look};
use super::panel::{Curve, Panel};
use super::{Drawn, WIDTH, mm, sheet, write};
use carom_papers::chart::{Chart, Plot, Stroke, labelled};

/// Height of the heading \[mm\].
const HEAD: f64 = 8.0;
/// Letters of a legend's entry that fit beside two others.
const SHORT: usize = 34;
/// Units whose multiples have names.
const PREFIXED: [&str; 4] = ["N", "J", "m", "s"];
/// Room beyond the data, as a part of its span.
const ROOM: f64 = 0.06;

/// The sheet as SVG.
pub(crate) fn draw(chart: &Chart) -> Result<String, String> {
    let entries = entries(chart);
    let shown = if entries.len() > 1 { entries.as_slice() } else { &[] };
    let columns = if entries.iter().all(|(_, name)| name.chars().count() < SHORT) { 3 } else { 2 };
    let lines = shown.len().div_ceil(columns);
    let rows = chart.plots.len().div_ceil(chart.columns);
    let panels = chart.height * rows as f64;
    sheet(HEAD + panels + 3.0 + lines as f64 * ROW, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, &chart.title, (4.0, 0.55 * HEAD), 3.2)?;
        let (body, foot) = rest.split_vertically(mm(panels + 1.0));
        let parts = body.split_evenly((rows, chart.columns));
        for (plot, part) in chart.plots.iter().zip(&parts) {
            panel(plot, &entries, part)?;
        }
        let foot = foot.margin(0, 0, mm(16.0), mm(2.0));
        legend(&foot, shown, lines, (WIDTH - 20.0) / columns as f64)
    })
}

/// The names of all series, each once, with their looks.
fn entries(chart: &Chart) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let mut count = 0;
    let names = || chart.plots.iter().flat_map(|plot| &plot.series);
    let lines = || names().filter(|s| s.stroke == Stroke::Line);
    let alone = lines().all(|s| lines().next().is_some_and(|first| first.name == s.name));
    for series in names() {
        if out.iter().any(|(_, name)| *name == series.name) {
            continue;
        }
        let own: Look = match series.stroke {
            Stroke::Guide => GUIDE,
            Stroke::Line if alone => PLAIN,
            stroke => {
                count += 1;
                let look = look(count - 1);
                if stroke == Stroke::Marks { look.points() } else { look }
            }
        };
        out.push((own, series.name.clone()));
    }
    out
}

fn panel(plot: &Plot, entries: &[Entry], area: &super::Area<'_>) -> Drawn {
    let all = || plot.series.iter().flat_map(|s| s.points.iter().copied());
    let x: Vec<f64> = all().map(|(x, _)| x).collect();
    let top = plot.window.map_or(f64::INFINITY, |(_, top)| top);
    let y: Vec<f64> = all().map(|(_, y)| y).filter(|y| *y <= top).collect();
    let whole = upright(plot, &y);
    let y_axis = match plot.window {
        Some((low, high)) => Axis { low: low / whole.factor, high: high / whole.factor, ..whole },
        None => whole,
    };
    let curve = |series: &carom_papers::chart::Series| {
        let own = entries.iter().find(|(_, name)| *name == series.name);
        // What is cut off is cut off at the frame's edge, not before it.
        let points =
            series.points.iter().copied().filter(|(_, y)| *y <= y_axis.high * y_axis.factor);
        Curve { points: points.collect(), look: own.map_or(PLAIN, |(look, _)| *look) }
    };
    let curves: Vec<Curve> = plot.series.iter().map(curve).collect();
    let x_axis = level(plot, &x);
    Panel { title: plot.title, x: &x_axis, y: &y_axis, curves: &curves }.draw(area)
}

/// From the least to the greatest value; times end at the frame, marks keep clear of it.
fn level(plot: &Plot, values: &[f64]) -> Axis {
    let (name, unit) = plot.x;
    if PREFIXED.contains(&unit) && values.iter().all(|x| *x >= 0.0) {
        let axis = Axis::of(name, unit, values.iter().copied());
        let high = values.iter().copied().filter(|x| x.is_finite()).fold(0.0, f64::max);
        let ends = unit == "s" && high > 0.0;
        return if ends { Axis { high: high / axis.factor, ..axis } } else { axis };
    }
    let axis = Axis::over(&labelled(plot.x), values);
    let marks = plot.series.iter().any(|s| s.stroke == Stroke::Marks);
    let room = if marks { ROOM * (axis.high - axis.low) } else { 0.0 };
    Axis { low: axis.low - room, high: axis.high + room, ..axis }
}

/// From zero, or the least value, with room above.
fn upright(plot: &Plot, values: &[f64]) -> Axis {
    let (name, unit) = plot.y;
    if PREFIXED.contains(&unit) {
        return Axis::of(name, unit, values.iter().copied());
    }
    let from_zero: Vec<f64> = values.iter().copied().chain([0.0]).collect();
    let axis = Axis::over(&labelled(plot.y), &from_zero);
    let room = ROOM * (axis.high - axis.low);
    let low = if axis.low < 0.0 { axis.low - room } else { axis.low };
    Axis { low, high: axis.high + room, ..axis }
}
