//! Contact laws and impacts that are asked for what they cannot do: what was found, and what is expected.

use carom::contact::catalogue::{LAWS, find};
use carom::contact::impact1d::{Impact1D, exact_damping, linear_ratio};
use carom::contact::law::{
    Bounds, ContactLaw, ForceExpression, LawError, Parameter, Parting, Settings,
};
use carom::maths::ode::OdeError;

use crate::law::Case;

const CASE: Case = Case { m: 1.0, v: 1.0, K: 1e6, n: 1.5, e: 0.5 };

fn refused(name: &str, settings: &Settings) -> LawError {
    match find(name).unwrap().make(settings) {
        Ok(law) => panic!("accepted: {law:?}"),
        Err(error) => error,
    }
}

fn expression(text: &str) -> Box<dyn ContactLaw> {
    let force = Some(ForceExpression::parse(text).expect("it is an expression"));
    find("expression").unwrap().make(&Settings { force, ..Settings::default() }).unwrap()
}

fn fails(law: &dyn ContactLaw, m: f64, v: f64) -> LawError {
    match Impact1D::new(law, m, v) {
        Ok(impact) => panic!("accepted: {:?}", impact.outcome()),
        Err(error) => error,
    }
}

#[test]
fn an_unknown_law_is_named_with_the_nearest() {
    let error = find("hertzz").unwrap_err();
    assert_eq!(error.to_string(), "there is no contact law `hertzz`; did you mean `hertz`?");
    let error = find("").unwrap_err();
    assert!(error.to_string().contains("lists them"), "{error}");
    assert!(find(&"x".repeat(10_000)).unwrap_err().to_string().len() < 150);
    assert!(matches!(find("Hertz"), Err(LawError::UnknownLaw { .. })));
}

#[test]
fn restitutions_out_of_range_are_refused_with_the_range() {
    for entry in LAWS.iter().filter(|entry| entry.restitution.is_some()) {
        let bounds = entry.restitution.unwrap();
        for e in [-0.1, -1e-300, 1.0 + 1e-15, 2.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let settings = Settings { restitution: Some(e), ..CASE.settings(entry) };
            let error = refused(entry.name, &settings);
            let LawError::OutOfRange { law, what, found, expected } = error else {
                panic!("{error}")
            };
            assert_eq!((law, what, expected), (entry.name, "restitution", bounds.text));
            assert!(found == e || e.is_nan() && found.is_nan());
        }
        let zero = Settings { restitution: Some(0.0), ..CASE.settings(entry) };
        if bounds.contain(0.0) {
            assert_eq!(bounds, Bounds::RESTITUTION);
            let law = entry.make(&zero).unwrap();
            let e = Impact1D::new(law.as_ref(), 1.0, 1.0).unwrap().outcome().restitution;
            assert!(e > 0.0 && e < 1.0, "{}: {e}", entry.name);
        } else {
            let text = refused(entry.name, &zero).to_string();
            let known = ["0 < e ≤ 1", "1e-6 ≤ e ≤ 1"];
            assert!(known.iter().any(|range| text.contains(range)), "{text}");
            assert!(text.starts_with(entry.name) && text.contains("restitution 0 "), "{text}");
        }
    }
}

#[test]
fn only_laws_that_survive_no_restitution_take_it() {
    let takes_zero: Vec<&str> = LAWS
        .iter()
        .filter(|entry| entry.restitution.is_some_and(|bounds| bounds.contain(0.0)))
        .map(|entry| entry.name)
        .collect();
    // The others divide by e or take its logarithm.
    let expected = [
        "hunt-crossley",
        "herbert-mcwhannell",
        "lee-wang",
        "lankarani-nikravesh",
        "zhiying-qishao",
        "carvalho-martins",
    ];
    assert_eq!(takes_zero, expected);
}

#[test]
fn stiffness_and_exponents_out_of_range_are_refused() {
    for entry in LAWS.iter().filter(|entry| entry.takes(Parameter::Stiffness)) {
        for K in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let settings = Settings { stiffness: Some(K), ..CASE.settings(entry) };
            let text = refused(entry.name, &settings).to_string();
            assert!(text.contains("stiffness") && text.contains("positive"), "{text}");
        }
        for n in [0.0, -1.5, f64::NAN, f64::INFINITY, 20.5] {
            let settings = Settings { exponent: Some(n), ..CASE.settings(entry) };
            let text = refused(entry.name, &settings).to_string();
            assert!(text.contains("exponent"), "{text}");
        }
    }
    for (name, n, range) in [
        ("hooke", 1.5, "1: the law is linear"),
        ("kelvin-voigt", 1.0001, "1: the law is linear"),
        ("anagnostopoulos", 2.0, "1: the law is linear"),
        ("poursina-nikravesh", 1.0, "1.5: the formula was fitted for it"),
        ("poursina-nikravesh-general", 0.99, "1 ≤ n ≤ 2"),
        ("poursina-nikravesh-general", 2.01, "1 ≤ n ≤ 2"),
        ("exact", 0.0, "0 < n ≤ 20"),
    ] {
        let entry = find(name).unwrap();
        let settings = Settings { exponent: Some(n), ..CASE.settings(entry) };
        let text = refused(name, &settings).to_string();
        assert!(text.contains(range), "{text}");
    }
}

#[test]
fn dampings_out_of_range_are_refused() {
    for (name, parameter) in
        [("kelvin-voigt", "damping"), ("impact", "max_damping"), ("impact", "damping_depth")]
    {
        let entry = find(name).unwrap();
        for value in [-1.0, f64::NAN, f64::INFINITY] {
            let mut settings = CASE.settings(entry);
            match parameter {
                "damping" => settings.damping = Some(value),
                "max_damping" => settings.max_damping = Some(value),
                _ => settings.damping_depth = Some(value),
            }
            let text = refused(name, &settings).to_string();
            assert!(text.contains(&format!("{parameter} ")), "{text}");
        }
    }
    let entry = find("impact").unwrap();
    let flat = Settings { damping_depth: Some(0.0), ..CASE.settings(entry) };
    assert!(refused("impact", &flat).to_string().contains("a positive depth [m]"));
}

#[test]
fn parameters_that_are_missing_or_too_many_are_named() {
    let all = Settings {
        stiffness: Some(1e6),
        exponent: Some(1.5),
        restitution: Some(0.5),
        damping: Some(1.0),
        max_damping: Some(1.0),
        damping_depth: Some(1e-3),
        force: Some(ForceExpression::parse("delta").unwrap()),
        parting: None,
    };
    for entry in &LAWS {
        let fits = CASE.settings(entry);
        for parameter in Parameter::ALL {
            let mut settings = fits.clone();
            // One is taken away, or one of the others' is added.
            let (from, takes) = if entry.takes(parameter) {
                (Settings::default(), true)
            } else {
                (all.clone(), false)
            };
            match parameter {
                Parameter::Stiffness => settings.stiffness = from.stiffness,
                Parameter::Exponent => settings.exponent = from.exponent,
                Parameter::Restitution => settings.restitution = from.restitution,
                Parameter::Damping => settings.damping = from.damping,
                Parameter::MaxDamping => settings.max_damping = from.max_damping,
                Parameter::DampingDepth => settings.damping_depth = from.damping_depth,
                Parameter::Force => settings.force = from.force,
            }
            if takes && parameter == Parameter::Exponent {
                assert!(entry.make(&settings).is_ok(), "{}: its own exponent", entry.name);
                continue;
            }
            let error = refused(entry.name, &settings);
            let text = error.to_string();
            match error {
                LawError::Missing { law, parameter: p } => {
                    assert!(takes && law == entry.name && p == parameter, "{text}");
                    assert!(text.contains(parameter.name()) && text.contains("missing"), "{text}");
                }
                LawError::Surplus { law, parameter: p, takes: list } => {
                    assert!(!takes && law == entry.name && p == parameter, "{text}");
                    for p in entry.parameters {
                        assert!(list.contains(p.name()), "{text}");
                    }
                }
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn masses_and_speeds_that_are_none_are_refused_by_every_law() {
    for entry in &LAWS {
        let law = CASE.law(entry);
        for m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = fails(law.as_ref(), m, 1.0);
            let text = error.to_string();
            assert!(text.contains("effective mass"), "{text}");
            assert_eq!(law.onset(m, 1.0).unwrap_err().to_string(), text);
        }
        for v in [-1.0, -1e-300, f64::NAN, f64::INFINITY] {
            let text = fails(law.as_ref(), 1.0, v).to_string();
            assert!(text.contains("approach speed"), "{text}");
        }
        // Nothing strikes at no speed, and only laws that divide by it say that they do.
        let text = fails(law.as_ref(), 1.0, 0.0).to_string();
        let divides = law.onset(1.0, 0.0).is_err();
        assert_eq!(text.contains("a positive speed"), !divides, "{text}");
        // A speed whose square is no number: the law is not to blame.
        for v in [1e-200, 1e200] {
            let text = fails(law.as_ref(), 1.0, v).to_string();
            assert!(text.contains("energy") || text.contains("divides"), "{v}: {text}");
        }
    }
}

#[test]
fn laws_that_divide_by_the_speed_say_so_at_the_onset() {
    let divides = |name: &str, n: f64| {
        let law = Case { n, ..CASE }.law(find(name).unwrap());
        matches!(law.onset(1.0, 0.0), Err(LawError::NeedsSpeed { found: 0.0, .. }))
    };
    for name in ["hunt-crossley", "flores", "exact", "lankarani-nikravesh"] {
        assert!(divides(name, 1.5), "{name}");
    }
    // c ∝ (δ̇⁻)^((n−1)/(n+1)): only an exponent below 1 divides.
    assert!(divides("exact-linear", 0.5));
    for name in ["exact-linear", "poursina-nikravesh", "hertz", "hooke", "kelvin-voigt", "impact"] {
        assert!(!divides(name, 1.5), "{name}");
    }
    // Nothing asked, nothing divided: e = 1.
    let elastic = Case { e: 1.0, ..CASE }.law(find("exact").unwrap());
    assert!(elastic.onset(1.0, 0.0).is_ok());
    // K/δ̇⁻ beyond the greatest number.
    let law = Case { K: 1e300, ..CASE }.law(find("exact").unwrap());
    assert!(matches!(law.onset(1.0, 1e-12), Err(LawError::NeedsSpeed { .. })));
}

#[test]
fn a_force_that_resists_nothing_is_refused() {
    for text in ["0*delta", "-1e3*delta", "-5", "delta_dot - onset_speed", "1e-9*exp(-1e9*delta)"] {
        let error = fails(expression(text).as_ref(), 1.0, 1.0);
        assert!(
            matches!(error, LawError::DoesNotResist { law: "expression", .. }),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_force_too_rough_to_follow_does_not_end() {
    let law = expression("1e3*delta*(2 + sin(1e9*delta))");
    let found = Impact1D::parting_at(law.as_ref(), 1.0, 1.0, Parting::ZeroIndentation);
    let error = found.unwrap_err();
    assert!(matches!(error, LawError::DoesNotEnd { law: "expression", .. }), "{error}");
    assert!(error.to_string().contains("steps of integration"), "{error}");
}

#[test]
fn a_pair_that_is_brought_to_rest_does_not_part() {
    // A damper alone stops the pair at v m/c and never turns it round, with whatever scale of its own.
    let (c, m, v) = (50.0, 1.3, 0.7);
    for law in [
        expression("50*delta_dot"),
        expression("50*delta_dot + 1e-30*delta"),
        expression("50*delta_dot + 1e-200*delta^1.5"),
    ] {
        for parting in Parting::ALL {
            let impact = Impact1D::parting_at(law.as_ref(), m, v, parting).unwrap();
            let o = impact.outcome();
            assert!(o.restitution == 0.0 && o.duration == f64::INFINITY, "{law:?} {o:?}");
            assert!((o.max_indentation * c / (m * v) - 1.0).abs() < 1e-12, "{law:?} {o:?}");
            assert!((o.peak_force / (c * v) - 1.0).abs() < 1e-12, "{law:?} {o:?}");
        }
    }
}

#[test]
fn forces_that_are_no_numbers_are_refused() {
    let error = fails(expression("1/(onset_speed - 1)").as_ref(), 1.0, 1.0);
    assert!(matches!(error, LawError::NotFinite { law: "expression", .. }), "{error}");
    // A force that ends at a depth of 0.1 mm, found on the way.
    let text = "1e5*delta + 10*delta_dot + 0*sqrt(1e-4 - delta)";
    let error = fails(expression(text).as_ref(), 1.0, 1.0);
    let known = matches!(error, LawError::Integration { problem: OdeError::NotFinite { .. }, .. });
    assert!(known, "{error:?}");
}

#[test]
fn extreme_numbers_give_an_answer_or_an_error_but_no_nan() {
    let extremes = [1e-300, 1e-150, 1e-30, 1.0, 1e30, 1e150, 1e300];
    for entry in LAWS.iter().filter(|entry| entry.name != "expression") {
        for K in extremes {
            let settings = Settings { stiffness: Some(K), ..CASE.settings(entry) };
            let law = entry.make(&settings).expect("a positive stiffness");
            for (m, v) in extremes.into_iter().flat_map(|m| extremes.map(|v| (m, v))) {
                // A damper of 1e3 N s/m and a mass of 1e-300 kg are too stiff to be integrated.
                if entry.name == "impact" && !(m == 1.0 && v == 1.0) {
                    continue;
                }
                let Ok(impact) = Impact1D::new(law.as_ref(), m, v) else { continue };
                let o = impact.outcome();
                let numbers = [o.peak_force, o.max_indentation, o.duration, o.time_of_peak];
                let what = format!("{} m {m:e} v {v:e} K {K:e}: {o:?}", entry.name);
                assert!(numbers.iter().all(|x| !x.is_nan() && *x >= 0.0), "{what}");
                assert!((0.0..=1.0 + 1e-12).contains(&o.restitution), "{what}");
            }
        }
    }
}

#[test]
fn the_inverse_refuses_what_no_damping_delivers() {
    for e in [1.5, f64::NAN, f64::INFINITY] {
        for n in [1.0, 1.5] {
            let found = linear_ratio(e, n, Parting::ZeroForce);
            assert!(matches!(found, Err(LawError::OutOfRange { .. })), "{e} {n}: {found:?}");
        }
    }
    let out = [(-0.5, 1.0), (-0.5, 1.5), (0.0, 1.5), (1e-30, 1.5), (0.5, 0.0), (0.5, -1.0)];
    for (e, n) in out.into_iter().chain([(0.5, f64::NAN), (0.5, f64::INFINITY)]) {
        let found = linear_ratio(e, n, Parting::ZeroForce);
        assert!(matches!(found, Err(LawError::OutOfRange { .. })), "e = {e}, n = {n}: {found:?}");
    }
    assert_eq!(exact_damping(1.0), 0.0);
}
