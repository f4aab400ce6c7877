//! The equations of an assembly: rows to close, what they belong to, and the poses that close them.

use super::CLOSED;
use super::newton::Newton;
use crate::dynamics::error::DynamicsError;
use crate::dynamics::mechanism::free_columns;
use crate::dynamics::row;
use crate::kinematics::{Frames, State};
use crate::maths::Vec3;
use crate::model::closure::CouplingTerm;
use crate::model::joint::MOST_VELOCITIES;
use crate::model::{Anchor, Model, Row};

/// A mechanism with more velocities than this is tried from fewer starts: each takes its time.
const LARGE: usize = 400;
/// Starts tried then.
const STARTS_WHEN_LARGE: usize = 2;
/// Starts tried when none has led to a closed pose.
const FAILED_STARTS: usize = 16;
/// Starts tried when a branch is asked for or the given pose leads nowhere.
const MOST_STARTS: usize = 96;

/// Rows to close and what they belong to.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub rows: Vec<Row>,
    /// Paths in the model file, one per row, for messages.
    owner: Vec<String>,
    pub size: f64,
    /// Natural size of each row's residual: the mechanism's where it is a length, one where it is a
    /// cosine.
    pub natural: Vec<f64>,
}

/// How a pose was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Newton steps.
    pub steps: usize,
    /// Which start led to the solution; 0 is the pose of the file.
    pub start: usize,
}

impl Problem {
    /// The closures alone.
    pub fn closures(model: &Model) -> Self {
        let rows = closure_rows(model).cloned().collect();
        Self::sized(model, rows, closure_owners(model))
    }

    /// Closures and targets.
    pub fn new(model: &Model) -> Self {
        let rows = closure_rows(model).cloned().chain(target_rows(model)).collect();
        let mut owner = closure_owners(model);
        for target in &model.initial.points {
            let count = target.at.iter().flatten().count();
            owner.extend((0..count).map(|_| target_owner(&target.name)));
        }
        Self::sized(model, rows, owner)
    }

    fn sized(model: &Model, rows: Vec<Row>, owner: Vec<String>) -> Self {
        let natural = vec![0.0; rows.len()];
        let mut out = Self { rows, owner, size: 1.0, natural };
        out.measure(model);
        out
    }

    /// Takes over the numbers of a model that differs from the first one in numbers alone.
    pub fn renew(&mut self, model: &Model) {
        let rows = closure_rows(model).cloned().chain(target_rows(model));
        self.rows.iter_mut().zip(rows).for_each(|(old, new)| *old = new);
        self.measure(model);
    }

    /// The size of the mechanism and of every residual.
    fn measure(&mut self, model: &Model) {
        let reach = |x: &Vec3| x.norm();
        let joints = model.bodies.iter().map(|b| reach(&b.joint.in_parent.position));
        let anchors = self.rows.iter().flat_map(|r| match r {
            Row::InPlane { a, b, .. } => [reach(&a.at), reach(&b.at)],
            Row::Distance { a, b, length } => [reach(&a.at).max(*length), reach(&b.at)],
            _ => [0.0; 2],
        });
        let size = joints.chain(anchors).fold(0.0, f64::max);
        self.size = if size > 0.0 { size } else { 1.0 };
        for (natural, row) in self.natural.iter_mut().zip(&self.rows) {
            *natural = natural_size(model, row, self.size);
        }
    }

    /// Residuals as parts of their natural sizes.
    pub fn relative<'r>(&'r self, residuals: &'r [f64]) -> impl Iterator<Item = f64> + 'r {
        residuals.iter().zip(&self.natural).map(|(r, size)| r / size)
    }

    pub fn residuals_into(&self, frames: &Frames, state: &State, out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(&self.rows) {
            *out = row::residual(row, frames, state.q.as_slice());
        }
    }

    /// Brings the state, which is as the file states it, to a pose that closes everything on the branch that is asked for.
    pub fn pose(
        &self,
        model: &Model,
        newton: &mut Newton,
        written: &State,
        state: &mut State,
    ) -> Result<Found, DynamicsError> {
        let branch = &model.initial.branch;
        let on_branch =
            |s: &State| branch.iter().find(|c| !(c.margin.value(s.t, s.q.as_slice(), &[]) > 0.0));
        state.copy_from(written);
        let (mut best, mut steps) = match self.pose_from(model, newton, state) {
            Ok(steps) => {
                self.unwind(model, written, state);
                if on_branch(state).is_none() {
                    return Ok(Found { steps, start: 0 });
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
        let starts = if model.nv <= LARGE { MOST_STARTS } else { STARTS_WHEN_LARGE };
        for start in 1..=starts {
            state.copy_from(written);
            self.other_start(model, written, start, state);
            match self.pose_from(model, newton, state) {
                Ok(more) => {
                    steps += more;
                    self.unwind(model, written, state);
                    match on_branch(state) {
                        None => return Ok(Found { steps, start }),
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

    /// First with stated positions held, then with all joints free; returns the Newton steps.
    fn pose_from(
        &self,
        model: &Model,
        newton: &mut Newton,
        state: &mut State,
    ) -> Result<usize, DynamicsError> {
        if self.rows.is_empty() {
            return Ok(0);
        }
        for hold in newton.holds() {
            newton.run(self, model, hold, state)?;
            if newton.now.worst <= CLOSED {
                state.copy_from(&newton.now.state);
                return Ok(newton.now.steps);
            }
        }
        Err(self.not_assembled(&newton.now.residuals))
    }

    /// The error of residuals that are left open.
    pub fn not_assembled(&self, residuals: &[f64]) -> DynamicsError {
        DynamicsError::NotAssembled {
            open: by_owner(&self.owner, residuals, |r| CLOSED * self.natural[r]),
        }
    }

    /// Another start: first all unstated coordinates mirrored, then spread evenly over their range
    /// by multiples of irrational steps.
    fn other_start(&self, model: &Model, written: &State, number: usize, state: &mut State) {
        let held = free_columns(model);
        let mut irrational = 2.0_f64;
        for body in &model.bodies {
            let joint = &body.joint;
            if joint.position_given {
                continue;
            }
            let mut step = [0.0; MOST_VELOCITIES];
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
    }

    /// Takes whole turns out of unstated angles, so that they lie within half a turn of where the
    /// file starts them (Newton's steps may be wide); an angle that a coupling counts keeps its turns.
    fn unwind(&self, model: &Model, written: &State, state: &mut State) {
        let counted = |q: usize| {
            self.rows.iter().any(|r| match r {
                Row::Coupling { terms, .. } => terms.iter().any(|t| t.q == q),
                _ => false,
            })
        };
        for body in model.bodies.iter().filter(|b| !b.joint.position_given) {
            let joint = &body.joint;
            for c in 0..joint.kind.velocities() {
                let (Some(k), true) = (joint.kind.position_of(c), joint.kind.is_angular(c)) else {
                    continue;
                };
                let q = joint.q + k;
                let turns = ((state.q[q] - written.q[q]) / std::f64::consts::TAU).round();
                if turns != 0.0 && !counted(q) {
                    state.q[q] -= std::f64::consts::TAU * turns;
                }
            }
        }
    }
}

/// The rows of all closures.
pub(super) fn closure_rows(model: &Model) -> impl Iterator<Item = &Row> {
    model.closures.iter().flat_map(|c| &c.rows)
}

/// The paths that the rows of all closures belong to.
pub(super) fn closure_owners(model: &Model) -> Vec<String> {
    let paths = |c: &crate::model::Closure| vec![format!("closures.{}", c.name); c.rows.len()];
    model.closures.iter().flat_map(paths).collect()
}

/// The path that the rows of a target belong to.
pub(super) fn target_owner(name: &str) -> String {
    format!("initial.points.{name}")
}

/// The rows that hold points at the positions asked for.
fn target_rows(model: &Model) -> impl Iterator<Item = Row> + '_ {
    model.initial.points.iter().flat_map(|target| {
        let wanted = target.at.iter().enumerate();
        wanted.filter_map(|(k, x)| x.map(|x| component_row(k, x, target.anchor)))
    })
}

/// The worst residual of each owner above the threshold of its row, the largest first.
pub(super) fn by_owner(
    owner: &[String],
    residuals: &[f64],
    threshold: impl Fn(usize) -> f64,
) -> Vec<(String, f64)> {
    let mut out: Vec<(String, f64)> = Vec::new();
    for (k, (owner, r)) in owner.iter().zip(residuals).enumerate() {
        if r.abs() <= threshold(k) {
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
pub(super) fn component_row(k: usize, value: f64, point: Anchor) -> Row {
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
