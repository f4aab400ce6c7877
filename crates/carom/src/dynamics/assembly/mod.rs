//! Assembly: a pose that closes all loops and meets all targets, and velocities to go with it.
//!
//! Positions and velocities that the file states are kept if any solution keeps them; only if none
//! does may they move, as little as possible in the metric of the mass matrix, and that is reported.

mod assembler;
mod newton;
mod problem;
mod velocity;

pub use self::assembler::Assembler;

use self::newton::Newton;
use self::problem::Problem;
use super::error::DynamicsError;
use super::mechanism::free_columns;
use super::row;
use crate::kinematics::{Frames, State};
use crate::maths::Vec3;
use crate::model::{Model, Place, Row};

/// A closed loop: every residual below this part of its row's natural size.
const CLOSED: f64 = 1e-11;
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
    Assembler::new(model).report(model)
}

/// Closes all loops from a state near to closed, moving joints as little as possible in the mass
/// metric; velocities stay as they are.
pub fn close_loops(model: &Model, state: &State) -> Result<State, DynamicsError> {
    let problem = Problem::closures(model);
    if problem.rows.is_empty() {
        return Ok(state.clone());
    }
    let mut newton = Newton::new(&problem, model, vec![free_columns(model)]);
    newton.run(&problem, model, 0, state)?;
    if newton.now.worst <= CLOSED {
        return Ok(newton.now.state);
    }
    Err(problem.not_assembled(&newton.now.residuals))
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
