//! A path near a person: at every sample m_eff along the motion, the predicted force in every region, and the speed that is allowed.

use schemars::JsonSchema;
use serde::Serialize;

use super::path_text::PathText;
use super::push::{NoPush, StaticPush};
use super::{Arm, NearOptions, RegionAnswer, RobotMass};
use crate::answer::AnswerError;
use crate::dynamics::{ClosureTest, Memory, RowWork, RowWrench};
use crate::impact::EffectiveMass;
use crate::kinematics::{Frames, State};
use crate::maths::Vec3;
use crate::maths::digits::three;

/// Closures that are open by more than this part of their size are no pose of the machine.
const OPEN: f64 = 1e-6;
/// Stretches that a sentence names.
const MOST_NAMED: usize = 3;

/// A path, judged at every sample. The columns stand in the CSV of `carom near --path`, not in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathAnswer {
    /// The file, as it was named.
    pub path_file: String,
    /// The point that is judged: a body or `body.marker`.
    pub point: String,
    /// How many samples.
    pub samples: usize,
    /// Whether it is judged for a person who can give way; otherwise for a clamped one.
    pub free: bool,
    /// The largest predicted force divided by its limit.
    pub greatest_utilisation: f64,
    /// The sample where, from 1.
    pub greatest_at: usize,
    /// The region that governs there.
    pub greatest_in: String,
    /// Where the path is too fast.
    pub slow: Vec<SlowStretch>,
    /// Time of each sample \[s\]; empty if the path has none.
    #[serde(skip)]
    pub t: Vec<f64>,
    /// Speed of the tip \[m/s\].
    #[serde(skip)]
    pub speed: Vec<f64>,
    /// The robot mass along the motion \[kg\]; ∞ where nothing gives way.
    #[serde(skip)]
    pub robot_mass: Vec<f64>,
    /// T_c = ½ m_R v² \[J\].
    #[serde(skip)]
    pub impact_energy: Vec<f64>,
    /// The speed that all regions allow \[m/s\].
    #[serde(skip)]
    pub allowed_speed: Vec<f64>,
    /// Predicted force divided by its limit, of the region that governs.
    #[serde(skip)]
    pub utilisation: Vec<f64>,
    /// The region that governs, as a position in the answer's regions.
    #[serde(skip)]
    pub governing: Vec<usize>,
    /// Force with which the joints can press along the motion at rest, the least of effort / |J_n| \[N\]; NaN where it is unknown.
    #[serde(skip)]
    pub static_push: Vec<f64>,
    /// The greatest of them.
    #[serde(skip)]
    pub(super) push: PathPush,
    /// Predicted force F = v √(μ k) \[N\], samples × judged regions.
    #[serde(skip)]
    pub force: Vec<f64>,
    /// The regions that are judged, as positions in the answer's regions.
    #[serde(skip)]
    pub judged: Vec<usize>,
}

/// The greatest static push of a path \[N\], the joint velocity that gives way first there, and the sample, from 1; or why it is unknown.
pub(super) type PathPush = Result<(f64, usize, usize), NoPush>;

/// Consecutive samples that are too fast.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SlowStretch {
    /// The first, from 1.
    pub first: usize,
    /// The last.
    pub last: usize,
    /// The least speed that is allowed there \[m/s\].
    pub allowed_speed: f64,
    /// The region that governs there.
    pub region: String,
}

impl PathAnswer {
    /// `Slow samples 212-240 to 0.31 m/s.`
    pub(super) fn told(&self) -> String {
        let who = if self.free { "a free" } else { "a clamped" };
        let worst = three(100.0 * self.greatest_utilisation);
        let peak = format!(
            "the largest predicted force is {worst} % of its limit, at sample {} (`{}`)",
            self.greatest_at, self.greatest_in
        );
        if self.slow.is_empty() {
            return format!(
                "Of {} samples none is too fast for {who} person: {peak}.",
                self.samples
            );
        }
        let one = |s: &SlowStretch| {
            let samples = if s.first == s.last {
                s.first.to_string()
            } else {
                format!("{}-{}", s.first, s.last)
            };
            format!("samples {samples} to {} m/s", three(s.allowed_speed))
        };
        let named: Vec<String> = self.slow.iter().take(MOST_NAMED).map(one).collect();
        let more = self.slow.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more stretches") } else { String::new() };
        format!("Slow {}{more}: for {who} person {peak}.", named.join(", "))
    }
}

/// One region that is judged: F / √k, √k, 1 / m_H.
struct Judged {
    speed_root: f64,
    root: f64,
    limit: f64,
    yields: f64,
}

/// Judges a path; the regions get their worst sample.
pub(super) fn judge_path(
    arm: &Arm,
    options: &NearOptions,
    regions: &mut [RegionAnswer],
    (name, text): (&str, &str),
) -> Result<PathAnswer, AnswerError> {
    let path = PathText::read(arm.model(), name, text)?;
    let (judged, constants) = chosen(regions, options.free);
    if judged.is_empty() {
        let message = "no region of the limits can be judged for a free person: none has `mass` and a transient limit";
        let clamped = "no region has a quasi-static limit";
        let message = if options.free { message } else { clamped };
        return Err(AnswerError::asked("limits", message));
    }
    let motion = PathMotion::of(arm, options, &path, name)?;
    let n = path.len();
    let mut out = PathAnswer {
        path_file: name.to_owned(),
        point: arm.name.clone(),
        samples: n,
        free: options.free,
        greatest_utilisation: 0.0,
        greatest_at: 1,
        greatest_in: String::new(),
        slow: Vec::new(),
        impact_energy: Vec::with_capacity(n),
        allowed_speed: Vec::with_capacity(n),
        utilisation: Vec::with_capacity(n),
        governing: Vec::with_capacity(n),
        force: Vec::with_capacity(n * judged.len()),
        static_push: motion.push,
        push: motion.greatest_push,
        t: path.t,
        speed: motion.speed,
        robot_mass: motion.mass,
        judged,
    };
    let mut worst = vec![(0.0_f64, 0_usize); out.judged.len()];
    for k in 0..n {
        let (v, m) = (out.speed[k], out.robot_mass[k]);
        let (mut allowed, mut governing) = (f64::INFINITY, 0);
        for (r, c) in constants.iter().enumerate() {
            // √μ = 1 / √(1/m_H + 1/m_R)
            let mu_root = (c.yields + 1.0 / m).sqrt().recip();
            let limit = c.speed_root / mu_root;
            let force = if v == 0.0 { 0.0 } else { v * mu_root * c.root };
            if limit < allowed {
                (allowed, governing) = (limit, r);
            }
            if force > worst[r].0 {
                worst[r] = (force, k);
            }
            out.force.push(force);
        }
        let used = out.force[k * constants.len() + governing] / constants[governing].limit;
        out.impact_energy.push(if v == 0.0 { 0.0 } else { 0.5 * m * v * v });
        out.allowed_speed.push(allowed);
        out.utilisation.push(used);
        out.governing.push(out.judged[governing]);
        if k == 0 || used > out.greatest_utilisation {
            (out.greatest_utilisation, out.greatest_at) = (used, k + 1);
            out.greatest_in.clone_from(&regions[out.judged[governing]].region);
        }
    }
    for ((&r, c), (force, k)) in out.judged.iter().zip(&constants).zip(worst) {
        // Of several points the one with the largest force stands there.
        if regions[r].path_force.is_some_and(|found| found >= force) {
            continue;
        }
        regions[r].path_point = Some(arm.name.clone());
        regions[r].path_force = Some(force);
        regions[r].path_utilisation = Some(force / c.limit);
        regions[r].path_sample = Some(k + 1);
    }
    out.slow = stretches(&out, regions);
    Ok(out)
}

/// The regions that can be judged.
fn chosen(regions: &[RegionAnswer], free: bool) -> (Vec<usize>, Vec<Judged>) {
    let one = |region: &RegionAnswer| {
        let limit = if free { region.transient_limit } else { region.quasi_static_limit }?;
        let yields = if free { 1.0 / region.body_mass? } else { 0.0 };
        let root = region.stiffness.sqrt();
        Some(Judged { speed_root: limit / root, root, limit, yields })
    };
    regions.iter().enumerate().filter_map(|(k, r)| one(r).map(|c| (k, c))).unzip()
}

/// Consecutive samples above the speed that is allowed.
fn stretches(path: &PathAnswer, regions: &[RegionAnswer]) -> Vec<SlowStretch> {
    let mut out: Vec<SlowStretch> = Vec::new();
    for k in 0..path.samples {
        let allowed = path.allowed_speed[k];
        if !(path.speed[k] > allowed) {
            continue;
        }
        let region = || regions[path.governing[k]].region.clone();
        match out.last_mut().filter(|s| s.last == k) {
            Some(stretch) => {
                stretch.last = k + 1;
                if allowed < stretch.allowed_speed {
                    (stretch.allowed_speed, stretch.region) = (allowed, region());
                }
            }
            None => out.push(SlowStretch {
                first: k + 1,
                last: k + 1,
                allowed_speed: allowed,
                region: region(),
            }),
        }
    }
    out
}

/// Speed and robot mass along the motion at every sample.
struct PathMotion {
    speed: Vec<f64>,
    mass: Vec<f64>,
    /// The static push; NaN where it is unknown.
    push: Vec<f64>,
    greatest_push: PathPush,
}

impl PathMotion {
    fn of(
        arm: &Arm,
        options: &NearOptions,
        path: &PathText,
        name: &str,
    ) -> Result<Self, AnswerError> {
        let model = arm.model();
        let n = path.len();
        let given = options.tip.directions.first().map(|d| arm.unit(d)).transpose()?;
        let (speed, directions) = directions(arm, path, given);
        let held = options.tip.mass != Some(RobotMass::Free);
        let mut memory = Memory::with_locked(model, if held { &arm.locked } else { &[] });
        let mut work = RowWork::new(memory.layout());
        let closures = ClosureTest::new(model);
        let mut state = State::as_written(model);
        state.v.fill(0.0);
        let standard =
            (options.tip.mass == Some(RobotMass::Standard)).then(|| arm.carried().standard());
        let mut pushing = StaticPush::new(arm, options)?;
        let mut mass = Vec::with_capacity(n);
        let mut push = Vec::with_capacity(n);
        let mut greatest_push: PathPush = Err(NoPush::NoLever);
        let loops = !model.closures.is_empty();
        for (k, direction) in directions.iter().enumerate() {
            let q = &path.q[k * model.nq..(k + 1) * model.nq];
            state.q.as_mut_slice().copy_from_slice(q);
            if loops && !path.v.is_empty() {
                let v = &path.v[k * model.nv..(k + 1) * model.nv];
                state.v.as_mut_slice().copy_from_slice(v);
            }
            let at = memory.at(model, &state).map_err(|error| arm.wrong(error))?;
            if loops {
                let open = [("positions", closures.gap(&at)), ("velocities", closures.rate(&at))];
                if let Some((what, by)) = open.into_iter().find(|(_, by)| !(*by <= OPEN)) {
                    let place = format!("{name}:{}", path.line[k]);
                    let message = format!(
                        "these {what} leave the closures open (residual {by:.1e} of the mechanism's size, expected at most {OPEN:.0e})"
                    );
                    return Err(AnswerError::asked(place, message));
                }
            }
            let p = at.frames().point(&arm.anchor);
            let row = RowWrench::of_normal(at.frames(), (None, p), (arm.anchor.body, p), direction);
            let natural = row.free_mobility(model, at.frames());
            let W = at.settled_mobility_in(&row, &mut work);
            let found = EffectiveMass::from_mobility(W, natural, 0.0, || 0.0).mass;
            mass.push(standard.unwrap_or(found));
            let found = pushing.at(&at, &row);
            push.push(found.map_or(f64::NAN, |(force, _)| force));
            greatest_push = match (greatest_push, found) {
                // No joint pushes along a direction that stands for a motion at rest: another sample decides.
                (before, Err(NoPush::NoLever)) => before,
                (Err(why), _) if why != NoPush::NoLever => Err(why),
                (_, Err(why)) => Err(why),
                (Ok(before), Ok((force, _))) if before.0 >= force => Ok(before),
                (_, Ok((force, joint))) => Ok((force, joint, k + 1)),
            };
        }
        Ok(Self { speed, mass, push, greatest_push })
    }
}

/// Speed and unit vector of the motion of the tip: by its velocities, or by its way between the neighbouring samples. A sample at rest
/// has the direction that was asked for, or that of the one before it.
fn directions(arm: &Arm, path: &PathText, given: Option<Vec3>) -> (Vec<f64>, Vec<Vec3>) {
    let (model, n) = (arm.model(), path.len());
    let mut frames = Frames::new(model);
    let still = vec![0.0; model.nv];
    let mut points = Vec::with_capacity(n);
    let mut velocities = Vec::with_capacity(n);
    for k in 0..n {
        let v = if path.v.is_empty() { &still } else { &path.v[k * model.nv..(k + 1) * model.nv] };
        frames.update(&path.q[k * model.nq..(k + 1) * model.nq], v);
        points.push(frames.point(&arm.anchor));
        velocities.push(frames.velocity(&arm.anchor));
    }
    if path.v.is_empty() {
        for k in 0..n {
            let way = points[(k + 1).min(n - 1)] - points[k.saturating_sub(1)];
            velocities[k] = way.try_normalize(0.0).unwrap_or_else(Vec3::zeros) * path.speed[k];
        }
    }
    let units: Vec<Option<Vec3>> =
        velocities.iter().map(|w| w.try_normalize(0.0).or(given)).collect();
    let mut last = units.iter().find_map(|u| *u).unwrap_or_else(Vec3::x);
    let filled = units.into_iter().map(|u| {
        last = u.unwrap_or(last);
        last
    });
    let filled = filled.collect();
    let speed = if path.v.is_empty() {
        path.speed.clone()
    } else {
        velocities.iter().map(nalgebra::Matrix::norm).collect()
    };
    (speed, filled)
}
