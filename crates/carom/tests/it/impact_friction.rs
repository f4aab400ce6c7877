//! Friction at impact: the process of one contact, cones of several, and where both end.

use std::f64::consts::TAU;

use carom::impact::laws::{
    ContactMode, Energetic, FrictionForm, ImpactContact, ImpactError, ImpactFriction, ImpactLaw,
    Newton, Plastic, Poisson,
};
use carom_reference::planar_impact::{Law, PlanarImpact, Regime, rod_on_floor};
use carom_reference::random::Random;

use crate::impact_case::{Case, case, gram, rough, solve};

/// Round-off of a handful of operations on numbers of size 1.
const ROUND_OFF: f64 = 1e-12;

/// Complementarity as the specification asks for it.
const COMPLEMENTARITY: f64 = 1e-10;

const LAWS: [(&dyn ImpactLaw, Law); 3] =
    [(&Newton, Law::Newton), (&Poisson, Law::Poisson), (&Energetic, Law::Energetic)];

#[test]
fn one_contact_in_the_plane_is_the_exact_process_in_every_regime() {
    let mut random = Random::new(7);
    let mut seen = [0; 4];
    for round in 0..4000 {
        // Rods at all angles, and general W.
        let W = if round % 2 == 0 {
            rod_on_floor(random.within(0.5, 3.0), random.within(0.05, 1.5))
        } else {
            let (nn, tt) = (random.within(0.2, 3.0), random.within(0.2, 3.0));
            [nn, 0.95 * random.within(-1.0, 1.0) * (nn * tt).sqrt(), tt]
        };
        let mut u = [-random.within(0.1, 2.0), random.within(-2.0, 2.0)];
        if round % 10 == 0 {
            u[1] = 0.0;
        }
        let (e, mu) = (random.uniform(), random.within(0.01, 1.5));
        let exact = PlanarImpact { W, u, restitution: e, friction: mu };
        for (law, by) in LAWS {
            let full = [W[0], W[1], W[1], W[2]];
            let out = solve(law, &[rough(1, e, mu)], &full, &u).unwrap();
            let (p, after, regime) = exact.solve(by);
            let mode = out.notes.modes[0];
            let expected = match regime {
                Regime::Slip => ContactMode::Slides,
                Regime::Stick | Regime::SlipStick => ContactMode::Sticks,
                Regime::Reverse => ContactMode::Reverses,
            };
            assert_eq!(mode, expected, "{round} {by:?}");
            seen[regime as usize] += 1;
            let size = p[0].abs().max(1.0);
            for k in 0..2 {
                assert!((out.impulses[k] - p[k]).abs() < 1e-11 * size, "{round} {by:?} {regime:?}");
                assert!(
                    (out.after[k] - after[k]).abs() < 1e-11 * size,
                    "{round} {by:?} {regime:?}"
                );
            }
            assert_eq!(out.notes.friction, FrictionForm::Process);
        }
    }
    assert!(seen.iter().all(|n| *n > 100), "regimes seen: {seen:?}");
}

/// A planar contact written in space, turned about the normal, is the same contact.
#[test]
fn a_planar_impact_in_space_is_the_planar_one() {
    let mut random = Random::new(8);
    for round in 0..300 {
        let (nn, tt, ss) =
            (random.within(0.2, 3.0), random.within(0.2, 3.0), random.within(0.2, 3.0));
        let nt = 0.9 * random.within(-1.0, 1.0) * (nn * tt).sqrt();
        let u = [-random.within(0.1, 2.0), random.within(-2.0, 2.0)];
        let (e, mu) = (random.uniform(), random.within(0.01, 1.5));
        let (s, c) = random.within(0.0, 6.0).sin_cos();
        // Tangents turned by an angle: t₁ = c t − s b, t₂ = s t + c b.
        let W = [
            nn,
            c * nt,
            s * nt,
            c * nt,
            c * c * tt + s * s * ss,
            s * c * (tt - ss),
            s * nt,
            s * c * (tt - ss),
            s * s * tt + c * c * ss,
        ];
        let turned = [u[0], c * u[1], s * u[1]];
        for (law, _) in LAWS {
            let flat = solve(law, &[rough(1, e, mu)], &[nn, nt, nt, tt], &u).unwrap();
            let space = solve(law, &[rough(2, e, mu)], &W, &turned).unwrap();
            let t =
                [c * space.after[1] + s * space.after[2], c * space.after[2] - s * space.after[1]];
            assert!((space.after[0] - flat.after[0]).abs() < 1e-9, "{round} {law:?}");
            assert!((t[0] - flat.after[1]).abs() < 1e-9 && t[1].abs() < 1e-9, "{round} {law:?}");
        }
    }
}

/// The slip in space by small steps of normal impulse, friction by its definition, to a given normal impulse.
fn stepped(W: &[f64], u: [f64; 3], mu: f64, to: f64, steps: usize) -> [f64; 3] {
    let mut u = u;
    let dP = to / steps as f64;
    for _ in 0..steps {
        // Heun's rule on f = −μ u_t/|u_t|.
        let f = |u: [f64; 3]| {
            let s = u[1].hypot(u[2]);
            [1.0, -mu * u[1] / s, -mu * u[2] / s]
        };
        let rate = |f: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|r| (0..3).map(|c| W[r * 3 + c] * f[c]).sum())
        };
        let k1 = rate(f(u));
        let k2 = rate(f(std::array::from_fn(|r| u[r] + dP * k1[r])));
        for r in 0..3 {
            u[r] += 0.5 * dP * (k1[r] + k2[r]);
        }
    }
    u
}

#[test]
fn a_slip_that_turns_in_space_is_followed() {
    let mut random = Random::new(9);
    let mut turned = 0;
    for _ in 0..60 {
        let c = case(&mut random, vec![rough(2, 0.7, 0.3)], 4);
        let u = [-c.u[0].abs() - 0.1, c.u[1], c.u[2]];
        for (law, _) in LAWS {
            let out = solve(law, &c.contacts, &c.W, &u).unwrap();
            if out.notes.modes[0] != ContactMode::Slides {
                continue;
            }
            turned += 1;
            let near = stepped(&c.W, u, 0.3, out.impulses[0], 20_000);
            for r in 0..3 {
                assert!((near[r] - out.after[r]).abs() < 1e-6, "{near:?} {:?}", out.after);
            }
        }
    }
    assert!(turned > 30, "{turned}");
}

#[test]
fn a_sphere_sticks_from_the_friction_of_the_textbook() {
    let mut random = Random::new(10);
    for _ in 0..200 {
        let (v_n, v_t, e) = (random.within(0.2, 3.0), random.within(0.2, 3.0), random.uniform());
        let limit = 2.0 * v_t / (7.0 * (1.0 + e) * v_n);
        let W = [1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5];
        for (factor, mode) in [(0.9999, ContactMode::Slides), (1.0001, ContactMode::Sticks)] {
            for (law, _) in LAWS {
                let u = [-v_n, 0.6 * v_t, 0.8 * v_t];
                let out = solve(law, &[rough(2, e, factor * limit)], &W, &u).unwrap();
                assert_eq!(out.notes.modes[0], mode, "{law:?}");
                assert!((out.after[0] - e * v_n).abs() < ROUND_OFF);
            }
        }
    }
}

/// Violation of Coulomb's cone and of the greatest dissipation, in velocities.
fn cone_violation(c: &Case, p: &[f64], u: &[f64]) -> f64 {
    let n = p.len();
    let (mut row, mut worst) = (0, 0.0_f64);
    for contact in &c.contacts {
        let mu = contact.friction.coefficient();
        let t = row + 1..row + contact.rows();
        let p_t = t.clone().fold(0.0_f64, |s, x| s.hypot(p[x]));
        let u_t = t.clone().fold(0.0_f64, |s, x| s.hypot(u[x]));
        let w: f64 = t.clone().map(|x| c.W[x * n + x]).sum();
        worst = worst.max(w * (p_t - mu * p[row]));
        // −p_t · u_t = μ p_n |u_t|: dissipation is the greatest there is.
        let work: f64 = t.map(|x| p[x] * u[x]).sum();
        worst = worst.max((mu * p[row] * u_t + work).abs() * w.sqrt());
        row += contact.rows();
    }
    worst
}

#[test]
fn friction_at_several_contacts_lies_in_its_cones_and_dissipates_most() {
    let mut random = Random::new(11);
    let (mut solved, mut refused) = (0, 0);
    for round in 0..3000 {
        let k = 2 + round % 4;
        let tangents = 1 + round % 2;
        let contacts: Vec<_> =
            (0..k).map(|_| rough(tangents, random.uniform(), random.within(0.0, 1.0))).collect();
        let rank = k * (1 + tangents) + 1;
        let c = case(&mut random, contacts, rank);
        match solve(&Newton, &c.contacts, &c.W, &c.u) {
            Ok(out) if out.notes.friction == FrictionForm::Complementarity => {
                solved += 1;
                let missed = cone_violation(&c, &out.impulses, &out.after);
                assert!(missed < 1e-9, "{round}: {missed}");
                for (i, contact) in c.contacts.iter().enumerate() {
                    let row = i * (1 + tangents);
                    let slack = out.after[row] + contact.restitution * c.u[row].min(0.0);
                    assert!(slack > -COMPLEMENTARITY && out.impulses[row] >= 0.0);
                    assert!((slack * out.impulses[row]).abs() < COMPLEMENTARITY, "{round}");
                }
            }
            Ok(_) => {}
            Err(ImpactError::NotSolved { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(solved > 1000 && refused * 200 < solved, "{solved} solved, {refused} refused");
}

#[test]
fn sticking_is_the_limit_of_large_friction() {
    let mut random = Random::new(16);
    let mut undecided = 0;
    for round in 0..500 {
        let k = 1 + round % 3;
        let contacts = vec![rough(1, 0.0, 1e6); k];
        let c = case(&mut random, contacts, 2 * k + 1);
        let stick: Vec<_> = c
            .contacts
            .iter()
            .map(|c| ImpactContact { friction: ImpactFriction::Stick, ..*c })
            .collect();
        let (Ok(large), Ok(limit)) =
            (solve(&Plastic, &c.contacts, &c.W, &c.u), solve(&Plastic, &stick, &c.W, &c.u))
        else {
            continue;
        };
        // Points that would have to pull to stick: there is more than one answer, and it is marked.
        if limit.notes.uniqueness.undecided || large.notes.uniqueness.undecided {
            undecided += 1;
            continue;
        }
        for (x, y) in large.after.iter().zip(&limit.after) {
            assert!((x - y).abs() < 1e-4, "{round}: {:?} {:?}", large.after, limit.after);
        }
    }
    assert!(undecided < 25, "{undecided} of 500 are undecided");
}

#[test]
fn painleve_is_recognised() {
    // W_nn < μ W_nt for a slip in the direction of W_nt.
    let W = [1.0, 0.9, 0.9, 1.0];
    let out = solve(&Energetic, &[rough(1, 0.5, 1.5)], &W, &[-1.0, 1.0]).unwrap();
    assert_eq!(out.notes.painleve, Some(0));
    let out = solve(&Energetic, &[rough(1, 0.5, 1.5)], &W, &[-1.0, -1.0]).unwrap();
    assert_eq!(out.notes.painleve, None);
}

#[test]
fn a_pendulum_that_friction_wedges_gives_nothing_back() {
    // One freedom: normal and tangent move together. μ above a/b holds it.
    let (a, b) = (0.5, 1.0);
    let W = [a * a, a * b, a * b, b * b];
    let out = solve(&Energetic, &[rough(1, 0.8, 0.9)], &W, &[-a, -b]).unwrap();
    assert!(out.notes.wedged && out.after.iter().all(|u| u.abs() < ROUND_OFF), "{out:?}");
}

#[test]
fn impacts_that_do_not_feel_each_other_are_each_followed_alone() {
    let mut random = Random::new(18);
    for _ in 0..200 {
        let one = |random: &mut Random| {
            let W = rod_on_floor(random.within(0.5, 2.0), random.within(0.1, 1.4));
            (W, [-random.within(0.1, 1.0), random.within(-1.0, 1.0)])
        };
        let ((V, u), (X, w)) = (one(&mut random), one(&mut random));
        let W = [
            [V[0], V[1], 0.0, 0.0],
            [V[1], V[2], 0.0, 0.0],
            [0.0, 0.0, X[0], X[1]],
            [0.0, 0.0, X[1], X[2]],
        ];
        let contact = rough(1, 0.7, 0.4);
        for (law, by) in LAWS {
            let u_all = [u[0], u[1], w[0], w[1]];
            let both = solve(law, &[contact; 2], W.as_flattened(), &u_all).unwrap();
            for (k, (W, u)) in [(V, u), (X, w)].into_iter().enumerate() {
                let alone = PlanarImpact { W, u, restitution: 0.7, friction: 0.4 };
                let (_, after, _) = alone.solve(by);
                for (x, y) in both.after[2 * k..].iter().zip(after) {
                    assert!((x - y).abs() < 1e-11, "{law:?}");
                }
            }
        }
    }
}

/// The same process in ln s and the angle of the slip, by Runge and Kutta's fourth order with a fixed step: p_n, p_t at u_n = −e u_n⁻,
/// and the least slip on the way; none if the slip stops.
fn followed(W: &[f64], u: &[f64], (mu, e): (f64, f64), h: f64) -> Option<[f64; 4]> {
    let rates = |y: &[f64; 6]| {
        let (s, (sin, cos)) = (y[0].exp(), y[1].sin_cos());
        let k = [1, 2].map(|i| W[3 * i] - mu * (W[3 * i + 1] * cos + W[3 * i + 2] * sin));
        let normal = W[0] - mu * (W[1] * cos + W[2] * sin);
        let along = [cos * k[0] + sin * k[1], cos * k[1] - sin * k[0]];
        [along[0], along[1], s, -mu * cos * s, -mu * sin * s, normal * s]
    };
    let step = |y: &[f64; 6], h: f64| {
        let plus = |k: &[f64; 6], part: f64| std::array::from_fn(|i| y[i] + part * h * k[i]);
        let k_1 = rates(y);
        let k_2 = rates(&plus(&k_1, 0.5));
        let k_3 = rates(&plus(&k_2, 0.5));
        let k_4 = rates(&plus(&k_3, 1.0));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]))
    };
    let mut y = [u[1].hypot(u[2]).ln(), u[2].atan2(u[1]), 0.0, 0.0, 0.0, u[0]];
    let mut least = y[0];
    loop {
        least = least.min(y[0]);
        if y[0] < -80.0 {
            return None;
        }
        let next: [f64; 6] = step(&y, h);
        if next[5] < -e * u[0] {
            y = next;
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if step(&y, middle)[5] < -e * u[0] { &mut low } else { &mut high }) = middle;
        }
        let [_, _, p_n, p_x, p_y, _] = step(&y, high);
        return Some([p_n, p_x, p_y, least.exp()]);
    }
}

#[test]
fn a_slip_that_passes_close_to_rest_leaves_in_the_direction_it_turns_to() {
    // Directions that shrink straight and that turning leaves: a slip near one of them comes ever closer to rest, turns there within
    // hardly any impulse, and grows again in another direction.
    let mut random = Random::new(2027);
    let (mut passed, mut closest) = (0, f64::INFINITY);
    for _ in 0..800 {
        let G: Vec<Vec<f64>> =
            (0..3).map(|_| (0..3).map(|_| random.within(-1.0, 1.0)).collect()).collect();
        let W = gram(&G);
        let (mu, e) = (random.within(0.1, 0.8), random.within(0.2, 0.9));
        let across = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let k = [1, 2].map(|i| W[3 * i] - mu * (W[3 * i + 1] * cos + W[3 * i + 2] * sin));
            [cos * k[1] - sin * k[0], cos * k[0] + sin * k[1]]
        };
        let unstable = (0..720).find_map(|n| {
            let (mut low, mut high) = (f64::from(n) / 720.0 * TAU, f64::from(n + 1) / 720.0 * TAU);
            if !(across(low)[0] < 0.0 && across(high)[0] > 0.0 && across(low)[1] < -0.2) {
                return None;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                *(if across(middle)[0] < 0.0 { &mut low } else { &mut high }) = middle;
            }
            Some(low)
        });
        let Some(angle) = unstable else { continue };
        // Friction does not hold: there is a direction in which a slip grows.
        let grows = |n: i32| {
            let (low, high) = (f64::from(n) / 720.0 * TAU, f64::from(n + 1) / 720.0 * TAU);
            across(low)[0] > 0.0 && across(high)[0] < 0.0 && across(low)[1] > 0.2
        };
        if !(0..720).any(grows) {
            continue;
        }
        // Bodies that are never drawn together, and a slip that does stop.
        if W[0] < 1.5 * mu * W[1].hypot(W[2]) {
            continue;
        }
        let angle = angle + 10.0_f64.powf(random.within(-6.0, -1.0));
        let slip = random.within(0.05, 0.2);
        let u = [-random.within(0.5, 2.0), slip * angle.cos(), slip * angle.sin()];
        let contacts = [rough(2, e, mu)];
        let out = solve(&Newton, &contacts, &W, &u).unwrap();
        // Halving the step shows what the reference is worth.
        let [Some(coarse), Some(fine)] = [4e-3, 2e-3].map(|h| followed(&W, &u, (mu, e), h)) else {
            continue;
        };
        for i in 0..3 {
            let own = (fine[i] - coarse[i]).abs();
            assert!(own < 1e-10, "{passed}: {own}");
            assert!((out.impulses[i] - fine[i]).abs() < own + 1e-11, "{passed} row {i}: {out:?}");
        }
        passed += usize::from(fine[3] < 1e-7 * slip);
        closest = closest.min(fine[3]);
    }
    assert!(passed > 5 && closest < 1e-12, "{passed} {closest}");
}
