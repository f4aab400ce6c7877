//! Exact gradients against Richardson differences.

use carom::dynamics::{Excitation, Mechanism, assemble, close_loops};
use carom::impact::{EffectiveMass, Gradients};
use carom::kinematics::State;
use carom::model::parts::{ContactPart, ContactPlace, PointPart, ShapePart};
use carom::model::{ContactDefaults, Model, Parts, Place, ShapeKind};

use crate::random_mechanism::{Random, parts};

/// Relative to the size of the quantity and of its gradient.
const TOLERANCE: f64 = 1e-8;

/// A random mechanism with one contact: two spheres, or two points and a normal.
pub fn with_contact(seed: u64, bodies: usize, loops: usize, planar: bool) -> Parts {
    let mut parts = parts(seed, bodies, loops, planar);
    let mut random = Random(seed ^ 0x5EED);
    let b = random.below(bodies);
    let a = (random.below(3) > 0).then(|| random.below(bodies)).filter(|a| *a != b);
    let place = if seed.is_multiple_of(3) {
        ContactPlace::Points {
            a: PointPart { body: a, at: random.vector(planar) },
            b: PointPart { body: Some(b), at: random.vector(planar) },
            normal_in: if random.below(2) == 0 { None } else { Some(b) },
            normal: random.direction(planar),
        }
    } else {
        for (name, body) in [("first", a), ("second", Some(b))] {
            parts.shapes.push(ShapePart {
                name: name.to_owned(),
                body,
                kind: ShapeKind::Sphere {
                    center: random.vector(planar),
                    radius: random.within(0.1, 0.4),
                },
            });
        }
        ContactPlace::Shapes(0, 1)
    };
    let defaults = ContactDefaults::default();
    parts.contacts.push(ContactPart { name: "hit".to_owned(), place, defaults });
    parts
}

fn effective(model: &Model, state: &State) -> EffectiveMass {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state).expect("the state is finite");
    let touch = at.touch(0).expect("the normal is defined");
    let point = touch.points()[0];
    at.effective_mass(&at.contact_row(0, &point, &point.normal))
}

/// The state with velocities Π v: the least change in the mass metric that satisfies the closures.
fn made_consistent(model: &Model, state: &State) -> State {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state).expect("the state is finite");
    let rates: Vec<f64> = at.closure_rates(state.v.as_slice()).iter().map(|r| -r).collect();
    let x = at.solve(&Excitation { rates: &rates, ..Excitation::default() }).x;
    let mut out = state.clone();
    out.v.iter_mut().zip(x).for_each(|(v, x)| *v += x);
    out
}

/// Central differences with steps h, h/2, h/4, extrapolated to O(h⁶); of five step sizes the one
/// counts where two neighbours agree best: larger ones truncate, smaller ones drown in round-off.
pub fn richardson(f: &dyn Fn(f64) -> f64, h: f64) -> f64 {
    let d = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let extrapolated = |h: f64| {
        let (a, b, c) = (d(h), d(h / 2.0), d(h / 4.0));
        let (ab, bc) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
        (16.0 * bc - ab) / 15.0
    };
    let values: Vec<f64> = (0..5).map(|k| extrapolated(h / f64::from(1 << k))).collect();
    let best = (1..5).min_by(|i, j| {
        let change = |k: usize| (values[k] - values[k - 1]).abs();
        change(*i).total_cmp(&change(*j))
    });
    values[best.expect("five steps")]
}

/// All gradients of one mechanism; false where it is too ill-conditioned or immobile to count.
#[allow(clippy::too_many_lines, reason = "one mechanism, every parameter in turn")]
fn gradients_agree(seed: u64, bodies: usize, loops: usize, planar: bool) -> bool {
    let parts = with_contact(seed, bodies, loops, planar);
    let model = Model::new(&parts).expect("a random mechanism is valid");
    let Ok(assembled) = assemble(&model) else { return false };
    let state = assembled.state;
    let mut mechanism = Mechanism::new(&model);
    let Ok(at) = mechanism.at(&state) else { return false };
    let Ok(touch) = at.touch(0) else { return false };
    let report = at.constraint_report();
    let point = touch.points()[0];
    let row = at.contact_row(0, &point, &point.normal);
    let now = at.effective_mass(&row);
    let free = row.free_mobility(&model, at.frames());
    if report.condition.is_none_or(|c| c > 1e4)
        || report.rank < report.rows
        || now.mobility < 1e-3 * free
    {
        return false;
    }
    let variation = |motion: &dyn Fn(Place) -> carom::maths::Twist| {
        at.contact_variation(0, 0, motion).expect("the normal is defined")
    };
    let exact = Gradients::new(&at, &row, &variation, &now).expect("it is mobile");
    let check = |what: &str, exact: f64, differences: f64, size: f64| {
        let error = (exact - differences).abs();
        assert!(
            error <= TOLERANCE * (size + exact.abs()),
            "seed {seed} ({bodies} bodies, {loops} loops, planar {planar}), {what}: exact {exact}, differences {differences}"
        );
    };

    // Inertial parameters: change the parts and build again.
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        effective(&Model::new(&parts).expect("still valid"), &state).mass
    };
    for (b, part) in parts.bodies.iter().enumerate() {
        let id = model.body(&part.name).expect("it has a name").index();
        let g = &exact.mass_by_body[id];
        let by_mass = richardson(&|h| changed(&|p| p.bodies[b].mass += h), 0.02 * part.mass);
        check("mass", g.mass, by_mass, now.mass);
        for k in 0..if planar { 2 } else { 3 } {
            let by_center = richardson(&|h| changed(&|p| p.bodies[b].center[k] += h), 0.01);
            check("center", g.center[k], by_center, now.mass);
        }
        let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        for (k, (i, j)) in entries.into_iter().enumerate() {
            if planar && k != 2 {
                continue;
            }
            let by_inertia = richardson(
                &|h| {
                    changed(&|p| {
                        p.bodies[b].inertia[(i, j)] += h;
                        if i != j {
                            p.bodies[b].inertia[(j, i)] += h;
                        }
                    })
                },
                1e-3,
            );
            check("inertia", g.inertia[k], by_inertia, now.mass);
        }
    }
    for joint in &parts.joints {
        let body =
            &model.bodies[model.body(&parts.bodies[joint.child].name).expect("named").index()];
        for (c, column) in body.joint.velocities().enumerate() {
            let mut model = model.clone();
            let index = model.body(&body.name).expect("named").index();
            let start = model.bodies[index].joint.rotor[c];
            let base = start.max(0.05);
            model.bodies[index].joint.rotor[c] = base;
            let exact = {
                let mut mechanism = Mechanism::new(&model);
                let at = mechanism.at(&state).expect("finite");
                let now = at.effective_mass(&row);
                let w = at.response(&row).x[column];
                now.mass * now.mass * w * w
            };
            let by_rotor = richardson(
                &|h| {
                    let mut model = model.clone();
                    model.bodies[index].joint.rotor[c] = base + h;
                    effective(&model, &state).mass
                },
                1e-3,
            );
            check("rotor", exact, by_rotor, now.mass);
        }
    }

    // Joint positions, along the constraint manifold, at fixed v.
    for column in 0..model.nv {
        let Some(direction) = Gradients::direction(&at, column) else { continue };
        if direction.iter().any(|x| x.abs() > 20.0) {
            continue;
        }
        let along = |h: f64| {
            let mut moved = state.clone();
            let step: Vec<f64> = direction.iter().map(|x| x * h).collect();
            moved.advance(&model, &step);
            close_loops(&model, &moved).map(|s| {
                let consistent = made_consistent(&model, &s);
                (effective(&model, &s), effective(&model, &consistent).energy)
            })
        };
        let h = 2e-3;
        if [h, -h].iter().any(|h| along(*h).is_err()) {
            continue;
        }
        let value = |h: f64| along(h).expect("checked at the largest step");
        let dot = |g: &[f64]| g.iter().zip(&direction).map(|(g, d)| g * d).sum::<f64>();
        let size: f64 = direction.iter().map(|x| x.abs()).sum::<f64>() * now.mass;
        check(
            "position (m_eff)",
            dot(&exact.mass_by_position),
            richardson(&|h| value(h).0.mass, h),
            size,
        );
        let energy = size / now.mass * now.energy.max(0.1);
        check(
            "position (T_c)",
            dot(&exact.energy_by_position),
            richardson(&|h| value(h).0.energy, h),
            energy,
        );
        check(
            "position (T_c, consistent v)",
            dot(&exact.consistent_energy_by_position),
            richardson(&|h| value(h).1, h),
            energy,
        );
    }
    true
}

#[test]
fn gradients_are_exact_on_trees() {
    let mut counted = 0;
    for seed in 0..120 {
        counted += usize::from(gradients_agree(seed, 1 + (seed % 5) as usize, 0, seed % 2 == 0));
    }
    assert!(counted > 60, "only {counted} counted");
}

#[test]
fn gradients_are_exact_on_loops() {
    let mut counted = 0;
    for seed in 0..240 {
        let bodies = 2 + (seed % 5) as usize;
        counted +=
            usize::from(gradients_agree(seed, bodies, 1 + (seed % 2) as usize, seed % 2 == 0));
    }
    assert!(counted > 40, "only {counted} counted");
}
