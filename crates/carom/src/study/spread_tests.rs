#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ p < 1")]

use super::super::chance::{bits, unit};
use super::super::sample::Sample;
use super::*;
use crate::maths::normal::normal_quantile;
use crate::model::study::{SECTIONS, Sampling};

/// Round-off of sums of a few hundred numbers.
const ROUND_OFF: f64 = 1e-12;

#[test]
fn statistics_are_those_of_numpy() {
    // numpy: np.mean, np.std(ddof=1), np.quantile of [3, 1, 4, 1, 5, 9, 2, 6]
    let x = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    assert!((mean(&x) - 3.875).abs() < ROUND_OFF);
    assert!((deviation(&x) - 2.748_376_143_938_713).abs() < ROUND_OFF);
    for (p, wanted) in [(0.05, 1.0), (0.5, 3.5), (0.95, 7.95), (0.3, 2.1)] {
        assert!((quantile(&x, p) - wanted).abs() < ROUND_OFF, "{p}");
    }
    assert_eq!(Statistic::named("p95"), Some(Statistic::Quantile(0.95)));
    assert_eq!(Statistic::named("p100"), None);
    assert_eq!(Statistic::named("peak_force"), None);
}

#[test]
fn shares_of_a_linear_function_are_those_of_its_terms() {
    // y = 3 a + b + noise of a third input: V = 9 + 1 + 4, with uniform inputs of equal variance.
    let n = 4096;
    let draw = |k: u64, d: u64| unit(bits(5, d, k));
    let y = |k| 3.0 * draw(k, 0) + draw(k, 1) + 2.0 * draw(k, 2);
    for (d, wanted) in [(0, 9.0 / 14.0), (1, 1.0 / 14.0), (2, 4.0 / 14.0), (3, 0.0)] {
        let pairs: Vec<(f64, f64)> = (0..n).map(|k| (draw(k, d), y(k))).collect();
        // Three standard errors of a share from 4096 points.
        assert!((share(&pairs, 16) - wanted).abs() < 0.03, "{d}: {}", share(&pairs, 16));
    }
}

/// How often intervals of mean, standard deviation, p5, median and p95 of a function of two inputs hold the truth.
fn coverage(sampling: Sampling, points: u64, trials: u64) -> [f64; 5] {
    // y = exp(z₁/2) + z₂²; the truth from the closed forms and from a sum over 4 million points of a grid of both quantiles.
    let y = |u: [f64; 2]| {
        let [a, b] = u.map(|u| normal_quantile(u.clamp(1e-16, 1.0 - 1e-16)));
        (0.5 * a).exp() + b * b
    };
    let side = 2000;
    let grid: Vec<f64> = (0..side).map(|k| (f64::from(k) + 0.5) / f64::from(side)).collect();
    let (first, second): (Vec<f64>, Vec<f64>) =
        grid.iter().map(|u| (y([*u, 0.5]), y([0.5, *u]) - 1.0)).unzip();
    let mut all: Vec<f64> = Vec::with_capacity(first.len() * second.len());
    for a in &first {
        all.extend(second.iter().map(|b| a + b));
    }
    all.sort_by(f64::total_cmp);
    let at = |p: f64| all[(p * all.len() as f64) as usize];
    let e = std::f64::consts::E;
    let variance = e.sqrt() - e.powf(0.25) + 2.0;
    let truth = [(0.125_f64).exp() + 1.0, variance.sqrt(), at(0.05), at(0.5), at(0.95)];
    let asked = [
        Statistic::Mean,
        Statistic::Deviation,
        Statistic::Quantile(0.05),
        Statistic::Quantile(0.5),
        Statistic::Quantile(0.95),
    ];
    let mut held = [0; 5];
    for trial in 0..trials {
        let sample = Sample::new((sampling, 1000 + trial), 2, points, true).unwrap();
        let sections = Sections::new(
            SECTIONS as u64,
            (0..points).map(|k| (k % SECTIONS as u64, y([sample.share(k, 0), sample.share(k, 1)]))),
        );
        for ((held, statistic), truth) in held.iter_mut().zip(asked).zip(truth) {
            let [low, high] = sections.estimate(&|x| statistic.of(x)).interval();
            *held += u64::from(low <= truth && truth <= high);
        }
    }
    held.map(|n| n as f64 / trials as f64)
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for sampling in [Sampling::MonteCarlo, Sampling::LatinHypercube, Sampling::Sobol] {
        let found = coverage(sampling, 1024, 100);
        // 95 of 100, within three standard deviations (2.2 each) of the count.
        assert!(found.iter().all(|share| (0.88..=1.0).contains(share)), "{sampling:?} {found:?}");
    }
}

#[test]
#[ignore = "500 trials of each sampling: cargo test --release -p carom --lib five_hundred -- --ignored --nocapture"]
fn intervals_of_five_hundred_trials() {
    for sampling in [Sampling::MonteCarlo, Sampling::LatinHypercube, Sampling::Sobol] {
        let found = coverage(sampling, 1024, 500);
        println!("{sampling:?}: mean, deviation, p5, median, p95 hold in {found:?}");
        assert!(found.iter().all(|share| (0.92..=0.98).contains(share)), "{sampling:?} {found:?}");
    }
}
