//! One panel: two axes and curves.

use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::style::{BLACK, Color as _, RGBColor};

use super::axis::Axis;
use super::dash::{Dot, places, strokes};
use super::look::{LINE, Look};
use super::{Area, DOTS, Drawn, flaw, font, mm, write};
use crate::number::{count, three};

/// Em of numbers and labels \[mm\].
pub(super) const SMALL: f64 = 2.6;
/// Em of a title \[mm\].
pub(super) const TITLE: f64 = 3.1;
/// Height of a title's line \[mm\].
const HEAD: f64 = 6.0;
/// Room left of the numbers \[mm\].
const EDGE: f64 = 1.0;
/// Room for numbers and label of the upright axis \[mm\].
const LABELS: f64 = 15.0;
/// Distance of the marks of a curve \[mm\].
const MARKS: f64 = 26.0;
/// Least distance of marks at points \[mm\].
const ROOM: f64 = 5.0;
/// Round-off at the ends of an axis, in dots.
const SLACK: f64 = 0.5;
/// Below this part of an axis a number is zero.
const ROUND_OFF: f64 = 1e-9;
/// Fine lines of the grid.
const GRID: RGBColor = RGBColor(222, 222, 222);
/// Parts of the golden section scatter the first marks of curves that lie close together.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A curve in the values of its axes.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub points: Vec<(f64, f64)>,
    pub look: Look,
}

/// A panel.
#[derive(Debug)]
pub(super) struct Panel<'a> {
    pub title: &'a str,
    pub x: &'a Axis,
    pub y: &'a Axis,
    pub curves: &'a [Curve],
}

impl Panel<'_> {
    /// Draws it into an area.
    pub(super) fn draw(&self, area: &Area<'_>) -> Drawn {
        let Self { x, y, .. } = *self;
        let numbered = !x.label.is_empty();
        let (head, body) =
            area.split_vertically(mm(if self.title.is_empty() { 0.0 } else { HEAD }));
        write(&head, self.title, (EDGE + LABELS, 0.55 * HEAD), TITLE)?;
        let mut builder = ChartBuilder::on(&body);
        builder
            .margin_left(mm(EDGE))
            .margin_right(mm(4.0))
            .margin_top(mm(1.5))
            .margin_bottom(mm(if numbered { 2.0 } else { 0.0 }))
            .x_label_area_size(mm(if numbered { 8.6 } else { 2.0 }))
            .y_label_area_size(mm(LABELS));
        let mut chart = builder.build_cartesian_2d(x.low..x.high, y.low..y.high).map_err(flaw)?;
        // A zero that is off by round-off is a zero.
        let rounded = |x: f64, axis: &Axis| {
            three(if x.abs() < ROUND_OFF * (axis.high - axis.low) { 0.0 } else { x })
        };
        let (level, upright) = (|v: &f64| rounded(*v, x), |v: &f64| rounded(*v, y));
        let none = |_: &f64| String::new();
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(6)
            .y_labels(6)
            .max_light_lines(0)
            .bold_line_style(GRID.stroke_width(mm(0.15).unsigned_abs()))
            .axis_style(BLACK.stroke_width(mm(0.25).unsigned_abs()))
            .set_all_tick_mark_size(mm(0.8))
            .label_style(font(SMALL))
            .axis_desc_style(font(SMALL))
            .x_label_formatter(if numbered { &level } else { &none })
            .y_label_formatter(&upright)
            .y_desc(&y.label);
        if numbered {
            mesh.x_desc(&x.label);
        }
        mesh.draw().map_err(flaw)?;
        // From here on in dots: curves are cut into dashes by their length on paper.
        let paper = chart.plotting_area().strip_coord_spec();
        let (width, height) = paper.dim_in_pixel();
        let dot = |&(a, b): &(f64, f64)| {
            (x.share(a) * f64::from(width), (1.0 - y.share(b)) * f64::from(height))
        };
        if y.low < 0.0 {
            let zero = [dot(&(x.low * x.factor, 0.0)), dot(&(x.high * x.factor, 0.0))].map(whole);
            let style = BLACK.stroke_width(mm(0.12).unsigned_abs());
            paper.draw(&PathElement::new(zero.to_vec(), style)).map_err(flaw)?;
        }
        let inside = |d: &Dot| {
            let within = |x: f64, size: u32| (-SLACK..=f64::from(size) + SLACK).contains(&x);
            within(d.0, width) && within(d.1, height)
        };
        let mut beyond = 0;
        for (k, curve) in self.curves.iter().enumerate() {
            let dots: Vec<Dot> = curve.points.iter().map(dot).collect();
            let data = curve.look.scattered || curve.look.at_points;
            if data {
                beyond +=
                    dots.iter().filter(|d| !(d.0.is_nan() || d.1.is_nan() || inside(d))).count();
            }
            // What has no value, or none on the axes, parts a curve.
            for points in dots.split(|d| !inside(d)).filter(|run| !run.is_empty()) {
                if !curve.look.scattered {
                    line(&paper, points, &curve.look)?;
                }
                let first = (0.3 + k as f64 * GOLDEN).fract().max(0.08) * MARKS * DOTS;
                let marks = match (curve.look.scattered, curve.look.at_points) {
                    (true, _) => points.to_vec(),
                    (false, true) => spaced(points),
                    (false, false) => places(points, first, MARKS * DOTS),
                };
                for place in marks {
                    curve.look.stamp(&paper, whole(place))?;
                }
            }
        }
        if beyond > 0 {
            let text = format!("{} beyond the axes", count(beyond, "point", "points"));
            write(&paper, &text, (1.5, 2.2), SMALL)?;
        }
        Ok(())
    }
}

/// Points of a curve at least a mark's room apart, the first among them.
fn spaced(points: &[Dot]) -> Vec<Dot> {
    let mut out: Vec<Dot> = Vec::new();
    for p in points {
        let apart = |q: &Dot| (p.0 - q.0).hypot(p.1 - q.1) >= ROOM * DOTS;
        if out.last().is_none_or(apart) {
            out.push(*p);
        }
    }
    out
}

/// Draws a line through dots.
pub(super) fn line(paper: &Area<'_>, points: &[Dot], look: &Look) -> Drawn {
    let pattern: Vec<f64> = look.dash.iter().map(|length| length * DOTS).collect();
    for stroke in strokes(points, &pattern) {
        let mut path: Vec<(i32, i32)> = stroke.into_iter().map(whole).collect();
        path.dedup();
        let style = look.colour.stroke_width(mm(LINE).unsigned_abs());
        paper.draw(&PathElement::new(path, style)).map_err(flaw)?;
    }
    Ok(())
}

#[allow(clippy::cast_possible_truncation, reason = "inside the sheet, a few thousand dots")]
pub(super) fn whole((x, y): Dot) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}
