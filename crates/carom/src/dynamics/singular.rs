//! Singular is not redundant: whether rows depend on each other in this pose only, and what the machine is beside it.
//!
//! Rows of closures that depend on each other have self-stresses: multipliers λ with λᵀ D = 0. Along a motion v the
//! combination λᵀ D grows at the rate of the quadratic form of second-order mobility analysis
//!
//! ```text
//! Q_λ(v, w) = λᵀ Ḋ(v) w,   D v = 0,  D w = 0
//! ```
//!
//! (symmetric, because λᵀ D = 0). If Q_λ vanishes for all admissible v and w, the rows depend on each other in the poses
//! beside this one as well: the closure is **redundant** (a parallelogram with a third bar, Bennett's and Bricard's
//! linkages). If not, the rank of D is lower in this pose than beside it: the pose is **singular**. Motions that lead
//! out of it satisfy Q_λ(v, v) = 0 for every λ; each such v is the tangent of a branch, and the velocities admissible
//! beside the pose on that branch are those with D w = 0 and Q_λ(v, w) = 0.
//!
//! The test is of second order: a rank that changes only with the square of the distance is called redundant.

use nalgebra::{DMatrix, DVector};

use super::factor::Pivot;
use super::mechanism::Posture;
use super::row::{self, RowWrench};
use crate::kinematics::{Frames, State};
use crate::maths::Twist;
use crate::model::Place;

/// The analysis is dense; machines with more rows or velocities than this are not analysed.
const DENSE_LIMIT: usize = 300;
/// Machines with more degrees of freedom than this are not analysed: there are half its square of pairs of motions.
const MOST_FREEDOM: usize = 64;
/// Rows that keep less than this part of their natural size beside the others may depend on them: a hundred times the
/// part below which the sweep takes them as dependent.
const DOUBTFUL: f64 = 1e-10;
/// Rows that keep less than this part are dependent in this pose, whatever round-off did.
const ROUND_OFF: f64 = 1e-14;
/// A form below this part of the terms it is summed from vanishes.
const VANISHES: f64 = 1e-8;
/// A velocity leads along a branch if Q(v, v) is below this part of the largest Q(w, w) of equal energy.
const ALONG: f64 = 1e-6;
/// Starts of the search for branches, for each degree of freedom.
const STARTS: usize = 12;
/// Newton steps of one search.
const MOST_STEPS: usize = 60;
/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-6;
/// Branches kept; a family of branches (a cone of tangents) has no end of them.
const MOST_BRANCHES: usize = 32;

/// The rows that depend on others, sorted by what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sorted {
    /// Dependent here and beside this pose.
    pub redundant: Vec<usize>,
    /// Dependent in this pose only.
    pub singular: Vec<usize>,
    /// Of the singular ones those that may as well be independent, within the round-off of the pose.
    pub undecided: Vec<usize>,
}

/// A pose in which closures lose rank, and its branches.
#[derive(Clone, Debug)]
pub struct Singularity {
    sorted: Sorted,
    freedom: usize,
    /// Admissible velocities, orthonormal in the mass metric, as columns.
    basis: DMatrix<f64>,
    /// What of them remains beside the pose on each branch.
    branches: Vec<DMatrix<f64>>,
    /// The same on the branch that the state's velocity leads along.
    along: Option<DMatrix<f64>>,
}

/// The mobility of a row in a singular pose and beside it \[1/kg for a row of unit force\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// In the pose itself, with the rows dependent.
    pub here: f64,
    /// Beside it, on the branch that the state's velocity leads along; `None` if the machine is at rest or its velocity
    /// belongs to no branch.
    pub along_motion: Option<f64>,
    /// Beside it, the least and the greatest over the branches found; `None` if no motion leads out of the pose.
    pub branches: Option<[f64; 2]>,
}

impl Singularity {
    /// Degrees of freedom in the pose itself.
    pub fn freedom(&self) -> usize {
        self.freedom
    }

    /// Degrees of freedom beside the pose.
    pub fn freedom_beside(&self) -> usize {
        self.freedom - self.sorted.singular.len()
    }

    /// Whether round-off of the pose leaves open if it is the singular one or one beside it.
    pub fn is_undecided(&self) -> bool {
        !self.sorted.undecided.is_empty()
    }

    /// How many branches were found.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// The mobility of a row in the pose and beside it.
    pub fn mobility(&self, at: &Posture<'_>, row: &RowWrench) -> Beside {
        let a = self.basis.tr_mul(&at.jacobian_row(row));
        let of = |P: &DMatrix<f64>| (P * &a).norm_squared();
        let least_greatest = self.branches.iter().map(of).fold(None, |found, W| {
            let [least, greatest] = found.unwrap_or([W, W]);
            Some([W.min(least), W.max(greatest)])
        });
        Beside {
            here: a.norm_squared(),
            along_motion: self.along.as_ref().map(of),
            branches: least_greatest,
        }
    }
}

impl Posture<'_> {
    /// Whether the closures lose rank in this pose only, and what the machine is beside it; `None` in a regular pose,
    /// with redundant closures or without.
    pub fn singularity(&self) -> Option<Singularity> {
        self.second_order().filter(|s| !s.sorted.singular.is_empty())
    }

    /// The dependent rows by what they are.
    pub(super) fn sorted_rows(&self) -> Sorted {
        self.second_order().map_or_else(
            || Sorted { redundant: self.factor.dependent_rows(self.layout), ..Sorted::default() },
            |s| s.sorted,
        )
    }

    /// The analysis of second order; `None` if no row depends on others or the machine is too large.
    fn second_order(&self) -> Option<Singularity> {
        let pivots: Vec<Pivot> =
            self.factor.pivots(self.layout).filter(|p| p.dependent || p.kept <= DOUBTFUL).collect();
        let dependent: Vec<usize> = pivots.iter().map(|p| p.row).collect();
        let rows = self.layout.rows.len();
        if dependent.is_empty() || rows.max(self.model.nv) > DENSE_LIMIT {
            return None;
        }
        let space = self.admissible(&dependent)?;
        let freedom = space.basis.ncols();
        if freedom > MOST_FREEDOM {
            return None;
        }
        let forms = self.forms(&space);
        let mut sorted = Sorted::default();
        let mut kept: Vec<DMatrix<f64>> = Vec::new();
        for (pivot, form) in pivots.iter().zip(forms) {
            let Some(Q) = form.and_then(|Q| independent(Q, &kept)) else {
                sorted.redundant.push(pivot.row);
                continue;
            };
            kept.push(Q);
            sorted.singular.push(pivot.row);
            if pivot.kept > ROUND_OFF {
                sorted.undecided.push(pivot.row);
            }
        }
        let v = space.basis.tr_mul(&(&space.M * &self.state.v));
        let along = along(&kept, &v);
        let branches = if kept.is_empty() { Vec::new() } else { branches(&kept, freedom) };
        Some(Singularity { sorted, freedom, basis: space.basis, branches, along })
    }

    /// The admissible velocities if the `dependent` rows are left out, and their self-stresses.
    fn admissible(&self, dependent: &[usize]) -> Option<Admissible> {
        let movable: Vec<usize> = (0..self.model.nv).filter(|c| !self.is_held(*c)).collect();
        let M = self.mass_matrix();
        let root = M.select_columns(&movable).select_rows(&movable).cholesky()?.l();
        // G = D C⁻ᵀ with M = C Cᵀ, stored by columns: C⁻¹ Dᵀ.
        let D = self.closure_matrix().select_columns(&movable);
        let G = root.solve_lower_triangular(&D.transpose())?;
        let others: Vec<usize> = (0..D.nrows()).filter(|r| !dependent.contains(r)).collect();
        let n = movable.len();
        let (Q, R) = G.select_columns(&others).qr().unpack();
        let projector = DMatrix::identity(n, n) - &Q * Q.transpose();
        let eigen = projector.symmetric_eigen();
        let free: Vec<usize> = (0..n).filter(|k| eigen.eigenvalues[*k] > 0.5).collect();
        let own = root.tr_solve_lower_triangular(&eigen.eigenvectors.select_columns(&free))?;
        let mut basis = DMatrix::zeros(self.model.nv, free.len());
        for (k, &column) in movable.iter().enumerate() {
            basis.row_mut(column).copy_from(&own.row(k));
        }
        let mut stresses = Vec::with_capacity(dependent.len());
        for &r in dependent {
            let part = if others.is_empty() {
                DVector::zeros(0)
            } else {
                R.solve_upper_triangular(&Q.tr_mul(&G.column(r)))?
            };
            let mut stress = DVector::zeros(D.nrows());
            stress[r] = 1.0;
            for (k, &other) in others.iter().enumerate() {
                stress[other] = -part[k];
            }
            stresses.push(stress);
        }
        Some(Admissible { M, basis, stresses })
    }

    /// Q of each self-stress over the admissible velocities; `None` where it vanishes.
    fn forms(&self, space: &Admissible) -> Vec<Option<DMatrix<f64>>> {
        let f = space.basis.ncols();
        let mut forms = vec![DMatrix::zeros(f, f); space.stresses.len()];
        let mut terms = vec![0.0_f64; space.stresses.len()];
        let mut work = Bending::new(self);
        let mut diagonal = Vec::with_capacity(f);
        for i in 0..f {
            let values = work.values(self, &space.basis.column(i).into_owned(), space, &mut terms);
            for (Q, x) in forms.iter_mut().zip(&values) {
                Q[(i, i)] = *x;
            }
            diagonal.push(values);
        }
        for i in 0..f {
            for j in 0..i {
                // Q(v + w, v + w) = Q(v, v) + 2 Q(v, w) + Q(w, w)
                let both = space.basis.column(i) + space.basis.column(j);
                let values = work.values(self, &both, space, &mut terms);
                for (k, Q) in forms.iter_mut().enumerate() {
                    let x = 0.5 * (values[k] - diagonal[i][k] - diagonal[j][k]);
                    Q[(i, j)] = x;
                    Q[(j, i)] = x;
                }
            }
        }
        forms
            .into_iter()
            .zip(terms)
            .map(|(Q, terms)| (Q.amax() > VANISHES * terms).then_some(Q))
            .collect()
    }
}

/// What second-order analysis works in.
struct Admissible {
    M: DMatrix<f64>,
    /// Admissible velocities, orthonormal in the mass metric.
    basis: DMatrix<f64>,
    /// λ of each dependent row.
    stresses: Vec<DVector<f64>>,
}

/// Memory for Ḋ(v) v at velocities other than the state's.
struct Bending {
    frames: Frames,
    state: State,
    bias: Vec<Twist>,
}

impl Bending {
    fn new(at: &Posture<'_>) -> Self {
        Self {
            frames: at.frames.clone(),
            state: at.state.clone(),
            bias: vec![Twist::zero(); at.model.bodies.len()],
        }
    }

    /// λᵀ Ḋ(v) v of each self-stress; `terms` keeps the largest sum of the sizes of its terms.
    fn values(
        &mut self,
        at: &Posture<'_>,
        v: &DVector<f64>,
        space: &Admissible,
        terms: &mut [f64],
    ) -> Vec<f64> {
        self.state.v.copy_from(v);
        self.frames.update(self.state.q.as_slice(), v.as_slice());
        let moving = Posture { frames: &self.frames, state: &self.state, ..*at };
        moving.bias_accelerations(&mut self.bias);
        let mut rates = vec![0.0; at.layout.rows.len()];
        moving.constraint_rates(&self.bias, &mut rates);
        let sizes: Vec<f64> =
            (0..rates.len()).map(|r| moving.bending_terms(r, &self.bias)).collect();
        let of = |stress: &DVector<f64>, x: &[f64]| -> f64 {
            stress.iter().zip(x).map(|(s, x)| s * x).sum()
        };
        for (stress, most) in space.stresses.iter().zip(terms.iter_mut()) {
            *most = most.max(of(&stress.abs(), &sizes));
        }
        space.stresses.iter().map(|stress| of(stress, &rates)).collect()
    }
}

impl Posture<'_> {
    /// The sum of the sizes of the terms that Ḋ v of a row consists of.
    fn bending_terms(&self, r: usize, bias: &[Twist]) -> f64 {
        let motion = |place: Place| self.frames.twist(place);
        let r = &self.layout.rows[r];
        let (Some(w), Some(w_dot)) =
            (row::wrench(r, self.frames), row::variation(r, self.frames, &motion))
        else {
            return 0.0;
        };
        let size = |w: &crate::maths::Wrench, x: &Twist| {
            w.moment.norm() * x.ang.norm() + w.force.norm() * x.lin.norm()
        };
        let mut sum = 0.0;
        for (place, w, w_dot) in [(w.a, &w.on_a, &w_dot.on_a), (w.b, &w.on_b, &w_dot.on_b)] {
            let Some(body) = place else { continue };
            sum += size(w_dot, &motion(place)) + size(w, &bias[body.index()]);
        }
        sum
    }
}

/// What of a form is not a combination of the others; `None` if nothing is.
fn independent(Q: DMatrix<f64>, others: &[DMatrix<f64>]) -> Option<DMatrix<f64>> {
    let whole = Q.norm();
    let mut left = Q;
    for _ in 0..2 {
        for other in others {
            left -= other * (left.dot(other) / other.norm_squared());
        }
    }
    (left.norm() > RANK * whole).then_some(left)
}

/// Q_i(x, x) of all forms, each as part of its size.
fn values(forms: &[DMatrix<f64>], x: &DVector<f64>) -> DVector<f64> {
    DVector::from_iterator(forms.len(), forms.iter().map(|Q| x.dot(&(Q * x)) / Q.norm()))
}

/// The rows Q_i x of all forms, each as part of its size.
fn gradients(forms: &[DMatrix<f64>], x: &DVector<f64>) -> DMatrix<f64> {
    let rows: Vec<_> = forms.iter().map(|Q| (Q * x / Q.norm()).transpose()).collect();
    DMatrix::from_rows(&rows)
}

/// The projector onto the w with Q_i(x, w) = 0; `None` where these do not number as many as the forms.
fn projector(forms: &[DMatrix<f64>], x: &DVector<f64>) -> Option<DMatrix<f64>> {
    let E = gradients(forms, x);
    if E.clone().svd(false, false).rank(RANK) < forms.len() {
        return None;
    }
    let inverse = E.clone().pseudo_inverse(RANK).ok()?;
    Some(DMatrix::identity(x.len(), x.len()) - inverse * E)
}

/// The branch a velocity leads along.
fn along(forms: &[DMatrix<f64>], v: &DVector<f64>) -> Option<DMatrix<f64>> {
    let x = v.clone().try_normalize(0.0)?;
    (!forms.is_empty() && values(forms, &x).amax() <= ALONG).then(|| projector(forms, &x))?
}

/// Tangents of branches: unit x with Q_i(x, x) = 0, by Newton's method from starts spread over the sphere; what of the
/// admissible velocities remains along each.
fn branches(forms: &[DMatrix<f64>], freedom: usize) -> Vec<DMatrix<f64>> {
    let mut found: Vec<DMatrix<f64>> = Vec::new();
    for start in 0..STARTS * freedom {
        let x = DVector::from_fn(freedom, |k, _| {
            let irrational = ((k + 2) as f64).sqrt() + ((k + 2) as f64).ln();
            2.0 * ((start + 1) as f64 * irrational).fract() - 1.0
        });
        let Some(x) = x.try_normalize(0.0).and_then(|x| tangent(forms, x)) else { continue };
        let Some(P) = projector(forms, &x) else { continue };
        if found.iter().all(|known| (known - &P).amax() > RANK) {
            found.push(P);
        }
        if found.len() == MOST_BRANCHES {
            break;
        }
    }
    found
}

/// A unit vector on which all forms vanish, from a start; `None` if Newton's method reaches none.
fn tangent(forms: &[DMatrix<f64>], start: DVector<f64>) -> Option<DVector<f64>> {
    let mut x = start;
    for _ in 0..MOST_STEPS {
        let value = values(forms, &x);
        if value.amax() <= 1e-14 {
            return Some(x);
        }
        let E = gradients(forms, &x) * 2.0;
        let step = E.pseudo_inverse(1e-12).ok()? * value;
        x = (x - step).try_normalize(0.0)?;
    }
    (values(forms, &x).amax() <= 1e-12).then_some(x)
}
