//! What does not exist is refused with its place, and no list of parts, no index and no state makes the library panic.

use carom::contact::ContactError;
use carom::contact::hertz::HertzError;
use carom::dynamics::{DynamicsError, Mechanism};
use carom::impact::{
    Assessment, AssessmentError, Options, Strike, StrikeError, StrikeWishes, Together,
};
use carom::kinematics::State;
use carom::maths::expression::{Step, Tape, Variable};
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{
    ClosureKind, ClosurePart, ContactPlace, DrivePart, LoadKind, LoadPart, MarkerPart, PointPart,
    ShapePart,
};
use carom::model::{
    Consequence, ContactTreatment, Crossing, JointKind, Model, Parts, Problem, ShapeKind, Space,
    UserEvent,
};
use carom::simulate::{Scenario, Wishes, simulate};

use crate::workshop::{blow, hinge, place, rod};

/// A pendulum whose tip hits a point of the ground.
fn pendulum() -> Parts {
    let mut parts = Parts::new(Space::Planar);
    parts.bodies.push(rod("rod", 1.0, 1.0));
    parts.joints.push(hinge("pivot", (None, 0), (Pose::identity(), place(-0.5, 0.0, 0.0)), 0.3));
    parts.joints[0].velocity = Some(vec![-1.0]);
    let ends = ((None, Vec3::x()), (Some(0), Vec3::x() * 0.5));
    parts.contacts.push(blow(ends.0, ends.1, None, Vec3::y()));
    parts.contacts[0].defaults.restitution = Some(0.5);
    parts
}

const fn point(body: Option<usize>) -> PointPart {
    PointPart { body, at: Vec3::new(0.0, 0.0, 0.0) }
}

fn tape(variable: Variable) -> Tape {
    Tape::new(vec![Step::Variable(variable)]).expect("one value is left")
}

/// The faults of the pendulum after a change.
fn faults(change: impl FnOnce(&mut Parts)) -> Vec<(String, Problem)> {
    let mut parts = pendulum();
    change(&mut parts);
    let faults = Model::new(&parts).expect_err("it must be refused");
    faults.into_iter().map(|f| (f.path, f.problem)).collect()
}

/// The only fault is that there is no such thing at that path.
fn missing(path: &str, what: &'static str, index: usize, change: impl FnOnce(&mut Parts)) {
    let found = faults(change);
    let [(at, Problem::NoSuch { what: kind, index: number, .. })] = found.as_slice() else {
        panic!("{path}: {found:?}")
    };
    assert_eq!((at.as_str(), *kind, *number), (path, what, index));
}

fn closure(kind: ClosureKind) -> ClosurePart {
    ClosurePart { name: "loop".to_owned(), kind }
}

fn load(kind: LoadKind) -> LoadPart {
    LoadPart { name: "push".to_owned(), kind }
}

#[test]
fn parts_that_name_what_is_not_there_are_refused_at_their_place() {
    missing("joints.pivot.connects", "body", 9, |p| p.joints[0].child = 9);
    missing("joints.pivot.connects", "body", 9, |p| p.joints[0].parent = Some(9));
    missing("contacts.blow.between", "body", 7, |p| {
        p.contacts[0] = blow((Some(7), Vec3::x()), (Some(0), Vec3::x()), None, Vec3::y());
    });
    missing("contacts.blow.normal", "body", 7, |p| {
        p.contacts[0] = blow((None, Vec3::x()), (Some(0), Vec3::x()), Some(7), Vec3::y());
    });
    missing("contacts.blow.joint", "joint", 4, |p| {
        p.contacts[0].place =
            ContactPlace::Stop { joint: 4, coordinate: 0, lower: Some(0.0), upper: None };
    });
    missing("contacts.blow.joint", "coordinate of this joint", 1, |p| {
        p.contacts[0].place =
            ContactPlace::Stop { joint: 0, coordinate: 1, lower: Some(0.0), upper: None };
    });
    missing("closures.loop.terms", "joint", 3, |p| {
        p.closures.push(closure(ClosureKind::Coupling { terms: vec![(3, 0, 1.0)], offset: 0.0 }));
    });
    missing("closures.loop.connects", "body", 2, |p| {
        let (a, b) = ((Some(2), Pose::identity()), (Some(0), Pose::identity()));
        p.closures.push(closure(ClosureKind::Joint { kind: JointKind::Revolute, a, b }));
    });
    missing("closures.loop", "body", 5, |p| {
        let (a, b) = (point(Some(5)), point(Some(0)));
        p.closures.push(closure(ClosureKind::Distance { a, b, length: 1.0 }));
    });
    missing("markers.rod.tip", "body", 5, |p| {
        let name = "rod.tip".to_owned();
        p.markers.push(MarkerPart { name, point: point(Some(5)), direction: None });
    });
    missing("shapes.rod.ball", "body", 5, |p| {
        let kind = ShapeKind::Point { at: Vec3::zeros() };
        p.shapes.push(ShapePart { name: "rod.ball".to_owned(), body: Some(5), kind });
    });
    missing("loads.push", "body", 5, |p| {
        let components = [0, 1, 2].map(|_| tape(Variable::Time));
        p.loads.push(load(LoadKind::Torque { body: 5, components, in_body: false }));
    });
    missing("loads.push.joint", "joint", 5, |p| {
        let effort = tape(Variable::Time);
        p.loads.push(load(LoadKind::Effort { joint: 5, coordinate: 0, effort }));
    });
    missing("loads.push", "joint", 5, |p| {
        let effort = tape(Variable::Position(Parts::variable(5, 0)));
        p.loads.push(load(LoadKind::Effort { joint: 0, coordinate: 0, effort }));
    });
    missing("loads.push", "coordinate of this joint", 3, |p| {
        let effort = tape(Variable::Velocity(Parts::variable(0, 3)));
        p.loads.push(load(LoadKind::Effort { joint: 0, coordinate: 0, effort }));
    });
    missing("drives.turn.joint", "joint", 6, |p| {
        let (name, motion) = ("turn".to_owned(), tape(Variable::Time));
        p.drives.push(DrivePart { name, joint: 6, coordinate: 0, motion });
    });
    missing("events.near", "contact", 6, |p| {
        p.events.push(UserEvent {
            name: "near".to_owned(),
            expression: tape(Variable::Gap(6)),
            when: Crossing::Falls,
            then: Consequence::Record,
        });
    });
    missing("initial.points", "marker", 2, |p| {
        p.initial.points.push((2, [None; 3], [None; 3]));
    });
    // Both shapes of a contact are missing, and both are told.
    assert_eq!(faults(|p| p.contacts[0].place = ContactPlace::Shapes(0, 1)).len(), 2);
}

#[test]
fn expressions_depend_on_what_is_known_where_they_are_evaluated() {
    let drive = |variable: Variable| {
        move |p: &mut Parts| {
            let (name, motion) = ("turn".to_owned(), tape(variable));
            p.joints[0].position = None;
            p.joints[0].velocity = None;
            p.drives.push(DrivePart { name, joint: 0, coordinate: 0, motion });
        }
    };
    let found = faults(drive(Variable::Position(0)));
    assert!(matches!(&found[..], [(at, Problem::Conflict { .. })] if at == "drives.turn"));
    let found = faults(|p| {
        let effort = tape(Variable::Gap(0));
        p.loads.push(load(LoadKind::Effort { joint: 0, coordinate: 0, effort }));
    });
    assert!(matches!(&found[..], [(at, Problem::Conflict { .. })] if at == "loads.push"));
}

#[test]
fn numbers_that_are_not_finite_are_refused_at_their_place() {
    type Change = fn(&mut Parts, f64);
    let cases: [(&str, Change); 10] = [
        ("gravity", |p, x| p.gravity.y = x),
        ("bodies.rod.mass", |p, x| p.bodies[0].mass = x),
        ("bodies.rod.center", |p, x| p.bodies[0].center.x = x),
        ("bodies.rod.inertia", |p, x| p.bodies[0].inertia = Mat3::from_diagonal_element(x)),
        ("joints.pivot", |p, x| p.joints[0].in_parent.position.x = x),
        ("joints.pivot.position", |p, x| p.joints[0].position = Some(vec![x])),
        ("joints.pivot.velocity", |p, x| p.joints[0].velocity = Some(vec![x])),
        ("contacts.blow.normal", |p, x| {
            let normal = Vec3::new(x, 1.0, 0.0);
            p.contacts[0] = blow((None, Vec3::x()), (Some(0), Vec3::x()), None, normal);
        }),
        ("contacts.blow.between", |p, x| {
            p.contacts[0] = blow((None, Vec3::x() * x), (Some(0), Vec3::x()), None, Vec3::y());
        }),
        ("initial.kinetic_energy", |p, x| p.initial.rest.kinetic_energy = Some(x)),
    ];
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (path, change) in cases {
            let found = faults(|p| change(p, x));
            assert!(found.iter().any(|f| f.0 == path), "{path} {x}: {found:?}");
        }
    }
}

#[test]
fn a_machine_of_nothing_is_a_machine() {
    let model = Model::new(&Parts::new(Space::Planar)).expect("nothing is wrong with it");
    let state = State::as_written(&model);
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).expect("it is finite");
    assert_eq!(at.kinetic_energy(), 0.0);
    assert_eq!(at.constraint_report().freedom, 0);
    assert!(at.touch(0).is_err());
    let nothing = Strike::new(at, None, &StrikeWishes::default());
    assert!(matches!(nothing, Err(StrikeError::NothingClosed { .. })));
}

#[test]
fn contacts_and_joints_that_are_not_there_are_errors() {
    let model = Model::new(&pendulum()).expect("it is valid");
    let state = State::as_written(&model);
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).expect("it is finite");
    let no = ContactError::NoSuchContact { contact: 9, count: 1 };
    assert_eq!(at.touch(9).expect_err("there is one contact"), no);
    assert_eq!(at.contact_stiffness(9).expect_err("one"), HertzError::Geometry(no.clone()));
    let motion = |_| carom::maths::Twist::zero();
    assert_eq!(at.contact_variation(9, 0, &motion).expect_err("one"), no);
    let seven = Assessment::new(&at, 7, &Options::default()).expect_err("one");
    let expected = ContactError::NoSuchContact { contact: 7, count: 1 };
    assert!(matches!(seven, AssessmentError::Contact(e) if e == expected));
    let together = Together::new(&at, &[0, 9]).expect_err("one");
    assert!(matches!(together, AssessmentError::Contact(e) if e == no));
    let strike = Strike::new(at, Some(&[9]), &StrikeWishes::default()).expect_err("one");
    assert!(matches!(strike, StrikeError::Contact(e) if e == no), "it names the contact");
    let locked = Options { locked: vec![9], ..Options::default() };
    let locked = Assessment::new(&at, 0, &locked).expect_err("one joint");
    let none = DynamicsError::NoSuchJoint { joint: 9, count: 1 };
    assert!(matches!(locked, AssessmentError::Dynamics(e) if e == none));
    assert_eq!(Mechanism::with_locked(&model, &[9]).err(), Some(none));
}

#[test]
fn states_of_other_models_and_without_numbers_are_errors() {
    let model = Model::new(&pendulum()).expect("it is valid");
    let good = State::as_written(&model);
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        Mechanism::new(&model).at(&state).expect_err("it must be refused")
    };
    let size = |q: bool, found: usize| DynamicsError::WrongSize {
        found,
        expected: 1,
        of: if q { "q" } else { "v" },
    };
    assert_eq!(refused(&|s| s.q = nalgebra::DVector::zeros(2)), size(true, 2));
    assert_eq!(refused(&|s| s.v = nalgebra::DVector::zeros(0)), size(false, 0));
    assert!(matches!(refused(&|s| s.q[0] = f64::NAN), DynamicsError::NotFinite { of: "q", .. }));
    let v = refused(&|s| s.v[0] = f64::INFINITY);
    assert!(matches!(v, DynamicsError::NotFinite { of: "v", .. }));
    assert!(matches!(refused(&|s| s.t = f64::NAN), DynamicsError::NotFinite { of: "t", .. }));
}

#[test]
fn scenarios_of_other_models_and_without_numbers_are_errors() {
    let model = Model::new(&pendulum()).expect("it is valid");
    let state = State::as_written(&model);
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).expect("it is finite");
    let treatment = Some(ContactTreatment::Piecewise);
    let wishes = Wishes { until: Some(0.1), treatment, ..Wishes::default() };
    let good = Scenario::new(&at, &wishes).expect("it is complete");
    let refused = |change: &dyn Fn(&mut Scenario), words: &str| {
        let mut scenario = good.clone();
        change(&mut scenario);
        let error = simulate(&model, &state, &scenario).expect_err("it must be refused");
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(&|s| s.contacts.clear(), "plans for 0 contacts, the model has 1");
    refused(&|s| s.contacts.push(s.contacts[0].clone()), "plans for 2 contacts");
    refused(&|s| s.until = f64::NAN, "the duration");
    refused(&|s| s.tolerance = 0.0, "the tolerance");
    refused(&|s| s.samples = 0, "the number of samples");
    refused(&|s| s.least_onset_speed = f64::NAN, "the least approach speed");
    refused(&|s| s.contacts[0].restitution = None, "needs a `restitution`");
    refused(&|s| s.treatment = ContactTreatment::Continuous, "needs a `law`");
    let mut wrong = state.clone();
    wrong.q = nalgebra::DVector::zeros(3);
    assert!(simulate(&model, &wrong, &good).is_err());
}

#[test]
fn an_inertia_wider_than_its_body_is_doubted() {
    let mut parts = pendulum();
    // A slender rod of 1 m: k = 1/√12 m within 0.5 m.
    assert!(Model::new(&parts).expect("it is valid").doubtful_inertias().is_empty());
    parts.bodies[0].mass = 1.2;
    parts.bodies[0].inertia = Mat3::from_diagonal_element(1.2 * 0.51 * 0.51);
    let model = Model::new(&parts).expect("it is valid");
    let [doubt] = &model.doubtful_inertias()[..] else { panic!("one body is doubtful") };
    assert_eq!(doubt.body, "rod");
    assert!((doubt.radius - 0.51).abs() < 1e-12 && (doubt.size - 0.5).abs() < 1e-12);
    // A shape that reaches further explains it.
    let kind = ShapeKind::Sphere { center: Vec3::zeros(), radius: 0.6 };
    parts.shapes.push(ShapePart { name: "rod.ball".to_owned(), body: Some(0), kind });
    assert!(Model::new(&parts).expect("it is valid").doubtful_inertias().is_empty());
    // A wheel on an axle through its mass centre has no known extent.
    parts.shapes.clear();
    parts.contacts.clear();
    parts.joints[0].in_child = Pose::identity();
    assert!(Model::new(&parts).expect("it is valid").doubtful_inertias().is_empty());
}
