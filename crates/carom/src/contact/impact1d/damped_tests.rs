use super::{Damped, Integrated, delivered, exact_damping};
use crate::contact::law::{ContactLaw, Hysteresis, Parting, Spring};

/// Some hundred operations, and the root of a quadrature.
const CLOSED: f64 = 1e-13;
/// What some hundred steps with an error of 1e-14 each leave; a root in an exponent below 1 costs more.
const STEPPED: f64 = 2e-12;

/// The dampings of e = 1 … 0.05, and more.
const DAMPINGS: [f64; 9] = [0.0, 1e-9, 0.1, 0.75, 1.0, 1.0001, 3.0, 20.0, 60.0];

#[test]
fn the_exact_damping_delivers_what_is_asked() {
    for e in [1e-9, 1e-3, 0.01, 0.05, 0.3, 0.5, 0.599, 0.601, 0.8, 0.999, 1.0 - 1e-9, 1.0] {
        let b = exact_damping(e);
        assert!((delivered(b) / e - 1.0).abs() < CLOSED, "{e}: b = {b}");
    }
}

#[test]
fn near_one_the_exact_damping_keeps_its_digits() {
    // b = 3/2 x (1 + x + …) with x = 1 − e: the second order from (1 − e²)/2 = b (2/3 − …).
    let x = 1e-7;
    assert!((exact_damping(1.0 - x) / (1.5 * x * (1.0 + x)) - 1.0).abs() < 1e-9);
}

#[test]
fn the_elastic_impact_of_every_exponent() {
    // 2 √π Γ(1 + 1/(n+1))/Γ(1/2 + 1/(n+1)) of n = 1.5 and 1; Γ ratio of 1.5 by another program.
    assert!((Damped::new(1.5, 0.0).factors().duration - 2.943_275_184_324_706).abs() < CLOSED);
    assert!((Damped::new(1.0, 0.0).factors().duration - std::f64::consts::PI).abs() < CLOSED);
    for n in [0.5, 1.0, 1.5, 3.0] {
        let f = *Damped::new(n, 0.0).factors();
        assert!(f.peak_force == 1.0 && f.max_indentation == 1.0 && f.restitution == 1.0, "{f:?}");
        assert!((f.duration - 2.0 * f.time_of_peak).abs() < CLOSED, "{f:?}");
    }
}

#[test]
fn the_closed_form_is_the_integrated_impact() {
    for n in [0.5, 1.0, 1.5, 3.0, 10.0] {
        for b in DAMPINGS {
            let spring = Spring { stiffness: 0.5 * (n + 1.0), exponent: n };
            let parting = Parting::ZeroForce;
            let law = Hysteresis::new("test", spring, b, parting);
            let onset = law.onset(1.0, 1.0).unwrap();
            let stepped = Integrated::new(&law, &onset, parting).unwrap();
            let (a, c) = (stepped.factors(), *Damped::new(n, b).factors());
            for (x, y) in [
                (a.restitution, c.restitution),
                (a.peak_force, c.peak_force),
                (a.time_of_peak, c.time_of_peak),
                (a.max_indentation, c.max_indentation),
                (a.time_of_max_indentation, c.time_of_max_indentation),
            ] {
                assert!((x / y - 1.0).abs() < STEPPED, "n = {n}, b = {b}: {a:?} {c:?}");
            }
            // With b e = 1 to round-off the sign of the last force is lost.
            if b < 30.0 {
                assert!((a.duration / c.duration - 1.0).abs() < STEPPED, "{n} {b}: {a:?} {c:?}");
            }
        }
    }
}

#[test]
fn the_history_obeys_newton() {
    for (n, b) in [(1.5, 0.0), (1.5, 0.5), (1.0, 2.0), (2.5, 10.0)] {
        let motion = Damped::new(n, b);
        let f = motion.factors();
        for k in 1..20 {
            let t = f.duration * f64::from(k) / 20.0;
            // Differences of fourth order: s′ = y, y′ = −(n+1)/2 sⁿ (1 + b y).
            let h = 1e-3 * f.duration;
            let at = |j: f64| motion.at(t + j * h);
            let rate = |of: &dyn Fn(f64) -> f64| {
                (8.0 * (of(1.0) - of(-1.0)) - (of(2.0) - of(-2.0))) / (12.0 * h)
            };
            let x = motion.at(t);
            let force = 0.5 * (n + 1.0) * x.s.powf(n) * (1.0 + b * x.y);
            assert!((rate(&|j| at(j).s) - x.y).abs() < 1e-7, "n = {n}, b = {b}, t = {t}");
            assert!((rate(&|j| at(j).y) + force).abs() < 1e-6, "n = {n}, b = {b}, t = {t}");
        }
    }
}

#[test]
fn very_heavy_damping_has_finite_answers() {
    for b in [1e3, 1e6, 1e12] {
        let f = *Damped::new(1.5, b).factors();
        assert!((f.restitution * b - 1.0).abs() < CLOSED, "{f:?}");
        // It creeps out at e δ̇⁻: the duration tends to δ_max/(e δ̇⁻).
        let creep = f.max_indentation / f.restitution;
        assert!((f.duration / creep - 1.0).abs() < 20.0 / b, "{f:?}");
    }
}

#[test]
fn a_remembered_impact_is_the_computed_one() {
    // More impacts than are remembered, asked for twice and in another order.
    let cases: Vec<(f64, f64)> = (0..40).map(|k| (1.5, 0.05 * f64::from(k % 23))).collect();
    for &(n, b) in cases.iter().chain(cases.iter().rev()) {
        assert_eq!(Damped::known(n, b).factors(), Damped::new(n, b).factors(), "b = {b}");
    }
}

#[test]
fn a_law_gives_every_mass_and_speed_its_own_impact() {
    use crate::contact::impact1d::Impact1D;
    let spring = Spring { stiffness: 1e8, exponent: 1.5 };
    let kept = Hysteresis::new("test", spring, 0.7, Parting::ZeroForce);
    for (mass, speed) in [(1.0, 0.1), (3.0, 2.0), (1.0, 0.1)] {
        let new = Hysteresis::new("test", spring, 0.7, Parting::ZeroForce);
        let of = |law: &Hysteresis| *Impact1D::new(law, mass, speed).unwrap().outcome();
        assert_eq!(of(&kept), of(&new));
    }
}
