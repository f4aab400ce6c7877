//! One contact, one or several rows: W, u, T, T_c, T_a, ξ, apparent masses.

use nalgebra::{DMatrix, DVector};

use super::effective::EffectiveMass;
use super::rows::{NamedRow, TouchingRow};
use crate::contact::{Approach, ContactError, IMMOBILE, Resolution};
use crate::dynamics::{Posture, RowWrench};

/// Relative tolerance of the rank of W: eigenvalues of W, scaled to a unit diagonal, below this count as zero, and the rows are linearly dependent.
const RANK: f64 = 1e-12;
/// Round-off of the off-diagonal entries of W, as a fraction of the mobilities of the same rows on free bodies.
const ENTRIES: f64 = 1e-15;
/// A mobility found by subtraction is zero below this fraction of the mobility of the same row on free bodies.
const SUBTRACTED: f64 = 1e-13;
/// The two sides are uncoupled if |W_ij| is below this fraction of the geometric mean of their mobilities.
const UNCOUPLED: f64 = 1e-12;

/// Apparent masses of the two sides of a row (Nikravesh-Poursina eq. 2 and fig. 5).
///
/// 1/m_eff = 1/m_i + 1/m_j + 2 W_ij, eq. (3.3); eq. 2 of the paper holds exactly where the sides are uncoupled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApparentMasses {
    /// m_app of body i \[kg\]; ∞ for ground or an immobile side.
    pub i: f64,
    /// m_app of body j \[kg\].
    pub j: f64,
    /// W_ij = A_i Y A_jᵀ \[1/kg\].
    pub coupling: f64,
    /// Whether W_ij is zero, so that eq. 2 of Nikravesh-Poursina holds.
    pub uncoupled: bool,
}

/// Energies of the state against a set of rows (eq. (4.3); Gonzalez et al. eqs. 16, 17, 20).
#[derive(Clone, Debug, PartialEq)]
pub struct Energies {
    /// T \[J\].
    pub total: f64,
    /// T_c over the rows that take part \[J\]; ∞ where unbounded.
    pub constrained: f64,
    /// T_a = T − T_c \[J\].
    pub admissible: f64,
    /// ξ = T_c / T; zero at rest.
    pub share: f64,
    /// T_c over the rows that an impact strikes: the energy it can use \[J\]; ∞ where unbounded. These are the closing rows, and those of
    /// touching points that the impulses there drive together.
    pub closing: f64,
    /// Whether a drive closes a row, or a combination of rows, along which nothing can give way: then T_c is unbounded.
    pub unbounded: bool,
    /// The drives that would have to stop, where it is unbounded.
    pub drives: Vec<String>,
    /// Whether drives move: then T depends on the frame and T = T_c + T_a says nothing.
    pub driven: bool,
}

/// Rows of an impact and what they mean together.
#[derive(Clone, Debug)]
pub struct ImpactRows {
    /// The rows.
    pub rows: Vec<RowWrench>,
    /// W = A Y Aᵀ, eq. (3.1).
    pub W: DMatrix<f64>,
    /// u = A v.
    pub u: DVector<f64>,
    /// The mobility of each row on free bodies.
    pub(super) natural: DVector<f64>,
    /// T.
    pub(super) kinetic: f64,
    /// w = Y Aᵀ, one column per row.
    pub responses: DMatrix<f64>,
}

/// The largest number of contact rows that are solved together: W takes 8 n² bytes and its factorisation n³ operations, here 32 MB and some seconds.
const MOST_ROWS: usize = 2000;

/// Refuses more rows than are solved together.
pub(crate) fn check_count(found: usize) -> Result<(), ContactError> {
    let most = MOST_ROWS;
    if found > most { Err(ContactError::TooManyRows { found, most }) } else { Ok(()) }
}

impl ImpactRows {
    /// Sweeps all rows at a posture.
    pub fn new(at: &Posture<'_>, rows: &[RowWrench]) -> Self {
        let m = rows.len();
        let mut W = DMatrix::zeros(m, m);
        let mut responses = DMatrix::zeros(at.model().nv, m);
        for (k, row) in rows.iter().enumerate() {
            let w = at.response(row).x;
            let twists = at.twists(&w);
            let of = |place: crate::model::Place| {
                place.map_or_else(crate::maths::Twist::zero, |b| twists[b.index()])
            };
            for (i, other) in rows.iter().enumerate() {
                W[(i, k)] = other.rate(&of(other.a), &of(other.b));
            }
            responses.column_mut(k).copy_from_slice(&w);
        }
        // The diagonal as a sum of squares, which keeps its digits.
        for (k, row) in rows.iter().enumerate() {
            W[(k, k)] = at.settled_mobility(row);
        }
        let W = (&W + W.transpose()) * 0.5;
        let u = DVector::from_iterator(m, rows.iter().map(|r| at.rate(r)));
        let natural = DVector::from_iterator(
            m,
            rows.iter().map(|r| r.free_mobility(at.model(), at.frames())),
        );
        Self { rows: rows.to_vec(), W, u, natural, kinetic: at.kinetic_energy(), responses }
    }

    /// m_eff of each row alone.
    pub fn effective(&self, k: usize) -> EffectiveMass {
        EffectiveMass::from_mobility(self.W[(k, k)], self.natural[k], self.u[k], || self.kinetic)
    }

    /// How each row moves, of rows with their contacts.
    pub(super) fn approaches<'r>(
        &self,
        at: &Posture<'_>,
        rows: impl Iterator<Item = (usize, &'r NamedRow)>,
    ) -> Vec<Approach> {
        let approach = |(k, (contact, row)): (usize, (usize, &NamedRow))| {
            let resolution = Resolution::new(at, contact, &row.point, &row.wrench);
            resolution.approach(row.is_normal, self.W[(k, k)], self.u[k])
        };
        rows.enumerate().map(approach).collect()
    }

    /// m_eff of a row with the other ones of some rows held: (W⁻¹)_kk, ∞ if the others leave it immobile.
    pub fn others_held(&self, k: usize, rows: &[usize]) -> f64 {
        let others: Vec<usize> = rows.iter().copied().filter(|i| *i != k).collect();
        let W_oo = self.select(&others);
        let W_ok = DVector::from_iterator(others.len(), others.iter().map(|&i| self.W[(i, k)]));
        let taken = W_ok.dot(&(W_oo.inverse() * &W_ok));
        let rest = self.W[(k, k)] - taken;
        // Without another row nothing is subtracted.
        let lost = if others.is_empty() { IMMOBILE } else { SUBTRACTED };
        let smallest = (lost * self.natural[k]).max(1e-14 * self.W[(k, k)]);
        if rest <= smallest { f64::INFINITY } else { 1.0 / rest }
    }

    /// Whether nothing can move along a row.
    pub(super) fn is_immobile(&self, k: usize) -> bool {
        self.W[(k, k)] <= IMMOBILE * self.natural[k]
    }

    pub(super) fn select(&self, rows: &[usize]) -> Scaled {
        let n = rows.len();
        let scale = |k: usize| {
            if self.is_immobile(k) { 0.0 } else { self.W[(k, k)].sqrt().recip() }
        };
        let W = DMatrix::from_fn(n, n, |i, j| {
            scale(rows[i]) * self.W[(rows[i], rows[j])] * scale(rows[j])
        });
        let mobile = rows.iter().filter(|k| !self.is_immobile(**k));
        let zero = zero_eigenvalue(n, mobile.map(|k| (self.natural[*k], self.W[(*k, *k)])));
        let scale = rows.iter().map(|&i| scale(i)).collect();
        Scaled { W, scale, zero }
    }

    /// The rank of W: how many rows are independent.
    pub fn rank(&self) -> usize {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        self.rank_of(&all)
    }

    /// How many of some rows are independent.
    pub(super) fn rank_of(&self, rows: &[usize]) -> usize {
        self.select(rows).rank()
    }

    /// W⁺, the inverse on the directions that can move.
    pub fn inverse(&self) -> DMatrix<f64> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        self.select(&all).inverse()
    }

    /// r = W⁺ u over some rows, and T_c = ½ uᵀ W⁺ u.
    pub fn energy_of(&self, rows: &[usize]) -> f64 {
        let u = DVector::from_iterator(rows.len(), rows.iter().map(|&i| self.u[i]));
        0.5 * u.dot(&(self.select(rows).inverse() * &u))
    }

    /// T_c over all rows.
    pub fn energy(&self) -> f64 {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        self.energy_of(&all)
    }

    /// Scaled velocities outside the range of W up to this are round-off: |xᵀ u| ≤ √(2 T xᵀ W x) with the largest xᵀ W x that counts as zero.
    pub(super) fn round_off(&self, scaled: &Scaled) -> f64 {
        (2.0 * self.kinetic * scaled.zero * scaled.scale.len() as f64).sqrt()
    }

    /// T, T_c, T_a and ξ at the posture, over the rows that take part. The velocity of a row at rest is round-off and is replaced by zero.
    pub(super) fn energies(&mut self, at: &Posture<'_>, part: &[TouchingRow]) -> Energies {
        for resting in part.iter().filter(|r| r.approach == Approach::Resting) {
            self.u[resting.row] = 0.0;
        }
        let total = self.kinetic;
        let driven = at.model().drives.iter().any(|d| at.state().v[d.v] != 0.0);
        let rows: Vec<usize> = part.iter().map(|r| r.row).collect();
        let held = self.held(at, part);
        let unbounded = held.is_some();
        let constrained = if unbounded { f64::INFINITY } else { self.energy_of(&rows) };
        let rest = total - constrained;
        let share = if total > 0.0 { constrained / total } else { 0.0 };
        Energies {
            total,
            constrained,
            // Without a drive T_c ≤ T but for round-off.
            admissible: if driven { rest } else { rest.max(0.0) },
            share: if driven { share } else { share.min(1.0) },
            closing: if unbounded { f64::INFINITY } else { self.energy_of(&self.struck(part)) },
            unbounded,
            drives: held.map_or_else(Vec::new, |held| held.drives),
            driven,
        }
    }

    /// Apparent masses of the two sides of a row.
    pub fn apparent(at: &Posture<'_>, row: &RowWrench) -> ApparentMasses {
        let (side_a, side_b) = (row.side_a(), row.side_b());
        let mass = |side: &RowWrench| at.settled_mass(side);
        let (i, j) = (mass(&side_a), mass(&side_b));
        let coupling = if row.a.is_some() && row.b.is_some() {
            let twists = at.twists(&at.response(&side_a).x);
            let b = row.b.map_or_else(crate::maths::Twist::zero, |b| twists[b.index()]);
            row.on_b.power(&b)
        } else {
            0.0
        };
        let uncoupled = coupling.abs() <= UNCOUPLED * (i.mobility * j.mobility).sqrt();
        ApparentMasses { i: i.mass, j: j.mass, coupling, uncoupled }
    }
}

/// Eigenvalues of the scaled W of n rows up to this count as zero; of each mobile row its mobility on free bodies and its own.
pub(crate) fn zero_eigenvalue(n: usize, mobile: impl Iterator<Item = (f64, f64)>) -> f64 {
    let lost = mobile.map(|(natural, own)| ENTRIES * natural / own);
    // A row alone has no entries beside the diagonal, and of several one is always independent.
    if n > 1 { RANK.max(lost.fold(0.0, f64::max).min(0.5)) } else { RANK }
}

/// S W S with S the inverse roots of the diagonal, zero at immobile rows, so that rank does not depend on units.
pub(super) struct Scaled {
    pub W: DMatrix<f64>,
    pub scale: Vec<f64>,
    /// Eigenvalues up to this count as zero.
    pub zero: f64,
}

impl Scaled {
    fn rank(&self) -> usize {
        if self.W.is_empty() {
            return 0;
        }
        self.W.clone().symmetric_eigenvalues().iter().filter(|x| **x > self.zero).count()
    }

    /// The orthogonal projector on the null space.
    pub fn null_projector(&self) -> DMatrix<f64> {
        let n = self.W.nrows();
        let mut out = DMatrix::zeros(n, n);
        if n > 0 {
            let eigen = self.W.clone().symmetric_eigen();
            for k in (0..n).filter(|k| eigen.eigenvalues[*k] <= self.zero) {
                let x = eigen.eigenvectors.column(k);
                out += x * x.transpose();
            }
        }
        out
    }

    /// W⁺ in the sense of Moore and Penrose. The scale decides what counts as zero, not the inverse:
    /// W = G Gᵀ with G = S⁻¹ X Λ^½ of full column rank, so W⁺ = G (GᵀG)⁻² Gᵀ.
    fn inverse(&self) -> DMatrix<f64> {
        let n = self.W.nrows();
        if n == 0 {
            return DMatrix::zeros(0, 0);
        }
        let eigen = self.W.clone().symmetric_eigen();
        let kept: Vec<usize> = (0..n).filter(|&k| eigen.eigenvalues[k] > self.zero).collect();
        if kept.len() < n {
            let unscale = |i: usize| if self.scale[i] > 0.0 { self.scale[i].recip() } else { 0.0 };
            let G = DMatrix::from_fn(n, kept.len(), |i, j| {
                let k = kept[j];
                unscale(i) * eigen.eigenvectors[(i, k)] * eigen.eigenvalues[k].sqrt()
            });
            let Some(factors) = (G.transpose() * &G).cholesky() else {
                return DMatrix::zeros(n, n);
            };
            let left = factors.solve(&G.transpose());
            return left.transpose() * left;
        }
        let mut out = DMatrix::zeros(n, n);
        for k in kept {
            let x = eigen.eigenvectors.column(k);
            out += x * x.transpose() / eigen.eigenvalues[k];
        }
        for i in 0..n {
            for j in 0..n {
                out[(i, j)] *= self.scale[i] * self.scale[j];
            }
        }
        out
    }
}
