//! The matrices of the equations of motion M v̇ + h = Dᵀ λ + τ at the machine's state.

use super::{ContactId, Machine, MachineError};
use crate::dynamics::{Forward, Terms};

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
        let M = self.posture()?.mass_matrix();
        let (rows, columns) = M.shape();
        Ok(Matrix { rows, columns, data: M.transpose().as_slice().to_vec() })
    }

    /// The bias h of M v̇ + h = Dᵀ λ: velocity terms, gravity and loads \[N or N m\], one entry per velocity.
    pub fn bias(&mut self) -> Result<Vec<f64>, MachineError> {
        Ok(self.posture()?.bias_efforts()?)
    }

    /// The impact Jacobian A of a contact (points × nv), one row per point along its normal: A v = u, positive when the gap opens.
    pub fn jacobian(&mut self, contact: ContactId) -> Result<Matrix, MachineError> {
        let contact = self.own(contact)?;
        let at = self.posture()?;
        let touch = at.touch(contact)?;
        let (rows, columns) = (touch.points().len(), at.model().nv);
        let mut data = Vec::with_capacity(rows * columns);
        for point in touch.points() {
            let row = at.contact_row(contact, point, &point.normal);
            data.extend(at.jacobian_row(&row).iter());
        }
        Ok(Matrix { rows, columns, data })
    }

    /// The accelerations v̇ under the machine's own loads and additional joint efforts τ \[N or N m\], one per velocity.
    pub fn forward_dynamics(&mut self, effort: &[f64]) -> Result<Vec<f64>, MachineError> {
        let nv = self.model().nv;
        if effort.len() != nv {
            let expected = nv.to_string();
            return Err(MachineError::WrongLength {
                what: "effort",
                found: effort.len(),
                expected,
            });
        }
        if let Some(at) = effort.iter().position(|x| !x.is_finite()) {
            return Err(MachineError::NotFinite { what: "effort", at, found: effort[at] });
        }
        let at = self.posture()?;
        let mut work = Forward::new(at.layout());
        at.load(Terms::All, &mut work)?;
        work.efforts.iter_mut().zip(effort).for_each(|(own, more)| *own += more);
        at.accelerate(&mut work)?;
        Ok(work.solution.x)
    }
}
