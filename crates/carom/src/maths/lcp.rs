//! Linear complementarity with a symmetric positive semidefinite matrix: 0 ≤ p ⟂ W p + c ≥ 0.
//!
//! It is the condition of the least of ½ pᵀ W p + cᵀ p over p ≥ 0, found by an active set that grows by the row that is
//! violated most and shrinks where p would turn negative (Lawson and Hanson's way for least squares).

use super::ldl;

/// Rows that miss the condition by less than this part of the largest |c| count as met.
const MET: f64 = 1e-12;

/// An active row that is short by more than this part of the largest |c| cannot be met.
const STUCK: f64 = 1e-9;

/// Memory for problems of up to some size; nothing allocates after it is made.
#[derive(Clone, Debug)]
pub struct Complementarity {
    active: Vec<bool>,
    index: Vec<usize>,
    factors: Vec<f64>,
    scale: Vec<f64>,
    order: Vec<u32>,
    trial: Vec<f64>,
    work: Vec<f64>,
    /// Rank of the rows solved last.
    rank: usize,
}

impl Complementarity {
    /// Memory for up to `most` rows.
    pub fn new(most: usize) -> Self {
        Self {
            active: vec![false; most],
            index: Vec::with_capacity(most),
            factors: vec![0.0; most * most],
            scale: vec![0.0; most],
            order: vec![0; most],
            trial: vec![0.0; most],
            work: vec![0.0; most],
            rank: 0,
        }
    }

    /// W p = −c with the n × n matrix W stored by rows; rows that depend on others get zero. Returns the rank.
    pub fn equality(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> usize {
        self.active[..c.len()].fill(true);
        self.solve_active(W, c);
        for (p, (i, x)) in p.iter_mut().zip(self.trial.iter().enumerate()) {
            *p = if self.index.contains(&i) { *x } else { 0.0 };
        }
        self.rank
    }

    /// p of the complementarity; `None` if there is none, as for a row that nothing moves and that has to.
    pub fn solve(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> Option<()> {
        let n = c.len();
        let size = c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        p.fill(0.0);
        self.active[..n].fill(false);
        // Every set is left for one with a smaller least, so each comes once; rounding may repeat one.
        for _ in 0..=3 * n * n {
            let short = |i: usize| {
                c[i] + W[i * n..(i + 1) * n].iter().zip(p.iter()).map(|(w, p)| w * p).sum::<f64>()
            };
            let mut worst = (usize::MAX, -MET * size);
            for i in (0..n).filter(|i| !self.active[*i]) {
                let value = short(i);
                if value < worst.1 {
                    worst = (i, value);
                }
            }
            if worst.0 == usize::MAX {
                // An active row that stays short has nothing that moves it.
                let met = |i: usize| !self.active[i] || short(i) > -STUCK * size;
                return (0..n).all(met).then_some(());
            }
            self.active[worst.0] = true;
            self.shrink(W, c, p)?;
        }
        None
    }

    /// Moves p to the solution over the active rows, or as far as it stays positive.
    fn shrink(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> Option<()> {
        let n = c.len();
        for _ in 0..=n {
            self.solve_active(W, c);
            let mut reach = 1.0;
            let mut first = None;
            for i in (0..n).filter(|i| self.active[*i]) {
                if self.trial[i] < 0.0 {
                    let share = p[i] / (p[i] - self.trial[i]);
                    if share < reach || first.is_none() {
                        (reach, first) = (share, Some(i));
                    }
                }
            }
            for (i, p) in p.iter_mut().enumerate() {
                *p = if self.active[i] { *p + reach * (self.trial[i] - *p) } else { 0.0 };
            }
            let Some(out) = first else { return Some(()) };
            self.active[out] = false;
            p[out] = 0.0;
        }
        None
    }

    /// `trial` ← the solution of W p = −c over the active rows.
    fn solve_active(&mut self, W: &[f64], c: &[f64]) {
        let n = c.len();
        self.index.clear();
        self.index.extend((0..n).filter(|i| self.active[*i]));
        let m = self.index.len();
        for (a, &i) in self.index.iter().enumerate() {
            for (b, &j) in self.index.iter().enumerate() {
                self.factors[a * m + b] = W[i * n + j];
            }
            self.scale[a] = W[i * n + i];
            self.work[a] = -c[i];
        }
        let factors = &mut self.factors[..m * m];
        self.rank = ldl::factorise(factors, m, &self.scale[..m], &mut self.order[..m]);
        let mut b = std::mem::take(&mut self.work);
        ldl::solve(factors, m, self.rank, &self.order[..m], &mut b[..m], &mut self.trial[..m]);
        self.trial[..n].fill(0.0);
        for (a, &i) in self.index.iter().enumerate() {
            self.trial[i] = b[a];
        }
        self.work = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round-off of a few rows.
    const ROUND_OFF: f64 = 1e-12;

    fn solved(W: &[f64], c: &[f64]) -> Option<Vec<f64>> {
        let mut p = vec![0.0; c.len()];
        Complementarity::new(c.len()).solve(W, c, &mut p).map(|()| p)
    }

    fn holds(W: &[f64], c: &[f64], p: &[f64]) -> bool {
        let n = c.len();
        (0..n).all(|i| {
            let short = c[i] + (0..n).map(|j| W[i * n + j] * p[j]).sum::<f64>();
            p[i] >= 0.0 && short >= -ROUND_OFF && (p[i] * short).abs() < ROUND_OFF
        })
    }

    #[test]
    fn random_problems_meet_the_condition() {
        // W = Aᵀ A with more rows than rank, c = −W p₀ + s with p₀, s ≥ 0: a solution exists.
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed) / f64::from(u32::MAX) - 0.5
        };
        for round in 0..200 {
            let (n, rank) = (1 + round % 6, 1 + round % 4);
            let A: Vec<f64> = (0..rank * n).map(|_| next()).collect();
            let mut W = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    W[i * n + j] = (0..rank).map(|r| A[r * n + i] * A[r * n + j]).sum();
                }
            }
            let p: Vec<f64> = (0..n).map(|_| next().max(0.0)).collect();
            let c: Vec<f64> = (0..n)
                .map(|i| {
                    let held: f64 = (0..n).map(|j| W[i * n + j] * p[j]).sum();
                    -held + if p[i] == 0.0 { next().abs() } else { 0.0 }
                })
                .collect();
            let found = solved(&W, &c).unwrap();
            assert!(holds(&W, &c, &found), "{n} {rank}: {found:?}");
        }
    }

    #[test]
    fn what_cannot_be_pushed_apart_is_refused() {
        assert_eq!(solved(&[0.0], &[-1.0]), None);
        assert_eq!(solved(&[0.0], &[1.0]), Some(vec![0.0]));
    }

    #[test]
    fn dependent_rows_of_an_equality_get_zero() {
        let mut p = [0.0; 2];
        let rank = Complementarity::new(2).equality(&[1.0, 1.0, 1.0, 1.0], &[-2.0, -2.0], &mut p);
        assert_eq!((rank, p[0] + p[1]), (1, 2.0));
    }
}
