//! The coefficients of Radau IIA satisfy its defining equations, and the method shows its orders.

use super::radau_tableau::{C, COMPLEX, ERROR, REAL, STAGES, T, T_INVERSE};
use super::{Radau, StiffSystem, Tolerance};
use nalgebra::{Matrix5, Vector5};

/// Coefficients up to 40 and sums of a few terms leave this much of unity.
const ROUND_OFF: f64 = 2e-13;

fn matrix(rows: [[f64; STAGES]; STAGES]) -> Matrix5<f64> {
    Matrix5::from_fn(|i, j| rows[i][j])
}

/// A, from what defines it: A cᵠ = cᵠ⁺¹ / (q + 1) for q = 0 … 4.
fn collocation() -> Matrix5<f64> {
    let powers = |shift: i32| {
        Matrix5::from_fn(|i, q| {
            let q = i32::try_from(q).unwrap();
            C[i].powi(q + shift) / f64::from(1 + shift * q)
        })
    };
    powers(1) * powers(0).try_inverse().unwrap()
}

#[test]
fn the_times_are_the_roots_of_the_radau_polynomial() {
    // d⁴/dx⁴ (x⁴ (x − 1)⁵) / 4! = 126 x⁵ − 350 x⁴ + 350 x³ − 150 x² + 25 x − 1
    for c in C {
        let terms = [126.0, -350.0, 350.0, -150.0, 25.0, -1.0];
        let value = terms.iter().fold(0.0, |sum, a| sum * c + a);
        assert!(value.abs() < ROUND_OFF, "{c}: {value}");
    }
}

#[test]
fn the_transformation_decouples_the_stages() {
    let mut blocks = Matrix5::zeros();
    blocks[(0, 0)] = REAL;
    for (n, (re, im)) in COMPLEX.into_iter().enumerate() {
        let (j, k) = (2 * n + 1, 2 * n + 2);
        (blocks[(j, j)], blocks[(j, k)], blocks[(k, j)], blocks[(k, k)]) = (re, -im, im, re);
    }
    let (t, inverse) = (matrix(T), matrix(T_INVERSE));
    assert!((t * inverse - Matrix5::identity()).abs().max() < ROUND_OFF);
    assert!((collocation() * t * blocks * inverse - Matrix5::identity()).abs().max() < ROUND_OFF);
}

#[test]
fn the_error_estimate_is_an_embedded_formula_of_order_five() {
    // ŷ − y = (1/γ) (h f₀ + Σ eᵢ zᵢ) with z = h A f: the slopes of tᵠ give zero for q ≤ 4, no more.
    let estimate = |q: i32| {
        let f = Vector5::from(C.map(|c| f64::from(q + 1) * c.powi(q)));
        let f0 = if q == 0 { 1.0 } else { 0.0 };
        f0 + Vector5::from(ERROR).dot(&(collocation() * f))
    };
    for q in 0..5 {
        assert!(estimate(q).abs() < 10.0 * ROUND_OFF, "q = {q}: {}", estimate(q));
    }
    assert!(estimate(5).abs() > 1e-3, "{}", estimate(5));
}

/// Loose enough to accept every step of these tests; steps taken again are solved to a billionth.
const LOOSE: Tolerance<'_> = Tolerance { relative: 0.0, absolute: &[1e-5, 1e-5] };

/// Integrates to t = 2 in n equal steps, which are steps taken again: the errors at the end and between the
/// ends of the first step, on its polynomial.
fn errors(
    system: &mut impl StiffSystem<Error: std::fmt::Debug>,
    exact: fn(f64) -> [f64; 2],
    n: u32,
) -> (f64, f64) {
    let miss = |t: f64, y: &[f64]| (y[0] - exact(t)[0]).hypot(y[1] - exact(t)[1]);
    let h = 2.0 / f64::from(n);
    let mut solver = Radau::new(2);
    // A first step of another length: one of the same would be kept as it was solved, for the loose tolerance.
    solver.start(0.0, &exact(0.0), 1.05 * h, LOOSE).unwrap();
    let mut between: f64 = 0.0;
    for i in 0..n {
        let t = f64::from(i) * h;
        assert_eq!(solver.step(system, t + 1.05 * h).unwrap().rejected, 0);
        solver.accept_at(system, h).unwrap();
        if i == 0 {
            for j in 0..=50 {
                let (t, mut y) = (solver.t() * f64::from(j) / 50.0, [0.0; 2]);
                solver.interpolate(t, &mut y).unwrap();
                between = miss(t, &y).max(between);
            }
        }
    }
    (miss(solver.t(), solver.y()), between)
}

#[test]
fn the_step_is_of_order_nine_and_its_polynomial_of_order_five() {
    // A pendulum whose pull makes x = sin t its motion, and the logistic equation beside y sin(t + 1).
    let mut pendulum = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -t.sin() + t.sin().sin() - y[0].sin());
    };
    let mut growth = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[0] * (1.0 - y[0]), y[1] * (t + 1.0).sin());
    };
    let pairs = [4, 7].map(|n| {
        [
            errors(&mut pendulum, |t| [t.sin(), t.cos()], n),
            errors(&mut growth, |t| [1.0 / (1.0 + 3.0 * (-t).exp()), (-(t + 1.0).cos()).exp()], n),
        ]
    });
    let ratio = (7.0_f64 / 4.0).ln();
    for (coarse, fine) in pairs[0].iter().zip(pairs[1]) {
        let order = (coarse.0 / fine.0).ln() / ratio;
        assert!((order - 9.0).abs() < 0.3, "observed order {order}: {coarse:?} {fine:?}");
        // In one step the error goes with a power more.
        let order = (coarse.1 / fine.1).ln() / ratio - 1.0;
        assert!((order - 5.0).abs() < 0.3, "observed order of the polynomial {order}");
    }
}
