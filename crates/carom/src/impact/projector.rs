//! The split of motion into what an impact stops and what it lets pass (Gonzalez et al. eqs. 11, 17-20).
//!
//! With closures the printed eq. 19 is not enough: P_c = Y Aᵀ W⁺ A Π and P_a = Π − P_c, eq. (4.2), with
//! Π = Y M the projector on admissible motions (eq. (4.1); Π v = v there).

use nalgebra::DMatrix;

use crate::dynamics::dense::Matrices;

/// Projectors, the effective mass matrix and the admissible rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Projectors {
    /// Π = Y M.
    pub admissible_motion: DMatrix<f64>,
    /// P_c.
    pub constrained: DMatrix<f64>,
    /// P_a.
    pub admissible: DMatrix<f64>,
    /// M_eff = Aᵀ W⁺ A (eq. (4.4); Gonzalez et al. eq. 20).
    pub effective_mass: DMatrix<f64>,
    /// B_a: rows with A Y B_aᵀ = 0, eq. (4.5), that complete A to all admissible velocities (Gonzalez et al. eq. 11).
    pub admissible_rows: DMatrix<f64>,
}

impl Projectors {
    /// Builds them from M, D, the rows A and W⁺; `None` if M is not positive definite.
    pub fn new(matrices: &Matrices, A: &DMatrix<f64>, W_inverse: &DMatrix<f64>) -> Option<Self> {
        let M = &matrices.M;
        let Y = matrices.mobility()?;
        let Pi = &Y * M;
        let effective_mass = A.transpose() * W_inverse * A;
        let P_c = &Y * A.transpose() * W_inverse * A * &Pi;
        let P_a = &Pi - &P_c;
        let admissible_rows = admissible_rows(M, &P_a)?;
        Some(Self {
            admissible_motion: Pi,
            constrained: P_c,
            admissible: P_a,
            effective_mass,
            admissible_rows,
        })
    }
}

/// Rows B_a = Cᵀ M with C an M-orthonormal basis of the motions P_a lets pass: A Y B_aᵀ = A C = 0,
/// and T_a = ½ |B_a v|².
fn admissible_rows(M: &DMatrix<f64>, P_a: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    if M.is_empty() {
        return Some(DMatrix::zeros(0, 0));
    }
    let L = M.clone().cholesky()?.l();
    // Lᵀ P_a L⁻ᵀ is an orthogonal projector; its eigenvectors to eigenvalue 1 span the space.
    let similar = L.transpose() * P_a * L.clone().try_inverse()?.transpose();
    let eigen = ((&similar + similar.transpose()) * 0.5).symmetric_eigen();
    let kept: Vec<usize> =
        (0..eigen.eigenvalues.len()).filter(|&k| eigen.eigenvalues[k] > 0.5).collect();
    let Z = eigen.eigenvectors.select_columns(&kept);
    Some(Z.transpose() * L.transpose())
}
