//! Impulses that are not unique: of all that give the same velocities, the shortest.

use super::solution::Uniqueness;
use crate::maths::ldl;

/// Rows whose velocity misses zero by less than this part of the largest |c| can carry an impulse.
const AT_REST: f64 = 1e-10;
/// The velocities may change by this part while the impulses are shortened.
const SAME: f64 = 1e-13;
/// Newton's steps.
const STEPS: usize = 60;
/// Where fewer impulses act than there are independent rows, y is found to this part; the impulses are then mended.
const COARSE: f64 = 1e-8;

/// Memory.
#[derive(Clone, Debug, Default)]
pub(super) struct LeastNorm {
    factor: Vec<f64>,
    scale: Vec<f64>,
    order: Vec<u32>,
    work: Vec<f64>,
    /// Rows that can carry an impulse.
    able: Vec<usize>,
    /// r × f: independent rows of W over the able ones, each of unit length.
    B: Vec<f64>,
    b: Vec<f64>,
    y: Vec<f64>,
    /// The best y near the end.
    kept: Vec<f64>,
    next: Vec<f64>,
    H: Vec<f64>,
}

fn room(list: &mut Vec<f64>, n: usize) {
    list.clear();
    list.resize(n, 0.0);
}

impl LeastNorm {
    /// x ← W⁺ u in the sense of Moore and Penrose; returns the rank. W = S D Sᵀ, so
    /// W⁺ = S (SᵀS)⁻¹ D⁻¹ (SᵀS)⁻¹ Sᵀ.
    pub fn pseudo_solve(&mut self, W: &[f64], u: &[f64], x: &mut [f64]) -> usize {
        let n = u.len();
        if n == 1 {
            x[0] = if W[0] > 0.0 { u[0] / W[0] } else { 0.0 };
            return usize::from(W[0] > 0.0);
        }
        let r = self.factorise(W, n);
        x.copy_from_slice(u);
        if r == n {
            ldl::solve(&self.factor, n, r, &self.order[..n], x, &mut self.work);
            return r;
        }
        // S is unit lower trapezoidal in the order of the pivots.
        let S = |factor: &[f64], i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => factor[i * n + j],
        };
        room(&mut self.H, r * r);
        room(&mut self.y, r);
        for a in 0..r {
            for b in 0..=a {
                let sum = (a..n).map(|i| S(&self.factor, i, a) * S(&self.factor, i, b)).sum();
                (self.H[a * r + b], self.H[b * r + a]) = (sum, sum);
            }
            self.y[a] = (a..n).map(|i| S(&self.factor, i, a) * u[self.order[i] as usize]).sum();
        }
        cholesky(&mut self.H, r);
        cholesky_solve(&self.H, r, &mut self.y);
        for a in 0..r {
            self.y[a] /= self.factor[a * n + a];
        }
        cholesky_solve(&self.H, r, &mut self.y);
        for i in 0..n {
            x[self.order[i] as usize] =
                (0..r.min(i + 1)).map(|a| S(&self.factor, i, a) * self.y[a]).sum();
        }
        r
    }

    fn factorise(&mut self, W: &[f64], n: usize) -> usize {
        self.factor.clear();
        self.factor.extend_from_slice(W);
        self.scale.clear();
        self.scale.extend((0..n).map(|i| W[i * n + i]));
        self.order.clear();
        self.order.resize(n, 0);
        room(&mut self.work, n);
        ldl::factorise(&mut self.factor, n, &self.scale, &mut self.order)
    }

    /// Shortens p ≥ 0 among those with the same W p and no impulse where the bodies part: the least of ½ |p|² with
    /// B p = b. Its dual is smooth, p = max(0, Bᵀ y), and Newton's method ends after finitely many sets.
    pub fn shorten(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> Uniqueness {
        let n = c.len();
        let size = c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.able.clear();
        for i in 0..n {
            let row = &W[i * n..(i + 1) * n];
            let u = c[i] + row.iter().zip(p.iter()).map(|(w, p)| w * p).sum::<f64>();
            if row[i] > 0.0 && u <= AT_REST * size {
                self.able.push(i);
            }
        }
        let f = self.able.len();
        self.factor.clear();
        for &i in &self.able {
            for &j in &self.able {
                self.factor.push(W[i * n + j]);
            }
        }
        let W_f = std::mem::take(&mut self.factor);
        self.B.clear();
        self.B.extend_from_slice(&W_f);
        self.factor = W_f;
        self.scale.clear();
        self.scale.extend(self.able.iter().map(|i| W[i * n + i]));
        self.order.clear();
        self.order.resize(f, 0);
        let r = ldl::factorise(&mut self.factor, f, &self.scale, &mut self.order);
        if r == f {
            return Uniqueness::Unique;
        }
        // Independent rows of W_f, each of unit length.
        room(&mut self.b, r);
        room(&mut self.next, r * f);
        for a in 0..r {
            let row = &self.B[self.order[a] as usize * f..][..f];
            let unit = row.iter().map(|x| x * x).sum::<f64>().sqrt().recip();
            for (x, w) in self.next[a * f..(a + 1) * f].iter_mut().zip(row) {
                *x = unit * w;
            }
            self.b[a] =
                self.able.iter().zip(&self.next[a * f..]).map(|(&i, x)| x * p[i]).sum::<f64>();
        }
        self.B.clear();
        self.B.extend_from_slice(&self.next);
        let long: f64 = self.able.iter().map(|&i| p[i].abs()).sum();
        // Large impulses that nearly cancel in b have larger round-off.
        let size = self.b.iter().fold(long * f64::EPSILON / SAME, |m, x| m.max(x.abs()));
        if self.dual(r, f, size) || self.mend(r, f, size) || self.primal(r, f, (size, p)) {
            for (k, &i) in self.able.iter().enumerate() {
                p[i] = self.work[k].max(0.0);
            }
            Uniqueness::LeastNorm
        } else {
            Uniqueness::NotUnique
        }
    }

    /// Impulses near the shortest, with b met to the last digits: work ← work + B_Sᵀ (B_S B_Sᵀ)⁻¹ (b − B work) over the
    /// positive entries.
    fn mend(&mut self, r: usize, f: usize, size: f64) -> bool {
        if !(self.shortfall(r, f) <= COARSE * size) {
            return false;
        }
        self.work.iter_mut().for_each(|x| *x = x.max(0.0));
        for _ in 0..5 {
            if self.left(r, f) <= SAME * size {
                return true;
            }
            self.gather(r, f, false);
            cholesky(&mut self.H, r);
            cholesky_solve(&self.H, r, &mut self.next);
            for k in 0..f {
                if self.work[k] == 0.0 {
                    continue;
                }
                let more: f64 = (0..r).map(|a| self.B[a * f + k] * self.next[a]).sum();
                self.work[k] = (self.work[k] + more).max(0.0);
            }
        }
        self.left(r, f) <= SAME * size
    }

    /// The slow and safe way where y grows without end, from impulses that fit: the shortest with those in `free` alone, as
    /// far as they stay positive; then the entry joins that shortens most.
    fn primal(&mut self, r: usize, f: usize, (size, p): (f64, &[f64])) -> bool {
        let mut x: Vec<f64> = self.able.iter().map(|&i| p[i]).collect();
        let mut free: Vec<bool> = x.iter().map(|x| *x > 0.0).collect();
        let long = x.iter().fold(0.0_f64, |m, x| m.max(*x));
        for _ in 0..4 * f + 20 {
            for (work, free) in self.work.iter_mut().zip(&free) {
                *work = f64::from(u8::from(*free));
            }
            self.gather(r, f, false);
            cholesky(&mut self.H, r);
            self.y.fill(0.0);
            for _ in 0..3 {
                for (k, free) in free.iter().enumerate() {
                    let along: f64 = (0..r).map(|a| self.B[a * f + k] * self.y[a]).sum();
                    self.work[k] = if *free { along } else { 0.0 };
                }
                for a in 0..r {
                    let held: f64 = (0..f).map(|k| self.B[a * f + k] * self.work[k]).sum();
                    self.next[a] = self.b[a] - held;
                }
                cholesky_solve(&self.H, r, &mut self.next);
                self.y.iter_mut().zip(&self.next).for_each(|(y, x)| *y += x);
            }
            let aim: Vec<f64> =
                (0..f).map(|k| (0..r).map(|a| self.B[a * f + k] * self.y[a]).sum()).collect();
            let mut first: Option<(usize, f64)> = None;
            for k in (0..f).filter(|k| free[*k] && aim[*k] < 0.0) {
                let share = x[k] / (x[k] - aim[k]);
                if first.is_none_or(|(_, least)| share < least) {
                    first = Some((k, share));
                }
            }
            let reach = first.map_or(1.0, |(_, share)| share);
            for k in (0..f).filter(|k| free[*k]) {
                x[k] = (x[k] + reach * (aim[k] - x[k])).max(0.0);
            }
            if let Some((k, _)) = first {
                (x[k], free[k]) = (0.0, false);
                continue;
            }
            let enters = (0..f).filter(|k| !free[*k]).max_by(|i, j| aim[*i].total_cmp(&aim[*j]));
            let Some(k) = enters.filter(|k| aim[*k] > COARSE * long) else {
                self.work.copy_from_slice(&x);
                return self.left(r, f) <= 10.0 * SAME * size;
            };
            free[k] = true;
        }
        false
    }

    /// H ← B_S B_Sᵀ over the positive entries, or over all.
    fn gather(&mut self, r: usize, f: usize, all: bool) {
        for a in 0..r {
            for b in 0..=a {
                let sum: f64 = (0..f)
                    .filter(|k| all || self.work[*k] > 0.0)
                    .map(|k| self.B[a * f + k] * self.B[b * f + k])
                    .sum();
                (self.H[a * r + b], self.H[b * r + a]) = (sum, sum);
            }
            self.H[a * r + a] += 1e-14;
        }
    }

    /// Newton's method on b = B max(0, Bᵀ y).
    fn dual(&mut self, r: usize, f: usize, size: f64) -> bool {
        room(&mut self.y, r);
        room(&mut self.work, f);
        room(&mut self.next, r);
        room(&mut self.H, r * r);
        let mut first = true;
        let mut last = f64::INFINITY;
        let mut nearest = f64::INFINITY;
        for _ in 0..STEPS {
            let short = self.shortfall(r, f);
            let near = short <= SAME * size;
            if near && short >= 0.5 * nearest {
                // No step brings more digits; the one before may have been better.
                if short > nearest {
                    self.y.copy_from_slice(&self.kept);
                    self.shortfall(r, f);
                }
                return true;
            }
            if near {
                nearest = short;
                self.kept.clear();
                self.kept.extend_from_slice(&self.y);
            }
            // H = B_S B_Sᵀ over the positive entries, all of them in the first step
            self.gather(r, f, first);
            first = false;
            cholesky(&mut self.H, r);
            cholesky_solve(&self.H, r, &mut self.next);
            if near {
                self.y.iter_mut().zip(&self.next).for_each(|(y, x)| *y += x);
                continue;
            }
            let mut share = 1.0;
            for _ in 0..30 {
                for a in 0..r {
                    self.y[a] += share * self.next[a];
                }
                let worse = self.merit(r, f) > last;
                if !worse {
                    break;
                }
                for a in 0..r {
                    self.y[a] -= share * self.next[a];
                }
                share *= 0.5;
            }
            last = self.merit(r, f);
        }
        self.shortfall(r, f) <= SAME * size
    }

    /// ½ |max(0, Bᵀ y)|² − bᵀ y: what falls.
    fn merit(&mut self, r: usize, f: usize) -> f64 {
        let mut sum = -(0..r).map(|a| self.b[a] * self.y[a]).sum::<f64>();
        for k in 0..f {
            let x: f64 = (0..r).map(|a| self.B[a * f + k] * self.y[a]).sum();
            sum += 0.5 * x.max(0.0).powi(2);
        }
        sum
    }

    /// next ← b − B max(0, Bᵀ y), and its largest entry.
    fn shortfall(&mut self, r: usize, f: usize) -> f64 {
        for k in 0..f {
            self.work[k] = (0..r).map(|a| self.B[a * f + k] * self.y[a]).sum::<f64>();
        }
        self.left(r, f)
    }

    /// next ← b − B max(0, work), and its largest entry.
    fn left(&mut self, r: usize, f: usize) -> f64 {
        let mut most = 0.0_f64;
        for a in 0..r {
            let held: f64 = (0..f).map(|k| self.B[a * f + k] * self.work[k].max(0.0)).sum();
            self.next[a] = self.b[a] - held;
            most = most.max(self.next[a].abs());
        }
        most
    }
}

/// L of L Lᵀ in place; entries of round-off size on the diagonal are raised, so that it always exists.
fn cholesky(H: &mut [f64], n: usize) {
    let size = (0..n).fold(0.0_f64, |m, i| m.max(H[i * n + i]));
    for j in 0..n {
        let own: f64 = (0..j).map(|k| H[j * n + k] * H[j * n + k]).sum();
        let pivot = (H[j * n + j] - own).max(1e-15 * size).max(f64::MIN_POSITIVE).sqrt();
        H[j * n + j] = pivot;
        for i in j + 1..n {
            let sum: f64 = (0..j).map(|k| H[i * n + k] * H[j * n + k]).sum();
            H[i * n + j] = (H[i * n + j] - sum) / pivot;
        }
    }
}

fn cholesky_solve(L: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| L[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / L[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| L[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / L[i * n + i];
    }
}
