//! Contacts over time: indentation and force while they touch, and where they touch.

use serde_json::{Value, json};

use super::super::short;
use super::super::thin::thinned;
use super::{DIGITS, RunData, TIME, moves};
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

/// So many samples of each touch that all together are not too many: short ones leave room to long ones.
fn most_of_each(out: &Outcome) -> usize {
    let end = out.state.t;
    let impacts = out.impacts.iter().map(|i| (i.spot, i.onset, i.parting.unwrap_or(end)));
    let stays = out.stays.iter().map(|s| (s.spot, s.from, s.to.unwrap_or(end)));
    let sizes: Vec<usize> = impacts
        .chain(stays)
        .map(|(spot, from, to)| {
            let first = out.contacts.partition_point(|c| c.t < from);
            let inside = out.contacts[first..].iter().take_while(|c| c.t <= to);
            inside.filter(|c| c.spot == spot).count()
        })
        .collect();
    let (mut low, mut high) = (LEAST_SAMPLES, MOST_SAMPLES.max(LEAST_SAMPLES + 1));
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        let total: usize = sizes.iter().map(|size| (*size).min(middle)).sum();
        if total > MOST_SAMPLES {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// All spots, and how many of their samples are kept.
pub(super) fn value(run: &RunData<'_>, places: &Places) -> (Value, [usize; 2]) {
    let (model, out) = (run.model, run.outcome);
    let all = out.contacts.len();
    let most = most_of_each(out);
    let mut kept = 0;
    let mut spots = Vec::with_capacity(out.spots.len());
    for ((spot, name), places) in out.spots.iter().zip(&run.spots).zip(&places.spots) {
        let samples: Vec<&ContactSample> =
            out.contacts.iter().filter(|c| c.spot == *spot).collect();
        let chosen = chosen(&samples, out, *spot, (most, all));
        kept += chosen.len();
        let chosen = with_peaks(chosen, out, *spot);
        let column =
            |of: &dyn Fn(&ContactSample) -> Value| chosen.iter().map(of).collect::<Value>();
        let vector = |x: &Vec3| x.iter().map(|c| short(*c, DIGITS)).collect::<Value>();
        let angular =
            matches!(model.contacts[spot.contact].geometry, ContactGeometry::Stop(s) if s.angular);
        spots.push(json!({
            "name": name,
            "angular": angular,
            "moves": moves(model, spot.contact),
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

/// The samples with those of the peak forces, which lie between them; indentation and its rate there are interpolated.
fn with_peaks(chosen: Vec<&ContactSample>, out: &Outcome, spot: Spot) -> Vec<ContactSample> {
    let mut all: Vec<ContactSample> = chosen.into_iter().copied().collect();
    for i in out.impacts.iter().filter(|i| i.spot == spot) {
        let Some(force) = i.peak_force else { continue };
        let t = i.time_of_peak;
        let next = all.partition_point(|c| c.t < t);
        let Some(&after) = all.get(next).filter(|c| c.t != t) else { continue };
        // Before the first sample of an impact stands its onset.
        let onset = (i.onset, 0.0, i.approach_speed);
        let before = next.checked_sub(1).map(|k| all[k]).filter(|c| c.t >= i.onset);
        let (t0, d0, v0) = before.map_or(onset, |c| (c.t, c.delta, c.delta_dot));
        let part = if after.t > t0 { (t - t0) / (after.t - t0) } else { 0.0 };
        let between = |a: f64, b: f64| a + part * (b - a);
        let (delta, delta_dot) = (between(d0, after.delta), between(v0, after.delta_dot));
        all.insert(next, ContactSample { t, delta, delta_dot, force, ..after });
    }
    all
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
