//! Solutions against closed forms, landings on events, and what is refused.

use super::{Dop853, System, Tolerance};

/// Far more steps than any case here takes: a hang becomes a failure.
const MANY: usize = 5_000;

fn solver(t: f64, y: &[f64], first: f64, relative: f64, absolute: &[f64]) -> Dop853 {
    let mut solver = Dop853::new(y.len());
    solver.start(t, y, first, Tolerance { relative, absolute }).unwrap();
    solver
}

fn run_to(
    solver: &mut Dop853,
    system: &mut impl System<Error: std::fmt::Debug>,
    end: f64,
) -> usize {
    for n in 1..MANY {
        solver.step(system, end).unwrap();
        if solver.t() == end {
            return n;
        }
    }
    panic!("more than {MANY} steps");
}

/// Steps until the first component has fallen below zero, and lands on its zero.
fn run_to_zero(solver: &mut Dop853, system: &mut impl System<Error: std::fmt::Debug>, limit: f64) {
    for _ in 0..MANY {
        solver.step(system, limit).unwrap();
        if solver.y_old()[0] > 0.0 && solver.y()[0] <= 0.0 {
            let landing = solver.land(system, &mut |_, y| y[0], 0.0).unwrap();
            assert_eq!((landing.t, landing.value), (solver.t(), solver.y()[0]));
            // Across, lest the same zero be found again.
            solver.accept_at(system, landing.beyond).unwrap();
            return;
        }
    }
    panic!("more than {MANY} steps");
}

fn oscillator(_t: f64, y: &[f64], y_dot: &mut [f64]) {
    y_dot[0] = y[1];
    y_dot[1] = -y[0];
}

#[test]
fn the_error_of_an_oscillator_follows_its_tolerance_in_both_directions_of_time() {
    for end in [20.0, -20.0_f64] {
        for tolerance in [1e-4, 1e-7, 1e-10, 1e-13] {
            let first = 0.1 * end.signum();
            let mut solver = solver(0.0, &[1.0, 0.0], first, tolerance, &[tolerance; 2]);
            run_to(&mut solver, &mut oscillator, end);
            // Three turns gather the local errors of at most some 100 steps.
            let error = (solver.y()[0] - end.cos()).hypot(solver.y()[1] + end.sin());
            assert!(error < 100.0 * tolerance, "{error} at {tolerance}");
        }
    }
}

#[test]
fn the_absolute_tolerance_of_each_component_counts() {
    // Two oscillators apart; in the loose run the second may be as wrong as it likes.
    let mut both = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        oscillator(t, &y[..2], &mut y_dot[..2]);
        (y_dot[2], y_dot[3]) = (30.0 * y[3], -30.0 * y[2]);
    };
    let [strict, loose] = [[1e-9; 4], [1e-9, 1e-9, 1e3, 1e3]].map(|absolute| {
        let mut solver = solver(0.0, &[1.0, 0.0, 1.0, 0.0], 0.1, 0.0, &absolute);
        let steps = run_to(&mut solver, &mut both, 1.0);
        (steps, (solver.y()[2] - 30.0_f64.cos()).abs())
    });
    assert!(strict.1 < 1e-7 && loose.1 > 1e-3, "{strict:?} {loose:?}");
    assert!(strict.0 > 4 * loose.0, "{strict:?} {loose:?}");
}

/// The restricted three-body problem (Hairer, Nørsett, Wanner I, section II.0): a satellite that
/// passes the moon near and returns after a known period.
fn arenstorf(_t: f64, y: &[f64], y_dot: &mut [f64]) {
    let μ = 0.012_277_471;
    let rest = 1.0 - μ;
    let earth = (y[0] + μ).hypot(y[1]).powi(3);
    let moon = (y[0] - rest).hypot(y[1]).powi(3);
    y_dot[0] = y[2];
    y_dot[1] = y[3];
    y_dot[2] = y[0] + 2.0 * y[3] - rest * (y[0] + μ) / earth - μ * (y[0] - rest) / moon;
    y_dot[3] = y[1] - 2.0 * y[2] - rest * y[1] / earth - μ * y[1] / moon;
}

#[test]
fn the_arenstorf_orbit_closes_after_its_period() {
    let y = [0.994, 0.0, 0.0, -2.001_585_106_379_082_4];
    let period = 17.065_216_560_157_964;
    let mut solver = solver(0.0, &y, 1e-3, 1e-13, &[1e-13; 4]);
    let n = run_to(&mut solver, &mut arenstorf, period);
    // The passages of the moon amplify local errors; a wrong digit of the period shows in full.
    let miss = (solver.y()[0] - y[0]).hypot(solver.y()[1] - y[1]);
    assert!(miss < 1e-10, "{miss}");
    assert!(n < 450, "{n} steps");
}

/// What is left of a landing by an integration to 1e-14 over some ten steps.
const LANDED: f64 = 1e-13;

#[test]
fn a_fall_lands_on_the_ground() {
    let g = 9.81;
    for (height, up) in [(1.0, 0.0), (20.0, 3.0), (1e-6, 0.1)] {
        let mut fall = |_: f64, y: &[f64], y_dot: &mut [f64]| (y_dot[0], y_dot[1]) = (y[1], -g);
        let mut solver = solver(0.0, &[height, up], 1e-4, 1e-12, &[1e-14; 2]);
        run_to_zero(&mut solver, &mut fall, 10.0);
        let speed = (up * up + 2.0 * g * height).sqrt();
        assert!((solver.t() - (up + speed) / g).abs() < LANDED, "{height}");
        assert!((solver.y()[1] + speed).abs() < LANDED * g, "{height}");
        assert!(solver.y()[0].abs() < LANDED * speed, "{height}");
    }
}

#[test]
fn a_damped_oscillator_lands_on_its_zeros_and_goes_on() {
    let ζ: f64 = 0.1;
    let ω = (1.0 - ζ * ζ).sqrt();
    let mut damped = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -y[0] - 2.0 * ζ * y[1]);
    };
    for direction in [1.0, -1.0] {
        // x = e^(−ζt) (cos ωt + ζ/ω sin ωt) falls through zero where tan ωt = −ω/ζ.
        let first = if direction > 0.0 {
            (std::f64::consts::PI - (ω / ζ).atan()) / ω
        } else {
            -(ω / ζ).atan() / ω
        };
        let mut solver = solver(0.0, &[1.0, 0.0], 0.1 * direction, 1e-15, &[1e-15; 2]);
        for turn in 0..2 {
            run_to_zero(&mut solver, &mut damped, 20.0 * direction);
            let t = first + direction * f64::from(turn) * 2.0 * std::f64::consts::PI / ω;
            assert!((solver.t() - t).abs() < LANDED, "{direction}, turn {turn}: {}", solver.t());
            let v = -(-ζ * t).exp() * (ω * t).sin() / ω;
            assert!((solver.y()[1] / v - 1.0).abs() < LANDED, "{direction}, turn {turn}");
        }
    }
}

#[test]
fn what_lies_beyond_an_event_in_time_does_not_touch_the_state_at_it() {
    // Free until t = 1, then a pull; the last step reaches far into it.
    let mut pull = |t: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], if t > 1.0 { -1e3 } else { 0.0 });
    };
    let mut solver = solver(0.0, &[1.0, -1.0], 0.9, 0.0, &[1e9; 2]);
    solver.step(&mut pull, 0.9).unwrap();
    solver.step(&mut pull, 1.5).unwrap();
    // The end on the side of the smaller t, though its state at the other one is wrong by 1e2.
    let landing = solver.land(&mut pull, &mut |t, _| (1.0 - t) - 1e-17, 0.0).unwrap();
    assert!((landing.t - 1.0).abs() <= f64::EPSILON);
    assert!((solver.y()[1] + 1.0).abs() < LANDED, "{}", solver.y()[1]);
    assert!(solver.y()[0].abs() < LANDED, "{}", solver.y()[0]);
    assert_eq!(solver.t_old(), 0.9);
}

#[test]
fn a_landing_is_on_the_near_side_and_knows_the_way_across() {
    for k in 1_u8..60 {
        // 0.8 cos t = v sin t; one step that any tolerance accepts goes beyond it.
        let v = f64::from(k) / 7.0;
        let zero = (0.8 / v).atan();
        let mut solver = solver(5.0, &[0.8, -v], 9.0, 0.0, &[1e9; 2]);
        solver.step(&mut oscillator, 5.0 + 1.2 * zero).unwrap();
        let landing = solver.land(&mut oscillator, &mut |_, y| y[0], 0.0).unwrap();
        assert!(landing.value >= 0.0 && landing.value < 1e-14, "{landing:?}");
        assert!((landing.beyond - landing.h).abs() <= 2.0 * f64::EPSILON * zero, "{landing:?}");
        // One step of order 8 over 1.4 at most: 1.4⁹ / 9! is 6e-5.
        assert!((landing.h - zero).abs() < 1e-5, "{landing:?} {zero}");
        solver.accept_at(&mut oscillator, landing.beyond).unwrap();
        assert!(solver.y()[0] <= 0.0, "{landing:?}");
    }
}

#[test]
fn the_dense_output_of_a_step_that_was_landed_keeps_its_order() {
    // What the tangent adds to the step must not enter its polynomial: 1e-8 of a step would be seen here.
    for k in 1_u8..40 {
        let middle = 0.9 + 0.002 * f64::from(k);
        let mut solver = solver(0.0, &[1.0, 0.0], 0.3, 1e-14, &[1e-14; 2]);
        while solver.y()[0] > middle {
            solver.step(&mut oscillator, 2.0).unwrap();
        }
        let landing = solver.land(&mut oscillator, &mut |_, y| y[0] - middle, 0.0).unwrap();
        assert!((landing.t - middle.acos()).abs() < LANDED, "{landing:?}");
        let (from, mut y) = (solver.t_old(), [0.0; 2]);
        for part in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            let t = if part == 1.0 { landing.t } else { from + part * landing.h };
            solver.interpolate(&mut oscillator, t, &mut y).unwrap();
            let error = (y[0] - t.cos()).hypot(y[1] + t.sin());
            assert!(error < 1e-12, "{error} at {part} of the step to {middle}");
        }
        // And the way on begins with the slope of where it landed.
        solver.step(&mut oscillator, landing.t + 0.05).unwrap();
        let error = (solver.y()[0] - solver.t().cos()).hypot(solver.y()[1] + solver.t().sin());
        assert!(error < LANDED, "{error} behind {middle}");
    }
}

#[test]
fn a_hertz_contact_lasts_as_long_as_hertz_says() {
    // ẍ = −x^(3/2) from x = 0, ẋ = 1: the third derivative is infinite at the onset.
    let mut hertz = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -y[0].max(0.0).powf(1.5));
    };
    let mut solver = solver(0.0, &[0.0, 1.0], 1e-6, 1e-13, &[1e-15; 2]);
    let mut drift: f64 = 0.0;
    for _ in 0..MANY {
        solver.step(&mut hertz, 10.0).unwrap();
        let y = solver.y();
        drift = drift.max((0.5 * y[1] * y[1] + 0.4 * y[0].max(0.0).powf(2.5) - 0.5).abs());
        if y[0] < 0.0 {
            solver.land(&mut hertz, &mut |_, y| y[0], 0.0).unwrap();
            break;
        }
    }
    // 4/5 √π Γ(2/5) / Γ(9/10) = 2.943…, x_max = (5/4)^(2/5).
    let duration = 2.943_275_184_324_704_7 * 1.25_f64.powf(0.4);
    assert!((solver.t() - duration).abs() < 1e-11, "{}", solver.t() - duration);
    assert!((solver.y()[1] + 1.0).abs() < 1e-11, "{}", solver.y()[1] + 1.0);
    assert!(drift < 1e-11, "{drift}");
}

#[test]
fn the_dense_output_meets_the_step_at_its_ends() {
    let mut solver = solver(1.0, &[1.0, 0.0], 0.3, 1e-9, &[1e-9; 2]);
    solver.step(&mut oscillator, 9.0).unwrap();
    let (before, after) = (solver.y_old().to_vec(), solver.y().to_vec());
    let mut y = [0.0; 2];
    solver.interpolate(&mut oscillator, solver.t_old(), &mut y).unwrap();
    assert_eq!(y, *before);
    solver.interpolate(&mut oscillator, solver.t(), &mut y).unwrap();
    assert!((y[0] - after[0]).abs() <= f64::EPSILON && (y[1] - after[1]).abs() <= f64::EPSILON);
}

#[test]
fn a_step_taken_again_is_the_step_and_changes_nothing_until_accepted() {
    let mut one = solver(0.0, &[1.0, 0.0], 0.3, 1e-9, &[1e-9; 2]);
    one.step(&mut oscillator, 9.0).unwrap();
    let before = one.clone();
    let (h, mut y) = (one.h(), [0.0; 2]);
    one.retake(&mut oscillator, h, &mut y).unwrap();
    assert_eq!(y, *one.y());
    one.retake(&mut oscillator, 0.4 * h, &mut y).unwrap();
    assert_eq!((one.t(), one.y()), (before.t(), before.y()));
    // A polynomial that is asked for after another length was tried is still that of the step.
    let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
    one.interpolate(&mut oscillator, 0.7 * h, &mut a).unwrap();
    before.clone().interpolate(&mut oscillator, 0.7 * h, &mut b).unwrap();
    assert_eq!(a, b);
    let accepted = one.accept_at(&mut oscillator, 0.4 * h).unwrap();
    assert_eq!((accepted.t, one.t(), one.y()), (0.4 * h, 0.4 * h, &y[..]));
    run_to(&mut one, &mut oscillator, 9.0);
    assert!((one.y()[0] - 9.0_f64.cos()).abs() < 1e-7);
    // The step before the last one had the same length and is not mistaken for it.
    let mut equal = solver(0.0, &[1.0, 0.0], 0.25, 1.0, &[1.0; 2]);
    equal.step(&mut oscillator, 0.25).unwrap();
    equal.step(&mut oscillator, 0.5).unwrap();
    equal.retake(&mut oscillator, 0.25, &mut y).unwrap();
    assert_eq!(y, *equal.y());
}

#[test]
fn the_system_is_evaluated_no_more_often_than_needed() {
    let calls = std::cell::Cell::new(0);
    let mut counted = |t: f64, y: &[f64], f: &mut [f64]| {
        calls.set(calls.get() + 1);
        oscillator(t, y, f);
    };
    let mut solver = solver(0.0, &[1.0, 0.0], 0.1, 1e-6, &[1e-6; 2]);
    let mut y = [0.0; 2];
    let mut cost = |what: &mut dyn FnMut(&mut Dop853)| {
        calls.set(0);
        what(&mut solver);
        calls.get()
    };
    let mut step = |s: &mut Dop853| assert_eq!(s.step(&mut counted, 9.0).unwrap().rejected, 0);
    assert_eq!(cost(&mut step), 12);
    assert_eq!(cost(&mut step), 12);
    let mut look = |s: &mut Dop853| s.interpolate(&mut counted, s.t(), &mut y).unwrap();
    assert_eq!(cost(&mut look), 4);
    assert_eq!(cost(&mut look), 0);
    // The slope at the end serves the next step.
    assert_eq!(cost(&mut |s| assert!(s.step(&mut counted, 9.0).is_ok())), 11);
    // A landing: the slope at the end, three stages, and at a loose tolerance two steps taken again, each with the slope at its end.
    let mut middle = 0.0;
    cost(&mut |s| middle = 0.5 * (s.y()[0] + s.y_old()[0]));
    let landing = cost(&mut |s| {
        s.land(&mut counted, &mut |_, y| y[0] - middle, 0.0).unwrap();
    });
    assert!(landing <= 4 + 2 * 12, "{landing}");
    let h = 0.05;
    assert_eq!(cost(&mut |s| s.retake(&mut counted, h, &mut [0.0; 2]).unwrap()), 11);
    assert_eq!(cost(&mut |s| assert!(s.accept_at(&mut counted, h).is_ok())), 0);
}
