//! A sample of uncertain numbers: histogram and distribution function, the convergence, the contact laws.

use carom::answer::study::{MeasureSpread, SpreadAnswer, UncertaintyReading};

use super::axis::Axis;
use super::legend::{Entry, ROW, legend};
use super::look::{GUIDE, Look, PLAIN, look};
use super::panel::{Curve, Panel};
use super::{Area, Drawn, WIDTH, mm, sheet};

/// Heights of a row of panels \[mm\].
const PANELS: f64 = 66.0;
/// Bins of a histogram at least and at most.
const BINS: [usize; 2] = [8, 60];
/// Room above the highest bin, and beside what converges.
const ROOM: f64 = 0.08;
/// Points of a distribution function that are drawn.
const MOST_STEPS: usize = 600;

/// The name of an estimate, and its value with its standard error.
type Asked = (&'static str, fn(&SpreadAnswer) -> [f64; 2]);

fn label(measure: &MeasureSpread) -> String {
    measure.measure.heading()
}

/// Histogram and distribution function of a measure, with the median and the 90 % between p5 and p95; none where it does not vary.
pub(crate) fn distribution(
    reading: &UncertaintyReading,
    measure: &MeasureSpread,
) -> Result<Option<String>, String> {
    let mut values = reading.values(&measure.measure.name);
    values.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (values.first().copied(), values.last().copied()) else {
        return Ok(None);
    };
    if !(most > least) {
        return Ok(None);
    }
    let n = values.len();
    // The rule of Freedman and Diaconis: twice the distance of the quartiles over the cube root of n.
    let quartiles = values[3 * n / 4] - values[n / 4];
    let width = 2.0 * quartiles / (n as f64).cbrt();
    let ideal = if width > 0.0 { (most - least) / width } else { BINS[0] as f64 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let bins = (ideal.ceil() as usize).clamp(BINS[0], BINS[1]);
    let size = (most - least) / bins as f64;
    let mut counts = vec![0_usize; bins];
    for x in &values {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ x ≤ bins")]
        let bin = ((x - least) / size) as usize;
        counts[bin.min(bins - 1)] += 1;
    }
    let mut outline = vec![(least, 0.0)];
    for (k, count) in counts.iter().enumerate() {
        let share = 100.0 * *count as f64 / n as f64;
        outline.push((least + size * k as f64, share));
        outline.push((least + size * (k + 1) as f64, share));
    }
    outline.push((most, 0.0));
    let top = outline.iter().map(|p| p.1).fold(0.0, f64::max);
    let step = n.div_ceil(MOST_STEPS).max(1);
    let mut function: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .step_by(step)
        .map(|(k, x)| (*x, 100.0 * (k as f64 + 0.5) / n as f64))
        .collect();
    function.push((most, 100.0));
    let marks = |height: f64| -> Vec<Curve> {
        let spread = &measure.spread;
        let at = |x: f64, look: Look| Curve { points: vec![(x, 0.0), (x, height)], look };
        let ends = [&spread.p5, &spread.p95].map(|e| at(e.value, GUIDE));
        let mut out = vec![at(spread.median.value, look(1))];
        out.extend(ends);
        out
    };
    let x = Axis::over(&label(measure), &[least, most]);
    let shares = Axis::over("share of the points in a bin [%]", &[0.0, top * (1.0 + ROOM)]);
    let all = Axis::over("share of the points below [%]", &[0.0, 100.0]);
    let entries: Vec<Entry> = [PLAIN, look(1), GUIDE]
        .into_iter()
        .zip(["the sample", "median", "p5 and p95: 90 % between them"].map(str::to_owned))
        .collect();
    let drawn = sheet(PANELS + 3.0 + ROW, |area| {
        let (body, foot) = area.split_vertically(mm(PANELS));
        let (left, right) = body.split_horizontally(mm(0.5 * WIDTH));
        panel(&x, &shares, outline, marks(top), &left)?;
        panel(&x, &all, function, marks(100.0), &right)?;
        let foot = foot.margin(0, 0, mm(16.0), mm(2.0));
        legend(&foot, &entries, 1, (WIDTH - 20.0) / 3.0)
    });
    drawn.map(Some)
}

fn panel(
    x: &Axis,
    y: &Axis,
    points: Vec<(f64, f64)>,
    mut curves: Vec<Curve>,
    area: &Area<'_>,
) -> Drawn {
    curves.push(Curve { points, look: PLAIN });
    Panel { title: "", x, y, curves: &curves }.draw(area)
}

/// Mean, median and p95 from more and more points, within a standard error on both sides; none of a single step.
pub(crate) fn convergence(measure: &MeasureSpread) -> Result<Option<String>, String> {
    let steps = &measure.convergence;
    if steps.len() < 2 {
        return Ok(None);
    }
    let asked: [Asked; 3] = [
        ("mean", |s| [s.mean.value, s.mean.error]),
        ("median", |s| [s.median.value, s.median.error]),
        ("p95", |s| [s.p95.value, s.p95.error]),
    ];
    let over: Vec<f64> = steps.iter().map(|s| (s.points as f64).log2()).collect();
    let x = Axis::over("points of the sample, as a power of two", &over);
    let drawn = sheet(PANELS, |area| {
        for ((name, of), part) in asked.iter().zip(area.split_evenly((1, 3))) {
            let line = |shift: f64| -> Vec<(f64, f64)> {
                let values = steps.iter().map(of).map(|[x, e]| x + shift * e);
                over.iter().copied().zip(values).collect()
            };
            let all: Vec<f64> = [-1.0, 0.0, 1.0]
                .iter()
                .flat_map(|shift| line(*shift))
                .map(|p| p.1)
                .filter(|y| y.is_finite())
                .collect();
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let room = ROOM * (high - low).max(1e-12 * high.abs());
            let unit = &measure.measure.unit;
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let y = Axis::over(&format!("{name}{unit}"), &[low - room, high + room]);
            let curves = [
                Curve { points: line(-1.0), look: GUIDE },
                Curve { points: line(1.0), look: GUIDE },
                Curve { points: line(0.0), look: look(0).at_points() },
            ];
            Panel { title: "", x: &x, y: &y, curves: &curves }.draw(&part)?;
        }
        Ok(())
    });
    drawn.map(Some)
}
