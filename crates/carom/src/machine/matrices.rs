//! The matrices of the equations of motion M v̇ + h = Dᵀ λ + τ at the machine's state.

use super::many::count;
use super::{ContactId, Machine, MachineError};
use crate::dynamics::{Forward, Posture, Terms};

/// A dense matrix, stored by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// The entries, row after row.
    pub data: Vec<f64>,
}

impl Matrix {
    /// An entry.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        (column < self.columns).then(|| self.data.get(row * self.columns + column).copied())?
    }
}

impl Machine {
    /// The mass matrix M (nv × nv) of all joint velocities, held ones included.
    pub fn mass_matrix(&mut self) -> Result<Matrix, MachineError> {
        let nv = self.model().nv;
        let (q, v) = self.own_state();
        Ok(Matrix { rows: nv, columns: nv, data: self.mass_matrix_many(&q, &v)? })
    }

    /// M at many states, as [`Machine::assess_many`] takes them: n × nv × nv.
    pub fn mass_matrix_many(&mut self, q: &[f64], v: &[f64]) -> Result<Vec<f64>, MachineError> {
        let mut out = Vec::new();
        self.at_each(q, v, |_, at| {
            // M is symmetric: its columns are its rows.
            out.extend_from_slice(at.mass_matrix().as_slice());
            Ok(())
        })?;
        Ok(out)
    }

    /// The bias h of M v̇ + h = Dᵀ λ: velocity terms, gravity and loads \[N or N m\], one entry per velocity.
    pub fn bias(&mut self) -> Result<Vec<f64>, MachineError> {
        let (q, v) = self.own_state();
        self.bias_many(&q, &v)
    }

    /// h at many states: n × nv.
    pub fn bias_many(&mut self, q: &[f64], v: &[f64]) -> Result<Vec<f64>, MachineError> {
        let mut out = Vec::new();
        self.at_each(q, v, |_, at| {
            out.extend(at.bias_efforts()?);
            Ok(())
        })?;
        Ok(out)
    }

    /// The impact Jacobian A of a contact (points × nv), one row per point along its normal: A v = u, positive when the gap opens.
    pub fn jacobian(&mut self, contact: ContactId) -> Result<Matrix, MachineError> {
        let contact = self.own(contact)?;
        let (q, v) = self.own_state();
        let columns = self.model().nv;
        let mut data = Vec::new();
        self.at_each(&q, &v, |_, at| {
            for point in at.touch(contact)?.points() {
                let row = at.contact_row(contact, point, &point.normal);
                data.extend(at.jacobian_row(&row).iter());
            }
            Ok(())
        })?;
        Ok(Matrix { rows: data.len() / columns.max(1), columns, data })
    }

    /// The accelerations v̇ under the machine's own loads and additional joint efforts τ \[N or N m\], one per velocity.
    pub fn forward_dynamics(&mut self, effort: &[f64]) -> Result<Vec<f64>, MachineError> {
        let (q, v) = self.own_state();
        self.forward_dynamics_many(&q, &v, effort)
    }

    /// v̇ at many states, with efforts of each: n × nv.
    pub fn forward_dynamics_many(
        &mut self,
        q: &[f64],
        v: &[f64],
        effort: &[f64],
    ) -> Result<Vec<f64>, MachineError> {
        let nv = self.model().nv;
        if effort.len() != v.len() {
            let (found, expected) = (effort.len(), v.len().to_string());
            return Err(MachineError::WrongLength { what: "effort", found, expected });
        }
        if let Some(at) = effort.iter().position(|x| !x.is_finite()) {
            return Err(MachineError::NotFinite { what: "effort", at, found: effort[at] });
        }
        let mut work = Forward::new(self.memory.layout());
        let mut out = Vec::with_capacity(v.len());
        self.at_each(q, v, |k, at| {
            at.load(Terms::All, &mut work)?;
            let more = &effort[k * nv..(k + 1) * nv];
            work.efforts.iter_mut().zip(more).for_each(|(own, more)| *own += more);
            at.accelerate(&mut work)?;
            out.extend_from_slice(&work.solution.x);
            Ok(())
        })?;
        Ok(out)
    }

    /// The machine's own positions and velocities.
    fn own_state(&self) -> (Vec<f64>, Vec<f64>) {
        let state = self.state();
        (state.q.as_slice().to_vec(), state.v.as_slice().to_vec())
    }

    /// Does something at every state; an error of one among several names it.
    fn at_each(
        &mut self,
        q: &[f64],
        v: &[f64],
        mut ask: impl FnMut(usize, &Posture<'_>) -> Result<(), MachineError>,
    ) -> Result<(), MachineError> {
        let model = &self.opened.loaded.model;
        let n = count(model, q, v)?;
        let mut state = self.opened.assembled.state.clone();
        for k in 0..n {
            state.q.as_mut_slice().copy_from_slice(&q[k * model.nq..(k + 1) * model.nq]);
            state.v.as_mut_slice().copy_from_slice(&v[k * model.nv..(k + 1) * model.nv]);
            let at = self.memory.at(model, &state).map_err(MachineError::from);
            at.and_then(|at| ask(k, &at)).map_err(|error| match n {
                1 => error,
                _ => MachineError::State { index: k, error: Box::new(error) },
            })?;
        }
        Ok(())
    }
}
