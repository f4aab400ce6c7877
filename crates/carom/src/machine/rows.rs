//! Rows, mobilities and gradients of a contact at many states.

use nalgebra::{DMatrix, DVector};

use super::many::{ManyOptions, count, parted};
use super::{ContactId, Machine, MachineError, Matrix};
use crate::dynamics::{Memory, Posture};
use crate::impact::{Assessment, AssessmentError, Gradients, Options, RowAssessment};
use crate::kinematics::State;
use crate::maths::Vec3;

/// The rows of a contact at many states: normals of all its points, and tangents where it sticks.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RowColumns {
    /// k, the most rows that a state has; NaN stands where a state has fewer, or cannot be evaluated.
    pub rows: usize,
    /// Which row governs each state: the normal with the most energy, from 0.
    pub governing: Vec<usize>,
    /// The rows A of the impact Jacobian, n × k × nv: A v = u.
    pub jacobian: Vec<f64>,
    /// W = A Y Aᵀ, n × k × k \[1/kg, or 1/(kg m²) of an angular contact\].
    pub mobility: Vec<f64>,
}

/// The rows of one state.
struct Rows {
    jacobian: Vec<DVector<f64>>,
    W: DMatrix<f64>,
    governing: Option<usize>,
}

/// What is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope {
    /// m_eff of the governing point.
    EffectiveMass,
    /// T_c = ½ m_eff u² of the governing point, velocities following the closures.
    ImpactEnergy,
}

/// By what it is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The joint coordinates, one entry per velocity (a small rotation where the position is a quaternion); with closures along the
    /// motion in which the other joints follow.
    Position,
    /// The masses of the bodies, at fixed centre and central inertia.
    Mass,
    /// The mass centres of the bodies, three coordinates each, in body axes.
    Center,
    /// The central inertias of the bodies, Ixx, Iyy, Izz, Ixy, Ixz, Iyz each, in body axes.
    Inertia,
    /// The rotor inertias, one entry per velocity.
    Rotor,
}

impl Machine {
    /// The rows of a contact and their W at many states, as [`Machine::assess_many`] takes them.
    pub fn rows_many(
        &self,
        contact: ContactId,
        q: &[f64],
        v: &[f64],
        options: ManyOptions,
    ) -> Result<RowColumns, MachineError> {
        let found = self.each_state((contact, q, v), options, |at, contact| {
            let found = Assessment::without_law(at, contact)?;
            let wrench = |r: &RowAssessment| at.contact_row(contact, &r.point, &r.direction);
            let jacobian = found.rows.iter().map(|r| at.jacobian_row(&wrench(r))).collect();
            let hardest = found.hardest().map(|row| &row.label);
            let governing = found.rows.iter().position(|row| Some(&row.label) == hardest);
            Ok::<Rows, AssessmentError>(Rows { jacobian, W: found.W, governing })
        })?;
        let (n, nv) = (found.len(), self.model().nv);
        let k = found.iter().flatten().map(|rows| rows.jacobian.len()).max().unwrap_or(0);
        let mut out = RowColumns {
            rows: k,
            governing: vec![0; n],
            jacobian: vec![f64::NAN; n * k * nv],
            mobility: vec![f64::NAN; n * k * k],
        };
        for (n, state) in found.iter().enumerate() {
            let Some(Rows { jacobian, W, governing }) = state else { continue };
            out.governing[n] = governing.unwrap_or(0);
            for (r, row) in jacobian.iter().enumerate() {
                let first = (n * k + r) * nv;
                out.jacobian[first..first + nv].copy_from_slice(row.as_slice());
                let first = (n * k + r) * k;
                for (c, w) in W.row(r).iter().enumerate() {
                    out.mobility[first + c] = *w;
                }
            }
        }
        Ok(out)
    }

    /// Exact derivatives at many states of a quantity of the governing point, one row of the matrix per state; NaN where a coordinate
    /// or the contact cannot move, or a state cannot be evaluated.
    pub fn gradient_many(
        &self,
        contact: ContactId,
        (q, v): (&[f64], &[f64]),
        (of, by): (Slope, By),
        options: ManyOptions,
    ) -> Result<Matrix, MachineError> {
        let model = self.model();
        let columns = match by {
            By::Position | By::Rotor => model.nv,
            By::Mass => model.bodies.len(),
            By::Center => 3 * model.bodies.len(),
            By::Inertia => 6 * model.bodies.len(),
        };
        let wanted = Options { gradients: true, ..Options::default() };
        let found = self.each_state((contact, q, v), options, |at, contact| {
            let found = Assessment::new(at, contact, &wanted)?;
            let gradients = found.hardest().and_then(|row| row.gradients.as_ref());
            let row = gradients.map(|g| slopes(at, g, of, by));
            Ok::<Vec<f64>, AssessmentError>(row.unwrap_or_else(|| vec![f64::NAN; columns]))
        })?;
        let rows = found.len();
        let missing = vec![f64::NAN; columns];
        let data = found.into_iter().flat_map(|row| row.unwrap_or_else(|| missing.clone()));
        Ok(Matrix { rows, columns, data: data.collect() })
    }

    /// What `ask` finds at every state; `None` where it fails.
    fn each_state<T: Send, E>(
        &self,
        (contact, q, v): (ContactId, &[f64], &[f64]),
        options: ManyOptions,
        ask: impl Fn(&Posture<'_>, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<Option<T>>, MachineError> {
        let contact = self.own(contact)?;
        let model = self.model();
        let n = count(model, q, v)?;
        let mut out: Vec<Option<T>> = (0..n).map(|_| None).collect();
        let t = self.state().t;
        let memory = || (Memory::new(model), State { t, ..State::as_written(model) });
        parted(n, options, &mut out, memory, |(memory, state), first, part| {
            for (k, place) in (first..).zip(part) {
                let (nq, nv) = (model.nq, model.nv);
                state.q.as_mut_slice().copy_from_slice(&q[k * nq..(k + 1) * nq]);
                state.v.as_mut_slice().copy_from_slice(&v[k * nv..(k + 1) * nv]);
                *place = memory.at(model, state).ok().and_then(|at| ask(&at, contact).ok());
            }
        });
        Ok(out)
    }
}

/// One row of derivatives.
fn slopes(at: &Posture<'_>, g: &Gradients, of: Slope, by: By) -> Vec<f64> {
    let per_mass = match of {
        Slope::EffectiveMass => 1.0,
        Slope::ImpactEnergy => g.energy_per_mass,
    };
    let bodies = g.mass_by_body.iter();
    match by {
        By::Position => {
            let which = usize::from(of == Slope::ImpactEnergy);
            let one = |k| g.by_coordinate(at, k).map_or(f64::NAN, |slopes| slopes[which]);
            (0..at.model().nv).map(one).collect()
        }
        By::Mass => bodies.map(|b| per_mass * b.mass).collect(),
        By::Center => {
            let entries = |x: Vec3| [x.x, x.y, x.z];
            bodies.flat_map(|b| entries(b.center * per_mass)).collect()
        }
        By::Inertia => bodies.flat_map(|b| b.inertia.map(|x| per_mass * x)).collect(),
        By::Rotor => g.mass_by_rotor.iter().map(|x| per_mass * x).collect(),
    }
}
