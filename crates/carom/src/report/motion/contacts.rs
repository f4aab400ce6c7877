//! Contacts over time: indentation and force while they touch, and where they touch.

use serde_json::{Value, json};

use super::super::short;
use super::super::thin::thinned;
use super::{DIGITS, RunData, TIME};
use crate::dynamics::Posture;
use crate::maths::Vec3;
use crate::model::ContactGeometry;
use crate::simulate::{ContactSample, Outcome, Spot};

/// Samples kept of all contacts together.
const MOST_SAMPLES: usize = 9000;
/// Samples of one touch below which its loop is not smooth.
const LEAST_SAMPLES: usize = 24;

/// Where spots touch: time, point and normal.
pub(super) struct Places {
    spots: Vec<Vec<(f64, Vec3, Vec3)>>,
    /// For each spot the times from and to which it touches or stays.
    intervals: Vec<Vec<(f64, f64)>>,
}

impl Places {
    pub fn new(out: &Outcome) -> Self {
        let end = out.state.t;
        let of = |spot: &Spot| {
            let impacts = out.impacts.iter().filter(|i| i.spot == *spot);
            let stays = out.stays.iter().filter(|s| s.spot == *spot);
            let impacts = impacts.map(|i| (i.onset, i.parting.unwrap_or(end)));
            impacts.chain(stays.map(|s| (s.from, s.to.unwrap_or(end)))).collect()
        };
        let intervals = out.spots.iter().map(of).collect();
        Self { spots: vec![Vec::new(); out.spots.len()], intervals }
    }

    /// One moment; a contact without a normal is not drawn there.
    pub fn add(&mut self, at: &Posture<'_>, out: &Outcome) {
        let t = at.state().t;
        for (k, spot) in out.spots.iter().enumerate() {
            if !self.intervals[k].iter().any(|(from, to)| (*from..=*to).contains(&t)) {
                continue;
            }
            let Ok(touch) = at.touch(spot.contact) else { continue };
            if let Some(point) = touch.points().get(spot.point) {
                let middle = (point.on_a + point.on_b) * 0.5;
                self.spots[k].push((t, middle, point.normal));
            }
        }
    }
}

/// All spots, and how many of their samples are kept.
pub(super) fn value(run: &RunData<'_>, places: Places) -> (Value, [usize; 2]) {
    let (model, out) = (run.model, run.outcome);
    let all = out.contacts.len();
    let touches = out.impacts.len().max(1) + out.stays.len();
    let most = (MOST_SAMPLES / touches).max(LEAST_SAMPLES);
    let mut kept = 0;
    let mut spots = Vec::with_capacity(out.spots.len());
    for ((spot, name), places) in out.spots.iter().zip(&run.spots).zip(&places.spots) {
        let samples: Vec<&ContactSample> =
            out.contacts.iter().filter(|c| c.spot == *spot).collect();
        let chosen = chosen(&samples, out, *spot, (most, all));
        kept += chosen.len();
        let column =
            |of: &dyn Fn(&ContactSample) -> Value| chosen.iter().map(|c| of(c)).collect::<Value>();
        let vector = |x: &Vec3| x.iter().map(|c| short(*c, DIGITS)).collect::<Value>();
        let angular =
            matches!(model.contacts[spot.contact].geometry, ContactGeometry::Stop(s) if s.angular);
        spots.push(json!({
            "name": name,
            "angular": angular,
            "t": column(&|c| short(c.t, TIME + 2)),
            "delta": column(&|c| short(c.delta, DIGITS)),
            "rate": column(&|c| short(c.delta_dot, DIGITS)),
            "force": column(&|c| short(c.force, DIGITS)),
            "places": {
                "t": places.iter().map(|(t, ..)| short(*t, TIME)).collect::<Value>(),
                "at": places.iter().map(|(_, p, _)| vector(p)).collect::<Value>(),
                "normal": places.iter().map(|(_, _, n)| vector(n)).collect::<Value>(),
            },
        }));
    }
    (Value::Array(spots), [kept, all])
}

/// The samples of a spot that are kept: of each touch so many, with its ends and the greatest force and indentation.
fn chosen<'a>(
    samples: &[&'a ContactSample],
    out: &Outcome,
    spot: Spot,
    (most, all): (usize, usize),
) -> Vec<&'a ContactSample> {
    if all <= MOST_SAMPLES {
        return samples.to_vec();
    }
    let end = out.state.t;
    let mut touches: Vec<(f64, f64)> = (out.impacts.iter().filter(|i| i.spot == spot))
        .map(|i| (i.onset, i.parting.unwrap_or(end)))
        .chain(out.stays.iter().filter(|s| s.spot == spot).map(|s| (s.from, s.to.unwrap_or(end))))
        .collect();
    touches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut chosen = Vec::new();
    let mut next = 0;
    for (_, to) in touches.into_iter().chain([(0.0, f64::INFINITY)]) {
        let first = next;
        next += samples[first..].partition_point(|c| c.t <= to);
        let part = &samples[first..next];
        let largest = |of: &dyn Fn(&ContactSample) -> f64| {
            (0..part.len()).max_by(|a, b| of(part[*a]).total_cmp(&of(part[*b])))
        };
        let peaks = [largest(&|c| c.force), largest(&|c| c.delta)];
        let keep = thinned(part.len(), most, |k| k == 0 || peaks.contains(&Some(k)));
        chosen.extend(keep.into_iter().map(|k| part[k]));
    }
    chosen
}
