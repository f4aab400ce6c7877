use super::{LineContact, LineSide, PowerLaw};
use crate::contact::hertz::{Elasticity, HertzError};
use std::f64::consts::PI;

/// A few roundings, some of them in logarithms of tens.
const ROUND_OFF: f64 = 1e-14;

fn pair() -> [Elasticity; 2] {
    [Elasticity::new(207e9, 0.3).unwrap(), Elasticity::new(70e9, 0.33).unwrap()]
}

fn cylinders() -> LineContact {
    let sides = [LineSide::Cylinder { radius: 0.02 }, LineSide::Cylinder { radius: 0.05 }];
    LineContact::new(pair(), sides).unwrap()
}

fn on_flat() -> LineContact {
    LineContact::new(pair(), [LineSide::Cylinder { radius: 0.02 }, LineSide::Flat { depth: 0.03 }])
        .unwrap()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found:?} against {expected:?}");
}

/// Composite Simpson's rule.
fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64, steps: u32) -> f64 {
    let h = (to - from) / f64::from(steps);
    let weight = |k: u32| {
        if k == 0 || k == steps {
            1.0
        } else if k % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    (0..=steps).map(|k| weight(k) * f(from + h * f64::from(k))).sum::<f64>() * h / 3.0
}

#[test]
fn two_equal_rollers_have_the_approach_of_the_textbook() {
    // Equal cylinders: δ = 2 (P'/π) σ [2 ln(4R/a) − 1] by hand, a² = 2 P' R · 2σ/π.
    let steel = Elasticity::new(207e9, 0.3).unwrap();
    let sigma = 0.91 / 207e9;
    let (R, P) = (0.02_f64, 1e6_f64);
    let found = LineContact::new([steel; 2], [LineSide::Cylinder { radius: R }; 2]).unwrap();
    let a = (4.0 * P * (R / 2.0) * (2.0 * sigma) / PI).sqrt();
    close(found.half_width(P).unwrap(), a, ROUND_OFF);
    let delta = 2.0 * P / PI * sigma * (2.0 * (4.0 * R / a).ln() - 1.0);
    close(found.approach(P).unwrap(), delta, ROUND_OFF);
    close(found.peak_pressure(P).unwrap() * PI * a / 2.0, P, ROUND_OFF);
}

#[test]
fn a_flat_body_gives_way_by_the_strain_under_the_contact() {
    // Stresses on the axis below p₀ √(1 − x²/a²) in plane strain (Johnson eqs. 4.46):
    // σ_z = −p₀ a/√(a²+z²), σ_x = −p₀ ((a² + 2z²)/√(a²+z²) − 2z)/a;
    // ε_z = ((1−ν²) σ_z − ν (1+ν) σ_x)/E. With z = a sinh t the integrand is smooth over decades.
    let soft = Elasticity::new(70e9, 0.33).unwrap();
    // A partner so stiff that its share is below what is looked at.
    let rigid = Elasticity::new(1e40, 0.3).unwrap();
    let (R, P, d) = (0.02, 1e4, 0.03);
    let sides = [LineSide::Cylinder { radius: R }, LineSide::Flat { depth: d }];
    let found = LineContact::new([rigid, soft], sides).unwrap();
    let (a, p0) = (found.half_width(P).unwrap(), found.peak_pressure(P).unwrap());
    let (E, nu) = (soft.young(), soft.poisson());
    let shrink = |t: f64| {
        let (z, root) = (a * t.sinh(), a * t.cosh());
        let sigma_z = p0 * a / root;
        // (a² + 2z²)/root − 2z = a² (root − z)²/(a² root), without its cancellation far below.
        let thin = a * a / (root + z);
        let sigma_x = p0 * (thin * thin / root) / a;
        ((1.0 - nu * nu) * sigma_z - nu * (1.0 + nu) * sigma_x) / E * root
    };
    let delta = integral(shrink, 0.0, (d / a).asinh(), 20_000);
    // The formula is the limit a ≪ d: its error is of the order (a/d)².
    close(found.approach(P).unwrap(), delta, (a / d).powi(2));
    assert!((a / d).powi(2) < 1e-5, "the limit is looked at near it");
}

#[test]
fn a_bore_is_flat_over_the_depth_and_curved_at_the_contact() {
    let sides =
        |radius| [LineSide::Cylinder { radius: 0.02 }, LineSide::Bore { radius, depth: 0.03 }];
    let wide = LineContact::new(pair(), sides(1e12)).unwrap();
    close(wide.approach(1e4).unwrap(), on_flat().approach(1e4).unwrap(), 1e-12);
    let bore = LineContact::new(pair(), sides(0.03)).unwrap();
    close(bore.effective_radius(), 0.06, ROUND_OFF);
    assert!(bore.approach(1e4).unwrap() < on_flat().approach(1e4).unwrap(), "it embraces");
    let narrow = LineContact::new(pair(), sides(0.02)).unwrap_err();
    assert!(matches!(narrow, HertzError::HollowTooNarrow { .. }), "{narrow}");
    let [cylinder, bore] = sides(0.01);
    let narrow = LineContact::new(pair(), [bore, cylinder]).unwrap_err();
    assert_eq!(narrow, HertzError::HollowTooNarrow { ball: 0.02, hollow: 0.01 });
}

#[test]
fn the_load_of_an_approach_has_that_approach() {
    for contact in [cylinders(), on_flat()] {
        for exponent in -12..=8 {
            let P = 10.0_f64.powi(exponent);
            close(contact.load(contact.approach(P).unwrap()).unwrap(), P, ROUND_OFF);
        }
        assert_eq!(contact.load(0.0), Ok(0.0));
        assert_eq!(contact.approach(0.0), Ok(0.0));
        assert_eq!(contact.peak_pressure(0.0), Ok(0.0));
    }
}

#[test]
fn the_power_law_has_the_value_and_the_slope_of_the_exact_one() {
    for contact in [cylinders(), on_flat()] {
        for P in [1.0, 1e4, 1e7] {
            let PowerLaw { stiffness, exponent } = contact.power_law(P).unwrap();
            let delta = contact.approach(P).unwrap();
            close(stiffness * delta.powf(exponent), P, ROUND_OFF);
            let slope = |h: f64| {
                let load = |x: f64| contact.load(delta * x.exp()).unwrap().ln();
                (load(h) - load(-h)) / (2.0 * h)
            };
            // Central differences with their error of order h² taken off.
            let n = (4.0 * slope(5e-4) - slope(1e-3)) / 3.0;
            close(exponent, n, 1e-10);
            assert!(exponent > 1.0 && exponent < 1.5);
        }
    }
}

#[test]
fn a_length_shares_the_force() {
    let (contact, length, F) = (cylinders(), 0.25, 5e3);
    let whole = contact.power_law_of_length(F, length).unwrap();
    let each = contact.power_law(F / length).unwrap();
    assert_eq!(whole.exponent, each.exponent);
    let delta = contact.approach(F / length).unwrap();
    close(whole.stiffness * delta.powf(whole.exponent), F, ROUND_OFF);
}

#[test]
fn a_contact_as_wide_as_its_cylinder_is_refused() {
    let contact = cylinders();
    let rising = |P: f64| contact.approach(P).unwrap();
    assert!(rising(1e9) > rising(9e8), "up to the limit δ rises");
    for P in [1e12, 1e20] {
        let found = contact.approach(P).unwrap_err();
        assert!(matches!(found, HertzError::TooWide { .. }), "{found}");
        assert!(matches!(contact.power_law(P), Err(HertzError::TooWide { .. })));
    }
    let found = contact.load(0.1).unwrap_err();
    let HertzError::TooDeep { most, .. } = found else { panic!("{found}") };
    // Just below the largest approach there is a load, or the contact is too wide on one side.
    assert!(most < 0.1 && contact.load(0.3 * most).is_ok());
    // A depth within the width of the contact.
    let shallow = [LineSide::Cylinder { radius: 0.02 }, LineSide::Flat { depth: 1e-5 }];
    let shallow = LineContact::new(pair(), shallow).unwrap();
    assert!(matches!(shallow.approach(1e6), Err(HertzError::TooWide { .. })));
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let cylinder = LineSide::Cylinder { radius: 0.02 };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for side in [
            LineSide::Cylinder { radius: bad },
            LineSide::Flat { depth: bad },
            LineSide::Bore { radius: bad, depth: 0.1 },
            LineSide::Bore { radius: 0.1, depth: bad },
        ] {
            let found = LineContact::new(pair(), [cylinder, side]).unwrap_err();
            assert!(matches!(found, HertzError::OutOfRange { .. }), "{found}");
        }
        let contact = cylinders();
        assert!(contact.power_law(bad).is_err());
        assert!(contact.power_law_of_length(bad, 1.0).is_err());
        assert!(contact.power_law_of_length(1.0, bad).is_err());
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(cylinders().approach(bad).is_err());
        assert!(cylinders().load(bad).is_err());
        assert!(cylinders().half_width(bad).is_err());
    }
    let flat = LineSide::Flat { depth: 0.1 };
    let bore = LineSide::Bore { radius: 0.1, depth: 0.1 };
    for sides in [[flat, flat], [flat, bore], [bore, bore]] {
        let found = LineContact::new(pair(), sides).unwrap_err();
        assert!(matches!(found, HertzError::NotClosing { .. }), "{found}");
    }
}
