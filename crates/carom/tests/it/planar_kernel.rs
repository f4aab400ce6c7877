//! The planar kernel gives what the sweep in space gives, or declines.

use carom::contact::planar::PlanarContacts;
use carom::contact::supported;
use carom::dynamics::planar::{Kernel, LinkId};
use carom::dynamics::{DynamicsError, Forward, Mechanism, Posture, Terms};
use carom::kinematics::State;
use carom::maths::expression::{Function, Operator, Step, Tape, Variable};
use carom::maths::plane::Vec2;
use carom::maths::spatial::rotation_by;
use carom::maths::{Pose, Twist, Vec3};
use carom::model::parts::{
    ContactPart, ContactPlace, DrivePart, JointPart, LoadKind, LoadPart, PointPart, ShapePart,
};
use carom::model::{ContactDefaults, JointKind, Model, Parts, Place, ShapeKind, Side, Space};
use nalgebra::DVector;

use crate::random_mechanism::{Random, parts};

/// Two ways of summing some hundred products of numbers near one, with inertias that differ by factors of hundred.
const ROUND_OFF: f64 = 1e-12;

/// amplitude · sin(rate · x)
fn wave(amplitude: f64, rate: f64, of: Variable) -> Tape {
    Tape::new(vec![
        Step::Number(rate),
        Step::Variable(of),
        Step::Operator(Operator::Multiply),
        Step::Function(Function::Sin),
        Step::Number(amplitude),
        Step::Operator(Operator::Multiply),
    ])
    .expect("it is a tape")
}

fn waves(random: &mut Random, of: Variable) -> [Tape; 3] {
    [0, 1, 2].map(|_| wave(random.within(-5.0, 5.0), random.within(0.5, 2.0), of))
}

/// A random planar tree with joints of all kinds, some about −z, locked or driven, and loads of all kinds.
fn tree(seed: u64, bodies: usize) -> Parts {
    let mut parts = parts(seed, bodies, 0, true);
    let random = &mut Random(seed ^ 0x5EED);
    let point =
        |random: &mut Random, body: Option<usize>| PointPart { body, at: random.vector(true) };
    for joint in &mut parts.joints {
        if random.below(3) == 0 && joint.kind != JointKind::Prismatic {
            // Seen from behind: the joint turns about −z.
            let behind = rotation_by(&(Vec3::x() * std::f64::consts::PI));
            joint.in_parent.rotation *= behind;
            joint.in_child.rotation *= behind;
        }
        let fate = random.below(6);
        if fate == 0 {
            *joint = JointPart {
                position: None,
                velocity: None,
                rotor: Vec::new(),
                kind: JointKind::Weld,
                ..joint.clone()
            };
        } else if fate == 1 {
            (joint.locked, joint.velocity) = (true, None);
        }
    }
    let moving = |j: &JointPart| j.kind != JointKind::Weld && !j.locked;
    let joints: Vec<usize> = (0..bodies).filter(|j| moving(&parts.joints[*j])).collect();
    let load = |parts: &mut Parts, kind: LoadKind| {
        let name = format!("l{}", parts.loads.len());
        parts.loads.push(LoadPart { name, kind });
    };
    let ends = [Some(random.below(bodies)), None];
    let [a, b] = ends.map(|body| point(random, body));
    load(&mut parts, LoadKind::Spring { a, b, stiffness: 40.0, damping: 3.0, rest: 0.4 });
    for in_body in [false, true] {
        let components = waves(random, Variable::Time);
        let body = Some(random.below(bodies));
        let at = point(random, body);
        load(&mut parts, LoadKind::Force { at, components, in_body });
        let components = waves(random, Variable::Time);
        load(&mut parts, LoadKind::Torque { body: random.below(bodies), components, in_body });
    }
    for &joint in &joints {
        let coordinate = 0;
        match random.below(3) {
            0 => {
                let kind = LoadKind::JointSpring {
                    joint,
                    coordinate,
                    stiffness: 7.0,
                    damping: 0.3,
                    rest: 0.1,
                };
                load(&mut parts, kind);
            }
            1 => {
                let effort = wave(2.0, 1.5, Variable::Velocity(Parts::variable(joint, 0)));
                load(&mut parts, LoadKind::Effort { joint, coordinate, effort });
            }
            _ if random.below(2) == 0 => {
                let own = &mut parts.joints[joint];
                (own.guess, own.velocity) = (own.position.take(), None);
                let motion = wave(0.7, 3.0, Variable::Time);
                let name = format!("d{joint}");
                parts.drives.push(DrivePart { name, joint, coordinate, motion });
            }
            _ => {}
        }
    }
    parts
}

/// A model's state at a time, drives followed.
fn state(model: &Model, t: f64) -> State {
    let mut state = State { t, ..State::as_written(model) };
    state.follow_drives(model);
    state
}

fn near(found: f64, expected: f64, size: f64) -> bool {
    (found - expected).abs() <= ROUND_OFF * size
}

#[test]
fn accelerations_and_powers_are_those_of_the_sweep_in_space() {
    let (mut kinds, mut driven, mut locked) = ([0; 4], 0, 0);
    for seed in 0..300 {
        let model = Model::new(&tree(seed, 1 + (seed % 7) as usize)).expect("it is valid");
        for body in &model.bodies {
            kinds[match body.joint.kind {
                JointKind::Weld => 0,
                JointKind::Revolute => 1,
                JointKind::Prismatic => 2,
                _ => 3,
            }] += 1;
            locked += usize::from(body.joint.locked);
        }
        driven += model.drives.len();
        let state = state(&model, 0.3);
        let mut kernel = Kernel::new(&model).expect("a planar tree");
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).expect("it is finite");
        let mut v_dot = vec![0.0; model.nv];
        let solved = kernel.place(&state) && kernel.solve(&mut v_dot);
        let expected = at.accelerations(Terms::All).expect("all have inertia");
        assert!(solved, "seed {seed}");
        let x = &expected.solution.x;
        let size = 1.0 + x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        for (k, (found, x)) in v_dot.iter().zip(x).enumerate() {
            assert!(near(*found, *x, size), "seed {seed}, v̇[{k}]: {found} against {x}");
        }
        for (b, accel) in expected.bodies.iter().enumerate() {
            let place = model.body_at(b);
            let (id, link) = (LinkId::of(place), at.frames().links()[b]);
            let here = kernel.link(id);
            assert!((here.origin - link.origin().xy()).norm() <= ROUND_OFF * 10.0);
            assert!((here.velocity - link.twist().lin.xy()).norm() <= ROUND_OFF * 100.0);
            assert!((kernel.pose(place).rotation - link.rotation()).norm() <= ROUND_OFF);
            let lin = kernel.acceleration_at(id, &here.origin) - accel.lin.xy();
            assert!(lin.norm() <= ROUND_OFF * 100.0 * size, "seed {seed}, body {b}");
            assert!(near(kernel.angular_acceleration(id), accel.ang.z, size));
        }
        let found = [
            kernel.load_power()[0],
            kernel.load_power()[1],
            kernel.potential_power(),
            kernel.kinetic_power(state.v.as_slice()),
        ];
        let [dampers, forces] = at.load_power().expect("it is finite");
        let kinetic = at.kinetic_power(&expected.bodies, x);
        let powers = [dampers, forces, at.potential_power(), kinetic];
        for (k, (found, power)) in found.iter().zip(powers).enumerate() {
            let size = 10.0 * size + power.abs() + kinetic.abs();
            assert!(near(*found, power, size), "seed {seed}, power {k}: {found} against {power}");
        }
    }
    assert!(kinds.iter().all(|n| *n > 50) && driven > 50 && locked > 20, "{kinds:?}");
}

/// Every shape of the plane, near the origin of its body.
fn shapes(random: &mut Random) -> Vec<ShapeKind> {
    let pose = Pose { rotation: rotation_by(&(Vec3::z() * 0.4)), position: random.vector(true) };
    let (start, end) = (random.vector(true), random.vector(true) + Vec3::x() * 2.0);
    vec![
        ShapeKind::Point { at: random.vector(true) },
        ShapeKind::Sphere { center: random.vector(true), radius: 0.2 },
        ShapeKind::Plane { at: random.vector(true), normal: random.direction(true) },
        ShapeKind::Segment { start, end, side: Some(Side::Left) },
        ShapeKind::Hollow { center: random.vector(true), radius: 5.0 },
        ShapeKind::Box { pose, half: Vec3::new(0.3, 0.2, 0.0) },
        ShapeKind::Capsule { start, end, radius: 0.1 },
    ]
}

/// u̇ of a contact's first point by its row and how the row changes.
fn acceleration(at: &Posture<'_>, bodies: &[Twist], contact: usize) -> f64 {
    let point = at.touch(contact).expect("it is defined").points()[0];
    let row = at.contact_row(contact, &point, &point.normal);
    let of = |place: Place| place.map_or_else(Twist::zero, |b| bodies[b.index()]);
    let moving = |place: Place| at.frames().twist(place);
    let turning = at.contact_variation(contact, 0, &moving).expect("it is defined");
    row.rate(&of(row.a), &of(row.b)) + at.rate(&turning)
}

#[test]
fn contacts_are_those_of_space_for_all_pairs() {
    let mut pairs = 0;
    for seed in 0..12 {
        let mut parts = tree(seed, 3);
        let random = &mut Random(seed ^ 0xC0);
        let contact = |parts: &mut Parts, place: ContactPlace| {
            let name = format!("c{}", parts.contacts.len());
            parts.contacts.push(ContactPart { name, place, defaults: ContactDefaults::default() });
        };
        for body in [None, Some(1), Some(2)] {
            for kind in shapes(random) {
                let name = format!("s{}", parts.shapes.len());
                parts.shapes.push(ShapePart { name, body, kind });
            }
        }
        let n = parts.shapes.len();
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let [first, second] = [&parts.shapes[a], &parts.shapes[b]];
            let possible = supported(&first.kind, &second.kind, true);
            if first.body != second.body && possible {
                contact(&mut parts, ContactPlace::Shapes(a, b));
            }
        }
        for normal_in in [None, Some(0), Some(2)] {
            let [a, b] = [Some(0), Some(2)].map(|body| PointPart { body, at: random.vector(true) });
            let normal = random.direction(true);
            contact(&mut parts, ContactPlace::Points { a, b, normal_in, normal });
        }
        let model = Model::new(&parts).expect("it is valid");
        let state = state(&model, 0.2);
        let mut kernel = Kernel::new(&model).expect("a planar tree");
        let contacts = PlanarContacts::new(&model, &kernel);
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).expect("it is finite");
        let expected = at.accelerations(Terms::All).expect("all have inertia");
        let mut v_dot = vec![0.0; model.nv];
        assert!(kernel.place(&state) && kernel.solve(&mut v_dot));
        let size = 100.0 * (1.0 + expected.solution.x.iter().fold(0.0_f64, |a, x| a.max(x.abs())));
        for c in 0..model.contacts.len() {
            let Ok(touch) = at.touch(c) else {
                assert!(contacts.touch(&kernel, c, 0).is_none());
                continue;
            };
            for (p, point) in touch.points().iter().enumerate() {
                let met = contacts.touch(&kernel, c, p).expect("it is defined");
                assert!(near(met.gap, point.gap, 100.0));
                let pairs = [(met.on_a, point.on_a), (met.on_b, point.on_b)];
                assert!(pairs.iter().all(|(x, y)| (x - y.xy()).norm() < ROUND_OFF * 100.0));
                assert!((met.normal - point.normal.xy()).norm() < ROUND_OFF * 100.0);
                let row = at.contact_row(c, point, &point.normal);
                let own = contacts.row(&kernel, c, &met);
                assert_eq!((own.a, own.b), (row.a, row.b));
                assert!((at.rate(&own) - at.rate(&row)).abs() < ROUND_OFF * 100.0);
                let rate = met.normal.dot(&contacts.velocity(&kernel, c, &met));
                assert!(near(rate, at.rate(&row), 100.0));
            }
            let met = contacts.touch(&kernel, c, 0).expect("it is defined");
            let u_dot = contacts.acceleration(&kernel, c, 0, &met).expect("it is defined");
            let known = acceleration(&at, &expected.bodies, c);
            assert!(near(u_dot, known, size), "seed {seed}, contact {c}: {u_dot} against {known}");
            pairs += 1;
        }
    }
    assert!(pairs > 500, "{pairs} contacts");
}

#[test]
fn a_force_pushed_at_a_contact_acts_as_its_row_does() {
    for seed in 0..40 {
        let mut parts = tree(seed, 4);
        let [a, b] = [None, Some(3)].map(|body| PointPart { body, at: Vec3::new(0.3, -0.2, 0.0) });
        let place = ContactPlace::Points { a, b, normal_in: None, normal: Vec3::y() };
        parts.contacts.push(ContactPart {
            name: "c".into(),
            place,
            defaults: ContactDefaults::default(),
        });
        let model = Model::new(&parts).expect("it is valid");
        let state = state(&model, 0.1);
        let mut kernel = Kernel::new(&model).expect("a planar tree");
        let contacts = PlanarContacts::new(&model, &kernel);
        assert!(kernel.place(&state));
        let met = contacts.touch(&kernel, 0, 0).expect("it is defined");
        contacts.push(&mut kernel, 0, &met, &(met.normal * 50.0));
        let mut v_dot = vec![0.0; model.nv];
        assert!(kernel.solve(&mut v_dot));

        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).expect("it is finite");
        let mut work = Forward::new(at.layout());
        at.load(Terms::All, &mut work).expect("it is finite");
        let point = at.touch(0).expect("it is defined").points()[0];
        work.push(&at.contact_row(0, &point, &point.normal), 50.0);
        at.accelerate(&mut work).expect("all have inertia");
        let size = 1.0 + work.solution.x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        for (found, x) in v_dot.iter().zip(&work.solution.x) {
            assert!(near(*found, *x, size), "seed {seed}: {found} against {x}");
        }
    }
}

/// A point mass that moves freely: its rotation has no inertia.
fn particle() -> Parts {
    let mut parts = Parts::new(Space::Planar);
    parts.gravity = Vec3::y() * -9.81;
    parts.bodies.push(crate::workshop::rod("particle", 2.0, 0.0));
    parts.joints.push(JointPart::new("free", JointKind::Planar, None, 0));
    parts
}

#[test]
fn a_coordinate_without_inertia_is_held_until_it_is_pushed_on() {
    let model = Model::new(&particle()).expect("it is valid");
    let state = State::as_written(&model);
    let mut kernel = Kernel::new(&model).expect("a planar tree");
    let mut v_dot = vec![f64::NAN; 3];
    assert!(kernel.place(&state) && kernel.solve(&mut v_dot));
    assert_eq!(v_dot, [0.0, -9.81, 0.0]);

    let mut pushed = particle();
    let components = [0.0, 0.0, 1.0].map(Tape::constant);
    let kind = LoadKind::Torque { body: 0, components, in_body: false };
    pushed.loads.push(LoadPart { name: "spin".into(), kind });
    let model = Model::new(&pushed).expect("it is valid");
    let mut kernel = Kernel::new(&model).expect("a planar tree");
    assert!(kernel.place(&state) && !kernel.solve(&mut v_dot));
    let mut mechanism = Mechanism::new(&model);
    let error = mechanism.at(&state).unwrap().accelerations(Terms::All).unwrap_err();
    assert!(matches!(error, DynamicsError::NoInertia { .. }));
}

#[test]
fn what_is_wrong_is_left_to_the_general_path() {
    let model = Model::new(&tree(3, 3)).expect("it is valid");
    let mut kernel = Kernel::new(&model).expect("a planar tree");
    let good = state(&model, 0.0);
    assert!(kernel.place(&good));
    for k in 0..model.nq {
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut bad = good.clone();
            bad.q[k] = wrong;
            assert!(!kernel.place(&bad), "q[{k}] = {wrong}");
            let mut bad = good.clone();
            bad.v[k] = wrong;
            assert!(!kernel.place(&bad), "v[{k}] = {wrong}");
        }
    }
    assert!(!kernel.place(&State { q: DVector::zeros(1), ..good.clone() }));
    assert!(kernel.place(&good) && !kernel.solve(&mut vec![0.0; model.nv + 1]));

    // A load that is not a number, and a spring without direction.
    let mut parts = particle();
    let effort = Tape::new(vec![Step::Number(-1.0), Step::Function(Function::Ln)]).unwrap();
    let kind = LoadKind::Effort { joint: 0, coordinate: 0, effort };
    parts.loads.push(LoadPart { name: "wrong".into(), kind });
    let model = Model::new(&parts).expect("it is valid");
    assert!(!Kernel::new(&model).unwrap().place(&State::as_written(&model)));
    let mut parts = particle();
    let [a, b] = [None, Some(0)].map(|body| PointPart { body, at: Vec3::zeros() });
    let kind = LoadKind::Spring { a, b, stiffness: 1.0, damping: 0.0, rest: 0.5 };
    parts.loads.push(LoadPart { name: "wrong".into(), kind });
    let model = Model::new(&parts).expect("it is valid");
    assert!(!Kernel::new(&model).unwrap().place(&State::as_written(&model)));
}

#[test]
fn models_in_space_and_with_closures_have_no_planar_kernel() {
    let spatial = Model::new(&parts(1, 3, 0, false)).expect("it is valid");
    assert!(Kernel::new(&spatial).is_none());
    let closed = crate::workshop::load("000/slider-crank.toml", &[]);
    assert!(!closed.closures.is_empty() && Kernel::new(&closed).is_none());
}

#[test]
fn the_kernel_does_not_allocate() {
    for seed in 0..20 {
        let model = Model::new(&tree(seed, 5)).expect("it is valid");
        let state = state(&model, 0.1);
        let mut kernel = Kernel::new(&model).expect("a planar tree");
        let mut v_dot = vec![0.0; model.nv];
        let info = allocation_counter::measure(|| {
            for _ in 0..10 {
                assert!(kernel.place(&state));
                kernel.push(LinkId::of(model.body_at(0)), &Vec2::x(), &Vec2::y());
                assert!(kernel.solve(&mut v_dot));
                std::hint::black_box(kernel.kinetic_power(state.v.as_slice()));
            }
        });
        assert_eq!(info.count_total, 0, "seed {seed}");
    }
}
