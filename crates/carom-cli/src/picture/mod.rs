//! The moving picture of a run as a GIF: what the page shows, for places that show no pages (a README, a chat).

mod canvas;
mod gif;
mod stage;

use serde_json::Value;

use self::canvas::{Canvas, Colour};
use self::stage::Stage;

/// Pictures in a second; a GIF counts in hundredths.
const RATE: f64 = 20.0;
/// How long the picture moves \[s\]: the motion's own time between these, slower or faster beyond.
const SHORTEST: f64 = 3.0;
const LONGEST: f64 = 6.0;
/// How long an impact is marked \[s of the picture\].
const MARKED: f64 = 0.4;
/// The width of the picture, and the bounds of its height \[pixels\].
const WIDTH: usize = 480;
const HEIGHTS: std::ops::RangeInclusive<f64> = 200.0..=480.0;

const PAPER: Colour = [1.0, 1.0, 1.0];
const MARK: Colour = [0.835, 0.0, 0.0];
const TIME: Colour = [0.45, 0.45, 0.45];

/// The first run of the data of a page, as a GIF.
pub(crate) fn gif(data: &Value) -> Result<Vec<u8>, String> {
    let run = &data["runs"][0];
    let stage = Stage::new(&data["scene"], run).ok_or("the run has no motion to draw")?;
    let [width, height] = stage.size();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within HEIGHTS")]
    let rows = (WIDTH as f64 * height / width).clamp(*HEIGHTS.start(), *HEIGHTS.end()) as usize;
    let end = stage.end();
    let seconds = end.clamp(SHORTEST, LONGEST);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 120")]
    let count = (seconds * RATE).round() as usize;
    let mut frames = Vec::with_capacity(count);
    for k in 0..count {
        let part = k as f64 / (count - 1) as f64;
        let t = end * part;
        let mut canvas = Canvas::new(WIDTH, rows, PAPER);
        canvas.look_at(stage.center(), stage.size());
        for (shape, colour, opacity) in stage.shapes(t) {
            canvas.draw(&shape, colour, opacity);
        }
        for (place, age) in stage.struck(t, MARKED * end / seconds) {
            canvas.ring(place, 6.0 + 10.0 * age, MARK, 1.0 - age);
        }
        canvas.bar(part, TIME);
        frames.push(canvas);
    }
    Ok(gif::encode(&frames, RATE))
}
