//! Radau does what Dop853 does where both can: solutions, landings, steps taken again.

use super::{Dop853, Radau, StiffSystem, Tolerance};

/// Far more steps than any case here takes: a hang becomes a failure.
const MANY: usize = 20_000;

fn solver(t: f64, y: &[f64], first: f64, relative: f64, absolute: &[f64]) -> Radau {
    let mut solver = Radau::new(y.len());
    solver.start(t, y, first, Tolerance { relative, absolute }).unwrap();
    solver
}

fn run_to(solver: &mut Radau, system: &mut impl StiffSystem<Error: std::fmt::Debug>, end: f64) {
    for _ in 0..MANY {
        solver.step(system, end).unwrap();
        if solver.t() == end {
            return;
        }
    }
    panic!("more than {MANY} steps");
}

fn oscillator(_: f64, y: &[f64], y_dot: &mut [f64]) {
    (y_dot[0], y_dot[1]) = (y[1], -y[0]);
}

#[test]
fn the_error_of_an_oscillator_follows_its_tolerance_in_both_directions_of_time() {
    for end in [20.0, -20.0_f64] {
        for tolerance in [1e-4, 1e-7, 1e-10] {
            let first = 0.1 * end.signum();
            let mut solver = solver(0.0, &[1.0, 0.0], first, tolerance, &[tolerance; 2]);
            run_to(&mut solver, &mut oscillator, end);
            // Three turns gather the local errors of at most some 1000 steps.
            let error = (solver.y()[0] - end.cos()).hypot(solver.y()[1] + end.sin());
            assert!(error < 100.0 * tolerance, "{error} at {tolerance}");
        }
    }
}

#[test]
fn a_decay_backwards_in_time_is_a_growth() {
    // ẏ = −50 (y − cos t): backwards the deviation from its slow solution grows by e^15 in 0.3 s.
    let mut decay = |t: f64, y: &[f64], y_dot: &mut [f64]| y_dot[0] = -50.0 * (y[0] - t.cos());
    let slow = |t: f64| (2500.0 * t.cos() + 50.0 * t.sin()) / 2501.0;
    let exact = |t: f64| slow(t) + 1e-3 * (-50.0 * t).exp();
    let mut solver = solver(0.0, &[exact(0.0)], -1e-3, 1e-9, &[1e-12]);
    run_to(&mut solver, &mut decay, -0.3);
    // Each e-fold leaves some ten local errors.
    assert!((solver.y()[0] / exact(-0.3) - 1.0).abs() < 1e-6, "{} {}", solver.y()[0], exact(-0.3));
}

#[test]
fn it_agrees_with_the_explicit_method_where_nothing_is_stiff() {
    // A pendulum on a spring, 10 s.
    let mut pendulum = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        let r = y[0].hypot(y[1]);
        let pull = -40.0 * (r - 1.0) / r;
        y_dot[..2].copy_from_slice(&[y[2], y[3]]);
        y_dot[2..].copy_from_slice(&[pull * y[0], pull * y[1] - 9.81]);
    };
    let y = [0.8, -0.3, 0.1, 0.0];
    let mut explicit = Dop853::new(4);
    let tolerance = Tolerance { relative: 1e-13, absolute: &[1e-13; 4] };
    explicit.start(0.0, &y, 1e-2, tolerance).unwrap();
    while explicit.t() < 10.0 {
        explicit.step(&mut pendulum, 10.0).unwrap();
    }
    let mut implicit = solver(0.0, &y, 1e-2, 1e-11, &[1e-11; 4]);
    run_to(&mut implicit, &mut pendulum, 10.0);
    for (a, b) in explicit.y().iter().zip(implicit.y()) {
        // Some hundred times the tolerance, gathered along ten swings.
        assert!((a - b).abs() < 2e-9, "{a} {b}");
    }
}

#[test]
fn a_damped_oscillator_lands_on_its_zero() {
    let ζ: f64 = 0.1;
    let ω = (1.0 - ζ * ζ).sqrt();
    let mut damped = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -y[0] - 2.0 * ζ * y[1]);
    };
    for direction in [1.0, -1.0] {
        // x = e^(−ζt) (cos ωt + ζ/ω sin ωt) falls through zero where tan ωt = −ω/ζ.
        let zero = if direction > 0.0 {
            (std::f64::consts::PI - (ω / ζ).atan()) / ω
        } else {
            -(ω / ζ).atan() / ω
        };
        let mut solver = solver(0.0, &[1.0, 0.0], 0.1 * direction, 1e-14, &[1e-14; 2]);
        while solver.y()[0] > 0.0 {
            solver.step(&mut damped, 5.0 * direction).unwrap();
        }
        let landing = solver.land(&mut damped, &mut |_, y| y[0], 0.0).unwrap();
        assert_eq!((landing.t, landing.value), (solver.t(), solver.y()[0]));
        assert!((landing.t - zero).abs() < 1e-12, "{direction}: {:e}", landing.t - zero);
        assert!(landing.value.abs() < 1e-15, "{landing:?}");
        solver.accept_at(&mut damped, landing.beyond).unwrap();
        assert!(solver.y()[0] <= 0.0);
        run_to(&mut solver, &mut damped, 6.0 * direction);
    }
}

#[test]
fn a_stiff_spring_is_landed_on_although_its_steps_are_long() {
    // The slow part x = e^−t of a system with a rate of 1e8 beside it, one step from 0.9 to 0.2.
    let mut stiff = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (-y[1], -1e8 * (y[1] - y[0]));
    };
    let mut solver = solver(0.0, &[1.0, 1.0], 1e-6, 1e-8, &[1e-10; 2]);
    while solver.y()[0] > 0.5 {
        solver.step(&mut stiff, 10.0).unwrap();
    }
    let landing = solver.land(&mut stiff, &mut |_, y| y[0] - 0.5, 1e-12).unwrap();
    assert!((landing.value).abs() < 1e-12, "{landing:?}");
    // The slow rate is 1 + 1e-8.
    let exact = 2.0_f64.ln() / (1.0 + 1e-8);
    assert!((landing.t - exact).abs() < 1e-7, "{:e}", landing.t - exact);
}

#[test]
fn a_hertz_contact_lasts_as_long_as_hertz_says() {
    // ẍ = −x^(3/2) from x = 0, ẋ = 1: the third derivative is infinite at the onset.
    let mut hertz = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -y[0].max(0.0).powf(1.5));
    };
    let mut solver = solver(0.0, &[0.0, 1.0], 1e-6, 1e-11, &[1e-12; 2]);
    while solver.y()[0] >= 0.0 {
        solver.step(&mut hertz, 10.0).unwrap();
    }
    solver.land(&mut hertz, &mut |_, y| y[0], 0.0).unwrap();
    // 4/5 √π Γ(2/5) / Γ(9/10) = 2.943…, x_max = (5/4)^(2/5).
    let duration = 2.943_275_184_324_704_7 * 1.25_f64.powf(0.4);
    assert!((solver.t() - duration).abs() < 1e-9, "{:e}", solver.t() - duration);
    assert!((solver.y()[1] + 1.0).abs() < 1e-9, "{:e}", solver.y()[1] + 1.0);
}

#[test]
fn the_polynomial_meets_the_step_at_its_ends() {
    let mut solver = solver(1.0, &[1.0, 0.0], 0.3, 1e-9, &[1e-9; 2]);
    solver.step(&mut oscillator, 9.0).unwrap();
    let mut y = [0.0; 2];
    solver.interpolate(solver.t_old(), &mut y).unwrap();
    assert_eq!(y, *solver.y_old());
    solver.interpolate(solver.t(), &mut y).unwrap();
    assert_eq!(y, *solver.y());
}

#[test]
fn a_step_taken_again_is_the_step_and_changes_nothing_until_accepted() {
    let mut one = solver(0.0, &[1.0, 0.0], 0.3, 1e-6, &[1e-6; 2]);
    assert_eq!((one.t_old(), one.y_old(), one.h()), (0.0, &[1.0, 0.0][..], 0.0));
    one.step(&mut oscillator, 9.0).unwrap();
    let before = one.clone();
    let (h, mut y) = (one.h(), [0.0; 2]);
    one.retake(&mut oscillator, h, &mut y).unwrap();
    assert_eq!(y, *one.y());
    one.retake(&mut oscillator, 0.4 * h, &mut y).unwrap();
    assert_eq!((one.t(), one.y()), (before.t(), before.y()));
    let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
    one.interpolate(0.7 * h, &mut a).unwrap();
    before.interpolate(0.7 * h, &mut b).unwrap();
    assert_eq!(a, b);
    let accepted = one.accept_at(&mut oscillator, 0.4 * h).unwrap();
    assert_eq!((accepted.t, one.t(), one.y()), (0.4 * h, 0.4 * h, &y[..]));
    run_to(&mut one, &mut oscillator, 9.0);
    assert!((one.y()[0] - 9.0_f64.cos()).abs() < 1e-5);
}

/// A relaxation with landings: the bits of the last state.
fn relax(solver: &mut Radau, first_step: f64) -> [u64; 3] {
    let mut system = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], 1e3 * ((1.0 - y[0] * y[0]) * y[1] - y[0]));
    };
    let tolerance = Tolerance { relative: 1e-6, absolute: &[1e-6, 1e-6] };
    solver.start(0.0, &[2.0, 0.0], first_step, tolerance).unwrap();
    let mut between = [0.0; 2];
    for side in [1.0, -1.0, 1.0] {
        while side * solver.y()[0] > 0.0 || side * solver.y_old()[0] <= 0.0 {
            solver.step(&mut system, 1e3).unwrap();
            solver.interpolate(0.5 * (solver.t_old() + solver.t()), &mut between).unwrap();
        }
        let landing = solver.land(&mut system, &mut |_, y| y[0], 0.0).unwrap();
        solver.accept_at(&mut system, landing.beyond).unwrap();
    }
    [solver.t(), solver.y()[1], between[0]].map(f64::to_bits)
}

#[test]
fn an_integration_does_not_allocate_and_repeats_its_bits() {
    let mut solver = Radau::new(2);
    let mut results = [[0; 3]; 3];
    let info = allocation_counter::measure(|| {
        results[0] = relax(&mut solver, 0.01);
        // Another run in between must leave nothing behind.
        results[1] = relax(&mut solver, 0.003);
        results[2] = relax(&mut solver, 0.01);
    });
    assert_eq!(info.count_total, 0);
    assert_eq!(results[0], results[2]);
    assert_ne!(results[0], results[1]);
}
