//! Contacts that depend on each other: one motion, the shortest impulses, and no burden.

use carom::impact::laws::{
    ContactMode, IMPACT_LAWS, ImpactMemory, ImpactProblem, ImpactSolution, Newton, Plastic, find,
};
use carom_reference::feasible::feasible;
use carom_reference::random::Random;

use crate::impact_case::{case, gram, rough, smooth, solve};

/// Round-off of a handful of operations on numbers of size 1.
const ROUND_OFF: f64 = 1e-12;

/// Complementarity as the specification asks for it.
const COMPLEMENTARITY: f64 = 1e-10;

/// A shorter set is one that is shorter by more than this part.
const SHORT: f64 = 1e-4;

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
            assert!(out.notes.are_shortest(), "{}: {:?}", entry.name, out.notes);
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
    let cases = [(0.1, 0.9, 1), (1.0, 0.05, 0)];
    for (slide, mu, others) in cases {
        let u = [-1.0, slide, -1.0, slide];
        let out = solve(&Plastic, &[rough(1, e, mu), rough(1, e, mu)], &W, &u).unwrap();
        assert_eq!(out.notes.uniqueness.impulses, others, "{slide}");
        assert_eq!(out.notes.uniqueness.velocities, 0, "{slide}");
        let p = &out.impulses;
        if others > 0 {
            assert!(out.notes.are_shortest(), "{slide}");
            assert!((p[1] - p[3]).abs() < ROUND_OFF, "{p:?}");
        }
        assert!(out.after[0].abs() < 1e-10 && out.after[2].abs() < 1e-10);
    }
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

/// Whether impulses p ≥ 0 could be shorter with the same velocities and none where the bodies part: a direction z with
/// W z = 0, z ≥ 0 where p is zero, z = 0 where the bodies part, and pᵀ z = −|p|² is a linear programme.
fn can_be_shorter(W: &[f64], out: &ImpactSolution, parts: &[bool]) -> bool {
    let n = out.impulses.len();
    let p = &out.impulses;
    let size = p.iter().fold(0.0_f64, |s, p| s.max(p.abs()));
    let able: Vec<usize> = (0..n).filter(|i| !parts[*i]).collect();
    // z = x − y; y only where p may shrink.
    let down: Vec<usize> = able.iter().copied().filter(|i| p[*i] > SHORT * size).collect();
    let entry = |row: &[f64]| -> Vec<f64> {
        able.iter().map(|i| row[*i]).chain(down.iter().map(|i| -row[*i])).collect()
    };
    let mut A: Vec<Vec<f64>> = W.chunks(n).map(entry).collect();
    let mut b = vec![0.0; n];
    // Shorter by a part that round-off does not make.
    A.push(entry(p));
    b.push(-SHORT * size * size);
    let limit: Vec<f64> = vec![1.0; able.len() + down.len()];
    A.push([limit, vec![1.0]].concat());
    b.push(size);
    A.iter_mut().take(n + 1).for_each(|row| row.push(0.0));
    feasible(&A, &b).is_some()
}

#[test]
fn impulses_said_to_be_the_shortest_cannot_be_shortened_by_any_law() {
    let mut random = Random::new(611);
    let (mut shortest, mut others) = (0, 0);
    for round in 0..4000 {
        let k = 2 + round % 6;
        let e = random.uniform();
        let c = case(&mut random, smooth(e, k), 1 + round % 4);
        for law in ["newton", "plastic", "poisson", "generalised"] {
            let Ok(out) = solve(find(law).unwrap().law, &c.contacts, &c.W, &c.u) else { continue };
            if out.notes.uniqueness.impulses == 0 {
                continue;
            }
            if !out.notes.are_shortest() {
                others += usize::from(["newton", "plastic"].contains(&law));
                continue;
            }
            shortest += 1;
            // The law leaves a row without impulse where the bodies part faster than it asks for.
            let aim = |u: f64| if law == "plastic" { 0.0 } else { -e * u.min(0.0) };
            let parts: Vec<bool> = (out.after.iter().zip(&c.u).zip(&out.impulses))
                .map(|((after, u), p)| *p == 0.0 && after - aim(*u) > 1e-9)
                .collect();
            assert!(!can_be_shorter(&c.W, &out, &parts), "{round} {law}: {:?}", out.impulses);
        }
    }
    // Where W hangs together but for round-off the law says that it gives one of many.
    assert!(shortest > 2000 && 50 * others < shortest, "{shortest} shortest, {others} others");
}

/// Rows of contacts at points of a body of unit mass, each normal along z with two tangents turned about it: velocities are
/// (v, ω) in units in which the inertia is one.
fn feet(points: &[[f64; 3]], turned: &[f64]) -> Vec<Vec<f64>> {
    let row = |[x, y, z]: [f64; 3], [a, b, c]: [f64; 3]| {
        vec![a, b, c, y * c - z * b, z * a - x * c, x * b - y * a]
    };
    let rows = |(point, angle): (&[f64; 3], &f64)| {
        let (sin, cos) = angle.sin_cos();
        [[0.0, 0.0, 1.0], [cos, sin, 0.0], [-sin, cos, 0.0]].map(|along| row(*point, along))
    };
    points.iter().zip(turned).flat_map(rows).collect()
}

#[test]
fn feet_that_slide_share_alike_whatever_their_order_and_tangents() {
    // Four feet of a body that turns while it slides: who carries decides which way friction turns it.
    let mut random = Random::new(88);
    let (mut shared, mut stuck) = (0, 0);
    for round in 0..200 {
        let height = random.within(0.1, 0.4);
        let points: Vec<[f64; 3]> = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
            .iter()
            .map(|[x, y]| [x * random.within(0.2, 0.6), y * random.within(0.2, 0.6), -height])
            .collect();
        let w: Vec<f64> = [1.0, 1.0, 0.0, 0.0, 0.0, 2.0]
            .iter()
            .enumerate()
            .map(|(i, s)| if i == 2 { -1.0 } else { s * random.within(-1.0, 1.0) })
            .collect();
        let (mu, e) = (random.within(0.1, 0.4), random.within(0.0, 0.8));
        let contacts = vec![rough(2, e, mu); 4];
        let motion = |order: [usize; 4], turned: [f64; 4], soft: f64| {
            let points = order.map(|i| points[i]);
            let G = feet(&points, &turned);
            let mut W = gram(&G);
            (0..12).for_each(|i| W[13 * i] += soft);
            let along = |g: &Vec<f64>| g.iter().zip(&w).map(|(g, w)| g * w).sum::<f64>();
            let u: Vec<f64> = G.iter().map(along).collect();
            let out = solve(&Newton, &contacts, &W, &u).unwrap();
            // What the bodies do: w + Gᵀ p.
            let pushed = |d: usize| G.iter().zip(&out.impulses).map(|(g, p)| g[d] * p).sum::<f64>();
            let slides = out.notes.modes.contains(&ContactMode::Slides);
            ((0..6).map(pushed).collect::<Vec<f64>>(), out.notes.uniqueness, slides)
        };
        let apart = |x: &[f64], y: &[f64]| {
            x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0_f64, f64::max)
        };
        let (first, unique, slides) = motion([0, 1, 2, 3], [0.0; 4], 0.0);
        shared += usize::from(unique.impulses + unique.velocities > 0);
        for (order, turned) in [([2, 0, 3, 1], [0.3, -2.0, 1.1, 0.7]), ([3, 2, 1, 0], [2.0; 4])] {
            let (other, ..) = motion(order, turned, 0.0);
            assert!(apart(&first, &other) < 1e-10, "{round}: {first:?} {other:?}");
        }
        if !slides {
            // An answer without slip is preferred, even one whose impulses hold each other as those of springs would not.
            stuck += 1;
            continue;
        }
        // Feet on springs that are hardly soft move almost so.
        let springs =
            [1e-5, 1e-6].map(|soft| apart(&first, &motion([0, 1, 2, 3], [0.0; 4], soft).0));
        assert!(springs[1] < 1e-5 && springs[1] < 0.2 * springs[0] + 1e-10, "{round}: {springs:?}");
    }
    assert!(shared > 100 && stuck < 60, "{shared} {stuck}");
}
