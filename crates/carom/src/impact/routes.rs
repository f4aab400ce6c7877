//! The four routes of Nikravesh-Poursina to the effective mass, each as it stands on the page.
//!
//! They take M, D and a row A = −d_ijᵀ of either formulation (joint or body coordinates); the sign
//! of the row does not matter. Dependent constraint rows are left out first. ∞ means immobile.

use nalgebra::{DMatrix, DVector};

use crate::dynamics::body_space::BodySpace;
use crate::dynamics::dense::Matrices;
use crate::dynamics::{DynamicsError, Posture, RowWrench};

/// The routes are followed up to this many velocities.
const DENSE_LIMIT: usize = 60;
/// Dense elimination loses the digits of a W below this part of A M⁻¹ Aᵀ.
const DENSE_ZERO: f64 = 1e-13;

/// 1/W, or ∞ where W is round-off against A M⁻¹ Aᵀ.
fn mass_of(W: f64, free: f64) -> f64 {
    if W <= DENSE_ZERO * free { f64::INFINITY } else { 1.0 / W }
}

/// Eq. 28: the bordered system
///
/// ```text
/// [ M   −Dᵀ  −d ] [Δv/Δδ̇]   [0]
/// [ D    0    0 ] [Δσ/Δδ̇] = [0]
/// [ dᵀ   0    0 ] [ m_eff ]   [1]
/// ```
///
/// It needs no inverse of M.
pub fn bordered_dependent(matrices: &Matrices, A: &DVector<f64>) -> Option<f64> {
    let free = free_mobility(matrices, A);
    let Matrices { M, D, .. } = matrices.reduced();
    let (n, c) = (M.nrows(), D.nrows());
    let mut K = DMatrix::zeros(n + c + 1, n + c + 1);
    K.view_mut((0, 0), (n, n)).copy_from(&M);
    K.view_mut((0, n), (n, c)).copy_from(&-D.transpose());
    K.view_mut((0, n + c), (n, 1)).copy_from(&-A);
    K.view_mut((n, 0), (c, n)).copy_from(&D);
    K.view_mut((n + c, 0), (1, n)).copy_from(&A.transpose());
    let mut rhs = DVector::zeros(n + c + 1);
    rhs[n + c] = 1.0;
    // An immobile contact makes the matrix singular: no finite m_eff gives Δδ̇ = 1.
    let Some(x) = K.full_piv_lu().solve(&rhs) else { return Some(f64::INFINITY) };
    let mass = x[n + c];
    Some(if mass.is_finite() { mass_of(1.0 / mass, free) } else { f64::INFINITY })
}

/// Eq. 31: m_eff = 1 / (dᵀ M⁻¹ (1 − Dᵀ (D M⁻¹ Dᵀ)⁻¹ D M⁻¹) d).
///
/// With M = L Lᵀ, a = L⁻¹ d and G = L⁻¹ Dᵀ the denominator is |a − G (Gᵀ G)⁻¹ Gᵀ a|², the squared
/// length of the part of a that is perpendicular to G: the same number without the cancellation.
/// `None` if M is not positive definite.
pub fn closed_dependent(matrices: &Matrices, A: &DVector<f64>) -> Option<f64> {
    let free = free_mobility(matrices, A);
    let Matrices { M, D, .. } = matrices.reduced();
    let L = M.cholesky()?.l();
    let mut a = L.solve_lower_triangular(A)?;
    if D.nrows() > 0 {
        let Q = L.solve_lower_triangular(&D.transpose())?.qr().q();
        // The second pass removes what round-off left of the first.
        for _ in 0..2 {
            a -= &Q * (Q.transpose() * &a);
        }
    }
    Some(mass_of(a.norm_squared(), free))
}

/// Eq. 38: the bordered system in independent velocities,
///
/// ```text
/// [ M_dof  −b ] [Δθ̇/Δδ̇]   [0]
/// [ bᵀ      0 ] [ m_eff  ] = [1]        M_dof = Bᵀ M B,  b = Bᵀ d,  D B = 0
/// ```
///
/// It needs no inverse of M.
pub fn bordered_independent(matrices: &Matrices, A: &DVector<f64>) -> Option<f64> {
    let free = free_mobility(matrices, A);
    let B = matrices.null_space();
    let (M_dof, b) = (B.transpose() * &matrices.M * &B, B.transpose() * A);
    let n = M_dof.nrows();
    let mut K = DMatrix::zeros(n + 1, n + 1);
    K.view_mut((0, 0), (n, n)).copy_from(&M_dof);
    K.view_mut((0, n), (n, 1)).copy_from(&-&b);
    K.view_mut((n, 0), (1, n)).copy_from(&b.transpose());
    let mut rhs = DVector::zeros(n + 1);
    rhs[n] = 1.0;
    let Some(x) = K.full_piv_lu().solve(&rhs) else { return Some(f64::INFINITY) };
    let mass = x[n];
    Some(if mass.is_finite() { mass_of(1.0 / mass, free) } else { f64::INFINITY })
}

/// Eq. 39: m_eff = 1 / (bᵀ M_dof⁻¹ b).
///
/// `None` if M_dof is not positive definite.
pub fn closed_independent(matrices: &Matrices, A: &DVector<f64>) -> Option<f64> {
    let free = free_mobility(matrices, A);
    let B = matrices.null_space();
    let (M_dof, b) = (B.transpose() * &matrices.M * &B, B.transpose() * A);
    if b.is_empty() {
        return Some(f64::INFINITY);
    }
    Some(mass_of(b.dot(&M_dof.cholesky()?.solve(&b)), free))
}

/// A M⁻¹ Aᵀ, the mobility without constraints; where M has no inverse (a point mass in body
/// coordinates), its size with the mean of M's diagonal.
fn free_mobility(matrices: &Matrices, A: &DVector<f64>) -> f64 {
    let M = &matrices.M;
    M.clone()
        .cholesky()
        .map_or_else(|| A.norm_squared() * M.nrows() as f64 / M.trace(), |M| A.dot(&M.solve(A)))
}

/// M and D of both formulations at a posture.
pub(super) struct Routes<'a> {
    joint: Matrices,
    body: BodySpace<'a>,
}

impl<'a> Routes<'a> {
    /// Of a small mechanism; `None` of a large one.
    pub fn new(at: &Posture<'a>) -> Result<Option<Self>, DynamicsError> {
        if at.model().nv == 0 || at.model().nv > DENSE_LIMIT {
            return Ok(None);
        }
        Ok(Some(Self { joint: at.matrices(), body: BodySpace::new(at)? }))
    }

    /// m_eff of a row by all four routes in joint, then in body coordinates.
    pub fn masses(&self, at: &Posture<'_>, row: &RowWrench) -> [Option<f64>; 8] {
        let mut out = [None; 8];
        let formulations =
            [(&self.joint, at.jacobian_row(row)), (&self.body.matrices, self.body.row(row))];
        for (four, (matrices, A)) in out.chunks_exact_mut(4).zip(&formulations) {
            four.copy_from_slice(&[
                bordered_dependent(matrices, A),
                closed_dependent(matrices, A),
                bordered_independent(matrices, A),
                closed_independent(matrices, A),
            ]);
        }
        out
    }
}
