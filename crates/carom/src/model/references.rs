//! Whether everything that [`Parts`] refer to exists, and every number in them is finite.
//!
//! A program that fills [`Parts`] itself may name a body, joint, marker, shape or contact that is not there. These checks
//! come first: the others look the names up.

use super::parts::{
    ClosureKind, ContactPlace, DrivePart, LoadKind, PartPlace, Parts, PointPart, ShapePart,
};
use super::tree::planar_kind;
use super::{Fault, Problem, ShapeKind};
use crate::maths::expression::{Step, Tape, Variable};
use crate::maths::{Pose, Vec3};

/// Everything that does not exist and every number that is not finite.
pub(super) fn faults(parts: &Parts) -> Vec<Fault> {
    let mut check = Check { parts, faults: Vec::new() };
    check.numbers("gravity", parts.gravity.iter().copied());
    for joint in &parts.joints {
        let path = format!("joints.{}", joint.name);
        check.place(&format!("{path}.connects"), joint.parent);
        check.place(&format!("{path}.connects"), Some(joint.child));
        check.pose(&path, &joint.in_parent);
        check.pose(&path, &joint.in_child);
    }
    parts.closures.iter().for_each(|c| check.closure(&format!("closures.{}", c.name), &c.kind));
    for marker in &parts.markers {
        let path = format!("markers.{}", marker.name);
        check.point(&path, &marker.point);
        check.numbers(&path, marker.direction.iter().flat_map(|d| d.iter().copied()));
    }
    parts.shapes.iter().for_each(|shape| check.shape(shape));
    parts.contacts.iter().for_each(|c| check.contact(&format!("contacts.{}", c.name), &c.place));
    parts.loads.iter().for_each(|l| check.load(&format!("loads.{}", l.name), &l.kind));
    parts.drives.iter().for_each(|drive| check.drive(drive));
    for event in &parts.events {
        check.tape(&format!("events.{}", event.name), &event.expression, Depends::Contacts);
    }
    check.initial();
    check.faults
}

/// What an expression may depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depends {
    /// Time.
    Time,
    /// Time and positions.
    Positions,
    /// Time, positions and velocities.
    Motion,
    /// The same and the gaps of contacts.
    Contacts,
}

struct Check<'a> {
    parts: &'a Parts,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, path: &str, problem: Problem) {
        self.faults.push(Fault::new(path, problem));
    }

    /// Whether there are more than `index` of these.
    fn exists(&mut self, path: &str, what: &'static str, index: usize, count: usize) -> bool {
        if index >= count {
            self.fault(path, Problem::NoSuch { what, index, count });
        }
        index < count
    }

    fn numbers(&mut self, path: &str, numbers: impl IntoIterator<Item = f64>) {
        if let Some(found) = numbers.into_iter().find(|x| !x.is_finite()) {
            self.fault(path, Problem::OutOfRange { found, expected: "a finite number" });
        }
    }

    fn vector(&mut self, path: &str, vector: &Vec3) {
        self.numbers(path, vector.iter().copied());
    }

    /// A direction: finite and of some length.
    fn direction(&mut self, path: &str, what: &'static str, vector: &Vec3) {
        self.vector(path, vector);
        if vector.norm() == 0.0 {
            self.fault(path, Problem::NoDirection { what });
        }
    }

    fn pose(&mut self, path: &str, pose: &Pose) {
        self.numbers(path, pose.position.iter().chain(pose.rotation.iter()).copied());
    }

    fn place(&mut self, path: &str, place: PartPlace) {
        let count = self.parts.bodies.len();
        place.map(|body| self.exists(path, "body", body, count));
    }

    fn point(&mut self, path: &str, point: &PointPart) {
        self.place(path, point.body);
        self.vector(path, &point.at);
    }

    /// A velocity of a joint; one that has a position of its own if `scalar`.
    fn coordinate(&mut self, path: &str, joint: usize, coordinate: usize, scalar: bool) {
        if !self.exists(path, "joint", joint, self.parts.joints.len()) {
            return;
        }
        let kind = planar_kind(self.parts.joints[joint].kind, self.parts.space);
        let count = kind.velocities();
        if self.exists(path, "coordinate of this joint", coordinate, count)
            && scalar
            && kind.position_of(coordinate).is_none()
        {
            let what = format!(
                "this coordinate of joint `{}` is a rotation in space and has no position of its own",
                self.parts.joints[joint].name
            );
            self.fault(path, Problem::Conflict { what });
        }
    }

    fn closure(&mut self, path: &str, kind: &ClosureKind) {
        match kind {
            ClosureKind::Joint { a, b, .. } => {
                for (place, pose) in [a, b] {
                    self.place(&format!("{path}.connects"), *place);
                    self.pose(path, pose);
                }
            }
            ClosureKind::Distance { a, b, .. } => {
                self.point(path, a);
                self.point(path, b);
            }
            ClosureKind::PointOnLine { line, direction, point } => {
                self.point(path, line);
                self.point(path, point);
                self.direction(path, "direction", direction);
            }
            ClosureKind::PointOnCircle { center, axis, point, .. } => {
                self.point(path, center);
                self.point(path, point);
                self.direction(path, "axis", axis);
            }
            ClosureKind::Coupling { terms, offset } => {
                for &(joint, coordinate, coefficient) in terms {
                    self.coordinate(&format!("{path}.terms"), joint, coordinate, true);
                    self.numbers(path, [coefficient]);
                }
                self.numbers(path, [*offset]);
            }
        }
    }

    fn shape(&mut self, shape: &ShapePart) {
        let path = format!("shapes.{}", shape.name);
        self.place(&path, shape.body);
        match &shape.kind {
            ShapeKind::Point { at } => self.vector(&path, at),
            ShapeKind::Sphere { center, radius } | ShapeKind::Hollow { center, radius } => {
                self.vector(&path, center);
                self.numbers(&path, [*radius]);
            }
            ShapeKind::Plane { at, normal } => {
                self.vector(&path, at);
                self.direction(&path, "normal", normal);
            }
            ShapeKind::Segment { start, end, .. } => {
                self.vector(&path, start);
                self.vector(&path, end);
            }
            ShapeKind::Box { pose, half } => {
                self.pose(&path, pose);
                self.vector(&path, half);
            }
            ShapeKind::Capsule { start, end, radius } => {
                self.vector(&path, start);
                self.vector(&path, end);
                self.numbers(&path, [*radius]);
            }
            ShapeKind::Cylinder { pose, radius, half_length } => {
                self.pose(&path, pose);
                self.numbers(&path, [*radius, *half_length]);
            }
            ShapeKind::Convex { solid, radius } => {
                solid.vertices.iter().for_each(|p| self.vector(&path, p));
                self.numbers(&path, [*radius]);
            }
            ShapeKind::Profile { pose, curve } => {
                self.pose(&path, pose);
                self.numbers(&path, [curve.reach]);
            }
        }
    }

    fn contact(&mut self, path: &str, place: &ContactPlace) {
        match place {
            ContactPlace::Shapes(a, b) => {
                for shape in [*a, *b] {
                    self.exists(
                        &format!("{path}.between"),
                        "shape",
                        shape,
                        self.parts.shapes.len(),
                    );
                }
            }
            ContactPlace::Points { a, b, normal_in, normal } => {
                self.point(&format!("{path}.between"), a);
                self.point(&format!("{path}.between"), b);
                self.place(&format!("{path}.normal"), *normal_in);
                self.vector(&format!("{path}.normal"), normal);
            }
            ContactPlace::Rope { a, b, length } => {
                self.point(&format!("{path}.between"), a);
                self.point(&format!("{path}.between"), b);
                self.numbers(&format!("{path}.rope"), [*length]);
            }
            ContactPlace::Stop { joint, coordinate, lower, upper } => {
                self.coordinate(&format!("{path}.joint"), *joint, *coordinate, true);
                self.numbers(path, lower.iter().chain(upper).copied());
            }
        }
    }

    fn load(&mut self, path: &str, kind: &LoadKind) {
        match kind {
            LoadKind::Spring { a, b, stiffness, damping, rest } => {
                self.point(path, a);
                self.point(path, b);
                self.numbers(path, [*stiffness, *damping, *rest]);
            }
            LoadKind::JointSpring { joint, coordinate, stiffness, damping, rest } => {
                self.coordinate(&format!("{path}.joint"), *joint, *coordinate, true);
                self.numbers(path, [*stiffness, *damping, *rest]);
            }
            LoadKind::Force { at, components, .. } => {
                self.point(path, at);
                for tape in components {
                    self.tape(path, tape, Depends::Motion);
                }
            }
            LoadKind::Torque { body, components, .. } => {
                self.place(path, Some(*body));
                for tape in components {
                    self.tape(path, tape, Depends::Motion);
                }
            }
            LoadKind::Effort { joint, coordinate, effort } => {
                self.coordinate(&format!("{path}.joint"), *joint, *coordinate, false);
                self.tape(path, effort, Depends::Motion);
            }
        }
    }

    fn drive(&mut self, drive: &DrivePart) {
        let path = format!("drives.{}", drive.name);
        // A coordinate without a position of its own is refused where drives are compared with joints.
        self.coordinate(&format!("{path}.joint"), drive.joint, drive.coordinate, false);
        self.tape(&path, &drive.motion, Depends::Time);
    }

    fn initial(&mut self) {
        let initial = &self.parts.initial;
        for (marker, at, velocity) in &initial.points {
            let path = "initial.points";
            self.exists(path, "marker", *marker, self.parts.markers.len());
            self.numbers(path, at.iter().chain(velocity).flatten().copied());
        }
        for condition in &initial.rest.branch {
            self.tape("initial.branch", &condition.margin, Depends::Positions);
        }
        self.numbers("initial.kinetic_energy", initial.rest.kinetic_energy);
    }

    /// The joints, coordinates and contacts that an expression names.
    fn tape(&mut self, path: &str, tape: &Tape, may: Depends) {
        for step in tape.steps() {
            let Step::Variable(variable) = *step else { continue };
            let (needs, what) = match variable {
                Variable::Time => continue,
                Variable::Position(_) => (Depends::Positions, "positions"),
                Variable::Velocity(_) => (Depends::Motion, "velocities"),
                Variable::Gap(_) => (Depends::Contacts, "gaps of contacts"),
            };
            if (may as u8) < (needs as u8) {
                let what = format!("this expression must not depend on {what}");
                self.fault(path, Problem::Conflict { what });
                continue;
            }
            match variable {
                Variable::Time => {}
                Variable::Position(k) | Variable::Velocity(k) => {
                    if !self.exists(path, "joint", k / 8, self.parts.joints.len()) {
                        continue;
                    }
                    let kind = planar_kind(self.parts.joints[k / 8].kind, self.parts.space);
                    let position = matches!(variable, Variable::Position(_));
                    let count = if position { kind.positions() } else { kind.velocities() };
                    self.exists(path, "coordinate of this joint", k % 8, count);
                }
                Variable::Gap(k) => {
                    self.exists(path, "contact", k, self.parts.contacts.len());
                }
            }
        }
    }
}
