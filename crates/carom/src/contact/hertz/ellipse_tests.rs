use super::{PointContact, PrincipalCurvatures};
use crate::contact::hertz::{Elasticity, HertzError, sphere_on_plane, sphere_on_sphere};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, PI};

/// A few roundings.
const ROUND_OFF: f64 = 1e-15;
/// The old table is off by up to two units of its last, third decimal.
const PRINTED: f64 = 3e-3;
/// Rounding of sums over hundreds of directions.
const SUMMED: f64 = 1e-13;

fn steel() -> [Elasticity; 2] {
    [Elasticity::new(207e9, 0.3).unwrap(); 2]
}

/// Soft on hard: the pair is not the same twice.
fn mixed() -> [Elasticity; 2] {
    [Elasticity::new(2.4e9, 0.38).unwrap(), Elasticity::new(69e9, 0.2).unwrap()]
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found:?} against {expected:?}");
}

#[test]
fn balls_have_the_stiffness_of_the_closed_form() {
    for radii in [[0.05, 0.05], [0.01, 3.0], [0.05, -0.06], [0.05, f64::INFINITY], [1e-6, 1e6]] {
        let found =
            PointContact::new(mixed(), radii.map(PrincipalCurvatures::sphere), 0.7).unwrap();
        close(found.stiffness(), sphere_on_sphere(mixed(), radii).unwrap(), 2.0 * ROUND_OFF);
        close(found.axis_ratio(), 1.0, ROUND_OFF);
    }
    let plain = [PrincipalCurvatures::sphere(0.05), PrincipalCurvatures::PLANE];
    let found = PointContact::new(steel(), plain, 0.0).unwrap();
    close(found.stiffness(), sphere_on_plane(steel(), 0.05).unwrap(), ROUND_OFF);
    // a = (3 F R/(4 E*))^{1/3}, p₀ = (6 F E*²/(π³ R²))^{1/3} (Johnson eqs. 4.22, 4.24).
    let (F, R, E) = (300.0_f64, 0.05, found.modulus());
    let [a, b] = found.semi_axes(F).unwrap();
    close(a, (3.0 * F * R / (4.0 * E)).cbrt(), ROUND_OFF);
    close(b, a, ROUND_OFF);
    close(found.peak_pressure(F).unwrap(), (6.0 * F * E * E / (PI * R).powi(2) / PI).cbrt(), 2e-15);
    close(found.approach(F).unwrap(), a * a / R, 2e-15);
}

#[test]
fn equal_cylinders_at_right_angles_touch_like_a_ball_on_a_plane() {
    for angle in [FRAC_PI_2, -FRAC_PI_2, 3.0 * FRAC_PI_2] {
        let crossed = PointContact::crossed_cylinders(steel(), [0.02; 2], angle).unwrap();
        close(crossed.stiffness(), sphere_on_plane(steel(), 0.02).unwrap(), ROUND_OFF);
    }
}

/// Displacement of the two surfaces together at (x, y) under the pressure p₀ √(1 − x²/a² − y²/b²).
///
/// w = 1/(π E*) ∬ p/r dA in polar coordinates about the point. Along a chord in the direction φ,
/// with γ = cos²φ/a² + sin²φ/b², β = x cos φ/a² + y sin φ/b², the pressure is
/// p₀ √(C − γ (r + β/γ)²), C = 1 − x²/a² − y²/b² + β²/γ, and its integral π p₀ C/(2√γ). The sum over
/// half a turn is of a periodic function, so that equal steps converge faster than any power.
fn displacement(found: &PointContact, F: f64, x: f64, y: f64) -> f64 {
    let [a, b] = found.semi_axes(F).unwrap();
    let p0 = found.peak_pressure(F).unwrap();
    let steps = 4000;
    let mut sum = 0.0;
    for k in 0..steps {
        let (s, c) = (PI * f64::from(k) / f64::from(steps)).sin_cos();
        let gamma = (c / a).powi(2) + (s / b).powi(2);
        let beta = x * c / (a * a) + y * s / (b * b);
        let C = 1.0 - (x / a).powi(2) - (y / b).powi(2) + beta * beta / gamma;
        sum += PI * p0 * C / (2.0 * gamma.sqrt());
    }
    sum * PI / f64::from(steps) / (PI * found.modulus())
}

#[test]
fn the_pressure_presses_the_surfaces_flat_against_each_other() {
    // The defining equation: w(x, y) + A x² + B y² = δ all over the ellipse.
    let cases = [([0.02, 0.02], FRAC_PI_3), ([0.01, 0.1], FRAC_PI_4), ([0.3, 0.02], 0.1)];
    for (radii, angle) in cases {
        let found = PointContact::crossed_cylinders(mixed(), radii, angle).unwrap();
        let F = 40.0;
        let delta = found.approach(F).unwrap();
        let [A, B] = found.relative_curvatures();
        let [a, b] = found.semi_axes(F).unwrap();
        for (u, v) in [(0.0, 0.0), (0.9, 0.0), (0.0, 0.9), (0.5, 0.7), (-0.3, 0.2)] {
            let (x, y) = (u * a, v * b);
            let sum = displacement(&found, F, x, y) + A * x * x + B * y * y;
            close(sum, delta, SUMMED);
        }
        // The load: F = ⅔ π a b p₀, and K δ^{3/2} is the same.
        close(2.0 / 3.0 * PI * a * b * found.peak_pressure(F).unwrap(), F, 1e-14);
        close(found.force(delta).unwrap(), F, 1e-14);
    }
}

#[test]
fn the_semi_axes_are_those_of_the_textbook() {
    // Timoshenko and Goodier, Theory of Elasticity, section 140: cos θ = (B − A)/(B + A),
    // a = m (3 F/(4 E* (A + B)))^{1/3}, b = n (…)^{1/3}; printed to three decimals.
    for (degrees, m, n) in [
        (30.0_f64, 2.731, 0.493),
        (40.0, 2.136, 0.567),
        (50.0, 1.754, 0.641),
        (60.0, 1.486, 0.717),
        (70.0, 1.284, 0.802),
        (80.0, 1.128, 0.893),
    ] {
        let cosine = degrees.to_radians().cos();
        // A and B as the half curvatures of one surface on a plane.
        let surface = PrincipalCurvatures { first: 1.0 - cosine, second: 1.0 + cosine };
        let found = PointContact::new(steel(), [surface, PrincipalCurvatures::PLANE], 0.3).unwrap();
        let F = 1000.0;
        let scale = (3.0 * F / (4.0 * found.modulus())).cbrt();
        let [a, b] = found.semi_axes(F).unwrap();
        assert!((a / scale - m).abs() < PRINTED, "θ = {degrees}: m = {}", a / scale);
        assert!((b / scale - n).abs() < PRINTED, "θ = {degrees}: n = {}", b / scale);
    }
}

#[test]
fn the_ratio_of_the_axes_solves_its_equation_over_twenty_four_decades() {
    use crate::maths::elliptic::CompleteElliptic;
    for exponent in -60..=96 {
        // B/A from 1 + 1e-15 to 1e24.
        let excess = 10.0_f64.powf(0.25 * f64::from(exponent));
        let surface = PrincipalCurvatures { first: 1.0, second: 1.0 + excess };
        let found = PointContact::new(steel(), [surface, PrincipalCurvatures::PLANE], 0.0).unwrap();
        let k_c = found.axis_ratio();
        // B/A = B_elliptic/(k_c² D), from another pair of integrals: B_elliptic = K − D.
        let CompleteElliptic { K, D, .. } = CompleteElliptic::new(k_c);
        // K − D cancels where the ellipse is long.
        let cancels = K / (K - D);
        close((K - D) / (k_c * k_c * D), 1.0 + excess, 5.0 * ROUND_OFF * cancels.max(1.0));
        assert!(k_c > 0.0 && k_c <= 1.0);
    }
}

#[test]
fn stiffness_is_continuous_through_the_circle_and_along_the_angle() {
    let ball = sphere_on_plane(steel(), 1.0).unwrap();
    for excess in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
        let surface = PrincipalCurvatures { first: 1.0, second: 1.0 + excess };
        let found = PointContact::new(steel(), [surface, PrincipalCurvatures::PLANE], 0.0).unwrap();
        // To first order the mean curvature counts: K ∝ (1 + ε/2)^{-1/2}.
        close(found.stiffness(), ball * (1.0 - 0.25 * excess), excess * excess + 2.0 * ROUND_OFF);
    }
    let at = |angle: f64| {
        PointContact::crossed_cylinders(steel(), [0.02, 0.05], angle).unwrap().stiffness()
    };
    let mut before = at(1e-4);
    for k in 1..=1000 {
        let now = at(1e-4 + (FRAC_PI_2 - 1e-4) * f64::from(k) / 1000.0);
        assert!(now < before, "the nearer to parallel, the stiffer");
        before = now;
    }
    close(at(0.8), at(PI - 0.8), ROUND_OFF);
    close(at(0.8), at(-0.8), ROUND_OFF);
}

#[test]
fn stiffness_scales_with_the_modulus_and_the_root_of_the_length() {
    let surfaces = |scale: f64| {
        [(3.0, 8.0), (-1.0, 4.0)]
            .map(|(a, b)| PrincipalCurvatures { first: a / scale, second: b / scale })
    };
    let K = |pair, scale| PointContact::new(pair, surfaces(scale), 0.4).unwrap().stiffness();
    let stiff = [Elasticity::new(7.0 * 207e9, 0.3).unwrap(); 2];
    close(K(stiff, 1.0), 7.0 * K(steel(), 1.0), ROUND_OFF);
    close(K(steel(), 9.0), 3.0 * K(steel(), 1.0), ROUND_OFF);
}

#[test]
fn neither_the_order_of_bodies_nor_the_names_of_directions_matter() {
    let (one, other) = (
        PrincipalCurvatures { first: 3.0, second: 8.0 },
        PrincipalCurvatures { first: 5.0, second: -1.0 },
    );
    let K = PointContact::new(mixed(), [one, other], 0.4).unwrap().stiffness();
    let [a, b] = mixed();
    close(PointContact::new([b, a], [other, one], -0.4).unwrap().stiffness(), K, ROUND_OFF);
    let turned = PrincipalCurvatures { first: other.second, second: other.first };
    let angle = 0.4 + FRAC_PI_2;
    close(
        PointContact::new(mixed(), [one, turned], angle).unwrap().stiffness(),
        K,
        2.0 * ROUND_OFF,
    );
}

#[test]
fn a_line_and_surfaces_that_do_not_part_are_refused() {
    for angle in [0.0, PI, -PI, 1e-13] {
        let found = PointContact::crossed_cylinders(steel(), [0.02, 0.03], angle).unwrap_err();
        assert!(matches!(found, HertzError::TouchesAlongLine { .. }), "{found}");
        assert!(found.to_string().contains("use the line contact"), "{found}");
    }
    let plane = PrincipalCurvatures::PLANE;
    let saddle = PrincipalCurvatures { first: 1.0, second: -1e-3 };
    let hollow = PrincipalCurvatures::sphere(-1.0);
    for pair in [[saddle, plane], [hollow, plane], [plane, plane], [hollow, saddle]] {
        let found = PointContact::new(steel(), pair, 0.0).unwrap_err();
        assert!(matches!(found, HertzError::NotClosing { .. }), "{found}");
    }
    // A ball in a groove of its own radius touches along the groove's half circle.
    let groove = PrincipalCurvatures { first: 0.0, second: -20.0 };
    let fitted = [PrincipalCurvatures::sphere(0.05), groove];
    let found = PointContact::new(steel(), fitted, 0.0).unwrap_err();
    assert!(matches!(found, HertzError::TouchesAlongLine { .. }), "{found}");
}

#[test]
fn what_is_no_number_is_refused() {
    let bad = |found: HertzError, place: &str| {
        assert!(matches!(found, HertzError::OutOfRange { at, .. } if at == place), "{found}");
    };
    let ball = PrincipalCurvatures::sphere(1.0);
    for curvature in [f64::NAN, f64::INFINITY] {
        let surface = PrincipalCurvatures { first: curvature, second: 1.0 };
        bad(PointContact::new(steel(), [surface, ball], 0.0).unwrap_err(), "curvature");
    }
    bad(
        PointContact::new(steel(), [PrincipalCurvatures::sphere(0.0), ball], 0.0).unwrap_err(),
        "curvature",
    );
    bad(PointContact::new(steel(), [ball, ball], f64::NAN).unwrap_err(), "angle");
    bad(PointContact::crossed_cylinders(steel(), [0.0, 1.0], 1.0).unwrap_err(), "radius");
    let found = PointContact::new(steel(), [ball, ball], 0.0).unwrap();
    bad(found.semi_axes(-1.0).unwrap_err(), "force");
    bad(found.approach(f64::NAN).unwrap_err(), "force");
    bad(found.force(-1e-9).unwrap_err(), "approach");
    assert_eq!(found.peak_pressure(0.0), Ok(0.0));
    assert_eq!(found.semi_axes(0.0), Ok([0.0, 0.0]));
}
