use super::super::{Binding, ExpressionError, Resolved, Variable};
use super::*;
use crate::maths::units::UnitError;

fn resolve(text: &str, scope: Scope) -> Result<Resolved, ExpressionError> {
    Expression::parse(text, scope)?.resolve(|name| match name {
        "crank" => Ok(Binding::Constant(1.0, Measure::Known(Dimension::LENGTH))),
        "k" => Ok(Binding::Constant(3.0, Measure::Unknown)),
        "m" => Ok(Binding::Constant(7.0, Measure::Unknown)),
        "t" if scope.has_time() => Ok(Binding::Variable(Variable::Time)),
        "q.elbow" | "q.upper-arm" => Ok(Binding::Variable(Variable::Position(0))),
        "v.arm.slide" => Ok(Binding::Variable(Variable::Velocity(0))),
        _ => Err("; hint".to_owned()),
    })
}

fn number(text: &str) -> f64 {
    resolve(text, Scope::Constant).unwrap().tape.as_constant().unwrap()
}

fn fault(text: &str) -> ExpressionError {
    resolve(text, Scope::Constant).unwrap_err()
}

#[test]
fn precedence_is_that_of_the_page() {
    let table = [
        ("2 + 3*4", 14.0),
        ("2*3 + 4", 10.0),
        ("8 / 4 / 2", 1.0),
        ("8 - 4 - 2", 2.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("(1 + 2)*3", 9.0),
        ("--3", 3.0),
        ("+3", 3.0),
        ("-k*2", -6.0),
        ("2*pi", std::f64::consts::TAU),
        ("atan2(1, 1)*4", std::f64::consts::PI),
        ("max(1, min(5, 3))", 3.0),
        ("sqrt(9) + abs(-1) + sign(-4)", 3.0),
        ("ln(exp(2))", 2.0),
        ("sin(90 deg) + cos(0) + tan(0)", 2.0),
        ("asin(0) + acos(1) + atan(0)", 0.0),
        ("1e3 + .5 + 2.", 1002.5),
        ("3 × 4 − 2·1", 10.0),
    ];
    for (text, value) in table {
        assert!((number(text) - value).abs() < 1e-14, "{text} = {}", number(text));
    }
}

#[test]
fn a_number_directly_followed_by_a_unit_is_a_quantity() {
    let table = [
        ("3 mm", 0.003),
        ("3mm", 0.003),
        ("crank/2 + 3 mm", 0.503),
        ("75 N/mm", 75_000.0),
        ("2.5 N/m^1.5", 2.5),
        ("2.5 N/mm^1.5", 2.5 / 0.001_f64.powf(1.5)),
        ("4 kg m^2", 4.0),
        ("5 N s/m", 5.0),
        ("1 kg*mm^2", 1e-6),
        ("10 m / 2 s", 5.0),
        ("6 m^-1", 6.0),
        ("(2 m)^2", 4.0),
        ("30 rpm", std::f64::consts::PI),
    ];
    for (text, value) in table {
        let found = number(text);
        assert!((found / value - 1.0).abs() < 1e-14, "{text} = {found}");
    }
}

#[test]
fn a_word_behind_a_number_is_a_unit_and_elsewhere_a_name() {
    assert_eq!(number("2 m"), 2.0);
    assert_eq!(number("2*m"), 14.0);
    // Behind a unit the unit goes on, whatever names there are.
    assert_eq!(number("2 N*m"), 2.0);
    assert_eq!(number("2 N*(m)"), 14.0);
    assert_eq!(number("2 min"), 120.0);
    assert_eq!(number("2 m*min(3, 4)"), 6.0);
}

#[test]
fn time_is_not_the_tonne() {
    let drop = resolve("0.5 m/s^2 * t^2", Scope::Time).unwrap();
    assert_eq!(drop.tape.value(4.0, &[], &[]), 8.0);
    assert_eq!(number("2 t"), 2000.0);
    assert!(matches!(fault("2*t"), ExpressionError::UnknownName { .. }));
}

#[test]
fn joints_may_have_a_hyphen_in_their_name() {
    let one = resolve("q.upper-arm", Scope::Motion).unwrap();
    assert_eq!(one.tape.value(0.0, &[5.0], &[]), 5.0);
    let difference = resolve("q.elbow - k", Scope::Motion).unwrap();
    assert_eq!(difference.tape.value(0.0, &[5.0], &[]), 2.0);
    assert!(resolve("10 N*sin(2*t) - 3*v.arm.slide", Scope::Motion).is_ok());
}

#[test]
fn every_fault_says_where_it_is() {
    let table: [(&str, std::ops::Range<usize>); 12] = [
        ("2 +", 3..3),
        ("2 + * 3", 4..5),
        ("(1 + 2", 6..6),
        ("1 2", 2..3),
        ("", 0..0),
        ("2 $ 3", 2..3),
        ("2 + cranck", 4..10),
        ("1 + 3 mn", 6..8),
        ("sin(1, 2)", 0..3),
        ("1 + sinn(2)", 4..8),
        ("1 m + 1 kg", 4..5),
        ("1 / (k - 3)", 2..3),
    ];
    for (text, at) in table {
        let found = fault(text);
        assert_eq!(found.at(), at, "{text}: {found}");
    }
    assert!(matches!(fault("2 +"), ExpressionError::Unexpected { .. }));
    assert!(matches!(fault("1.2.3"), ExpressionError::Unexpected { .. }));
    assert!(matches!(fault("3 furlong"), ExpressionError::UnknownUnit { .. }));
    assert!(matches!(fault("max(1)"), ExpressionError::Arguments { found: 1, expected: 2, .. }));
    assert!(matches!(fault("ln(0)"), ExpressionError::NotFinite { .. }));
    assert!(matches!(fault("1e999"), ExpressionError::NotFinite { .. }));
}

#[test]
fn units_that_do_not_go_together_are_refused() {
    let problem = |text: &str| match fault(text) {
        ExpressionError::Units { problem, .. } => problem,
        other => panic!("{other}"),
    };
    assert!(matches!(problem("1 m + 1 kg"), UnitError::Sum { .. }));
    assert!(matches!(problem("max(1 m, 1 s)"), UnitError::Sum { .. }));
    assert!(matches!(problem("atan2(1 m, 1 s)"), UnitError::Sum { .. }));
    assert!(matches!(problem("sin(1 m)"), UnitError::Argument { function: "sin", .. }));
    assert!(matches!(problem("exp(1 m)"), UnitError::Argument { function: "exp", .. }));
    assert!(matches!(problem("2^(1 m)"), UnitError::Exponent { .. }));
    let varying = resolve("(1 m)^t", Scope::Time).unwrap_err();
    let exponent = UnitError::Exponent { found: Dimension::LENGTH };
    assert_eq!(varying, ExpressionError::Units { at: 5..6, problem: exponent });
    let root = resolve("sqrt(4 m^2)", Scope::Constant).unwrap();
    assert_eq!(root.measure, Measure::Known(Dimension::LENGTH));
}

#[test]
fn bombs_are_refused_and_not_followed() {
    let open = "(".repeat(100_000);
    let bombs = [
        format!("{open}1{}", ")".repeat(100_000)),
        open,
        "-".repeat(100_000),
        format!("{}1", "sin(".repeat(100_000)),
        format!("2{}", "^2".repeat(100_000)),
    ];
    for bomb in bombs {
        assert!(matches!(fault(&bomb), ExpressionError::TooDeep { .. }), "{}", &bomb[..10]);
    }
    // Wide is not deep.
    assert_eq!(number(&format!("1{}", "+1".repeat(100_000))), 100_001.0);
    assert!(matches!(fault(&"a".repeat(100_000)), ExpressionError::UnknownName { .. }));
}

#[test]
fn parameters_may_not_take_the_name_of_a_function() {
    for name in ["sin", "atan2", "pi", "t"] {
        assert!(is_reserved(name), "{name}");
    }
    assert!(!is_reserved("m"));
}

#[test]
fn conditions_choose_and_comparisons_are_one_or_zero() {
    let table = [
        ("if(2 > 1, 10, 20)", 10.0),
        ("if(2 < 1, 10, 20)", 20.0),
        ("if(0, 10, if(1, 30, 40))", 30.0),
        ("(1 <= 1) + (1 >= 1) + (1 < 1) + (1 > 1)", 2.0),
        ("(1 ≤ 2)*(3 ≥ 2)", 1.0),
        ("1 + 1 < 3", 1.0),
        ("not(1 < 2) + not(0)", 1.0),
        ("step(-1) + step(0) + step(1)", 2.0),
        ("pulse(0, 2) + pulse(2, 2) + pulse(1.5, 2)", 2.0),
        ("if(1 < 2, 1 mm, 2 m)", 1e-3),
    ];
    for (text, expected) in table {
        assert!((number(text) - expected).abs() < 1e-15, "{text}: {}", number(text));
    }
    assert!(matches!(fault("1 m < 1 s"), ExpressionError::Units { .. }));
    assert!(matches!(fault("if(1, 1 m, 1 s)"), ExpressionError::Units { .. }));
    assert!(matches!(fault("1 < 2 < 3"), ExpressionError::Unexpected { .. }));
    let fault = fault("if(1, 2)");
    let ExpressionError::Arguments { expected: 3, found: 2, .. } = fault else { panic!("{fault}") };
    assert!(is_reserved("if") && is_reserved("pulse"));
}

#[test]
fn a_choice_has_the_derivatives_of_what_it_chooses() {
    let tape = resolve("if(t < 1, t^2, 5*t)", Scope::Time).unwrap().tape;
    let (before, after) = (tape.jet(0.5), tape.jet(2.0));
    assert_eq!([before.value, before.rate, before.second], [0.25, 1.0, 2.0]);
    assert_eq!([after.value, after.rate, after.second], [10.0, 5.0, 0.0]);
}
