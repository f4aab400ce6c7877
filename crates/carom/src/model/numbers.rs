//! The numbers of [`Parts`] by where they stand, so that a study changes them without reading the file again.

use super::ShapeKind;
use super::parts::{ClosureKind, ContactPlace, LoadKind, Parts};
use crate::maths::Vec3;

/// A place in [`Parts`] whose numbers are taken into the model together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// Acceleration of free fall.
    Gravity,
    /// Mass, mass centre and inertia of a body.
    Body(usize),
    /// Position, guess and velocity of a joint.
    State(usize),
    /// Where a joint stands on the body that carries it, and its rotor.
    Joint(usize),
    /// Where a joint stands on the body that it carries: the link frame of that body.
    Link(usize),
    /// A closure.
    Closure(usize),
    /// A marker.
    Marker(usize),
    /// A contact shape.
    Shape(usize),
    /// Points, stiffness and restitution of a contact.
    Contact(usize),
    /// A spring.
    Load(usize),
    /// Where a point is to be.
    Place(usize),
    /// How a point is to move.
    Velocity(usize),
    /// The kinetic energy that velocities are scaled to.
    Energy,
}

impl Parts {
    /// All places that have numbers.
    pub(super) fn items(&self) -> Vec<Item> {
        let mut out = vec![Item::Gravity, Item::Energy];
        let mut add = |count: usize, item: fn(usize) -> Item| out.extend((0..count).map(item));
        add(self.bodies.len(), Item::Body);
        add(self.joints.len(), Item::State);
        add(self.joints.len(), Item::Joint);
        add(self.joints.len(), Item::Link);
        add(self.closures.len(), Item::Closure);
        add(self.markers.len(), Item::Marker);
        add(self.shapes.len(), Item::Shape);
        add(self.contacts.len(), Item::Contact);
        add(self.loads.len(), Item::Load);
        add(self.initial.points.len(), Item::Place);
        add(self.initial.points.len(), Item::Velocity);
        out
    }

    /// Shows the numbers of a place, always in the same order.
    pub(super) fn visit(&mut self, item: Item, see: &mut dyn FnMut(&mut f64)) {
        match item {
            Item::Gravity => self.gravity.iter_mut().for_each(see),
            Item::Body(b) => {
                let body = &mut self.bodies[b];
                see(&mut body.mass);
                body.center.iter_mut().chain(body.inertia.iter_mut()).for_each(see);
            }
            Item::State(j) => {
                let joint = &mut self.joints[j];
                let lists = [&mut joint.position, &mut joint.guess, &mut joint.velocity];
                lists.into_iter().flatten().flatten().for_each(see);
            }
            Item::Joint(j) => {
                let joint = &mut self.joints[j];
                joint.in_parent.position.iter_mut().chain(&mut joint.rotor).for_each(see);
            }
            Item::Link(j) => self.joints[j].in_child.position.iter_mut().for_each(see),
            Item::Closure(c) => visit_closure(&mut self.closures[c].kind, see),
            Item::Marker(m) => self.markers[m].point.at.iter_mut().for_each(see),
            Item::Shape(s) => visit_shape(&mut self.shapes[s].kind, see),
            Item::Contact(c) => {
                let contact = &mut self.contacts[c];
                if let ContactPlace::Points { a, b, .. } | ContactPlace::Rope { a, b, .. } =
                    &mut contact.place
                {
                    a.at.iter_mut().chain(b.at.iter_mut()).for_each(&mut *see);
                }
                if let ContactPlace::Rope { length, .. } = &mut contact.place {
                    see(length);
                }
                let own = &mut contact.defaults;
                let law = &mut own.law_parameters;
                let numbers = [&mut own.restitution, &mut own.stiffness, &mut own.exponent];
                let of_law = [&mut law.damping, &mut law.max_damping, &mut law.damping_depth];
                numbers.into_iter().chain(of_law).flatten().for_each(see);
            }
            Item::Load(l) => visit_load(&mut self.loads[l].kind, see),
            Item::Place(p) => self.initial.points[p].1.iter_mut().flatten().for_each(see),
            Item::Velocity(p) => self.initial.points[p].2.iter_mut().flatten().for_each(see),
            Item::Energy => self.initial.rest.kinetic_energy.iter_mut().for_each(see),
        }
    }
}

fn vectors<const N: usize>(all: [&mut Vec3; N], see: &mut dyn FnMut(&mut f64)) {
    for vector in all {
        vector.iter_mut().for_each(&mut *see);
    }
}

fn visit_closure(kind: &mut ClosureKind, see: &mut dyn FnMut(&mut f64)) {
    match kind {
        ClosureKind::Joint { a, b, .. } => {
            vectors([&mut a.1.position, &mut b.1.position], see);
        }
        ClosureKind::Distance { a, b, length } => {
            vectors([&mut a.at, &mut b.at], see);
            see(length);
        }
        ClosureKind::PointOnLine { line, point, .. } => {
            vectors([&mut line.at, &mut point.at], see);
        }
        ClosureKind::PointOnCircle { center, radius, point, .. } => {
            vectors([&mut center.at, &mut point.at], see);
            see(radius);
        }
        ClosureKind::Coupling { terms, offset } => {
            for term in terms {
                see(&mut term.2);
            }
            see(offset);
        }
    }
}

fn visit_shape(kind: &mut ShapeKind, see: &mut dyn FnMut(&mut f64)) {
    match kind {
        ShapeKind::Point { at } | ShapeKind::Plane { at, .. } => vectors([at], see),
        ShapeKind::Sphere { center, radius } | ShapeKind::Hollow { center, radius } => {
            vectors([center], see);
            see(radius);
        }
        ShapeKind::Segment { start, end, .. } => vectors([start, end], see),
        ShapeKind::Box { pose, half } => vectors([&mut pose.position, half], see),
        ShapeKind::Capsule { start, end, radius } => {
            vectors([start, end], see);
            see(radius);
        }
        ShapeKind::Cylinder { pose, radius, half_length } => {
            vectors([&mut pose.position], see);
            see(radius);
            see(half_length);
        }
        // Normals and faces follow from the vertices, a curve from its table: such a shape is read anew.
        ShapeKind::Convex { .. } | ShapeKind::Profile { .. } => {}
    }
}

fn visit_load(kind: &mut LoadKind, see: &mut dyn FnMut(&mut f64)) {
    match kind {
        LoadKind::Spring { a, b, stiffness, damping, rest } => {
            vectors([&mut a.at, &mut b.at], see);
            [stiffness, damping, rest].into_iter().for_each(see);
        }
        LoadKind::JointSpring { stiffness, damping, rest, .. } => {
            [stiffness, damping, rest].into_iter().for_each(see);
        }
        LoadKind::Force { at, .. } => vectors([&mut at.at], see),
        LoadKind::Torque { .. } | LoadKind::Effort { .. } => {}
    }
}
