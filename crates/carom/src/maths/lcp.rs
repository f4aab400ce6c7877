//! Linear complementarity with a symmetric positive semidefinite matrix: 0 ≤ p ⟂ W p + c ≥ 0.
//!
//! It is the condition of the least of ½ pᵀ W p + cᵀ p over p ≥ 0, found by an active set that grows by the row that is
//! violated most and shrinks where p would turn negative (Lawson and Hanson's way for least squares). The active rows stay
//! independent, so a set is never larger than the rank of W. A row that depends on the active ones changes
//! places with one of them along a direction d with W d = 0; if nothing limits that, d ≥ 0 and cᵀ d < 0 prove that
//! there is no solution.

use super::ldl;

/// Rows that miss the condition by less than this part of the largest |c| count as met.
const MET: f64 = 1e-12;

/// An active row that is short by more than this part of the largest |c| cannot be met.
const STUCK: f64 = 1e-9;

/// An entry of a direction below this part of the largest does not limit a step.
const LIMITS: f64 = 1e-11;

/// Memory for problems of up to some size; nothing allocates after it is made.
#[derive(Clone, Debug)]
pub struct Complementarity {
    /// Whether a row is active.
    active: Vec<bool>,
    /// The active rows in the order of the factor.
    index: Vec<usize>,
    /// L of L Lᵀ = W over the active rows, by rows of n.
    factors: Vec<f64>,
    order: Vec<u32>,
    trial: Vec<f64>,
}

impl Complementarity {
    /// Memory for up to `most` rows.
    pub fn new(most: usize) -> Self {
        Self {
            active: vec![false; most],
            index: Vec::with_capacity(most),
            factors: vec![0.0; most * most],
            order: vec![0; most],
            trial: vec![0.0; most],
        }
    }

    /// How many rows there is memory for.
    pub fn capacity(&self) -> usize {
        self.active.len()
    }

    /// p of the complementarity; `None` if there is none, as for a row that nothing moves and that has to.
    pub fn solve(&mut self, W: &[f64], c: &[f64], p: &mut [f64]) -> Option<()> {
        self.solve_from(W, c, |_| false, p)
    }

    /// The same from a first guess of the active rows. A good one saves most of the work; none is wrong.
    pub fn solve_from(
        &mut self,
        W: &[f64],
        c: &[f64],
        guess: impl Fn(usize) -> bool,
        p: &mut [f64],
    ) -> Option<()> {
        let n = c.len();
        let size = c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        p[..n].fill(0.0);
        self.begin(W, c, guess, p);
        // Every set is left for one with a smaller least, so each comes once; where a step has no length the row
        // of the lowest number goes first, which keeps sets from coming again (Bland).
        let patience = 3 * n + 20;
        for round in 0..20 * patience {
            let mut worst = (usize::MAX, 0.0);
            for i in (0..n).filter(|i| !self.active[*i]) {
                let row = &W[i * n..(i + 1) * n];
                let (mut value, mut sum) = (c[i], 0.0);
                for &j in &self.index {
                    let part = row[j] * p[j];
                    value += part;
                    sum += part.abs();
                }
                let short = value + MET * size + 8.0 * f64::EPSILON * sum;
                if short < worst.1 {
                    worst = (i, short);
                    if round > patience {
                        break;
                    }
                }
            }
            if worst.0 == usize::MAX {
                // Active rows that hang together but for round-off are not met by any size of impulse.
                let left = |i: usize| {
                    let row = &W[i * n..(i + 1) * n];
                    c[i] + self.index.iter().map(|&j| row[j] * p[j]).sum::<f64>()
                };
                return self.index.iter().all(|&i| left(i).abs() <= STUCK * size).then_some(());
            }
            self.enter(W, n, worst.0, p)?;
            self.shrink(c, p);
        }
        None
    }

    /// The rows that were active last; they are independent.
    pub fn active_rows(&self) -> &[usize] {
        &self.index
    }

    /// The first set: the rows guessed, without those that would pull.
    fn begin(&mut self, W: &[f64], c: &[f64], guess: impl Fn(usize) -> bool, p: &mut [f64]) {
        let n = c.len();
        self.active[..n].fill(false);
        self.index.clear();
        for i in (0..n).filter(|i| guess(*i)) {
            self.active[i] = self.append(W, n, i);
        }
        loop {
            self.solve_active(c);
            let pulls = |k: &usize| self.trial[*k] < 0.0;
            if !(0..self.index.len()).any(|k| pulls(&k)) {
                break;
            }
            let (mut kept, mut k) = (std::mem::take(&mut self.order), 0);
            for (slot, &i) in self.index.iter().enumerate() {
                if self.trial[slot] < 0.0 {
                    self.active[i] = false;
                } else {
                    kept[k] = u32::try_from(i).unwrap_or(u32::MAX);
                    k += 1;
                }
            }
            self.index.clear();
            for &i in &kept[..k] {
                self.append(W, n, i as usize);
            }
            self.order = kept;
        }
        for (slot, &i) in self.index.iter().enumerate() {
            p[i] = self.trial[slot];
        }
    }

    /// Adds row i to the factor; false if it depends on the rows there.
    fn append(&mut self, W: &[f64], n: usize, i: usize) -> bool {
        let m = self.index.len();
        let at = m * n;
        let mut rest = W[i * n + i];
        for k in 0..m {
            let mut x = W[i * n + self.index[k]];
            let (above, own) = self.factors.split_at(at);
            let row = &above[k * n..=k * n + k];
            for (l, y) in row[..k].iter().zip(own) {
                x -= l * y;
            }
            x /= row[k];
            self.factors[at + k] = x;
            rest -= x * x;
        }
        if !(rest > ldl::TOLERANCE * W[i * n + i]) {
            return false;
        }
        self.factors[at + m] = rest.sqrt();
        self.index.push(i);
        true
    }

    /// Takes the row at a place of the factor out: the rows below are turned back to a triangle.
    fn remove(&mut self, n: usize, place: usize) {
        let m = self.index.len();
        self.active[self.index[place]] = false;
        self.index.remove(place);
        for k in place..m - 1 {
            let (to, from) = (k * n, (k + 1) * n);
            self.factors.copy_within(from..from + k + 2, to);
        }
        for k in place..m - 1 {
            let (x, y) = (self.factors[k * n + k], self.factors[k * n + k + 1]);
            let r = x.hypot(y);
            let (cos, sin) = (x / r, y / r);
            for row in k..m - 1 {
                let (x, y) = (self.factors[row * n + k], self.factors[row * n + k + 1]);
                self.factors[row * n + k] = cos * x + sin * y;
                self.factors[row * n + k + 1] = cos * y - sin * x;
            }
        }
    }

    /// Makes a violated row active; `None` if that proves that there is no solution.
    fn enter(&mut self, W: &[f64], n: usize, i: usize, p: &mut [f64]) -> Option<()> {
        if self.append(W, n, i) {
            self.active[i] = true;
            return Some(());
        }
        // z = W_PP⁻¹ W_Pi, from L z' = W_Pi left by `append`: along d = (−z, 1) nothing moves.
        let m = self.index.len();
        let at = m * n;
        for k in 0..m {
            self.trial[k] = self.factors[at + k];
        }
        self.back_substitute(n, m);
        let most = self.trial[..m].iter().fold(0.0_f64, |a, z| a.max(z.abs()));
        let mut first: Option<(usize, f64)> = None;
        for (k, z) in self.trial[..m].iter().enumerate().filter(|(_, z)| **z > LIMITS * most) {
            let reach = p[self.index[k]] / z;
            if first.is_none_or(|(_, least)| reach < least) {
                first = Some((k, reach));
            }
        }
        let (place, reach) = first?;
        for k in 0..m {
            let j = self.index[k];
            p[j] = (p[j] - reach * self.trial[k]).max(0.0);
        }
        p[self.index[place]] = 0.0;
        p[i] = reach;
        self.remove(n, place);
        self.active[i] = self.append(W, n, i);
        if !self.active[i] {
            p[i] = 0.0;
        }
        Some(())
    }

    /// Moves p to the solution over the active rows, or as far as it stays positive.
    fn shrink(&mut self, c: &[f64], p: &mut [f64]) {
        let n = c.len();
        while !self.index.is_empty() {
            self.solve_active(c);
            let mut first: Option<(usize, f64)> = None;
            for (k, &i) in self.index.iter().enumerate() {
                if self.trial[k] < 0.0 {
                    let share = p[i] / (p[i] - self.trial[k]);
                    if first.is_none_or(|(_, least)| share < least) {
                        first = Some((k, share));
                    }
                }
            }
            let reach = first.map_or(1.0, |(_, share)| share);
            for (k, &i) in self.index.iter().enumerate() {
                p[i] = if first.is_none() {
                    self.trial[k]
                } else {
                    (p[i] + reach * (self.trial[k] - p[i])).max(0.0)
                };
            }
            let Some((out, _)) = first else { return };
            p[self.index[out]] = 0.0;
            self.remove(n, out);
        }
    }

    /// `trial` ← the solution of W p = −c over the active rows, in their order.
    fn solve_active(&mut self, c: &[f64]) {
        let (n, m) = (c.len(), self.index.len());
        for k in 0..m {
            let mut x = -c[self.index[k]];
            for (l, y) in self.factors[k * n..k * n + k].iter().zip(&self.trial) {
                x -= l * y;
            }
            self.trial[k] = x / self.factors[k * n + k];
        }
        self.back_substitute(n, m);
    }

    /// trial ← L⁻ᵀ trial.
    fn back_substitute(&mut self, n: usize, m: usize) {
        for k in (0..m).rev() {
            let row = &self.factors[k * n..=k * n + k];
            let x = self.trial[k] / row[k];
            self.trial[k] = x;
            for (t, l) in self.trial[..k].iter_mut().zip(row) {
                *t -= l * x;
            }
        }
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
    fn a_thousand_rows_of_rank_six_keep_few_active() {
        let mut seed = 5_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed) / f64::from(u32::MAX) - 0.5
        };
        let n = 1000;
        // Normals in a half space, so that the rows can all open.
        let A: Vec<[f64; 6]> = (0..n)
            .map(|_| std::array::from_fn(|k| if k == 0 { 0.3 + next().abs() } else { next() }))
            .collect();
        let v: [f64; 6] = std::array::from_fn(|_| next() - 0.4);
        let dot = |x: &[f64; 6], y: &[f64; 6]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let W: Vec<f64> = A.iter().flat_map(|x| A.iter().map(move |y| dot(x, y))).collect();
        let c: Vec<f64> = A.iter().map(|x| dot(x, &v)).collect();
        let mut solver = Complementarity::new(n);
        let mut p = vec![0.0; n];
        solver.solve(&W, &c, &mut p).unwrap();
        assert!(holds(&W, &c, &p) && solver.active_rows().len() <= 6);
        // From a guess that is mostly wrong the motion is the same.
        let mut other = vec![0.0; n];
        solver.solve_from(&W, &c, |i| i % 3 == 0, &mut other).unwrap();
        for x in 0..6 {
            let of = |p: &[f64]| -> f64 { A.iter().zip(p).map(|(a, p)| a[x] * p).sum() };
            assert!((of(&p) - of(&other)).abs() < 1e-10, "component {x} of Aᵀ p");
        }
    }

    #[test]
    fn walls_that_hold_a_body_between_them_have_no_solution() {
        // Rows 1 and −1 on one mass: u₁ + u₂ = 0, and both shall be positive.
        assert_eq!(solved(&[1.0, -1.0, -1.0, 1.0], &[-2.0, 1.0]), None);
        assert_eq!(solved(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0]), Some(vec![1.0, 0.0]));
    }

    #[test]
    fn what_cannot_be_pushed_apart_is_refused() {
        assert_eq!(solved(&[0.0], &[-1.0]), None);
        assert_eq!(solved(&[0.0], &[1.0]), Some(vec![0.0]));
    }
}
