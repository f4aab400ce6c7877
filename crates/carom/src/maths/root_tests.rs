use super::*;

/// Functions with a simple, a flat, a steep, a many-fold and a jumping root, and where it lies.
type Case = (&'static str, fn(f64) -> f64, (f64, f64), f64);

const CASES: [Case; 8] = [
    ("cosine", |x| x.cos(), (1.0, 2.0), std::f64::consts::FRAC_PI_2),
    ("cubic", |x| x * x * x - 2.0 * x - 5.0, (2.0, 3.0), 2.094_551_481_542_326_5),
    ("flat, ninefold", |x| (x - 0.3).powi(9), (-1.0, 4.0), 0.3),
    ("steep", |x| (1e6 * (x - 0.7)).tanh(), (-3.0, 2.0), 0.7),
    ("exponential", |x| x.exp_m1() - 1e8, (0.0, 100.0), 18.420_680_753_952_364),
    ("a jump", |x| if x < 1.5 { -1.0 } else { 1e9 }, (-7.0, 1e3), 1.5),
    ("infinite at an end", |x| x.ln() + 1.0, (0.0, 9.0), 0.367_879_441_171_442_33),
    ("far apart", |x| x.cbrt() - 2.0, (-f64::MAX, f64::MAX), 8.0),
];

#[test]
fn the_finest_bracket_is_two_neighbours_with_opposite_signs() {
    for (name, f, (low, high), at) in CASES {
        for (low, high) in [(low, high), (high, low)] {
            let root = bracketed(f, low, high, Width::FINEST).unwrap();
            assert_eq!(root.value, f(root.x), "{name}");
            if root.value != 0.0 {
                let (a, b) = (root.x.min(root.other), root.x.max(root.other));
                assert_eq!(a.next_up(), b, "{name}: nothing lies between {a} and {b}");
                assert!(f(a) * f(b) <= 0.0, "{name}");
                assert!(root.value.abs() <= f(root.other).abs(), "{name}: the better end");
            }
            // The ninefold root underflows to an exact zero within 1e-36 of it, nearer than this.
            let rounding = 4.0 * f64::EPSILON * at.abs();
            assert!((root.x - at).abs() <= rounding, "{name}: {} is not {at}", root.x);
        }
    }
}

#[test]
fn a_search_is_never_much_slower_than_bisection_and_fast_on_smooth_functions() {
    for (name, f, (low, high), _) in CASES {
        let mut calls = 0;
        let counted = |x| {
            calls += 1;
            f(x)
        };
        let width = Width { absolute: 1e-12, relative: 0.0 };
        bracketed(counted, low, high, width).unwrap();
        // Bisections needed, or those to neighbours where they are wider than 1e-12.
        let bisections = ((high * 0.5 - low * 0.5) / 0.5e-12).log2().ceil();
        assert!(f64::from(calls) <= 4.0 * bisections + 2.0, "{name}: {calls} for {bisections}");
        if ["cosine", "cubic"].contains(&name) {
            assert!(calls <= 11, "{name}: {calls}");
        }
    }
}

#[test]
fn the_bracket_is_as_wide_as_allowed() {
    let f = |x: f64| x.exp() - 20.0;
    for width in [
        Width { absolute: 1e-3, relative: 0.0 },
        Width { absolute: 0.0, relative: 1e-7 },
        Width { absolute: 1e-5, relative: 1e-9 },
    ] {
        let root = bracketed(f, -1.0, 7.0, width).unwrap();
        let allowed = width.absolute + width.relative * root.x.abs();
        assert!((root.x - root.other).abs() <= allowed);
        assert!((root.x - 20.0_f64.ln()).abs() <= allowed);
    }
}

#[test]
fn a_zero_at_an_end_is_the_root() {
    let root = bracketed(|x| x * (x - 5.0), 0.0, 2.0, Width::FINEST).unwrap();
    assert_eq!((root.x, root.value, root.other), (0.0, 0.0, 0.0));
    assert_eq!(bracketed(|x| x - 2.0, 0.0, 2.0, Width::FINEST).unwrap().x, 2.0);
}

#[test]
fn what_encloses_no_root_is_refused() {
    let none = bracketed(|x| x * x + 1.0, -1.0, 2.0, Width::FINEST).unwrap_err();
    assert_eq!(none, RootError::NoSignChange { low: -1.0, high: 2.0, at_low: 2.0, at_high: 5.0 });
    assert!(none.to_string().contains("2 at -1 and 5 at 2"), "{none}");
    for (f, low, high) in [
        ((|x| x.ln()) as fn(f64) -> f64, -1.0, 2.0),
        (|x| if x.abs() < 0.9 { f64::NAN } else { x }, -1.0, 1.0),
        (|x| x, f64::NEG_INFINITY, 1.0),
        (|x| x, -1.0, f64::NAN),
    ] {
        let error = bracketed(f, low, high, Width::FINEST).unwrap_err();
        assert!(matches!(error, RootError::NotANumber { .. }), "{error}");
    }
}
