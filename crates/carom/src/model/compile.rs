//! From checked [`Parts`] in order to a [`Model`]: new numbers, link frames.

use super::body::{mark_prescribed, rotational_mobility, scale_by_what_is_carried};
use super::closure::{CouplingTerm, circle_rows, joint_rows, line_rows};
use super::joint::{MOST_POSITIONS, MOST_VELOCITIES};
use super::parts::{ClosureKind, ClosurePart, ContactPlace, LoadKind, PartPlace, Parts, PointPart};
use super::tree::planar_kind;
use super::{
    Anchor, Body, BodyId, Closure, Condition, Contact, ContactGeometry, Drive, Initial, Joint,
    JointKind, Load, Marker, Model, Place, PointTarget, RigidInertia, Row, Shape, ShapeKind, Space,
    Stop, UserEvent,
};
use crate::maths::expression::{Step, Tape, Variable};
use crate::maths::{Mat3, Pose, Vec3};

/// Renumbers bodies and joints and re-expresses geometry in link frames.
pub(super) struct Compiler<'a> {
    pub(super) parts: &'a Parts,
    pub(super) order: &'a [usize],
    /// New body of each part.
    pub(super) id: Vec<BodyId>,
    /// Body frame in the link frame, of each body part.
    frame: Vec<Pose>,
    /// First q and v of each joint part.
    first: Vec<(usize, usize)>,
    nq: usize,
    nv: usize,
}

impl<'a> Compiler<'a> {
    pub fn new(parts: &'a Parts, order: &'a [usize]) -> Self {
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

    pub fn model(&self) -> Model {
        let parts = self.parts;
        let mut bodies: Vec<Body> = self.order.iter().map(|&j| self.body(j)).collect();
        scale_by_what_is_carried(&mut bodies);
        let drives: Vec<Drive> = parts.drives.iter().map(|d| self.drive(d)).collect();
        mark_prescribed(&mut bodies, &drives);
        Model {
            title: parts.title.clone(),
            space: parts.space,
            gravity: parts.gravity,
            bodies,
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
            drives,
            events: parts.events.iter().map(|e| self.event(e)).collect(),
            initial: self.initial(),
            simulation: self.parts.simulation,
            nq: self.nq,
            nv: self.nv,
        }
    }

    pub(super) fn body(&self, j: usize) -> Body {
        let joint = &self.parts.joints[j];
        let part = &self.parts.bodies[joint.child];
        let kind = planar_kind(joint.kind, self.parts.space);
        let frame = self.frame[joint.child];
        // In the plane only the rotation about z counts; the other axes never turn.
        let central = match self.parts.space {
            Space::Planar => Mat3::from_diagonal_element(part.inertia[(2, 2)]),
            Space::Spatial => frame.rotation * part.inertia * frame.rotation.transpose(),
        };
        let (position, velocity) = self.written_state(j);
        let mut rotor = [0.0; MOST_VELOCITIES];
        rotor[..joint.rotor.len()].copy_from_slice(&joint.rotor);
        let (q, v) = self.first[j];
        let inertia = RigidInertia::from_central(part.mass, frame.point(&part.center), central);
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
                friction: joint.friction,
                range: joint.range,
                max_effort: joint.max_effort,
                max_speed: joint.max_speed,
                dry_friction: joint.dry_friction,
            },
            frame,
            inertia,
            scale: inertia,
            rotational_mobility: rotational_mobility(&central),
            prescribed: false,
            payload: part.payload,
        }
    }

    /// Positions and velocities of a joint as they are stated or guessed.
    pub(super) fn written_state(
        &self,
        j: usize,
    ) -> ([f64; MOST_POSITIONS], [f64; MOST_VELOCITIES]) {
        let joint = &self.parts.joints[j];
        let kind = planar_kind(joint.kind, self.parts.space);
        let mut position = kind.zero();
        if let Some(given) = joint.position.as_ref().or(joint.guess.as_ref()) {
            position[..given.len()].copy_from_slice(given);
        }
        normalise_quaternion(kind, &mut position);
        let mut velocity = [0.0; MOST_VELOCITIES];
        if let Some(given) = &joint.velocity {
            velocity[..given.len()].copy_from_slice(given);
        }
        (position, velocity)
    }

    fn place(&self, place: PartPlace) -> Place {
        place.map(|b| self.id[b])
    }

    pub(super) fn frame_of(&self, place: PartPlace) -> Pose {
        place.map_or_else(Pose::identity, |b| self.frame[b])
    }

    fn anchor(&self, point: &PointPart) -> Anchor {
        Anchor { body: self.place(point.body), at: self.frame_of(point.body).point(&point.at) }
    }

    pub(super) fn marker(&self, m: usize) -> Marker {
        let marker = &self.parts.markers[m];
        Marker {
            name: marker.name.clone(),
            anchor: self.anchor(&marker.point),
            direction: marker.direction.map(|d| self.frame_of(marker.point.body).vector(&d)),
        }
    }

    pub(super) fn closure(&self, closure: &ClosurePart) -> Closure {
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

    pub(super) fn contact(&self, place: &ContactPlace) -> ContactGeometry {
        match place {
            ContactPlace::Shapes(a, b) => ContactGeometry::Shapes { a: *a, b: *b },
            ContactPlace::Points { a, b, normal_in, normal } => ContactGeometry::Points {
                a: self.anchor(a),
                b: self.anchor(b),
                normal_in: self.place(*normal_in),
                normal: self.frame_of(*normal_in).vector(&normal.normalize()),
            },
            ContactPlace::Rope { a, b, length } => {
                ContactGeometry::Rope { a: self.anchor(a), b: self.anchor(b), length: *length }
            }
            ContactPlace::Stop { joint, coordinate, lower, upper } => {
                let (body, q, v) = self.coordinate(*joint, *coordinate);
                let part = &self.parts.joints[*joint];
                let (parent, angular) =
                    (self.place(part.parent), part.kind.is_angular(*coordinate));
                let (lower, upper) = (*lower, *upper);
                ContactGeometry::Stop(Stop { body, parent, q, v, angular, lower, upper })
            }
        }
    }

    /// Joint-and-coordinate numbers become entries of q and v.
    fn tape(&self, tape: &Tape) -> Tape {
        let entry = |k: usize| self.coordinate(k / 8, k % 8);
        let steps = tape
            .steps()
            .iter()
            .map(|step| match step {
                Step::Variable(Variable::Position(k)) => {
                    Step::Variable(Variable::Position(entry(*k).1))
                }
                Step::Variable(Variable::Velocity(k)) => {
                    Step::Variable(Variable::Velocity(entry(*k).2))
                }
                other => other.clone(),
            })
            .collect();
        Tape::new(steps).unwrap_or_default()
    }

    pub(super) fn load(&self, name: &str, kind: &LoadKind) -> Load {
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

    fn event(&self, event: &UserEvent) -> UserEvent {
        UserEvent { expression: self.tape(&event.expression), ..event.clone() }
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
pub(super) fn moved_shape(kind: &ShapeKind, by: &Pose) -> ShapeKind {
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
        ShapeKind::Convex { .. } | ShapeKind::Profile { .. } => kind.moved(by),
    }
}
