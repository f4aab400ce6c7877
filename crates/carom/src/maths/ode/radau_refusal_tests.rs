//! What cannot be integrated implicitly is said, and nothing hangs.

use std::convert::Infallible;

use super::{Differences, OdeError, Radau, StiffSystem, System, Tolerance};

const FINE: Tolerance<'_> = Tolerance { relative: 1e-9, absolute: &[1e-9] };

fn started(t: f64, y: f64) -> Radau {
    let mut solver = Radau::new(1);
    solver.start(t, &[y], 0.1, FINE).unwrap();
    solver
}

fn steady(_: f64, _: &[f64], y_dot: &mut [f64]) {
    y_dot[0] = 1.0;
}

/// Steps to the limit until an error stops it.
fn until_error<S: StiffSystem<Error: std::fmt::Debug>>(
    solver: &mut Radau,
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
    let mut pole = |_: f64, y: &[f64], y_dot: &mut [f64]| y_dot[0] = y[0] * y[0];
    let mut solver = started(0.0, 1.0);
    let error = until_error(&mut solver, &mut pole, 2.0);
    assert!(matches!(error, OdeError::StepTooSmall { .. } | OdeError::NotFinite { .. }), "{error}");
    assert!((solver.t() - 1.0).abs() < 1e-6 && solver.y()[0].is_finite(), "{}", solver.t());
    // A step across the pole has no solution, and is not searched for ever.
    let mut solver = started(0.0, 1.0);
    solver.step(&mut pole, 0.5).unwrap();
    let error = solver.retake(&mut pole, 5.0, &mut [0.0]).unwrap_err();
    assert_eq!(error, OdeError::NoConvergence { t: 0.0, h: 5.0 });
    assert_eq!(error.to_string(), "Newton's method finds no step of length 5 from t = 0");
    solver.step(&mut pole, 0.6).unwrap();
    assert!((solver.y()[0] * (1.0 - solver.t()) - 1.0).abs() < 1e-7);
}

#[test]
fn a_jump_that_no_step_resolves_makes_the_step_too_small() {
    let mut solver = started(3.0, 0.0);
    let error = until_error(&mut solver, &mut Noise(1e9), 4.0);
    let OdeError::StepTooSmall { t, h } = error else { panic!("{error}") };
    assert!((3.0..4.0).contains(&t) && h > 0.0 && h < 1e-14, "{error}");
}

/// Not a function of t and y: each evaluation differs, so no step meets its tolerance. Its Jacobian
/// does not tell.
struct Noise(f64);

impl System for Noise {
    type Error = Infallible;

    fn rate(&mut self, _: f64, _: &[f64], y_dot: &mut [f64]) -> Result<(), Infallible> {
        self.0 = -self.0;
        y_dot[0] = self.0;
        Ok(())
    }
}

impl StiffSystem for Noise {
    fn jacobian(
        &mut self,
        _: f64,
        _: &[f64],
        _: &mut [f64],
        _: &mut Differences<'_>,
    ) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn a_number_that_is_not_finite_is_named_with_its_time() {
    let mut log = |t: f64, _: &[f64], y_dot: &mut [f64]| y_dot[0] = (1.0 - t).ln();
    let mut solver = started(0.0, 0.0);
    let error = until_error(&mut solver, &mut log, 2.0);
    let OdeError::NotFinite { t } = error else { panic!("{error}") };
    assert!((t - 1.0).abs() < 1e-9, "{t}: steps are shortened up to the edge");
    // ∫ ln(1 − t) = −1 up to there: what was accepted is right.
    assert!((solver.y()[0] + 1.0).abs() < 1e-6, "{}", solver.y()[0]);
    let mut nan = |_: f64, _: &[f64], y_dot: &mut [f64]| y_dot[0] = f64::NAN;
    assert_eq!(started(7.0, 0.0).step(&mut nan, 8.0), Err(OdeError::NotFinite { t: 7.0 }));
    // Finite at one state only: there is no Jacobian.
    let mut needle = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        y_dot[0] = if y[0] == 0.0 { 1.0 } else { f64::INFINITY };
    };
    assert_eq!(started(7.0, 0.0).step(&mut needle, 8.0), Err(OdeError::NotFinite { t: 7.0 }));
}

/// A system with an error of its own from a given time on, and perhaps no Jacobian.
struct Fragile {
    until: f64,
    jacobian: bool,
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("it broke")]
struct Broken;

impl System for Fragile {
    type Error = Broken;

    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Broken> {
        steady(t, y, y_dot);
        if t < self.until { Ok(()) } else { Err(Broken) }
    }
}

impl StiffSystem for Fragile {
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        J: &mut [f64],
        differences: &mut Differences<'_>,
    ) -> Result<(), Broken> {
        if self.jacobian { differences.fill(self, t, y, J) } else { Err(Broken) }
    }
}

#[test]
fn an_error_of_the_system_comes_through_and_leaves_the_state_valid() {
    let mut solver = started(0.0, 0.0);
    let mut broken = Fragile { until: f64::INFINITY, jacobian: false };
    assert_eq!(solver.step(&mut broken, 2.0), Err(OdeError::System(Broken)));
    let mut fragile = Fragile { until: 0.5, jacobian: true };
    assert_eq!(until_error(&mut solver, &mut fragile, 2.0), OdeError::System(Broken));
    let t = solver.t();
    assert!(t < 0.5 && (solver.y()[0] - t).abs() < 1e-12);
    solver.step(&mut steady, 2.0).unwrap();
    assert!((solver.y()[0] - solver.t()).abs() < 1e-12 && solver.t() > t);
    // While landing, too: the last step was taken by a sound system.
    let mut event = |_: f64, y: &[f64]| y[0] - t - 1e-3;
    let mut broken = Fragile { until: 0.0, jacobian: true };
    assert_eq!(solver.land(&mut broken, &mut event, 0.0), Err(OdeError::System(Broken)));
}

#[test]
fn numbers_that_cannot_be_used_are_refused() {
    let mut solver = Radau::new(1);
    let error = solver.start(0.0, &[0.0; 2], 0.1, FINE).unwrap_err();
    assert_eq!(error.to_string(), "the state has 2 entries, the system 1");
    let mut solver = started(1.0, 0.0);
    for limit in [1.0, 0.5, f64::NAN, f64::INFINITY] {
        let error = solver.step(&mut steady, limit).unwrap_err();
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    }
    solver.step(&mut steady, 1.1).unwrap();
    assert_eq!(solver.t(), 1.1);
    let mut y = [0.0];
    for t in [0.99, 1.11, f64::NAN] {
        assert!(matches!(solver.interpolate(t, &mut y), Err(OdeError::OutOfRange { .. })));
    }
    assert!(solver.interpolate(1.05, &mut [0.0; 2]).is_err());
    assert!(solver.retake(&mut steady, 0.1, &mut []).is_err());
    for h in [0.0, f64::NAN, f64::INFINITY] {
        assert!(solver.retake(&mut steady, h, &mut y).is_err());
        assert!(solver.accept_at(&mut steady, h).is_err());
    }
    assert!(solver.land(&mut steady, &mut |_, y| y[0] - 0.05, f64::NAN).is_err());
    let none = solver.land(&mut steady, &mut |_, y| y[0] + 1.0, 0.0).unwrap_err();
    assert!(matches!(none, OdeError::NoEvent { .. }), "{none}");
}

#[test]
fn calls_out_of_order_are_refused() {
    let mut solver = Radau::new(1);
    assert_eq!(solver.step(&mut steady, 1.0), Err(OdeError::NotReady { missing: "start" }));
    solver.start(0.0, &[0.0], 0.1, FINE).unwrap();
    let missing = OdeError::NotReady { missing: "step" };
    assert_eq!(solver.interpolate(0.0, &mut [0.0]), Err(missing));
    assert_eq!(solver.retake(&mut steady, 0.1, &mut [0.0]), Err(missing));
    assert_eq!(solver.accept_at(&mut steady, 0.1), Err(missing));
    assert_eq!(solver.land(&mut steady, &mut |_, y| y[0], 0.0), Err(missing));
}

#[test]
fn a_system_at_rest_or_without_components_steps_to_any_limit() {
    let mut rest = |_: f64, _: &[f64], y_dot: &mut [f64]| y_dot.fill(0.0);
    for n in [0, 1] {
        let mut solver = Radau::new(n);
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

#[test]
fn a_growth_that_makes_the_matrix_singular_only_costs_another_length() {
    // γ − h λ is exactly zero for the first length.
    let λ = super::radau_tableau::REAL / 0.125;
    let mut exact = Exact(λ);
    let mut solver = Radau::new(1);
    solver.start(0.0, &[1.0], 0.125, FINE).unwrap();
    while solver.t() < 0.5 {
        solver.step(&mut exact, 0.5).unwrap();
    }
    assert!((solver.y()[0] / (0.5 * λ).exp() - 1.0).abs() < 1e-6);
}

/// ẏ = λ y with its Jacobian.
struct Exact(f64);

impl System for Exact {
    type Error = Infallible;

    fn rate(&mut self, _: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), Self::Error> {
        y_dot[0] = self.0 * y[0];
        Ok(())
    }
}

impl StiffSystem for Exact {
    fn jacobian(
        &mut self,
        _: f64,
        _: &[f64],
        J: &mut [f64],
        _: &mut Differences<'_>,
    ) -> Result<(), Self::Error> {
        J[0] = self.0;
        Ok(())
    }
}
