//! What cannot be integrated is said, and nothing hangs.

use super::{Dop853, OdeError, System, Tolerance};

const FINE: Tolerance<'_> = Tolerance { relative: 1e-9, absolute: &[1e-9] };

fn started(t: f64, y: f64) -> Dop853 {
    let mut solver = Dop853::new(1);
    solver.start(t, &[y], 0.1, FINE).unwrap();
    solver
}

fn steady(_: f64, _: &[f64], y_dot: &mut [f64]) {
    y_dot[0] = 1.0;
}

/// Steps to the limit until an error stops it.
fn until_error<S: System<Error: std::fmt::Debug>>(
    solver: &mut Dop853,
    system: &mut S,
    limit: f64,
) -> OdeError<S::Error> {
    for _ in 0..5_000 {
        if let Err(error) = solver.step(system, limit) {
            return error;
        }
    }
    panic!("no error within 5000 steps");
}

#[test]
fn a_solution_that_runs_to_infinity_ends_in_an_error_near_its_pole() {
    // ẏ = y², y(0) = 1: y = 1 / (1 − t).
    let mut solver = started(0.0, 1.0);
    let mut pole = |_: f64, y: &[f64], y_dot: &mut [f64]| y_dot[0] = y[0] * y[0];
    let error = until_error(&mut solver, &mut pole, 2.0);
    assert!(matches!(error, OdeError::StepTooSmall { .. } | OdeError::NotFinite { .. }), "{error}");
    assert!((solver.t() - 1.0).abs() < 1e-6 && solver.y()[0].is_finite());
}

#[test]
fn a_jump_that_no_step_resolves_makes_the_step_too_small() {
    // Not a function of t and y: each evaluation differs, so no step meets its tolerance.
    let mut flips = 1.0;
    let mut noise = |_: f64, _: &[f64], y_dot: &mut [f64]| {
        flips = -flips;
        y_dot[0] = flips * 1e9;
    };
    let error = until_error(&mut started(3.0, 0.0), &mut noise, 4.0);
    let OdeError::StepTooSmall { t, h } = error else { panic!("{error}") };
    assert!((3.0..4.0).contains(&t) && h > 0.0 && h < 1e-14, "{error}");
    // At t = 0 there is no rounding of t to stop it.
    let mut always = |_: f64, _: &[f64], y_dot: &mut [f64]| {
        flips = -flips;
        y_dot[0] = flips * f64::MAX.sqrt();
    };
    let error = until_error(&mut started(0.0, 0.0), &mut always, 1.0);
    assert!(matches!(error, OdeError::StepTooSmall { .. }), "{error}");
}

#[test]
fn a_number_that_is_not_finite_is_named_with_its_time() {
    let mut log = |t: f64, _: &[f64], y_dot: &mut [f64]| y_dot[0] = (1.0 - t).ln();
    let mut solver = started(0.0, 0.0);
    let error = until_error(&mut solver, &mut log, 2.0);
    let OdeError::NotFinite { t } = error else { panic!("{error}") };
    assert!((t - 1.0).abs() < 1e-9, "{t}: steps are shortened up to the edge");
    // ∫ ln(1 − t) = −1 up to there: what was accepted is right.
    assert!((solver.y()[0] + 1.0).abs() < 1e-6);
    let mut nan = |_: f64, _: &[f64], y_dot: &mut [f64]| y_dot[0] = f64::NAN;
    assert_eq!(started(7.0, 0.0).step(&mut nan, 8.0), Err(OdeError::NotFinite { t: 7.0 }));
    let mut solver = started(7.0, -0.05);
    solver.step(&mut steady, 8.0).unwrap();
    let mut event = |_: f64, y: &[f64]| if y[0].abs() < 0.04 { f64::NAN } else { y[0] };
    let error = solver.land(&mut steady, &mut event, 0.0).unwrap_err();
    assert!(matches!(error, OdeError::NotFinite { .. }), "{error}");
}

/// A system with an error of its own, from a given time on.
struct Fragile(f64);

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("it broke")]
struct Broken;

impl System for Fragile {
    type Error = Broken;

    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Broken> {
        steady(t, y, y_dot);
        if t < self.0 { Ok(()) } else { Err(Broken) }
    }
}

#[test]
fn an_error_of_the_system_comes_through_and_leaves_the_state_valid() {
    let mut solver = started(0.0, 0.0);
    assert_eq!(until_error(&mut solver, &mut Fragile(0.5), 2.0), OdeError::System(Broken));
    let t = solver.t();
    assert!(t < 0.5 && (solver.y()[0] - t).abs() < 1e-12);
    solver.step(&mut steady, 2.0).unwrap();
    assert!((solver.y()[0] - solver.t()).abs() < 1e-12 && solver.t() > t);
    // While landing, too: the last step was taken by a sound system.
    let mut event = |_: f64, y: &[f64]| y[0] - t - 1e-3;
    let error = solver.land(&mut Fragile(0.0), &mut event, 0.0);
    assert_eq!(error, Err(OdeError::System(Broken)));
}

#[test]
fn numbers_that_cannot_be_used_are_refused() {
    let mut solver = Dop853::new(1);
    let tolerance = |relative, absolute| Tolerance { relative, absolute };
    for (t, y, first, tolerance) in [
        (f64::NAN, [0.0], 0.1, FINE),
        (0.0, [f64::INFINITY], 0.1, FINE),
        (0.0, [0.0], 0.0, FINE),
        (0.0, [0.0], f64::NAN, FINE),
        (0.0, [0.0], 0.1, tolerance(-1.0, &[1.0])),
        (0.0, [0.0], 0.1, tolerance(f64::NAN, &[1.0])),
        (0.0, [0.0], 0.1, tolerance(1e-9, &[0.0])),
        (0.0, [0.0], 0.1, tolerance(1e-9, &[f64::NAN])),
    ] {
        let error = solver.start(t, &y, first, tolerance).unwrap_err();
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    }
    let error = solver.start(0.0, &[0.0; 2], 0.1, FINE).unwrap_err();
    assert_eq!(error.to_string(), "the state has 2 entries, the system 1");
    let error = solver.start(0.0, &[0.0], 0.1, tolerance(1e-9, &[1.0; 3])).unwrap_err();
    assert!(matches!(error, OdeError::WrongSize { found: 3, expected: 1, .. }));

    let mut solver = started(1.0, 0.0);
    for limit in [1.0, 0.5, f64::NAN, f64::INFINITY] {
        let error = solver.step(&mut steady, limit).unwrap_err();
        assert!(
            matches!(error, OdeError::OutOfRange { found, .. } if found.to_bits() == limit.to_bits())
        );
    }
    solver.step(&mut steady, 1.1).unwrap();
    assert_eq!(solver.t(), 1.1);
    let mut y = [0.0];
    for t in [0.99, 1.11, f64::NAN] {
        let error = solver.interpolate(&mut steady, t, &mut y).unwrap_err();
        assert!(matches!(error, OdeError::OutOfRange { .. }));
    }
    assert!(solver.interpolate(&mut steady, 1.05, &mut [0.0; 2]).is_err());
    assert!(solver.retake(&mut steady, 0.1, &mut []).is_err());
    for h in [0.0, f64::NAN, f64::INFINITY] {
        assert!(solver.retake(&mut steady, h, &mut y).is_err());
        assert!(solver.accept_at(&mut steady, h).is_err());
    }
    assert!(solver.land(&mut steady, &mut |_, y| y[0] - 0.05, f64::NAN).is_err());
}

#[test]
fn calls_out_of_order_are_refused() {
    let mut solver = Dop853::new(1);
    assert_eq!(solver.step(&mut steady, 1.0), Err(OdeError::NotReady { missing: "start" }));
    solver.start(0.0, &[0.0], 0.1, FINE).unwrap();
    let missing = OdeError::NotReady { missing: "step" };
    assert_eq!(solver.interpolate(&mut steady, 0.0, &mut [0.0]), Err(missing));
    assert_eq!(solver.retake(&mut steady, 0.1, &mut [0.0]), Err(missing));
    assert_eq!(solver.accept_at(&mut steady, 0.1), Err(missing));
    assert_eq!(solver.land(&mut steady, &mut |_, y| y[0], 0.0), Err(missing));
}

#[test]
fn a_step_without_an_event_is_not_landed_on() {
    let mut solver = started(0.0, 0.0);
    solver.step(&mut steady, 0.05).unwrap();
    let end = solver.y()[0];
    let mut land = |g: fn(f64, &[f64]) -> f64| solver.land(&mut steady, &mut { g }, 0.0);
    assert_eq!(land(|_, y| y[0] + 1.0), Err(OdeError::NoEvent { start: 1.0, end: end + 1.0 }));
    assert_eq!(land(|_, y| y[0]), Err(OdeError::NoEvent { start: 0.0, end }));
    // Zero at the end exactly is an event.
    assert_eq!(land(|t, _| t - 0.05).map(|x| (x.t, x.value)), Ok((0.05, 0.0)));
}

#[test]
fn a_system_at_rest_or_without_components_steps_to_any_limit() {
    let mut rest = |_: f64, _: &[f64], y_dot: &mut [f64]| y_dot.fill(0.0);
    for n in [0, 1] {
        let mut solver = Dop853::new(n);
        let tolerance = Tolerance { relative: 0.0, absolute: &[1e-300][..n] };
        solver.start(0.0, &[4.0][..n], 1e-300, tolerance).unwrap();
        for _ in 0..1_000 {
            if solver.t() < 1e300 {
                solver.step(&mut rest, 1e300).unwrap();
            }
        }
        assert_eq!((solver.t(), solver.y()), (1e300, &[4.0][..n]));
    }
}
