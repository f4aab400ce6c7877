//! Impact laws in contact space: each law's defining equations, other formulations, and what must never happen.

use carom::impact::laws::{
    ContactMode, Energetic, FrictionForm, Generalised, IMPACT_LAWS, ImpactContact, ImpactError,
    ImpactFriction, ImpactLaw, ImpactMemory, ImpactProblem, ImpactSolution, Newton, Plastic,
    Poisson, Removal, Sequential, SingleLaw, Uniqueness, find,
};
use carom_reference::planar_impact::{Law, PlanarImpact, Regime, rod_on_floor};
use carom_reference::random::Random;

/// Round-off of a handful of operations on numbers of size 1.
const ROUND_OFF: f64 = 1e-12;
/// Complementarity as the specification asks for it.
const COMPLEMENTARITY: f64 = 1e-10;

fn solve(
    law: &dyn ImpactLaw,
    contacts: &[ImpactContact],
    W: &[f64],
    u: &[f64],
) -> Result<ImpactSolution, ImpactError> {
    let mut out = ImpactSolution::default();
    let problem = ImpactProblem::new(contacts, W, u)?;
    law.solve(&problem, &mut ImpactMemory::default(), &mut out)?;
    Ok(out)
}

/// A random impact: W = G Gᵀ of some rank, u = G w, so that the rows are those of a mechanism.
struct Case {
    contacts: Vec<ImpactContact>,
    W: Vec<f64>,
    u: Vec<f64>,
}

fn gram(G: &[Vec<f64>]) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect()
}

fn case(random: &mut Random, contacts: Vec<ImpactContact>, rank: usize) -> Case {
    let rows: usize = contacts.iter().map(ImpactContact::rows).sum();
    let G: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..rank).map(|_| random.within(-1.0, 1.0)).collect()).collect();
    let w: Vec<f64> = (0..rank).map(|_| random.within(-1.0, 1.0)).collect();
    let u = G.iter().map(|g| g.iter().zip(&w).map(|(g, w)| g * w).sum()).collect();
    Case { W: gram(&G), u, contacts }
}

fn smooth(e: f64, k: usize) -> Vec<ImpactContact> {
    vec![ImpactContact::smooth(e); k]
}

/// Δu = W p, row by row.
fn change(W: &[f64], p: &[f64], row: usize) -> f64 {
    let n = p.len();
    W[row * n..(row + 1) * n].iter().zip(p).map(|(w, p)| w * p).sum()
}

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

fn rough(tangents: usize, e: f64, mu: f64) -> ImpactContact {
    ImpactContact { tangents, restitution: e, friction: ImpactFriction::Coulomb(mu) }
}

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

/// All in a release build; a debug build takes a tenth, to be quick.
const IMPACTS: usize = if cfg!(debug_assertions) { 10_000 } else { 100_000 };

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

#[test]
fn redundant_contacts_have_one_motion_and_the_shortest_impulses() {
    // A plate on four corners (±a, ±b): rows (1, y, −x) of v, ω_x, ω_y.
    let (a, b) = (0.5, 0.3);
    let corners = [[a, b], [-a, b], [-a, -b], [a, -b]];
    let (m, J) = (2.0_f64, [0.2_f64, 0.5]);
    let G: Vec<Vec<f64>> = corners
        .iter()
        .map(|[x, y]| vec![1.0 / m.sqrt(), y / J[0].sqrt(), -x / J[1].sqrt()])
        .collect();
    let W = gram(&G);
    for (v, turning) in [(-1.0, [0.0, 0.0]), (-1.0, [0.3, -0.2])] {
        let w = [v * m.sqrt(), turning[0] * J[0].sqrt(), turning[1] * J[1].sqrt()];
        let u: Vec<f64> = G.iter().map(|g| g.iter().zip(&w).map(|(g, w)| g * w).sum()).collect();
        for entry in
            IMPACT_LAWS.iter().filter(|e| ["newton", "poisson", "plastic"].contains(&e.name))
        {
            let e = 0.5;
            let out = solve(entry.law, &smooth(e, 4), &W, &u).unwrap();
            assert_eq!(out.notes.uniqueness, Uniqueness::LeastNorm, "{}", entry.name);
            // All corners close, so u⁺ = −e u⁻ at each is consistent and unique.
            let e = if entry.name == "plastic" { 0.0 } else { e };
            for (after, before) in out.after.iter().zip(&u) {
                assert!((after + e * before).abs() < ROUND_OFF, "{}", entry.name);
            }
            // The one combination that moves nothing has no share in the shortest.
            let p = &out.impulses;
            assert!((p[0] - p[1] + p[2] - p[3]).abs() < ROUND_OFF, "{p:?}");
        }
    }
}

#[test]
fn a_thousand_contacts_of_one_body_are_no_burden() {
    let mut random = Random::new(15);
    let k = 1000;
    let G: Vec<Vec<f64>> = (0..k)
        .map(|_| {
            (0..6)
                .map(|d| if d == 0 { random.within(0.3, 1.0) } else { random.within(-0.5, 0.5) })
                .collect()
        })
        .collect();
    let w = [-1.0, 0.2, 0.1, -0.3, 0.2, 0.1];
    let u: Vec<f64> = G.iter().map(|g| g.iter().zip(&w).map(|(g, w)| g * w).sum()).collect();
    let W = gram(&G);
    let out = solve(&Newton, &smooth(0.4, k), &W, &u).unwrap();
    for ((after, before), p) in out.after.iter().zip(&u).zip(&out.impulses) {
        let slack = after + 0.4 * before.min(0.0);
        assert!(*p >= 0.0 && slack > -COMPLEMENTARITY);
        assert!((p * slack).abs() < COMPLEMENTARITY);
    }
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

#[test]
fn sticking_is_the_limit_of_large_friction() {
    let mut random = Random::new(16);
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
        for (x, y) in large.after.iter().zip(&limit.after) {
            assert!((x - y).abs() < 1e-4, "{round}: {:?} {:?}", large.after, limit.after);
        }
    }
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
fn solving_again_allocates_nothing() {
    let mut random = Random::new(17);
    let contacts: Vec<_> = (0..4).map(|_| rough(2, 0.5, 0.3)).collect();
    let rough_case = case(&mut random, contacts, 14);
    let smooth_case = case(&mut random, smooth(0.5, 6), 4);
    for (c, laws) in [
        (&rough_case, &["newton", "poisson", "sequential", "plastic"][..]),
        (&smooth_case, &["newton", "poisson", "generalised", "generalised-repeated", "sequential"]),
    ] {
        for name in laws {
            let law = find(name).unwrap().law;
            let problem = ImpactProblem::new(&c.contacts, &c.W, &c.u).unwrap();
            let mut memory = ImpactMemory::default();
            let mut out = ImpactSolution::default();
            let first = law.solve(&problem, &mut memory, &mut out);
            let before = out.clone();
            let info = allocation_counter::measure(|| {
                let _ = std::hint::black_box(law.solve(&problem, &mut memory, &mut out));
            });
            assert_eq!(info.count_total, 0, "{name}: {first:?}");
            assert_eq!(before, out, "{name}: the same bits");
        }
    }
}
#[test]
fn a_flat_box_with_friction_shares_its_impulses_evenly() {
    // Corners at (±a, −h): rows n, t of each in v_x, v_y, ω with mass 1 and inertia J.
    let (a, h, J) = (0.2_f64, 0.1_f64, 0.02_f64);
    let G: Vec<Vec<f64>> = [a, -a]
        .iter()
        .flat_map(|x| [vec![0.0, 1.0, x / J.sqrt()], vec![1.0, 0.0, h / J.sqrt()]])
        .collect();
    let (W, e) = (gram(&G), 0.4);
    // Within the cone both tangents push through one line, and the shortest share is the even one. Beyond it
    // friction follows the normals, and nothing is left to choose.
    let cases = [(0.1, 0.9, Uniqueness::LeastNorm), (1.0, 0.05, Uniqueness::Unique)];
    for (slide, mu, unique) in cases {
        let u = [-1.0, slide, -1.0, slide];
        let out = solve(&Plastic, &[rough(1, e, mu), rough(1, e, mu)], &W, &u).unwrap();
        assert_eq!(out.notes.uniqueness, unique, "{slide}");
        let p = &out.impulses;
        if unique == Uniqueness::LeastNorm {
            assert!((p[1] - p[3]).abs() < ROUND_OFF, "{p:?}");
        }
        assert!(out.after[0].abs() < 1e-10 && out.after[2].abs() < 1e-10);
    }
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
