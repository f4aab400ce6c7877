//! Figures as SVG: laid out in millimetres, drawn by plotters, the same bytes on every run.

mod axis;
pub(crate) mod catalogue;
#[cfg(feature = "reproduce")]
pub(crate) mod chart;
mod dash;
mod file;
pub(crate) mod fit;
mod history;
pub(crate) mod impact;
mod legend;
mod look;
pub(crate) mod map;
pub(crate) mod near;
pub(crate) mod optimise;
mod panel;
mod paper;
pub(crate) mod study;
pub(crate) mod tip;
pub(crate) mod uncertainty;
pub(crate) mod workspace;

pub(crate) use file::Target;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::prelude::{BLACK, Color as _, DrawingArea, IntoDrawingArea as _, TextStyle, WHITE};
use plotters::style::IntoFont as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Dots in a millimetre: plotters counts whole dots, and curves are to be smooth in print.
const DOTS: f64 = 20.0;
/// What plotters divides a text's size by to get its em.
const EM: f64 = 1.24;
/// The width of a sheet \[mm\].
const WIDTH: f64 = 190.0;

/// A part of the sheet.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What drawing ends with.
type Drawn = Result<(), String>;

/// Dots of a length \[mm\].
#[allow(clippy::cast_possible_truncation, reason = "a few thousand dots at most")]
fn mm(length: f64) -> i32 {
    (length * DOTS).round() as i32
}

/// A text style of that em \[mm\].
fn font(size: f64) -> TextStyle<'static> {
    ("sans-serif", size * DOTS * EM).into_font().color(&BLACK)
}

/// What plotters reports, in words; it cannot happen in memory.
fn flaw(error: impl std::fmt::Display) -> String {
    format!("the figure cannot be drawn: {error}")
}

/// Writes a line of text with its left middle at a place \[mm\].
fn write(area: &Area<'_>, text: &str, (x, y): (f64, f64), size: f64) -> Drawn {
    let style = font(size).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(text, &style, (mm(x), mm(y))).map_err(flaw)
}

/// A sheet of that height \[mm\] as SVG text.
fn sheet(height: f64, draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, String> {
    let mut text = String::new();
    let dots = [mm(WIDTH), mm(height)].map(i32::unsigned_abs);
    {
        let area = SVGBackend::with_string(&mut text, (dots[0], dots[1])).into_drawing_area();
        area.fill(&WHITE.to_rgba()).map_err(flaw)?;
        draw(&area)?;
        area.present().map_err(flaw)?;
    }
    // The size on paper; the view box keeps the dots.
    let size = format!("width=\"{}\" height=\"{}\"", dots[0], dots[1]);
    Ok(text.replacen(&size, &format!("width=\"{WIDTH}mm\" height=\"{height}mm\""), 1))
}
