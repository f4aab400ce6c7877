//! Over the reach of the tip: in slices of equal height, the range of m_eff and the least permitted speed of all poses that reach a cell.
//!
//! Poses fill the joints' ranges evenly (Sobol's sequence), so the map shows what is attained by some pose; between two poses of the sequence a heavier
//! one may lie, and a cell that no pose fell into is empty.

use schemars::JsonSchema;
use serde::Serialize;

use super::arm::pose;
use super::near::{Allowed, by_limits, regions};
use super::{Arm, NearOptions, RobotMass};
use crate::answer::{AnswerError, components};
use crate::dynamics::{Memory, Posture, RowWork};
use crate::file::Opened;
use crate::impact::PointMobility;
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::maths::digits::three;
use crate::model::{JointKind, Model};
use crate::study::{MOST_DIMENSIONS, Sobol, chance};

/// How many poses may be asked for.
const POSES: [usize; 2] = [100, 10_000_000];
/// With closures every pose is assembled, which takes a hundred times longer: one pose in so many.
const ASSEMBLED: usize = 50;
/// Cells along x, along y, and slices along z.
const CELLS: [usize; 3] = [32, 32, 6];

/// m_eff and permitted speed over the reach, cell by cell: slice after slice along z, in each row after row along y.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorkspaceAnswer {
    /// The answer in a sentence.
    pub sentence: String,
    /// Poses that were evaluated.
    pub poses: usize,
    /// Poses of the sequence that closures or joint ranges do not allow.
    pub skipped: usize,
    /// The joints that were moved.
    pub moved_joints: Vec<String>,
    /// The least and greatest position of each \[rad or m\].
    pub joint_ranges: Vec<[f64; 2]>,
    /// Joints that stay where they are: held ones, and those without one coordinate.
    pub held_joints: Vec<String>,
    /// The direction that m_eff is along; `null` for all directions, from the lightest to the heaviest.
    pub along: Option<[f64; 3]>,
    /// The least coordinates that the tip reached \[m\].
    pub reach_low: [f64; 3],
    /// The greatest \[m\].
    pub reach_high: [f64; 3],
    /// How many cells along x, y and z.
    pub cells: [usize; 3],
    /// Poses in each cell.
    pub cell_poses: Vec<usize>,
    /// The least m_eff of each cell \[kg\]; `null` without a pose.
    pub least_mass: Vec<Option<f64>>,
    /// The greatest m_eff of each cell \[kg\]; `null` without a pose, or where nothing moves along a direction.
    pub greatest_mass: Vec<Option<f64>>,
    /// The least speed that all regions allow with a clamped person in each cell \[m/s\]; `null` without a pose or limits.
    pub least_speed: Vec<Option<f64>>,
    /// The lightest pose: m_eff \[kg\].
    pub lightest: f64,
    /// Its joint positions \[rad or m\].
    pub lightest_at: Vec<f64>,
    /// The heaviest pose: m_eff \[kg\]; `null` where nothing moves along a direction.
    #[schemars(with = "Option<f64>")]
    pub heaviest: f64,
    /// Its joint positions \[rad or m\].
    pub heaviest_at: Vec<f64>,
    /// The least permitted speed of all \[m/s\], at the heaviest pose; `null` without limits.
    pub slowest: Option<f64>,
}

/// What a pose of the tip gives.
struct Sample {
    p: Vec3,
    least: f64,
    greatest: f64,
    q: Vec<f64>,
}

impl WorkspaceAnswer {
    /// Of an opened machine with about so many poses.
    pub(crate) fn new(
        opened: &Opened,
        options: &NearOptions,
        wanted: usize,
    ) -> Result<Self, AnswerError> {
        options.check()?;
        if !(POSES[0]..=POSES[1]).contains(&wanted) {
            let message = format!("{wanted} poses, expected {} to {}", POSES[0], POSES[1]);
            return Err(AnswerError::asked("workspace", message));
        }
        let arm = Arm::new(opened, &options.tip)?;
        let ranges = Ranges::of(&arm)?;
        let direction = options.tip.directions.first().map(|d| arm.unit(d)).transpose()?;
        let standard =
            (options.tip.mass == Some(RobotMass::Standard)).then(|| arm.carried().standard());
        let (samples, skipped) = samples(&arm, options, &ranges, direction, wanted)?;
        let (Some(first), names) = (samples.first(), &arm.model().bodies) else {
            let message = "no pose of the sequence keeps the closures and the joints' ranges";
            return Err(AnswerError::asked("workspace", message));
        };
        let (low, high) =
            samples.iter().fold((first.p, first.p), |(l, h), s| (l.inf(&s.p), h.sup(&s.p)));
        let lightest = samples.iter().min_by(|a, b| a.least.total_cmp(&b.least)).unwrap_or(first);
        let heaviest =
            samples.iter().max_by(|a, b| a.greatest.total_cmp(&b.greatest)).unwrap_or(first);
        let mut cells = CELLS;
        if arm.model().is_planar() {
            cells[2] = 1;
        }
        let allowed = Allowed::new(&regions(options, 1.0));
        let speed = |m: f64| allowed.clamped(standard.unwrap_or(m)).map(|(v, _)| v);
        let name = |k: &usize| names[*k].joint.name.clone();
        let mut out = Self {
            sentence: String::new(),
            poses: samples.len(),
            skipped,
            moved_joints: ranges.moved.iter().map(|(k, _)| name(k)).collect(),
            joint_ranges: ranges.moved.iter().map(|(_, range)| *range).collect(),
            held_joints: ranges.held.iter().map(name).collect(),
            along: direction.map(|n| components(&n)),
            reach_low: components(&low),
            reach_high: components(&high),
            cells,
            cell_poses: Vec::new(),
            least_mass: Vec::new(),
            greatest_mass: Vec::new(),
            least_speed: Vec::new(),
            lightest: lightest.least,
            lightest_at: lightest.q.clone(),
            heaviest: heaviest.greatest,
            heaviest_at: heaviest.q.clone(),
            slowest: speed(heaviest.greatest),
        };
        out.fill(&samples, &speed);
        out.sentence = out.told();
        if out.slowest.is_some() {
            out.sentence += &by_limits(options);
        }
        Ok(out)
    }

    /// The cell of a place.
    fn cell(&self, p: &Vec3) -> usize {
        let [nx, ny, _] = self.cells;
        let [i, j, k] = [0, 1, 2].map(|axis| {
            let span = self.reach_high[axis] - self.reach_low[axis];
            let part = if span > 0.0 { (p[axis] - self.reach_low[axis]) / span } else { 0.0 };
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and the number of cells"
            )]
            let k = (part * self.cells[axis] as f64) as usize;
            k.min(self.cells[axis] - 1)
        });
        (k * ny + j) * nx + i
    }

    fn fill(&mut self, samples: &[Sample], speed: &dyn Fn(f64) -> Option<f64>) {
        let n = self.cells.iter().product();
        let mut ends = vec![(f64::INFINITY, 0.0_f64); n];
        self.cell_poses = vec![0; n];
        for sample in samples {
            let k = self.cell(&sample.p);
            self.cell_poses[k] += 1;
            ends[k] = (ends[k].0.min(sample.least), ends[k].1.max(sample.greatest));
        }
        let there = |k: &usize| self.cell_poses[*k] > 0;
        let of = |pick: &dyn Fn(usize) -> Option<f64>| -> Vec<Option<f64>> {
            (0..n).map(|k| Some(k).filter(there).and_then(pick).filter(|x| x.is_finite())).collect()
        };
        let (least, greatest, slowest) =
            (of(&|k| Some(ends[k].0)), of(&|k| Some(ends[k].1)), of(&|k| speed(ends[k].1)));
        (self.least_mass, self.greatest_mass, self.least_speed) = (least, greatest, slowest);
    }

    fn told(&self) -> String {
        let how = match self.along {
            Some(n) => format!("along ({})", n.map(three).join(", ")),
            None => "over all directions".to_owned(),
        };
        let heaviest = super::tip::kilograms(self.heaviest);
        let speed = self.slowest.map_or_else(String::new, |v| {
            format!("; a clamped person allows at least {} m/s everywhere", three(v))
        });
        format!(
            "In {} poses within the joints' ranges m_eff {how} is between {} and {heaviest}{speed}.",
            self.poses,
            super::tip::kilograms(self.lightest)
        )
    }
}

/// The joints that are moved, with their ranges, and those that are not.
struct Ranges {
    moved: Vec<(usize, [f64; 2])>,
    held: Vec<usize>,
}

impl Ranges {
    fn of(arm: &Arm) -> Result<Self, AnswerError> {
        let mut out = Self { moved: Vec::new(), held: Vec::new() };
        let layout = Memory::with_locked(arm.model(), &arm.locked);
        for (k, body) in arm.model().bodies.iter().enumerate() {
            let joint = &body.joint;
            let one = joint.kind.positions() == 1;
            let free = joint.velocities().all(|v| layout.layout().is_free(v));
            if joint.kind.velocities() == 0 {
                continue;
            }
            if !(one && free) {
                out.held.push(k);
                continue;
            }
            let range = match (joint.range, joint.kind) {
                (Some(range), _) => range,
                // A joint that turns without end passes every angle within a turn.
                (None, JointKind::Revolute) => [-std::f64::consts::PI, std::f64::consts::PI],
                (None, _) => {
                    let message = format!(
                        "joint `{}` slides and has no `range` in the file: its reach has no end",
                        joint.name
                    );
                    return Err(AnswerError::asked("workspace", message));
                }
            };
            out.moved.push((k, range));
        }
        if out.moved.is_empty() {
            let message = "no joint with one coordinate is free to move";
            return Err(AnswerError::asked("workspace", message));
        }
        Ok(out)
    }

    /// Positions of a point of the sequence, over those that stay.
    fn place(&self, model: &Model, sobol: Option<&Sobol>, point: u64, q: &mut [f64]) {
        for (d, (k, [low, high])) in self.moved.iter().enumerate() {
            let x = match sobol {
                Some(sobol) => sobol.coordinate(point, d),
                None => chance::unit(chance::bits(0, d as u64, point)),
            };
            q[model.bodies[*k].joint.positions().start] = low + (high - low) * x;
        }
    }

    /// Whether positions lie within the ranges, up to the tolerance of assembly.
    fn hold(&self, model: &Model, q: &[f64]) -> bool {
        self.moved.iter().all(|(k, [low, high])| {
            let x = q[model.bodies[*k].joint.positions().start];
            let room = 1e-9 * (high - low);
            x >= low - room && x <= high + room
        })
    }
}

/// The poses of the sequence that can be taken, and how many cannot.
fn samples(
    arm: &Arm,
    options: &NearOptions,
    ranges: &Ranges,
    direction: Option<Vec3>,
    wanted: usize,
) -> Result<(Vec<Sample>, usize), AnswerError> {
    let model = arm.model();
    let sobol = Some(ranges.moved.len()).filter(|n| *n <= MOST_DIMENSIONS);
    let sobol = sobol.and_then(|n| Sobol::new(n, None));
    let held = options.tip.mass != Some(RobotMass::Free);
    let mut memory = Memory::with_locked(model, if held { &arm.locked } else { &[] });
    let mut work = RowWork::new(memory.layout());
    let mut state: State = arm.opened.assembled.state.clone();
    state.v.fill(0.0);
    let loops = !model.closures.is_empty();
    let count = if loops { wanted.div_ceil(ASSEMBLED) } else { wanted };
    let mut standing = arm.opened.clone();
    let mut out = Vec::with_capacity(count);
    let start = state.q.as_slice().to_vec();
    for point in 1..=count as u64 {
        let mut q = start.clone();
        ranges.place(model, sobol.as_ref(), point, &mut q);
        if loops {
            if pose(&mut standing, &q).is_err() {
                continue;
            }
            q = standing.assembled.state.q.as_slice().to_vec();
            if !ranges.hold(model, &q) {
                continue;
            }
        }
        state.q.as_mut_slice().copy_from_slice(&q);
        let at = memory.at(model, &state).map_err(|error| arm.wrong(error))?;
        out.push(sample(arm, &at, direction, &mut work, q));
    }
    let skipped = count - out.len();
    Ok((out, skipped))
}

fn sample(
    arm: &Arm,
    at: &Posture<'_>,
    direction: Option<Vec3>,
    work: &mut RowWork,
    q: Vec<f64>,
) -> Sample {
    let p = at.frames().point(&arm.anchor);
    let found = PointMobility::of_point(at, arm.anchor.body, p, work);
    let masses: Vec<f64> = match direction {
        Some(n) => vec![found.mass(&n)],
        None => found.principal_directions().iter().map(|n| found.mass(n)).collect(),
    };
    let least = masses.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = masses.iter().copied().fold(0.0, f64::max);
    Sample { p, least, greatest, q }
}
