//! From [`Parts`] to a [`Model`]: all checks, the order of the tree, link frames.

use std::collections::HashMap;

use super::closure::{CouplingTerm, circle_rows, joint_rows, line_rows};
use super::joint::{MOST_POSITIONS, MOST_VELOCITIES};
use super::parts::{
    BodyPart, ClosureKind, ClosurePart, ContactPlace, JointPart, LoadKind, PartPlace, Parts,
    PointPart,
};
use super::{
    Anchor, Body, BodyId, Closure, Condition, Contact, ContactGeometry, Drive, Fault, Initial,
    Joint, JointKind, Load, Marker, Model, Place, PointTarget, Problem, RigidInertia, Row, Shape,
    ShapeKind, Space,
};
use crate::maths::expression::{Step, Tape, Variable};
use crate::maths::{Mat3, Pose, Vec3};

/// Smallest eigenvalue of an inertia that still counts as zero, relative to the largest.
const INERTIA_ROUND_OFF: f64 = 1e-12;

impl Model {
    /// Checks the parts and puts them in order; all faults are reported at once.
    pub fn new(parts: &Parts) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        check_names(parts, &mut faults);
        for body in &parts.bodies {
            check_body(body, parts.space, &mut faults);
        }
        for joint in &parts.joints {
            check_joint(joint, parts, &mut faults);
        }
        check_pairs(parts, &mut faults);
        let order = order_tree(parts, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Compiler::new(parts, &order).model())
    }
}

fn check_names(parts: &Parts, faults: &mut Vec<Fault>) {
    let groups: [(&str, Vec<&String>); 6] = [
        ("bodies", parts.bodies.iter().map(|x| &x.name).collect()),
        ("joints", parts.joints.iter().map(|x| &x.name).collect()),
        ("closures", parts.closures.iter().map(|x| &x.name).collect()),
        ("contacts", parts.contacts.iter().map(|x| &x.name).collect()),
        ("loads", parts.loads.iter().map(|x| &x.name).collect()),
        ("drives", parts.drives.iter().map(|x| &x.name).collect()),
    ];
    for (group, names) in groups {
        let mut seen = HashMap::new();
        for (i, name) in names.into_iter().enumerate() {
            if let Some(first) = seen.insert(name.clone(), i) {
                let first = format!("{group}.{name} (number {})", first + 1);
                let problem = Problem::DuplicateName { name: name.clone(), first };
                faults.push(Fault::new(format!("{group}.{name}"), problem));
            }
        }
    }
    for body in parts.bodies.iter().filter(|b| b.name == "ground") {
        let name = body.name.clone();
        let first = "the ground itself".to_owned();
        faults.push(Fault::new("bodies.ground", Problem::DuplicateName { name, first }));
    }
}

fn check_body(body: &BodyPart, space: Space, faults: &mut Vec<Fault>) {
    let path = |key: &str| format!("bodies.{}.{key}", body.name);
    if !(body.mass.is_finite() && body.mass > 0.0) {
        let problem = Problem::OutOfRange { found: body.mass, expected: "a positive mass [kg]" };
        faults.push(Fault::new(path("mass"), problem));
    }
    if let Some(&found) = body.center.iter().find(|x| !x.is_finite()) {
        let problem = Problem::OutOfRange { found, expected: "a finite coordinate [m]" };
        faults.push(Fault::new(path("center"), problem));
    }
    if let Some(reason) = inertia_fault(&body.inertia, space) {
        faults.push(Fault::new(path("inertia"), Problem::Inertia { reason }));
    }
}

/// Why no body has this inertia: not finite, an eigenvalue below zero, or one larger than the
/// other two together.
fn inertia_fault(J: &Mat3, space: Space) -> Option<String> {
    if let Some(x) = J.iter().find(|x| !x.is_finite()) {
        return Some(format!("{x} is not a finite number"));
    }
    if space == Space::Planar {
        let z = J[(2, 2)];
        return (z < 0.0).then(|| format!("{z} kg m² is negative"));
    }
    let mut principal: Vec<f64> = J.symmetric_eigenvalues().iter().copied().collect();
    principal.sort_by(f64::total_cmp);
    let round_off = INERTIA_ROUND_OFF * principal[2].abs();
    if principal[0] < -round_off {
        return Some(format!("its principal value {:.6e} kg m² is negative", principal[0]));
    }
    if principal[2] > (principal[0] + principal[1]) * (1.0 + 1e-9) + round_off {
        return Some(format!(
            "its principal values {:.6e}, {:.6e}, {:.6e} kg m² break the triangle inequality (the largest exceeds the sum of the others)",
            principal[0], principal[1], principal[2]
        ));
    }
    None
}

fn check_joint(joint: &JointPart, parts: &Parts, faults: &mut Vec<Fault>) {
    let path = |key: &str| format!("joints.{}.{key}", joint.name);
    if joint.parent == Some(joint.child) {
        let problem = Problem::WithItself {
            what: "joint",
            name: joint.name.clone(),
            body: parts.bodies[joint.child].name.clone(),
        };
        faults.push(Fault::new(path("connects"), problem));
    }
    let kind = planar_kind(joint.kind, parts.space);
    let lists = [
        ("position", joint.position.as_deref(), kind.positions()),
        ("guess", joint.guess.as_deref(), kind.positions()),
        ("velocity", joint.velocity.as_deref(), kind.velocities()),
        ("rotor", (!joint.rotor.is_empty()).then_some(&joint.rotor[..]), kind.velocities()),
    ];
    for (key, list, wanted) in lists {
        let Some(list) = list else { continue };
        if list.len() != wanted {
            let what =
                format!("a {} joint has {wanted} {key} entries, found {}", kind.name(), list.len());
            faults.push(Fault::new(path(key), Problem::Conflict { what }));
        }
        if let Some(&found) = list.iter().find(|x| !x.is_finite()) {
            let problem = Problem::OutOfRange { found, expected: "a finite number" };
            faults.push(Fault::new(path(key), problem));
        }
        if let Some(&found) = list.iter().find(|x| key == "rotor" && **x < 0.0) {
            let expected = "a rotor inertia of at least zero";
            faults.push(Fault::new(path(key), Problem::OutOfRange { found, expected }));
        }
    }
    if parts.space == Space::Planar {
        check_planar_joint(kind, &joint.in_parent, "joint", &path("type"), faults);
        let turned = joint.in_parent.rotation * joint.in_child.rotation.transpose();
        if turned[(2, 2)] < 1.0 - 1e-9 {
            let problem = Problem::LeavesPlane { what: "orientation of the child" };
            faults.push(Fault::new(path("orientation"), problem));
        }
    }
}

fn check_planar_joint(
    kind: JointKind,
    frame: &Pose,
    what: &'static str,
    path: &str,
    faults: &mut Vec<Fault>,
) {
    let axis = frame.rotation.column(2);
    match kind {
        JointKind::Weld | JointKind::Planar => {}
        JointKind::Revolute => {
            if axis[0].abs() + axis[1].abs() > 1e-9 {
                let problem = Problem::LeavesPlane { what: "rotation about this axis" };
                faults.push(Fault::new(path.replace(".type", ".axis"), problem));
            }
        }
        JointKind::Prismatic => {
            if axis[2].abs() > 1e-9 {
                let problem = Problem::LeavesPlane { what: "axis" };
                faults.push(Fault::new(path.replace(".type", ".axis"), problem));
            }
        }
        other => {
            let problem = Problem::NotPlanar { kind: other.name().to_owned(), what };
            faults.push(Fault::new(path, problem));
        }
    }
}

fn check_pairs(parts: &Parts, faults: &mut Vec<Fault>) {
    let name =
        |place: PartPlace| place.map_or("ground".to_owned(), |b| parts.bodies[b].name.clone());
    for closure in &parts.closures {
        let path = format!("closures.{}", closure.name);
        let pair = match &closure.kind {
            ClosureKind::Joint { kind, a, b } => {
                if parts.space == Space::Planar {
                    let kind = match kind {
                        JointKind::Planar => JointKind::Floating,
                        other => *other,
                    };
                    let at = format!("{path}.type");
                    check_planar_joint(kind, &a.1, "closure", &at, faults);
                }
                (a.0, b.0)
            }
            ClosureKind::Distance { a, b, length } => {
                if !(length.is_finite() && *length > 0.0) {
                    let problem =
                        Problem::OutOfRange { found: *length, expected: "a positive length [m]" };
                    faults.push(Fault::new(format!("{path}.length"), problem));
                }
                (a.body, b.body)
            }
            ClosureKind::PointOnLine { line, point, .. } => (line.body, point.body),
            ClosureKind::PointOnCircle { center, point, radius, .. } => {
                if !(radius.is_finite() && *radius > 0.0) {
                    let problem =
                        Problem::OutOfRange { found: *radius, expected: "a positive radius [m]" };
                    faults.push(Fault::new(format!("{path}.radius"), problem));
                }
                (center.body, point.body)
            }
            ClosureKind::Coupling { .. } => continue,
        };
        if pair.0 == pair.1 {
            let problem = Problem::WithItself {
                what: "closure",
                name: closure.name.clone(),
                body: name(pair.0),
            };
            faults.push(Fault::new(format!("{path}.connects"), problem));
        }
    }
    for contact in &parts.contacts {
        let path = format!("contacts.{}", contact.name);
        let pair = match contact.place {
            ContactPlace::Shapes(a, b) => (parts.shapes[a].body, parts.shapes[b].body),
            ContactPlace::Points { a, b, normal, .. } => {
                if normal.norm() == 0.0 {
                    let problem = Problem::NoDirection { what: "normal" };
                    faults.push(Fault::new(format!("{path}.normal"), problem));
                }
                (a.body, b.body)
            }
        };
        if pair.0 == pair.1 {
            let problem = Problem::WithItself {
                what: "contact",
                name: contact.name.clone(),
                body: name(pair.0),
            };
            faults.push(Fault::new(format!("{path}.between"), problem));
        }
    }
    for (i, drive) in parts.drives.iter().enumerate() {
        let joint = &parts.joints[drive.joint];
        let path = format!("drives.{}.joint", drive.name);
        let what = if joint.locked {
            format!("joint `{}` is locked and cannot be driven", joint.name)
        } else if joint.position.is_some() || joint.velocity.is_some() {
            format!(
                "joint `{}` has a position or velocity of its own; the drive prescribes them",
                joint.name
            )
        } else if planar_kind(joint.kind, parts.space).position_of(drive.coordinate).is_none() {
            format!(
                "this coordinate of joint `{}` is a rotation in space and cannot follow one function",
                joint.name
            )
        } else if parts.drives[..i]
            .iter()
            .any(|d| d.joint == drive.joint && d.coordinate == drive.coordinate)
        {
            format!("joint `{}` is driven twice", joint.name)
        } else {
            continue;
        };
        faults.push(Fault::new(path, Problem::Conflict { what }));
    }
}

/// Positions in `parts.joints` such that parents come before children, depth first in file order.
fn order_tree(parts: &Parts, faults: &mut Vec<Fault>) -> Vec<usize> {
    let mut carrier: Vec<Option<usize>> = vec![None; parts.bodies.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parts.bodies.len() + 1];
    for (j, joint) in parts.joints.iter().enumerate() {
        if let Some(first) = carrier[joint.child] {
            let problem = Problem::TwoParents {
                body: parts.bodies[joint.child].name.clone(),
                first: parts.joints[first].name.clone(),
            };
            faults.push(Fault::new(format!("joints.{}.connects", joint.name), problem));
            continue;
        }
        carrier[joint.child] = Some(j);
        children[joint.parent.map_or(0, |p| p + 1)].push(j);
    }
    let mut order = Vec::with_capacity(parts.joints.len());
    let mut reached = vec![false; parts.bodies.len()];
    let mut stack: Vec<usize> = children[0].iter().rev().copied().collect();
    while let Some(j) = stack.pop() {
        let child = parts.joints[j].child;
        if std::mem::replace(&mut reached[child], true) {
            continue;
        }
        order.push(j);
        stack.extend(children[child + 1].iter().rev());
    }
    let mut in_known_cycle = vec![false; parts.bodies.len()];
    for (b, body) in parts.bodies.iter().enumerate() {
        if reached[b] {
            continue;
        }
        if carrier[b].is_none() {
            let problem = Problem::NotCarried { body: body.name.clone() };
            faults.push(Fault::new(format!("bodies.{}", body.name), problem));
            continue;
        }
        report_cycle(parts, &carrier, b, &mut in_known_cycle, faults);
    }
    order
}

/// Follows carriers from `start`; if they come back, reports the circle once.
fn report_cycle(
    parts: &Parts,
    carrier: &[Option<usize>],
    start: usize,
    known: &mut [bool],
    faults: &mut Vec<Fault>,
) {
    let mut seen = HashMap::new();
    let mut path = Vec::new();
    let mut at = start;
    while let Some(j) = carrier[at] {
        if known[at] {
            return;
        }
        if let Some(&first) = seen.get(&at) {
            let circle: &[usize] = &path[first..];
            for &b in circle {
                known[b] = true;
            }
            let shown: Vec<&str> =
                circle.iter().take(6).map(|&b| parts.bodies[b].name.as_str()).collect();
            let more = if circle.len() > 6 { ", …" } else { "" };
            let cycle = format!("{}{more}", shown.join(", "));
            let joint = &parts.joints[j].name;
            faults.push(Fault::new(format!("joints.{joint}.connects"), Problem::Cycle { cycle }));
            return;
        }
        seen.insert(at, path.len());
        path.push(at);
        let Some(parent) = parts.joints[j].parent else { return };
        at = parent;
    }
}

/// In a planar model free motion is motion in the plane.
fn planar_kind(kind: JointKind, space: Space) -> JointKind {
    match (kind, space) {
        (JointKind::Floating, Space::Planar) => JointKind::Planar,
        _ => kind,
    }
}

/// Renumbers bodies and joints and re-expresses geometry in link frames.
struct Compiler<'a> {
    parts: &'a Parts,
    order: &'a [usize],
    /// New body of each part.
    id: Vec<BodyId>,
    /// Body frame in the link frame, of each body part.
    frame: Vec<Pose>,
    /// First q and v of each joint part.
    first: Vec<(usize, usize)>,
    nq: usize,
    nv: usize,
}

impl<'a> Compiler<'a> {
    fn new(parts: &'a Parts, order: &'a [usize]) -> Self {
        let mut id = vec![BodyId(0); parts.bodies.len()];
        let mut frame = vec![Pose::identity(); parts.bodies.len()];
        let mut first = vec![(0, 0); parts.joints.len()];
        let (mut nq, mut nv) = (0, 0);
        for (row, &j) in (0_u32..).zip(order) {
            let joint = &parts.joints[j];
            id[joint.child] = BodyId(row);
            frame[joint.child] = joint.in_child.inverse();
            first[j] = (nq, nv);
            let kind = planar_kind(joint.kind, parts.space);
            nq += kind.positions();
            nv += kind.velocities();
        }
        Self { parts, order, id, frame, first, nq, nv }
    }

    fn model(&self) -> Model {
        let parts = self.parts;
        Model {
            title: parts.title.clone(),
            space: parts.space,
            gravity: parts.gravity,
            bodies: self.order.iter().map(|&j| self.body(j)).collect(),
            closures: parts.closures.iter().map(|c| self.closure(c)).collect(),
            markers: (0..parts.markers.len()).map(|m| self.marker(m)).collect(),
            shapes: parts
                .shapes
                .iter()
                .map(|s| Shape {
                    name: s.name.clone(),
                    body: self.place(s.body),
                    kind: moved_shape(&s.kind, &self.frame_of(s.body)),
                })
                .collect(),
            contacts: parts
                .contacts
                .iter()
                .map(|c| Contact {
                    name: c.name.clone(),
                    geometry: self.contact(&c.place),
                    defaults: c.defaults.clone(),
                })
                .collect(),
            loads: parts.loads.iter().map(|l| self.load(&l.name, &l.kind)).collect(),
            drives: parts.drives.iter().map(|d| self.drive(d)).collect(),
            initial: self.initial(),
            nq: self.nq,
            nv: self.nv,
        }
    }

    fn body(&self, j: usize) -> Body {
        let joint = &self.parts.joints[j];
        let part = &self.parts.bodies[joint.child];
        let kind = planar_kind(joint.kind, self.parts.space);
        let frame = self.frame[joint.child];
        // In the plane only the rotation about z counts; the other axes never turn.
        let central = match self.parts.space {
            Space::Planar => Mat3::from_diagonal_element(part.inertia[(2, 2)]),
            Space::Spatial => frame.rotation * part.inertia * frame.rotation.transpose(),
        };
        let mut position = kind.zero();
        if let Some(given) = joint.position.as_ref().or(joint.guess.as_ref()) {
            position[..given.len()].copy_from_slice(given);
        }
        normalise_quaternion(kind, &mut position);
        let mut velocity = [0.0; MOST_VELOCITIES];
        if let Some(given) = &joint.velocity {
            velocity[..given.len()].copy_from_slice(given);
        }
        let mut rotor = [0.0; MOST_VELOCITIES];
        rotor[..joint.rotor.len()].copy_from_slice(&joint.rotor);
        let (q, v) = self.first[j];
        Body {
            name: part.name.clone(),
            parent: self.place(joint.parent),
            joint: Joint {
                name: joint.name.clone(),
                kind,
                in_parent: self.frame_of(joint.parent).then(&joint.in_parent),
                q,
                v,
                position,
                position_given: joint.position.is_some() || joint.locked,
                velocity,
                velocity_given: joint.velocity.is_some() || joint.locked,
                rotor,
                locked: joint.locked,
            },
            frame,
            inertia: RigidInertia::from_central(part.mass, frame.point(&part.center), central),
            rotational_mobility: super::body::rotational_mobility(&central),
        }
    }

    fn place(&self, place: PartPlace) -> Place {
        place.map(|b| self.id[b])
    }

    fn frame_of(&self, place: PartPlace) -> Pose {
        place.map_or_else(Pose::identity, |b| self.frame[b])
    }

    fn anchor(&self, point: &PointPart) -> Anchor {
        Anchor { body: self.place(point.body), at: self.frame_of(point.body).point(&point.at) }
    }

    fn marker(&self, m: usize) -> Marker {
        let marker = &self.parts.markers[m];
        Marker {
            name: marker.name.clone(),
            anchor: self.anchor(&marker.point),
            direction: marker.direction.map(|d| self.frame_of(marker.point.body).vector(&d)),
        }
    }

    fn closure(&self, closure: &ClosurePart) -> Closure {
        let planar = self.parts.space == Space::Planar;
        let (kind, rows) = match &closure.kind {
            ClosureKind::Joint { kind, a, b } => {
                let side = |s: &(PartPlace, Pose)| (self.place(s.0), self.frame_of(s.0).then(&s.1));
                let plane = planar.then(|| self.frame_of(a.0).rotation);
                (kind.name(), joint_rows(*kind, side(a), side(b), plane.as_ref()))
            }
            ClosureKind::Distance { a, b, length } => (
                "distance",
                vec![Row::Distance { a: self.anchor(a), b: self.anchor(b), length: *length }],
            ),
            ClosureKind::PointOnLine { line, direction, point } => {
                let direction = self.frame_of(line.body).vector(&direction.normalize());
                let plane = planar.then(|| self.frame_of(line.body).rotation);
                let (line, point) = (self.anchor(line), self.anchor(point));
                let rows = line_rows(line, &direction, point, plane.as_ref());
                ("point-on-line", rows)
            }
            ClosureKind::PointOnCircle { center, axis, radius, point } => {
                let axis = self.frame_of(center.body).vector(&axis.normalize());
                let (center, point) = (self.anchor(center), self.anchor(point));
                ("point-on-circle", circle_rows(center, &axis, *radius, point, planar))
            }
            ClosureKind::Coupling { terms, offset } => {
                let terms = terms
                    .iter()
                    .map(|&(j, coordinate, coefficient)| {
                        let (body, q, v) = self.coordinate(j, coordinate);
                        CouplingTerm { body, q, v, coefficient }
                    })
                    .collect();
                ("coupling", vec![Row::Coupling { terms, offset: *offset }])
            }
        };
        Closure { name: closure.name.clone(), kind, rows }
    }

    /// Body, entry of q and entry of v of a joint's coordinate.
    fn coordinate(&self, joint: usize, coordinate: usize) -> (BodyId, usize, usize) {
        let (q, v) = self.first[joint];
        (self.id[self.parts.joints[joint].child], q + coordinate, v + coordinate)
    }

    fn contact(&self, place: &ContactPlace) -> ContactGeometry {
        match place {
            ContactPlace::Shapes(a, b) => ContactGeometry::Shapes { a: *a, b: *b },
            ContactPlace::Points { a, b, normal_in, normal } => ContactGeometry::Points {
                a: self.anchor(a),
                b: self.anchor(b),
                normal_in: self.place(*normal_in),
                normal: self.frame_of(*normal_in).vector(&normal.normalize()),
            },
        }
    }

    /// Joint-and-coordinate numbers become entries of q and v.
    fn tape(&self, tape: &Tape) -> Tape {
        let entry = |k: usize| self.coordinate(k / 8, k % 8);
        let steps = tape
            .steps()
            .iter()
            .map(|step| match *step {
                Step::Variable(Variable::Position(k)) => {
                    Step::Variable(Variable::Position(entry(k).1))
                }
                Step::Variable(Variable::Velocity(k)) => {
                    Step::Variable(Variable::Velocity(entry(k).2))
                }
                other => other,
            })
            .collect();
        Tape::new(steps).unwrap_or_default()
    }

    fn load(&self, name: &str, kind: &LoadKind) -> Load {
        let name = name.to_owned();
        match kind {
            LoadKind::Spring { a, b, stiffness, damping, rest } => Load::Spring {
                name,
                a: self.anchor(a),
                b: self.anchor(b),
                stiffness: *stiffness,
                damping: *damping,
                rest: *rest,
            },
            LoadKind::JointSpring { joint, coordinate, stiffness, damping, rest } => {
                let (body, q, v) = self.coordinate(*joint, *coordinate);
                Load::JointSpring {
                    name,
                    body,
                    q,
                    v,
                    stiffness: *stiffness,
                    damping: *damping,
                    rest: *rest,
                }
            }
            LoadKind::Force { at, components, in_body } => Load::Force {
                name,
                at: self.anchor(at),
                components: components.each_ref().map(|t| self.tape(t)),
                frame: if *in_body { self.place(at.body) } else { None },
            },
            LoadKind::Torque { body, components, in_body } => Load::Torque {
                name,
                body: self.id[*body],
                components: components.each_ref().map(|t| self.tape(t)),
                frame: in_body.then(|| self.id[*body]),
            },
            LoadKind::Effort { joint, coordinate, effort } => Load::Effort {
                name,
                v: self.coordinate(*joint, *coordinate).2,
                effort: self.tape(effort),
            },
        }
    }

    fn drive(&self, drive: &super::parts::DrivePart) -> Drive {
        let (body, q, v) = self.coordinate(drive.joint, drive.coordinate);
        Drive { name: drive.name.clone(), body, q, v, motion: self.tape(&drive.motion) }
    }

    fn initial(&self) -> Initial {
        let initial = &self.parts.initial;
        Initial {
            points: initial
                .points
                .iter()
                .map(|&(m, at, velocity)| PointTarget {
                    name: self.parts.markers[m].name.clone(),
                    anchor: self.marker(m).anchor,
                    at,
                    velocity,
                })
                .collect(),
            branch: initial
                .rest
                .branch
                .iter()
                .map(|c| Condition { text: c.text.clone(), margin: self.tape(&c.margin) })
                .collect(),
            kinetic_energy: initial.rest.kinetic_energy,
        }
    }
}

/// A quaternion of any length but zero is a rotation; the state holds it at unit length.
fn normalise_quaternion(kind: JointKind, q: &mut [f64; MOST_POSITIONS]) {
    let range = match kind {
        JointKind::Spherical => 0..4,
        JointKind::Floating => 3..7,
        _ => return,
    };
    let length = q[range.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        q[range].iter_mut().for_each(|x| *x /= length);
    }
}

/// A shape's geometry, moved by a pose.
fn moved_shape(kind: &ShapeKind, by: &Pose) -> ShapeKind {
    let p = |x: &Vec3| by.point(x);
    match *kind {
        ShapeKind::Point { at } => ShapeKind::Point { at: p(&at) },
        ShapeKind::Sphere { center, radius } => ShapeKind::Sphere { center: p(&center), radius },
        ShapeKind::Plane { at, normal } => {
            ShapeKind::Plane { at: p(&at), normal: by.vector(&normal).normalize() }
        }
        ShapeKind::Segment { start, end, side } => {
            ShapeKind::Segment { start: p(&start), end: p(&end), side }
        }
        ShapeKind::Hollow { center, radius } => ShapeKind::Hollow { center: p(&center), radius },
        ShapeKind::Box { pose, half } => ShapeKind::Box { pose: by.then(&pose), half },
        ShapeKind::Capsule { start, end, radius } => {
            ShapeKind::Capsule { start: p(&start), end: p(&end), radius }
        }
        ShapeKind::Cylinder { pose, radius, half_length } => {
            ShapeKind::Cylinder { pose: by.then(&pose), radius, half_length }
        }
    }
}
