//! Assembly: a pose that closes all loops and meets all targets, and velocities to go with it.
//!
//! Positions and velocities that the file states are kept if any solution keeps them; only if none
//! does may they move, as little as possible in the metric of the mass matrix, and that is reported.

mod newton;
mod velocity;

use self::newton::Newton;
use self::velocity::{scale_energy, settle};
use super::error::DynamicsError;
use super::mechanism::{Mechanism, free_columns};
use super::row;
use crate::kinematics::{Frames, State};
use crate::maths::Vec3;
use crate::model::closure::CouplingTerm;
use crate::model::{Anchor, Model, Place, Row};

/// A closed loop: every residual below this part of its row's natural size.
const CLOSED: f64 = 1e-11;
/// A mechanism with more velocities than this is tried from fewer starts: each takes its time.
const LARGE: usize = 400;
/// Starts tried then.
const STARTS_WHEN_LARGE: usize = 2;
/// Starts tried when none has led to a closed pose.
const FAILED_STARTS: usize = 16;
/// Starts tried when a branch is asked for or the given pose leads nowhere.
const MOST_STARTS: usize = 96;

/// An assembled state and what it took.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The state.
    pub state: State,
    /// Residual of each closure \[m\] or \[rad\].
    pub residuals: Vec<(String, f64)>,
    /// Joints whose stated position had to change, and by how much.
    pub moved: Vec<(String, f64)>,
    /// Joints whose stated velocity had to change, and by how much.
    pub changed: Vec<(String, f64)>,
    /// Largest change of any joint velocity (stated or not) that consistency needed, before velocities
    /// are scaled to a kinetic energy.
    pub velocity_change: f64,
    /// Newton steps.
    pub steps: usize,
    /// Which start led to the solution; 0 is the pose of the file.
    pub start: usize,
    /// Closures whose axes came out pointing opposite ways.
    pub flipped: Vec<String>,
}

/// Assembles a model from the positions and velocities written in its file.
pub fn assemble(model: &Model) -> Result<Assembled, DynamicsError> {
    let problem = Problem::new(model);
    let written = State::as_written(model);
    let (mut state, steps, start) = problem.pose(&written)?;
    let moved = problem.moved(&written, &state);
    let before = state.v.clone();
    let changed = problem.velocities(&mut state)?;
    let velocity_change = (&state.v - &before).amax();
    let mut mechanism = Mechanism::new(model);
    settle(&mut mechanism, &mut state, before)?;
    scale_energy(&mut mechanism, &mut state)?;
    let mut frames = Frames::new(model);
    frames.update(state.q.as_slice(), state.v.as_slice());
    let residuals = model
        .closures
        .iter()
        .map(|c| {
            let worst = c.rows.iter().map(|r| row::residual(r, &frames, state.q.as_slice()).abs());
            (c.name.clone(), worst.fold(0.0, f64::max))
        })
        .collect();
    let flipped = flipped(model, &frames);
    Ok(Assembled { state, residuals, moved, changed, velocity_change, steps, start, flipped })
}

/// Closes all loops from a state near to closed, moving joints as little as possible in the mass
/// metric; velocities stay as they are.
pub fn close_loops(model: &Model, state: &State) -> Result<State, DynamicsError> {
    let problem = Problem::closures(model);
    if problem.rows.is_empty() {
        return Ok(state.clone());
    }
    let reached = Newton::new(&problem, &free_columns(model)).run(state)?;
    if reached.worst <= CLOSED {
        return Ok(reached.state);
    }
    Err(DynamicsError::NotAssembled { open: problem.by_owner(&reached.residuals, CLOSED) })
}

/// Whether a state keeps the closures of its model, as parts of their natural sizes.
#[derive(Clone, Debug)]
pub struct ClosureTest {
    natural: Vec<f64>,
}

impl ClosureTest {
    /// Memory for a model; nothing allocates after it is made.
    pub fn new(model: &Model) -> Self {
        Self { natural: Problem::closures(model).natural }
    }

    /// The largest residual of a closure row, divided by its natural size (the mechanism's size where it is a length).
    pub fn gap(&self, at: &super::Posture<'_>) -> f64 {
        let q = at.state().q.as_slice();
        let rows = at.layout().rows.iter().zip(&self.natural);
        rows.map(|(r, size)| row::residual(r, at.frames(), q).abs() / size).fold(0.0, f64::max)
    }

    /// The largest rate |D v| of a closure row, divided by what the speeds of its two bodies could give it; zero at rest.
    pub fn rate(&self, at: &super::Posture<'_>) -> f64 {
        let v = &at.state().v;
        let relative = |(r, row): (usize, &Row)| {
            let (rate, most) = match (at.closure_row(r), row) {
                (Some(w), _) => {
                    let side = |place: Place, wrench: &crate::maths::Wrench| {
                        let twist = at.frames().twist(place);
                        wrench.force.norm() * twist.lin.norm()
                            + wrench.moment.norm() * twist.ang.norm()
                    };
                    (at.rate(&w), side(w.a, &w.on_a) + side(w.b, &w.on_b))
                }
                (None, Row::Coupling { terms, .. }) => {
                    let parts = || terms.iter().map(|t| t.coefficient * v[t.v]);
                    (parts().sum::<f64>(), parts().map(f64::abs).sum())
                }
                (None, _) => (0.0, 0.0),
            };
            if most > 0.0 { rate.abs() / most } else { 0.0 }
        };
        at.layout().rows.iter().enumerate().map(relative).fold(0.0, f64::max)
    }
}

/// Rows to close and who they belong to.
struct Problem<'m> {
    model: &'m Model,
    rows: Vec<Row>,
    owner: Vec<String>,
    size: f64,
    /// Natural size of each row's residual: the mechanism's where it is a length, one where it is a
    /// cosine.
    natural: Vec<f64>,
}

impl<'m> Problem<'m> {
    /// The closures alone.
    fn closures(model: &'m Model) -> Self {
        let mut rows = Vec::new();
        let mut owner = Vec::new();
        for closure in &model.closures {
            for row in &closure.rows {
                rows.push(row.clone());
                owner.push(format!("closures.{}", closure.name));
            }
        }
        Self::sized(model, rows, owner)
    }

    /// Closures and targets.
    fn new(model: &'m Model) -> Self {
        let Self { mut rows, mut owner, .. } = Self::closures(model);
        for target in &model.initial.points {
            for (k, wanted) in target.at.iter().enumerate() {
                let Some(wanted) = wanted else { continue };
                rows.push(component_row(k, *wanted, target.anchor));
                owner.push(format!("initial.points.{}", target.name));
            }
        }
        Self::sized(model, rows, owner)
    }

    fn sized(model: &'m Model, rows: Vec<Row>, owner: Vec<String>) -> Self {
        let reach = |x: &Vec3| x.norm();
        let joints = model.bodies.iter().map(|b| reach(&b.joint.in_parent.position));
        let anchors = rows.iter().flat_map(|r| match r {
            Row::InPlane { a, b, .. } => [reach(&a.at), reach(&b.at)],
            Row::Distance { a, b, length } => [reach(&a.at).max(*length), reach(&b.at)],
            _ => [0.0; 2],
        });
        let size = joints.chain(anchors).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let natural = rows.iter().map(|r| natural_size(model, r, size)).collect();
        Self { model, rows, owner, size, natural }
    }

    /// Residuals as parts of their natural sizes.
    fn relative<'r>(&'r self, residuals: &'r [f64]) -> impl Iterator<Item = f64> + 'r {
        residuals.iter().zip(&self.natural).map(|(r, size)| r / size)
    }

    fn residuals(&self, frames: &Frames, state: &State) -> Vec<f64> {
        self.rows.iter().map(|r| row::residual(r, frames, state.q.as_slice())).collect()
    }

    /// A pose that closes everything, the steps it took and the start it came from.
    fn pose(&self, written: &State) -> Result<(State, usize, usize), DynamicsError> {
        let branch = &self.model.initial.branch;
        let on_branch =
            |s: &State| branch.iter().find(|c| !(c.margin.value(s.t, s.q.as_slice(), &[]) > 0.0));
        let first = self.pose_from(written);
        let (mut best, mut steps) = match first {
            Ok((mut state, steps)) => {
                self.unwind(written, &mut state);
                if on_branch(&state).is_none() {
                    return Ok((state, steps, 0));
                }
                (None, steps)
            }
            Err(error) => (Some(error), 0),
        };
        if self.rows.is_empty() {
            // Nothing moves the joints: the stated pose itself misses the branch.
            let condition = on_branch(written).map_or(String::new(), |c| c.text.clone());
            return Err(DynamicsError::NoBranch { condition, tried: 1 });
        }
        let mut missed = None;
        let starts = if self.model.nv <= LARGE { MOST_STARTS } else { STARTS_WHEN_LARGE };
        for start in 1..=starts {
            let guess = self.other_start(written, start);
            match self.pose_from(&guess) {
                Ok((mut state, more)) => {
                    steps += more;
                    self.unwind(written, &mut state);
                    match on_branch(&state) {
                        None => return Ok((state, steps, start)),
                        Some(condition) => missed = Some(condition.text.clone()),
                    }
                    best = None;
                }
                Err(_) if best.is_none() => {}
                Err(error) => {
                    best = best.map(|known| nearer(known, error));
                    if start >= FAILED_STARTS {
                        break;
                    }
                }
            }
        }
        if let Some(error) = best {
            return Err(error);
        }
        let condition =
            missed.or_else(|| branch.first().map(|c| c.text.clone())).unwrap_or_default();
        Err(DynamicsError::NoBranch { condition, tried: starts + 1 })
    }

    /// First with stated positions held, then with all joints free.
    fn pose_from(&self, from: &State) -> Result<(State, usize), DynamicsError> {
        if self.rows.is_empty() {
            return Ok((from.clone(), 0));
        }
        let free = free_columns(self.model);
        let mut held = free.clone();
        for body in self.model.bodies.iter().filter(|b| b.joint.position_given) {
            held[body.joint.velocities()].fill(false);
        }
        let gentle = Newton::new(self, &held).run(from)?;
        if gentle.worst <= CLOSED {
            return Ok((gentle.state, gentle.steps));
        }
        let open = if held == free {
            gentle
        } else {
            let all = Newton::new(self, &free).run(from)?;
            if all.worst <= CLOSED {
                return Ok((all.state, all.steps));
            }
            all
        };
        Err(DynamicsError::NotAssembled { open: self.by_owner(&open.residuals, CLOSED) })
    }

    /// The worst residual of each owner above a part of its natural size, the largest first.
    fn by_owner(&self, residuals: &[f64], threshold: f64) -> Vec<(String, f64)> {
        let mut out: Vec<(String, f64)> = Vec::new();
        for ((owner, r), size) in self.owner.iter().zip(residuals).zip(&self.natural) {
            if r.abs() <= threshold * size {
                continue;
            }
            match out.iter_mut().find(|(name, _)| name == owner) {
                Some((_, worst)) => *worst = worst.max(r.abs()),
                None => out.push((owner.clone(), r.abs())),
            }
        }
        out.sort_by(|a, b| b.1.total_cmp(&a.1));
        out
    }

    /// Another start: first all unstated coordinates mirrored, then spread evenly over their range
    /// by multiples of irrational steps.
    fn other_start(&self, written: &State, number: usize) -> State {
        let mut state = written.clone();
        let held = free_columns(self.model);
        let mut irrational = 2.0_f64;
        for body in &self.model.bodies {
            let joint = &body.joint;
            if joint.position_given {
                continue;
            }
            let mut step = [0.0; crate::model::joint::MOST_VELOCITIES];
            for (c, column) in joint.velocities().enumerate() {
                if !held[column] {
                    continue;
                }
                irrational += 1.0;
                let spread = 2.0 * ((number as f64) * irrational.sqrt()).fract() - 1.0;
                let range = if joint.kind.is_angular(c) { std::f64::consts::PI } else { self.size };
                step[c] = range * spread;
                if let (1, Some(k)) = (number, joint.kind.position_of(c)) {
                    step[c] = -2.0 * written.q[joint.q + k];
                }
            }
            let q = &mut state.q.as_mut_slice()[joint.positions()];
            joint.kind.advance(q, &step);
        }
        state
    }

    /// Takes whole turns out of unstated angles, so that they lie within half a turn of where the
    /// file starts them (Newton's steps may be wide); an angle that a coupling counts keeps its turns.
    fn unwind(&self, written: &State, state: &mut State) {
        let counted = |q: usize| {
            self.rows.iter().any(|r| match r {
                Row::Coupling { terms, .. } => terms.iter().any(|t| t.q == q),
                _ => false,
            })
        };
        for body in self.model.bodies.iter().filter(|b| !b.joint.position_given) {
            let joint = &body.joint;
            for c in 0..joint.kind.velocities() {
                let (Some(k), true) = (joint.kind.position_of(c), joint.kind.is_angular(c)) else {
                    continue;
                };
                let q = joint.q + k;
                if !counted(q) {
                    let turns = (state.q[q] - written.q[q]) / std::f64::consts::TAU;
                    state.q[q] -= std::f64::consts::TAU * turns.round();
                }
            }
        }
    }

    /// Stated positions that assembly had to change.
    fn moved(&self, before: &State, after: &State) -> Vec<(String, f64)> {
        let mut out = Vec::new();
        for body in self.model.bodies.iter().filter(|b| b.joint.position_given) {
            let range = body.joint.positions();
            let change = range.map(|k| (after.q[k] - before.q[k]).abs()).fold(0.0, f64::max);
            if change > 1e-12 {
                out.push((body.joint.name.clone(), change));
            }
        }
        out
    }
}

/// The size a row's residual has when it is not closed at all.
fn natural_size(model: &Model, row: &Row, size: f64) -> f64 {
    match row {
        Row::InPlane { .. } | Row::Distance { .. } => size,
        Row::Perpendicular { .. } => 1.0,
        Row::Coupling { terms, .. } => {
            let term = |t: &CouplingTerm| {
                let joint = &model.bodies[t.body.index()].joint;
                let range = if joint.kind.is_angular(t.v - joint.v) { 1.0 } else { size };
                t.coefficient.abs() * range
            };
            let sum: f64 = terms.iter().map(term).sum();
            if sum > 0.0 { sum } else { 1.0 }
        }
    }
}

/// The row that holds a world coordinate of a point at a value.
fn component_row(k: usize, value: f64, point: Anchor) -> Row {
    let mut direction = Vec3::zeros();
    direction[k] = 1.0;
    Row::InPlane { a: Anchor { body: None, at: direction * value }, direction, b: point }
}

/// Of two failures the one that came nearer to closing.
fn nearer(a: DynamicsError, b: DynamicsError) -> DynamicsError {
    let worst = |e: &DynamicsError| match e {
        DynamicsError::NotAssembled { open } => open.first().map_or(0.0, |x| x.1),
        _ => f64::INFINITY,
    };
    if worst(&b) < worst(&a) { b } else { a }
}

/// Closures whose z axes, meant to be parallel, came out opposite.
fn flipped(model: &Model, frames: &Frames) -> Vec<String> {
    let mut out = Vec::new();
    for closure in &model.closures {
        let axes: Vec<(Place, Vec3, Place, Vec3)> = closure
            .rows
            .iter()
            .filter_map(|r| match r {
                Row::Perpendicular { a, direction_a, b, direction_b } => {
                    Some((*a, *direction_a, *b, *direction_b))
                }
                _ => None,
            })
            .collect();
        let [x, y, ..] = axes.as_slice() else { continue };
        if x.3 != y.3 {
            continue;
        }
        let z_F = frames.pose(x.0).vector(&x.1.cross(&y.1));
        let z_M = frames.pose(x.2).vector(&x.3);
        if z_F.dot(&z_M) < 0.0 {
            out.push(closure.name.clone());
        }
    }
    out
}
