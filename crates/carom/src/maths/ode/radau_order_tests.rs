//! The coefficients of Radau IIA satisfy its defining equations, and the method shows its orders.

use super::radau_tableau::{C, COMPLEX, ERROR, REAL, T, T_INVERSE};
use super::{Radau5, StiffSystem, Tolerance};
use nalgebra::{Matrix3, Vector3};

/// Coefficients up to 10 and sums of a few terms leave this much of unity.
const ROUND_OFF: f64 = 2e-14;

fn matrix(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| rows[i][j])
}

/// A, from what defines it: A cᵠ = cᵠ⁺¹ / (q + 1) for q = 0, 1, 2.
fn collocation() -> Matrix3<f64> {
    let powers = |shift: i32| {
        Matrix3::from_fn(|i, q| {
            let q = i32::try_from(q).unwrap();
            C[i].powi(q + shift) / f64::from(1 + shift * q)
        })
    };
    powers(1) * powers(0).try_inverse().unwrap()
}

#[test]
fn the_times_are_the_roots_of_the_radau_polynomial() {
    // d²/dx² (x² (x − 1)³) = 20 x³ − 36 x² + 18 x − 2
    for c in C {
        assert!((20.0 * c.powi(3) - 36.0 * c * c + 18.0 * c - 2.0).abs() < ROUND_OFF, "{c}");
    }
}

#[test]
fn the_transformation_decouples_the_stages() {
    let (re, im) = COMPLEX;
    let blocks = Matrix3::new(REAL, 0.0, 0.0, 0.0, re, -im, 0.0, im, re);
    let (t, inverse) = (matrix(T), matrix(T_INVERSE));
    assert!((t * inverse - Matrix3::identity()).abs().max() < ROUND_OFF);
    assert!((collocation() * t * blocks * inverse - Matrix3::identity()).abs().max() < ROUND_OFF);
}

#[test]
fn the_error_estimate_is_an_embedded_formula_of_order_three() {
    // ŷ − y = (1/γ) (h f₀ + Σ eᵢ zᵢ) with z = h A f: the slopes of tᵠ give zero for q ≤ 2, no more.
    let estimate = |q: i32| {
        let f = Vector3::from(C.map(|c| f64::from(q + 1) * c.powi(q)));
        let f0 = if q == 0 { 1.0 } else { 0.0 };
        f0 + Vector3::from(ERROR).dot(&(collocation() * f))
    };
    for q in 0..3 {
        assert!(estimate(q).abs() < 10.0 * ROUND_OFF, "q = {q}: {}", estimate(q));
    }
    assert!(estimate(3).abs() > 1e-2, "{}", estimate(3));
}

/// Loose enough to accept every step of these tests; steps taken again are solved to a millionth.
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
    let mut solver = Radau5::new(2);
    solver.start(0.0, &exact(0.0), h, LOOSE).unwrap();
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
fn the_step_is_of_order_five_and_its_polynomial_of_order_three() {
    // A pendulum whose pull makes x = sin t its motion, and the logistic equation beside y cos t.
    let mut pendulum = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -t.sin() + t.sin().sin() - y[0].sin());
    };
    let mut growth = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[0] * (1.0 - y[0]), y[1] * t.cos());
    };
    let pairs = [20, 40].map(|n| {
        [
            errors(&mut pendulum, |t| [t.sin(), t.cos()], n),
            errors(&mut growth, |t| [1.0 / (1.0 + 3.0 * (-t).exp()), t.sin().exp()], n),
        ]
    });
    for (coarse, fine) in pairs[0].iter().zip(pairs[1]) {
        let order = (coarse.0 / fine.0).log2();
        assert!((order - 5.0).abs() < 0.3, "observed order {order}: {coarse:?} {fine:?}");
        // In one step the error goes with a power more.
        let order = (coarse.1 / fine.1).log2() - 1.0;
        assert!((order - 3.0).abs() < 0.3, "observed order of the polynomial {order}");
    }
}
