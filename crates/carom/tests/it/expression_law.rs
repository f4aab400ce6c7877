//! Force laws of the user's own, at their edges.

use carom::contact::catalogue::find;
use carom::contact::impact1d::{Damped, Impact1D, ImpactOutcome};
use carom::contact::law::{ForceExpression, LawError, Settings};

/// Integration to 1e-14 a step, some hundred steps.
const STEPPED: f64 = 1e-11;

/// m \[kg\] of all impacts here.
const M: f64 = 2.0;
/// δ̇⁻ \[m/s\].
const V: f64 = 0.5;

/// The impact under an expression.
fn outcome(text: &str) -> Result<ImpactOutcome, LawError> {
    let force = Some(ForceExpression::parse(text).unwrap());
    let law = find("expression")?.make(&Settings { force, ..Settings::default() })?;
    Ok(*Impact1D::new(law.as_ref(), M, V)?.outcome())
}

fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < STEPPED
}

#[test]
fn a_force_that_jumps_where_the_motion_turns_has_its_peak_before_the_jump() {
    // Springs of 1.5e6 and 0.5e6 N/m, in and out: δ_max = v √(m/k), F = k δ_max, e = √(k_out/k_in).
    let found = outcome("1e6*delta*(1 + 0.5*sign(delta_dot))").unwrap();
    let (k_in, k_out) = (1.5e6_f64, 0.5e6_f64);
    let depth = V * (M / k_in).sqrt();
    assert!(near(found.max_indentation, depth), "{found:?}");
    assert!(near(found.peak_force, k_in * depth), "{found:?}");
    assert!(near(found.restitution, (k_out / k_in).sqrt()), "{found:?}");
    // A quarter period each.
    let quarter = |k: f64| std::f64::consts::FRAC_PI_2 * (M / k).sqrt();
    assert!(near(found.duration, quarter(k_in) + quarter(k_out)), "{found:?}");
}

#[test]
fn heavy_hysteresis_parts_where_its_indentation_ends() {
    for b in [20.0, 35.0, 50.0, 200.0] {
        let found = outcome(&format!("1e9*delta^1.5*(1 + {b}*delta_dot/onset_speed)")).unwrap();
        let closed = *Damped::new(1.5, b).factors();
        let depth = (2.5 * 0.5 * M * V * V / 1e9_f64).powf(0.4);
        assert!(near(found.duration, closed.duration * depth / V), "b = {b}: {found:?}");
        assert!(near(found.restitution, closed.restitution), "b = {b}: {found:?}");
        assert!(found.parting_indentation < 1e-9 * depth, "b = {b}: {found:?}");
    }
}

#[test]
fn a_law_that_pulls_at_first_acts_where_it_begins_to_push() {
    // No force up to δ₀ = 10 µm, then a spring: nothing is lost.
    let found = outcome("1e6*delta - 10").unwrap();
    assert!(near(found.restitution, 1.0), "{found:?}");
    assert!(near(found.peak_force, V * (M * 1e6_f64).sqrt()), "{found:?}");
    assert!(near(found.max_indentation, 1e-5 + V * (M / 1e6_f64).sqrt()), "{found:?}");
}

#[test]
fn a_damper_that_grows_with_the_depth_brings_the_pair_to_rest() {
    // m v dv/dδ = −μ δ v stops at δ = √(2 m v/μ), never to part.
    let found = outcome("1e6*delta*delta_dot").unwrap();
    assert!((found.max_indentation / (2.0 * M * V / 1e6).sqrt() - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found.restitution == 0.0 && found.duration == f64::INFINITY, "{found:?}");
}

#[test]
fn forces_without_bound_or_without_resistance_are_refused() {
    let error = outcome("1/delta").unwrap_err();
    assert!(matches!(error, LawError::NotFinite { .. }), "{error}");
    let error = outcome("-1").unwrap_err();
    assert!(matches!(error, LawError::DoesNotResist { .. }), "{error}");
    // ln δ pushes from 1 m on only: the pair gets there, and is turned round.
    let far = outcome("ln(delta)").unwrap();
    assert!(far.max_indentation > 1.0 && near(far.restitution, 1.0), "{far:?}");
}

#[test]
fn messages_have_no_rows_of_zeros() {
    let law = find("flores").unwrap();
    let settings = Settings { stiffness: Some(1e8), restitution: Some(0.5), ..Settings::default() };
    let law = law.make(&settings).unwrap();
    let text = Impact1D::new(law.as_ref(), M, 1e-305).unwrap_err().to_string();
    assert!(text.contains("1e-305") && text.len() < 120, "{text}");
}
