//! The reach of a tip in slices of equal height: m_eff or permitted speed by cells.

use carom::answer::robot::WorkspaceAnswer;

use super::axis::Axis;
use super::map::{Field, maps, span};
use crate::number::three;

/// The sheet as SVG: the least permitted speed, or the least and the greatest m_eff.
pub(crate) fn draw(tip: &str, found: &WorkspaceAnswer, speed: bool) -> Result<String, String> {
    let fields = if speed && found.least_speed.iter().any(Option::is_some) {
        slices(found, &found.least_speed, "least v_max [m/s], clamped")
    } else {
        let mut all = slices(found, &found.greatest_mass, "greatest m_eff [kg]");
        all.extend(slices(found, &found.least_mass, "least m_eff [kg]"));
        all
    };
    maps(&format!("{tip} over its reach, {} poses", found.poses), &fields)
}

/// A field for each slice; all have the same colours.
fn slices(found: &WorkspaceAnswer, values: &[Option<f64>], what: &str) -> Vec<Field> {
    let [nx, ny, nz] = found.cells;
    let number = |x: &Option<f64>| x.unwrap_or(f64::NAN);
    let all: Vec<f64> = values.iter().map(number).collect();
    let ends = span(&all);
    // Values stand in the middle of their cells.
    let axis = |label: &str, k: usize| {
        let half = 0.5 * (found.reach_high[k] - found.reach_low[k]) / found.cells[k] as f64;
        let (low, high) = (found.reach_low[k] + half, found.reach_high[k] - half);
        if high > low {
            Axis::plain(label, low, high)
        } else {
            Axis::plain(label, low - 0.5, low + 0.5)
        }
    };
    let height = |k: usize| {
        let step = (found.reach_high[2] - found.reach_low[2]) / nz as f64;
        [k, k + 1].map(|k| three(found.reach_low[2] + step * k as f64))
    };
    let one = |k: usize| {
        let [low, high] = height(k);
        let place = if nz > 1 { format!(", z {low} to {high} m") } else { String::new() };
        Field {
            title: format!("{what}{place}"),
            x: axis("x [m]", 0),
            y: axis("y [m]", 1),
            size: (nx, ny),
            values: all[k * nx * ny..(k + 1) * nx * ny].to_vec(),
            extremes: None,
            shared: Some(ends),
        }
    };
    (0..nz).map(one).collect()
}
