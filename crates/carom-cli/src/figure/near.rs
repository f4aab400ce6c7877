//! A path near a person as a strip chart: speed and allowed speed, utilisation, robot mass.

use carom::answer::robot::PathAnswer;

use super::axis::Axis;
use super::legend::{Entry, ROW, legend};
use super::look::{GUIDE, PLAIN};
use super::panel::{Curve, Panel};
use super::{WIDTH, mm, sheet, write};

/// Height of the heading \[mm\].
const HEAD: f64 = 8.0;
/// Height of a strip \[mm\].
const STRIP: f64 = 42.0;
/// Points of a curve: more than can be told apart on paper.
const MOST_POINTS: usize = 1500;

/// The sheet as SVG.
pub(crate) fn draw(path: &PathAnswer) -> Result<String, String> {
    let shown = thinned(path);
    let timed = path.t.len() == path.samples;
    let x = |k: usize| if timed { path.t[k] } else { (k + 1) as f64 };
    let places: Vec<f64> = shown.iter().map(|&k| x(k)).collect();
    let label = if timed { "time [s]" } else { "sample" };
    let across = Axis::over(label, &places);
    let curve = |of: &dyn Fn(usize) -> f64, look| Curve {
        points: shown.iter().map(|&k| (x(k), of(k))).collect(),
        look,
    };
    // What allows any speed would flatten the rest.
    let fastest = path.speed.iter().copied().fold(0.0, f64::max);
    let speeds = path.speed.iter().chain(&path.allowed_speed).copied();
    let speeds = speeds.filter(|v| *v <= 3.0 * fastest.max(f64::MIN_POSITIVE));
    let speed = Axis::of("speed", "m/s", speeds);
    let used = Axis::of("force / limit", "1", path.utilisation.iter().copied().chain([1.0]));
    let used = Axis { label: "force / limit".to_owned(), factor: 1.0, ..rescaled(used) };
    let heaviest = path.robot_mass.iter().copied().filter(|m| m.is_finite());
    let mass = rescaled(Axis::of("m_R", "kg", heaviest));
    let mass = Axis { label: "m_R [kg]".to_owned(), ..mass };
    let strips = [
        (speed, vec![curve(&|k| path.speed[k], PLAIN), curve(&|k| path.allowed_speed[k], GUIDE)]),
        (used, vec![curve(&|k| path.utilisation[k], PLAIN), curve(&|_| 1.0, GUIDE)]),
        (mass, vec![curve(&|k| path.robot_mass[k], PLAIN)]),
    ];
    sheet(HEAD + 3.0 * STRIP + 2.0 * ROW + 2.0, |area| {
        let (head, mut rest) = area.split_vertically(mm(HEAD));
        let who = if path.free { "a free" } else { "a clamped" };
        let title = format!("{} near {who} person, {} samples", path.point, path.samples);
        write(&head, &title, (4.0, 0.6 * HEAD), 3.2)?;
        for (y, curves) in &strips {
            let (strip, below) = rest.split_vertically(mm(STRIP));
            Panel { title: "", x: &across, y, curves }.draw(&strip)?;
            rest = below;
        }
        let entries: [Entry; 2] =
            [(PLAIN, "the path".to_owned()), (GUIDE, "what all regions allow".to_owned())];
        legend(&rest.margin(0, 0, mm(16.0), 0), &entries, 1, 0.4 * WIDTH)
    })
}

/// The axis in plain units.
fn rescaled(axis: Axis) -> Axis {
    Axis { low: axis.low * axis.factor, high: axis.high * axis.factor, factor: 1.0, ..axis }
}

/// Of every stretch of samples the one with the greatest utilisation, so that no peak is lost.
fn thinned(path: &PathAnswer) -> Vec<usize> {
    let step = path.samples.div_ceil(MOST_POINTS).max(1);
    let most = |first: usize| {
        let last = (first + step).min(path.samples);
        (first..last).max_by(|a, b| path.utilisation[*a].total_cmp(&path.utilisation[*b]))
    };
    (0..path.samples).step_by(step).filter_map(most).collect()
}
