//! The matrices of the page, written out: M, D, A, the mobility Y and the null space B.
//!
//! These are the readable route, in O(n²) and O(n³); the articulated sweep never needs them and is
//! tested against them.

use nalgebra::{DMatrix, DVector};

use super::mechanism::Posture;
use super::row::{self, RowWrench};
use crate::model::{BodyId, Row};

/// Singular values below this part of the largest count as zero: the part below which the sweep takes rows as dependent.
pub const RANK_TOLERANCE: f64 = super::row_roots::DEPENDENT;
/// Entries of a constraint row below this part of its largest moment are round-off.
const ROUND_OFF: f64 = 1e-14;

/// M and D of one formulation: joint coordinates, or body coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrices {
    /// M.
    pub M: DMatrix<f64>,
    /// D, one row per constraint: D v = ν.
    pub D: DMatrix<f64>,
    /// ν, the rates that drives prescribe.
    pub rates: DVector<f64>,
}

impl Posture<'_> {
    /// M, and D of closures, locked and driven joints, in joint coordinates.
    pub fn matrices(&self) -> Matrices {
        let n = self.model.nv;
        let held: Vec<usize> = (0..n).filter(|c| self.is_held(*c)).collect();
        let closures = self.closure_matrix();
        let rows = closures.nrows();
        let mut D = DMatrix::zeros(rows + held.len(), n);
        D.rows_mut(0, rows).copy_from(&closures);
        let mut rates = DVector::zeros(rows + held.len());
        for (i, &column) in held.iter().enumerate() {
            D[(rows + i, column)] = 1.0;
            rates[rows + i] = self.state.v[column];
        }
        // A coordinate without inertia is held; a one on its diagonal keeps M invertible.
        let mut M = self.mass_matrix();
        for column in self.factor.inert_columns() {
            M[(column, column)] += 1.0;
        }
        Matrices { M, D, rates }
    }

    /// Whether a column does not move: locked, driven, or without inertia.
    pub(super) fn is_held(&self, column: usize) -> bool {
        !self.layout.columns[column].free || self.factor.columns[column].inert
    }

    /// M = Σ J_bᵀ I_b J_b + rotors, eq. (1.3).
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        let n = self.model.nv;
        let rotors = self.layout.columns.iter().map(|c| c.rotor);
        let mut M = DMatrix::from_diagonal(&DVector::from_iterator(n, rotors));
        for b in 0..self.model.bodies.len() {
            let J = self.body_jacobian(b);
            let I = self.rigid_inertia(b);
            M += J.transpose() * I * J;
        }
        debug_assert_eq!(M.nrows(), n);
        M
    }

    /// The 6 × n matrix from joint velocities to a body's (ω, velocity of its mass centre).
    pub fn body_jacobian(&self, b: usize) -> DMatrix<f64> {
        let mut J = DMatrix::zeros(6, self.model.nv);
        let link = &self.frames.links()[b];
        let center = link.origin() + link.rotation() * self.model.bodies[b].inertia.center;
        let mut at = Some(b);
        while let Some(k) = at {
            let arm = center - self.frames.links()[k].origin();
            for column in self.model.bodies[k].joint.velocities() {
                let axis = &self.frames.axis(column);
                if self.layout.columns[column].angular {
                    J.fixed_view_mut::<3, 1>(0, column).copy_from(axis);
                    J.fixed_view_mut::<3, 1>(3, column).copy_from(&axis.cross(&arm));
                } else {
                    J.fixed_view_mut::<3, 1>(3, column).copy_from(axis);
                }
            }
            at = self.model.bodies[k].parent.map(BodyId::index);
        }
        J
    }

    /// diag(J_c, m 1) of a body in world axes.
    pub fn rigid_inertia(&self, b: usize) -> DMatrix<f64> {
        let R = &self.frames.links()[b].rotation();
        let I = &self.model.bodies[b].inertia;
        let mut out = DMatrix::zeros(6, 6);
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(R * I.central() * R.transpose()));
        for k in 3..6 {
            out[(k, k)] = I.mass;
        }
        out
    }

    /// The rows of the closures in joint coordinates.
    pub fn closure_matrix(&self) -> DMatrix<f64> {
        let rows = &self.layout.rows;
        let mut D = DMatrix::zeros(rows.len(), self.model.nv);
        for (i, r) in rows.iter().enumerate() {
            if let Some(w) = row::wrench(r, self.frames) {
                // Where both sides cancel, round-off is left; scaled up it would look like a row.
                let smallest = ROUND_OFF * self.largest_arm_moment(&w);
                let row = self.jacobian_row(&w).map(|x| if x.abs() <= smallest { 0.0 } else { x });
                D.row_mut(i).copy_from(&row.transpose());
            } else if let Row::Coupling { terms, .. } = r {
                for term in terms {
                    D[(i, term.v)] += term.coefficient;
                }
            }
        }
        D
    }
}

impl Posture<'_> {
    /// The largest entry a row's wrenches could have about any joint they pass.
    fn largest_arm_moment(&self, row: &RowWrench) -> f64 {
        let mut largest = 0.0_f64;
        for (place, w) in [(row.a, row.on_a), (row.b, row.on_b)] {
            let (mut w, mut place) = (w, place);
            while let Some(body) = place {
                largest = largest.max(w.moment.norm()).max(w.force.norm());
                w.moment += self.frames.link(body).arm().cross(&w.force);
                place = self.model.bodies[body.index()].parent;
            }
        }
        largest
    }
}

impl Matrices {
    /// The rows of D scaled to unit length: they constrain the same motions, and rank can be read
    /// from their singular values whatever the units of the rows.
    fn normalised(&self) -> DMatrix<f64> {
        let mut D = self.D.clone();
        for mut row in D.row_iter_mut() {
            let length = row.norm();
            if length > 0.0 {
                row /= length;
            }
        }
        D
    }

    /// An orthonormal basis of the null space of D: D B = 0 (eq. (2.2), Nikravesh-Poursina eq. 32).
    pub fn null_space(&self) -> DMatrix<f64> {
        let n = self.M.nrows();
        if self.D.is_empty() {
            return DMatrix::identity(n, n);
        }
        // Square the matrix up with zero rows so that the decomposition yields all of Vᵀ.
        let D = self.normalised();
        let mut square = DMatrix::zeros(D.nrows().max(n), n);
        square.rows_mut(0, D.nrows()).copy_from(&D);
        let svd = square.svd(false, true);
        let Some(V_t) = svd.v_t else { return DMatrix::identity(n, n) };
        let largest = svd.singular_values.max();
        let kept: Vec<usize> =
            (0..n).filter(|&k| svd.singular_values[k] <= RANK_TOLERANCE * largest).collect();
        let mut B = DMatrix::zeros(n, kept.len());
        for (j, &k) in kept.iter().enumerate() {
            B.column_mut(j).copy_from(&V_t.row(k).transpose());
        }
        B
    }

    /// Rows of D that are independent, chosen by pivoted elimination.
    pub fn independent_rows(&self) -> Vec<usize> {
        let mut D = self.normalised();
        let mut left: Vec<usize> = (0..D.nrows()).collect();
        let mut chosen = Vec::new();
        while let Some((place, &r)) = left
            .iter()
            .enumerate()
            .max_by(|a, b| D.row(*a.1).norm_squared().total_cmp(&D.row(*b.1).norm_squared()))
        {
            let length = D.row(r).norm();
            if length <= RANK_TOLERANCE {
                break;
            }
            let e = D.row(r).clone_owned() / length;
            left.swap_remove(place);
            chosen.push(r);
            for &k in &left {
                // Twice is enough: the second pass removes what round-off left of the first.
                for _ in 0..2 {
                    let along = D.row(k).dot(&e);
                    let mut row = D.row_mut(k);
                    row -= &e * along;
                }
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// The same constraints with dependent rows left out.
    pub fn reduced(&self) -> Self {
        let rows = self.independent_rows();
        Self {
            M: self.M.clone(),
            D: self.D.select_rows(&rows),
            rates: DVector::from_iterator(rows.len(), rows.iter().map(|&r| self.rates[r])),
        }
    }

    /// Y = M⁻¹ − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ D M⁻¹, eq. (2.1); `None` if M is not positive definite.
    pub fn mobility(&self) -> Option<DMatrix<f64>> {
        let reduced = self.reduced();
        let inverse = self.M.clone().cholesky()?.inverse();
        if reduced.D.nrows() == 0 {
            return Some(inverse);
        }
        let G = &inverse * reduced.D.transpose();
        let S = (&reduced.D * &G).cholesky()?;
        Some(&inverse - &G * S.solve(&G.transpose()))
    }

    /// Condition number of D M⁻¹ Dᵀ over its independent directions (rows of D as they are): the
    /// largest eigenvalue over the smallest that belongs to its rank. Turning the rows among each
    /// other does not change it.
    pub fn condition(&self) -> Option<f64> {
        let rank = self.independent_rows().len();
        if rank == 0 {
            return Some(1.0);
        }
        // D M⁻¹ Dᵀ = Gᵀ G with G = C⁻¹ Dᵀ, M = C Cᵀ: the singular values of G keep the digits that squares lose.
        let G = self.M.clone().cholesky()?.l().solve_lower_triangular(&self.D.transpose())?;
        let mut values: Vec<f64> = G.singular_values().iter().copied().collect();
        values.sort_by(|a, b| b.total_cmp(a));
        Some((values[0] / values[rank - 1].max(f64::MIN_POSITIVE)).powi(2))
    }
}
