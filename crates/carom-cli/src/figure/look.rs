//! How a curve looks: colour, dashes and marks, so that it is told apart in black and white too.

use plotters::element::{EmptyElement, IntoDynElement as _, PathElement, Polygon};
use plotters::style::{BLACK, Color as _, RGBColor, WHITE};

use super::{Area, Drawn, flaw, mm};

/// Half the size of a mark \[mm\].
const MARK: f64 = 0.95;
/// Width of a curve \[mm\].
pub(super) const LINE: f64 = 0.35;

// Colours that colour-blind people tell apart (Okabe, Ito), darkened where they are pale on white.
const ORANGE: RGBColor = RGBColor(214, 138, 0);
const SKY: RGBColor = RGBColor(56, 158, 217);
const GREEN: RGBColor = RGBColor(0, 138, 100);
const BLUE: RGBColor = RGBColor(0, 100, 165);
const RED: RGBColor = RGBColor(205, 84, 0);
const PURPLE: RGBColor = RGBColor(190, 95, 150);
const GREY: RGBColor = RGBColor(110, 110, 110);

// Strokes and gaps in turn [mm].
const SOLID: &[f64] = &[];
const LONG: &[f64] = &[4.0, 1.2];
const SHORT: &[f64] = &[1.8, 1.0];
const DOTS: &[f64] = &[0.5, 0.8];
const DASH_DOT: &[f64] = &[3.0, 0.9, 0.5, 0.9];

/// The outline of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Circle,
    Square,
    Diamond,
    Up,
    Down,
    Plus,
    Cross,
}

/// A mark, full or hollow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    shape: Shape,
    full: bool,
}

/// How a curve looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub colour: RGBColor,
    /// Strokes and gaps in turn \[mm\]; solid if there are none.
    pub dash: &'static [f64],
    mark: Option<Mark>,
    /// Whether every point has a mark and no line joins them.
    pub scattered: bool,
    /// Whether marks stand at points of the curve, not at even distances along it.
    pub at_points: bool,
}

const fn marked(colour: RGBColor, dash: &'static [f64], shape: Shape, full: bool) -> Look {
    Look { colour, dash, mark: Some(Mark { shape, full }), scattered: false, at_points: false }
}

/// One curve alone.
pub(super) const PLAIN: Look =
    Look { colour: BLUE, dash: SOLID, mark: None, scattered: false, at_points: false };
/// What others are compared with.
pub(super) const GUIDE: Look =
    Look { colour: GREY, dash: SHORT, mark: None, scattered: false, at_points: false };

/// Looks for many curves in one panel; no two share a mark.
const MANY: [Look; 14] = [
    marked(BLACK, SOLID, Shape::Circle, true),
    marked(RED, LONG, Shape::Square, false),
    marked(BLUE, SHORT, Shape::Up, true),
    marked(GREEN, DASH_DOT, Shape::Diamond, false),
    marked(PURPLE, SOLID, Shape::Down, true),
    marked(ORANGE, LONG, Shape::Circle, false),
    marked(SKY, SOLID, Shape::Square, true),
    marked(GREY, SHORT, Shape::Plus, true),
    marked(RED, SOLID, Shape::Diamond, true),
    marked(BLUE, DASH_DOT, Shape::Down, false),
    marked(GREEN, SOLID, Shape::Cross, true),
    marked(PURPLE, LONG, Shape::Up, false),
    marked(BLACK, DOTS, Shape::Plus, true),
    marked(ORANGE, DASH_DOT, Shape::Cross, true),
];

/// The k-th look; from the 15th on they begin again.
pub(super) fn look(k: usize) -> Look {
    MANY[k % MANY.len()]
}

impl Look {
    /// The same as marks alone.
    pub(super) fn points(self) -> Self {
        Self { scattered: true, ..self }
    }

    /// The same with marks only where something was computed.
    pub(super) fn at_points(self) -> Self {
        Self { at_points: true, ..self }
    }

    /// Draws the mark at a place in dots.
    pub(super) fn stamp(&self, area: &Area<'_>, place: (i32, i32)) -> Drawn {
        let Some(mark) = self.mark else { return Ok(()) };
        let line = self.colour.stroke_width(mm(LINE * 0.8).unsigned_abs());
        for open in mark.strokes() {
            let element = EmptyElement::at(place) + PathElement::new(open, line);
            area.draw(&element).map_err(flaw)?;
        }
        let outline = mark.outline();
        if outline.is_empty() {
            return Ok(());
        }
        let closed: Vec<_> = outline.iter().chain(outline.first()).copied().collect();
        let fill = if mark.full { self.colour.filled() } else { WHITE.filled() };
        let element =
            EmptyElement::at(place) + Polygon::new(outline, fill) + PathElement::new(closed, line);
        area.draw(&element.into_dyn()).map_err(flaw)
    }
}

impl Mark {
    /// The corners of a closed mark, in dots about its middle.
    fn outline(self) -> Vec<(i32, i32)> {
        let corners = |list: &[(f64, f64)]| {
            list.iter().map(|(x, y)| (mm(MARK * x), mm(MARK * y))).collect::<Vec<_>>()
        };
        match self.shape {
            Shape::Circle => {
                let turn = |k: u32| f64::from(k) * std::f64::consts::TAU / 24.0;
                let points: Vec<_> = (0..24).map(|k| (turn(k).cos(), turn(k).sin())).collect();
                corners(&points)
            }
            Shape::Square => corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Shape::Diamond => corners(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
            Shape::Up => corners(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
            Shape::Down => corners(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
            Shape::Plus | Shape::Cross => Vec::new(),
        }
    }

    /// The strokes of an open mark.
    fn strokes(self) -> Vec<Vec<(i32, i32)>> {
        let stroke =
            |x: f64, y: f64| vec![(mm(-MARK * x), mm(-MARK * y)), (mm(MARK * x), mm(MARK * y))];
        match self.shape {
            Shape::Plus => vec![stroke(1.2, 0.0), stroke(0.0, 1.2)],
            Shape::Cross => vec![stroke(0.9, 0.9), stroke(0.9, -0.9)],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_looks_share_mark_and_dashes() {
        for (k, a) in MANY.iter().enumerate() {
            for b in &MANY[..k] {
                assert!((a.dash, a.mark) != (b.dash, b.mark), "{a:?} {b:?}");
            }
        }
    }
}
