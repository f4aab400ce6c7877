//! What is recorded while something touches: the contacts and the machine at the same instants, thinned.
//!
//! A record is needed where a straight line between its neighbours would miss a force, a gap, a speed or a friction force by more than a
//! fixed part of the greatest value since the onset. That is decided while the run goes on: slopes of lines from the last record kept are
//! bounded by every record seen since (swinging-door compression), so that the memory does not grow with a contact that lasts.

use crate::contact::friction::Sliding;
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::broad_phase::FEW;
use crate::simulate::mode::{Spot, Status};
use crate::simulate::record::Observer;
use crate::simulate::record::Recorder;
use crate::simulate::record::outcome::{ContactSample, Ledger, Sample};
use crate::simulate::scenario::Scenario;

use crate::simulate::system::tangent::TangentFrame;
use crate::simulate::system::{Motion, MotionError};
use crate::simulate::trajectory::Trajectory;
use serde::{Deserialize, Serialize};

/// Straight lines between the records kept miss those left out by at most this part of the greatest value since the onset; the same
/// holds for the lines between the records seen, so that both together stay below 1e-3.
const MISSED: f64 = 0.5e-3;
/// Before the peak the greatest value is that seen so far, or this part of the peak of an elastic impact.
const FORESEEN: f64 = 0.5;
/// The most records between two observations of a step.
const MOST_BETWEEN: f64 = 16.0;
/// Quantities of a contact that are followed: force, gap, speed, three components of the friction force.
const FOLLOWED: usize = 6;

/// The machine and its contacts at one instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The machine.
    pub sample: Sample,
    /// The points that touch or stay.
    pub contacts: Vec<ContactSample>,
    /// Whether it is kept in any case: greatest indentations and forces.
    pub kept: bool,
}

impl Frame {
    fn t(&self) -> f64 {
        self.sample.state.t
    }

    /// The quantities that are followed.
    fn values(&self) -> impl Iterator<Item = f64> {
        self.contacts
            .iter()
            .flat_map(|c| [c.force, c.gap, c.delta_dot, c.friction.x, c.friction.y, c.friction.z])
    }
}

/// The thinning of records between two events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thinning {
    /// When the last record was kept \[s\]; none after an event.
    anchor: Option<f64>,
    /// What was recorded then.
    from: Vec<f64>,
    /// Bounds of the slopes from there.
    #[serde(with = "crate::maths::exact")]
    bounds: Vec<[f64; 2]>,
    /// The last record seen.
    pending: Option<Frame>,
    /// Greatest force, indentation and speed of each contact point since it touches.
    largest: Vec<[f64; 3]>,
}

impl Thinning {
    pub(in crate::simulate) fn new(spots: usize) -> Self {
        Self { largest: vec![[0.0; 3]; spots], ..Self::default() }
    }

    /// Whether the next record is the first after an event.
    pub(in crate::simulate) fn is_fresh(&self) -> bool {
        self.anchor.is_none()
    }

    /// A contact point begins to touch or to stay: its greatest values are those from now on.
    pub(in crate::simulate) fn forget(&mut self, k: usize) {
        self.largest[k] = [0.0; 3];
    }

    fn start_from(&mut self, frame: &Frame) {
        self.anchor = Some(frame.t());
        self.from.clear();
        self.from.extend(frame.values());
        self.bounds.clear();
        self.bounds.resize(self.from.len(), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    /// Whether a line from the last record kept to this one misses one seen between.
    fn misses(&self, frame: &Frame, after: f64) -> bool {
        let lines = frame.values().zip(&self.from).zip(&self.bounds);
        lines.into_iter().any(|((x, from), [low, high])| {
            let slope = (x - from) / after;
            slope < *low || slope > *high
        })
    }

    /// Lines that follow pass near this record.
    fn narrow(&mut self, frame: &Frame, after: f64, allowed: &[f64]) {
        for (i, x) in frame.values().enumerate() {
            let [low, high] = &mut self.bounds[i];
            *low = low.max((x - allowed[i] - self.from[i]) / after);
            *high = high.min((x + allowed[i] - self.from[i]) / after);
        }
    }
}

impl Motion<'_> {
    /// A contact point at the state observed last, with the energies along it.
    fn contact_sample(&mut self, t: f64, k: usize) -> Result<ContactSample, MotionError> {
        let Self { mechanism, state, spots, seen, frictions, states, z, z_dot, .. } = self;
        let sizes = &self.resolution;
        let at = mechanism.at(state)?;
        let (spot, status) = spots[k];
        let see = seen[k];
        let touch = at.touch(spot.contact)?;
        let met = touch.points()[spot.point.min(touch.points().len() - 1)];
        let mut slip = Vec3::zeros();
        let mut friction = Vec3::zeros();
        if !at.model().contacts[spot.contact].is_stop() {
            let tangent = TangentFrame::new(&at, spot.contact, &met, sizes);
            let in_world = |x: [f64; 2]| tangent.tangents[0] * x[0] + tangent.tangents[1] * x[1];
            slip = in_world(tangent.slip);
            friction = in_world(match status {
                Status::Touching(_) => {
                    let own = states[k].clone();
                    let x = Sliding { normal: see.force.max(0.0), slip: tangent.slip };
                    let law = frictions[spot.contact].as_ref();
                    law.map_or([0.0; 2], |law| law.force(&x, &z[own.clone()], &mut z_dot[own]))
                }
                Status::Staying(grip) => {
                    let slides = crate::simulate::resolve::friction_mode::along(
                        grip,
                        &tangent,
                        at.model().is_planar(),
                    );
                    match (slides, self.dry[spot.contact]) {
                        (Some(along), Some(dry)) => {
                            along.map(|d| -dry.coefficient(tangent.speed()) * see.force * d)
                        }
                        _ => self.constraints.grip(k),
                    }
                }
                Status::Open | Status::Parted(_) => [0.0; 2],
            });
        }
        let (impact_energy, admissible_energy) = self.along[k];
        let rigid = status.stays();
        let [delta, delta_dot] = if rigid { [0.0; 2] } else { [-see.gap, -see.rate] };
        Ok(ContactSample {
            t,
            spot,
            gap: see.gap,
            delta,
            delta_dot,
            force: see.force,
            friction,
            slip,
            point: (met.on_a + met.on_b) * 0.5,
            impact_energy,
            admissible_energy,
        })
    }
}

/// Whether a law or a constraint acts.
pub(in crate::simulate) fn acts(status: &Status) -> bool {
    matches!(status, Status::Touching(_) | Status::Staying(_))
}

impl Observer<'_, '_> {
    /// Adds what was looked at last to the records of this step; `between` is its y.
    pub fn take_frame(&mut self, t: f64, kept: bool) -> Result<(), SimulateError> {
        let y = std::mem::take(&mut self.path.step.between);
        let ledger = self.ledger_of(t, &y);
        self.path.step.between = y;
        let ledger = ledger?;
        if self.record.frames.len() == self.record.frames_used {
            let contacts = Vec::new();
            let state: State = self.path.watch.state.clone();
            let ledger = Ledger::default();
            let (impact_energies, reactions) = (Vec::new(), Vec::new());
            let sample = Sample { state, ledger, impact_energies, reactions, event: false };
            self.record.frames.push(Frame { sample, contacts, kept });
        }
        self.path.watch.energies_along().at_time(t)?;
        let mut frame = self.record.frames.swap_remove(self.record.frames_used);
        frame.kept = kept;
        frame.contacts.clear();
        for k in 0..self.path.watch.spots.len() {
            if acts(&self.path.watch.spots[k].1) {
                frame.contacts.push(self.path.watch.contact_sample(t, k).at_time(t)?);
            }
        }
        frame.sample.state.copy_from(&self.path.watch.state);
        frame.sample.ledger = ledger;
        frame.sample.impact_energies.clear();
        if self.path.watch.along.len() <= FEW {
            frame.sample.impact_energies.extend(self.path.watch.along.iter().map(|e| e.0));
        }
        self.write_reactions(t, &mut frame.sample.reactions)?;
        self.record.frames.push(frame);
        let last = self.record.frames.len() - 1;
        self.record.frames.swap(self.record.frames_used, last);
        self.record.frames_used += 1;
        Ok(())
    }

    /// Thins the records of this step: evenly spaced observations from its beginning on, and those at greatest values.
    pub fn record_step(&mut self, fresh: bool) -> Result<(), SimulateError> {
        let looks = self.record.frames_used;
        self.record.follow_largest();
        let allowed = self.record.allowed(self.path);
        let span = [self.path.method.t_old(), self.path.method.t()];
        if looks > 2 {
            let between = self.record.missing_between(looks, &allowed);
            for i in 1..looks {
                let [a, b] = [self.record.frames[i - 1].t(), self.record.frames[i].t()];
                for part in 1..=between {
                    let t = a + (b - a) * part as f64 / (between + 1) as f64;
                    self.observe_for_peaks(t)?;
                    self.take_frame(t, false)?;
                }
            }
        }
        for t in std::mem::take(&mut self.record.marks) {
            if t > span[0] && t < span[1] {
                self.observe_for_peaks(t)?;
                self.take_frame(t, true)?;
            }
        }
        let mut frames = std::mem::take(&mut self.record.frames);
        let used = self.record.frames_used;
        frames[..used].sort_by(|a, b| a.t().total_cmp(&b.t()));
        for frame in &frames[..used] {
            if frame.t() > span[0] || fresh {
                self.offer(frame, &allowed);
            }
        }
        self.record.frames = frames;
        self.record.frames_used = 0;
        Ok(())
    }

    /// One more record: it, or the one before it, is kept if lines need it.
    fn offer(&mut self, frame: &Frame, allowed: &[f64]) {
        let t = frame.t();
        let all = self.path.scenario.samples_all;
        // Other points act than before.
        if self.record.thinning.from.len() != FOLLOWED * frame.contacts.len() {
            self.record.flush_frames();
        }
        let Some(anchor) = self.record.thinning.anchor else {
            self.record.thinning.start_from(frame);
            self.record.keep(frame);
            return;
        };
        let mut after = t - anchor;
        if self.record.thinning.misses(frame, after)
            && let Some(pending) = self.record.thinning.pending.take()
        {
            self.record.thinning.start_from(&pending);
            after = t - pending.t();
            self.record.keep(&pending);
            self.record.thinning.pending = Some(pending);
        }
        if !(after > 0.0) {
            return;
        }
        if frame.kept || all {
            self.record.thinning.start_from(frame);
            self.record.thinning.pending = None;
            self.record.keep(frame);
            return;
        }
        self.record.thinning.narrow(frame, after, allowed);
        match &mut self.record.thinning.pending {
            Some(pending) => pending.clone_from(frame),
            none => *none = Some(frame.clone()),
        }
    }
}

impl Recorder {
    /// How far lines may miss each quantity of the points that act.
    fn allowed(&self, path: &Trajectory<'_>) -> Vec<f64> {
        let mut out = Vec::new();
        for (k, (spot, status)) in path.watch.spots.iter().enumerate() {
            if !acts(status) {
                continue;
            }
            let [mut force, mut depth, mut speed] = self.thinning.largest[k];
            if let Some([f, d, v]) = self.expected(path, k, *spot, status) {
                force = force.max(FORESEEN * f);
                depth = depth.max(FORESEEN * d);
                speed = speed.max(v);
            }
            let [f, d, v] = [force, depth, speed].map(|x| MISSED * x);
            // A rigid contact that stays has no gap and no speed but round-off.
            let [d, v] = if status.stays() { [f64::INFINITY; 2] } else { [d, v] };
            out.extend([f, d, v, f, f, f]);
        }
        out
    }

    /// Peak force, depth and speed of the elastic impact of the same m_eff and approach speed.
    fn expected(
        &self,
        path: &Trajectory<'_>,
        k: usize,
        spot: Spot,
        status: &Status,
    ) -> Option<[f64; 3]> {
        let (Status::Touching(onset), Some(record)) = (status, self.current[k]) else {
            return None;
        };
        let speed = self.out.impacts[record].approach_speed;
        // Laws divide by a least speed, and a contact that is slower is not foreseen by them.
        if speed < onset.speed {
            return None;
        }
        let depth = path.elastic_depth(spot, onset)?;
        Some([onset.effective_mass * speed * speed / depth, depth, speed])
    }

    /// Greatest values so far of the points that act.
    fn follow_largest(&mut self) {
        let Self { thinning, frames, frames_used, out, .. } = self;
        for c in frames[..*frames_used].iter().flat_map(|f| &f.contacts) {
            let Some(k) = out.spots.iter().position(|spot| *spot == c.spot) else { continue };
            let [force, depth, speed] = &mut thinning.largest[k];
            *force = force.max(c.force.abs());
            *depth = depth.max(c.gap.abs());
            *speed = speed.max(c.delta_dot.abs());
        }
    }

    /// How many records are missing between two observations, so that lines between them are near enough.
    fn missing_between(&self, looks: usize, allowed: &[f64]) -> usize {
        let mut worst: f64 = 0.0;
        for three in self.frames[..looks].windows(3) {
            let [a, b, c] = three else { continue };
            let values = a.values().zip(b.values()).zip(c.values()).zip(allowed);
            for (((a, b), c), allowed) in values {
                // A line over a parabola misses it by an eighth of the second difference.
                let missed = (a - 2.0 * b + c).abs() / 8.0;
                if missed > *allowed {
                    worst = worst.max(missed / allowed);
                }
            }
        }
        // From 0 to MOST_BETWEEN, or ∞.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let between = worst.sqrt().ceil().min(MOST_BETWEEN) as usize;
        between.saturating_sub(1)
    }

    /// Before an event: the last record is kept, and the next one begins anew.
    pub fn flush_frames(&mut self) {
        if let Some(pending) = self.thinning.pending.take() {
            self.keep(&pending);
        }
        self.thinning.anchor = None;
    }

    /// Records the contacts, and the machine unless it is recorded at that instant.
    fn keep(&mut self, frame: &Frame) {
        self.out.contacts.extend(&frame.contacts);
        let t = frame.t();
        let before = self.out.samples.iter().rfind(|s| s.state.t <= t);
        if before.is_none_or(|s| s.state.t < t) {
            self.insert_sample(frame.sample.clone());
        }
    }
}

impl Scenario {
    /// Whether the inside of impacts is recorded.
    pub fn records_inside(&self) -> bool {
        self.samples > 1 || self.samples_all
    }
}
