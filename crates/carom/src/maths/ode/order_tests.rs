//! The coefficients satisfy the order conditions, and the method shows its orders.

use super::tableau::{A, B, B_ORDER_3, C, ERROR_ORDER_5, STAGES, Weights};
use super::{Dop853, Tolerance};

/// Coefficients up to 30 and sums of 12 terms leave this much of unity.
const ROUND_OFF: f64 = 2e-14;

fn dot(w: Weights, x: &[f64]) -> f64 {
    w.iter().map(|&(j, w)| w * x[j]).sum()
}

/// A x over the stages of the step.
fn apply(x: &[f64]) -> Vec<f64> {
    (0..STAGES).map(|s| dot(A[s], x)).collect()
}

fn powers(q: i32) -> Vec<f64> {
    C[..STAGES].iter().map(|c| c.powi(q)).collect()
}

fn times(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x * y).collect()
}

#[test]
fn each_row_of_the_tableau_sums_to_its_time() {
    for (s, row) in A.iter().enumerate() {
        let sum: f64 = row.iter().map(|(_, a)| a).sum();
        assert!((sum - C[s]).abs() < ROUND_OFF, "stage {s}: {sum}");
        assert!(row.iter().all(|(j, _)| *j < s), "stage {s} is explicit");
    }
}

#[test]
fn the_weights_integrate_polynomials_to_their_order() {
    for q in 0..8 {
        let exact = 1.0 / f64::from(q + 1);
        assert!((dot(B, &powers(q)) - exact).abs() < ROUND_OFF, "b cᵠ, q = {q}");
        if q < 3 {
            assert!((dot(B_ORDER_3, &powers(q)) - exact).abs() < ROUND_OFF, "order 3, q = {q}");
        }
        if q < 5 {
            assert!(dot(ERROR_ORDER_5, &powers(q)).abs() < ROUND_OFF, "order 5, q = {q}");
        }
    }
    // Not more: an estimator of the order of the step would see no error.
    assert!((dot(B, &powers(8)) - 1.0 / 9.0).abs() > 1e-8);
    assert!((dot(B_ORDER_3, &powers(3)) - 0.25).abs() > 1e-3);
    assert!(dot(ERROR_ORDER_5, &powers(5)).abs() > 1e-5);
}

/// A rooted tree: its order, its density γ and its weight at each stage, Π (A φ) over its branches.
#[derive(Clone)]
struct Tree {
    order: usize,
    density: f64,
    weight: Vec<f64>,
}

/// Puts branches on `tree`, each no later in the list than the one before, until `left` is used up.
fn grow(list: &[Tree], last: usize, left: usize, tree: &Tree, grown: &mut Vec<Tree>) {
    if left == 0 {
        grown.push(Tree { density: tree.density * tree.order as f64, ..tree.clone() });
    }
    for (i, branch) in list.iter().enumerate().take(last + 1).filter(|(_, b)| b.order <= left) {
        let next = Tree {
            order: tree.order,
            density: tree.density * branch.density,
            weight: times(&tree.weight, &apply(&branch.weight)),
        };
        grow(list, i, left - branch.order, &next, grown);
    }
}

#[test]
fn all_two_hundred_order_conditions_up_to_order_eight_hold() {
    let mut list: Vec<Tree> = Vec::new();
    for order in 1..=8 {
        let mut grown = Vec::new();
        let root = Tree { order, density: 1.0, weight: vec![1.0; STAGES] };
        grow(&list, list.len(), order - 1, &root, &mut grown);
        list.extend(grown);
    }
    assert_eq!(list.len(), 200, "1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 rooted trees");
    for Tree { order, density, weight } in list {
        let found = dot(B, &weight);
        assert!((found - 1.0 / density).abs() < ROUND_OFF, "order {order}, density {density}");
    }
}

#[test]
fn the_dense_output_integrates_polynomials_to_its_order() {
    // ẏ = (q + 1) tᵠ from 0 to 1 in one step: y = tᵠ⁺¹ between its ends, too.
    let largest = |q: i32| {
        let mut power =
            |t: f64, _: &[f64], y_dot: &mut [f64]| y_dot[0] = f64::from(q + 1) * t.powi(q);
        let mut solver = Dop853::new(1);
        let generous = Tolerance { relative: 0.0, absolute: &[1e30] };
        solver.start(0.0, &[0.0], 1.0, generous).unwrap();
        solver.step(&mut power, 1.0).unwrap();
        (0..=50).map(f64::from).fold(0.0_f64, |worst, j| {
            let (t, mut y) = (j / 50.0, [0.0]);
            solver.interpolate(&mut power, t, &mut y).unwrap();
            worst.max((y[0] - t.powi(q + 1)).abs())
        })
    };
    for q in 0..7 {
        // The weights are as large as 5e2, the slopes as 7.
        assert!(largest(q) < 2e-13, "q = {q}: {}", largest(q));
    }
    assert!(largest(7) > 1e-6, "and not more");
}

/// ẏ = y cos t, y(0) = 1: y = exp(sin t).
fn swing(t: f64, y: &[f64], y_dot: &mut [f64]) {
    y_dot[0] = y[0] * t.cos();
}

/// Integrates to t = 4 in n equal steps: the error at the end, and the largest one between the ends
/// of the first step, by dense output.
fn errors(n: u32) -> (f64, f64) {
    let mut solver = Dop853::new(1);
    // A tolerance that accepts every step.
    let generous = Tolerance { relative: 0.0, absolute: &[1e30] };
    let h = 4.0 / f64::from(n);
    solver.start(0.0, &[1.0], h, generous).unwrap();
    let mut between: f64 = 0.0;
    for i in 1..=n {
        solver.step(&mut swing, h * f64::from(i)).unwrap();
        if i == 1 {
            for j in 0..=50 {
                let (t, mut y) = (h * f64::from(j) / 50.0, [0.0]);
                solver.interpolate(&mut swing, t, &mut y).unwrap();
                between = between.max((y[0] - t.sin().exp()).abs());
            }
        }
    }
    ((solver.y()[0] - 4.0_f64.sin().exp()).abs(), between)
}

#[test]
fn the_step_is_of_order_eight_and_its_dense_output_of_order_seven() {
    // Coarse enough for the error to stand above rounding, fine enough for its first term to rule.
    let (coarse, fine) = (errors(8), errors(16));
    let order = (coarse.0 / fine.0).log2();
    assert!((order - 8.0).abs() < 0.5, "observed order {order}: {coarse:?} {fine:?}");
    // In one step the error goes with a power more.
    let order = (coarse.1 / fine.1).log2() - 1.0;
    assert!((order - 7.0).abs() < 0.5, "observed order of the dense output {order}");
}
