//! The defining equations, put back together at the answer.

use carom::dynamics::{Accelerations, Mechanism, Posture, Terms, assemble};
use carom::impact::{Assessment, EffectiveMass, ImpactTerms, Options};
use carom::kinematics::State;
use carom::maths::Vec3;
use carom::maths::expression::{Operator, Step, Tape, Variable};
use carom::model::parts::{DrivePart, LoadKind, LoadPart, PointPart};
use carom::model::{ContactGeometry, JointKind, Load, Model, Parts, Place, Row};
use nalgebra::DVector;

use crate::gradient::{richardson, with_contact};
use crate::random_mechanism::{Random, parts};
use crate::twin::random_row;
use crate::workshop::{Worst, with_posture};

/// Linear systems solved by factors: round-off times the size of the terms, where D M⁻¹ Dᵀ is
/// conditioned to 1e6 or better.
const LINEAR: f64 = 1e-10;
/// Extrapolated differences end where round-off 1e-16/h meets truncation: about 1e-11 of the terms'
/// size with h between 1e-4 and 1e-3. Two digits are left for unlucky terms.
const DIFFERENCES: f64 = 1e-9;
/// The condition of D M⁻¹ Dᵀ up to which mechanisms count.
const WELL_CONDITIONED: f64 = 1e6;

/// A random mechanism with a contact, locked joints, and loads of every kind.
fn loaded(seed: u64, bodies: usize, loops: usize, planar: bool) -> Parts {
    let mut parts = with_contact(seed, bodies, loops, planar);
    let mut random = Random(seed ^ 0x10AD);
    let point = |random: &mut Random, bodies: usize| PointPart {
        body: Some(random.below(bodies)),
        at: random.vector(planar),
    };
    let number = |random: &mut Random| Tape::constant(random.within(-3.0, 3.0));
    let ground = PointPart { body: None, at: random.vector(planar) * 3.0 };
    let kind = LoadKind::Spring {
        a: ground,
        b: point(&mut random, bodies),
        stiffness: random.within(1.0, 20.0),
        damping: random.within(0.1, 2.0),
        rest: 0.5,
    };
    parts.loads.push(LoadPart { name: "spring".to_owned(), kind });
    let z = if planar { Tape::constant(0.0) } else { number(&mut random) };
    let kind = LoadKind::Force {
        at: point(&mut random, bodies),
        components: [number(&mut random), number(&mut random), z],
        in_body: seed.is_multiple_of(2),
    };
    parts.loads.push(LoadPart { name: "force".to_owned(), kind });
    let out_of_plane = |random: &mut Random| {
        if planar { Tape::constant(0.0) } else { number(random) }
    };
    let kind = LoadKind::Torque {
        body: random.below(bodies),
        components: [out_of_plane(&mut random), out_of_plane(&mut random), number(&mut random)],
        in_body: seed.is_multiple_of(3),
    };
    parts.loads.push(LoadPart { name: "torque".to_owned(), kind });
    if let Some(joint) = parts.joints.iter().position(|j| {
        matches!(j.kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical)
    }) {
        let kind = LoadKind::JointSpring {
            joint,
            coordinate: 0,
            stiffness: random.within(1.0, 10.0),
            damping: random.within(0.1, 1.0),
            rest: random.within(-0.5, 0.5),
        };
        parts.loads.push(LoadPart { name: "joint spring".to_owned(), kind });
        // An effort that follows the joint's own velocity.
        let v = Variable::Velocity(Parts::variable(joint, 0));
        let effort = Tape::new(vec![Step::Variable(v)]).expect("one value");
        let kind = LoadKind::Effort { joint, coordinate: 0, effort };
        parts.loads.push(LoadPart { name: "effort".to_owned(), kind });
    }
    parts
}

/// The same with a joint locked now and then, at a consistent state; `None` where it cannot be
/// assembled or is ill-conditioned.
fn case(seed: u64, loops: usize) -> Option<(Model, State)> {
    let planar = seed.is_multiple_of(2);
    let bodies = 2 + (seed % 6) as usize;
    let mut parts = loaded(seed, bodies, loops, planar);
    if seed.is_multiple_of(5) {
        let joint = &mut parts.joints[bodies / 2];
        joint.locked = true;
        joint.velocity = None;
    }
    let model = Model::new(&parts).expect("a random mechanism is valid");
    let state = assemble(&model).ok()?.state;
    let condition = with_posture(&model, &state, |at| at.constraint_report().condition);
    condition.is_some_and(|c| c < WELL_CONDITIONED).then_some((model, state))
}

/// Trees and loops.
fn cases(count: u64) -> impl Iterator<Item = (u64, Model, State)> {
    (0..count).filter_map(|seed| {
        case(seed, (seed % 3) as usize).map(|(model, state)| (seed, model, state))
    })
}

#[test]
fn the_response_to_an_impulse_satisfies_its_saddle_point_equations() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(600) {
        counted += 1;
        with_posture(&model, &state, |at| {
            let row = random_row(&mut Random(seed), at);
            let (A, M, D) = (at.jacobian_row(&row), at.mass_matrix(), at.closure_matrix());
            let solution = at.response(&row);
            let w = DVector::from_column_slice(&solution.x);
            let lambda = DVector::from_column_slice(&solution.multipliers);
            let rest = &M * &w - &A - D.transpose() * &lambda;
            // Zero where the row joins bodies that cannot move against each other.
            let size = A.amax() + (D.transpose() * &lambda).amax() + (&M * &w).amax();
            let size = size.max(f64::MIN_POSITIVE);
            for column in 0..model.nv {
                if at.layout().is_free(column) {
                    worst.check(rest[column].abs() / size, LINEAR, || {
                        format!("seed {seed}: M w − Aᵀ − Dᵀ λ, column {column}")
                    });
                } else {
                    assert_eq!(w[column], 0.0, "seed {seed}: a held joint moves");
                }
            }
            let size = w.amax() * (1.0 + D.amax());
            let rates = (&D * &w).amax() / size.max(1e-3);
            worst.check(rates, LINEAR, || format!("seed {seed}: D w"));
            // And W = A w is the mobility of the one-sweep route.
            let W = at.mobility(&row);
            let size = row.free_mobility(&model, at.frames());
            worst.check((A.dot(&w) - W).abs() / size, LINEAR, || format!("seed {seed}: A w = W"));
        });
    }
    assert!(counted > 300, "only {counted} counted");
    worst.show("saddle point");
}

/// The state a time h later along a curve that leaves with v and v̇: its derivative at h = 0 is that of
/// the motion, whatever its curvature.
fn along(model: &Model, state: &State, v_dot: &[f64], h: f64) -> State {
    let mut moved = state.clone();
    let step: Vec<f64> = state.v.iter().map(|v| v * h).collect();
    moved.advance(model, &step);
    for (v, a) in moved.v.iter_mut().zip(v_dot) {
        *v += a * h;
    }
    moved.t += h;
    moved
}

/// The rate of a quantity along the motion.
fn rate_of(
    model: &Model,
    state: &State,
    v_dot: &[f64],
    quantity: &dyn Fn(&Posture<'_>) -> f64,
) -> f64 {
    let value = |h: f64| with_posture(model, &along(model, state, v_dot, h), quantity);
    richardson(&value, 4e-3)
}

/// The power of everything that has no potential: dampers, forces, torques, efforts.
fn power(at: &Posture<'_>) -> f64 {
    let (model, state, frames) = (at.model(), at.state(), at.frames());
    let numbers = |tapes: &[Tape; 3]| {
        Vec3::from_fn(|k, _| tapes[k].value(state.t, state.q.as_slice(), state.v.as_slice()))
    };
    let turned = |x: Vec3, frame: Place| {
        frame.map_or(x, |b| {
            let own = &model.bodies[b.index()].frame;
            frames.pose(Some(b)).vector(&own.vector(&x))
        })
    };
    let of = |load: &Load| match load {
        Load::Spring { a, b, damping, .. } => {
            let d = frames.point(b) - frames.point(a);
            let rate = d.normalize().dot(&(frames.velocity(b) - frames.velocity(a)));
            -damping * rate * rate
        }
        Load::JointSpring { v, damping, .. } => -damping * state.v[*v] * state.v[*v],
        Load::Force { at, components, frame, .. } => {
            turned(numbers(components), *frame).dot(&frames.velocity(at))
        }
        Load::Torque { body, components, frame, .. } => {
            turned(numbers(components), *frame).dot(&frames.twist(Some(*body)).ang)
        }
        Load::Effort { v, effort, .. } => {
            effort.value(state.t, state.q.as_slice(), state.v.as_slice()) * state.v[*v]
        }
    };
    model.loads.iter().map(of).sum()
}

fn accelerations(model: &Model, state: &State) -> Accelerations {
    with_posture(model, state, |at| at.accelerations(Terms::All).expect("loads are finite"))
}

#[test]
fn energy_changes_by_the_power_of_dampers_and_forces_alone() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(240) {
        counted += 1;
        let v_dot = accelerations(&model, &state).solution.x;
        let energy = |at: &Posture<'_>| at.kinetic_energy() + at.potential_energy();
        let found = rate_of(&model, &state, &v_dot, &energy);
        let kinetic = rate_of(&model, &state, &v_dot, &|at| at.kinetic_energy());
        let expected = with_posture(&model, &state, power);
        let size = 1.0 + kinetic.abs() + expected.abs();
        worst.check((found - expected).abs() / size, DIFFERENCES, || {
            format!("seed {seed}: d(T+V)/dt {found}, power {expected}")
        });
    }
    assert!(counted > 120, "only {counted} counted");
    worst.show("power balance");
}

#[test]
fn closures_stay_closed_to_second_order_along_the_motion() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(240) {
        let motion = accelerations(&model, &state);
        let v_dot = &motion.solution.x;
        let rows = model.closures.iter().map(|c| c.rows.len()).sum::<usize>();
        for r in 0..rows {
            counted += 1;
            let rate = |at: &Posture<'_>| at.closure_rates(at.state().v.as_slice())[r];
            // D v = 0 now, and d(D v)/dt = D v̇ + Ḋ v = 0.
            let now = with_posture(&model, &state, rate);
            worst.check(now.abs(), 1e-9, || format!("seed {seed}: row {r} of D v"));
            let found = rate_of(&model, &state, v_dot, &rate);
            let size = 1.0 + v_dot.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            worst.check(found.abs() / size, DIFFERENCES, || {
                format!("seed {seed}: row {r} of D v̇ + Ḋ v")
            });
        }
    }
    assert!(counted > 150, "only {counted} counted");
    worst.show("closure accelerations");
}

#[test]
fn a_drive_prescribes_velocity_and_acceleration() {
    // q(t) = t · t, so that q̇ = 2 t and q̈ = 2.
    for seed in 0..40 {
        let mut parts = parts(seed, 4, 0, true);
        let Some(joint) = parts.joints.iter().position(|j| j.kind == JointKind::Revolute) else {
            continue;
        };
        parts.joints[joint].position = None;
        parts.joints[joint].velocity = None;
        let t = Step::Variable(Variable::Time);
        let square = Tape::new(vec![t.clone(), t, Step::Operator(Operator::Multiply)]);
        let motion = square.expect("one value");
        parts.drives.push(DrivePart { name: "drive".to_owned(), joint, coordinate: 0, motion });
        let model = Model::new(&parts).expect("it is valid");
        let mut state = State::as_written(&model);
        state.t = 1.5;
        state.follow_drives(&model);
        let v = model.drives[0].v;
        assert_eq!((state.q[model.drives[0].q], state.v[v]), (2.25, 3.0));
        let motion = accelerations(&model, &state);
        assert!((motion.solution.x[v] - 2.0).abs() < 1e-12, "seed {seed}");
        // The other columns satisfy their own equations: energy changes by the drive's power alone,
        // which is its effort times its velocity.
        with_posture(&model, &state, |at| {
            let reactions = at.reactions(&motion).expect("loads are finite");
            let body = model.drives[0].body.index();
            let effort = at.frames().axis(v).dot(&reactions[body].moment)
                + model.bodies[body].joint.rotor[0] * motion.solution.x[v];
            let energy = |at: &Posture<'_>| at.kinetic_energy() + at.potential_energy();
            let found = rate_of(&model, &state, &motion.solution.x, &energy);
            let size = 1.0 + found.abs();
            assert!((found - 3.0 * effort).abs() / size < DIFFERENCES, "seed {seed}: {found}");
        });
    }
}

/// What acts on each body from outside, closures and joints apart: forces and moments about its
/// mass centre, from the model's loads.
fn outer_loads(at: &Posture<'_>) -> Vec<(Vec3, Vec3)> {
    let (model, state, frames) = (at.model(), at.state(), at.frames());
    let center = |b: usize| {
        let link = &frames.links()[b];
        link.origin() + link.rotation() * model.bodies[b].inertia.center
    };
    let mut out: Vec<(Vec3, Vec3)> =
        model.bodies.iter().map(|b| (model.gravity * b.inertia.mass, Vec3::zeros())).collect();
    let mut push = |place: Place, force: Vec3, point: Vec3| {
        let Some(b) = place else { return };
        let (f, m) = &mut out[b.index()];
        *f += force;
        *m += (point - center(b.index())).cross(&force);
    };
    let numbers = |tapes: &[Tape; 3]| {
        Vec3::from_fn(|k, _| tapes[k].value(state.t, state.q.as_slice(), state.v.as_slice()))
    };
    let turned = |x: Vec3, frame: Place| {
        frame.map_or(x, |b| frames.pose(Some(b)).vector(&model.bodies[b.index()].frame.vector(&x)))
    };
    let mut couples = Vec::new();
    for load in &model.loads {
        match load {
            Load::Spring { a, b, stiffness, damping, rest, .. } => {
                let d = frames.point(b) - frames.point(a);
                let n = d.normalize();
                let rate = n.dot(&(frames.velocity(b) - frames.velocity(a)));
                let pull = n * (stiffness * (d.norm() - rest) + damping * rate);
                push(a.body, pull, frames.point(a));
                push(b.body, -pull, frames.point(b));
            }
            Load::Force { at, components, frame, .. } => {
                push(at.body, turned(numbers(components), *frame), frames.point(at));
            }
            Load::Torque { body, components, frame, .. } => {
                couples.push((body.index(), turned(numbers(components), *frame)));
            }
            Load::JointSpring { .. } | Load::Effort { .. } => {}
        }
    }
    for (b, couple) in couples {
        out[b].1 += couple;
    }
    out
}

#[test]
fn every_body_obeys_newton_and_euler_under_its_joints_and_closures() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(120) {
        let motion = accelerations(&model, &state);
        let v_dot = &motion.solution.x;
        // All that acts on each body, about its mass centre.
        let sums = with_posture(&model, &state, |at| {
            let mut sums = outer_loads(at);
            let reactions = at.reactions(&motion).expect("loads are finite");
            let links = at.frames().links();
            let center =
                |b: usize| links[b].origin() + links[b].rotation() * model.bodies[b].inertia.center;
            let mut push = |b: usize, origin: Vec3, force: Vec3, moment: Vec3| {
                sums[b].0 += force;
                sums[b].1 += moment + (origin - center(b)).cross(&force);
            };
            for (b, w) in reactions.iter().enumerate() {
                push(b, links[b].origin(), w.force, w.moment);
                if let Some(p) = model.bodies[b].parent {
                    push(p.index(), links[b].origin(), -w.force, -w.moment);
                }
            }
            for (r, lambda) in motion.solution.multipliers.iter().enumerate() {
                let Some(w) = at.closure_row(r) else { continue };
                for (place, side) in [(w.a, w.on_a), (w.b, w.on_b)] {
                    let Some(b) = place else { continue };
                    let b = b.index();
                    push(b, links[b].origin(), side.force * *lambda, side.moment * *lambda);
                }
            }
            sums
        });
        for (b, (force, moment)) in sums.iter().enumerate() {
            counted += 1;
            let m = model.bodies[b].inertia.mass;
            for k in 0..3 {
                // Momentum and spin by differences: no acceleration formula is shared.
                let momentum = |at: &Posture<'_>| at.center_velocity(b)[k] * m;
                let spin = |at: &Posture<'_>| {
                    let link = &at.frames().links()[b];
                    let J = model.bodies[b].inertia.central();
                    (link.rotation() * (J * link.rotation().tr_mul(&link.twist().ang)))[k]
                };
                // A planar model leaves out-of-plane moments to the plane.
                if model.is_planar() && k == 2 {
                    let found = rate_of(&model, &state, v_dot, &spin);
                    let size = 1.0 + force.norm() + moment.norm();
                    worst.check((found - moment[k]).abs() / size, DIFFERENCES, || {
                        format!("seed {seed}: Euler for body {b}")
                    });
                    continue;
                }
                let size = 1.0 + force.norm() + moment.norm();
                let found = rate_of(&model, &state, v_dot, &momentum);
                worst.check((found - force[k]).abs() / size, DIFFERENCES, || {
                    format!("seed {seed}: Newton for body {b}, {k}")
                });
                if !model.is_planar() {
                    let found = rate_of(&model, &state, v_dot, &spin);
                    worst.check((found - moment[k]).abs() / size, DIFFERENCES, || {
                        format!("seed {seed}: Euler for body {b}, {k}")
                    });
                }
            }
        }
    }
    assert!(counted > 150, "only {counted} counted");
    worst.show("Newton and Euler");
}

/// Efforts of joint springs, efforts, rotors and couplings in each column: what a joint's reaction
/// must have along its free directions.
fn joint_efforts(at: &Posture<'_>, motion: &Accelerations) -> Vec<f64> {
    let (model, state) = (at.model(), at.state());
    let mut out = vec![0.0; model.nv];
    for load in &model.loads {
        match load {
            Load::JointSpring { q, v, stiffness, damping, rest, .. } => {
                out[*v] -= stiffness * (state.q[*q] - rest) + damping * state.v[*v];
            }
            Load::Effort { v, effort, .. } => {
                out[*v] += effort.value(state.t, state.q.as_slice(), state.v.as_slice());
            }
            _ => {}
        }
    }
    for body in &model.bodies {
        for (c, column) in body.joint.velocities().enumerate() {
            out[column] -= body.joint.rotor[c] * motion.solution.x[column];
        }
    }
    let rows = model.closures.iter().flat_map(|c| &c.rows);
    for (row, lambda) in rows.zip(&motion.solution.multipliers) {
        if let Row::Coupling { terms, .. } = row {
            for term in terms {
                out[term.v] += term.coefficient * lambda;
            }
        }
    }
    out
}

#[test]
fn a_joint_transmits_only_its_own_effort_along_its_free_directions() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(300) {
        let motion = accelerations(&model, &state);
        with_posture(&model, &state, |at| {
            let reactions = at.reactions(&motion).expect("loads are finite");
            let efforts = joint_efforts(at, &motion);
            for (b, body) in model.bodies.iter().enumerate() {
                let w = &reactions[b];
                for (c, column) in body.joint.velocities().enumerate() {
                    if !at.layout().is_free(column) {
                        continue;
                    }
                    counted += 1;
                    let axis = at.frames().axis(column);
                    let along = if body.joint.kind.is_angular(c) { &w.moment } else { &w.force };
                    let size = 1.0 + w.moment.norm() + w.force.norm() + efforts[column].abs();
                    let error = (axis.dot(along) - efforts[column]).abs() / size;
                    worst.check(error, LINEAR, || format!("seed {seed}: column {column}"));
                }
            }
        });
    }
    assert!(counted > 500, "only {counted} counted");
    worst.show("joint efforts");
}

#[test]
fn assembly_leaves_residuals_below_1e_11_from_a_guess_nearby() {
    const RESIDUAL: f64 = 1e-11;
    let mut worst = Worst::default();
    let mut counted = 0;
    for seed in 0..400 {
        let planar = seed % 2 == 0;
        let mut parts = parts(seed, 3 + (seed % 4) as usize, 1, planar);
        let mut random = Random(seed ^ 0xA55E);
        for joint in &mut parts.joints {
            let near = joint
                .position
                .take()
                .map(|q| q.into_iter().map(|x| x + random.within(-0.05, 0.05)).collect());
            joint.guess = near;
            joint.velocity = None;
        }
        let model = Model::new(&parts).expect("it is valid");
        if model.closures.is_empty() {
            continue;
        }
        let Ok(assembled) = assemble(&model) else { continue };
        counted += 1;
        for (name, residual) in &assembled.residuals {
            worst.check(*residual, RESIDUAL, || format!("seed {seed}: {name}"));
        }
        with_posture(&model, &assembled.state, |at| {
            let rates = at.closure_rates(assembled.state.v.as_slice());
            let largest = rates.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            worst.check(largest, RESIDUAL, || format!("seed {seed}: D v"));
        });
    }
    assert!(counted > 250, "only {counted} counted");
    worst.show("assembly");
}

/// m_eff, u and the impact's terms of contact 0.
fn contact_terms(at: &Posture<'_>) -> Option<(EffectiveMass, ImpactTerms)> {
    let wanted = Options { terms: true, prediction: false, ..Options::default() };
    let found = Assessment::new(at, 0, &wanted).ok()?;
    Some((found.rows[0].effective, found.rows[0].terms?))
}

#[test]
fn the_impacts_own_equation_gives_the_rate_of_the_gaps_rate() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for (seed, model, state) in cases(300) {
        let Some((now, terms)) = with_posture(&model, &state, contact_terms) else {
            continue;
        };
        if now.mass > 1e4 {
            continue; // nearly immobile
        }
        counted += 1;
        // m_eff u̇ + z_c = τ_c.
        let size = now.mass * terms.acceleration.abs() + terms.velocity.abs() + terms.force.abs();
        let rest = now.mass * terms.acceleration + terms.velocity - terms.force;
        worst.check(rest.abs() / size, 1e-14, || format!("seed {seed}: m_eff u̇ + z_c = τ_c"));
        // u̇ is the derivative of u along the motion, normal and contact points moving along.
        let v_dot = accelerations(&model, &state).solution.x;
        let u = |at: &Posture<'_>| {
            let touch = at.touch(0).expect("as before");
            let point = touch.points()[0];
            at.rate(&at.contact_row(0, &point, &point.normal))
        };
        let found = rate_of(&model, &state, &v_dot, &u);
        let size =
            1.0 + terms.acceleration.abs() + (terms.velocity.abs() + terms.force.abs()) / now.mass;
        worst.check((found - terms.acceleration).abs() / size, DIFFERENCES, || {
            format!("seed {seed}: u̇ {} by differences {found}", terms.acceleration)
        });
        // And u is the derivative of the gap; two given points have none of their own.
        if matches!(model.contacts[0].geometry, ContactGeometry::Points { .. }) {
            continue;
        }
        let gap = |at: &Posture<'_>| at.touch(0).expect("as before").points()[0].gap;
        let found = rate_of(&model, &state, &v_dot, &gap);
        worst.check((found - now.rate).abs() / (1.0 + now.rate.abs()), DIFFERENCES, || {
            format!("seed {seed}: u {} by differences {found}", now.rate)
        });
    }
    assert!(counted > 100, "only {counted} counted");
    worst.show("impact's own equation");
}

#[test]
fn a_mechanism_that_is_cloned_answers_for_itself() {
    // Posture memory is not shared between clones.
    let (model, state) = case(7, 1).or_else(|| case(11, 1)).expect("one of them assembles");
    let mut first = Mechanism::new(&model);
    let mut second = first.clone();
    let mut other = state.clone();
    other.v *= 2.0;
    let a = first.at(&state).expect("finite").kinetic_energy();
    let b = second.at(&other).expect("finite").kinetic_energy();
    assert!((b - 4.0 * a).abs() < 1e-12 * b);
}
