//! An evaluation takes no memory after the first, and gives the same bits every time.

use carom::dynamics::{Forward, Mechanism, Terms, Transmitted, assemble};
use carom::impact::EffectiveMass;
use carom::kinematics::State;
use carom::maths::ode::{Dop853, Tolerance};
use carom::maths::{Pose, Vec3};
use carom::model::{JointKind, Model, Parts, Space};
use carom::simulate::{Scenario, Wishes, simulate};

use crate::gradient::with_contact;
use crate::workshop::{blow, closing, hinge, load, place, rod};

/// What a user calls for every sample: place, touch, weigh.
fn evaluate(mechanism: &mut Mechanism<'_>, state: &State) -> EffectiveMass {
    let at = mechanism.at(state).expect("the state is finite");
    let touch = at.touch(0).expect("it is defined");
    let point = touch.points()[0];
    at.effective_mass(&at.contact_row(0, &point, &point.normal))
}

/// A spatial chain of n rods on skew hinges.
fn chain(n: usize) -> Parts {
    let mut parts = Parts::new(Space::Spatial);
    for k in 0..n {
        parts.bodies.push(rod(&format!("rod{k}"), 1.0, 0.3));
        parts.bodies[k].inertia[(0, 0)] = 0.001;
        let mut frames = (place(0.15, 0.0, 0.0), place(-0.15, 0.0, 0.0));
        frames.0.rotation = carom::maths::spatial::rotation_by(&(Vec3::x() * 0.9));
        if k == 0 {
            frames.0 = Pose::identity();
        }
        parts.joints.push(hinge(&format!("hinge{k}"), (k.checked_sub(1), k), frames, 0.3));
    }
    let struck = (Some(n - 1), Vec3::x() * 0.15);
    parts.contacts.push(blow((None, Vec3::zeros()), struck, None, Vec3::y()));
    parts
}

/// n four-bars, each on the coupler of the one before: parallelograms, so that they close.
fn loops(n: usize) -> Parts {
    let mut parts = Parts::new(Space::Planar);
    let mut stand = None;
    for k in 0..n {
        let first = parts.bodies.len();
        for (name, length) in [("crank", 0.4), ("coupler", 1.0), ("rocker", 0.4)] {
            parts.bodies.push(rod(&format!("{name}{k}"), 1.0, length));
        }
        let near = |l: f64| place(-0.5 * l, 0.0, 0.0);
        let far = |l: f64| place(0.5 * l, 0.0, 0.0);
        let (left, right) = (place(-0.5, 0.0, 0.0), place(0.5, 0.0, 0.0));
        parts.joints.push(hinge(&format!("a{k}"), (stand, first), (left, near(0.4)), 0.9));
        parts.joints.push(hinge(
            &format!("b{k}"),
            (Some(first), first + 1),
            (far(0.4), near(1.0)),
            -0.9,
        ));
        parts.joints.push(hinge(&format!("c{k}"), (stand, first + 2), (right, near(0.4)), 0.9));
        let ends = ((Some(first + 1), far(1.0)), (Some(first + 2), far(0.4)));
        parts.closures.push(closing(&format!("d{k}"), JointKind::Revolute, ends.0, ends.1));
        stand = Some(first + 1);
    }
    parts.contacts.push(blow((None, Vec3::zeros()), (stand, Vec3::zeros()), None, Vec3::x()));
    parts
}

/// Allocations of 50 evaluations after one that warms up.
fn allocations(model: &Model) -> u64 {
    let state = assemble(model).expect("it assembles").state;
    let mut other = state.clone();
    other.v *= -0.5;
    let mut mechanism = Mechanism::new(model);
    evaluate(&mut mechanism, &state);
    let info = allocation_counter::measure(|| {
        for _ in 0..25 {
            std::hint::black_box(evaluate(&mut mechanism, &state));
            std::hint::black_box(evaluate(&mut mechanism, &other));
        }
    });
    info.count_total
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| {
        std::hint::black_box(vec![1.0; 100]);
    });
    assert_eq!(info.count_total, 1);
}

#[test]
fn an_evaluation_does_not_allocate_on_chains() {
    for n in [1, 2, 8, 64] {
        let model = Model::new(&chain(n)).expect("it is valid");
        assert_eq!(allocations(&model), 0, "{n} joints");
    }
}

#[test]
fn an_evaluation_does_not_allocate_on_loops() {
    for n in [1, 4, 16] {
        let model = Model::new(&loops(n)).expect("it is valid");
        assert_eq!(allocations(&model), 0, "{n} loops");
    }
    for file in ["bennett.toml", "bricard.toml", "three-crank-parallelogram.toml", "robot-arm.toml"]
    {
        assert_eq!(allocations(&load(file, &[])), 0, "{file}");
    }
    for seed in 0..40 {
        let planar = seed % 2 == 0;
        let model = Model::new(&with_contact(seed, 5, 2, planar)).expect("it is valid");
        if assemble(&model).is_ok() {
            assert_eq!(allocations(&model), 0, "random mechanism {seed}");
        }
    }
}

#[test]
fn reactions_do_not_allocate() {
    for mut parts in [chain(8), loops(4)] {
        parts.gravity = Vec3::new(0.0, -9.81, 0.0);
        let model = Model::new(&parts).expect("it is valid");
        let state = assemble(&model).expect("it assembles").state;
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&state).expect("the state is finite");
        let mut work = Forward::new(at.layout());
        let mut out = Transmitted::new(&model);
        let info = allocation_counter::measure(|| {
            at.load(Terms::All, &mut work).expect("loads are finite");
            at.accelerate(&mut work).expect("all has inertia");
            at.transmit(&work.wrenches, &work.solution, &mut out);
        });
        assert_eq!(info.count_total, 0);
        assert!(out.iter().any(|w| w.force.norm() > 0.0));
    }
}

/// The four numbers, bit by bit.
fn bits(x: &EffectiveMass) -> [u64; 4] {
    [x.mass, x.mobility, x.rate, x.energy].map(f64::to_bits)
}

#[test]
fn the_same_state_gives_the_same_bits_again_and_on_other_threads() {
    let mut models: Vec<Model> =
        [chain(16), loops(6)].iter().map(|parts| Model::new(parts).expect("it is valid")).collect();
    models.push(load("bricard.toml", &[]));
    for model in &models {
        let state = assemble(model).expect("it assembles").state;
        let again = assemble(model).expect("it assembles").state;
        assert_eq!(state, again, "assembly repeats itself");
        let mut elsewhere = state.clone();
        elsewhere.q *= 1.1;
        let mut mechanism = Mechanism::new(model);
        let first = bits(&evaluate(&mut mechanism, &state));
        // Another state in between must leave nothing behind.
        let between = bits(&evaluate(&mut mechanism, &elsewhere));
        assert_ne!(first, between);
        assert_eq!(first, bits(&evaluate(&mut mechanism, &state)));
        let threads: Vec<[u64; 4]> = std::thread::scope(|scope| {
            let run = || {
                let mut mechanism = Mechanism::new(model);
                (0..20).map(|_| bits(&evaluate(&mut mechanism, &state))).collect::<Vec<_>>()
            };
            let handles = [scope.spawn(run), scope.spawn(run)];
            handles.into_iter().flat_map(|h| h.join().expect("no panic")).collect()
        });
        assert_eq!(threads.len(), 40);
        assert!(threads.iter().all(|x| *x == first));
    }
}

/// A damped oscillator that is followed through six zeros: (time, velocity) of the last one.
fn ring(solver: &mut Dop853, first_step: f64) -> [u64; 2] {
    let mut damped = |_: f64, y: &[f64], y_dot: &mut [f64]| {
        (y_dot[0], y_dot[1]) = (y[1], -y[0] - 0.1 * y[1]);
    };
    let tolerance = Tolerance { relative: 1e-10, absolute: &[1e-12, 1e-12] };
    solver.start(0.0, &[1.0, 0.0], first_step, tolerance).expect("it is valid");
    let mut between = [0.0; 2];
    for side in [1.0, -1.0, 1.0, -1.0, 1.0, -1.0] {
        // An exact zero belongs to the half turn that begins with it.
        while side * solver.y()[0] > 0.0 || side * solver.y_old()[0] <= 0.0 {
            solver.step(&mut damped, 1e3).expect("it is smooth");
            let middle = 0.5 * (solver.t_old() + solver.t());
            solver.interpolate(&mut damped, middle, &mut between).expect("it is inside");
        }
        let landing = solver.land(&mut damped, &mut |_, y| y[0], 0.0).expect("the sign changed");
        solver.accept_at(&mut damped, landing.beyond).expect("it is smooth");
    }
    [solver.t(), solver.y()[1]].map(f64::to_bits)
}

#[test]
fn an_integration_does_not_allocate_and_repeats_its_bits() {
    let mut solver = Dop853::new(2);
    let mut results = [[0; 2]; 3];
    let info = allocation_counter::measure(|| {
        results[0] = ring(&mut solver, 0.1);
        // Another run in between must leave nothing behind.
        results[1] = ring(&mut solver, 0.003);
        results[2] = ring(&mut solver, 0.1);
    });
    assert_eq!(info.count_total, 0);
    assert_eq!(results[0], results[2]);
    assert_ne!(results[0], results[1]);
}

#[test]
fn steps_of_a_run_do_not_allocate() {
    // A double pendulum above a floor it does not reach, in plane and space: twice the steps, no more allocations.
    for space in ["planar", "spatial"] {
        let [z, tail] = if space == "planar" { ["", ""] } else { [", 0", "\naxis = [0, 0, 1]"] };
        let text = format!(
            "carom = 1\nspace = \"{space}\"\ngravity = [0, -9.81{z}]\n\
             [bodies.a]\nmass = 1\nshape = {{ box = [1, 0.1, 0.1] }}\n[bodies.b]\nmass = 1\nshape = {{ box = [1, 0.1, 0.1] }}\n\
             contact.tip = {{ point = [0.5, 0{z}] }}\n[ground]\ncontact.floor = {{ plane = [0, 1{z}], at = [0, -9{z}] }}\n\
             [joints.first]\ntype = \"revolute\"\nconnects = [\"ground\", \"a\"]\nat = [[0, 0{z}], [-0.5, 0{z}]]\nposition = 1{tail}\n\
             [joints.second]\ntype = \"revolute\"\nconnects = [\"a\", \"b\"]\nat = [[0.5, 0{z}], [-0.5, 0{z}]]\nposition = 2{tail}\n\
             [contacts.tip]\nbetween = [\"b.tip\", \"ground.floor\"]\nlaw = \"hertz\"\nstiffness = \"1e9 N/m^1.5\"\n"
        );
        let text =
            if space == "planar" { text.replace("box = [1, 0.1, 0.1]", "rod = 1") } else { text };
        let opened = crate::simulate::written(&text, &[]);
        let state = &opened.assembled.state;
        let mut mechanism = Mechanism::new(opened.model());
        let counted = |mechanism: &mut Mechanism<'_>, until: f64| {
            let wishes = Wishes { until: Some(until), tolerance: Some(1e-12), ..Wishes::default() };
            let mut scenario = Scenario::new(&mechanism.at(state).unwrap(), &wishes).unwrap();
            scenario.samples = 10;
            let mut steps = 0;
            let info = allocation_counter::measure(|| {
                let out = simulate(opened.model(), state, &scenario).unwrap();
                steps = out.counts.steps;
            });
            (steps, info.count_total)
        };
        let (few, once) = counted(&mut mechanism, 2.0);
        let (many, twice) = counted(&mut mechanism, 4.0);
        assert!(many > few + 50, "{few} {many}");
        assert_eq!(once, twice, "{space}: {few} and {many} steps");
    }
}
