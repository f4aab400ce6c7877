//! The contact laws as functions: names, forces, slopes, energies, no memory taken.

use carom::contact::catalogue::{LAWS, find};
use carom::contact::law::{
    ContactLaw, Entry, ForceExpression, Form, Indentation, Parameter, Settings,
};
use carom::model::builder::keys;
use carom_reference::hertz::elastic_depth;

use crate::workshop::Worst;

/// Differences of fourth order with steps of 1e-3: truncation 1e-12 n⁴, round-off 1e-13.
const DIFFERENCES: f64 = 2e-9;

/// What a law of the catalogue is asked for; each takes of it what it knows.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub m: f64,
    pub v: f64,
    pub K: f64,
    /// The exponent, if the law admits it.
    pub n: f64,
    /// Between 0 and 1: the restitution within the law's range, and 1 − ζ of a damper.
    pub e: f64,
}

impl Case {
    /// The exponent the law takes.
    pub fn exponent(&self, entry: &Entry) -> Option<f64> {
        entry.exponent.map(|(bounds, own)| if bounds.contain(self.n) { self.n } else { own })
    }

    /// The settings the law takes.
    pub fn settings(&self, entry: &Entry) -> Settings {
        let Self { m, v, K, e, .. } = *self;
        let n = self.exponent(entry).unwrap_or(1.5);
        // The damper that would be (1−e) of the critical one of a spring of the elastic impact's mean stiffness.
        let depth = elastic_depth(K, n, 0.5 * m * v * v);
        let c = 2.0 * (1.0 - e) * m * v / depth;
        let text = format!("{K:e}*delta^{n:?}*(1 + {:?}*delta_dot/onset_speed)", 1.0 - e);
        let given = Settings {
            stiffness: Some(K),
            exponent: Some(n),
            restitution: entry.restitution.map(|b| b.low + (1.0 - b.low) * e),
            damping: Some(c),
            max_damping: Some(c),
            damping_depth: Some(0.3 * depth),
            force: Some(ForceExpression::parse(&text).expect("it is an expression")),
            parting: None,
        };
        given.fitted(entry).0
    }

    /// The law.
    pub fn law(&self, entry: &Entry) -> Box<dyn ContactLaw> {
        let made = entry.make(&self.settings(entry));
        made.unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}

/// Two steel balls.
const BALLS: Case = Case { m: 2.055, v: 0.5, K: 2.4e10, n: 1.5, e: 0.6 };

#[test]
fn the_catalogue_and_the_model_file_know_the_same_laws_in_the_same_order() {
    let known: Vec<&str> = LAWS.iter().map(|entry| entry.name).collect();
    for name in &known {
        assert!(keys::LAWS.contains(name), "`{name}` of the catalogue is missing in keys::LAWS");
    }
    for name in keys::LAWS {
        assert!(known.contains(&name), "`{name}` of keys::LAWS is missing in the catalogue");
    }
    assert_eq!(known, keys::LAWS, "the order differs");
    for (k, name) in known.iter().enumerate() {
        assert!(!known[..k].contains(name), "`{name}` stands twice");
        assert_eq!(find(name).unwrap().name, *name);
    }
}

#[test]
fn every_entry_says_what_it_is() {
    for entry in &LAWS {
        let name = entry.name;
        assert!(entry.formula.starts_with("F = "), "{name}: {}", entry.formula);
        assert!(!entry.source.is_empty() && !entry.choose.is_empty(), "{name}");
        assert_eq!(entry.takes(Parameter::Exponent), entry.exponent.is_some(), "{name}");
        if let Some((bounds, own)) = entry.exponent {
            assert!(bounds.contain(own), "{name}: its own exponent {own} is outside {bounds:?}");
        }
        let law = BALLS.law(entry);
        assert_eq!((law.name(), law.parting()), (name, entry.parting));
    }
}

#[test]
fn a_law_has_no_force_without_an_indentation() {
    for entry in &LAWS {
        let law = BALLS.law(entry);
        let onset = law.onset(BALLS.m, BALLS.v).unwrap();
        for delta in [0.0, -0.0, -1e-300, -1e-6, -1.0] {
            for delta_dot in [-1.0, 0.0, 1.0] {
                let x = Indentation { delta, delta_dot };
                assert_eq!(law.force(&x, &onset), 0.0, "{} at {x:?}", entry.name);
                assert_eq!(law.slopes(&x, &onset), [0.0; 2], "{} at {x:?}", entry.name);
            }
            assert_eq!(law.elastic_energy(delta, &onset), 0.0, "{}", entry.name);
        }
    }
}

#[test]
fn slopes_are_the_differences_of_forces() {
    let mut worst = Worst::default();
    let rate = |f: &dyn Fn(f64) -> f64, h: f64| {
        (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
    };
    for entry in &LAWS {
        for n in [1.0, 1.5, 2.0, 2.5] {
            let case = Case { n, ..BALLS };
            let (law, n) = (case.law(entry), case.exponent(entry).unwrap_or(n));
            let onset = law.onset(case.m, case.v).unwrap();
            let depth = elastic_depth(case.K, n, 0.5 * case.m * case.v * case.v);
            // Shares of the depth on both sides of 0.3, where the damper of `impact` is full.
            for share in [1e-3, 0.1, 0.29, 0.31, 0.5, 1.0, 3.0] {
                for speed in [-1.0, -0.3, 0.0, 0.2, 1.0] {
                    let (delta, delta_dot) = (share * depth, speed * case.v);
                    let force = |a: f64, b: f64| {
                        let x = Indentation { delta: delta + a, delta_dot: delta_dot + b };
                        law.force(&x, &onset)
                    };
                    let found = law.slopes(&Indentation { delta, delta_dot }, &onset);
                    let expected = [
                        rate(&|a| force(a, 0.0), 1e-3 * delta),
                        rate(&|b| force(0.0, b), 1e-3 * case.v),
                    ];
                    // In parts of the terms: spring and damper may cancel, and round-off is that of F.
                    let steep = n * case.K * delta.powf(n - 1.0);
                    let size = [steep + force(0.0, 0.0).abs() / delta, 0.0];
                    for k in 0..2 {
                        let error = (found[k] - expected[k]).abs() / (size[k] + expected[k].abs());
                        worst.check(
                            if found[k] == expected[k] { 0.0 } else { error },
                            DIFFERENCES,
                            || format!("{} n = {n}, δ {share}, δ̇ {speed}, slope {k}", entry.name),
                        );
                    }
                }
            }
        }
    }
    worst.show("slopes");
}

#[test]
fn the_elastic_energy_is_the_work_of_a_slow_compression_and_its_depth_the_inverse() {
    for entry in &LAWS {
        let law = BALLS.law(entry);
        let onset = law.onset(BALLS.m, BALLS.v).unwrap();
        for delta in [1e-7, 3e-5, 2e-3] {
            let slope = {
                let h = 1e-3 * delta;
                let U = |k: f64| law.elastic_energy(delta + k * h, &onset);
                (8.0 * (U(1.0) - U(-1.0)) - (U(2.0) - U(-2.0))) / (12.0 * h)
            };
            let force = law.force(&Indentation { delta, delta_dot: 0.0 }, &onset);
            assert!((slope / force - 1.0).abs() < DIFFERENCES, "{}: {slope} {force}", entry.name);
            let back = law.elastic_depth(law.elastic_energy(delta, &onset), &onset).unwrap();
            assert!((back / delta - 1.0).abs() < 1e-11, "{}: {back} {delta}", entry.name);
        }
    }
}

#[test]
fn a_force_takes_no_memory() {
    for entry in &LAWS {
        let law = BALLS.law(entry);
        let onset = law.onset(BALLS.m, BALLS.v).unwrap();
        let info = allocation_counter::measure(|| {
            for k in 0..50 {
                let x = Indentation { delta: 1e-6 * f64::from(k), delta_dot: 0.1 };
                std::hint::black_box(law.force(&x, &onset));
                std::hint::black_box(law.slopes(&x, &onset));
            }
            std::hint::black_box(law.onset(BALLS.m, 0.3).is_ok());
        });
        assert_eq!(info.count_total, 0, "{}", entry.name);
    }
}

#[test]
fn laws_under_two_names_are_one_law() {
    let force = |name: &str| {
        let law = BALLS.law(find(name).unwrap());
        let onset = law.onset(BALLS.m, BALLS.v).unwrap();
        law.force(&Indentation { delta: 2e-5, delta_dot: 0.3 }, &onset)
    };
    assert_eq!(force("ye"), force("flores"));
    assert_eq!(force("gonthier"), force("exact"));
    assert_eq!(force("zhang-sharf"), force("exact"));
    for entry in LAWS.iter().filter(|entry| matches!(entry.form, Form::Hysteresis(_))) {
        // b(1) = 0: nothing is lost where nothing is asked to be.
        assert_eq!(entry.hysteresis_ratio(1.0).unwrap().unwrap(), 0.0, "{}", entry.name);
    }
}
