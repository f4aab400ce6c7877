//! Which touching points an impact strikes, and whether the bodies can separate at all.
//!
//! A contact pushes: p ≥ 0 along the normals of touching points, and afterwards u⁺ = u + W p ≥ 0. Two questions about that have one answer for
//! all verbs. *Which points are struck?* Those that close, and those that the impulses of these drive together. *Can they separate?* Not if
//! there is an x ≥ 0 with W x = 0 and xᵀ u < 0 (Farkas): impulses along x move nothing, and only a drive can have u outside the range of W.

use super::driven::drives_behind;
use super::load::ImpactRows;
use super::rows::TouchingRow;
use crate::contact::{Approach, IMMOBILE, POSE};
use crate::dynamics::Posture;
use crate::maths::cone::{ConeSolver, ContactPoint, ContactProblem};
use crate::maths::ldl;

/// A touching point is driven together by the impulses at others if it closes faster than this fraction of the fastest one afterwards; each
/// velocity is divided by the root of its mobility, so that √(energy) is compared with √(energy).
const DRIVEN_TOGETHER: f64 = POSE;

/// Contacts that cannot separate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The normal row on which the drives do the most work.
    pub row: usize,
    /// The drives that would have to stop.
    pub drives: Vec<String>,
}

/// Eliminates the struck rows from W and u, both scaled to a unit diagonal, and takes in the touching points that they drive together. Answers T_c = ½ uᵀ W⁺ u over the struck rows; `rows[k].struck` says which these are.
///
/// After the elimination W holds the mobilities with the struck rows held, and u the velocities after an inelastic impact there.
pub(crate) fn strike_out(W: &mut [f64], u: &mut [f64], rows: &mut [Reach], zero: f64) -> f64 {
    let n = rows.len();
    let size = u.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
    let mut energy = 0.0;
    loop {
        let left = (0..n).filter(|k| rows[*k].struck && !rows[*k].eliminated);
        let next = left.max_by(|a, b| W[a * n + a].total_cmp(&W[b * n + b]));
        if let Some(k) = next.filter(|k| W[k * n + k] > zero) {
            rows[k].eliminated = true;
            let d = W[k * n + k];
            energy += 0.5 * u[k] * u[k] / d;
            for i in (0..n).filter(|i| !rows[*i].eliminated) {
                let factor = W[i * n + k] / d;
                u[i] -= factor * u[k];
                for j in (0..n).filter(|j| !rows[*j].eliminated) {
                    W[i * n + j] -= factor * W[k * n + j];
                }
            }
            continue;
        }
        let closes = |k: &usize| {
            let row = &rows[*k];
            row.is_normal && !row.struck && W[k * n + k] > zero && u[*k] < -DRIVEN_TOGETHER * size
        };
        let Some(k) = (0..n).filter(closes).min_by(|a, b| u[*a].total_cmp(&u[*b])) else {
            return energy;
        };
        let point = rows[k].point;
        rows.iter_mut().filter(|row| row.point == point).for_each(|row| row.struck = true);
    }
}

/// A row in [`strike_out`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    /// The point it belongs to.
    pub point: usize,
    /// Whether it is the normal there.
    pub is_normal: bool,
    /// Whether the impact strikes it.
    pub struck: bool,
    /// Whether it is eliminated; a struck row that depends on others stays.
    pub eliminated: bool,
}

impl Reach {
    /// Of the touching rows, struck where their point closes.
    pub fn of_touching(touching: &[TouchingRow]) -> Vec<Self> {
        let closes = |point: usize| {
            let normal = |r: &&TouchingRow| r.is_normal && r.point == point;
            touching.iter().find(normal).is_some_and(|r| r.approach == Approach::Closing)
        };
        let reach = |r: &TouchingRow| Self {
            point: r.point,
            is_normal: r.is_normal,
            struck: closes(r.point),
            eliminated: false,
        };
        touching.iter().map(reach).collect()
    }
}

impl ImpactRows {
    /// The rows that an impact strikes: those of closing points, and of touching points that these drive together.
    pub(crate) fn struck(&self, touching: &[TouchingRow]) -> Vec<usize> {
        let mut reach = Reach::of_touching(touching);
        // A point that closes alone, or with all others, drives nothing together.
        if reach.iter().any(|r| r.struck) && reach.iter().any(|r| !r.struck) {
            let rows: Vec<usize> = touching.iter().map(|r| r.row).collect();
            let scaled = self.select(&rows);
            let mut W: Vec<f64> = scaled.W.iter().copied().collect();
            let mut u: Vec<f64> =
                rows.iter().zip(&scaled.scale).map(|(k, s)| s * self.u[*k]).collect();
            strike_out(&mut W, &mut u, &mut reach, scaled.zero);
        }
        touching.iter().zip(&reach).filter(|(_, r)| r.struck).map(|(t, _)| t.row).collect()
    }

    /// Whether drives close touching points that cannot separate: then no impulse is enough, and T_c is unbounded.
    pub(crate) fn held(&self, at: &Posture<'_>, touching: &[TouchingRow]) -> Option<Held> {
        let driven = at.model().drives.iter().any(|d| at.state().v[d.v] != 0.0);
        if !driven || touching.iter().all(|r| r.approach != Approach::Closing) {
            return None;
        }
        let struck = self.struck(touching);
        let push: Vec<&TouchingRow> =
            touching.iter().filter(|r| r.is_normal || struck.contains(&r.row)).collect();
        let x = self.held_against(&push)?;
        let work = |(r, x): &(&&TouchingRow, &f64)| -*x * self.u[r.row];
        let normals = push.iter().zip(&x).filter(|(r, _)| r.is_normal);
        let row = normals.max_by(|a, b| work(a).total_cmp(&work(b))).map(|(r, _)| r.row)?;
        let impulses = push.iter().zip(&x).map(|(r, x)| (&self.rows[r.row], *x));
        Some(Held { row, drives: drives_behind(at, impulses) })
    }

    /// x with W x = 0, x ≥ 0 along normals and xᵀ u < 0; `None` if there is none.
    ///
    /// It is the projection of −u on the cone of all x with W x = 0 and x ≥ 0: with P the projector on the null space of W,
    /// x = P (y − u) where 0 ≤ y ⟂ x ≥ 0. Without a drive |xᵀ u| ≤ √(2 T xᵀ W x) for every x, so x is round-off: what stays below that
    /// bound, with the largest xᵀ W x that counts as zero, is no motion of a drive.
    fn held_against(&self, push: &[&TouchingRow]) -> Option<Vec<f64>> {
        let mut out = vec![0.0; push.len()];
        let mut found = false;
        // An immobile row is uncoupled from all others.
        for (x, r) in out.iter_mut().zip(push).filter(|(_, r)| self.is_immobile(r.row)) {
            let (u, natural) = (self.u[r.row], self.natural[r.row]);
            let moves = u * u > 2.0 * self.kinetic * IMMOBILE * natural;
            if moves && (u < 0.0 || !r.is_normal) {
                *x = -u / natural;
                found = true;
            }
        }
        let mobile: Vec<usize> =
            (0..push.len()).filter(|k| !self.is_immobile(push[*k].row)).collect();
        if mobile.is_empty() {
            return found.then_some(out);
        }
        let n = mobile.len();
        let rows: Vec<usize> = mobile.iter().map(|k| push[*k].row).collect();
        let scaled = self.select(&rows);
        let u: Vec<f64> = rows.iter().zip(&scaled.scale).map(|(k, s)| s * self.u[*k]).collect();
        let P = scaled.null_projector();
        let c: Vec<f64> = (0..n).map(|i| -(0..n).map(|j| P[(i, j)] * u[j]).sum::<f64>()).collect();
        // The diagonal of the projector P lies between 0 and 1; where it is round-off, x_k is zero for every x in the null space.
        let takes_part = |k: &usize| push[mobile[*k]].is_normal && P[(*k, *k)] > ldl::TOLERANCE;
        let normals: Vec<usize> = (0..n).filter(takes_part).collect();
        let P_nn: Vec<f64> = (normals.iter())
            .flat_map(|i| normals.iter().map(|j| P[(*i, *j)]).collect::<Vec<_>>())
            .collect();
        let c_n: Vec<f64> = normals.iter().map(|i| c[*i]).collect();
        let points = vec![ContactPoint::SMOOTH; normals.len()];
        let mut cone = ConeSolver::default();
        // P y = P u has a solution by y = u, so the complementarity has one but for round-off.
        let problem = ContactProblem { points: &points, W: &P_nn, c: &c_n, round_off: 0.0 };
        cone.solve(&problem).ok()?;
        let y = &cone.impulses;
        let x: Vec<f64> = (0..n)
            .map(|i| c[i] + normals.iter().zip(y).map(|(j, y)| P[(i, *j)] * y).sum::<f64>())
            .collect();
        let size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size > self.round_off(&scaled) {
            for ((k, x), scale) in mobile.iter().zip(&x).zip(&scaled.scale) {
                out[*k] = x * scale;
            }
            found = true;
        }
        found.then_some(out)
    }
}
