//! Impacts over time and as loops: indentation and force over time on the left, force over indentation on the right.

use carom::answer::laws::CurvePoint;

use super::axis::Axis;
use super::look::Look;
use super::panel::{Curve, Panel};
use super::{Area, Drawn};

/// An impact to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub samples: Vec<CurvePoint>,
    pub look: Look,
}

/// Draws impacts into an area: two panels above each other on the left, one on the right.
pub(super) fn history(area: &Area<'_>, titles: [&str; 2], tracks: &[Track]) -> Drawn {
    let (left, right) =
        area.split_horizontally(i32::try_from(area.dim_in_pixel().0 / 2).unwrap_or(0));
    // The lower one has the numbers of the common axis below it, the upper one the title.
    let height = f64::from(left.dim_in_pixel().1);
    let (upper, lower) = left.split_vertically(0.48 * height);
    let all = |value: fn(&CurvePoint) -> f64| {
        tracks.iter().flat_map(move |track| track.samples.iter().map(value))
    };
    let time = Axis::of("time", "s", all(|s| s.t));
    let depth = Axis::of("indentation δ", "m", all(|s| s.delta));
    let force = Axis::of("force F", "N", all(|s| s.force));
    let curves = |value: fn(&CurvePoint) -> (f64, f64)| -> Vec<Curve> {
        let curve = |track: &Track| Curve {
            points: track.samples.iter().map(value).collect(),
            look: track.look,
        };
        tracks.iter().map(curve).collect()
    };
    let over_time = curves(|s| (s.t, s.delta));
    let muted = time.mute();
    Panel { title: titles[0], x: &muted, y: &depth, curves: &over_time }.draw(&upper)?;
    let over_time = curves(|s| (s.t, s.force));
    Panel { title: "", x: &time, y: &force, curves: &over_time }.draw(&lower)?;
    let loops = curves(|s| (s.delta, s.force));
    Panel { title: titles[1], x: &depth, y: &force, curves: &loops }.draw(&right)
}
