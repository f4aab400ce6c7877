//! The global search of goals that are rough or have many valleys: evolution with an adapted covariance matrix.
//!
//! CMA-ES with rank-one and rank-μ update and cumulative step-size adaptation, its constants those of Hansen's tutorial
//! (arXiv:1604.00772, 2016, table 1), begun again with twice the population when a population has converged (Auger, Hansen, CEC 2005, 1769-1776).
//! Places outside the box are evaluated at its faces; constraints rank by Deb's rules, which [`Score`] has.
#![allow(non_snake_case, reason = "matrices have capitals, as on the page")]

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::{Score, Search, inside};
use crate::study::chance;

/// The first spread, as a share of the box.
const SPREAD: f64 = 0.3;
/// A population narrower than this share of the box has converged; a local search has the rest of the digits.
const NARROW: f64 = 1e-5;
/// Generations without a better member, beside those of the size of the problem.
const PATIENCE: usize = 12;
/// A condition number beyond this is round-off.
const CONDITION: f64 = 1e14;

impl Search<'_, '_> {
    /// Evolves until that many evaluations are made in all.
    pub(super) fn evolve(&mut self, until: usize, seed: u64) {
        let d = self.axes();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "d from 1 to 32"
        )]
        let mut size = 4 + (3.0 * (d as f64).ln()) as usize;
        let mut round = 0;
        while self.crew.is_free() && self.crew.evaluations + size <= until {
            let at = |k: usize| chance::unit(chance::bits(seed, 0xce + round, k as u64));
            let known = self.best.as_ref().filter(|_| round == 0);
            let begin = match known {
                Some((place, _)) => DVector::from_vec(place.clone()),
                None => DVector::from_fn(d, |k, _| at(k)),
            };
            self.population(begin, size, until, chance::bits(seed, 0xcd, round));
            size *= 2;
            round += 1;
        }
    }

    /// One population until it converges.
    fn population(&mut self, begin: DVector<f64>, size: usize, until: usize, seed: u64) {
        let (d, n) = (begin.len(), begin.len() as f64);
        let parents = size / 2;
        let raw: Vec<f64> =
            (1..=parents).map(|i| (0.5 * (size as f64 + 1.0)).ln() - (i as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_path = (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n);
        let c_step = (mu + 2.0) / (n + mu + 5.0);
        let c_one = 2.0 / ((n + 1.3).powi(2) + mu);
        let c_mu = (1.0 - c_one).min(2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0).powi(2) + mu));
        let damping = 1.0 + 2.0 * (((mu - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_step;
        let expected = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let mut normal = Normal { seed, drawn: 0 };
        let (mut mean, mut sigma) = (begin, SPREAD);
        let mut C: DMatrix<f64> = DMatrix::identity(d, d);
        let (mut p_c, mut p_s) = (DVector::zeros(d), DVector::zeros(d));
        let (mut best, mut since, mut generation) = (Score::NONE, 0, 0_i32);
        while self.crew.is_free() && self.crew.evaluations + size <= until {
            generation += 1;
            let eigen = SymmetricEigen::new(C.clone());
            let (least, most): (f64, f64) = (eigen.eigenvalues.min(), eigen.eigenvalues.max());
            if !(least > 0.0 && most < CONDITION * least) || sigma * most.sqrt() < NARROW {
                return;
            }
            let D = eigen.eigenvalues.map(f64::sqrt);
            let Q = &eigen.eigenvectors;
            let steps: Vec<DVector<f64>> = (0..size)
                .map(|_| Q * D.component_mul(&DVector::from_fn(d, |_, _| normal.draw())))
                .collect();
            let place = |y: &DVector<f64>| -> Vec<f64> {
                (&mean + sigma * y).iter().map(|x| inside(*x)).collect()
            };
            let places: Vec<Vec<f64>> = steps.iter().map(place).collect();
            let tried = self.ask(&places);
            if tried.len() < size {
                return;
            }
            let scores: Vec<Score> = tried.iter().map(|t| self.score(t)).collect();
            let mut order: Vec<usize> = (0..size).collect();
            order.sort_by(|a, b| scores[*a].order(&scores[*b]).then(a.cmp(b)));
            since = if scores[order[0]].better(&best) { 0 } else { since + 1 };
            if since == 0 {
                best = scores[order[0]];
            }
            if since > PATIENCE + 30 * d / size {
                return;
            }
            // What was evaluated at a face moved no further than to it.
            let moved = |k: usize| (DVector::from_vec(places[k].clone()) - &mean) / sigma;
            let chosen: Vec<DVector<f64>> = order[..parents].iter().map(|k| moved(*k)).collect();
            let mut y = DVector::zeros(d);
            weights.iter().zip(&chosen).for_each(|(w, step)| y += *w * step);
            mean += sigma * &y;
            let whitened = Q * (Q.transpose() * &y).component_div(&D);
            p_s = (1.0 - c_step) * p_s + (c_step * (2.0 - c_step) * mu).sqrt() * whitened;
            let settled = (1.0 - (1.0 - c_step).powi(2 * generation)).sqrt();
            let short = p_s.norm() / settled < (1.4 + 2.0 / (n + 1.0)) * expected;
            let pull = if short { (c_path * (2.0 - c_path) * mu).sqrt() } else { 0.0 };
            p_c = (1.0 - c_path) * p_c + pull * &y;
            let lost = if short { 0.0 } else { c_one * c_path * (2.0 - c_path) };
            C *= 1.0 - c_one - c_mu + lost;
            C += c_one * &p_c * p_c.transpose();
            for (w, step) in weights.iter().zip(&chosen) {
                C += c_mu * *w * step * step.transpose();
            }
            sigma *= ((c_step / damping) * (p_s.norm() / expected - 1.0)).exp();
            sigma = sigma.min(1.0);
        }
    }
}

/// Normal numbers by Box and Muller's formula, from a seed and their count alone.
struct Normal {
    seed: u64,
    drawn: u64,
}

impl Normal {
    fn draw(&mut self) -> f64 {
        self.drawn += 1;
        let [a, b] = [0, 1].map(|k| chance::unit(chance::bits(self.seed, k, self.drawn)));
        (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}
