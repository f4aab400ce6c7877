//! Stiff systems against published and closed solutions, in few steps.

use std::cell::Cell;
use std::convert::Infallible;

use super::{Differences, Dop853, Radau, StiffSystem, System, Tolerance, Work};

/// Far more steps than any case here takes: a hang becomes a failure.
const MANY: usize = 20_000;

/// A right-hand side with its Jacobian written down.
struct Analytic<F, D>(F, D);

impl<F: FnMut(f64, &[f64], &mut [f64]), D> System for Analytic<F, D> {
    type Error = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Infallible> {
        self.0(t, y, y_dot);
        Ok(())
    }
}

impl<F, D> StiffSystem for Analytic<F, D>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    D: FnMut(f64, &[f64], &mut [f64]),
{
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        J: &mut [f64],
        _: &mut Differences<'_>,
    ) -> Result<(), Infallible> {
        self.1(t, y, J);
        Ok(())
    }
}

fn solver(t: f64, y: &[f64], first: f64, relative: f64, absolute: &[f64]) -> Radau {
    let mut solver = Radau::new(y.len());
    solver.start(t, y, first, Tolerance { relative, absolute }).unwrap();
    solver
}

/// Accepted and rejected steps up to the end.
fn run_to(
    solver: &mut Radau,
    system: &mut impl StiffSystem<Error: std::fmt::Debug>,
    end: f64,
) -> [usize; 2] {
    let mut rejected = 0;
    for n in 1..MANY {
        rejected += solver.step(system, end).unwrap().rejected;
        if solver.t() == end {
            return [n, rejected];
        }
    }
    panic!("more than {MANY} steps");
}

/// Van der Pol's equation in the stiff form of Hairer and Wanner, ε = 1e-6.
fn van_der_pol(_: f64, y: &[f64], y_dot: &mut [f64]) {
    (y_dot[0], y_dot[1]) = (y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6);
}

fn van_der_pol_jacobian(_: f64, y: &[f64], J: &mut [f64]) {
    J.copy_from_slice(&[0.0, 1.0, (-2.0 * y[0] * y[1] - 1.0) * 1e6, (1.0 - y[0] * y[0]) * 1e6]);
}

/// y(2) from y(0) = (2, 0): F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers.
const VAN_DER_POL_AT_2: [f64; 2] = [1.706_167_732_170_483, -0.892_809_701_024_797_5];

#[test]
fn van_der_pols_relaxation_follows_its_tolerance() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let mut system = Analytic(van_der_pol, van_der_pol_jacobian);
        let mut solver = solver(0.0, &[2.0, 0.0], 1e-6, tolerance, &[tolerance; 2]);
        run_to(&mut solver, &mut system, 2.0);
        let error = (0..2).map(|i| (solver.y()[i] / VAN_DER_POL_AT_2[i] - 1.0).abs());
        let error = error.fold(0.0, f64::max);
        // Two jumps of the relaxation amplify what the slow parts leave over.
        assert!(error < 100.0 * tolerance, "{error} at {tolerance}");
    }
}

#[test]
fn an_oscillation_takes_the_steps_that_the_stability_function_tells() {
    // ẏ₁ = y₂, ẏ₂ = −y₁ has the eigenvalues ±i. With z = i h, stages Z = (1 − z A)⁻¹ (1, …, 1)ᵀ and weights e the estimate of a step is
    // |z + Σ eⱼ (Zⱼ − 1)| / |γ − z|, solved in twenty digits for the collocation matrix of the five roots: 1.64e-13 at h = 0.05, and it goes
    // with h⁶. Its coefficient:
    const ESTIMATE: f64 = 1.05e-5;
    for tolerance in [1e-7, 1e-9, 1e-11_f64] {
        let mut solver = solver(0.0, &[1.0, 0.0], 1e-2, tolerance, &[tolerance; 2]);
        let mut oscillator = |_: f64, y: &[f64], y_dot: &mut [f64]| {
            (y_dot[0], y_dot[1]) = (y[1], -y[0]);
        };
        let [accepted, rejected] = run_to(&mut solver, &mut oscillator, 100.0);
        // Entries have the size 1/√2 beside an absolute and a relative tolerance; r^(2/3)/10 is what an estimate may be.
        let allowed = 0.1 * tolerance.powf(2.0 / 3.0) * (1.0 + 0.5_f64.sqrt());
        let longest = (allowed / (ESTIMATE * 0.5_f64.sqrt())).powf(1.0 / 6.0);
        // The controller stays below that by its safety, 0.9, and does not always use what it has.
        let least = 100.0 / longest;
        let steps = (accepted + rejected) as f64;
        assert!(steps > least && steps < 1.4 * least, "{steps} {least} at {tolerance}");
    }
}

/// Robertson's reaction.
fn robertson(_: f64, y: &[f64], y_dot: &mut [f64]) {
    let (slow, fast, back) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
    (y_dot[0], y_dot[1], y_dot[2]) = (back - slow, slow - back - fast, fast);
}

#[test]
fn robertsons_reaction_is_followed_over_fourteen_decades() {
    // y(1e11) from the same test set.
    let reference =
        [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505];
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let absolute = [1e-8, 1e-14, 1e-2].map(|size| size * tolerance);
        let mut solver = solver(0.0, &[1.0, 0.0, 0.0], 1e-6, tolerance, &absolute);
        let steps = run_to(&mut solver, &mut robertson, 1e11);
        let error = (0..3).map(|i| (solver.y()[i] / reference[i] - 1.0).abs());
        let error = error.fold(0.0, f64::max);
        assert!(error < 100.0 * tolerance, "{error} at {tolerance}");
        assert!(steps[0] < 1_000, "{steps:?}");
        let mass: f64 = solver.y().iter().sum();
        assert!((mass - 1.0).abs() < 1e-12, "{mass}");
    }
}

#[test]
fn prothero_and_robinsons_decay_does_not_lower_the_accuracy() {
    // ẏ = λ (y − cos t) − sin t, y = cos t whatever λ.
    for λ in [-1.0, -1e3, -1e6, -1e9] {
        let mut decay = |t: f64, y: &[f64], y_dot: &mut [f64]| {
            y_dot[0] = λ * (y[0] - t.cos()) - t.sin();
        };
        for tolerance in [1e-4, 1e-7, 1e-10] {
            let mut solver = solver(0.0, &[1.0], 1e-2, tolerance, &[tolerance]);
            let steps = run_to(&mut solver, &mut decay, 10.0);
            let error = (solver.y()[0] - 10.0_f64.cos()).abs();
            // A few long steps to the tolerance each; the estimate is blind to part of a stiff error.
            assert!(error < 100.0 * tolerance, "{error} at λ = {λ}, {tolerance}");
            assert!(steps[0] < 400, "{steps:?}");
        }
    }
}

/// A ball of 1 kg on a plane: K δ^1.5 (1 + b δ̇ / v) against its weight.
const K: f64 = 1.4e12;
const G: f64 = 9.81;

fn resting(_: f64, y: &[f64], y_dot: &mut [f64]) {
    let force = K * y[0].max(0.0).powf(1.5) * (1.0 + 0.5 * y[1] / 1e-3);
    (y_dot[0], y_dot[1]) = (y[1], G - force.max(0.0));
}

#[test]
fn a_ball_that_has_settled_on_a_plane_rests_there_at_no_cost() {
    let rest = (G / K).powf(2.0 / 3.0);
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let absolute = [rest * tolerance, 1e-5 * tolerance];
        // It comes to rest from a tenth of its static indentation.
        let mut solver = solver(0.0, &[0.1 * rest, 0.0], 1e-7, tolerance, &absolute);
        run_to(&mut solver, &mut resting, 0.5);
        let steps = run_to(&mut solver, &mut resting, 1.5);
        assert!((solver.y()[0] / rest - 1.0).abs() < 1e-9, "{}", solver.y()[0] / rest - 1.0);
        assert!(solver.y()[1].abs() < 1e-15, "{}", solver.y()[1]);
        // One step would do; it is no more than 8 times as long as the one before. None is rejected.
        assert!(steps[0] <= 2 && steps[1] == 0, "{steps:?}");
        // An explicit method has to follow each of some 3000 oscillations that are not there.
        let mut explicit = Dop853::new(2);
        let asked = Tolerance { relative: tolerance, absolute: &absolute };
        explicit.start(0.0, solver.y(), 1e-3, asked).unwrap();
        for _ in 0..1_000 {
            explicit.step(&mut resting, 1.0).unwrap();
        }
        assert!(explicit.t() < 1.0, "{}", explicit.t());
    }
}

#[test]
fn a_ball_rests_as_well_where_places_are_large_and_indentations_small() {
    // The ball's place is 1 m and the plane's surface below it; only their difference is small.
    let rest = (G / K).powf(2.0 / 3.0);
    let mut placed = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        resting(t, &[1.0 - y[0], -y[1]], y_dot);
        (y_dot[0], y_dot[1]) = (-y_dot[0], -y_dot[1]);
    };
    let mut solver = solver(0.0, &[1.0 - 0.5 * rest, 0.0], 1e-7, 0.0, &[1e-14, 1e-9]);
    run_to(&mut solver, &mut placed, 0.5);
    let steps = run_to(&mut solver, &mut placed, 1.5);
    // Places of 1 m resolve 1e-16 m, the tolerance asks for 1e-14 m.
    assert!((1.0 - solver.y()[0] - rest).abs() < 1e-15, "{}", 1.0 - solver.y()[0] - rest);
    // One step would do; round-off of the place may ask for a second. None is rejected.
    assert!(steps[0] <= 2 && steps[1] == 0, "{steps:?}");
}

/// The default Jacobian at (0, y), whose components move along f.
fn by_differences(
    f: impl Fn(f64, &[f64], &mut [f64]) + Copy,
    y: &[f64],
    tolerance: Tolerance<'_>,
) -> Vec<f64> {
    let n = y.len();
    let [mut y_dot, mut state, mut slope] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let mut J = vec![0.0; n * n];
    f(0.0, y, &mut y_dot);
    let scratch = [&mut state[..], &mut slope[..]];
    let mut differences = Differences { y_dot: &y_dot, direction: 1.0, tolerance, scratch };
    { f }.jacobian(0.0, y, &mut J, &mut differences).unwrap();
    J
}

#[test]
fn the_jacobian_by_differences_is_the_analytic_one() {
    let tolerance = Tolerance { relative: 1e-9, absolute: &[1e-9; 2] };
    for y in [[2.0, 0.0], [-1.5, 0.7], [0.3, 4e5], [0.0, -1.0]] {
        let mut exact = [0.0; 4];
        van_der_pol_jacobian(0.0, &y, &mut exact);
        let size = exact.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for (found, exact) in by_differences(van_der_pol, &y, tolerance).iter().zip(exact) {
            assert!((found - exact).abs() < 1e-6 * size, "{found} {exact} at {y:?}");
        }
    }
    // A third of the static indentation, a rate of zero; and the onset, felt from the side it is on.
    let tolerance = Tolerance { relative: 1e-9, absolute: &[1e-16, 1e-12] };
    for δ in [1e-8, 3e-8, 1e-6] {
        let J = by_differences(resting, &[δ, 0.0], tolerance);
        let stiffness = 1.5 * K * δ.sqrt();
        let damping = K * δ.powf(1.5) * 500.0;
        assert!((J[2] / -stiffness - 1.0).abs() < 1e-6, "{} {stiffness}", J[2]);
        assert!((J[3] / -damping - 1.0).abs() < 1e-3, "{} {damping}", J[3]);
        assert_eq!(J[..2], [0.0, 1.0]);
    }
    let J = by_differences(resting, &[0.0, -1e-6], tolerance);
    assert_eq!(J[2], 0.0, "it is leaving");
}

#[test]
fn a_column_that_is_not_finite_ahead_is_taken_behind() {
    let root = |_: f64, y: &[f64], y_dot: &mut [f64]| y_dot[0] = 1.0 + (1.0 - y[0]).sqrt();
    let y = 1.0 - 1e-13;
    let J = by_differences(root, &[y], Tolerance { relative: 1e-9, absolute: &[1e-9] });
    // (√1e-13 − √(1e-13 + δ)) / δ, with the δ = 2e-9 of the tolerance
    assert!((J[0] + (2e-9_f64.sqrt() - 1e-13_f64.sqrt()) / 2e-9).abs() < 10.0, "{}", J[0]);
}

#[test]
fn a_step_evaluates_no_more_than_its_iterations_and_jacobians_need() {
    let calls = Cell::new(0);
    let mut counted = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        calls.set(calls.get() + 1);
        robertson(t, y, y_dot);
    };
    let mut solver = solver(0.0, &[1.0, 0.0, 0.0], 1e-6, 1e-7, &[1e-12, 1e-16, 1e-9]);
    let [accepted, rejected] = run_to(&mut solver, &mut counted, 1e5);
    let Work { iterations, jacobians, .. } = solver.work();
    // A rejected step may look at its error once more.
    let known = accepted + 5 * iterations + 3 * jacobians;
    assert!((known..=known + 1 + 2 * rejected).contains(&calls.get()), "{} {known}", calls.get());
    assert!(iterations < 4 * accepted && rejected < 10, "{iterations} {accepted} {rejected}");
    calls.set(0);
    let t = 0.5 * (solver.t_old() + solver.t());
    solver.interpolate(t, &mut [0.0; 3]).unwrap();
    let h = solver.h();
    solver.retake(&mut counted, h, &mut [0.0; 3]).unwrap();
    assert_eq!(calls.get(), 0);
    solver.retake(&mut counted, 0.5 * h, &mut [0.0; 3]).unwrap();
    let retaken = calls.get();
    assert!(retaken > 0 && retaken <= 5 * 10, "{retaken}");
    solver.accept_at(&mut counted, 0.5 * h).unwrap();
    assert_eq!(calls.get(), retaken);
}
