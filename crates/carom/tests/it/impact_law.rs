//! Impact laws in contact space without friction: each law's defining equations, and other formulations.

use carom::impact::laws::{
    Energetic, Generalised, IMPACT_LAWS, ImpactContact, ImpactError, ImpactLaw, Newton, Plastic,
    Poisson, Removal, Sequential, SingleLaw,
};
use carom_reference::random::Random;

use crate::impact_case::{case, change, smooth, solve};

/// Round-off of a handful of operations on numbers of size 1.
const ROUND_OFF: f64 = 1e-12;

/// Complementarity as the specification asks for it.
const COMPLEMENTARITY: f64 = 1e-10;

#[test]
fn newton_meets_its_complementarity() {
    let mut random = Random::new(1);
    for round in 0..2000 {
        let k = 1 + round % 7;
        let contacts: Vec<_> = (0..k).map(|_| ImpactContact::smooth(random.uniform())).collect();
        let c = case(&mut random, contacts, 1 + k);
        let out = solve(&Newton, &c.contacts, &c.W, &c.u).unwrap();
        for i in 0..k {
            let after = c.u[i] + change(&c.W, &out.impulses, i);
            assert!((after - out.after[i]).abs() < ROUND_OFF, "u⁺ = u⁻ + W p");
            let slack = after + c.contacts[i].restitution * c.u[i].min(0.0);
            assert!(out.impulses[i] >= 0.0 && slack > -COMPLEMENTARITY, "{round}: {slack}");
            let complementary = (c.W[i * k + i] * out.impulses[i]).min(slack).abs();
            assert!(complementary < COMPLEMENTARITY, "{round}: {complementary}");
        }
    }
}

#[test]
fn one_pass_is_the_complementarity_for_two_approaching_contacts() {
    let mut random = Random::new(2);
    let mut found = 0;
    while found < 1000 {
        let c = case(&mut random, smooth(0.0, 2), 3);
        if c.u[0] >= 0.0 || c.u[1] >= 0.0 {
            continue;
        }
        found += 1;
        let out = solve(&Plastic, &c.contacts, &c.W, &c.u).unwrap();
        assert!(!out.notes.sets_differ(), "{:?} {:?}", out.notes.kept, out.notes.active);
        let one =
            solve(&Generalised { removal: Removal::OnePass }, &c.contacts, &c.W, &c.u).unwrap();
        for i in 0..2 {
            assert!((one.after[i] - out.after[i]).abs() < COMPLEMENTARITY);
        }
    }
}

#[test]
fn for_three_contacts_one_pass_may_fail_where_the_complementarity_holds() {
    let mut random = Random::new(3);
    let mut failed = 0;
    for _ in 0..3000 {
        let c = case(&mut random, smooth(0.0, 3), 4);
        if c.u.iter().any(|u| *u >= 0.0) {
            continue;
        }
        let out = solve(&Plastic, &c.contacts, &c.W, &c.u).unwrap();
        for i in 0..3 {
            assert!(out.impulses[i] >= 0.0 && out.after[i] > -COMPLEMENTARITY);
            assert!((out.impulses[i] * out.after[i]).abs() < COMPLEMENTARITY);
        }
        let one = solve(&Generalised { removal: Removal::OnePass }, &c.contacts, &c.W, &c.u);
        if out.notes.sets_differ() {
            failed += 1;
            // What one pass leaves pulls, or closes again and is solved again.
            match one {
                Err(ImpactError::Pulls { .. }) => {}
                Ok(one) => assert!(one.notes.repeats > 0, "{:?}", one.notes),
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(failed > 5, "{failed} cases");
}

#[test]
fn generalised_restitution_takes_its_share_of_the_constrained_energy() {
    let mut random = Random::new(4);
    for round in 0..1000 {
        let k = 1 + round % 4;
        let e = random.uniform();
        let c = case(&mut random, smooth(e, k), k + 2);
        let law = Generalised { removal: Removal::Complementarity };
        let out = solve(&law, &c.contacts, &c.W, &c.u).unwrap();
        if out.notes.repeats > 0 || !out.notes.active.contains(&true) {
            continue;
        }
        // The plastic impact takes T_c⁻ of the rows in force; this one (1 − e*²) of it.
        let plastic = solve(&Plastic, &c.contacts, &c.W, &c.u).unwrap();
        let expected = (1.0 - e * e) * plastic.notes.contact_work;
        assert!((out.notes.contact_work - expected).abs() < ROUND_OFF, "{round}");
    }
}

#[test]
fn poisson_equals_newton_where_friction_and_other_contacts_are_absent() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let e = random.uniform();
        let c = case(&mut random, smooth(e, 1), 2);
        let newton = solve(&Newton, &c.contacts, &c.W, &c.u).unwrap();
        for law in [&Poisson as &dyn ImpactLaw, &Energetic] {
            let other = solve(law, &c.contacts, &c.W, &c.u).unwrap();
            assert!((other.after[0] - newton.after[0]).abs() < ROUND_OFF);
        }
    }
}

#[test]
fn poisson_gives_back_its_share_of_the_impulse_or_more() {
    let mut random = Random::new(6);
    for round in 0..1000 {
        let k = 1 + round % 5;
        let contacts: Vec<_> = (0..k).map(|_| ImpactContact::smooth(random.uniform())).collect();
        let c = case(&mut random, contacts, k + 1);
        let out = solve(&Poisson, &c.contacts, &c.W, &c.u).unwrap();
        let compressed = solve(&Plastic, &c.contacts, &c.W, &c.u).unwrap();
        for i in 0..k {
            let extra =
                out.impulses[i] - (1.0 + c.contacts[i].restitution) * compressed.impulses[i];
            assert!(extra > -COMPLEMENTARITY && out.after[i] > -COMPLEMENTARITY);
            assert!((extra * out.after[i]).abs() < COMPLEMENTARITY, "{round}");
        }
    }
}

/// W of planar balls of unit mass in a row: contact i between balls i and i + 1.
fn cradle(balls: usize) -> (Vec<f64>, Vec<f64>) {
    let k = balls - 1;
    let mut W = vec![0.0; k * k];
    for i in 0..k {
        W[i * k + i] = 2.0;
        if i > 0 {
            (W[i * k + i - 1], W[(i - 1) * k + i]) = (-1.0, -1.0);
        }
    }
    let mut u = vec![0.0; k];
    u[0] = -1.0;
    (W, u)
}

/// Velocities of the balls: the first came with 1, an impulse p at contact i pushes i back and i + 1 on.
fn balls(p: &[f64]) -> Vec<f64> {
    let k = p.len();
    (0..=k)
        .map(|b| {
            let start = if b == 0 { 1.0 } else { 0.0 };
            start + if b > 0 { p[b - 1] } else { 0.0 } - if b < k { p[b] } else { 0.0 }
        })
        .collect()
}

#[test]
fn a_cradle_throws_one_ball_in_sequence_and_several_at_once() {
    for n in 3..=5 {
        let (W, u) = cradle(n);
        let contacts = smooth(1.0, n - 1);
        let in_turn = solve(&Sequential { inner: SingleLaw::Newton }, &contacts, &W, &u).unwrap();
        let v = balls(&in_turn.impulses);
        for (b, v) in v.iter().enumerate() {
            let expected = if b == n - 1 { 1.0 } else { 0.0 };
            assert!((v - expected).abs() < ROUND_OFF, "{n} balls: {v} of ball {b}");
        }
        assert_eq!((in_turn.notes.steps, in_turn.notes.ties), (n - 1, 0));
        let at_once = solve(&Newton, &contacts, &W, &u).unwrap();
        let v = balls(&at_once.impulses);
        // Reflection of (1, 0, 0, …) about the mean: all others move together.
        let mean = 1.0 / n as f64;
        for (b, v) in v.iter().enumerate() {
            let expected = if b == 0 { 2.0 * mean - 1.0 } else { 2.0 * mean };
            assert!((v - expected).abs() < ROUND_OFF, "{n} balls: {v} of ball {b}");
        }
    }
}

#[test]
fn a_wedge_leaves_no_wall_penetrated_and_counts_its_repeats() {
    // Ball in a corner of 60°: inward normals 120° apart, unit mass.
    let W = [1.0, -0.5, -0.5, 1.0];
    let u = [-1.0, 0.2];
    for entry in &IMPACT_LAWS {
        if entry.name == "energetic" {
            let refused = solve(entry.law, &smooth(1.0, 2), &W, &u);
            assert!(matches!(refused, Err(ImpactError::OneContactOnly { closing: 2, .. })));
            continue;
        }
        let out = solve(entry.law, &smooth(1.0, 2), &W, &u).unwrap();
        assert!(out.after.iter().all(|u| *u > -ROUND_OFF), "{}: {out:?}", entry.name);
        if entry.name.starts_with("generalised") {
            assert!(out.notes.repeats > 0, "{}", entry.name);
        }
    }
}
