//! Where local searches begin: multi-level single linkage (Rinnooy Kan, Timmer, Math. Program. 39 (1987) 57-78).
//!
//! A sampled place begins a search unless a better one lies within a distance that shrinks as places become many: then a search from either
//! would find the same minimum. Words and lists are not near each other: each combination is a space of its own.

use super::{Score, Search};
use crate::study::optimise::crew::Tried;
use crate::study::sobol::Sobol;

/// Sampled places for each free axis and each combination of values, in a round.
const FOR_AXIS: usize = 16;
const FOR_VALUES: usize = 4;
/// Combinations that are counted for it, and that are evaluated one by one where nothing else varies.
const MOST_COMBINATIONS: usize = 16;
const MOST_ENUMERATED: usize = 1 << 14;
/// Local searches for each different minimum, before minima are taken to be all found.
const FOR_MINIMUM: usize = 4;
/// Local searches of a round at most.
const MOST_OF_ROUND: usize = 8;
/// Halvings of the critical distance until that many searches begin in a round.
const HALVINGS: i32 = 4;
/// σ of the critical distance: beyond 4 every minimum is found with probability one.
const SIGMA: f64 = 4.0;
/// Minima nearer than this share of the box with values nearer than this share of the scale are the same.
const SAME: f64 = 1e-4;

/// A sampled place.
struct Sampled {
    place: Vec<f64>,
    tried: Tried,
    score: Score,
    used: bool,
}

impl Search<'_, '_> {
    /// Whether all combinations of values can be evaluated.
    pub(super) fn is_enumerable(&self) -> bool {
        let count = self.combinations();
        self.free.is_empty() && count <= MOST_ENUMERATED.min(self.crew.most)
    }

    fn combinations(&self) -> usize {
        self.fixed.iter().fold(1_usize, |n, (_, count)| n.saturating_mul(*count))
    }

    /// Samples and descends until the minima are decided or that many evaluations are made; whether they are decided.
    pub(super) fn local_searches(&mut self, until: usize, seed: u64) -> bool {
        if self.is_enumerable() {
            return self.enumerate();
        }
        let Some(sobol) = Sobol::new(self.axes(), Some(seed)) else { return false };
        let of_values = FOR_VALUES * self.combinations().min(MOST_COMBINATIONS);
        let round = (FOR_AXIS * self.free.len()).max(of_values).max(8) as u64;
        let mut all: Vec<Sampled> = Vec::new();
        if let (Some((place, score)), Some(tried)) = (self.best.clone(), self.held.clone()) {
            all.push(Sampled { place, tried, score, used: false });
        }
        let mut minima: Vec<(Vec<f64>, Score)> = Vec::new();
        let (mut searches, mut rough) = (0, 0);
        let mut taken = 0;
        while self.crew.is_free() && self.crew.evaluations < until {
            let places: Vec<Vec<f64>> = (taken..taken + round)
                .map(|k| (0..self.axes()).map(|i| sobol.coordinate(k, i)).collect())
                .collect();
            taken += round;
            let tried = self.ask(&places);
            for (place, tried) in places.into_iter().zip(tried) {
                let score = self.score(&tried);
                all.push(Sampled { place: self.centred(place), tried, score, used: false });
            }
            self.scale = scale(&all);
            let starts = self.starts(&mut all, taken as f64);
            self.local = true;
            for (place, tried) in starts {
                if !self.crew.is_free() || self.crew.evaluations >= until {
                    break;
                }
                let end = self.descend(&place, &tried);
                searches += 1;
                rough += usize::from(!end.settled);
                if end.settled && !minima.iter().any(|m| self.is_same(m, &end.place, end.score)) {
                    minima.push((end.place, end.score));
                }
            }
            self.local = false;
            if rough > 1 && 2 * rough > searches {
                return false;
            }
            if searches >= FOR_MINIMUM * minima.len() && !minima.is_empty() {
                let best = self.best.clone();
                self.out.settled = best.is_some_and(|(_, best)| {
                    minima.iter().any(|(_, m)| {
                        m.broken <= best.broken && m.value <= best.value + SAME * SAME * self.scale
                    })
                });
                self.exchange();
                return true;
            }
        }
        false
    }

    /// Every combination of values.
    fn enumerate(&mut self) -> bool {
        let count = self.combinations();
        let place = |mut k: usize| {
            let mut place = vec![0.0; self.axes()];
            for (axis, n) in self.fixed.iter().rev() {
                place[*axis] = ((k % n) as f64 + 0.5) / *n as f64;
                k /= n;
            }
            place
        };
        let places: Vec<Vec<f64>> = (0..count).map(place).collect();
        self.ask(&places);
        self.out.settled = true;
        true
    }

    /// A place with its values in the middle of their shares.
    fn centred(&self, mut place: Vec<f64>) -> Vec<f64> {
        for (axis, n) in &self.fixed {
            place[*axis] =
                ((place[*axis] * *n as f64).floor().min(*n as f64 - 1.0) + 0.5) / *n as f64;
        }
        place
    }

    /// Sampled places from which searches begin, the best first: within a smaller distance if the critical one links nearly all of them.
    fn starts(&self, all: &mut [Sampled], taken: f64) -> Vec<(Vec<f64>, Tried)> {
        let mut out = Vec::new();
        for halving in 0..HALVINGS {
            out.extend(self.unlinked(all, taken, 0.5_f64.powi(halving), MOST_OF_ROUND - out.len()));
            if out.len() >= FOR_MINIMUM {
                break;
            }
        }
        out
    }

    /// Sampled places without a better one within a share of the critical distance that have not begun a search, the best first.
    fn unlinked(
        &self,
        all: &mut [Sampled],
        taken: f64,
        share: f64,
        most: usize,
    ) -> Vec<(Vec<f64>, Tried)> {
        let n = self.free.len();
        let k = (taken / self.combinations().min(MOST_COMBINATIONS) as f64).max(2.0);
        let volume = gamma_of_half(n) * SIGMA * k.ln() / k;
        let reach = (volume.powf(1.0 / n.max(1) as f64) / std::f64::consts::PI.sqrt()).min(1.0);
        let reach = share * reach;
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|a, b| all[*a].score.order(&all[*b].score).then(a.cmp(b)));
        let mut out = Vec::new();
        for (rank, &i) in order.iter().enumerate() {
            let usable = all[i].score.broken.is_finite() && all[i].score.value.is_finite();
            if !usable || out.len() == most {
                break;
            }
            let linked = order[..rank].iter().any(|&j| {
                let same = |axis: &(usize, usize)| all[i].place[axis.0] == all[j].place[axis.0];
                self.fixed.iter().all(same) && self.distance(&all[i].place, &all[j].place) < reach
            });
            if !linked && !all[i].used {
                all[i].used = true;
                out.push((all[i].place.clone(), all[i].tried.clone()));
            }
        }
        out
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.free.iter().map(|k| (a[*k] - b[*k]).powi(2)).sum::<f64>().sqrt()
    }

    fn is_same(&self, known: &(Vec<f64>, Score), place: &[f64], score: Score) -> bool {
        self.distance(&known.0, place) < SAME
            && (known.1.value - score.value).abs() <= SAME * self.scale
            && self.fixed.iter().all(|(axis, _)| known.0[*axis] == place[*axis])
    }

    /// Other values of one axis at a time at the best place, each followed by a local search, until none is better.
    fn exchange(&mut self) {
        let fixed = self.fixed.clone();
        loop {
            let Some((place, score)) = self.best.clone() else { return };
            for (axis, n) in &fixed {
                for k in 0..*n {
                    let mut other = place.clone();
                    other[*axis] = (k as f64 + 0.5) / *n as f64;
                    if other[*axis] == place[*axis] || !self.crew.is_free() {
                        continue;
                    }
                    let Some((tried, _)) = self.one(&other) else { return };
                    self.local = true;
                    let end = self.descend(&other, &tried);
                    self.local = false;
                    if self.best.as_ref().is_some_and(|(_, best)| *best == end.score) {
                        self.out.settled = end.settled;
                    }
                }
            }
            let better = self.best.as_ref().is_some_and(|(_, best)| best.better(&score));
            if !better || fixed.is_empty() || !self.crew.is_free() {
                return;
            }
        }
    }
}

/// A unit of the goal: the distance of the quartiles of what was sampled, or the size of the values where these are equal.
fn scale(all: &[Sampled]) -> f64 {
    let mut values: Vec<f64> =
        all.iter().map(|s| s.score.value).filter(|x| x.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (values.get(values.len() / 4), values.get(values.len() * 3 / 4))
    else {
        return 1.0;
    };
    let size = low.abs().max(high.abs());
    let spread = (high - low).max(1e-6 * size);
    if spread > 0.0 { spread } else { 1.0 }
}

/// Γ(1 + n/2).
fn gamma_of_half(n: usize) -> f64 {
    let begin = if n.is_multiple_of(2) { 1.0 } else { 0.5 * std::f64::consts::PI.sqrt() };
    let first = if n.is_multiple_of(2) { 2 } else { 3 };
    (first..=n).step_by(2).fold(begin, |g, k| g * 0.5 * k as f64)
}
