//! Machines built by hand or loaded from a file, and one look at their contact.

use std::path::Path;

use carom::dynamics::report::Mobility;
use carom::dynamics::{Assembled, Mechanism, Posture, assemble};
use carom::file;
use carom::impact::{Assessment, Options, RowAssessment};
use carom::kinematics::State;
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{
    BodyPart, ClosureKind, ClosurePart, ContactPart, ContactPlace, JointPart, PartPlace, PointPart,
};
use carom::model::{ContactDefaults, JointKind, Model, Parts};
use carom_reference::space::{Matrix, Vector};

/// What the engine says of a contact, as one value.
pub struct Look {
    /// The assessment.
    pub contact: Assessment,
    /// Freedoms and redundancy.
    pub report: Mobility,
    /// What assembly did.
    pub assembled: Assembled,
}

impl Look {
    /// At a model's own state, its contact `contact`.
    pub fn at(model: &Model, contact: usize) -> Self {
        let assembled = assemble(model).expect("it can be assembled");
        let mut mechanism = Mechanism::new(model);
        let at = mechanism.at(&assembled.state).expect("the state is finite");
        let report = at.constraint_report();
        let contact = Assessment::new(&at, contact, &Options::everything()).expect("it is defined");
        Self { contact, report, assembled }
    }

    /// Of a file of `models/`, with parameters set to other values.
    pub fn of_file(name: &str, parameters: &[(&str, f64)]) -> Self {
        let sets: Vec<(&str, String)> =
            parameters.iter().map(|(name, x)| (*name, format!("{x:?}"))).collect();
        Self::at(&load(name, &sets), 0)
    }

    /// Of parts with one contact.
    pub fn of_parts(parts: &Parts) -> Self {
        Self::at(&Model::new(parts).expect("it is valid"), 0)
    }

    /// The first row.
    pub fn row(&self) -> &RowAssessment {
        &self.contact.rows[0]
    }

    /// m_eff of the first row.
    pub fn mass(&self) -> f64 {
        self.row().effective.mass
    }

    /// u of the first row.
    pub fn rate(&self) -> f64 {
        self.row().effective.rate
    }

    /// T_c of the first row.
    pub fn energy(&self) -> f64 {
        self.row().effective.energy
    }
}

/// A file of `models/` with parameters set to texts; a name with a dot is a full path.
pub fn load(name: &str, parameters: &[(&str, String)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let full = |key: &str| {
        if key.contains('.') { key.to_owned() } else { format!("parameters.{key}") }
    };
    let sets: Vec<(String, String)> =
        parameters.iter().map(|(key, text)| (full(key), text.clone())).collect();
    match file::load(&path, &sets) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    }
}

/// Runs `look` at the state of a model.
pub fn with_posture<T>(model: &Model, state: &State, look: impl FnOnce(&Posture<'_>) -> T) -> T {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state).expect("the state is finite");
    look(&at)
}

/// |x − y| relative to y; zero where both are the same infinity.
pub fn off(x: f64, y: f64) -> f64 {
    if x == y { 0.0 } else { (x - y).abs() / y.abs() }
}

/// Keeps the largest of many errors, so that a test can say how good the worst case was.
#[derive(Default)]
pub struct Worst(pub f64);

impl Worst {
    /// Fails where `error` exceeds `tolerance`; remembers it.
    pub fn check(&mut self, error: f64, tolerance: f64, what: impl FnOnce() -> String) {
        assert!(error <= tolerance, "{}: off by {error:.2e}, allowed {tolerance:.1e}", what());
        self.0 = self.0.max(error);
    }

    /// Shown by `cargo test -- --nocapture`.
    pub fn show(&self, what: &str) {
        println!("{what}: worst error {:.1e}", self.0);
    }
}

/// An array as a vector.
pub fn vec3(x: Vector) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

/// An array as a matrix.
pub fn mat3(x: &Matrix) -> Mat3 {
    Mat3::from_fn(|i, j| x[i][j])
}

/// A pose from a rotation about x, y or z of the reference library.
pub fn pose(rotation: &Matrix, position: Vector) -> Pose {
    Pose { rotation: mat3(rotation), position: vec3(position) }
}

/// A place without rotation.
pub fn place(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(Vec3::new(x, y, z))
}

/// A body.
pub fn body(name: &str, mass: f64, center: Vec3, inertia: Mat3) -> BodyPart {
    BodyPart { name: name.to_owned(), mass, center, inertia, payload: false }
}

/// A slender rod along x, its frame at the middle.
pub fn rod(name: &str, mass: f64, length: f64) -> BodyPart {
    let J = mass * length * length / 12.0;
    body(name, mass, Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(0.0, J, J)))
}

/// A joint with its frames.
pub fn joint(
    name: &str,
    kind: JointKind,
    bodies: (PartPlace, usize),
    frames: (Pose, Pose),
    position: &[f64],
) -> JointPart {
    let mut joint = JointPart::new(name, kind, bodies.0, bodies.1);
    (joint.in_parent, joint.in_child) = frames;
    joint.position = Some(position.to_vec());
    joint
}

/// A revolute about z.
pub fn hinge(
    name: &str,
    bodies: (PartPlace, usize),
    frames: (Pose, Pose),
    angle: f64,
) -> JointPart {
    joint(name, JointKind::Revolute, bodies, frames, &[angle])
}

/// A joint that closes a loop.
pub fn closing(
    name: &str,
    kind: JointKind,
    a: (PartPlace, Pose),
    b: (PartPlace, Pose),
) -> ClosurePart {
    ClosurePart { name: name.to_owned(), kind: ClosureKind::Joint { kind, a, b } }
}

/// A contact of two points along a normal fixed in a body.
pub fn blow(
    a: (PartPlace, Vec3),
    b: (PartPlace, Vec3),
    normal_in: PartPlace,
    normal: Vec3,
) -> ContactPart {
    let point = |side: (PartPlace, Vec3)| PointPart { body: side.0, at: side.1 };
    ContactPart {
        name: "blow".to_owned(),
        place: ContactPlace::Points { a: point(a), b: point(b), normal_in, normal },
        defaults: ContactDefaults::default(),
    }
}
