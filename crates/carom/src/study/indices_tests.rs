#![allow(clippy::cast_possible_truncation, reason = "a section of sixteen")]

use super::super::sample::Sample;
use super::*;
use crate::model::study::{SECTIONS, Sampling};
use std::f64::consts::PI;

/// By Sobol points the error falls almost like 1/n; this leaves room.
const SAMPLING: f64 = 0.01;

/// f = sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ on (−π, π)³ (Ishigami, Homma 1990).
fn ishigami(x: &[f64]) -> f64 {
    let x = |k: usize| PI * (2.0 * x[k] - 1.0);
    x(0).sin() + 7.0 * x(1).sin().powi(2) + 0.1 * x(2).powi(4) * x(0).sin()
}

/// V = a²/8 + b π⁴/5 + b² π⁸/18 + ½ and its parts, with a = 7 and b = 0.1.
fn of_ishigami() -> Vec<[f64; 2]> {
    let b = 0.1;
    let v1 = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
    let v2 = 49.0 / 8.0;
    let v13 = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
    let v = v1 + v2 + v13;
    vec![[v1 / v, (v1 + v13) / v], [v2 / v, v2 / v], [0.0, v13 / v]]
}

const A: [f64; 4] = [0.0, 1.0, 4.5, 9.0];

/// The g-function of Sobol: f = Π (|4 x_i − 2| + a_i) / (1 + a_i).
fn g(x: &[f64]) -> f64 {
    A.iter().zip(x).map(|(a, x)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a)).product()
}

/// V_i = 1/(3 (1 + a_i)²), V = Π (1 + V_i) − 1, V_Ti = V_i Π_{j≠i} (1 + V_j).
fn of_g() -> Vec<[f64; 2]> {
    let parts = A.map(|a| 1.0 / (3.0 * (1.0 + a).powi(2)));
    let all: f64 = parts.iter().map(|v| 1.0 + v).product();
    parts.iter().map(|v| [v / (all - 1.0), v * all / (1.0 + v) / (all - 1.0)]).collect()
}

/// Saltelli's sample of a function, by sections.
fn sampled(f: &dyn Fn(&[f64]) -> f64, d: usize, rows: u64, seed: u64) -> Vec<Vec<Vec<f64>>> {
    let sample = Sample::new((Sampling::Saltelli, seed), d, rows, true).unwrap();
    let width = d as u64 + 2;
    let mut out = vec![Vec::new(); SECTIONS];
    for row in 0..rows {
        let values = (0..width).map(|c| {
            let place: Vec<f64> = (0..d).map(|i| sample.share(row * width + c, i)).collect();
            f(&place)
        });
        out[(row % SECTIONS as u64) as usize].push(values.collect());
    }
    out
}

#[test]
fn the_function_of_ishigami_has_its_known_indices() {
    let found = indices(&sampled(&ishigami, 3, 16384, 3)).unwrap();
    for (found, [first, total]) in found.iter().zip(of_ishigami()) {
        assert!((found.first.value - first).abs() < SAMPLING, "{found:?} {first}");
        assert!((found.total.value - total).abs() < SAMPLING, "{found:?} {total}");
    }
    assert_eq!(indices(&[vec![vec![1.0; 3], vec![1.0; 3]]]), None);
}

/// How often the intervals of all indices hold the truth.
fn coverage(
    f: &dyn Fn(&[f64]) -> f64,
    truth: &[[f64; 2]],
    rows: u64,
    trials: u64,
) -> Vec<[f64; 2]> {
    let mut held = vec![[0_u64; 2]; truth.len()];
    for trial in 0..trials {
        let found = indices(&sampled(f, truth.len(), rows, 100 + trial)).unwrap();
        for ((held, found), truth) in held.iter_mut().zip(found).zip(truth) {
            for (k, estimate) in [found.first, found.total].into_iter().enumerate() {
                let [low, high] = estimate.interval();
                held[k] += u64::from(low <= truth[k] && truth[k] <= high);
            }
        }
    }
    held.into_iter().map(|of| of.map(|n| n as f64 / trials as f64)).collect()
}

#[test]
fn intervals_of_indices_hold_the_truth_as_often_as_they_say() {
    for (f, truth) in [(&ishigami as &dyn Fn(&[f64]) -> f64, of_ishigami()), (&g, of_g())] {
        let found = coverage(f, &truth, 1024, 60);
        // 57 of 60, within three standard deviations (1.7 each) of the count.
        let held = |share: &f64| (0.86..=1.0).contains(share);
        assert!(found.iter().flatten().all(held), "{found:?}");
    }
}

#[test]
#[ignore = "500 trials: cargo test --release -p carom --lib indices_of_five_hundred -- --ignored --nocapture"]
fn indices_of_five_hundred_trials() {
    for (name, f, truth) in [
        ("Ishigami", &ishigami as &dyn Fn(&[f64]) -> f64, of_ishigami()),
        ("g-function", &g, of_g()),
    ] {
        let found = coverage(f, &truth, 1024, 500);
        println!("{name}: first order and total of each variable hold in {found:?}");
        assert!(found.iter().flatten().all(|share| (0.92..=0.98).contains(share)), "{found:?}");
    }
}
