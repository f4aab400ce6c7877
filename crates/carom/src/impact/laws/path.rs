//! Friction as one linear complementarity, for contacts that sweeps do not bring to an end.
//!
//! At each contact, with the directions d_j of a polygon and the rate of sliding λ:
//!
//! ```text
//! 0 ≤ p_n − b ⟂ u_n ≥ 0      0 ≤ β_j ⟂ λ + d_jᵀ u_t ≥ 0      0 ≤ λ ⟂ μ p_n − Σ β_j ≥ 0      p_t = Σ β_j d_j
//! ```
//!
//! In the plane that is Coulomb's law itself, in space its polygon: a start for Newton's method. The matrix is copositive
//! (Stewart and Trinkle 1996, Anitescu and Potra 1997), and impulses with Aᵀ p = 0 do no work on the velocities of a plastic
//! impact, nor on those after a compression: there Lemke's path always ends at a solution.

use super::coulomb::{Cones, Coulomb};
use super::problem::ImpactProblem;
use crate::maths::lemke::lemke;

/// Directions of friction of a contact in space.
const POLYGON: usize = 8;
/// The largest complementarity that is followed: its cost grows with the third power.
const MOST: usize = 400;

/// One unknown of the complementarity.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    /// p_n − b of a contact.
    Normal(usize),
    /// β of a contact along a direction.
    Friction(usize, [f64; 2]),
    /// λ of a contact.
    Sliding(usize),
}

impl Coulomb {
    /// p ← the end of a path; false if there is none. Each number of a path leads another way.
    pub(super) fn follow(&mut self, asked: &Cones<'_>, path: usize) -> bool {
        let Cones { impact, first, c, bound, size, .. } = *asked;
        let unknowns = unknowns(impact, path);
        let n = unknowns.len();
        if n > MOST || !(size > 0.0) {
            return false;
        }
        // Impulses of a contact in units of size/√W_nn, so that all numbers compare.
        let unit = |i: usize| {
            let w = impact.w(first[i], first[i]);
            if w > 0.0 { w.sqrt().recip() } else { 1.0 }
        };
        let rows = |x: Unknown| -> ([(usize, f64); 2], usize) {
            match x {
                Unknown::Normal(i) => ([(first[i], 1.0), (0, 0.0)], i),
                Unknown::Friction(i, d) => {
                    let second = if impact.contacts()[i].rows() > 2 { first[i] + 2 } else { 0 };
                    ([(first[i] + 1, d[0]), (second, d[1])], i)
                }
                Unknown::Sliding(i) => ([(0, 0.0); 2], i),
            }
        };
        let mut M = vec![0.0; n * n];
        let mut q = vec![0.0; n];
        for (a, &x) in unknowns.iter().enumerate() {
            let (own, i) = rows(x);
            for (b, &y) in unknowns.iter().enumerate() {
                let (other, j) = rows(y);
                let mut sum = 0.0;
                for (r, f) in own {
                    for (s, g) in other {
                        sum += if f * g == 0.0 { 0.0 } else { f * g * impact.w(r, s) };
                    }
                }
                M[a * n + b] = unit(i) * unit(j) * sum;
                // Rows of μ p_n − Σ β are divided by a large μ.
                let mu = impact.contacts()[i].mu();
                M[a * n + b] += match (x, y) {
                    (Unknown::Friction(i, _), Unknown::Sliding(j)) if i == j => 1.0,
                    (Unknown::Sliding(i), Unknown::Normal(j)) if i == j => mu / mu.max(1.0),
                    (Unknown::Sliding(i), Unknown::Friction(j, _)) if i == j => -1.0 / mu.max(1.0),
                    _ => 0.0,
                };
            }
            let aim: f64 = own
                .iter()
                .filter(|(_, f)| *f != 0.0)
                .map(|&(r, f)| {
                    let least: f64 =
                        first.iter().zip(bound).map(|(&s, b)| impact.w(r, s) * b).sum();
                    f * (c[r] + least)
                })
                .sum();
            q[a] = unit(i) * aim / size;
            if let Unknown::Sliding(i) = x {
                let mu = impact.contacts()[i].mu();
                q[a] = mu / mu.max(1.0) * bound[i] / (unit(i) * size);
            }
        }
        let cover = |i: usize| if path == 0 { 1.0 } else { 1.0 + ((i * (path + 2)) % 7) as f64 };
        let Some(z) = lemke(&M, &q, cover) else { return false };
        self.start(asked);
        for (&x, z) in unknowns.iter().zip(&z) {
            let (own, i) = rows(x);
            for (row, f) in own.into_iter().filter(|(_, f)| *f != 0.0) {
                self.p[row] += f * z * unit(i) * size;
            }
        }
        self.p.iter().all(|p| p.is_finite())
    }
}

/// Each path has a polygon of its own.
fn unknowns(impact: &ImpactProblem<'_>, path: usize) -> Vec<Unknown> {
    let mut list = Vec::new();
    for (i, contact) in impact.contacts().iter().enumerate() {
        list.push(Unknown::Normal(i));
        if contact.mu() == 0.0 {
            continue;
        }
        let ways = if contact.tangents == 1 { 2 } else { POLYGON };
        for k in 0..ways {
            let turned = if contact.tangents == 1 { 0.0 } else { 0.27 * path as f64 };
            let (sin, cos) = (std::f64::consts::TAU * (k as f64 + turned) / ways as f64).sin_cos();
            let sin = if contact.tangents == 1 { 0.0 } else { sin };
            list.push(Unknown::Friction(i, [cos, sin]));
        }
        list.push(Unknown::Sliding(i));
    }
    list
}
