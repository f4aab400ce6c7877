//! What must never happen at an impact, and what is refused.

use carom::impact::laws::{
    Energetic, Generalised, IMPACT_LAWS, ImpactContact, ImpactError, ImpactFriction, ImpactLaw,
    ImpactMemory, ImpactProblem, ImpactSolution, Newton, Plastic, Poisson, Removal, Sequential,
    SingleLaw, find,
};
use carom_reference::planar_impact::rod_on_floor;
use carom_reference::random::Random;

use crate::impact_case::{Case, case, change, rough, smooth, solve};

/// Round-off of a handful of operations on numbers of size 1.
const ROUND_OFF: f64 = 1e-12;

/// Contacts of all kinds: smooth, rough, sticking, dependent, parting already.
fn any_case(random: &mut Random) -> Case {
    let k = 1 + random.index(5);
    let tangents = random.index(3);
    let alike = random.index(2) == 0;
    let e = random.uniform();
    let contacts: Vec<_> = (0..k)
        .map(|_| ImpactContact {
            tangents,
            restitution: if alike { e } else { random.uniform() },
            friction: match random.index(4) {
                0 if tangents > 0 => ImpactFriction::Stick,
                1 => ImpactFriction::None,
                _ if tangents > 0 => ImpactFriction::Coulomb(random.within(0.0, 2.0)),
                _ => ImpactFriction::None,
            },
        })
        .collect();
    let rank = 1 + random.index(k * (1 + tangents) + 2);
    case(random, contacts, rank)
}

/// As the specification asks for it.
const IMPACTS: usize = 100_000;

#[test]
fn nothing_happens_silently_in_a_hundred_thousand_random_impacts() {
    let mut random = Random::new(12);
    let mut memory = ImpactMemory::default();
    let mut out = ImpactSolution::default();
    let (mut answered, mut unsolved, mut gains) = (0, 0, 0);
    for round in 0..IMPACTS {
        let c = any_case(&mut random);
        let entry = &IMPACT_LAWS[round % IMPACT_LAWS.len()];
        let problem = ImpactProblem::new(&c.contacts, &c.W, &c.u).unwrap();
        match entry.law.solve(&problem, &mut memory, &mut out) {
            Ok(()) => answered += 1,
            Err(ImpactError::NotSolved { .. }) => {
                unsolved += 1;
                continue;
            }
            Err(_) => continue,
        }
        let name = entry.name;
        let size = c.u.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (mut row, mut work, mut scale) = (0, 0.0, 0.0);
        for (i, contact) in c.contacts.iter().enumerate() {
            let p_n = out.impulses[row];
            assert!(p_n >= 0.0, "{round} {name}: impulse {p_n}");
            assert!(
                out.after[row] > -1e-9 * size,
                "{round} {name}: {} closes {out:?} {:?}",
                out.after[row],
                c.contacts
            );
            let t = row + 1..row + contact.rows();
            let p_t = t.clone().fold(0.0_f64, |s, x| s.hypot(out.impulses[x]));
            let mu = contact.friction.coefficient();
            assert!(p_t <= mu * p_n * (1.0 + 1e-9), "{round} {name} {i}: {p_t} {p_n}");
            for x in row..row + contact.rows() {
                let expected = c.u[x] + change(&c.W, &out.impulses, x);
                assert!((out.after[x] - expected).abs() < 1e-9, "{round} {name}");
                work += 0.5 * out.impulses[x] * (c.u[x] + out.after[x]);
                scale += (out.impulses[x] * c.u[x]).abs();
            }
            row += contact.rows();
        }
        assert!(work <= 1e-9 * scale || out.notes.creates_energy, "{round} {name}: {work}");
        gains += usize::from(out.notes.creates_energy);
        let safe = ["energetic", "sequential-energetic", "sequential", "generalised"];
        let smooth = !c.contacts.iter().any(|c| c.friction.coefficient() > 0.0);
        if safe[..2].contains(&name) || (smooth && safe.contains(&name)) {
            assert!(!out.notes.creates_energy, "{round} {name}: {work}");
        }
    }
    assert!(
        10 * answered > 6 * IMPACTS && gains * 500 > IMPACTS,
        "{answered} answered, {gains} gains"
    );
    // Many of these have no solution: rows that depend on each other, and different e.
    assert!(unsolved * 10 < answered, "{unsolved} not solved of {answered}");
}

#[test]
fn one_contact_never_gains_energy_by_poisson_or_stronge() {
    let mut random = Random::new(13);
    for round in 0..5000 {
        let c = case(&mut random, vec![rough(1 + round % 2, 1.0, 1.0)], 5);
        for law in [&Poisson as &dyn ImpactLaw, &Energetic] {
            let out = solve(law, &c.contacts, &c.W, &c.u)
                .unwrap_or_else(|e| panic!("{round} {law:?} {:?} {:?}: {e}", c.W, c.u));
            assert!(!out.notes.creates_energy, "{round} {law:?}: {}", out.notes.contact_work);
        }
    }
}

#[test]
fn newton_with_friction_can_create_energy_and_says_so() {
    // Kane's double pendulum in short: a rod, steep friction, e = 1, sliding that reverses.
    let mut random = Random::new(14);
    let mut found = 0;
    for _ in 0..2000 {
        let W = rod_on_floor(1.0, random.within(0.1, 1.4));
        let u = [-random.within(0.1, 1.0), random.within(-2.0, 2.0)];
        let out = solve(&Newton, &[rough(1, 1.0, 0.4)], &[W[0], W[1], W[1], W[2]], &u).unwrap();
        if out.notes.creates_energy {
            found += 1;
            assert!(out.notes.contact_work > 0.0);
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn walls_that_hold_a_body_are_refused() {
    let W = [1.0, -1.0, -1.0, 1.0];
    let refused = solve(&Newton, &smooth(0.5, 2), &W, &[-1.0, 1.0]);
    assert!(matches!(refused, Err(ImpactError::Blocked { contact: 0 })), "{refused:?}");
    let plastic = solve(&Plastic, &smooth(0.5, 2), &W, &[-1.0, 1.0]).unwrap();
    assert!(plastic.after.iter().all(|u| u.abs() < ROUND_OFF));
    let endless =
        solve(&Sequential { inner: SingleLaw::Newton }, &smooth(1.0, 2), &W, &[-1.0, 1.0]);
    assert!(matches!(endless, Err(ImpactError::StillClosing { .. })), "{endless:?}");
}

#[test]
fn laws_refuse_what_they_are_not_defined_for() {
    let W = [1.0, 0.2, 0.2, 1.0];
    let one = [rough(1, 0.5, 0.3)];
    let general = Generalised { removal: Removal::Complementarity };
    let refused = solve(&general, &one, &W, &[-1.0, 0.1]);
    assert!(matches!(refused, Err(ImpactError::NoFriction { contact: 0, .. })));
    let two = [ImpactContact::smooth(0.1), ImpactContact::smooth(0.2)];
    let refused = solve(&general, &two, &W, &[-1.0, -1.0]);
    assert!(matches!(refused, Err(ImpactError::OneRestitutionOnly { .. })));
    let refused = solve(&Energetic, &two, &W, &[-1.0, -1.0]);
    assert!(matches!(refused, Err(ImpactError::OneContactOnly { closing: 2, .. })));
    let unknown = find("newtan").unwrap_err();
    assert!(unknown.to_string().contains("did you mean `newton`"), "{unknown}");
    assert!(find("billiards").unwrap_err().to_string().contains("sequential"));
    assert_eq!(find("plastic").unwrap().law.name(), "plastic");
}

#[test]
fn a_problem_that_is_none_is_refused() {
    let one = [ImpactContact::smooth(0.5)];
    let check =
        |c: &[ImpactContact], W: &[f64], u: &[f64]| ImpactProblem::new(c, W, u).unwrap_err();
    assert!(matches!(check(&one, &[1.0, 2.0], &[-1.0]), ImpactError::Size { found: 2, .. }));
    assert!(matches!(check(&one, &[f64::NAN], &[-1.0]), ImpactError::NotFinite { of: "W", .. }));
    assert!(matches!(
        check(&one, &[1.0], &[f64::INFINITY]),
        ImpactError::NotFinite { of: "u", .. }
    ));
    let bad = [ImpactContact::smooth(1.5)];
    assert!(matches!(check(&bad, &[1.0], &[-1.0]), ImpactError::Restitution { .. }));
    let bad = [rough(1, 0.5, -0.1)];
    assert!(matches!(check(&bad, &[1.0; 4], &[-1.0; 2]), ImpactError::Friction { .. }));
    let bad = [rough(3, 0.5, 0.1)];
    assert!(matches!(check(&bad, &[1.0; 16], &[-1.0; 4]), ImpactError::Tangents { found: 3, .. }));
    let two = smooth(0.5, 2);
    let crooked = [1.0, 0.5, 0.1, 1.0];
    assert!(matches!(check(&two, &crooked, &[-1.0; 2]), ImpactError::NotSymmetric { .. }));
}
