//! Whole runs with and without the planar kernel.

use super::InPlane;
use crate::dynamics::Mechanism;
use crate::kinematics::State;
use crate::maths::expression::{Function, Step, Tape, Variable};
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::parts::{
    BodyPart, ContactPart, ContactPlace, DrivePart, JointPart, LoadKind, LoadPart, PointPart,
    ShapePart,
};
use crate::model::{
    ContactDefaults, ContactTreatment, Friction, JointKind, Model, Parts, ShapeKind, Space,
};
use crate::simulate::run::Runner;
use crate::simulate::{Outcome, Scenario, Wishes};

/// The runs' tolerance per step.
const TOLERANCE: f64 = 1e-10;
/// What some hundred steps make of it, with impacts between them that double errors.
const AFTER_THE_RUN: f64 = 1e-6;

fn body(name: &str) -> BodyPart {
    let inertia = Mat3::from_diagonal_element(0.02);
    let center = Vec3::new(0.05, 0.0, 0.0);
    BodyPart { name: name.into(), mass: 1.0, center, inertia, payload: false }
}

/// A driven crank with a rod that hangs on it and a disc that flies: both strike a floor; the disc rubs, a spring joins them.
fn machine() -> Parts {
    let mut parts = Parts::new(Space::Planar);
    parts.gravity = Vec3::y() * -9.81;
    parts.bodies.extend(["crank", "rod", "disc"].map(body));
    let at = |x: f64, y: f64| Pose::translation(Vec3::new(x, y, 0.0));
    let mut crank = JointPart::new("crank", JointKind::Revolute, None, 0);
    crank.in_parent = at(0.0, 0.6);
    let mut rod = JointPart::new("rod", JointKind::Revolute, Some(0), 1);
    (rod.in_parent, rod.in_child) = (at(0.2, 0.0), at(-0.2, 0.0));
    rod.position = Some(vec![-0.9]);
    let mut disc = JointPart::new("disc", JointKind::Planar, None, 2);
    disc.position = Some(vec![1.0, 0.3, 0.0]);
    disc.velocity = Some(vec![0.4, 0.0, 3.0]);
    parts.joints.extend([crank, rod, disc]);
    let motion = Tape::new(vec![Step::Variable(Variable::Time), Step::Function(Function::Sin)]);
    parts.drives.push(DrivePart {
        name: "motor".into(),
        joint: 0,
        coordinate: 0,
        motion: motion.unwrap(),
    });
    let end = |body, x: f64| PointPart { body: Some(body), at: Vec3::x() * x };
    let (a, b) = (end(1, 0.1), end(2, 0.05));
    let kind = LoadKind::Spring { a, b, stiffness: 5.0, damping: 0.1, rest: 0.8 };
    parts.loads.push(LoadPart { name: "band".into(), kind });
    let floor = ShapeKind::Plane { at: Vec3::zeros(), normal: Vec3::y() };
    let tip = ShapeKind::Capsule { start: Vec3::zeros(), end: Vec3::x() * 0.3, radius: 0.05 };
    let disc = ShapeKind::Sphere { center: Vec3::zeros(), radius: 0.1 };
    let shapes = [("floor", None, floor), ("rod", Some(1), tip), ("disc", Some(2), disc)];
    for (name, body, kind) in shapes {
        parts.shapes.push(ShapePart { name: name.into(), body, kind });
    }
    for (name, shape, friction) in [("tip", 1, None), ("rim", 2, Some(Friction::Coefficient(0.3)))]
    {
        let defaults = ContactDefaults {
            law: Some("flores".into()),
            stiffness: Some(1e6),
            restitution: Some(0.6),
            friction,
            ..ContactDefaults::default()
        };
        let place = ContactPlace::Shapes(0, shape);
        parts.contacts.push(ContactPart { name: name.into(), place, defaults });
    }
    parts
}

/// A run by the kernel, or by the sweep in space.
fn run(model: &Model, treatment: ContactTreatment, planar: bool) -> Outcome {
    let state = State::as_written(model);
    let mut mechanism = Mechanism::new(model);
    let wishes = Wishes {
        until: Some(0.6),
        tolerance: Some(TOLERANCE),
        treatment: Some(treatment),
        ..Wishes::default()
    };
    let scenario = Scenario::new(&mechanism.at(&state).unwrap(), &wishes).unwrap();
    let mut runner = Runner::new(model, &state, &scenario).unwrap();
    assert!(runner.path.system.plane.is_some() && InPlane::new(model).is_some());
    if !planar {
        (runner.path.system.plane, runner.path.watch.plane) = (None, None);
    }
    let out = runner.run(&mut |_| true, Runner::begin);
    out.unwrap()
}

/// The same events at the same times, and the same end.
fn agree(parts: &Parts, treatment: ContactTreatment, events: usize) {
    let model = Model::new(parts).unwrap();
    let [here, there] = [true, false].map(|planar| run(&model, treatment, planar));
    assert!(here.events.len() >= events, "{:?}", here.events);
    assert_eq!(here.events.len(), there.events.len());
    for (a, b) in here.events.iter().zip(&there.events) {
        assert_eq!((a.spot, a.kind), (b.spot, b.kind));
        assert!((a.t - b.t).abs() < AFTER_THE_RUN, "{a:?} against {b:?}");
    }
    assert!((&here.state.q - &there.state.q).amax() < AFTER_THE_RUN);
    assert!((&here.state.v - &there.state.v).amax() < 100.0 * AFTER_THE_RUN);
    let [a, b] = [&here, &there].map(|out| out.samples.last().unwrap().ledger);
    let works = |l: &crate::simulate::Ledger| {
        [l.kinetic, l.potential, l.drive_work, l.damper_loss, l.friction_loss, l.contact_loss]
    };
    for (a, b) in works(&a).iter().zip(works(&b)) {
        assert!((a - b).abs() < 100.0 * AFTER_THE_RUN, "{a} against {b}");
    }
    assert!(here.drift < AFTER_THE_RUN, "drift {}", here.drift);
}

#[test]
fn a_run_with_force_laws_is_the_same_in_the_plane_and_in_space() {
    agree(&machine(), ContactTreatment::Continuous, 4);
}

#[test]
fn a_run_with_impulses_is_the_same_in_the_plane_and_in_space() {
    let mut parts = machine();
    parts.contacts.iter_mut().for_each(|c| c.defaults.friction = None);
    agree(&parts, ContactTreatment::Piecewise, 3);
}
