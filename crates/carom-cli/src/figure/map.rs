//! Maps: a measure over two variables, as colours and contour lines.

use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Rectangle};
use plotters::style::{BLACK, Color as _, RGBColor, WHITE};

use super::axis::Axis;
use super::panel::{SMALL, TITLE};
use super::{Area, Drawn, WIDTH, flaw, font, mm, sheet, write};
use crate::number::three;

/// A measure on a grid.
pub(crate) struct Field {
    /// What it is.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Values along x and y.
    pub size: (usize, usize),
    /// Row by row upwards; NaN where there is none.
    pub values: Vec<f64>,
    /// Smallest and largest value where they are known exactly; otherwise those of the values.
    pub extremes: Option<(f64, f64)>,
    /// The ends of the colours, where several fields share them; such a field has no contour lines.
    pub shared: Option<(f64, f64)>,
}

/// Height of a row of maps \[mm\].
const HEIGHT: f64 = 82.0;
/// Height of the heading \[mm\].
const HEAD: f64 = 8.0;
/// Width of the colours' scale with its numbers \[mm\].
const SCALE: f64 = 17.0;
/// Steps of colour.
const SHADES: f64 = 60.0;
/// Contour lines, about.
const LINES: f64 = 8.0;
/// Where there is no value.
const NONE: RGBColor = RGBColor(215, 215, 215);
/// From low to high; dark to light, so that it reads in black and white.
const RAMP: [(f64, f64, f64); 5] = [
    (68.0, 1.0, 84.0),
    (59.0, 82.0, 139.0),
    (33.0, 145.0, 140.0),
    (94.0, 201.0, 98.0),
    (253.0, 231.0, 37.0),
];

/// Em of a level on its line, and the width of its letters with some room \[mm\].
const LINE_LABEL: f64 = 2.0;
const LETTER: f64 = 1.3;

/// Dots by which a cell reaches over the next one.
const OVER: i32 = 4;

/// A place in dots.
type Dot = (f64, f64);

/// The sheet as SVG: two maps beside each other.
pub(crate) fn maps(title: &str, fields: &[Field]) -> Result<String, String> {
    let rows = fields.len().div_ceil(2);
    sheet(HEAD + HEIGHT * rows as f64, |area| {
        let (head, mut rest) = area.split_vertically(mm(HEAD));
        write(&head, title, (4.0, 0.6 * HEAD), 3.2)?;
        for pair in fields.chunks(2) {
            let (row, below) = rest.split_vertically(mm(HEIGHT));
            let (left, right) = row.split_horizontally(mm(0.5 * WIDTH));
            for (field, part) in pair.iter().zip([left, right]) {
                field.draw(&part)?;
            }
            rest = below;
        }
        Ok(())
    })
}

impl Field {
    pub(super) fn draw(&self, area: &Area<'_>) -> Drawn {
        let (head, body) = area.split_vertically(mm(6.0));
        let (low, high) = self.span();
        write(&head, &format!("{}{}", self.title, self.beyond(low, high)), (16.0, 3.3), TITLE)?;
        let (body, scale) = body.split_horizontally(mm(0.5 * WIDTH - SCALE));
        let paper = self.axes(&body)?;
        let (width, height) = paper.dim_in_pixel();
        let size = (f64::from(width), f64::from(height));
        self.shade(&paper, size, (low, high))?;
        let levels = levels(low, high);
        let lines: &[f64] = if self.shared.is_some() { &[] } else { &levels };
        for level in lines {
            for [a, b] in self.contour(*level, size) {
                let style = BLACK.mix(0.75).stroke_width(mm(0.18).unsigned_abs());
                paper.draw(&PathElement::new(vec![whole(a), whole(b)], style)).map_err(flaw)?;
            }
        }
        for level in lines {
            self.name_line(&paper, *level, size)?;
        }
        colours(&scale, (low, high), &levels)
    }

    /// Writes the level on its contour line, where that is nearest to the middle of the map: on a light ground, so that it reads on any colour.
    fn name_line(&self, paper: &Area<'_>, level: f64, size: Dot) -> Drawn {
        let text = three(level);
        let half = (0.5 * LETTER * text.chars().count() as f64, 0.5 * LINE_LABEL);
        let (room_x, room_y) = (super::DOTS * half.0, super::DOTS * half.1);
        let apart = |p: &Dot| (p.0 / size.0 - 0.5).hypot(p.1 / size.1 - 0.5);
        let free = |p: &Dot| {
            (room_x..=size.0 - room_x).contains(&p.0) && (room_y..=size.1 - room_y).contains(&p.1)
        };
        let places = self.contour(level, size).into_iter().map(|[a, _]| a).filter(free);
        let Some(place) = places.min_by(|a, b| apart(a).total_cmp(&apart(b))) else {
            return Ok(());
        };
        let corners = [
            whole((place.0 - room_x, place.1 - room_y)),
            whole((place.0 + room_x, place.1 + room_y)),
        ];
        paper.draw(&Rectangle::new(corners, WHITE.mix(0.8).filled())).map_err(flaw)?;
        let left = place.0 / super::DOTS - 0.86 * half.0;
        write(paper, &text, (left, place.1 / super::DOTS), LINE_LABEL)
    }

    /// The axes; gives the area inside.
    fn axes<'a>(&self, body: &Area<'a>) -> Result<Area<'a>, String> {
        let mut builder = ChartBuilder::on(body);
        builder
            .margin_left(mm(1.0))
            .margin_right(mm(3.0))
            .margin_top(mm(1.5))
            .margin_bottom(mm(2.0))
            .x_label_area_size(mm(8.6))
            .y_label_area_size(mm(15.0));
        let (x, y) = (&self.x, &self.y);
        let mut chart = builder.build_cartesian_2d(x.low..x.high, y.low..y.high).map_err(flaw)?;
        let number = |x: &f64| three(*x);
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(6)
            .y_labels(6)
            .axis_style(BLACK.stroke_width(mm(0.25).unsigned_abs()))
            .set_all_tick_mark_size(mm(0.8))
            .label_style(font(SMALL))
            .axis_desc_style(font(SMALL))
            .x_label_formatter(&number)
            .y_label_formatter(&number)
            .x_desc(&x.label)
            .y_desc(&y.label)
            .draw()
            .map_err(flaw)?;
        Ok(chart.plotting_area().strip_coord_spec())
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[j * self.size.0 + i]
    }

    /// From the second smallest to the second largest percent: a singular pose would hide the rest.
    fn span(&self) -> (f64, f64) {
        self.shared.unwrap_or_else(|| span(&self.values))
    }

    /// How far the values go beyond the colours; empty if they do not.
    fn beyond(&self, low: f64, high: f64) -> String {
        // Fields that share their colours say it once, below all of them.
        if self.shared.is_some() {
            return String::new();
        }
        let there = self.values.iter().copied().filter(|x| !x.is_nan());
        let sampled =
            || there.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let (least, most) = self.extremes.unwrap_or_else(sampled);
        let mut ends = Vec::new();
        if least < low {
            ends.push(format!("least {}", named(least)));
        }
        if most > high {
            ends.push(format!("most {}", named(most)));
        }
        if ends.is_empty() { String::new() } else { format!(" ({})", ends.join(", ")) }
    }

    /// The middle of each cell as a colour; neighbours of one colour are one rectangle.
    fn shade(&self, paper: &Area<'_>, size: Dot, (low, high): (f64, f64)) -> Drawn {
        let (nx, ny) = self.size;
        for j in 0..ny - 1 {
            let mut start = 0;
            let shade = |i: usize| {
                let corners = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)];
                let mean = corners.iter().map(|(i, j)| self.at(*i, *j)).sum::<f64>() / 4.0;
                mean.is_finite()
                    .then(|| (SHADES * ((mean - low) / (high - low)).clamp(0.0, 1.0)).round())
            };
            for i in 1..nx {
                if i < nx - 1 && shade(i) == shade(start) {
                    continue;
                }
                let colour = shade(start).map_or(NONE, |k| ramp(k / SHADES));
                let a = whole(self.place(start as f64, (j + 1) as f64, size));
                let b = whole(self.place(i as f64, j as f64, size));
                // A little over the next one, which is drawn later: no white line stays between.
                let (right, above) = (i < nx - 1, j < ny - 2);
                let a = (a.0, a.1 - if above { OVER } else { 0 });
                let b = (b.0 + if right { OVER } else { 0 }, b.1);
                let cell = Rectangle::new([a, b], colour.filled());
                paper.draw(&cell).map_err(flaw)?;
                start = i;
            }
        }
        Ok(())
    }

    /// A place of the grid in dots.
    fn place(&self, i: f64, j: f64, (width, height): Dot) -> Dot {
        let (nx, ny) = self.size;
        (i / (nx - 1) as f64 * width, (1.0 - j / (ny - 1) as f64) * height)
    }

    /// Pieces of the line on which the measure has that value, cell by cell.
    fn contour(&self, level: f64, size: Dot) -> Vec<[Dot; 2]> {
        let (nx, ny) = self.size;
        let mut out = Vec::new();
        for j in 0..ny - 1 {
            for i in 0..nx - 1 {
                // Two triangles a cell: no doubtful saddles.
                let corner = |di: usize, dj: usize| {
                    ((i + di) as f64, (j + dj) as f64, self.at(i + di, j + dj))
                };
                for triangle in [
                    [corner(0, 0), corner(1, 0), corner(1, 1)],
                    [corner(0, 0), corner(1, 1), corner(0, 1)],
                ] {
                    out.extend(
                        crossing(&triangle, level)
                            .map(|ends| ends.map(|(i, j)| self.place(i, j, size))),
                    );
                }
            }
        }
        out
    }
}

/// The ends of the colours of some values: the extremes without a fiftieth at each end.
pub(super) fn span(values: &[f64]) -> (f64, f64) {
    let mut finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    if finite.is_empty() {
        return (0.0, 1.0);
    }
    finite.sort_by(f64::total_cmp);
    let cut = finite.len() / 50;
    let (low, high) = (finite[cut], finite[finite.len() - 1 - cut]);
    if high > low {
        (low, high)
    } else {
        (low - 0.5 * low.abs().max(1e-9), low + 0.5 * low.abs().max(1e-9))
    }
}

fn named(x: f64) -> String {
    if x.is_finite() { three(x) } else { "infinite".to_owned() }
}

/// Where a level crosses a triangle.
fn crossing(triangle: &[(f64, f64, f64); 3], level: f64) -> Option<[Dot; 2]> {
    let mut ends = Vec::with_capacity(2);
    for k in 0..3 {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        if !(a.2.is_finite() && b.2.is_finite()) {
            return None;
        }
        if (a.2 < level) != (b.2 < level) {
            let s = (level - a.2) / (b.2 - a.2);
            ends.push((a.0 + s * (b.0 - a.0), a.1 + s * (b.1 - a.1)));
        }
    }
    match ends[..] {
        [a, b] => Some([a, b]),
        _ => None,
    }
}

/// The colours and the levels of the lines beside them.
fn colours(area: &Area<'_>, (low, high): (f64, f64), levels: &[f64]) -> Drawn {
    let (_, height) = area.dim_in_pixel();
    let (top, bottom) = (f64::from(mm(1.5)), f64::from(height) - f64::from(mm(10.6)));
    let at = |share: f64| bottom + (top - bottom) * share;
    let (left, right) = (f64::from(mm(0.5)), f64::from(mm(3.5)));
    #[allow(clippy::cast_possible_truncation, reason = "sixty steps")]
    let steps = SHADES as i32;
    for k in 0..steps {
        let (a, b) = (f64::from(k) / SHADES, f64::from(k + 1) / SHADES);
        let cell = Rectangle::new(
            [whole((left, at((b + 0.01).min(1.0)))), whole((right, at(a)))],
            ramp((f64::from(k) + 0.5) / SHADES).filled(),
        );
        area.draw(&cell).map_err(flaw)?;
    }
    for level in levels {
        let y = at((level - low) / (high - low));
        let tick = vec![whole((left, y)), whole((right, y))];
        let style = BLACK.stroke_width(mm(0.18).unsigned_abs());
        area.draw(&PathElement::new(tick, style)).map_err(flaw)?;
        write(area, &three(*level), (4.3, y / super::DOTS), 2.3)?;
    }
    Ok(())
}

/// Round numbers inside a span.
fn levels(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / LINES;
    let size = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * size).into_iter().find(|s| *s >= raw);
    let Some(step) = step.filter(|s| s.is_normal()) else { return Vec::new() };
    let first = (low / step).ceil();
    (0..40).map(|k| (first + f64::from(k)) * step).take_while(|x| *x <= high).collect()
}

fn ramp(share: f64) -> RGBColor {
    let x = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 4")]
    let k = (x as usize).min(RAMP.len() - 2);
    let s = x - k as f64;
    let (a, b) = (RAMP[k], RAMP[k + 1]);
    let mix = |a: f64, b: f64| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let shade = (a + s * (b - a)).round() as u8;
        shade
    };
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[allow(clippy::cast_possible_truncation, reason = "inside the sheet, a few thousand dots")]
fn whole((x, y): Dot) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contour_lines_lie_at_round_numbers_inside() {
        let found = levels(0.0, 1.0);
        assert!(found.len() >= 5 && found.iter().all(|x| (0.0..=1.0).contains(x)), "{found:?}");
        assert!(levels(3.0, 3.0).is_empty());
    }

    #[test]
    fn the_contour_of_a_plane_is_straight() {
        // z = x + y: the line at 1 goes from corner to corner.
        let ends = crossing(&[(0.0, 0.0, 0.0), (1.0, 0.0, 1.5), (1.0, 1.0, 3.0)], 0.75).unwrap();
        assert_eq!(ends, [(0.5, 0.0), (0.25, 0.25)]);
        assert_eq!(crossing(&[(0.0, 0.0, 0.0), (1.0, 0.0, f64::NAN), (1.0, 1.0, 3.0)], 0.5), None);
    }

    #[test]
    fn what_the_colours_leave_out_is_told() {
        let axis = || Axis::plain("x", 0.0, 1.0);
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        let mut field = Field {
            title: String::new(),
            x: axis(),
            y: axis(),
            size: (10, 10),
            values: values.clone(),
            extremes: None,
            shared: None,
        };
        let (low, high) = field.span();
        assert_eq!(field.beyond(low, high), " (least 0, most 99)");
        assert_eq!(field.beyond(0.0, 99.0), "");
        values[5] = f64::INFINITY;
        field.values = values;
        assert_eq!(field.beyond(0.0, 99.0), " (most infinite)");
        field.extremes = Some((-1.0, 250.0));
        assert_eq!(field.beyond(0.0, 99.0), " (least -1, most 250)");
    }
}
